/**
 * Freshness of every node of a `StateGraph` (code-plane.md §8): components of the dependency graph by Tarjan's algorithm, each judged
 * when everything it depends on has been. Linear in nodes and edges, without recursion (T12), and the result is that of the
 * definitions: it depends neither on the order of nodes and edges nor on which file is asked about (T6).
 *
 * A component of several files cannot be judged edge by edge, because each of them waits for the others. Its inner edges are judged
 * by own facts only; if then any member is in trouble, every member that would be clean is `pending_check`, and a look at a
 * dirty one from outside finds its dependencies unknown.
 */

import { compared as columnCompared } from '../store/state-columns.ts';

/** The words of file states (code-plane.md §8), from best to worst: the worst of several is the one that comes last. */
export const freshnesses = ['clean', 'pending_check', 'stale', 'dirty', 'unindexed', 'unsupported'] as const;
export type Freshness = (typeof freshnesses)[number];

/** Position in `freshnesses`, for columns. */
export const freshnessCode = {
  clean: 0,
  pending_check: 1,
  stale: 2,
  dirty: 3,
  unindexed: 4,
  unsupported: 5,
} as const satisfies Readonly<Record<Freshness, number>>;

export function freshnessOf(code: number): Freshness {
  return freshnesses[code] ?? 'unsupported';
}

// ---- the graph: what states are computed from, and nothing else: which files were indexed in which live contexts, what they depended on,
// and how each dependency compares with what it was. By columns, because a graph of half a million edges is walked at every question.
//
// A node is a file in one live context of which it is a member. A dependency points at the node of the same context, else at one of
// another live context, else (files that no live context covers, files that are gone) at none.

/** What a node's own facts say, before any dependency is looked at. */
export const own = {
  /** Indexed at its present bytes with the context's configuration and tool. */
  settled: 0,
  dirty: 1,
  unindexed: 2,
} as const;

/** Why a node is pending whatever it depends on. */
export const doubt = {
  none: 0,
  /** Something may have been added to what its files declare, by one that has not been indexed. */
  augmented: 1,
  /** The configuration of its context may have changed, and has not been read since. */
  configuration: 2,
} as const;

/** A dependency's interface now against the one at index time: the store's answers, and of `sem` that it is known now and was not then. */
export const compared = { ...columnCompared, unrecorded: 3 } as const;
export type Compared = (typeof compared)[keyof typeof compared];

export type StateGraph = {
  readonly nodeCount: number;
  /** `own` of each node. */
  readonly own: Uint8Array;
  /** 1: the interface of the node's file is closed (§3.3). */
  readonly closed: Uint8Array;
  /** 1: an import of the node's file now leads elsewhere than when it was indexed. */
  readonly elsewhere: Uint8Array;
  /** `doubt` of each node. */
  readonly doubtful: Uint8Array;
  /** Edges of node n are `firstEdge[n]` up to `firstEdge[n + 1]`. */
  readonly firstEdge: Int32Array;
  /** Node of the dependency; -1: no live context covers it. */
  readonly target: Int32Array;
  /** `snapshotOf` of each edge. */
  readonly snapshot: Uint8Array;
};

/** An edge's comparisons in one number. */
export function snapshotOf(edge: { readonly gone: boolean; readonly syn: Compared; readonly sem: Compared }): number {
  return (edge.gone ? 1 : 0) | (edge.syn << 1) | (edge.sem << 3);
}

export const isGone = (snapshot: number): boolean => (snapshot & 1) === 1;
const synOf = (snapshot: number): number => (snapshot >> 1) & 3;
const semOf = (snapshot: number): number => (snapshot >> 3) & 3;

// ---- all nodes, component by component

export type NodeStates = {
  /** `freshnessCode` of each node. */
  readonly freshness: Uint8Array;
  /** The worst `verdict` on a node's dependencies, whatever its own state. */
  readonly dependencies: Uint8Array;
  /** Equal numbers: one component. */
  readonly component: Int32Array;
  /** By component of several files that is in trouble: its lowest member that is the trouble. */
  readonly trouble: ReadonlyMap<number, number>;
  /** `dependencies` before a node has heard of the company it keeps in its component. */
  readonly alone: Uint8Array;
  /** The lowest node that is trouble for the component by a node's own edges, or by itself; `nodeCount` if none is. */
  readonly cause: Int32Array;
  /** 1: it depends on a dirty member of its component, which is what it was if what that depends on is. */
  readonly waits: Uint8Array;
  /** Nodes and edges looked at, each time one is. */
  readonly steps: number;
};

type Judging = Omit<NodeStates, 'trouble' | 'steps'> & { readonly trouble: Map<number, number>; steps: number };

export function computeStates(graph: StateGraph): NodeStates {
  const { nodeCount, firstEdge, target } = graph;
  const component = new Int32Array(nodeCount).fill(-1);
  const found: Judging = {
    freshness: new Uint8Array(nodeCount),
    dependencies: new Uint8Array(nodeCount),
    component,
    trouble: new Map(),
    alone: new Uint8Array(nodeCount),
    cause: new Int32Array(nodeCount),
    waits: new Uint8Array(nodeCount),
    steps: 0,
  };
  const judge = createJudge(graph, found);
  let components = 0;

  // Tarjan, by columns: `findCycles` of kernel/base makes objects, of which half a million are too many. `low` is 0 for a node that has not been met, `members` holds those that belong to no component yet.
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
        found.steps += 1;
        const next = target[edge] as number;
        if (next < 0) continue;
        if (low[next] === 0) enter(next);
        // One with a component is finished and leads nowhere near this node.
        else if (component[next] === -1) low[node] = Math.min(low[node] as number, index[next] as number);
      } else leave(node);
    }
  }
  return found;

  function enter(node: number): void {
    met += 1;
    index[node] = met;
    low[node] = met;
    path[depth] = node;
    depth += 1;
    members[waiting] = node;
    waiting += 1;
    found.steps += 1;
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
    judge(members.subarray(first, waiting), components);
    waiting = first;
    components += 1;
  }
}

/**
 * The states of a graph that differs from another one in `touched` nodes and their edges, and points as it did: of what they reach,
 * component by component. A component has a higher number than all it depends on, so one pass upwards is enough.
 */
export function updateStates(graph: StateGraph, before: NodeStates, touched: ReadonlySet<number>): NodeStates {
  const { component } = before;
  const found: Judging = {
    freshness: before.freshness.slice(),
    dependencies: before.dependencies.slice(),
    component,
    trouble: new Map(before.trouble),
    alone: before.alone.slice(),
    cause: before.cause.slice(),
    waits: before.waits.slice(),
    steps: 0,
  };
  const judge = createJudge(graph, found);
  const { membersOf, edgesTo } = linksOf(graph, component);
  const isWaiting = new Uint8Array(graph.nodeCount);
  const mustLook = new Uint8Array(graph.nodeCount);
  let next = graph.nodeCount;
  const wait = (node: number): void => {
    const at = component[node] as number;
    mustLook[node] = 1;
    isWaiting[at] = 1;
    next = Math.min(next, at);
  };
  const waitForUsers = (node: number): void => {
    for (const edge of edgesTo(node)) wait(sourceOf(graph, edge));
  };
  for (const node of touched) {
    wait(node);
    waitForUsers(node);
  }
  for (; next < graph.nodeCount; next += 1) {
    if (isWaiting[next] === 0) continue;
    const members = membersOf(next);
    found.trouble.delete(next);
    judge(members, next, mustLook);
    for (const node of members) {
      const isSame =
        found.freshness[node] === before.freshness[node] && found.dependencies[node] === before.dependencies[node];
      if (!isSame) waitForUsers(node);
    }
  }
  return found;
}

type Links = { membersOf(component: number): Int32Array; edgesTo(node: number): Int32Array };

/** By the array that all updates of one structure share. */
const links = new WeakMap<Int32Array, Links>();

function linksOf({ nodeCount, target }: StateGraph, component: Int32Array): Links {
  const known = links.get(component);
  if (known !== undefined) return known;
  const made = {
    membersOf: groupByNumber(nodeCount, nodeCount, (node) => component[node] as number),
    edgesTo: groupByNumber(nodeCount, target.length, (edge) => target[edge] as number),
  };
  links.set(component, made);
  return made;
}

/** The items of each group, in order; `groupOf` an item below 0 is none. */
export function groupByNumber(
  groups: number,
  items: number,
  groupOf: (item: number) => number,
): (group: number) => Int32Array {
  const first = new Int32Array(groups + 1);
  for (let item = 0; item < items; item += 1) {
    const group = groupOf(item);
    if (group >= 0) first[group + 1] = (first[group + 1] as number) + 1;
  }
  for (let group = 0; group < groups; group += 1)
    first[group + 1] = (first[group + 1] as number) + (first[group] as number);
  const next = first.slice(0, groups);
  const grouped = new Int32Array(first[groups] as number);
  for (let item = 0; item < items; item += 1) {
    const group = groupOf(item);
    if (group < 0) continue;
    const at = next[group] as number;
    grouped[at] = item;
    next[group] = at + 1;
  }
  return (group) => grouped.subarray(first[group] as number, first[group + 1] as number);
}

/** The node that an edge belongs to. */
export function sourceOf({ nodeCount, firstEdge }: StateGraph, edge: number): number {
  let low = 0;
  let high = nodeCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((firstEdge[middle] as number) <= edge) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Judges one component: everything that its members depend on outside of it has been. Only who must be is looked at again. */
function createJudge(
  graph: StateGraph,
  judging: Judging,
): (members: Int32Array, itself: number, mustLook?: Uint8Array) => void {
  const { nodeCount, firstEdge, target } = graph;
  const { freshness, dependencies, component, trouble, alone, cause, waits } = judging;
  return (members, itself, mustLook) => {
    for (const member of members) if (mustLook === undefined || mustLook[member] === 1) look(member, itself);
    const isTroubled = members.length > 1 && findTrouble(members, itself);
    for (const member of members) {
      const worst = alone[member] as number;
      dependencies[member] = isTroubled && worst === verdict.same ? verdict.unknown : worst;
      freshness[member] = freshnessFrom(graph.own[member] as number, dependencies[member] as number);
    }
  };

  /** What a node's own edges say. */
  function look(node: number, itself: number): void {
    let worst = judgeOutside(node, itself);
    let found = nodeCount;
    let isWaiting = 0;
    eachInside(node, (dependency, judged) => {
      if (judged === verdict.unknown) found = Math.min(found, dependency);
      if (judged === open) isWaiting = 1;
      else worst = Math.max(worst, judged);
    });
    const state = graph.own[node];
    if (state === own.unindexed || (state === own.settled && worst !== verdict.same)) found = Math.min(found, node);
    alone[node] = worst;
    cause[node] = found;
    waits[node] = isWaiting;
  }

  function findTrouble(members: Int32Array, itself: number): boolean {
    let found = nodeCount;
    for (const member of members) {
      found = Math.min(found, cause[member] as number);
      if (waits[member] === 0) continue;
      eachInside(member, (dependency, judged) => {
        if (judged === open && alone[dependency] !== verdict.same) found = Math.min(found, dependency);
      });
    }
    if (found < nodeCount) trouble.set(itself, found);
    return found < nodeCount;
  }

  /** What leads out of a component, all of it finished; and what needs no edge. */
  function judgeOutside(node: number, itself: number): number {
    let worst: number = judgeWithoutEdge(graph, node);
    const end = firstEdge[node + 1] as number;
    for (let edge = firstEdge[node] as number; edge < end; edge += 1) {
      judging.steps += 1;
      const to = target[edge] as number;
      if (to >= 0 && component[to] === itself) continue;
      worst = Math.max(worst, judgeFinished(graph, freshness, dependencies, edge));
    }
    return worst;
  }

  function eachInside(node: number, visit: (dependency: number, judged: number) => void): void {
    const end = firstEdge[node + 1] as number;
    for (let edge = firstEdge[node] as number; edge < end; edge += 1) {
      judging.steps += 1;
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

// ---- one dependency, judged by what is known about it now (code-plane.md §8, second table). The row that needs the state of the dependency
// ("stale or pending and not closed") and the one that needs its own dependencies (`open`) are completed above.

/** From good to bad, so that the worst of several is their maximum. */
export const verdict = { same: 0, unknown: 1, changed: 2 } as const;

/** Same if none of the dependency's own dependencies is changed or unknown, else unknown. */
const open = 3;

/** No live context covers the dependency. */
const uncovered = 3;

/** A `verdict`, or `open`. `state` is an `own` of the dependency, or `uncovered`. */
function judgeByOwnFacts(state: number, snapshot: number, isClosed: boolean): number {
  if (isGone(snapshot)) return verdict.changed;
  const syn = synOf(snapshot);
  if (state === own.settled) return judgeSettled(syn, semOf(snapshot), isClosed);
  if (state === uncovered) return judgeSyntax(syn);
  if (syn !== compared.same) return verdict.unknown;
  if (isClosed) return verdict.same;
  // What it meant when it was last indexed is what it means with equal records and dependencies; but that is not what the dependent
  // saw if it was indexed since (T2).
  const sem = semOf(snapshot);
  const isLastSeen = sem === compared.same || sem === compared.unknown;
  return state === own.dirty && isLastSeen ? open : verdict.unknown;
}

/** Indexed at its present bytes: what the indexer said decides where it was recorded on both sides. */
function judgeSettled(syn: number, sem: number, isClosed: boolean): number {
  if (sem === compared.same) return verdict.same;
  if (sem === compared.different) return verdict.changed;
  // The dependency was not indexed when the dependent was: equal records prove an equal interface only if they are closed.
  if (sem === compared.unrecorded && syn === compared.same && !isClosed) return verdict.unknown;
  return judgeSyntax(syn);
}

function judgeSyntax(syn: number): number {
  if (syn === compared.unknown) return verdict.unknown;
  return syn === compared.same ? verdict.same : verdict.changed;
}
