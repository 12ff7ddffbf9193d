/**
 * What the documentation comment before a declaration says, without its tags: for readers of an index, who have no other way to it. Read
 * off the text, because asking the compiler would cost a request for each declaration.
 */

import { type Node, SyntaxKind } from '../../../languages/typescript/compiler/typescript-api.ts';

/** Empty where there is none. */
export function readDocumentation(declaration: Node): string {
  const documented = findDocumented(declaration);
  if (documented === undefined) return '';
  const before = documented.getSourceFile().text.slice(documented.pos, documented.getStart());
  const begin = before.lastIndexOf('/**');
  const end = before.indexOf('*/', begin + 3);
  if (begin === -1 || end === -1) return '';
  const lines: string[] = [];
  for (const line of before.slice(begin + 3, end).split(/\r\n|\n|\r/)) {
    const said = line.replace(/^\s*\*? ?/, '').trimEnd();
    if (/^\s*@[a-z]/i.test(said)) break;
    lines.push(said);
  }
  return lines.join('\n').trim();
}

/** The comment of a variable stands before its statement, and is that of the first. */
function findDocumented(declaration: Node): Node | undefined {
  switch (declaration.kind) {
    case SyntaxKind.VariableDeclaration: {
      const list = declaration.parent;
      const statement = list?.parent;
      if (statement?.kind !== SyntaxKind.VariableStatement) return undefined;
      return (list as Node & { readonly declarations?: readonly Node[] }).declarations?.[0] === declaration
        ? statement
        : undefined;
    }
    case SyntaxKind.BinaryExpression:
      return declaration.parent?.kind === SyntaxKind.ExpressionStatement ? declaration.parent : undefined;
    case SyntaxKind.Parameter:
    case SyntaxKind.TypeParameter:
    case SyntaxKind.BindingElement:
      return undefined;
    default:
      return declaration;
  }
}
