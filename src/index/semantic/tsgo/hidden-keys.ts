/**
 * Keys of object literals that no other file can see. A literal leaves a function only as what it returns; where that is written, others see
 * what is written. In JavaScript an assignment may declare what it assigns to, so nothing is hidden there.
 */

import { type Node, SyntaxKind } from '../../../languages/typescript/compiler/typescript-api.ts';
import { isScript } from './commonjs.ts';

type Shape = Node & { readonly body?: Node; readonly type?: Node };

export function isHiddenKey(declaration: Node): boolean {
  if (declaration.kind !== SyntaxKind.PropertyAssignment && declaration.kind !== SyntaxKind.ShorthandPropertyAssignment)
    return false;
  let node: Shape = declaration;
  for (let parent = node.parent as Shape | undefined; parent !== undefined; parent = node.parent as Shape | undefined) {
    if (parent.body === node && parent.type !== undefined) return !isScript(node.getSourceFile().fileName);
    node = parent;
  }
  return false;
}
