/**
 * What a name is where it stands, from syntax alone: does it declare, does it refer to something in scope (and as what: value, type or
 * namespace), or is it looked up in something else, as members and specifiers are? Lexical rules apply to the first two only.
 */

import { memberKinds } from '../../../languages/typescript/compiler/node-shape.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';

/** Bits: one name can mean a value, a type and a namespace at once. */
export const meanings = { value: 1, type: 2, namespace: 4, all: 7 } as const;
export type Meaning = number;

type NamePosition =
  | { readonly kind: 'declares'; readonly declaration: ts.Node }
  | { readonly kind: 'refers'; readonly meaning: Meaning }
  | { readonly kind: 'member' | 'private' | 'label' | 'other' };

const K = ts.SyntaxKind;

export function flagsOf(meaning: Meaning): ts.SymbolFlags {
  let flags = 0;
  if (meaning & meanings.value) flags |= ts.SymbolFlags.Value;
  if (meaning & meanings.type) flags |= ts.SymbolFlags.Type;
  if (meaning & meanings.namespace) flags |= ts.SymbolFlags.Namespace;
  return flags;
}

/** What a declaration makes its name mean; `all` where only the compiler could tell. */
export function meaningOfDeclaration(declaration: ts.Node): Meaning {
  switch (declaration.kind) {
    case K.InterfaceDeclaration:
    case K.TypeAliasDeclaration:
    case K.TypeParameter:
    case K.JSDocTypedefTag:
    case K.JSTypeAliasDeclaration:
    case K.JSDocCallbackTag:
      return meanings.type;
    case K.ClassDeclaration:
    case K.ClassExpression:
      return meanings.value | meanings.type;
    case K.VariableDeclaration:
    case K.Parameter:
    case K.BindingElement:
    case K.FunctionDeclaration:
    case K.FunctionExpression:
    case K.EnumMember:
      return meanings.value;
    case K.ModuleDeclaration:
      return meanings.value | meanings.namespace;
    default:
      return meanings.all;
  }
}

export function positionOf(node: ts.Node): NamePosition {
  if (ts.isPrivateIdentifier(node)) return { kind: 'private' };
  const parent = node.parent;
  if (!ts.isIdentifier(node)) return { kind: isKey(node, parent) ? 'member' : 'other' };
  switch (parent.kind) {
    case K.VariableDeclaration:
    case K.Parameter:
    case K.FunctionDeclaration:
    case K.FunctionExpression:
    case K.ClassDeclaration:
    case K.ClassExpression:
    case K.InterfaceDeclaration:
    case K.TypeAliasDeclaration:
    case K.EnumDeclaration:
    case K.ModuleDeclaration:
    case K.TypeParameter:
    case K.ImportClause:
    case K.NamespaceImport:
    case K.JSDocTypedefTag:
    case K.JSTypeAliasDeclaration:
    case K.JSDocCallbackTag:
      return nameOf(parent) === node ? { kind: 'declares', declaration: parent } : refers(meanings.value);
    case K.ImportEqualsDeclaration:
      return nameOf(parent) === node ? { kind: 'declares', declaration: parent } : refers(meanings.all);
    case K.BindingElement:
      if (ts.isBindingElement(parent) && parent.propertyName === node) return { kind: 'member' };
      return nameOf(parent) === node ? { kind: 'declares', declaration: parent } : refers(meanings.value);
    case K.ImportSpecifier:
      return nameOf(parent) === node ? { kind: 'declares', declaration: parent } : { kind: 'other' };
    case K.ExportSpecifier:
      return isLocalSide(node, parent) ? refers(meanings.all) : { kind: 'other' };
    case K.ShorthandPropertyAssignment:
      return refers(meanings.value);
    case K.JsxOpeningElement:
    case K.JsxSelfClosingElement:
    case K.JsxClosingElement:
      return /^[a-z]/.test(node.text) ? { kind: 'other' } : refers(meanings.value);
    case K.LabeledStatement:
    case K.BreakStatement:
    case K.ContinueStatement:
      // The statement of a label may be the identifier itself, but only inside an expression statement.
      return { kind: 'label' };
    case K.NamespaceExport:
    case K.NamespaceExportDeclaration:
    case K.MetaProperty:
    case K.NamedTupleMember:
    case K.ImportAttribute:
    case K.ImportType:
    case K.JsxNamespacedName:
    case K.JSDocParameterTag:
    case K.JSDocPropertyTag:
      return { kind: 'other' };
    case K.QualifiedName:
      return ts.isQualifiedName(parent) && parent.left === node ? refers(meaningOfRoot(parent)) : { kind: 'other' };
    case K.TypeReference:
      return node.text === 'const' && parent.parent.kind === K.AsExpression ? { kind: 'other' } : refers(meanings.type);
    case K.ExpressionWithTypeArguments:
      return refers(isTypeHeritage(parent) ? meanings.type : meanings.value);
    case K.ExportAssignment:
      return refers(meanings.all);
    default:
      break;
  }
  if (isKey(node, parent)) return { kind: 'member' };
  if (isJsDoc(node)) return refers(meanings.all);
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node && isTypeHeritage(parent.parent))
    return refers(meanings.namespace);
  return refers(meanings.value);
}

function refers(meaning: Meaning): NamePosition {
  return { kind: 'refers', meaning };
}

export function nameOf(node: ts.Node): ts.Node | undefined {
  return (node as { readonly name?: ts.Node }).name;
}

/** A member's name, declared or looked up. */
function isKey(node: ts.Node, parent: ts.Node): boolean {
  if (memberKinds.has(parent.kind)) return nameOf(parent) === node;
  switch (parent.kind) {
    case K.PropertyAccessExpression:
    case K.PropertyAssignment:
    case K.EnumMember:
    case K.JsxAttribute:
      return nameOf(parent) === node;
    case K.BindingElement:
      return ts.isBindingElement(parent) && parent.propertyName === node;
    case K.ElementAccessExpression:
      return ts.isElementAccessExpression(parent) && parent.argumentExpression === node && !ts.isIdentifier(node);
    case K.ComputedPropertyName:
      return !ts.isIdentifier(node);
    case K.LiteralType:
      return parent.parent.kind === K.IndexedAccessType;
    default:
      return false;
  }
}

/** Of `export { a }` and `export { a as b }`, the `a`; of `export … from`, nothing. */
function isLocalSide(node: ts.Node, specifier: ts.Node): boolean {
  if (!ts.isExportSpecifier(specifier)) return false;
  const list = specifier.parent.parent;
  if (ts.isExportDeclaration(list) && list.moduleSpecifier !== undefined) return false;
  return (specifier.propertyName ?? specifier.name) === node;
}

function isTypeHeritage(node: ts.Node): boolean {
  const clause = ts.isExpressionWithTypeArguments(node) ? node.parent : undefined;
  if (clause === undefined || !ts.isHeritageClause(clause)) return false;
  return clause.token === K.ImplementsKeyword || clause.parent.kind === K.InterfaceDeclaration;
}

function meaningOfRoot(name: ts.Node): Meaning {
  let at = name;
  while (at.parent.kind === K.QualifiedName) at = at.parent;
  if (isJsDoc(name)) return meanings.all;
  return at.parent.kind === K.TypeQuery ? meanings.namespace | meanings.value : meanings.namespace;
}

function isJsDoc(node: ts.Node): boolean {
  return (node.flags & ts.NodeFlags.JSDoc) !== 0;
}
