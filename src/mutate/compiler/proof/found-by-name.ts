/**
 * Which names need not be asked about, because what they mean is found by a name that the edits do not touch (docs/decisions/0018). A
 * declaration means itself, and is merged with others of its name; a reference that stands alone is looked up in scopes, what a specifier
 * imports or exports in the tables of modules: all of them by name, and edits that only change how other names are spelled leave every
 * entry of this name where it is. What is found through the type of something (a property, what a pattern takes, an attribute) is asked
 * about. So is everything where modules are what a value is: in JavaScript and behind `export =`.
 */

import { type Node, SyntaxKind } from '../../../kernel/compiler/typescript-api.ts';
import type { NameToken, OpenProgram } from '../in-job.ts';
import { findPatternSource } from '../pattern-source.ts';

type Shape = Node & {
  readonly name?: Named;
  readonly propertyName?: Named;
  readonly dotDotDotToken?: Node;
  readonly left?: Node;
  readonly expression?: Node;
};
type Named = Node & { readonly text?: string };

/** `names`: those that the edits change, as they were and as they will be. */
export function createByName(
  program: OpenProgram,
  paths: readonly string[],
  names: ReadonlySet<string>,
): (token: NameToken) => boolean {
  if (paths.some((path) => isValueModule(program, path))) return () => false;
  const isOther = (name: Named | undefined) => name === undefined || !names.has(name.text ?? '');
  return ({ node, kind, text }) => {
    if (kind !== 'identifier' || names.has(text)) return false;
    const parent = node.parent as Shape | undefined;
    if (parent === undefined) return false;
    switch (parent.kind) {
      case SyntaxKind.ImportSpecifier:
      case SyntaxKind.ExportSpecifier:
        return isOther(parent.name) && isOther(parent.propertyName);
      case SyntaxKind.BindingElement:
        return parent.name === node && !takesProperty(parent);
      case SyntaxKind.PropertyAssignment:
        return parent.name !== node || !isTakenApart(parent);
      case SyntaxKind.ShorthandPropertyAssignment:
        return !isTakenApart(parent);
      case SyntaxKind.PropertyAccessExpression:
        return parent.expression === node;
      case SyntaxKind.QualifiedName:
        return parent.left === node;
      default:
        return meansByName.has(parent.kind);
    }
  };
}

/** On the left of an assignment, a literal says which properties are read. */
function isTakenApart({ parent }: Shape): boolean {
  return parent === undefined || findPatternSource(parent) !== undefined;
}

/** `{ a }` in a pattern, of which `a` is a property of something; an element of an array has no name to be taken by. */
function takesProperty({ parent, propertyName, dotDotDotToken }: Shape): boolean {
  const isObject = parent?.kind === SyntaxKind.ObjectBindingPattern;
  return isObject && propertyName === undefined && dotDotDotToken === undefined;
}

/** Whose identifiers, wherever in it they stand, are values that are looked up in scopes. */
export const valueLookups: readonly SyntaxKind[] = [
  SyntaxKind.CallExpression,
  SyntaxKind.NewExpression,
  SyntaxKind.ElementAccessExpression,
  SyntaxKind.BinaryExpression,
  SyntaxKind.PrefixUnaryExpression,
  SyntaxKind.PostfixUnaryExpression,
  SyntaxKind.ConditionalExpression,
  SyntaxKind.ParenthesizedExpression,
  SyntaxKind.AsExpression,
  SyntaxKind.SatisfiesExpression,
  SyntaxKind.NonNullExpression,
  SyntaxKind.AwaitExpression,
  SyntaxKind.TypeOfExpression,
  SyntaxKind.VoidExpression,
  SyntaxKind.TemplateSpan,
  SyntaxKind.TaggedTemplateExpression,
  SyntaxKind.SpreadElement,
  SyntaxKind.SpreadAssignment,
  SyntaxKind.ArrayLiteralExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.ReturnStatement,
  SyntaxKind.ThrowStatement,
  SyntaxKind.ExpressionStatement,
  SyntaxKind.IfStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.SwitchStatement,
  SyntaxKind.CaseClause,
  SyntaxKind.YieldExpression,
  SyntaxKind.DoStatement,
  SyntaxKind.ForStatement,
  SyntaxKind.ComputedPropertyName,
  SyntaxKind.Decorator,
  SyntaxKind.ExportAssignment,
  SyntaxKind.JsxExpression,
];

/**
 * Whose identifiers are declarations of their own or looked up in scopes, wherever in it they stand. Whatever is missing here is asked
 * about: that costs time and nothing else.
 */
const meansByName: ReadonlySet<SyntaxKind> = new Set([
  ...valueLookups,
  SyntaxKind.ImportClause,
  SyntaxKind.NamespaceImport,
  SyntaxKind.VariableDeclaration,
  SyntaxKind.Parameter,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.ClassExpression,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.EnumDeclaration,
  SyntaxKind.EnumMember,
  SyntaxKind.TypeParameter,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.PropertySignature,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.TypeReference,
  SyntaxKind.ExpressionWithTypeArguments,
]);

/** A module that is what a value is: whatever it exports is part of a type. */
export function isValueModule(program: OpenProgram, path: string): boolean {
  if (/\.[cm]?jsx?$/.test(path)) return true;
  const file = program.sourceFile(path);
  if (file === undefined || !/\bexport\s*=/.test(file.text)) return false;
  return file.statements.some(
    (statement) =>
      statement.kind === SyntaxKind.ExportAssignment &&
      (statement as Node & { readonly isExportEquals?: boolean }).isExportEquals !== false,
  );
}
