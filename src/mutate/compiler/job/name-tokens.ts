/**
 * Every name that stands in a file (T of mutation.md §3.1), and what the compiler ties it to (β of it), as links to declaration places.
 *
 * T: identifiers, private names, JSX names, labels, names in documentation comments, and strings where a name could stand. Left out:
 * module specifiers, names of tags (`@param` itself), `new.target`, `import.meta` and `as const`. The tree is walked with a stack of our
 * own: nesting is the repository's to choose.
 *
 * β: symbols are asked in batches, a batch that fails is halved until what fails stands alone: `failed` is said of that token and no other
 * (M18). What the checker says nothing about although the language does (labels, names of tuple members) is bound by syntax.
 */

import { askInBatches, describeFailure } from '../../../languages/typescript/compiler/compiler-process.ts';
import {
  type Node,
  NodeFlags,
  type SourceFile,
  SymbolFlags,
  SyntaxKind,
  type Symbol as TsSymbol,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { DeclarationPlace } from '../session/messages.ts';
import { bindContext, createContexts, findPatternHolder } from './bind-context.ts';
import { createPlaces, type FindPlaces, isStringLike, nameStart } from './declarations.ts';
import type {
  Binding,
  BoundToken,
  Link,
  NameToken,
  OpenProgram,
  Programs,
  RenameWorld,
  TokenKind,
} from './job-types.ts';

/** Tokens by file as the compiler parsed it: programs and snapshots that share a file share its tokens. */
const tokensOf = new WeakMap<SourceFile, readonly NameToken[]>();

/** Sorted by start, each span once. Empty for a file that the program does not have. */
export function listNameTokens(program: OpenProgram, path: string): readonly NameToken[] {
  const file = program.sourceFile(path);
  if (file === undefined) return [];
  const listed = tokensOf.get(file) ?? collectTokens(file, path);
  tokensOf.set(file, listed);
  return listed;
}

type Found = { readonly token: NameToken; readonly rank: number };

function collectTokens(file: SourceFile, path: string): readonly NameToken[] {
  const { text } = file;
  const mayHaveDocs = text.includes('/**');
  const found = new Map<number, Found>();
  const nodes: Node[] = [file];
  /** 1 for what hangs below a documentation comment. */
  const inDocs: number[] = [0];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const inDoc = inDocs.pop() ?? 0;
    const token = readToken(node, path, text, inDoc === 1);
    if (token !== undefined) keepBest(found, token, inDoc === 1 ? 2 : isReparsed(node) ? 1 : 0);
    // Its two parts are one name.
    if (node.kind === SyntaxKind.JsxNamespacedName) continue;
    node.forEachChild((child) => {
      nodes.push(child);
      inDocs.push(inDoc);
    });
    if (!mayHaveDocs) continue;
    for (const doc of (node as Node & { readonly jsDoc?: readonly Node[] }).jsDoc ?? []) {
      nodes.push(doc);
      inDocs.push(1);
    }
  }
  return [...found.values()].map(({ token }) => token).sort((a, b) => a.start - b.start);
}

/**
 * In JavaScript, types of documentation comments stand in the tree a second time, as if they were written in the code. That second node
 * has the better neighbours; that it stands in a comment, the first one knows.
 */
function keepBest(found: Map<number, Found>, token: NameToken, rank: number): void {
  const other = found.get(token.start);
  if (other === undefined) {
    found.set(token.start, { token, rank });
    return;
  }
  const best = rank < other.rank ? token : other.token;
  const isDoc = token.kind === 'jsdoc' || other.token.kind === 'jsdoc';
  found.set(token.start, { token: isDoc ? { ...best, kind: 'jsdoc' } : best, rank: Math.min(rank, other.rank) });
}

function isReparsed(node: Node): boolean {
  return (node.flags & NodeFlags.Reparsed) !== 0;
}

function readToken(node: Node, path: string, text: string, inDoc: boolean): NameToken | undefined {
  const kind = kindOf(node, inDoc);
  if (kind === undefined) return undefined;
  const isQuoted = isStringLike(node);
  const start = node.getStart() + (isQuoted ? 1 : 0);
  // An unclosed string ends without its quote.
  const end = isQuoted && node.end > start && text[node.end - 1] === text[start - 1] ? node.end - 1 : node.end;
  // What the parser made up to go on after an error has no text.
  if (end <= start) return undefined;
  const name =
    node.kind === SyntaxKind.JsxNamespacedName ? text.slice(start, end) : ((node as { text?: string }).text ?? '');
  return { path, start, end, text: name, kind, node };
}

type Shape = Node & {
  readonly name?: Node;
  readonly propertyName?: Node;
  readonly tagName?: Node;
  readonly label?: Node;
  readonly expression?: Node;
  readonly argumentExpression?: Node;
  readonly indexType?: Node;
  readonly arguments?: readonly Node[];
};

function kindOf(node: Node, inDoc: boolean): TokenKind | undefined {
  const parent = node.parent as Shape | undefined;
  switch (node.kind) {
    case SyntaxKind.Identifier:
      return parent === undefined ? undefined : kindOfIdentifier(node, parent, inDoc);
    case SyntaxKind.PrivateIdentifier:
      return inDoc ? 'jsdoc' : 'private';
    case SyntaxKind.JsxNamespacedName:
      return 'jsx';
    case SyntaxKind.StringLiteral:
      return parent !== undefined && isNamePosition(node, parent) ? (inDoc ? 'jsdoc' : 'string') : undefined;
    case SyntaxKind.NoSubstitutionTemplateLiteral:
      return parent !== undefined && isNamePosition(node, parent) ? (inDoc ? 'jsdoc' : 'template') : undefined;
    default:
      return undefined;
  }
}

function kindOfIdentifier(node: Node, parent: Shape, inDoc: boolean): TokenKind | undefined {
  switch (parent.kind) {
    case SyntaxKind.MetaProperty:
      return undefined;
    // `as const`
    case SyntaxKind.TypeReference:
      if ((node as { text?: string }).text === 'const') return undefined;
      break;
    case SyntaxKind.LabeledStatement:
    case SyntaxKind.BreakStatement:
    case SyntaxKind.ContinueStatement:
      return parent.label === node ? 'label' : 'identifier';
    case SyntaxKind.JsxAttribute:
      return parent.name === node ? 'jsx' : 'identifier';
    case SyntaxKind.JsxOpeningElement:
    case SyntaxKind.JsxClosingElement:
    case SyntaxKind.JsxSelfClosingElement:
      return parent.tagName === node ? 'jsx' : 'identifier';
  }
  if (!inDoc) return 'identifier';
  return isDocTag(parent) && parent.tagName === node ? undefined : 'jsdoc';
}

function isDocTag({ kind }: Node): boolean {
  return kind >= SyntaxKind.FirstJSDocTagNode && kind <= SyntaxKind.LastJSDocTagNode;
}

/** Could a name stand where this string stands, and mean the same? */
function isNamePosition(node: Node, parent: Shape): boolean {
  switch (parent.kind) {
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.PropertySignature:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.MethodSignature:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
    case SyntaxKind.EnumMember:
    case SyntaxKind.NamespaceExport:
      return parent.name === node;
    case SyntaxKind.BindingElement:
      return parent.propertyName === node;
    case SyntaxKind.ImportSpecifier:
    case SyntaxKind.ExportSpecifier:
      return parent.name === node || parent.propertyName === node;
    case SyntaxKind.ComputedPropertyName:
      return parent.expression === node;
    case SyntaxKind.ElementAccessExpression:
      return parent.argumentExpression === node;
    case SyntaxKind.LiteralType: {
      const holder = parent.parent as Shape | undefined;
      return holder?.kind === SyntaxKind.IndexedAccessType && holder.indexType === parent;
    }
    case SyntaxKind.CallExpression:
      return parent.arguments?.[1] === node && isDefineProperty(parent.expression);
    default:
      return false;
  }
}

function isDefineProperty(callee: Shape | undefined): boolean {
  if (callee?.kind !== SyntaxKind.PropertyAccessExpression) return false;
  const object = callee.expression as (Node & { readonly text?: string }) | undefined;
  return (
    object?.kind === SyntaxKind.Identifier &&
    object.text === 'Object' &&
    (callee.name as { text?: string } | undefined)?.text === 'defineProperty'
  );
}

// Where a name stands today, unbound: binding is the dear part, and most rules about names ask the syntax around them first. Of a name
// that the language confines to its file, only the files of the rename are looked at.

export type UnboundName = { readonly program: OpenProgram; readonly token: NameToken };

const unboundNames = new WeakMap<RenameWorld, Map<string, readonly UnboundName[]>>();

export function listUnboundNames(world: RenameWorld, name: string): readonly UnboundName[] {
  const byName = unboundNames.get(world) ?? new Map<string, readonly UnboundName[]>();
  unboundNames.set(world, byName);
  const listed = byName.get(name) ?? findUnbound(world, name);
  byName.set(name, listed);
  return listed;
}

function findUnbound(world: RenameWorld, name: string): readonly UnboundName[] {
  const own = new Set(world.occurrences.map(({ token }) => token.path));
  return world.programs.open.flatMap((program) =>
    program.files.flatMap((path) => {
      if (world.reach === 'file' && !own.has(path)) return [];
      const text = program.sourceFile(path)?.text ?? '';
      if (!text.includes(name) && !text.includes('\\')) return [];
      return listNameTokens(program, path).flatMap((token) => (token.text === name ? [{ program, token }] : []));
    }),
  );
}

/** `CheckFlags.Unresolved`, which the interface does not name. */
const unresolvedFlag = 1 << 20;

/** Tokens are shared by programs and snapshots, what they mean is not. */
const knownBindings = new WeakMap<OpenProgram, Map<NameToken, Binding>>();

/** In the order of the tokens. What was asked before is not asked again: a program never changes. */
export function bindTokens(program: OpenProgram, tokens: readonly NameToken[]): readonly Binding[] {
  const known = knownBindings.get(program) ?? new Map<NameToken, Binding>();
  knownBindings.set(program, known);
  const unknown = tokens.filter((token) => !known.has(token));
  const found = askForBindings(program, unknown, 'all');
  for (const [at, binding] of found.entries()) known.set(unknown[at] as NameToken, binding);
  return tokens.map((token) => known.get(token) as Binding);
}

const knownMeanings = new WeakMap<OpenProgram, Map<NameToken, Binding>>();

/**
 * The same without what a literal's or an element's contextual type expects of a key: that ties names to each other, and says nothing
 * about what the program does (docs/decisions/0018). What a pattern takes is part of it, as everywhere.
 */
export function bindMeanings(program: OpenProgram, tokens: readonly NameToken[]): readonly Binding[] {
  const known = knownMeanings.get(program) ?? new Map<NameToken, Binding>();
  knownMeanings.set(program, known);
  const unknown = tokens.filter((token) => !known.has(token));
  const patterns = new Set(unknown.flatMap(({ node }) => findPatternHolder(node) ?? []));
  createContexts(program).prepare([...patterns]);
  const found = askForBindings(program, unknown, 'patterns');
  for (const [at, binding] of found.entries()) known.set(unknown[at] as NameToken, binding);
  return tokens.map((token) => known.get(token) as Binding);
}

function askForBindings(
  program: OpenProgram,
  tokens: readonly NameToken[],
  holders: 'all' | 'patterns',
): readonly Binding[] {
  const { checker } = program.project;
  const findPlaces = placesOf(program);
  const contexts = createContexts(program);
  const asked = tokens.map((token) => findMentionedParameter(token.node) ?? token.node);
  const symbols = askInBatches(asked, (nodes) => checker.getSymbolAtLocation(nodes));
  return tokens.map((token, at): Binding => {
    const bySyntax = bindBySyntax(token);
    if (bySyntax !== undefined) return bySyntax;
    const answer = symbols[at];
    if (answer === undefined || answer.kind === 'failed')
      return { kind: 'failed', detail: answer?.detail ?? 'no answer' };
    try {
      const links = linkToken(token, answer.value, findPlaces, checker);
      if (holders === 'all' || findPatternHolder(token.node) !== undefined)
        links.push(...bindContext(token.node, token.text, links, contexts, findPlaces));
      return links.length === 0 ? { kind: 'none' } : { kind: 'bound', links };
    } catch (error) {
      return { kind: 'failed', detail: describeFailure(error) };
    }
  });
}

const knownPlaces = new WeakMap<OpenProgram, FindPlaces>();

function placesOf(program: OpenProgram): FindPlaces {
  const known = knownPlaces.get(program) ?? createPlaces(program);
  knownPlaces.set(program, known);
  return known;
}

function linkToken(
  { node, path, start }: NameToken,
  symbol: TsSymbol | undefined,
  findPlaces: FindPlaces,
  checker: OpenProgram['project']['checker'],
): Link[] {
  // `{ ['a']: b }` in a pattern: the checker answers for `b`; what `a` is, the destructured type says.
  if (symbol === undefined || isUnresolved(symbol) || checker.isUnknownSymbol(symbol) || isBracketedInPattern(node))
    return [];
  const places = findPlaces(symbol);
  const links: Link[] = [{ role: 'symbol', symbol, places }];
  // An alias is followed where it is made, and from there one step.
  if ((symbol.flags & SymbolFlags.Alias) !== 0 && isAmong(places, path, start)) {
    const target = checker.getImmediateAliasedSymbol(symbol);
    if (target !== undefined && !checker.isUnknownSymbol(target))
      links.push({ role: 'alias', symbol: target, places: findPlaces(target) });
  }
  if (node.parent?.kind === SyntaxKind.ShorthandPropertyAssignment) {
    const value = checker.getShorthandAssignmentValueSymbol(node.parent);
    if (value !== undefined) links.push({ role: 'value', symbol: value, places: findPlaces(value) });
  }
  return links;
}

/** What the checker puts in the place of a type it did not find. */
function isUnresolved({ checkFlags, declarations }: TsSymbol): boolean {
  return (checkFlags & unresolvedFlag) !== 0 && declarations.length === 0;
}

function isAmong(places: readonly DeclarationPlace[], path: string, start: number): boolean {
  return places.some((place) => place.start === start && place.path === path);
}

function isBracketedInPattern(node: Node): boolean {
  return (
    node.parent?.kind === SyntaxKind.ComputedPropertyName && node.parent.parent?.kind === SyntaxKind.BindingElement
  );
}

/** Names that the language binds and the checker does not: labels, names of tuple members, import attributes, parts of `@param a.b`. */
function bindBySyntax(token: NameToken): Binding | undefined {
  const { node, kind } = token;
  if (kind === 'label') {
    const label = findLabel(node, token.text);
    return label === undefined ? { kind: 'none' } : bindTo(token, label);
  }
  const parent = node.parent as (Node & { readonly name?: Node }) | undefined;
  const namesItself = parent?.kind === SyntaxKind.NamedTupleMember || parent?.kind === SyntaxKind.ImportAttribute;
  return namesItself && parent.name === node ? bindTo(token, node) : undefined;
}

type Doc = Node & { readonly name?: Node; readonly left?: Node; readonly text?: string };

/** The `a` of `@param a.b` is the parameter that another tag of the same comment names: that tag's name can be asked about. */
function findMentionedParameter(node: Doc): Node | undefined {
  if (node.parent?.kind !== SyntaxKind.QualifiedName || (node.parent as Doc).left !== node) return undefined;
  let outer: Node = node.parent;
  while (outer.parent?.kind === SyntaxKind.QualifiedName) outer = outer.parent;
  if (outer.parent?.kind !== SyntaxKind.JSDocParameterTag) return undefined;
  // Tags of properties hang below the tag of their object, or beside it.
  for (let at: Doc | undefined = outer.parent.parent; at !== undefined; at = at.parent) {
    if (namesParameter(at, node.text)) return at.name;
    if (at.kind === SyntaxKind.JSDoc) return findTag(at, node.text)?.name;
  }
  return undefined;
}

function findTag(comment: Node, text: string | undefined): Doc | undefined {
  let found: Doc | undefined;
  comment.forEachChild((tag) => {
    if (namesParameter(tag, text)) found ??= tag;
    return undefined;
  });
  return found;
}

function namesParameter({ kind, name }: Doc, text: string | undefined): boolean {
  return kind === SyntaxKind.JSDocParameterTag && name?.kind === SyntaxKind.Identifier && (name as Doc).text === text;
}

type Statement = Node & { readonly label?: Node & { readonly text?: string } };

/** A label is visible below its statement, up to the next function. */
function findLabel(node: Node, text: string): Node | undefined {
  for (let at: Statement | undefined = node.parent; at !== undefined; at = at.parent) {
    if (at.kind === SyntaxKind.LabeledStatement && at.label?.text === text) return at.label;
    if (isFunctionBoundary(at)) return undefined;
  }
  return undefined;
}

function isFunctionBoundary({ kind }: Node): boolean {
  switch (kind) {
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.Constructor:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
    case SyntaxKind.ClassStaticBlockDeclaration:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.ModuleDeclaration:
      return true;
    default:
      return false;
  }
}

function bindTo({ path, text }: NameToken, name: Node): Binding {
  const place = { path, start: nameStart(name), outside: false };
  return { kind: 'bound', links: [{ role: 'symbol', symbol: makeSymbol(text), places: [place] }] };
}

/** The checker has none; this one has no flags, which none of its own has. */
function makeSymbol(name: string): TsSymbol {
  const none = {
    id: 0,
    name,
    escapedName: name,
    flags: 0,
    checkFlags: 0,
    declarations: [],
    valueDeclaration: undefined,
    getParent: () => undefined,
    getMembers: () => new Map(),
    getExports: () => new Map(),
    getExportSymbol: () => none,
    getJsDocTags: () => [],
    getDocumentationComment: () => '',
  };
  return none as unknown as TsSymbol;
}

// All tokens of one name in all programs, bound. A file whose text holds neither the name nor an escape is not looked at.

const known = new WeakMap<OpenProgram, Map<string, readonly BoundToken[]>>();

/** By program, file and start. A file that several programs have is there once for each: they may bind it differently. */
export function tokensNamed(programs: Programs, name: string): readonly BoundToken[] {
  return programs.open.flatMap((program) => {
    const byName = known.get(program) ?? new Map<string, readonly BoundToken[]>();
    known.set(program, byName);
    const found = byName.get(name) ?? findInProgram(program, name);
    byName.set(name, found);
    return found;
  });
}

function findInProgram(program: OpenProgram, name: string): readonly BoundToken[] {
  const tokens = program.files.flatMap((path) => {
    const text = program.sourceFile(path)?.text ?? '';
    if (!text.includes(name) && !text.includes('\\')) return [];
    return listNameTokens(program, path).filter((token) => token.text === name);
  });
  const bindings = bindTokens(program, tokens);
  return tokens.map((token, at) => ({
    program,
    token,
    binding: bindings[at] ?? { kind: 'failed', detail: 'no answer' },
  }));
}

/** The tokens of one name in one file, bound, in every program that has the file. */
export function tokensInFile(programs: Programs, path: string, name: string): readonly BoundToken[] {
  return programs.open.flatMap((program) => {
    if (program.sourceFile(path) === undefined) return [];
    const tokens = listNameTokens(program, path).filter(({ text }) => text === name);
    const bindings = bindTokens(program, tokens);
    return tokens.map((token, at) => ({
      program,
      token,
      binding: bindings[at] ?? { kind: 'failed', detail: 'no answer' },
    }));
  });
}

/**
 * One question to the compiler that may make it fail (mutation.md §3.1: some type queries do). The failure becomes the given answer, as
 * weak as the caller needs it; that the compiler is gone, or a mistake of our own, is thrown on.
 */
export function askOr<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
    describeFailure(error);
    return otherwise;
  }
}
