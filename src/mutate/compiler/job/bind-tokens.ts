/**
 * What the compiler ties each name token to (β of mutation.md §3.1), as links to declaration places. Symbols are asked in batches, a
 * batch that fails is halved until what fails stands alone: `failed` is said of that token and no other (M18). What the checker says
 * nothing about although the language does — labels, names of tuple members — is bound by syntax.
 */

import { askInBatches, describeFailure } from '../../../languages/typescript/compiler/compiler-process.ts';
import {
  type Node,
  SymbolFlags,
  SyntaxKind,
  type Symbol as TsSymbol,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { DeclarationPlace } from '../session/messages.ts';
import { bindContext, createContexts, findPatternHolder } from './bind-context.ts';
import { createPlaces, type FindPlaces, nameStart } from './declarations.ts';
import type { Binding, BoundToken, Link, NameToken, OpenProgram, Programs } from './job-types.ts';
import { listNameTokens } from './name-tokens.ts';

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
