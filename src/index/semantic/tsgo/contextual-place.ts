/**
 * Can what surrounds an object literal say anything about its keys? Asking costs a request for each literal, and most tables of constants
 * stand where nobody expects anything. The answer errs towards yes.
 */

import { type Node, SyntaxKind } from '../../../kernel/compiler/typescript-api.ts';

type Shape = Node & {
  readonly name?: Node;
  readonly type?: Node;
  readonly initializer?: Node;
  readonly typeName?: Node;
};

export function canHaveContext(holder: Node): boolean {
  let node: Node = holder;
  for (let parent = node.parent as Shape | undefined; parent !== undefined; parent = node.parent as Shape | undefined) {
    switch (parent.kind) {
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.ArrayLiteralExpression:
      case SyntaxKind.ObjectLiteralExpression:
        break;
      case SyntaxKind.PropertyAssignment:
        if (parent.initializer !== node) return true;
        break;
      case SyntaxKind.AsExpression:
        if (!isConst(parent.type as Shape | undefined)) return true;
        break;
      case SyntaxKind.VariableDeclaration:
        // In JavaScript the type may stand in a comment.
        return parent.type !== undefined || parent.name?.kind !== SyntaxKind.Identifier || isScript(parent);
      default:
        return true;
    }
    node = parent;
  }
  return true;
}

function isConst(type: Shape | undefined): boolean {
  return type?.kind === SyntaxKind.TypeReference && type.typeName?.getText() === 'const';
}

function isScript(node: Node): boolean {
  return /\.[cm]?jsx?$/.test(node.getSourceFile().fileName);
}
