/**
 * Where the name of something stands: the one place that says at which offset a declaration or a name token begins, so that a token and
 * the declaration it is the name of have the same offset. Of quoted names it is the offset behind the quote.
 */

import { type Node, SyntaxKind } from '../../kernel/compiler/typescript-api.ts';

/** The node that holds a declaration's name; a bracketed literal counts as its literal. Undefined where there is no name. */
export function findDeclarationName(declaration: Node): Node | undefined {
  const name = findName(declaration);
  if (name?.kind === SyntaxKind.ComputedPropertyName) {
    const { expression } = name as Node & { readonly expression?: Node };
    return expression !== undefined && isStringLike(expression) ? expression : name;
  }
  // `@param options.name`: the tag is about what stands last.
  if (name?.kind === SyntaxKind.QualifiedName) return (name as Node & { readonly right: Node }).right;
  return name;
}

/** Offset of the declaration's name, or of the declaration where it has none. */
export function declarationStart(declaration: Node): number {
  if (declaration.kind === SyntaxKind.SourceFile) return 0;
  return nameStart(findDeclarationName(declaration) ?? declaration);
}

export function nameStart(name: Node): number {
  return isStringLike(name) ? name.getStart() + 1 : name.getStart();
}

export function isStringLike(node: Node): boolean {
  return node.kind === SyntaxKind.StringLiteral || node.kind === SyntaxKind.NoSubstitutionTemplateLiteral;
}

type Named = Node & {
  readonly name?: Node;
  readonly left?: Node;
  readonly argumentExpression?: Node;
  readonly arguments?: readonly Node[];
};

function findName(node: Named): Node | undefined {
  switch (node.kind) {
    // `exports.a = …`, `this.a = …` in JavaScript declare what they assign to.
    case SyntaxKind.BinaryExpression:
      return node.left === undefined ? undefined : findAccessedName(node.left);
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.ElementAccessExpression:
      return findAccessedName(node);
    // `Object.defineProperty(exports, "a", …)`
    case SyntaxKind.CallExpression: {
      const second = node.arguments?.[1];
      return second !== undefined && isStringLike(second) ? second : undefined;
    }
    case SyntaxKind.ExportAssignment:
      return undefined;
    default:
      return node.name;
  }
}

function findAccessedName(node: Named): Node | undefined {
  if (node.kind === SyntaxKind.PropertyAccessExpression) return node.name;
  if (node.kind !== SyntaxKind.ElementAccessExpression) return undefined;
  const { argumentExpression } = node;
  return argumentExpression !== undefined && isStringLike(argumentExpression) ? argumentExpression : undefined;
}
