/**
 * A walk that knows what each node stands in. Asking the tree for a parent costs a search from the root, which hostile files can make
 * long; here the types above are on a stack. A `Node` is made only where a visitor wants one, after a look at the text.
 */

import type { Node } from 'web-tree-sitter';

export type Visit = {
  /** Type of the nth node above: 1 is the parent. */
  readonly above: (distance: number) => string | undefined;
};

export type AncestorVisitor = {
  /** Decides from the text at the node's beginning alone, so that most nodes need not be made. */
  readonly when?: (start: number) => boolean;
  /** An answered function is called where the node ends. */
  readonly enter: (node: Node, visit: Visit) => (() => void) | undefined;
};

export function walkWithAncestors(root: Node, visitors: Readonly<Record<string, AncestorVisitor>>): void {
  const { language } = root.tree;
  const { types } = language;
  const visitorById = types.map((type, id) =>
    Object.hasOwn(visitors, type) && language.nodeTypeIsNamed(id) ? visitors[type] : undefined,
  );
  const path: number[] = [];
  const leave: ((() => void) | undefined)[] = [];
  const visit: Visit = {
    above: (distance) => {
      const id = path[path.length - 1 - distance];
      return id === undefined ? undefined : (types[id] ?? undefined);
    },
  };
  const cursor = root.walk();
  try {
    for (;;) {
      const id = cursor.nodeTypeId;
      const visitor = visitorById[id];
      path.push(id);
      const wanted = visitor !== undefined && (visitor.when === undefined || visitor.when(cursor.startIndex));
      leave.push(wanted ? visitor.enter(cursor.currentNode, visit) : undefined);
      if (cursor.gotoFirstChild()) continue;
      for (;;) {
        leave.pop()?.();
        path.pop();
        if (cursor.gotoNextSibling()) break;
        if (!cursor.gotoParent()) return;
      }
    }
  } finally {
    cursor.delete();
  }
}
