/**
 * What an assignment takes apart: the type whose properties the keys of `({ a } = o)`, `for ({ a } of l)` and `[{ a }] = l` are. The
 * compiler itself calls such a key a property of the literal it stands in, and so does scip-typescript.
 */

import { type Node, SyntaxKind, type Type } from '../../../languages/typescript/compiler/typescript-api.ts';
import type { Questions } from './ask-compiler.ts';
import { isAssignmentPattern } from './contextual-place.ts';
import { textOfName } from './text-of-name.ts';

type Shape = Node & {
  readonly name?: Node;
  readonly right?: Node;
  readonly expression?: Node;
  readonly elements?: readonly Node[];
};

/** Deeper patterns are nobody's. */
const deepest = 20;

/** Of a literal that is a pattern (`isAssignmentPattern`). */
export function findAssignedType(literal: Node, questions: Questions): Type | undefined {
  // From the pattern out to what is assigned, then back in along the way.
  const steps: ((type: Type) => Type | undefined)[] = [];
  let node = literal;
  for (let depth = 0; depth < deepest; depth += 1) {
    const parent = node.parent as Shape | undefined;
    switch (parent?.kind) {
      case SyntaxKind.ParenthesizedExpression:
        break;
      case SyntaxKind.ObjectLiteralExpression:
        break;
      case SyntaxKind.PropertyAssignment: {
        const name = textOfName(parent.name);
        steps.push((type) => {
          const property = questions.propertyOf(type, name);
          return property === undefined ? undefined : questions.typeOf(property);
        });
        break;
      }
      case SyntaxKind.ArrayLiteralExpression: {
        const at = parent.elements?.indexOf(node) ?? 0;
        steps.push((type) => questions.elementOf(type, at));
        break;
      }
      case SyntaxKind.BinaryExpression: {
        // `{ a: { b } = fallback } = o`: what counts is `o`.
        if (parent.parent !== undefined && isInPattern(parent)) break;
        return walkIn(questions.typesAt([parent.right as Node])[0], steps);
      }
      case SyntaxKind.ForOfStatement: {
        const [list] = questions.typesAt([parent.expression as Node]);
        return walkIn(list === undefined ? undefined : questions.elementOf(list, 0), steps);
      }
      default:
        return undefined;
    }
    node = parent;
  }
  return undefined;
}

function isInPattern({ parent }: Node): boolean {
  if (parent?.kind === SyntaxKind.ArrayLiteralExpression) return isAssignmentPattern(parent);
  return parent?.kind === SyntaxKind.PropertyAssignment && isAssignmentPattern(parent.parent as Node);
}

function walkIn(from: Type | undefined, steps: ((type: Type) => Type | undefined)[]): Type | undefined {
  let type = from;
  for (let step = steps.pop(); step !== undefined && type !== undefined; step = steps.pop()) type = step(type);
  return type;
}
