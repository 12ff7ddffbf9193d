/**
 * Values that are compared, member by member: does a rename change how that ends? Not where each of the two has the new name wherever the
 * other has. What their types say is walked, and where values may have more than that, whether a thing of the name can exist beside the
 * renamed one is asked of the texts of all programs. Names that are put together when the program runs are not seen here.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';
import { askOr, listNameTokens, tokensNamed } from '../job/name-tokens.ts';
import { isOptional } from './doubted-family.ts';
import { hasModifier, memberDeclaration } from './member-types.ts';
import { type Shape, simple } from './type-shapes.ts';

const K = ts.SyntaxKind;

/** What the walk over the border knows of types. */
type Known = {
  shape(type: ts.Type): Shape;
  isOwner(type: ts.Type): boolean;
  /** It has one of the two names and is not renamed. */
  isOther(type: ts.Type): boolean;
  /** It may hold an owner that it does not speak of. */
  isCarrier(type: ts.Type): boolean;
  isSpent(): boolean;
};

type Comparisons = {
  /**
   * Of two values of this type, whatever has the old name in it has the new one afterwards. What a value has beyond its type could be
   * another thing of that name: there must be none, and no class or type that is made from one of these.
   */
  isUniform(type: ts.Type): boolean;
  /**
   * Of two values of these types, one has the renamed private member wherever the other does, or they differ in something else, but for
   * what neither type speaks of.
   */
  areAlike(one: ts.Type, other: ts.Type): boolean;
};

const typesMax = 200;

export function createComparisons(world: RenameWorld, program: OpenProgram, known: Known): Comparisons {
  const { shape, isOwner, isOther, isCarrier, isSpent } = known;
  const { oldName } = world;
  const mayBeDerived = (type: ts.Type) => hasHeirs(program, type.getSymbol()?.name ?? '');

  const isUniform = (root: ts.Type): boolean => {
    if (!isOnlyOfName(world)) return false;
    const seen = new Map([[root.id, root]]);
    for (const type of seen.values()) {
      const own = shape(type);
      if (seen.size > typesMax || isSpent() || isOther(type) || isCarrier(type)) return false;
      if (own.kind === 'open' || own.kind === 'parameter' || own.indexed !== undefined) return false;
      // Functions are the same or not, whatever they take and give.
      if (own.kind === 'plain' || own.calls.length > 0) continue;
      const old = own.property(oldName);
      if (old !== undefined && isOptional(old)) return false;
      const isOwn = own.isNamed && own.origin === 'here';
      if (isOwn && mayBeDerived(type)) return false;
      const inner =
        own.kind === 'union' ? own.parts : [...(isOwn ? [] : own.args), ...own.properties.map((one) => one.type)];
      for (const one of inner) if ((one.flags & simple) === 0) seen.set(one.id, one);
    }
    return true;
  };

  /**
   * What is private makes its class the only one: at a place of this type stands an instance, or something without the member. Not where
   * the place may hold one thing or another, nor what is derived from the class.
   */
  const isSettled = (root: ts.Type): boolean => {
    const seen = new Map([[`${root.id}`, { type: root, isChoice: false }]]);
    for (const { type, isChoice } of seen.values()) {
      const own = shape(type);
      if (seen.size > typesMax || isSpent() || isCarrier(type) || own.kind === 'parameter') return false;
      if (own.kind === 'open' || own.kind === 'plain' || own.calls.length > 0) continue;
      if (isOwner(type) && (isChoice || own.indexed !== undefined || mayBeDerived(type))) return false;
      const parts = own.parts.filter(({ flags }) => (flags & simple) === 0);
      const below = isChoice || parts.length > 1;
      const isOwn = own.isNamed && own.origin === 'here';
      const inner = [...parts, ...(isOwn ? [] : own.args), ...own.properties.map((one) => one.type)];
      if (own.indexed !== undefined) inner.push(own.indexed);
      for (const one of inner)
        if ((one.flags & simple) === 0) seen.set(`${one.id}${below ? ' or' : ''}`, { type: one, isChoice: below });
    }
    return true;
  };

  /** An instance of the one is never equal to one of the other, whatever the renamed member is called. */
  const areApart = (one: Shape, other: Shape): boolean => {
    // What is only declared an instance may be without.
    const has = (of: Shape, name: string) => {
      const declared = askOr(() => of.property(name)?.declarations[0]?.resolve(program.project), undefined);
      const { initializer } = (declared ?? {}) as { readonly initializer?: ts.Node };
      return declared?.kind === K.Parameter || (declared?.kind === K.PropertyDeclaration && initializer !== undefined);
    };
    const lacks = (of: Shape, than: Shape) =>
      than.properties.some(
        ({ name }) =>
          name !== oldName && name !== world.question.newName && has(than, name) && of.property(name) === undefined,
      );
    return lacks(one, other) || lacks(other, one);
  };

  /** Lists and the like are compared one by one. */
  const areAlike = (one: ts.Type, other: ts.Type): boolean => {
    if (one.id === other.id) return isSettled(one);
    const [A, B] = [shape(one), shape(other)];
    const isClass = (type: ts.Type, own: Shape) =>
      type.isClassOrInterface() || (own.generic !== undefined && own.origin === 'here');
    if (isClass(one, A) && isClass(other, B)) return areApart(A, B) && isSettled(one) && isSettled(other);
    const isList = ({ isNamed, origin, args, properties }: Shape) =>
      !(isNamed && origin === 'here') && args.length > 0 && properties.length === 0;
    if (!one.isTypeReference() || !other.isTypeReference() || !isList(A) || !isList(B)) return false;
    return A.args.length === B.args.length && A.args.every((arg, at) => areAlike(arg, B.args[at] ?? arg));
  };

  return { isUniform, areAlike: (one, other) => isOnlyOfName(world) || areAlike(one, other) };
}

/** By its keyword, wherever it is declared: no literal and no other class is taken for one that has it. */
export function isPrivateFamily(world: RenameWorld): boolean {
  const declarations = world.occurrences.flatMap(({ token }) =>
    world.familyKeys.has(placeKey({ ...token, outside: false })) ? [token.node.parent] : [],
  );
  return declarations.length > 0 && declarations.every((one) => hasModifier(one, K.PrivateKeyword));
}

const knownAlone = new WeakMap<RenameWorld, boolean>();

/**
 * No other key, and no string, says one of the two names anywhere in the programs. Variables may have them, and comments.
 */
function isOnlyOfName(world: RenameWorld): boolean {
  const known = knownAlone.get(world) ?? isAlone(world);
  knownAlone.set(world, known);
  return known;
}

function isAlone(world: RenameWorld): boolean {
  const own = new Set(world.occurrences.map(({ token }) => placeKey({ ...token, outside: false })));
  const names = [world.oldName, world.question.newName];
  const tokens = names.flatMap((name) => tokensNamed(world.programs, name));
  const read = new Set<string>();
  for (const { token } of tokens) {
    const key = placeKey({ ...token, outside: false });
    if (!own.has(key) && (token.kind !== 'identifier' || isKey(token.node))) return false;
    read.add(key);
  }
  const escaped = names.map((name) => name.replaceAll('$', '\\$')).join('|');
  const word = new RegExp(String.raw`(?<![\w$])(?:${escaped})(?![\w$])`, 'g');
  const files = new Map(
    world.programs.open.flatMap((program) => program.files.map((path) => [path, program.sourceFile(path)?.text ?? ''])),
  );
  for (const [path, text] of files)
    for (const { index } of text.matchAll(word))
      if (!read.has(placeKey({ path, start: index, outside: false })) && !isInComment(text, index)) return false;
  return true;
}

/** It makes a member, or looks one up. */
function isKey(name: ts.Node): boolean {
  const { parent } = name;
  const { name: said, propertyName } = parent as { readonly name?: ts.Node; readonly propertyName?: ts.Node };
  if (parent.kind === K.PropertyAccessExpression) return said === name;
  if (parent.kind === K.BindingElement)
    return propertyName === name || (propertyName === undefined && parent.parent.kind === K.ObjectBindingPattern);
  return memberDeclaration(name) !== undefined || parent.kind === K.ShorthandPropertyAssignment;
}

/** Of a line that begins as one. */
function isInComment(text: string, at: number): boolean {
  return /^\s*(?:\/\/|\/\*|\*\s)/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
}

const knownHeirs = new WeakMap<OpenProgram, Map<string, boolean>>();

/** Something may be made from it, a class or a type, under whatever name it is known there. */
function hasHeirs(program: OpenProgram, name: string): boolean {
  const known = knownHeirs.get(program) ?? new Map<string, boolean>();
  knownHeirs.set(program, known);
  const found =
    known.get(name) ??
    program.files.some(
      (path) =>
        (program.sourceFile(path)?.text ?? '').includes(name) &&
        listNameTokens(program, path).some(
          ({ text, kind, node }) => text === name && kind !== 'jsdoc' && mayDerive(node),
        ),
    );
  known.set(name, found);
  return found;
}

/** Of a name that may be the one of a class: anything but to declare it, to make one, to ask for one, or to say that something is one. */
function mayDerive(name: ts.Node): boolean {
  const { parent } = name;
  const {
    name: declared,
    expression,
    right,
    propertyName,
  } = parent as {
    readonly name?: ts.Node;
    readonly expression?: ts.Node;
    readonly right?: ts.Node;
    readonly propertyName?: ts.Node;
  };
  switch (parent.kind) {
    case K.ClassDeclaration:
    case K.InterfaceDeclaration:
      return declared !== name || hasModifier(parent, K.DefaultKeyword);
    case K.ImportSpecifier:
    case K.ExportSpecifier:
      return propertyName !== undefined;
    case K.NewExpression:
      return expression !== name;
    case K.BinaryExpression:
      return (
        (parent as unknown as { readonly operatorToken: ts.Node }).operatorToken.kind !== K.InstanceOfKeyword ||
        right !== name
      );
    case K.PropertyAccessExpression:
      if (expression === name) return declared?.getText() === 'prototype';
      return parent.parent.kind !== K.NewExpression || (parent.parent as ts.NewExpression).expression !== parent;
    case K.TypeReference: {
      let whole: ts.Node = parent;
      while (whole.parent.kind === K.UnionType || whole.parent.kind === K.ParenthesizedType) whole = whole.parent;
      return !says.has(whole.parent.kind);
    }
    default:
      return true;
  }
}

/** Where a type stands that something is said to be. */
const says: ReadonlySet<ts.SyntaxKind> = new Set([
  K.Parameter,
  K.VariableDeclaration,
  K.PropertyDeclaration,
  K.PropertySignature,
  K.MethodDeclaration,
  K.MethodSignature,
  K.FunctionDeclaration,
  K.FunctionExpression,
  K.ArrowFunction,
  K.FunctionType,
  K.GetAccessor,
  K.ArrayType,
  K.TupleType,
  K.TypeOperator,
  K.TypeReference,
  K.TypePredicate,
  K.ExpressionWithTypeArguments,
  K.AsExpression,
  K.NewExpression,
  K.CallExpression,
]);
