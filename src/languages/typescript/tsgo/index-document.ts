/**
 * One file as a SCIP document: what every name in it declares or refers to. Order and choice of occurrences are scip-typescript's, so that
 * the two can be compared one by one; what it loses is added and marked below with `more`:
 * - a key of an object literal is both what its contextual type expects and a property of its own;
 * - of a union, the constituents that have the property count where not all have it;
 * - a shorthand is also the variable it takes, whatever is expected of it;
 * - a binding refers to the property it takes by that property's name, not by its own;
 * - in scripts, what an assignment declares is defined there (`js-commonjs.ts`), and a name that a `require` brings is both the variable and
 *   what it leads to: a key of `module.exports = { … }` and the variable that the key takes.
 */

import {
  blankSymbol,
  roleBits,
  type ScipDocument,
  type ScipOccurrence,
  type ScipSymbol,
} from '../../../kernel/formats/scip.ts';
import { type Shape, textOfName } from '../compiler/node-shape.ts';
import {
  type Node,
  type SourceFile,
  SymbolFlags,
  SyntaxKind,
  type Symbol as TsSymbol,
  type Type,
  TypeFlags,
} from '../compiler/typescript-api.ts';
import { failed, type Questions } from './ask-compiler.ts';
import { readDocumentation } from './describe-declarations.ts';
import { renderRelationships } from './find-relationships.ts';
import { type FileName, listNames } from './list-names.ts';
import {
  type Answers,
  canHaveContext,
  createScriptMeanings,
  type DocumentWorld,
  findAssignedType,
  findLinkedMember,
  isAssignmentPattern,
  isFilledIn,
  listOwn,
  mayBeFilledIn,
} from './name-meanings.ts';
import { isOwnAlias, isStatic, local, type Spelling } from './spell-declarations.ts';
import { findExportOf, isScript, readAssigned, readRequired } from './tsgo-scripts.ts';

/** A name that the compiler could not be asked about: it fits no text, and so becomes an item of the document. */
const gapSymbol = 'scip-typescript npm . . `<gap>`.';

export function indexDocument(file: SourceFile, relativePath: string, world: DocumentWorld): ScipDocument {
  const { questions, spell, declarationsOf } = world;
  const names = listNames(file);
  const lines = createLines(file.text);
  const occurrences: ScipOccurrence[] = [];
  const symbols: ScipSymbol[] = [];
  const locals = new Map<Node, string>();
  /** Where the occurrences of the present name begin. */
  let first = 0;

  const symbolFor = (given: Node): Spelling => {
    const spelled = spell(given);
    if (spelled !== local) return spelled;
    const declaration = findFirstAccessor(given);
    const known = locals.get(declaration) ?? `local ${locals.size}`;
    locals.set(declaration, known);
    return known;
  };
  const push = (range: readonly number[], symbol: string, roles = 0, enclosingRange: readonly number[] = []): void => {
    if (symbol === '') return;
    for (let at = first; at < occurrences.length; at += 1) if (occurrences[at]?.symbol === symbol) return;
    occurrences.push({ range, symbol, roles, enclosingRange });
  };
  const pushAll = (range: readonly number[], declarations: readonly Node[]): void => {
    for (const declaration of declarations) push(range, symbolFor(declaration));
  };

  const define = (range: readonly number[], declaration: Node): void => {
    const symbol = symbolFor(declaration);
    const enclosed = symbol.startsWith('local ') ? undefined : findEnclosed(declaration);
    const around = enclosed === undefined ? [] : lines.range(enclosed.getStart(), enclosed.end);
    push(range, symbol, roleBits.definition, around);
    const overridden = world.ancestry
      .overriddenBy(declaration)
      .map(({ node, isMember }) => ({ symbol: symbolFor(node), isMember }));
    const signature = world.describer.signatureOf(declaration);
    const said = symbol.startsWith('local ') ? '' : readDocumentation(declaration);
    symbols.push({
      ...blankSymbol,
      symbol,
      documentation: signature === undefined ? [] : [fence(signature), ...(said === '' ? [] : [said])],
      relationships: renderRelationships(symbol, overridden),
    });
  };

  /** An import of what cannot be found is local to the file; one of a namespace is the file it opens. */
  const resolveImport = (declaration: Node, symbol: TsSymbol): Node => {
    if (declaration.kind === SyntaxKind.BinaryExpression) return findAssigned(declaration, world);
    if (declaration.kind !== SyntaxKind.NamespaceImport) return declaration;
    const target = questions.aliased(symbol);
    const [first] = target === undefined ? [] : declarationsOf(target);
    if (first === undefined || first.kind === SyntaxKind.SourceFile) return first ?? declaration;
    const [type] = questions.typesAt([declaration]);
    const meant = type === undefined ? undefined : questions.symbolOf(type);
    return (meant === undefined ? undefined : declarationsOf(meant)[0]) ?? declaration;
  };

  const meantBy = (name: Node): TsSymbol | undefined => {
    const symbol = answerOf.get(name);
    return symbol === undefined || symbol === failed ? undefined : followAlias(name, symbol, world, answerOf);
  };

  const meaningsOf = (node: Node, said: TsSymbol): readonly Node[] => {
    const symbol = findLinkedMember(node, said, meantBy, world) ?? said;
    const meant = followAlias(node, symbol, world, answerOf);
    const own = listOwn(holderTypes.get(node), meant, questions, declarationsOf);
    const found = own.map((declaration) => resolveImport(declaration, meant));
    const more = scripted?.alsoMeant(node, symbol, meant, found) ?? [];
    return [...found, ...more].map((declaration) => findExportOf(declaration, node));
  };

  /** Of a name that the compiler does not bind; `exports.a = b` is `b` there. */
  const findUnbound = (node: Node, assigns: Shape | undefined): readonly Node[] => {
    const found = scripted?.findByName(node) ?? [];
    const isExport = assigns !== undefined && readAssigned(assigns)?.of === 'exports';
    const value = isExport && assigns.right !== undefined ? answerOf.get(assigns.right) : undefined;
    if (found.length === 0 || value === undefined || value === failed) return found;
    return [...found, ...meaningsOf(assigns?.right ?? node, value)];
  };

  /** Is this what declares the symbol: the assignment that comes first, the class with a name of its own? */
  const isDeclaring = (declaration: Node, symbol: TsSymbol | undefined): boolean => {
    if (scripted?.isFirst(declaration) === true) return true;
    return symbol !== undefined && declarationsOf(symbol)[0] === declaration && spell(declaration) !== local;
  };

  const refer = (range: readonly number[], node: Node, meanings: readonly Node[]): void => {
    for (const found of meanings) {
      const spelled = symbolFor(found);
      const isMade = isConstructed(node) && found.kind === SyntaxKind.ClassDeclaration && hasConstructor(found);
      push(range, isMade && !spelled.startsWith('local ') ? `${spelled}\`<constructor>\`().` : spelled);
    }
  };

  // What a place alone does not decide is asked for all names at once.
  const inScript = isScript(file.fileName);
  const references = names.filter(({ declares, holder }) =>
    declares === undefined
      ? holder === undefined
      : (inScript && readRequired(declares) !== undefined) || mayMergeElsewhere(declares, file),
  );
  const answers = questions.symbolsAt(references.map(({ node }) => node));
  const answerOf = new Map(references.map(({ node }, at) => [node, answers[at]]));
  const holderTypes = askHolderTypes(answerOf, world);
  const scripted = inScript ? createScriptMeanings(file, world, answerOf, resolveImport) : undefined;
  world.describer.prepare(names);
  const patterns = createPatterns(names, world);
  const contexts = createContexts(world);

  push([0, 0, 0], spell(file), roleBits.definition, lines.range(file.getStart(), file.end));
  symbols.push(describeModule(file, spell(file)));

  for (const name of names) {
    const { node, declares, assigns, holder } = name;
    first = occurrences.length;
    const failures = questions.failures();
    const range = lines.range(name.start, name.end);
    if (holder !== undefined) {
      const expected = contexts.declarationsFor(holder, node);
      for (const property of expected) {
        // Where nothing else is known, the literal is its own context.
        pushAll(
          range,
          property.filter((declaration) => declaration !== declares),
        );
      }
      // What is taken apart has the property already.
      if (declares !== undefined && (expected.length === 0 || !isAssignmentPattern(holder))) define(range, declares);
      else if (occurrences.length === first && node.parent !== undefined) push(range, symbolFor(node.parent));
      if (node.parent?.kind === SyntaxKind.ShorthandPropertyAssignment) {
        const value = questions.shorthandValue(node.parent);
        if (value !== undefined) pushAll(range, meaningsOf(node, value));
      }
    } else if (declares !== undefined) {
      define(range, declares);
      pushAll(range, patterns.declarationsBehind(node, declares));
      const symbol = answerOf.get(node);
      if (symbol !== undefined && symbol !== failed) refer(range, node, meaningsOf(node, symbol));
    } else {
      const symbol = answerOf.get(node);
      const bracketed = findBracketed(node);
      if (symbol === failed) push(range, gapSymbol);
      else if (bracketed !== undefined) pushAll(range, patterns.declarationsOfKey(node, bracketed));
      else {
        const declared = assigns ?? findNamedClass(node);
        if (declared !== undefined && isDeclaring(declared, symbol)) define(range, declared);
        refer(range, node, symbol === undefined ? findUnbound(node, assigns) : meaningsOf(node, symbol));
      }
    }
    // It may be more than was said of it.
    if (questions.failures() !== failures) push(range, gapSymbol);
  }
  return {
    relativePath,
    language: languageOf(relativePath),
    positionEncoding: 2,
    text: '',
    occurrences,
    symbols,
    hadBadText: false,
  };
}

/** Names of import and export clauses, and everything an import brings, mean what they lead to in the end. */
export function followAlias(
  node: Node,
  symbol: TsSymbol,
  world: Pick<DocumentWorld, 'questions' | 'declarationsOf'>,
  answers?: Answers,
): TsSymbol {
  if ((symbol.flags & SymbolFlags.Alias) === 0 || node.kind !== SyntaxKind.Identifier) return symbol;
  const [first] = world.declarationsOf(symbol);
  if (first === undefined || !(first === node.parent || isTakenName(node) || isFollowedEverywhere(first)))
    return symbol;
  const target = world.questions.aliased(symbol, answers === undefined ? undefined : findImported(first, answers));
  if (target === undefined) return symbol;
  const named = ((first as Shape).propertyName ?? (first as Shape).name)?.getText();
  const own = named === target.name || named === 'default' ? undefined : findOwnName(symbol, world);
  if (own !== undefined) return own;
  // An export that shares its name with a `@typedef` is one symbol with it, and where it leads is still to be asked.
  const isExport = (target.flags & SymbolFlags.Alias) !== 0 && world.declarationsOf(target).some(isExportSpecifier);
  return (isExport ? world.questions.aliased(target) : undefined) ?? target;
}

/** On the way to what an alias stands for, a name of its own: `export import a = N.b`. */
function findOwnName(
  symbol: TsSymbol,
  { questions, declarationsOf }: Pick<DocumentWorld, 'questions' | 'declarationsOf'>,
): TsSymbol | undefined {
  const seen = new Set<number>();
  let next = questions.nextAliased(symbol);
  while (next !== undefined && (next.flags & SymbolFlags.Alias) !== 0 && !seen.has(next.id)) {
    seen.add(next.id);
    const [first] = declarationsOf(next);
    if (first?.kind === SyntaxKind.ImportEqualsDeclaration && !isFollowedEverywhere(first)) return next;
    next = questions.nextAliased(next);
  }
  return undefined;
}

/** A getter and its setter are one property: the first of them stands for both. */
function findFirstAccessor(declaration: Shape): Node {
  if (declaration.kind !== SyntaxKind.GetAccessor && declaration.kind !== SyntaxKind.SetAccessor) return declaration;
  const { members, properties } = (declaration.parent ?? {}) as Shape;
  const name = declaration.name?.getText();
  const first = (members ?? properties ?? []).find(
    (one: Shape) =>
      (one.kind === SyntaxKind.GetAccessor || one.kind === SyntaxKind.SetAccessor) &&
      one.name?.getText() === name &&
      isStatic(one) === isStatic(declaration),
  );
  return first ?? declaration;
}

/**
 * Can another file declare a part of the same thing? What scripts declare is everyone's, and `declare module './a'` and `declare global` add to
 * what others declare. Nothing below a block or in an expression.
 */
function mayMergeElsewhere(declaration: Node, file: SourceFile): boolean {
  let node: Shape = declaration;
  for (let parent = node.parent as Shape | undefined; parent !== undefined; parent = node.parent as Shape | undefined) {
    switch (parent.kind) {
      case SyntaxKind.SourceFile:
        return file.externalModuleIndicator === undefined;
      case SyntaxKind.ModuleDeclaration: {
        const isOpen = parent.name?.kind === SyntaxKind.StringLiteral || parent.name?.getText() === 'global';
        if (isOpen) return true;
        break;
      }
      case SyntaxKind.ModuleBlock:
      case SyntaxKind.InterfaceDeclaration:
      case SyntaxKind.ClassDeclaration:
      case SyntaxKind.EnumDeclaration:
      case SyntaxKind.VariableStatement:
      case SyntaxKind.VariableDeclarationList:
        break;
      default:
        return false;
    }
    node = parent;
  }
  return false;
}

/** `a` of `{ a as b } from`: what the other module calls so may only lead on, as `export default c` does. */
function isTakenName(node: Node): boolean {
  const { kind, propertyName } = (node.parent ?? {}) as Shape;
  return (kind === SyntaxKind.ImportSpecifier || kind === SyntaxKind.ExportSpecifier) && propertyName === node;
}

function isExportSpecifier({ kind }: Node): boolean {
  return kind === SyntaxKind.ExportSpecifier;
}

/** `{ a } from '…'`: the module and the name, which mean the same in every file. What `default` is depends on the importing file. */
function findImported(declaration: Shape, answers: Answers): string | undefined {
  if (declaration.kind !== SyntaxKind.ImportSpecifier && declaration.kind !== SyntaxKind.ExportSpecifier)
    return undefined;
  const clause = declaration.parent?.parent;
  const statement = (clause?.kind === SyntaxKind.ImportClause ? clause.parent : clause) as Shape | undefined;
  const module = statement?.moduleSpecifier === undefined ? undefined : answers.get(statement.moduleSpecifier);
  const name = (declaration.propertyName ?? declaration.name)?.getText();
  if (module === undefined || module === failed || name === undefined || name === 'default') return undefined;
  return `${module.id} ${name}`;
}

function isFollowedEverywhere(declaration: Shape): boolean {
  switch (declaration.kind) {
    case SyntaxKind.ImportClause:
    case SyntaxKind.ImportSpecifier:
      return true;
    case SyntaxKind.ImportEqualsDeclaration:
      return !isOwnAlias(declaration);
    // `const a = require('…')`, the only variables that are aliases.
    case SyntaxKind.BindingElement:
    case SyntaxKind.VariableDeclaration:
      return true;
    default:
      return false;
  }
}

/** `module.exports = a`: what is exported is `a`; anything else that is assigned to it is the file. */
function findAssigned(declaration: Shape, { questions, declarationsOf }: DocumentWorld): Node {
  if (declaration.left?.getText() !== 'module.exports') return declaration;
  const { right } = declaration;
  const symbol = right?.kind === SyntaxKind.Identifier ? questions.symbolsAt([right])[0] : undefined;
  const [assigned] = symbol === undefined || symbol === failed ? [] : declarationsOf(symbol);
  return assigned ?? declaration.getSourceFile();
}

function isConstructed(node: Node): boolean {
  const { parent } = node;
  if (parent?.kind === SyntaxKind.NewExpression) return node.kind === SyntaxKind.Identifier;
  return parent?.kind === SyntaxKind.PropertyAccessExpression && parent.parent?.kind === SyntaxKind.NewExpression;
}

function hasConstructor({ members }: Shape): boolean {
  return members?.some(({ kind }) => kind === SyntaxKind.Constructor) === true;
}

function findEnclosed(declaration: Shape): Node | undefined {
  switch (declaration.kind) {
    case SyntaxKind.VariableDeclaration: {
      const { initializer } = declaration;
      return initializer !== undefined && isFunction(initializer) ? initializer : undefined;
    }
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.EnumDeclaration:
    case SyntaxKind.TypeAliasDeclaration:
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.Constructor:
      return declaration;
    default:
      return undefined;
  }
}

function isFunction({ kind }: Node): boolean {
  return kind === SyntaxKind.ArrowFunction || kind === SyntaxKind.FunctionExpression;
}

function describeModule(file: SourceFile, symbol: Spelling): ScipSymbol {
  const name = file.fileName.slice(file.fileName.lastIndexOf('/') + 1);
  return { ...blankSymbol, symbol, documentation: [fence(`module "${name}"`)] };
}

function fence(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

function languageOf(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  if (extension === 'tsx') return 'TypeScriptReact';
  if (extension === 'jsx') return 'JavaScriptReact';
  return extension.endsWith('ts') ? 'TypeScript' : 'JavaScript';
}

/** Of names that stand for a property which a type may have only by being filled in: the type. */
function askHolderTypes(
  answers: Answers,
  { questions, declarationsOf }: DocumentWorld,
): ReadonlyMap<Node, Type | undefined> {
  const asked: Node[] = [];
  const holders: Node[] = [];
  for (const [node, symbol] of answers) {
    if (symbol === undefined || symbol === failed || !mayBeFilledIn(symbol, declarationsOf)) continue;
    const holder = findHolderOf(node);
    if (holder === undefined) continue;
    asked.push(node);
    holders.push(holder);
  }
  const types = holders.length === 0 ? [] : questions.typesAt(holders);
  return new Map(asked.map((node, at) => [node, types[at]]));
}

function findHolderOf(node: Node): Node | undefined {
  const parent = node.parent as Shape | undefined;
  switch (parent?.kind) {
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression:
      return parent.expression === node ? undefined : parent.expression;
    case SyntaxKind.BindingElement:
      return parent.propertyName === node ? parent.parent : undefined;
    default:
      return undefined;
  }
}

/** Properties that bindings take, by the type of their pattern. */
function createPatterns(names: readonly FileName[], { questions, declarationsOf }: DocumentWorld) {
  const patterns: Node[] = [];
  const seen = new Set<Node>();
  for (const { declares } of names) {
    const pattern = declares === undefined ? undefined : findPattern(declares);
    if (pattern === undefined || seen.has(pattern)) continue;
    seen.add(pattern);
    patterns.push(pattern);
  }
  const types = questions.typesAt(patterns);
  const typeOf = new Map(patterns.map((pattern, at) => [pattern, types[at]]));
  const declarationsIn = (type: Type, name: string): readonly Node[] => {
    const property = questions.propertyOf(type, name);
    return property === undefined ? [] : listOwn(type, property, questions, declarationsOf);
  };
  return {
    declarationsBehind(node: Node, declares: Node): readonly Node[] {
      const pattern = findPattern(declares);
      // What could not be asked with the others is asked again for each name that needs it.
      const type = pattern === undefined ? undefined : (typeOf.get(pattern) ?? questions.typesAt([pattern])[0]);
      if (type === undefined) return [];
      if (((pattern as Shape).elements?.length ?? 0) >= severalNames) questions.expectProperties(type);
      return declarationsIn(type, textOfName(node));
    },
    declarationsOfKey(node: Node, pattern: Node): readonly Node[] {
      const [type] = questions.typesAt([pattern]);
      return type === undefined ? [] : declarationsIn(type, textOfName(node));
    },
  };
}

/** `const A = class B {}` */
function findNamedClass(node: Node): Node | undefined {
  const { parent } = node;
  return parent?.kind === SyntaxKind.ClassExpression && (parent as Shape).name === node ? parent : undefined;
}

/** `const { ['a']: b } = o`: the pattern. The compiler says of the string that it is `b`. */
function findBracketed(node: Node): Node | undefined {
  const element = node.parent?.kind === SyntaxKind.ComputedPropertyName ? node.parent.parent : undefined;
  return node.kind !== SyntaxKind.Identifier && element?.kind === SyntaxKind.BindingElement
    ? element.parent
    : undefined;
}

/** The pattern of a binding that takes a property of its own name. */
function findPattern(declaration: Shape): Node | undefined {
  if (declaration.kind !== SyntaxKind.BindingElement || declaration.propertyName !== undefined) return undefined;
  if (declaration.dotDotDotToken !== undefined || declaration.name?.kind !== SyntaxKind.Identifier) return undefined;
  return declaration.parent?.kind === SyntaxKind.ObjectBindingPattern ? declaration.parent : undefined;
}

/** From how many names on all properties of a type are asked for at once. */
const severalNames = 4;

function askContext(holder: Node, questions: Questions): Type | undefined {
  if (isAssignmentPattern(holder)) return findAssignedType(holder, questions);
  return canHaveContext(holder) ? questions.contextualType(holder) : undefined;
}

function createContexts({ questions, declarationsOf }: DocumentWorld) {
  const types = new Map<Node, Type | undefined>();
  const fitting = new Map<Node, readonly Type[]>();
  /** Of a union, what the literal can be by its own properties: `{ type: 'a', … }` is no `{ type: 'b'; … }`. */
  const partsFor = (type: Type, holder: Node): readonly Type[] => {
    const parts = questions.constituentsOf(type);
    if (parts.length < 2) return parts;
    let found = fitting.get(holder);
    if (found === undefined) {
      const given = listGiven(holder);
      const values = questions.typesAt(given.map(({ value }) => value));
      const isRuledOut = (part: Type) =>
        given.some(({ name }, at) => {
          const property = questions.propertyOf(part, name);
          const expected = property === undefined ? undefined : questions.typeOf(property);
          const value = values[at];
          if (expected === undefined || value === undefined || !isLiteralType(expected, questions)) return false;
          return questions.isAssignable(value, expected) === false;
        });
      const kept = parts.filter((part) => !isRuledOut(part));
      found = kept.length === 0 ? parts : kept;
      fitting.set(holder, found);
    }
    return found;
  };
  return {
    /** Of each property that is expected under the key. */
    declarationsFor(holder: Node, node: Node): readonly (readonly Node[])[] {
      const failures = questions.failures();
      const type = types.has(holder) ? types.get(holder) : askContext(holder, questions);
      // Every key has to know that it could not be asked.
      if (questions.failures() === failures) types.set(holder, type);
      if (type === undefined) return [];
      const name = textOfName(node);
      if (((holder as Shape).properties?.length ?? 0) >= severalNames) questions.expectProperties(type);
      const property = questions.propertyOf(type, name);
      const parts = partsFor(type, holder);
      const isNarrowed = parts.length < questions.constituentsOf(type).length;
      if (property !== undefined && !isNarrowed) {
        if (isFilledIn(property, questions, declarationsOf)) return [];
        return [listOwn(type, property, questions, declarationsOf)];
      }
      const found =
        isNarrowed || parts.length > 1 ? parts.flatMap((part) => questions.propertyOf(part, name) ?? []) : [];
      return found.filter((one) => !isFilledIn(one, questions, declarationsOf)).map(declarationsOf);
    },
  };
}

/** Properties of a literal that have a value of their own. */
function listGiven(holder: Shape): readonly { readonly name: string; readonly value: Node }[] {
  return (holder.properties ?? []).flatMap((property: Shape) => {
    const { initializer } = property;
    const value =
      initializer?.kind === SyntaxKind.JsxExpression ? (initializer as Shape).expression : (initializer ?? undefined);
    const name = textOfName(property.name);
    return value === undefined || name === '' ? [] : [{ name, value }];
  });
}

function isLiteralType(type: Type, questions: Questions): boolean {
  if ((type.flags & TypeFlags.Boolean) !== 0) return true;
  return questions.constituentsOf(type).every(({ flags }) => (flags & TypeFlags.Unit) !== 0);
}

/**
 * Offsets of one text as SCIP ranges: 0-based lines, UTF-16 columns, three numbers where a range stays on its line. Lines end at
 * `\n`, as readers of the index count them; to the compiler a lone `\r`, U+2028 and U+2029 end one too.
 */
type FileLines = {
  range(start: number, end: number): readonly number[];
};

function createLines(text: string): FileLines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  let last = 0;
  /** Names come in order, so the line asked for is nearly always this one or one of the next. */
  const lineOf = (offset: number): number => {
    if (offset < (starts[last] as number)) last = 0;
    let step = 1;
    while (last + step < starts.length && (starts[last + step] as number) <= offset) {
      last += step;
      step *= 2;
    }
    while (last + 1 < starts.length && (starts[last + 1] as number) <= offset) last += 1;
    return last;
  };
  return {
    range(start, end) {
      const line = lineOf(start);
      const from = start - (starts[line] as number);
      const next = starts[line + 1];
      if (next === undefined || end < next) return [line, from, end - (starts[line] as number)];
      const endLine = lineOf(end);
      last = line;
      return [line, from, endLine, end - (starts[endLine] as number)];
    },
  };
}
