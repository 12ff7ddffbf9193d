/**
 * The state graph of one view: the store's columns, and on top of them what the disk says where no reconcile was possible (T1). Files
 * that differ from the store are `dirty` with an unknown interface, files that are gone are missing to all who depend on them, and a
 * new file leads those elsewhere whose imports would have preferred it.
 */

import { hasIndexer, isIndexedBy, type ProbeState } from '../../languages/projects/context-spec.ts';
import { isConfigFile } from '../../languages/resolving/config-files.ts';
import { isWithin } from '../../languages/resolving/root-paths.ts';
import type { AliasReason, SkipReason } from '../store/file-rows.ts';
import type { ReadSession } from '../store/read-session.ts';
import { loadStateColumns, type StateColumns, updateStateColumns } from '../store/state-columns.ts';
import { isLive, type StoredContext } from '../store/stored-contexts.ts';
import { listAugmentingAmong } from '../store/stored-facts.ts';
import { listImportersWaitingFor } from '../store/stored-imports.ts';
import { type Differences, noDifferences } from '../sync/find-differences.ts';
import {
  type Compared,
  compared,
  doubt,
  groupByNumber,
  own,
  type StateGraph,
  snapshotOf,
  sourceOf,
} from './compute-states.ts';

export type LoadedGraph = {
  readonly columns: StateColumns;
  readonly graph: StateGraph;
  /** Positions in `columns` of each node's file and context. Nodes are ordered by them. */
  readonly fileOf: Int32Array;
  readonly contextOf: Int32Array;
  /** Nodes of file n are `firstNode[n]` up to `firstNode[n + 1]`. */
  readonly firstNode: Int32Array;
  /** Position in `columns.facts` of each node; -1: never indexed there. */
  readonly factsOf: Int32Array;
  /** By edge of the graph: the edge of `columns` it stands for. */
  readonly columnEdge: Int32Array;
};

export function loadStateGraph(session: ReadSession, differences: Differences): LoadedGraph {
  const columns = loadStateColumns(session);
  const touched = touchedFiles(session, columns, differences);
  const loaded = buildStateGraph(columns, touched);
  markAugmented(session, loaded, differences);
  return loaded;
}

// ---- the graph of a later generation, made from an older one

export type UpdatedGraph = {
  readonly loaded: LoadedGraph;
  /** Nodes that differ, or have an edge that does. Nodes and what they point at are the same. */
  readonly touched: ReadonlySet<number>;
};

/** Undefined where nodes or edges may be others: everything is loaded again. Only of a graph of the store alone, without differences. */
export function updateStateGraph(session: ReadSession, before: LoadedGraph): UpdatedGraph | undefined {
  const { columnEdge, firstNode, factsOf } = before;
  const edgesTo = (file: number): readonly number[] => [...edgesByFile(before)(file)];
  const nodesOf = (file: number): readonly number[] => {
    const first = firstNode[file] as number;
    return Array.from({ length: (firstNode[file + 1] as number) - first }, (_, at) => first + at);
  };
  const updated = updateStateColumns(session, before.columns, {
    factsOf: (file) =>
      nodesOf(file).flatMap((node) => ((factsOf[node] as number) < 0 ? [] : [factsOf[node] as number])),
    edgesTo: (file) => edgesTo(file).map((edge) => columnEdge[edge] as number),
  });
  if (updated === undefined) return undefined;

  const { columns, changed } = updated;
  const graph = {
    ...before.graph,
    own: before.graph.own.slice(),
    closed: before.graph.closed.slice(),
    elsewhere: before.graph.elsewhere.slice(),
    doubtful: new Uint8Array(before.graph.nodeCount),
    snapshot: before.graph.snapshot.slice(),
  };
  const loaded = { ...before, columns, graph };
  const touched = new Set<number>();
  for (const file of changed) {
    for (const node of nodesOf(file)) {
      const row = factsOf[node] as number;
      graph.closed[node] = columns.files.ifaceClosed[file] as number;
      graph.own[node] = ownState(columns, row, false);
      graph.elsewhere[node] = row < 0 ? 0 : (columns.facts.elsewhere[row] as number);
      touched.add(node);
    }
    for (const edge of edgesTo(file)) {
      graph.snapshot[edge] = snapshotOfEdge(columns, columnEdge[edge] as number, untouched);
      touched.add(sourceOf(graph, edge));
    }
  }
  markAugmented(session, loaded, noDifferences);
  for (let node = 0; node < graph.nodeCount; node += 1) {
    if (graph.doubtful[node] !== before.graph.doubtful[node]) touched.add(node);
  }
  return { loaded, touched };
}

/** By the array that all updates of one structure share. */
const edgesByTarget = new WeakMap<Int32Array, (file: number) => Int32Array>();

/** Edges of the graph that lead to a file. */
function edgesByFile({ columns, columnEdge }: LoadedGraph): (file: number) => Int32Array {
  const known = edgesByTarget.get(columnEdge);
  if (known !== undefined) return known;
  const made = groupByNumber(
    columns.files.count,
    columnEdge.length,
    (edge) => columns.edges.target[columnEdge[edge] as number] as number,
  );
  edgesByTarget.set(columnEdge, made);
  return made;
}

/** By position in `columns.files`. */
type Touched = {
  readonly changed: ReadonlySet<number>;
  readonly gone: ReadonlySet<number>;
  readonly redirected: ReadonlySet<number>;
  /** A configuration has changed, and what it means now is not known. */
  readonly isDoubtful: boolean;
};

const untouched: Touched = { changed: new Set(), gone: new Set(), redirected: new Set(), isDoubtful: false };

function touchedFiles(session: ReadSession, { files }: StateColumns, differences: Differences): Touched {
  const { changed, added, gone } = differences;
  if (changed.size + added.size + gone.size === 0) return untouched;
  const find = (paths: Iterable<string>): Set<number> => {
    const found = new Set<number>();
    for (const path of paths) {
      const position = files.positions.get(path);
      if (position !== undefined) found.add(position);
    }
    return found;
  };
  return {
    changed: find(changed),
    gone: find(gone),
    redirected: find(listImportersWaitingFor(session, [...added].flatMap(tokensOf))),
    isDoubtful: [...changed, ...added, ...gone].some((path) => isConfigFile(path) || providesNames.test(path)),
  };
}

/** Found by declared names, not by path: which imports lead to such a file is in bytes that were not read. */
const providesNames = /\.(?:java|kts?|scala|cs)$/i;

/** How candidate lists name a path: itself, and each directory above it where any file in it counts. */
function tokensOf(path: string): readonly string[] {
  const tokens = [path, '/'];
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    tokens.push(path.slice(0, slash + 1));
  }
  return tokens;
}

function buildStateGraph(columns: StateColumns, touched: Touched): LoadedGraph {
  const { files, facts, edges } = columns;
  const nodes = placeNodes(columns, touched);
  const { count, fileOf, contextOf, firstNode } = nodes;
  const factsOf = findFactsOfNodes(columns, nodes);

  const nodeOfFacts = new Int32Array(facts.count).fill(-1);
  const firstEdge = new Int32Array(count + 1);
  for (let node = 0; node < count; node += 1) {
    const row = factsOf[node] as number;
    let size = 0;
    if (row >= 0) {
      nodeOfFacts[row] = node;
      size = (facts.edgeStart[row + 1] as number) - (facts.edgeStart[row] as number);
    }
    firstEdge[node + 1] = (firstEdge[node] as number) + size;
  }

  const edgeCount = firstEdge[count] as number;
  const graph = {
    nodeCount: count,
    own: new Uint8Array(count),
    closed: new Uint8Array(count),
    elsewhere: new Uint8Array(count),
    doubtful: new Uint8Array(count).fill(touched.isDoubtful ? doubt.configuration : doubt.none),
    firstEdge,
    target: new Int32Array(edgeCount),
    snapshot: new Uint8Array(edgeCount),
  };
  const columnEdge = new Int32Array(edgeCount);
  for (let node = 0; node < count; node += 1) {
    const file = fileOf[node] as number;
    const row = factsOf[node] as number;
    const isChanged = touched.changed.has(file);
    graph.closed[node] = isChanged ? 0 : (files.ifaceClosed[file] as number);
    graph.own[node] = ownState(columns, row, isChanged);
    if (row < 0) continue;
    graph.elsewhere[node] = touched.redirected.has(file) ? 1 : (facts.elsewhere[row] as number);
    let edge = firstEdge[node] as number;
    const end = facts.edgeStart[row + 1] as number;
    for (let from = facts.edgeStart[row] as number; from < end; from += 1, edge += 1) {
      columnEdge[edge] = from;
      graph.target[edge] = targetNode(from, contextOf[node] as number);
      graph.snapshot[edge] = snapshotOfEdge(columns, from, touched);
    }
  }
  return { columns, graph, fileOf, contextOf, firstNode, factsOf, columnEdge };

  /** The facts that were compared; else the node that has none; else no context covers the file. */
  function targetNode(edge: number, context: number): number {
    const file = edges.target[edge] as number;
    const row = edges.targetFacts[edge] as number;
    if (row >= 0) return nodeOfFacts[row] as number;
    // No indexer speaks about it, then as now: it is judged as if no context covered it.
    if (edges.sem[edge] === compared.same) return -1;
    return file < 0 ? -1 : findNode(nodes, file, context);
  }
}

type Nodes = Pick<LoadedGraph, 'fileOf' | 'contextOf' | 'firstNode'> & { readonly count: number };

/** Members of live contexts that their indexer could read. Members come by context, so a stable sort by file gives nodes in order. */
function placeNodes(columns: StateColumns, { gone }: Touched): Nodes {
  const { files, contexts, members } = columns;
  const isNode = new Uint8Array(members.count);
  const firstNode = new Int32Array(files.count + 1);
  for (let pair = 0; pair < members.count; pair += 1) {
    const file = members.file[pair] as number;
    const context = contexts[members.context[pair] as number];
    if (gone.has(file) || !canBeIndexed(columns, file, context)) continue;
    isNode[pair] = 1;
    firstNode[file + 1] = (firstNode[file + 1] as number) + 1;
  }
  for (let file = 0; file < files.count; file += 1) {
    firstNode[file + 1] = (firstNode[file + 1] as number) + (firstNode[file] as number);
  }
  const count = firstNode[files.count] as number;
  const fileOf = new Int32Array(count);
  const contextOf = new Int32Array(count);
  const next = firstNode.slice(0, files.count);
  for (let pair = 0; pair < members.count; pair += 1) {
    if (isNode[pair] === 0) continue;
    const file = members.file[pair] as number;
    const node = next[file] as number;
    next[file] = node + 1;
    fileOf[node] = file;
    contextOf[node] = members.context[pair] as number;
  }
  return { count, fileOf, contextOf, firstNode };
}

/** Of the file in that context; where it is no member there, of the first context that has it; -1 where none has. */
export function findNode({ contextOf, firstNode }: Omit<Nodes, 'count'>, file: number, context: number): number {
  const first = firstNode[file] as number;
  const end = firstNode[file + 1] as number;
  if (first === end) return -1;
  let low = first;
  let high = end - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((contextOf[middle] as number) < context) low = middle + 1;
    else high = middle;
  }
  return contextOf[low] === context ? low : first;
}

/** Position in `facts`; -1: never indexed there. */
function findFactsOfNodes({ facts }: StateColumns, nodes: Nodes): Int32Array {
  const rows = new Int32Array(nodes.count).fill(-1);
  for (let row = 0; row < facts.count; row += 1) {
    const node = findNode(nodes, facts.file[row] as number, facts.context[row] as number);
    if (node >= 0 && nodes.contextOf[node] === facts.context[row]) rows[node] = row;
  }
  return rows;
}

/** The first table, as far as it asks about the file alone. */
function ownState({ facts }: StateColumns, row: number, isChanged: boolean): number {
  if (row < 0 || facts.configEqual[row] === 0) return own.unindexed;
  return isChanged || facts.hashEqual[row] === 0 ? own.dirty : own.settled;
}

function snapshotOfEdge({ files, facts, edges }: StateColumns, edge: number, touched: Touched): number {
  const file = edges.target[edge] as number;
  const gone = file < 0 || files.isFile[file] === 0 || touched.gone.has(file);
  // The store knows the interface of other bytes than those on disk.
  const syn = touched.changed.has(file) ? compared.unknown : (edges.syn[edge] as Compared);
  const sem = edges.sem[edge] as Compared;
  const row = edges.targetFacts[edge] as number;
  const isUnrecorded = sem === compared.unknown && row >= 0 && facts.semKnown[row] === 1;
  return snapshotOf({ gone, syn, sem: isUnrecorded ? compared.unrecorded : sem });
}

/**
 * Marks nodes of projects in which a file that may add to the declarations of others is not settled (T2, T7): it is new, or has begun to
 * augment, and no file depends on it yet. Files that were indexed with it have it as a dependency, and are judged by that.
 *
 * Linear in nodes and edges, with one question to the store, about the files that are not settled.
 */
function markAugmented(session: ReadSession, loaded: LoadedGraph, { augmenting }: Differences): void {
  const { columns, graph, fileOf, contextOf, columnEdge } = loaded;
  const { contexts, files, edges } = columns;
  const isOurs = contexts.map(({ family }) => family === 'typescript');
  const unsettled = new Set<number>();
  for (let node = 0; node < graph.nodeCount; node += 1) {
    if (graph.own[node] !== own.settled && isOurs[contextOf[node] as number]) unsettled.add(fileOf[node] as number);
  }
  const asked = [...unsettled].map((file) => files.path[file] as string);
  const found = new Set(listAugmentingAmong(session, asked));
  const differing = contexts.map(({ root }) => [...(augmenting ?? [])].some((path) => isWithin(path, root)));
  if (found.size === 0 && !differing.includes(true)) return;

  // By context: how many there are that a member would have to depend on.
  const wanted = new Int32Array(contexts.length);
  const isWanted = new Uint8Array(graph.nodeCount);
  for (let node = 0; node < graph.nodeCount; node += 1) {
    const context = contextOf[node] as number;
    if (graph.own[node] === own.settled || !isOurs[context]) continue;
    if (!found.has(files.path[fileOf[node] as number] as string)) continue;
    isWanted[node] = 1;
    wanted[context] = (wanted[context] as number) + 1;
  }
  for (let node = 0; node < graph.nodeCount; node += 1) {
    const context = contextOf[node] as number;
    if (!isOurs[context]) continue;
    let missing = (wanted[context] as number) - (isWanted[node] as number);
    const end = graph.firstEdge[node + 1] as number;
    for (let edge = graph.firstEdge[node] as number; edge < end && missing > 0; edge += 1) {
      const file = edges.target[columnEdge[edge] as number] as number;
      if (file < 0 || !unsettled.has(file) || file === fileOf[node]) continue;
      const to = findNode(loaded, file, context);
      if (to >= 0 && isWanted[to] === 1 && contextOf[to] === context) missing -= 1;
    }
    if (missing > 0 || differing[context])
      graph.doubtful[node] = Math.max(graph.doubtful[node] as number, doubt.augmented);
  }
}

// ---- why no indexer speaks about a file (code-plane.md §8, first row of the first table). Being vendored or generated is no reason: such
// files hold occurrences that reference answers must have (F11).

export type UnsupportedReason =
  | SkipReason
  | AliasReason
  /** Tracked, and not on disk. */
  | 'absent'
  /** No indexer for its language. */
  | 'no_adapter'
  /** There are indexers for its language, but no project covers it. */
  | 'no_context'
  /** The projects that cover it cannot be indexed here. */
  | Exclude<ProbeState, 'ok'>
  /** Not a file in scope. */
  | 'unknown_file';

type Unsupported = { readonly reason: UnsupportedReason; readonly detail: string | null };

/** `listed` are the contexts that have the file as a member, by position; none of them speaks about it. */
export function explainUnsupported(columns: StateColumns, file: number, listed: readonly number[]): Unsupported {
  const skipped = columns.files.skipReason[file] ?? null;
  if (skipped !== null) return { reason: skipped, detail: null };
  const language = columns.files.language[file] ?? null;
  if (!hasIndexer(language)) return { reason: 'no_adapter', detail: null };
  const able = listed.flatMap((position) => {
    const context = columns.contexts[position];
    return context !== undefined && isIndexedBy(context.family, language) ? [context] : [];
  });
  const [first] = able;
  return first === undefined ? { reason: 'no_context', detail: null } : whyContextIsSilent(first);
}

/** Of a context that is not live. */
function whyContextIsSilent(context: StoredContext): Unsupported {
  const { probe, enabled, probeDetail } = context;
  return { reason: enabled && probe !== 'ok' ? probe : 'disabled', detail: probeDetail };
}

/** If the context is live, would its indexer read this file? */
export function canBeIndexed(columns: StateColumns, file: number, context: StoredContext | undefined): boolean {
  const { isFile, skipReason, language } = columns.files;
  if (context === undefined || !isLive(context) || isFile[file] === 0 || skipReason[file] !== null) return false;
  return isIndexedBy(context.family, language[file] ?? null);
}
