/**
 * What an object literal on the left of an assignment takes apart: `({ a } = o)`, `[{ a }] = all`, `for ({ a } of all)`. The checker
 * gives such a literal the type of what it writes; where its names come from is found by following the pattern from its source.
 */

import { type Node, SyntaxKind } from '../../kernel/compiler/typescript-api.ts';
import { isStringLike } from './declaration-name.ts';

export type PatternSource = {
  readonly expression: Node;
  /** Of a `for … of`: its elements are taken apart, not itself. */
  readonly elements: boolean;
  /** From the source to the literal: a property or a position; null where it cannot be told. */
  readonly steps: readonly (string | number | null)[];
};

type Shape = Node & {
  readonly name?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly expression?: Node;
  readonly initializer?: Node;
  readonly operatorToken?: Node;
  readonly elements?: readonly Node[];
};

/** Undefined for a literal that is a value. */
export function findPatternSource(literal: Node): PatternSource | undefined {
  let found: PatternSource | undefined;
  const steps: (string | number | null)[] = [];
  let node: Node = literal;
  for (let parent = node.parent as Shape | undefined; parent !== undefined; parent = node.parent as Shape | undefined) {
    switch (parent.kind) {
      case SyntaxKind.BinaryExpression:
        if (parent.left !== node || parent.operatorToken?.kind !== SyntaxKind.EqualsToken || parent.right === undefined)
          return found;
        // The assignment itself, unless this turns out to be a default inside a larger pattern.
        found = { expression: parent.right, elements: false, steps: [...steps].reverse() };
        break;
      case SyntaxKind.ForOfStatement:
        if (parent.initializer !== node || parent.expression === undefined) return found;
        return { expression: parent.expression, elements: true, steps: [...steps].reverse() };
      case SyntaxKind.PropertyAssignment:
        if (parent.initializer !== node) return found;
        steps.push(readKey(parent.name));
        break;
      case SyntaxKind.ArrayLiteralExpression:
        steps.push(indexOf(parent.elements ?? [], node));
        break;
      case SyntaxKind.ObjectLiteralExpression:
        break;
      case SyntaxKind.SpreadElement:
      case SyntaxKind.SpreadAssignment:
        steps.push(null);
        break;
      default:
        return found;
    }
    node = parent;
  }
  return found;
}

/** Behind a spread, positions are anybody's guess. */
function indexOf(elements: readonly Node[], node: Node): number | null {
  let at = 0;
  for (const element of elements) {
    if (element === node) return at;
    if (element.kind === SyntaxKind.SpreadElement) return null;
    at += 1;
  }
  return null;
}

function readKey(name: Node | undefined): string | null {
  const { expression } = (name ?? {}) as Shape;
  const key = name?.kind === SyntaxKind.ComputedPropertyName ? expression : name;
  if (key === undefined) return null;
  const isName = key.kind === SyntaxKind.Identifier && key === name;
  return isName || isStringLike(key) || key.kind === SyntaxKind.NumericLiteral
    ? ((key as { text?: string }).text ?? null)
    : null;
}
