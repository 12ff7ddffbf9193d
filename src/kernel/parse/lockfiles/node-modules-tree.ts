/**
 * The tree of `node_modules` folders that npm and bun lockfiles describe, and how a dependency is found in it: in the folder of
 * the dependent itself, then in each folder above.
 */

import type { LockTarget } from './lockfile.ts';

export type TreeEntry = { readonly target: LockTarget; readonly version: string | null };

export type TreeNode = {
  readonly parent: TreeNode | null;
  /** Null while there are none, as for nearly every package. */
  children: Map<string, TreeNode> | null;
  /** What is installed here; null for a folder that only leads to others, and for a manifest of the repository. */
  entry: TreeEntry | null;
};

export function newTree(parent: TreeNode | null = null): TreeNode {
  return { parent, children: null, entry: null };
}

/** The node at the end of `names`, made where it is missing. */
export function growTree(from: TreeNode, names: readonly string[]): TreeNode {
  let node = from;
  for (const name of names) {
    node.children ??= new Map();
    let child = node.children.get(name);
    if (child === undefined) {
      child = newTree(node);
      node.children.set(name, child);
    }
    node = child;
  }
  return node;
}

/** Undefined when no folder from `from` upwards has it. */
export function findInTree(from: TreeNode, name: string): TreeEntry | undefined {
  for (let node: TreeNode | null = from; node !== null; node = node.parent) {
    const entry = node.children?.get(name)?.entry;
    if (entry) return entry;
  }
  return undefined;
}
