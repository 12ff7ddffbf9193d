/**
 * Whether the language confines a declaration to its file (mutation.md §2.4): locals, parameters, type parameters, labels, private names,
 * names of imports, and what a module declares and does not export. In doubt it does not.
 */

import * as ts from '../../../kernel/compiler/typescript-api.ts';
import { declarationOf } from './describe-symbol.ts';

export function isConfined(name: ts.Node): boolean {
  if (ts.isPrivateIdentifier(name)) return true;
  const declaration = rootDeclaration(declarationOf(name));
  if (ts.isLabeledStatement(declaration) || ts.isTypeParameterDeclaration(declaration)) return true;
  if (ts.isImportSpecifier(declaration) || ts.isImportClause(declaration) || ts.isNamespaceImport(declaration))
    return true;
  if (ts.isParameterDeclaration(declaration)) return (declaration.modifiers?.length ?? 0) === 0;
  if (ts.isFunctionExpression(declaration) || ts.isClassExpression(declaration)) return true;
  const isLocalKind =
    ts.isVariableDeclaration(declaration) ||
    ts.isFunctionDeclaration(declaration) ||
    ts.isClassDeclaration(declaration) ||
    ts.isInterfaceDeclaration(declaration) ||
    ts.isTypeAliasDeclaration(declaration) ||
    ts.isEnumDeclaration(declaration) ||
    ts.isModuleDeclaration(declaration) ||
    ts.isImportEqualsDeclaration(declaration);
  return isLocalKind && !isExported(declaration) && isScopeConfined(declaration);
}

/** Of a destructured name, the variable or parameter it is part of. */
function rootDeclaration(declaration: ts.Node): ts.Node {
  let at = declaration;
  while (ts.isBindingElement(at)) at = at.parent.parent;
  return at;
}

function isExported(declaration: ts.Node): boolean {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const { modifiers } = statement as { readonly modifiers?: readonly ts.Node[] };
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function isScopeConfined(declaration: ts.Node): boolean {
  const hoists = ts.isVariableDeclaration(declaration) && (declaration.parent.flags & ts.NodeFlags.BlockScoped) === 0;
  for (let at = declaration.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionLikeDeclaration(at) || ts.isClassStaticBlockDeclaration(at)) return true;
    if ((ts.isBlock(at) || ts.isCaseBlock(at)) && !hoists) return true;
    if (ts.isModuleBlock(at)) return !isAmbient(at);
    if (ts.isSourceFile(at)) return isModule(at) && !at.isDeclarationFile;
  }
  return false;
}

/** In an ambient module everything is exported, said or not. */
function isAmbient(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (ts.isSourceFile(at)) return at.isDeclarationFile;
    const { modifiers } = at as { readonly modifiers?: readonly ts.Node[] };
    if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) ?? false) return true;
  }
  return false;
}

function isModule(source: ts.SourceFile): boolean {
  return source.statements.some((statement) => {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) || ts.isExportAssignment(statement))
      return true;
    return isExported(statement);
  });
}
