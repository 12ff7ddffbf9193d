/**
 * Where the name of something stands: the one place that says at which offset a declaration or a name token begins, so that a token and
 * the declaration it is the name of have the same offset. Of quoted names it is the offset behind the quote. And what the declaration is
 * called and is, in the words of the index, and whether the language confines it to its file.
 */

import { lineNumberAt } from '../../../kernel/tree/positions.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { DeclarationPlace } from '../session/messages.ts';
import type { OpenProgram } from './job-types.ts';
import { placeFile } from './programs.ts';

/** The node that holds a declaration's name; a bracketed literal counts as its literal. Undefined where there is no name. */
function findDeclarationName(declaration: ts.Node): ts.Node | undefined {
  const name = findName(declaration);
  if (name?.kind === ts.SyntaxKind.ComputedPropertyName) {
    const { expression } = name as ts.Node & { readonly expression?: ts.Node };
    return expression !== undefined && isStringLike(expression) ? expression : name;
  }
  // `@param options.name`: the tag is about what stands last.
  if (name?.kind === ts.SyntaxKind.QualifiedName) return (name as ts.Node & { readonly right: ts.Node }).right;
  return name;
}

/** Offset of the declaration's name, or of the declaration where it has none. */
export function declarationStart(declaration: ts.Node): number {
  if (declaration.kind === ts.SyntaxKind.SourceFile) return 0;
  return nameStart(findDeclarationName(declaration) ?? declaration);
}

export function nameStart(name: ts.Node): number {
  return isStringLike(name) ? name.getStart() + 1 : name.getStart();
}

export function isStringLike(node: ts.Node): boolean {
  return node.kind === ts.SyntaxKind.StringLiteral || node.kind === ts.SyntaxKind.NoSubstitutionTemplateLiteral;
}

type Named = ts.Node & {
  readonly name?: ts.Node;
  readonly left?: ts.Node;
  readonly argumentExpression?: ts.Node;
  readonly arguments?: readonly ts.Node[];
};

function findName(node: Named): ts.Node | undefined {
  switch (node.kind) {
    // `exports.a = …`, `this.a = …` in JavaScript declare what they assign to.
    case ts.SyntaxKind.BinaryExpression:
      return node.left === undefined ? undefined : findAccessedName(node.left);
    case ts.SyntaxKind.PropertyAccessExpression:
    case ts.SyntaxKind.ElementAccessExpression:
      return findAccessedName(node);
    // `Object.defineProperty(exports, "a", …)`
    case ts.SyntaxKind.CallExpression: {
      const second = node.arguments?.[1];
      return second !== undefined && isStringLike(second) ? second : undefined;
    }
    case ts.SyntaxKind.ExportAssignment:
      return undefined;
    default:
      return node.name;
  }
}

function findAccessedName(node: Named): ts.Node | undefined {
  if (node.kind === ts.SyntaxKind.PropertyAccessExpression) return node.name;
  if (node.kind !== ts.SyntaxKind.ElementAccessExpression) return undefined;
  const { argumentExpression } = node;
  return argumentExpression !== undefined && isStringLike(argumentExpression) ? argumentExpression : undefined;
}

/** `src/a.ts:3`, for people; the path alone where the program does not have the text. */
export function tellLine(program: OpenProgram, { path, start }: Pick<DeclarationPlace, 'path' | 'start'>): string {
  const text = program.sourceFile(path)?.text;
  return text === undefined ? path : `${path}:${lineNumberAt(text, start)}`;
}

// The places where a symbol is declared. Of unions, intersections, mapped types and instantiations the checker makes symbols of its
// own; they carry the declarations of what they come from, and those are listed.

/** Sorted as the symbol has them, each once. Empty for what the compiler brings along without a declaration, such as `undefined`. */
export type FindPlaces = (symbol: ts.Symbol) => readonly DeclarationPlace[];

export function createPlaces(program: OpenProgram): FindPlaces {
  const { root } = program;
  const bySymbol = new WeakMap<ts.Symbol, readonly DeclarationPlace[]>();
  const byHandle = new Map<string, DeclarationPlace>();

  const locate = (handle: ts.NodeHandle): DeclarationPlace => {
    const key = `${handle.index}.${handle.path}`;
    const known = byHandle.get(key);
    if (known !== undefined) return known;
    const node = handle.resolve(program.project) ?? handle.resolve();
    const place =
      node === undefined
        ? // The file is in no program that can be asked; its number still tells declarations apart.
          { path: handle.path, outside: true, start: -1 - handle.index }
        : { ...placeFile(root, node.getSourceFile().fileName), start: declarationStart(node) };
    byHandle.set(key, place);
    return place;
  };

  return (symbol) => {
    const known = bySymbol.get(symbol);
    if (known !== undefined) return known;
    const [only, ...more] = symbol.declarations;
    if (only !== undefined && more.length === 0) {
      const alone = [locate(only)];
      bySymbol.set(symbol, alone);
      return alone;
    }
    const places = [...new Set(symbol.declarations.map(locate))];
    const seen = new Set<string>();
    const distinct = places.filter(({ path, start }) => {
      const key = `${path}\0${start}`;
      return seen.has(key) ? false : seen.add(key);
    });
    bySymbol.set(symbol, distinct);
    return distinct;
  };
}

// What a declaration is called and is, in the words of the index: `Class/method`, `function`.

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

/**
 * Whether the language confines a declaration to its file (mutation.md §2.4): locals, parameters, type parameters, labels, private names,
 * names of imports, and what a module declares and does not export. In doubt it does not.
 */
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
  const hasSyntax = source.statements.some((statement) => {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) || ts.isExportAssignment(statement))
      return true;
    return isExported(statement);
  });
  return hasSyntax || isCommonJs(source);
}

/**
 * A file of JavaScript that loads or exports in a statement of its own: as a script of a page it would end there, so it is a module, and
 * what it declares is its own. Not so where it makes `require`, `module` or `exports` itself.
 */
function isCommonJs({ fileName, statements }: ts.SourceFile): boolean {
  if (!/\.c?jsx?$/.test(fileName)) return false;
  const declared = statements.flatMap((statement): readonly ts.Node[] =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name)
      : ts.isFunctionDeclaration(statement) && statement.name !== undefined
        ? [statement.name]
        : [],
  );
  if (declared.some((name) => ts.isIdentifier(name) && moduleWords.has(name.text))) return false;
  return statements.some((statement) => {
    if (ts.isExpressionStatement(statement)) {
      const { expression } = statement;
      return isRequire(expression) || isExportsAssignment(expression);
    }
    if (!ts.isVariableStatement(statement)) return false;
    return statement.declarationList.declarations.some(({ initializer }) => initializer && isRequire(initializer));
  });
}

const moduleWords: ReadonlySet<string> = new Set(['require', 'module', 'exports']);

/** `require('x')`, `require('x').y`, `require('x')(z)`. */
function isRequire(expression: ts.Expression): boolean {
  let at: ts.Node = expression;
  while (ts.isPropertyAccessExpression(at) || ts.isCallExpression(at)) {
    const called: ts.Node = at.expression;
    if (ts.isCallExpression(at) && ts.isIdentifier(called)) return called.text === 'require';
    at = called;
  }
  return false;
}

function isExportsAssignment(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return false;
  let at: ts.Node = node.left;
  while (ts.isPropertyAccessExpression(at)) {
    const { expression, name } = at;
    if (ts.isIdentifier(expression) && expression.text === 'module') return name.text === 'exports';
    at = expression;
  }
  return ts.isIdentifier(at) && at.text === 'exports';
}

/** `exports.a = a`, `module.exports = { a }`: what a CommonJS module exports by the name that it has itself. */
export function isExportedByAssignment(name: ts.Node): boolean {
  let at = name;
  while (passesOn(at.parent, at)) at = at.parent;
  return at !== name && isExportsAssignment(at);
}

/** Is what `child` is, what `parent` is or has? */
function passesOn(parent: ts.Node, child: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return parent.right === child;
  return (
    ts.isShorthandPropertyAssignment(parent) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === child) ||
    ts.isSpreadAssignment(parent) ||
    ts.isObjectLiteralExpression(parent) ||
    ts.isParenthesizedExpression(parent)
  );
}
