/**
 * One pass over a tree in document order: the loop that every extractor shares.
 * It holds no recursion, so nesting in the source cannot exhaust the stack, and it makes a `Node` only for the types asked for:
 * crossing the wasm border is what costs (0.3 µs per node without it).
 */

import type { Node } from 'web-tree-sitter';

/** What to do when a node of that type begins. An answered function is called where the node ends; `skip` leaves out what is inside. */
export type Visitors = Readonly<Record<string, (node: Node) => (() => void) | 'skip' | undefined>>;

export function walkTree(root: Node, visitors: Visitors): void {
  const { language } = root.tree;
  const visitorById = language.types.map((type, id) =>
    Object.hasOwn(visitors, type) && language.nodeTypeIsNamed(id) ? visitors[type] : undefined,
  );
  const cursor = root.walk();
  const leave: ((() => void) | undefined)[] = [];
  try {
    for (;;) {
      const answer = visitorById[cursor.nodeTypeId]?.(cursor.currentNode);
      leave.push(answer === 'skip' ? undefined : answer);
      if (answer !== 'skip' && cursor.gotoFirstChild()) continue;
      for (;;) {
        leave.pop()?.();
        if (cursor.gotoNextSibling()) break;
        if (!cursor.gotoParent()) return;
      }
    }
  } finally {
    cursor.delete();
  }
}

/** Named children without comments: what a grammar's rule talks about. */
export function listChildren(node: Node | null): Node[] {
  return node === null ? [] : node.namedChildren.filter((child) => !child.isExtra);
}
