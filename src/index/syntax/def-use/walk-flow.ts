/** What the flow of every language shares: finding the variable's places in the tree, and leaving out what cannot matter. */

import type { FlatTree } from '../flat-tree.ts';
import { firstChild } from '../flat-tree.ts';
import type { Flow, FlowEvent } from './flow-graph.ts';

export type FlowWalk = {
  readonly tree: FlatTree;
  readonly flow: Flow;
  /** The function (or file) that owns the variable. */
  readonly owner: number;
  /** Whether anything below the node matters: a place of the variable, or a jump. */
  readonly matters: (node: number) => boolean;
  readonly hasPlaces: (node: number) => boolean;
  /** Places the variable if the node is one of its places. */
  readonly placeAt: (node: number) => boolean;
  /** The same for `x += e`, which reads and writes at different times. */
  readonly placeUse: (node: number) => boolean;
  readonly placeDefinition: (node: number) => boolean;
  /** Counts a step down; false where the source nests too deep to follow. */
  readonly enter: () => boolean;
  readonly leave: () => void;
};

/** Deeper nesting is not followed: the answer then says that the flow is unknown. */
const maxDepth = 1_000;

export function createFlowWalk(
  tree: FlatTree,
  flow: Flow,
  owner: number,
  eventsByStart: ReadonlyMap<number, { readonly end: number; readonly events: readonly FlowEvent[] }>,
  jumpTypes: ReadonlySet<string>,
): FlowWalk & { readonly placed: ReadonlySet<FlowEvent>; readonly tooDeep: () => boolean } {
  const starts = Float64Array.from([...eventsByStart.keys()].sort((a, b) => a - b));
  const jumps = new Uint32Array(tree.count + 1);
  for (let node = 0; node < tree.count; node++)
    jumps[node + 1] = (jumps[node] ?? 0) + (jumpTypes.has(tree.type[node] ?? '') ? 1 : 0);
  const placed = new Set<FlowEvent>();
  let depth = 0;
  let exceeded = false;

  return {
    tree,
    flow,
    owner,
    hasPlaces,
    matters: (node) => hasPlaces(node) || (jumps[tree.after[node] ?? 0] ?? 0) > (jumps[node] ?? 0),
    placeAt: (node) => placeIf(node, () => true),
    placeUse: (node) => placeIf(node, ({ use }) => use !== null),
    placeDefinition: (node) => placeIf(node, ({ definition }) => definition !== null),
    enter() {
      depth += 1;
      if (depth > maxDepth) exceeded = true;
      return depth <= maxDepth;
    },
    leave() {
      depth -= 1;
    },
    placed,
    tooDeep: () => exceeded,
  };

  function hasPlaces(node: number): boolean {
    const from = tree.start[node] ?? 0;
    let low = 0;
    for (let high = starts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return low < starts.length && (starts[low] ?? 0) < (tree.end[node] ?? 0);
  }

  function placeIf(node: number, isWanted: (event: FlowEvent) => boolean): boolean {
    const found = eventsByStart.get(tree.start[node] ?? -1);
    if (found === undefined || found.end !== tree.end[node] || hasNamedChild(tree, node)) return false;
    for (const event of found.events) {
      if (placed.has(event) || !isWanted(event)) continue;
      placed.add(event);
      flow.place(event);
    }
    return true;
  }
}

function hasNamedChild(tree: FlatTree, node: number): boolean {
  const child = firstChild(tree, node);
  return child >= 0 && tree.type[child]?.startsWith("'") !== true;
}
