/**
 * What a rename is about (mutation.md §2.1): the name token of each program at the position, or why there is none; what the declaration is
 * called and is, in the words of the index; and whether the language confines it to its file (§2.4).
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { RefusedReason } from '../../vocabulary.ts';
import type { NameToken, OpenProgram, Programs } from '../job/job-types.ts';
import { listNameTokens } from '../job/name-tokens.ts';
import type { Refusal } from '../session/messages.ts';

export type Target = { readonly program: OpenProgram; readonly token: NameToken };

/** Words that are identifiers to the scanner and yet no names of anything that is declared, unless a member is called so. */
const fixedNames: ReadonlySet<string> = new Set(['this', 'super', 'arguments', 'undefined', 'globalThis']);

export function findTarget(programs: Programs, path: string, offset: number): readonly Target[] | Refusal {
  const targets: Target[] = [];
  let seen: Refusal | undefined;
  for (const program of programs.open) {
    const source = program.sourceFile(path);
    if (source === undefined) continue;
    const at = classOfConstructor(source, offset) ?? offset;
    const token = tokenAt(listNameTokens(program, path), at);
    if (token === undefined) seen ??= explain(source, path, offset);
    else if (isFixed(token)) {
      return refuse(
        'not_renamable',
        `\`${token.text}\` is a word of the language, not a name`,
        path,
        token.start,
        token.end,
      );
    } else if (isNumeric(token.text)) {
      // `o[42]` and `o["42"]` are one property, and a number is written in many ways.
      return refuse('not_renamable', `\`${token.text}\` is a number to the language`, path, token.start, token.end);
    } else targets.push({ program, token });
  }
  if (targets.length > 0) return targets;
  if (seen !== undefined) return seen;
  const { outside } = programs.place(`${programs.root}/${path}`);
  return outside
    ? refuse('external_symbol', 'the file is not part of the repository', path, offset, offset)
    : refuse('no_symbol', 'no program holds the file', path, offset, offset);
}

function isFixed({ text, kind, node }: NameToken): boolean {
  if (isQuoted(kind)) return false;
  const { parent } = node;
  // `declare global`, unless it is `namespace global`.
  if (ts.isModuleDeclaration(parent) && parent.name === node)
    return text === 'global' && !/\b(?:namespace|module)\s*$/.test(node.getSourceFile().text.slice(0, node.getStart()));
  if (text === 'default') return ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
  return fixedNames.has(text) && (!('name' in parent && parent.name === node) || ts.isParameterDeclaration(parent));
}

/** A token that holds the position goes before one that ends there; quotes belong to a string. */
function tokenAt(tokens: readonly NameToken[], offset: number): NameToken | undefined {
  const on = tokens.find(({ start, end }) => start <= offset && offset < end);
  const near = on ?? tokens.find(({ end }) => end === offset);
  return near ?? tokens.find(({ kind, start, end }) => isQuoted(kind) && start - 1 <= offset && offset <= end + 1);
}

function isQuoted(kind: NameToken['kind']): boolean {
  return kind === 'string' || kind === 'template';
}

function isNumeric(name: string): boolean {
  return String(Number(name)) === name && name !== 'NaN' && name !== 'Infinity' && name !== '-Infinity';
}

function classOfConstructor(source: ts.SourceFile, offset: number): number | undefined {
  const word = ts.getTokenAtPosition(source, offset);
  if (word.kind !== ts.SyntaxKind.ConstructorKeyword) return undefined;
  const owner = word.parent?.parent;
  if (owner === undefined || !(ts.isClassDeclaration(owner) || ts.isClassExpression(owner))) return undefined;
  return owner.name?.getStart();
}

function explain(source: ts.SourceFile, path: string, offset: number): Refusal {
  for (const at of offset > 0 ? [offset, offset - 1] : [offset]) {
    const token = ts.getTokenAtPosition(source, at);
    const start = token.getStart();
    if (start > at || at >= token.end) continue;
    if (ts.isKeywordKind(token.kind)) {
      return refuse('not_renamable', `\`${source.text.slice(start, token.end)}\` is a keyword`, path, start, token.end);
    }
    if (ts.isLiteralKind(token.kind) || ts.isTemplateMiddleOrTemplateTail(token)) {
      return refuse('not_renamable', 'a literal is no name', path, start, token.end);
    }
  }
  return refuse('no_symbol', 'no name stands here', path, offset, offset);
}

export function refuse(reason: RefusedReason, detail: string, path: string, start: number, end: number): Refusal {
  return { kind: 'refused', reason, detail, evidence: [{ path, start, end, says: detail }] };
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
  return source.statements.some((statement) => {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) || ts.isExportAssignment(statement))
      return true;
    return isExported(statement);
  });
}
