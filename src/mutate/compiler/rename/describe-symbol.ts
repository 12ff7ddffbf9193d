/** What a declaration is called and is, in the words of the index: `Class/method`, `function`. */

import * as ts from '../../../kernel/compiler/typescript-api.ts';

const kinds: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.ClassDeclaration]: 'class',
  [ts.SyntaxKind.ClassExpression]: 'class',
  [ts.SyntaxKind.InterfaceDeclaration]: 'interface',
  [ts.SyntaxKind.TypeAliasDeclaration]: 'type',
  [ts.SyntaxKind.JSDocTypedefTag]: 'type',
  [ts.SyntaxKind.JSDocCallbackTag]: 'type',
  [ts.SyntaxKind.TypeParameter]: 'type_parameter',
  [ts.SyntaxKind.EnumDeclaration]: 'enum',
  [ts.SyntaxKind.EnumMember]: 'enum_member',
  [ts.SyntaxKind.ModuleDeclaration]: 'namespace',
  [ts.SyntaxKind.FunctionDeclaration]: 'function',
  [ts.SyntaxKind.FunctionExpression]: 'function',
  [ts.SyntaxKind.MethodDeclaration]: 'method',
  [ts.SyntaxKind.MethodSignature]: 'method',
  [ts.SyntaxKind.GetAccessor]: 'getter',
  [ts.SyntaxKind.SetAccessor]: 'setter',
  [ts.SyntaxKind.PropertyDeclaration]: 'field',
  [ts.SyntaxKind.PropertySignature]: 'property',
  [ts.SyntaxKind.PropertyAssignment]: 'property',
  [ts.SyntaxKind.ShorthandPropertyAssignment]: 'property',
  [ts.SyntaxKind.JsxAttribute]: 'property',
  [ts.SyntaxKind.Parameter]: 'parameter',
  [ts.SyntaxKind.LabeledStatement]: 'label',
  [ts.SyntaxKind.ImportSpecifier]: 'import',
  [ts.SyntaxKind.ImportClause]: 'import',
  [ts.SyntaxKind.NamespaceImport]: 'import',
  [ts.SyntaxKind.ImportEqualsDeclaration]: 'import',
  [ts.SyntaxKind.ExportSpecifier]: 'export',
};

export function kindOf(declaration: ts.Node): string {
  if (ts.isVariableDeclaration(declaration) && (declaration.parent.flags & ts.NodeFlags.Const) !== 0) return 'constant';
  return kinds[declaration.kind] ?? 'variable';
}

export function namePathOf(declaration: ts.Node, name: string): string {
  const path = [name];
  for (let at = declaration.parent; at !== undefined; at = at.parent) {
    const owner = ownerName(at);
    if (owner !== undefined) path.unshift(owner);
  }
  return path.join('/');
}

function ownerName(node: ts.Node): string | undefined {
  const named =
    ts.isClassDeclaration(node) ||
    ts.isClassExpression(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isGetAccessorDeclaration(node) ||
    ts.isSetAccessorDeclaration(node);
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) return node.name.text;
  const name = named ? (node.name as ts.Node | undefined) : undefined;
  return name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name))
    ? name.text
    : undefined;
}

/** The declaration a name belongs to. */
export function declarationOf(name: ts.Node): ts.Node {
  return ts.isComputedPropertyName(name.parent) ? name.parent.parent : name.parent;
}
