/**
 * Can what surrounds an object literal say anything about its keys? Asking costs a request for each literal, and most tables of constants
 * stand where nobody expects anything. The answer errs towards yes.
 */

import { type Node, SyntaxKind } from '../../../languages/typescript/compiler/typescript-api.ts';
import { isScript } from './commonjs.ts';

type Shape = Node & {
  readonly name?: Node;
  readonly type?: Node;
  readonly initializer?: Node;
  readonly typeName?: Node;
  readonly left?: Node;
  readonly operatorToken?: Node;
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
        return (
          parent.type !== undefined ||
          parent.name?.kind !== SyntaxKind.Identifier ||
          isScript(parent.getSourceFile().fileName)
        );
      default:
        return true;
    }
    node = parent;
  }
  return true;
}

/** Is this a literal that takes apart what is assigned: `({ a } = o)`, `for ({ a } of l)`, `[{ a }] = l`? */
export function isAssignmentPattern(literal: Node): boolean {
  let node: Node = literal;
  for (let parent = node.parent as Shape | undefined; parent !== undefined; parent = node.parent as Shape | undefined) {
    switch (parent.kind) {
      case SyntaxKind.BinaryExpression:
        return parent.operatorToken?.kind === SyntaxKind.EqualsToken && parent.left === node;
      case SyntaxKind.ForOfStatement:
      case SyntaxKind.ForInStatement:
        return parent.initializer === node;
      case SyntaxKind.PropertyAssignment:
        if (parent.initializer !== node) return false;
        break;
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.ArrayLiteralExpression:
      case SyntaxKind.ObjectLiteralExpression:
      case SyntaxKind.SpreadElement:
      case SyntaxKind.SpreadAssignment:
        break;
      default:
        return false;
    }
    node = parent;
  }
  return false;
}

function isConst(type: Shape | undefined): boolean {
  return type?.kind === SyntaxKind.TypeReference && type.typeName?.getText() === 'const';
}
