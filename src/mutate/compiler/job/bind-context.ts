/**
 * Ties by type: a key of an object literal or a JSX attribute to the property its contextual type expects, a binding without a property
 * name to the property it takes. Of a union each constituent counts apart, without those that another key of the literal rules out
 * (`{ kind: 'a', … }`), as the compiler's own rename has it.
 */

import { askInBatches } from '../../../languages/typescript/compiler/compiler-process.ts';
import {
  type Expression,
  type Node,
  SyntaxKind,
  type Symbol as TsSymbol,
  type Type,
  TypeFlags,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import { type FindPlaces, isStringLike } from './declarations.ts';
import type { Link, OpenProgram } from './job-types.ts';

type Contexts = {
  /** The types that say what the keys of this literal, JSX attributes or pattern are; no unions among them. */
  typesOf(holder: Node): readonly Type[];
  propertyOf(type: Type, name: string): TsSymbol | undefined;
  /** Asks for the types of many patterns at once. */
  prepare(patterns: readonly Node[]): void;
};

const known = new WeakMap<OpenProgram, Contexts>();

export function createContexts(program: OpenProgram): Contexts {
  const contexts = known.get(program) ?? makeContexts(program.project.checker);
  known.set(program, contexts);
  return contexts;
}

export function bindContext(
  node: Node,
  name: string,
  links: readonly Link[],
  contexts: Contexts,
  findPlaces: FindPlaces,
): readonly Link[] {
  const holder = findHolder(node);
  if (holder === undefined) return [];
  // `const { a } = require('…')`: the alias has said it already.
  if (links.some(({ role }) => role === 'alias')) return [];
  const found = new Set<TsSymbol>();
  for (const type of contexts.typesOf(holder)) {
    const property = contexts.propertyOf(type, name);
    if (property !== undefined) found.add(property);
  }
  return [...found].map((symbol) => ({ role: 'contextual', symbol, places: findPlaces(symbol) }));
}

type Shape = Node & {
  readonly name?: Node;
  readonly propertyName?: Node;
  readonly dotDotDotToken?: Node;
  readonly properties?: readonly Node[];
};

/** What has the type that says what this name is: an object literal, the attributes of a JSX element, an object pattern. */
function findHolder(node: Node): Node | undefined {
  const isBracketed = isStringLike(node) && node.parent?.kind === SyntaxKind.ComputedPropertyName;
  const name = isBracketed ? node.parent : node;
  const member = name?.parent as Shape | undefined;
  if (member === undefined) return undefined;
  switch (member.kind) {
    case SyntaxKind.BindingElement: {
      if (member.parent?.kind !== SyntaxKind.ObjectBindingPattern || member.dotDotDotToken !== undefined)
        return undefined;
      // Of `{ a: b }` the checker knows `a`; of `{ 'a': b }` and `{ ['a']: b }` it does not.
      const isProperty = isStringLike(node)
        ? member.propertyName === name
        : member.propertyName === undefined && member.name === name;
      return isProperty ? member.parent : undefined;
    }
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.ShorthandPropertyAssignment:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
      return member.name === name && member.parent?.kind === SyntaxKind.ObjectLiteralExpression
        ? member.parent
        : undefined;
    case SyntaxKind.JsxAttribute:
      return member.name === name ? member.parent : undefined;
    default:
      return undefined;
  }
}

function countNames(pattern: Node): number {
  return (pattern as Node & { readonly elements?: readonly Node[] }).elements?.length ?? 0;
}

/** The pattern of a name that takes a property of its own name out of it. */
export function findPatternHolder(node: Node): Node | undefined {
  const holder = findHolder(node);
  return holder?.kind === SyntaxKind.ObjectBindingPattern ? holder : undefined;
}

function makeContexts(checker: OpenProgram['project']['checker']): Contexts {
  const types = new Map<Node, readonly Type[]>();
  const properties = new Map<number, Map<string, TsSymbol | undefined>>();
  const listed = new Set<number>();

  const propertyOf = (type: Type, name: string): TsSymbol | undefined => {
    const ofType = properties.get(type.id) ?? new Map<string, TsSymbol | undefined>();
    properties.set(type.id, ofType);
    if (!ofType.has(name)) ofType.set(name, checker.getPropertyOfType(type, name));
    return ofType.get(name);
  };

  /** One request for all of them; what is not among them, such as what every object has, is asked for by its name. */
  const listProperties = (type: Type): void => {
    if (listed.has(type.id)) return;
    listed.add(type.id);
    const ofType = properties.get(type.id) ?? new Map<string, TsSymbol | undefined>();
    properties.set(type.id, ofType);
    for (const symbol of checker.getPropertiesOfType(type)) ofType.set(symbol.name, symbol);
  };

  /** A key whose literal value a constituent's property cannot take. */
  const isRuledOut = (type: Type, members: readonly Shape[]): boolean =>
    members.some((member) => {
      const name = readKey(member);
      const property = name === undefined ? undefined : propertyOf(type, name);
      const expected = property === undefined ? undefined : checker.getTypeOfSymbol(property);
      if (expected === undefined || !isLiteral(expected)) return false;
      const given = checker.getTypeAtLocation(member);
      return given !== undefined && !checker.isTypeAssignableTo(given, expected);
    });

  const stepInto = (types: readonly Type[], step: string | number): readonly Type[] =>
    types.flatMap((type) => {
      const property = propertyOf(type, String(step));
      const inner = property === undefined ? elementsOf(type, step) : checker.getTypeOfSymbol(property);
      return inner === undefined ? [] : flatten(inner);
    });

  const elementsOf = (type: Type, step: string | number): Type | undefined =>
    typeof step === 'number' && checker.isArrayLikeType(type)
      ? checker.getIndexInfosOfType(type).find(({ keyType }) => (keyType.flags & TypeFlags.Number) !== 0)?.valueType
      : undefined;

  const follow = ({ expression, elements, steps }: PatternSource): readonly Type[] => {
    const source = checker.getTypeAtLocation(expression);
    let types = source === undefined ? [] : flatten(source);
    for (const step of elements ? [0, ...steps] : steps) types = step === null ? [] : stepInto(types, step);
    return types;
  };

  const listTypes = (holder: Shape): readonly Type[] => {
    if (holder.kind === SyntaxKind.ObjectBindingPattern) {
      const taken = checker.getTypeAtLocation(holder);
      return taken === undefined ? [] : flatten(taken);
    }
    const source = holder.kind === SyntaxKind.ObjectLiteralExpression ? findPatternSource(holder) : undefined;
    if (source !== undefined) return follow(source);
    const expected = checker.getContextualType(holder as Expression);
    if (expected === undefined) return [];
    const constituents = flatten(expected);
    if (constituents.length < 2) return constituents;
    const members = holder.properties ?? [];
    const possible = constituents.filter((constituent) => !isRuledOut(constituent, members));
    return possible.length === 0 ? constituents : possible;
  };

  return {
    typesOf(holder) {
      const listed = types.get(holder) ?? listTypes(holder);
      types.set(holder, listed);
      return listed;
    },
    propertyOf,
    prepare(patterns) {
      const unknown = patterns.filter((pattern) => !types.has(pattern));
      const found = askInBatches(unknown, (batch) => checker.getTypeAtLocation(batch));
      for (const [at, pattern] of unknown.entries()) {
        const answer = found[at];
        // What failed is asked about once more, alone, when it is needed.
        if (answer?.kind === 'answered') types.set(pattern, answer.value === undefined ? [] : flatten(answer.value));
        if (countNames(pattern) > 1) for (const type of types.get(pattern) ?? []) listProperties(type);
      }
    },
  };
}

/** What can have properties of its own: primitives, `any` and `never` say nothing about names in the repository. */
const silent =
  TypeFlags.Any |
  TypeFlags.Unknown |
  TypeFlags.Never |
  TypeFlags.Void |
  TypeFlags.Undefined |
  TypeFlags.Null |
  TypeFlags.StringLike |
  TypeFlags.NumberLike |
  TypeFlags.BigIntLike |
  TypeFlags.BooleanLike |
  TypeFlags.ESSymbolLike;

function flatten(type: Type): readonly Type[] {
  const flat: Type[] = [];
  const pending = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.isUnionType()) pending.push(...next.getTypes());
    else if ((next.flags & silent) === 0) flat.push(next);
  }
  return flat.reverse();
}

function isLiteral(type: Type): boolean {
  const unit = TypeFlags.Literal | TypeFlags.Null | TypeFlags.Undefined | TypeFlags.UniqueESSymbol;
  if ((type.flags & (TypeFlags.Boolean | TypeFlags.EnumLiteral)) !== 0) return true;
  if (type.isUnionType()) return type.getTypes().every(({ flags }) => (flags & unit) !== 0);
  return (type.flags & unit) !== 0;
}

function readKey({ name }: Shape): string | undefined {
  return name === undefined || name.kind === SyntaxKind.ComputedPropertyName
    ? undefined
    : (name as { text?: string }).text;
}

// What an object literal on the left of an assignment takes apart: `({ a } = o)`, `[{ a }] = all`, `for ({ a } of all)`. The checker
// gives such a literal the type of what it writes; where its names come from is found by following the pattern from its source.

type PatternSource = {
  readonly expression: Node;
  /** Of a `for … of`: its elements are taken apart, not itself. */
  readonly elements: boolean;
  /** From the source to the literal: a property or a position; null where it cannot be told. */
  readonly steps: readonly (string | number | null)[];
};

type Assigned = Node & {
  readonly name?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly expression?: Node;
  readonly initializer?: Node;
  readonly operatorToken?: Node;
  readonly elements?: readonly Node[];
};

/** Undefined for a literal that is a value. */
export function findPatternSource(literal: Node): PatternSource | undefined {
  let found: PatternSource | undefined;
  const steps: (string | number | null)[] = [];
  let node: Node = literal;
  for (
    let parent = node.parent as Assigned | undefined;
    parent !== undefined;
    parent = node.parent as Assigned | undefined
  ) {
    switch (parent.kind) {
      case SyntaxKind.BinaryExpression:
        if (parent.left !== node || parent.operatorToken?.kind !== SyntaxKind.EqualsToken || parent.right === undefined)
          return found;
        // The assignment itself, unless this turns out to be a default inside a larger pattern.
        found = { expression: parent.right, elements: false, steps: [...steps].reverse() };
        break;
      case SyntaxKind.ForOfStatement:
        if (parent.initializer !== node || parent.expression === undefined) return found;
        return { expression: parent.expression, elements: true, steps: [...steps].reverse() };
      case SyntaxKind.PropertyAssignment:
        if (parent.initializer !== node) return found;
        steps.push(readStep(parent.name));
        break;
      case SyntaxKind.ArrayLiteralExpression:
        steps.push(indexOf(parent.elements ?? [], node));
        break;
      case SyntaxKind.ObjectLiteralExpression:
        break;
      case SyntaxKind.SpreadElement:
      case SyntaxKind.SpreadAssignment:
        steps.push(null);
        break;
      default:
        return found;
    }
    node = parent;
  }
  return found;
}

/** Behind a spread, positions are not known. */
function indexOf(elements: readonly Node[], node: Node): number | null {
  let at = 0;
  for (const element of elements) {
    if (element === node) return at;
    if (element.kind === SyntaxKind.SpreadElement) return null;
    at += 1;
  }
  return null;
}

function readStep(name: Node | undefined): string | null {
  const { expression } = (name ?? {}) as Assigned;
  const key = name?.kind === SyntaxKind.ComputedPropertyName ? expression : name;
  if (key === undefined) return null;
  const isName = key.kind === SyntaxKind.Identifier && key === name;
  return isName || isStringLike(key) || key.kind === SyntaxKind.NumericLiteral
    ? ((key as { text?: string }).text ?? null)
    : null;
}
