/**
 * Nodes read without asking first which kind they are: the parts that some kind has, each of them optional. Kinds are told apart by
 * `kind` where it matters.
 */

import { type Node, SyntaxKind } from './typescript-api.ts';

export type Shape = Node & {
  readonly argument?: Node;
  readonly argumentExpression?: Node;
  readonly arguments?: readonly Node[];
  readonly body?: Node;
  readonly declarationList?: { readonly declarations: readonly Node[] };
  readonly dotDotDotToken?: Node;
  readonly elements?: readonly Node[];
  readonly expression?: Node;
  readonly heritageClauses?: readonly (Node & {
    readonly types?: readonly (Node & { readonly expression?: Node })[];
  })[];
  readonly indexType?: Node;
  readonly initializer?: Node;
  readonly left?: Node;
  readonly members?: readonly Node[];
  readonly modifiers?: readonly Node[];
  readonly moduleReference?: Node;
  readonly moduleSpecifier?: Node;
  readonly name?: Node;
  readonly operatorToken?: Node;
  readonly parameters?: readonly Node[];
  readonly properties?: readonly Node[];
  readonly propertyName?: Node;
  readonly right?: Node;
  readonly type?: Node;
  readonly typeName?: Node;
};

/** What a name says, escapes resolved: of an identifier or a literal; '' of anything else. */
export function textOfName(node: Node | undefined): string {
  return (node as { readonly text?: string } | undefined)?.text ?? '';
}

/** Declarations in the body of a class or an interface that have a name. */
export const memberKinds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.PropertySignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);
