/**
 * What a name means where the compiler's own answer is not all of it:
 * - in scripts, a name that a `require` brings is a variable of its own *and* what it leads to, a key of `module.exports = { a }`
 *   is also the variable it takes, and what the compiler does not bind is found by its name (`tsgo-scripts.ts`);
 * - a link in a comment may mean a member of instances;
 * - a union of literals has properties that the compiler filled in;
 * - a key of an assignment pattern is a property of what is assigned.
 */

import { type Shape, textOfName } from '../compiler/node-shape.ts';
import {
  type Node,
  type Project,
  type SourceFile,
  SymbolFlags,
  SyntaxKind,
  type Symbol as TsSymbol,
  type Type,
  TypeFlags,
} from '../compiler/typescript-api.ts';
import { failed, type Questions } from './ask-compiler.ts';
import type { Describer } from './describe-declarations.ts';
import type { Ancestry } from './find-relationships.ts';
import { isLink } from './list-names.ts';
import { local, type SpellDeclaration } from './spell-declarations.ts';
import {
  createScripts,
  findInstanceMember,
  isExports,
  isScript,
  isWholeExport,
  readAssigned,
  readRequire,
  readRequired,
} from './tsgo-scripts.ts';

export function createScriptMeanings(
  file: SourceFile,
  world: DocumentWorld,
  answers: Answers,
  resolveImport: (declaration: Node, symbol: TsSymbol) => Node,
) {
  const { questions, declarationsOf } = world;
  const scripts = createScripts(world.project);
  const taken = new Map<Node, readonly Node[]>();
  const values = new Map<Node, readonly Node[]>();

  const findModule = (specifier: Node): SourceFile | undefined => {
    const symbol = specifier.getSourceFile() === file ? answers.get(specifier) : undefined;
    const [found] = symbol === undefined || symbol === failed ? [] : declarationsOf(symbol);
    return found?.kind === SyntaxKind.SourceFile ? (found as SourceFile) : scripts.findModule(specifier);
  };
  const findExport = (module: SourceFile | undefined, name: Node): readonly Node[] => {
    const found = module === undefined ? undefined : scripts.findExport(module, textOfName(name));
    return found === undefined ? [] : [found];
  };
  const findTaken = (specifier: Node, name: Node, declaration: Node): readonly Node[] => {
    const [symbol] = questions.symbolsAt([name]);
    const said = symbol === undefined || symbol === failed ? [] : declarationsOf(symbol);
    const others = said.filter((one) => one !== declaration);
    return others.length > 0 ? others : findExport(findModule(specifier), name);
  };
  /** `const a = require('…').b` is a variable to this compiler, and was an alias before. */
  const takenBy = (declaration: Node): readonly Node[] => {
    let found = taken.get(declaration);
    if (found === undefined) {
      const required = readRequired(declaration);
      found = required?.taken === undefined ? [] : findTaken(required.specifier, required.taken, declaration);
      taken.set(declaration, found);
    }
    return found;
  };
  /** Of a shorthand of `module.exports = { a }`, the variable. */
  const valueBehind = (key: Node): readonly Node[] => {
    let found = values.get(key);
    if (found === undefined) {
      const literal = key.kind === SyntaxKind.ShorthandPropertyAssignment ? key.parent?.parent : undefined;
      const symbol = literal !== undefined && isWholeExport(literal) ? questions.shorthandValue(key) : undefined;
      found = symbol === undefined ? [] : declarationsOf(symbol);
      values.set(key, found);
    }
    return found;
  };

  const isBound = (name: Node): boolean => answers.get(name) !== undefined;

  return {
    /** Is this the assignment that exports the name, or gives instances a member that the compiler does not know? */
    isFirst(assigns: Node): boolean {
      const assigned = readAssigned(assigns);
      if (assigned?.of === 'exports') return scripts.findExport(file, textOfName(assigned.name)) === assigns;
      return assigned !== undefined && !isBound(assigned.name) && findInstanceMember(assigned.name) === assigns;
    },
    /** Besides what a name means by itself. */
    alsoMeant(node: Node, symbol: TsSymbol, meant: TsSymbol, found: readonly Node[]): readonly Node[] {
      const own = declarationsOf(symbol);
      const more = meant === symbol ? [] : [...own];
      for (const declaration of own) {
        if (meant === symbol && readRequired(declaration) !== undefined) more.push(...takenBy(declaration));
        if (declaration.kind !== SyntaxKind.BinaryExpression || (symbol.flags & SymbolFlags.Alias) === 0) continue;
        const target = questions.aliased(symbol);
        const led = target === undefined ? [] : declarationsOf(target).map((one) => resolveImport(one, target));
        // What is exported under another name is that there, and something else to its readers.
        const isThere = readAssigned(declaration)?.name === node || target?.name === symbol.name;
        more.push(...led.filter((one) => isThere || world.spell(one) === local));
      }
      for (const key of found) more.push(...valueBehind(key));
      return more.filter((one) => !isModuleAlias(one));
    },
    /** Names that the compiler does not know. */
    findByName(node: Node): readonly Node[] {
      const parent = node.parent as Shape | undefined;
      if (parent?.kind === SyntaxKind.CallExpression) {
        const module = readRequire(parent) === node ? findModule(node) : undefined;
        return module === undefined ? [] : [module];
      }
      if (parent?.kind === SyntaxKind.BindingElement) {
        const required = readRequired(parent);
        return required === undefined ? [] : findExport(findModule(required.specifier), node);
      }
      if (parent?.kind !== SyntaxKind.PropertyAccessExpression || parent.name !== node) return [];
      const owner = parent.expression as Shape;
      if (isExports(owner)) return findExport(file, node);
      const member = findInstanceMember(node);
      if (member !== undefined) return [member];
      const specifier = readRequire(owner);
      if (specifier !== undefined) return findExport(findModule(specifier), node);
      const symbol = answers.get(owner);
      if (symbol === undefined || symbol === failed) return [];
      const required = declarationsOf(symbol)
        .map(readRequired)
        .find((one) => one !== undefined);
      return required === undefined || required.taken !== undefined
        ? []
        : findExport(findModule(required.specifier), node);
    },
  };
}

/** Import clauses stand for something else and have no symbols. */
function isModuleAlias({ kind }: Node): boolean {
  return (
    kind === SyntaxKind.ImportSpecifier ||
    kind === SyntaxKind.ImportClause ||
    kind === SyntaxKind.NamespaceImport ||
    kind === SyntaxKind.ImportEqualsDeclaration ||
    kind === SyntaxKind.ExportSpecifier
  );
}

export type DocumentWorld = {
  readonly project: Project;
  readonly questions: Questions;
  readonly spell: SpellDeclaration;
  /** Where the declarations of a symbol are, resolved once for all documents. */
  declarationsOf(symbol: TsSymbol): readonly Node[];
  readonly describer: Describer;
  readonly ancestry: Ancestry;
};

export type Answers = ReadonlyMap<Node, TsSymbol | undefined | typeof failed>;

/**
 * `{@link A#length}` of a class means the member of its instances. The compiler looks at the class itself first, which is a
 * function and has what every function has; version 5 looked at the instances. Where they have a member of that name, that is the
 * answer. Undefined: the compiler's answer holds. `meantBy` says what a name stands for in the end.
 */
export function findLinkedMember(
  node: Node,
  symbol: TsSymbol,
  meantBy: (name: Node) => TsSymbol | undefined,
  { questions, declarationsOf }: Pick<DocumentWorld, 'questions' | 'declarationsOf'>,
): TsSymbol | undefined {
  const parent = node.parent as Shape | undefined;
  if (parent?.kind !== SyntaxKind.QualifiedName || parent.right !== node || !isLinked(parent)) return undefined;
  if (!declarationsOf(symbol).some(isOfEveryFunction)) return undefined;
  const left = parent.left as Shape | undefined;
  const name = left?.kind === SyntaxKind.QualifiedName ? left.right : left;
  const owner = name === undefined ? undefined : meantBy(name);
  if (owner === undefined || !declarationsOf(owner).some(isClass)) return undefined;
  const instance = questions.declaredType(owner);
  return instance === undefined ? undefined : questions.propertyOf(instance, textOfName(node));
}

function isLinked(name: Node): boolean {
  let around: Node | undefined = name.parent;
  while (around?.kind === SyntaxKind.QualifiedName) around = around.parent;
  return around !== undefined && isLink(around);
}

function isOfEveryFunction({ parent }: Node): boolean {
  if (parent?.kind !== SyntaxKind.InterfaceDeclaration) return false;
  return /^(?:(?:Callable|Newable)?Function|Object)$/.test(textOfName((parent as Shape).name));
}

function isClass({ kind }: Node): boolean {
  return kind === SyntaxKind.ClassDeclaration || kind === SyntaxKind.ClassExpression;
}

type DeclarationsOf = (symbol: TsSymbol) => readonly Node[];

/** Whether `listOwn` could leave something out: only then is it worth to ask for the type. */
export function mayBeFilledIn(symbol: TsSymbol, declarationsOf: DeclarationsOf): boolean {
  if ((symbol.flags & SymbolFlags.Optional) === 0) return false;
  const declarations = declarationsOf(symbol);
  return declarations.length > 1 && declarations.some(isLiteralKey);
}

/**
 * Of a union of object literals, each literal that lacks a property gets it filled in by the compiler, as `undefined`. The
 * filled-in one is made once for each name, with the declarations of the first literal in the program that happened to have it: a
 * name that has nothing to do with this one, and another one whenever files are checked in another order. Such declarations are
 * left out here.
 */
export function listOwn(
  type: Type | undefined,
  symbol: TsSymbol,
  questions: Questions,
  declarationsOf: DeclarationsOf,
): readonly Node[] {
  const all = declarationsOf(symbol);
  if (type === undefined || !mayBeFilledIn(symbol, declarationsOf)) return all;
  const own = new Set<Node>();
  for (const part of questions.constituentsOf(type)) {
    const property = questions.propertyOf(part, symbol.name);
    if (property === undefined || isFilledIn(property, questions, declarationsOf)) continue;
    for (const declaration of declarationsOf(property)) own.add(declaration);
  }
  const kept = all.filter((declaration) => own.has(declaration));
  return kept.length === 0 ? all : kept;
}

/** See `listOwn`. */
export function isFilledIn(property: TsSymbol, questions: Questions, declarationsOf: DeclarationsOf): boolean {
  if ((property.flags & SymbolFlags.Optional) === 0) return false;
  const declarations = declarationsOf(property);
  if (declarations.length === 0 || !declarations.every(isLiteralKey)) return false;
  return ((questions.typeOf(property)?.flags ?? 0) & TypeFlags.Undefined) !== 0;
}

function isLiteralKey({ kind, parent }: Node): boolean {
  switch (kind) {
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.ShorthandPropertyAssignment:
      return true;
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
      return parent?.kind === SyntaxKind.ObjectLiteralExpression;
    default:
      return false;
  }
}

/** Depth limit: deeper patterns are not followed. */
const deepest = 20;

/**
 * What an assignment takes apart: the type whose properties the keys of `({ a } = o)`, `for ({ a } of l)` and `[{ a }] = l` are.
 * The compiler itself calls such a key a property of the literal it stands in, and so does scip-typescript. `literal` is a pattern
 * (`isAssignmentPattern`).
 */
export function findAssignedType(literal: Node, questions: Questions): Type | undefined {
  // From the pattern out to what is assigned, then back in along the way.
  const steps: ((type: Type) => Type | undefined)[] = [];
  let node = literal;
  for (let depth = 0; depth < deepest; depth += 1) {
    const parent = node.parent as Shape | undefined;
    switch (parent?.kind) {
      case SyntaxKind.ParenthesizedExpression:
        break;
      case SyntaxKind.ObjectLiteralExpression:
        break;
      case SyntaxKind.PropertyAssignment: {
        const name = textOfName(parent.name);
        steps.push((type) => {
          const property = questions.propertyOf(type, name);
          return property === undefined ? undefined : questions.typeOf(property);
        });
        break;
      }
      case SyntaxKind.ArrayLiteralExpression: {
        const at = parent.elements?.indexOf(node) ?? 0;
        steps.push((type) => questions.elementOf(type, at));
        break;
      }
      case SyntaxKind.BinaryExpression: {
        // `{ a: { b } = fallback } = o`: what counts is `o`.
        if (parent.parent !== undefined && isInPattern(parent)) break;
        return walkIn(questions.typesAt([parent.right as Node])[0], steps);
      }
      case SyntaxKind.ForOfStatement: {
        const [list] = questions.typesAt([parent.expression as Node]);
        return walkIn(list === undefined ? undefined : questions.elementOf(list, 0), steps);
      }
      default:
        return undefined;
    }
    node = parent;
  }
  return undefined;
}

function isInPattern({ parent }: Node): boolean {
  if (parent?.kind === SyntaxKind.ArrayLiteralExpression) return isAssignmentPattern(parent);
  return parent?.kind === SyntaxKind.PropertyAssignment && isAssignmentPattern(parent.parent as Node);
}

function walkIn(from: Type | undefined, steps: ((type: Type) => Type | undefined)[]): Type | undefined {
  let type = from;
  for (let step = steps.pop(); step !== undefined && type !== undefined; step = steps.pop()) type = step(type);
  return type;
}

/**
 * Can what surrounds an object literal say anything about its keys? Asking costs a request for each literal, and most tables of
 * constants stand where no type is expected. The answer errs towards yes.
 */
export function canHaveContext(holder: Node): boolean {
  let node: Node = holder;
  for (let parent = node.parent as Shape | undefined; parent !== undefined; parent = node.parent as Shape | undefined) {
    switch (parent.kind) {
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.ArrayLiteralExpression:
      case SyntaxKind.ObjectLiteralExpression:
        break;
      case SyntaxKind.PropertyAssignment:
        if (parent.initializer !== node) return true;
        break;
      case SyntaxKind.AsExpression:
        if (!isConst(parent.type as Shape | undefined)) return true;
        break;
      case SyntaxKind.VariableDeclaration:
        // In JavaScript the type may stand in a comment.
        return (
          parent.type !== undefined ||
          parent.name?.kind !== SyntaxKind.Identifier ||
          isScript(parent.getSourceFile().fileName)
        );
      default:
        return true;
    }
    node = parent;
  }
  return true;
}

/** Is this a literal that takes apart what is assigned: `({ a } = o)`, `for ({ a } of l)`, `[{ a }] = l`? */
export function isAssignmentPattern(literal: Node): boolean {
  let node: Node = literal;
  for (let parent = node.parent as Shape | undefined; parent !== undefined; parent = node.parent as Shape | undefined) {
    switch (parent.kind) {
      case SyntaxKind.BinaryExpression:
        return parent.operatorToken?.kind === SyntaxKind.EqualsToken && parent.left === node;
      case SyntaxKind.ForOfStatement:
      case SyntaxKind.ForInStatement:
        return parent.initializer === node;
      case SyntaxKind.PropertyAssignment:
        if (parent.initializer !== node) return false;
        break;
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.ArrayLiteralExpression:
      case SyntaxKind.ObjectLiteralExpression:
      case SyntaxKind.SpreadElement:
      case SyntaxKind.SpreadAssignment:
        break;
      default:
        return false;
    }
    node = parent;
  }
  return false;
}

function isConst(type: Shape | undefined): boolean {
  return type?.kind === SyntaxKind.TypeReference && type.typeName?.getText() === 'const';
}
