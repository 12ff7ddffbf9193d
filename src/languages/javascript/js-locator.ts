/**
 * Goes to the leaf at a place of the text, cheaply when places come in order: the way from the root is kept, so only the part of it
 * changes that the next place lies outside of. Siblings are jumped over by the parser's own search, not one by one.
 */

import { countWhile } from '../../kernel/base/count-while.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { code } from './js-reader.ts';

export type Locator = {
  readonly codes: Uint8Array;
  /** The way from the root to where we are, and where each node on it ends (-1: not asked yet). Never empty. */
  readonly nodes: Node[];
  readonly ends: number[];
  /** The leaf last met ends here; what lies before is inside of it (a comment, a string) and needs no look. */
  leafEnd: number;
  readonly hasErrors: boolean;
};

export function createLocator(root: Node, codes: Uint8Array, hasErrors: boolean): Locator {
  return { codes, nodes: [root], ends: [Number.POSITIVE_INFINITY], leafEnd: -1, hasErrors };
}

/** Moves to the leaf at that place and answers its code; `undefined` if no leaf begins exactly there. Places must not decrease. */
export function locateLeaf(locator: Locator, place: number): number | undefined {
  if (place < locator.leafEnd) return undefined;
  const { nodes, ends } = locator;
  const kept = countHolding(locator, place);
  nodes.length = kept;
  ends.length = kept;
  let node = here(locator);
  for (;;) {
    const child = locator.hasErrors && node.isError ? findInError(node, place) : node.firstChildForIndex(place);
    if (child === null) break;
    node = child;
    nodes.push(node);
    ends.push(-1);
  }
  if (node.startIndex === place) return codeHere(locator);
  locator.leafEnd = endHere(locator);
  return undefined;
}

/**
 * How many nodes of the way hold the place, from the root on. Ends do not grow along the way, so the search halves it and the many
 * deep nodes that are left again are never asked where they end.
 */
function countHolding(locator: Locator, place: number): number {
  let low = 1;
  let high = locator.nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endAt(locator, middle) > place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function endAt({ nodes, ends }: Locator, index: number): number {
  const known = ends[index] ?? -1;
  if (known >= 0) return known;
  const end = nodes[index]?.endIndex ?? 0;
  ends[index] = end;
  return end;
}

/** An error's children are one flat list, which the parser's search would go through from its beginning each time. */
function findInError(error: Node, place: number): Node | null {
  const { children } = error;
  const child = children[countWhile(children, ({ startIndex }) => startIndex <= place) - 1];
  return child !== undefined && child.endIndex > place ? child : null;
}

/** Moves to the parent and answers its code. */
export function climb(locator: Locator): number {
  if (locator.nodes.length === 1) return code.other;
  locator.nodes.pop();
  locator.ends.pop();
  return codeHere(locator);
}

export function here({ nodes }: Locator): Node {
  return nodes[nodes.length - 1] as Node;
}

export function endHere(locator: Locator): number {
  return endAt(locator, locator.nodes.length - 1);
}

export function codeHere(locator: Locator): number {
  return locator.codes[here(locator).typeId] ?? code.other;
}
