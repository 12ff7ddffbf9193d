/** Which types a member's name is declared in or looked up in, and whether what is found there is one of the family. */

import { memberKinds } from '../../../languages/typescript/compiler/node-shape.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { declarationStart } from '../job/declarations.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';

const K = ts.SyntaxKind;

/** The type a member declaration belongs to; undefined where the name is only looked up. */
export function ownerType({ project: { checker } }: OpenProgram, name: ts.Node): ts.Type | undefined {
  const declaration = memberDeclaration(name);
  const owner = declaration?.parent;
  if (declaration === undefined || owner === undefined) return undefined;
  switch (owner.kind) {
    case K.ObjectLiteralExpression:
      return checker.getTypeAtLocation(owner);
    case K.TypeLiteral:
      return checker.getTypeFromTypeNode(owner as ts.TypeNode);
    case K.ClassDeclaration:
    case K.ClassExpression:
    case K.InterfaceDeclaration:
    case K.EnumDeclaration: {
      const symbol = checker.getSymbolAtLocation(name)?.getParent();
      if (symbol === undefined) return undefined;
      const isStatic = owner.kind === K.EnumDeclaration || hasModifier(declaration, K.StaticKeyword);
      return isStatic ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
    }
    default:
      return undefined;
  }
}

/** The class whose instance member a parameter property is. */
export function parameterPropertyOwner(
  { project: { checker } }: OpenProgram,
  declaration: ts.Node,
): ts.Type | undefined {
  if (declaration.kind !== K.Parameter || declaration.parent.kind !== K.Constructor) return undefined;
  const isProperty = [K.PublicKeyword, K.PrivateKeyword, K.ProtectedKeyword, K.ReadonlyKeyword, K.OverrideKeyword].some(
    (kind) => hasModifier(declaration, kind),
  );
  return isProperty ? checker.getTypeAtLocation(declaration.parent.parent) : undefined;
}

/** The declaration this is the name of, if that declares a member. */
export function memberDeclaration(name: ts.Node): ts.Node | undefined {
  const holder = name.parent.kind === K.ComputedPropertyName ? name.parent : name;
  const { parent } = holder;
  const declares = memberKinds.has(parent.kind) || literalMembers.has(parent.kind);
  return declares && (parent as { readonly name?: ts.Node }).name === holder ? parent : undefined;
}

const literalMembers = new Set([K.PropertyAssignment, K.ShorthandPropertyAssignment, K.EnumMember]);

/** The types a name is looked up in, each constituent of a union apart. Of a literal's key, those the literal is meant to be. */
export function lookedUpIn(program: OpenProgram, name: ts.Node): readonly ts.Type[] {
  const { checker } = program.project;
  const type = lookupType(checker, name);
  if (type === undefined) return [];
  return constituents(checker, type);
}

function constituents(checker: ts.Checker, type: ts.Type): readonly ts.Type[] {
  const bare = checker.getNonNullableType(type) ?? type;
  const apparent = checker.getApparentType(bare) ?? bare;
  if (!apparent.isUnionType()) return [apparent];
  return (apparent.getTypes() ?? []).map((each) => checker.getApparentType(each) ?? each);
}

function lookupType(checker: ts.Checker, name: ts.Node): ts.Type | undefined {
  const holder = name.parent.kind === K.ComputedPropertyName ? name.parent : name;
  const { parent } = holder;
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent))
    return checker.getTypeAtLocation(parent.expression);
  if (ts.isBindingElement(parent)) return checker.getTypeAtLocation(parent.parent);
  if (ts.isJsxAttribute(parent)) return checker.getContextualType(parent.parent as unknown as ts.Expression);
  if (parent.parent !== undefined && ts.isObjectLiteralExpression(parent.parent))
    return literalTarget(checker, parent.parent);
  if (parent.parent !== undefined && ts.isIndexedAccessTypeNode(parent.parent))
    return checker.getTypeFromTypeNode(parent.parent.objectType);
  return undefined;
}

/** What a literal is assigned to: its contextual type, or what a destructuring assignment takes apart. */
function literalTarget(checker: ts.Checker, literal: ts.ObjectLiteralExpression): ts.Type | undefined {
  const { parent } = literal;
  if (ts.isBinaryExpression(parent) && parent.left === literal) return checker.getTypeAtLocation(parent.right);
  return checker.getContextualType(literal);
}

/** Types a class says it implements; what they declare optional it need not have, and would if the name were right. */
export function implementedTypes({ project: { checker } }: OpenProgram, owner: ts.Node): readonly ts.Type[] {
  const clauses = (owner as { readonly heritageClauses?: readonly ts.HeritageClause[] }).heritageClauses ?? [];
  return clauses
    .filter(({ token }) => token === K.ImplementsKeyword)
    .flatMap(({ types }) => [...types])
    .flatMap((type) => checker.getTypeAtLocation(type) ?? []);
}

export function isFamilySymbol(world: RenameWorld, { project }: OpenProgram, symbol: ts.Symbol): boolean {
  return symbol.declarations.some((handle) => {
    const place = world.programs.place(handle.path);
    if (place.outside) return false;
    const node = handle.resolve(project);
    return node !== undefined && world.familyKeys.has(placeKey({ ...place, start: declarationStart(node) }));
  });
}

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  const modifiers = (node as { readonly modifiers?: readonly ts.Node[] }).modifiers;
  return modifiers?.some((modifier) => modifier.kind === kind) ?? false;
}
