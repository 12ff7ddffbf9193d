/**
 * Freshness of every node of a `StateGraph` (code-plane.md §8): components of the dependency graph by Tarjan's algorithm, each judged
 * when everything it depends on has been. Linear in nodes and edges, without recursion (T12), and the result is that of the
 * definitions: it depends neither on the order of nodes and edges nor on which file is asked about (T6).
 *
 * A component of several files cannot be judged edge by edge, because each of them waits for the others. Its inner edges are judged
 * by own facts only; if then any member is in trouble, every member that would be clean is `pending_check`, and whoever looks at a
 * dirty one from outside finds its dependencies unknown.
 */

import { freshnessCode } from './freshness.ts';
import { judgeByOwnFacts, open, uncovered, verdict } from './judge-dependency.ts';
import { doubt, own, type StateGraph } from './state-graph.ts';

export type NodeStates = {
  /** `freshnessCode` of each node. */
  readonly freshness: Uint8Array;
  /** The worst `verdict` on a node's dependencies, whatever its own state. */
  readonly dependencies: Uint8Array;
  /** Equal numbers: one component. */
  readonly component: Int32Array;
  /** By component of several files that is in trouble: its lowest member that is the trouble. */
  readonly trouble: ReadonlyMap<number, number>;
  /** Nodes and edges looked at, each time one is. */
  readonly steps: number;
};

export function computeStates(graph: StateGraph): NodeStates {
  const { nodeCount, firstEdge, target } = graph;
  const freshness = new Uint8Array(nodeCount);
  const dependencies = new Uint8Array(nodeCount);
  const component = new Int32Array(nodeCount).fill(-1);
  const trouble = new Map<number, number>();
  let steps = 0;
  let components = 0;

  // Tarjan: `low` is 0 for a node that has not been met, `members` holds those that belong to no component yet.
  const index = new Int32Array(nodeCount);
  const low = new Int32Array(nodeCount);
  const nextEdge = firstEdge.slice(0, nodeCount);
  const path = new Int32Array(nodeCount);
  const members = new Int32Array(nodeCount);
  let met = 0;
  let depth = 0;
  let waiting = 0;

  for (let start = 0; start < nodeCount; start += 1) {
    if (low[start] !== 0) continue;
    enter(start);
    while (depth > 0) {
      const node = path[depth - 1] as number;
      const edge = nextEdge[node] as number;
      if (edge < (firstEdge[node + 1] as number)) {
        nextEdge[node] = edge + 1;
        steps += 1;
        const next = target[edge] as number;
        if (next < 0) continue;
        if (low[next] === 0) enter(next);
        // One with a component is finished and leads nowhere near this node.
        else if (component[next] === -1) low[node] = Math.min(low[node] as number, index[next] as number);
      } else leave(node);
    }
  }
  return { freshness, dependencies, component, trouble, steps };

  function enter(node: number): void {
    met += 1;
    index[node] = met;
    low[node] = met;
    path[depth] = node;
    depth += 1;
    members[waiting] = node;
    waiting += 1;
    steps += 1;
  }

  function leave(node: number): void {
    depth -= 1;
    if (depth > 0) {
      const before = path[depth - 1] as number;
      low[before] = Math.min(low[before] as number, low[node] as number);
    }
    if (low[node] !== index[node]) return;
    let first = waiting;
    do {
      first -= 1;
      component[members[first] as number] = components;
    } while (members[first] !== node);
    if (first === waiting - 1) judgeAlone(node);
    else judgeTogether(first, waiting);
    waiting = first;
    components += 1;
  }

  function judgeAlone(node: number): void {
    const worst = judgeOutside(node, components);
    dependencies[node] = worst;
    freshness[node] = freshnessFrom(graph.own[node] as number, worst);
  }

  function judgeTogether(from: number, to: number): void {
    let found = nodeCount;
    for (let at = from; at < to; at += 1) {
      const member = members[at] as number;
      let worst = judgeOutside(member, components);
      eachInside(member, (dependency, judged) => {
        if (judged === verdict.unknown) found = Math.min(found, dependency);
        if (judged !== open) worst = Math.max(worst, judged);
      });
      dependencies[member] = worst;
      const state = graph.own[member];
      if (state === own.unindexed || (state === own.settled && worst !== verdict.same)) found = Math.min(found, member);
    }
    for (let at = from; at < to; at += 1) {
      eachInside(members[at] as number, (dependency, judged) => {
        if (judged === open && dependencies[dependency] !== verdict.same) found = Math.min(found, dependency);
      });
    }
    const isTroubled = found < nodeCount;
    if (isTroubled) trouble.set(components, found);
    for (let at = from; at < to; at += 1) {
      const member = members[at] as number;
      if (isTroubled && dependencies[member] === verdict.same) dependencies[member] = verdict.unknown;
      freshness[member] = freshnessFrom(graph.own[member] as number, dependencies[member] as number);
    }
  }

  /** What leads out of a component, all of it finished; and what needs no edge. */
  function judgeOutside(node: number, itself: number): number {
    let worst: number = judgeWithoutEdge(graph, node);
    const end = firstEdge[node + 1] as number;
    for (let edge = firstEdge[node] as number; edge < end; edge += 1) {
      steps += 1;
      const to = target[edge] as number;
      if (to >= 0 && component[to] === itself) continue;
      worst = Math.max(worst, judgeFinished(graph, freshness, dependencies, edge));
    }
    return worst;
  }

  function eachInside(node: number, visit: (dependency: number, judged: number) => void): void {
    const end = firstEdge[node + 1] as number;
    for (let edge = firstEdge[node] as number; edge < end; edge += 1) {
      steps += 1;
      const to = target[edge] as number;
      // A file is no dependency of itself.
      if (to < 0 || to === node || component[to] !== component[node]) continue;
      visit(to, judgeByOwnFacts(graph.own[to] as number, graph.snapshot[edge] as number, graph.closed[to] === 1));
    }
  }
}

/** What is wrong with a node's dependencies without looking at one. */
export function judgeWithoutEdge(graph: StateGraph, node: number): number {
  if (graph.elsewhere[node] === 1) return verdict.changed;
  return graph.doubtful[node] === doubt.none ? verdict.same : verdict.unknown;
}

/** The whole table: of a dependency in a component that has been judged. */
export function judgeFinished(
  graph: StateGraph,
  freshness: Uint8Array,
  dependencies: Uint8Array,
  edge: number,
): number {
  const to = graph.target[edge] as number;
  const snapshot = graph.snapshot[edge] as number;
  if (to < 0) return judgeByOwnFacts(uncovered, snapshot, false);
  const isClosed = graph.closed[to] === 1;
  const judged = judgeByOwnFacts(graph.own[to] as number, snapshot, isClosed);
  if (judged === open) return dependencies[to] === verdict.same ? verdict.same : verdict.unknown;
  if (judged !== verdict.same || isClosed) return judged;
  const state = freshness[to];
  return state === freshnessCode.stale || state === freshnessCode.pending_check ? verdict.unknown : verdict.same;
}

function freshnessFrom(state: number, worst: number): number {
  if (state === own.unindexed) return freshnessCode.unindexed;
  if (state === own.dirty) return freshnessCode.dirty;
  if (worst === verdict.changed) return freshnessCode.stale;
  return worst === verdict.unknown ? freshnessCode.pending_check : freshnessCode.clean;
}
