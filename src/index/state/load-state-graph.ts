/**
 * The state graph of one view: the store's columns, and on top of them what the disk says where nobody could reconcile (T1). Files
 * that differ from the store are `dirty` with an unknown interface, files that are gone are missing to all who depend on them, and a
 * new file leads those elsewhere whose imports would have preferred it.
 */

import { isConfigFile } from '../resolve/config-files.ts';
import type { ReadSession } from '../store/facts-handle.ts';
import { listImportersWaitingFor } from '../store/queries/list-importers.ts';
import { loadStateColumns, type StateColumns } from '../store/queries/load-state-columns.ts';
import type { Differences } from '../sync/find-differences.ts';
import { markAugmented } from './find-augmented.ts';
import { type Compared, compared, doubt, own, type StateGraph, snapshotOf } from './state-graph.ts';
import { canBeIndexed } from './unsupported.ts';

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

/** By position in `columns.files`. */
export type Touched = {
  readonly changed: ReadonlySet<number>;
  readonly gone: ReadonlySet<number>;
  readonly redirected: ReadonlySet<number>;
  /** A configuration has changed, and what it means now is not known. */
  readonly isDoubtful: boolean;
};

export const untouched: Touched = { changed: new Set(), gone: new Set(), redirected: new Set(), isDoubtful: false };

function touchedFiles(session: ReadSession, { files }: StateColumns, differences: Differences): Touched {
  const { changed, added, gone } = differences;
  if (changed.size + added.size + gone.size === 0) return untouched;
  const positions = new Map(files.path.map((path, position) => [path, position]));
  const find = (paths: Iterable<string>): Set<number> => {
    const found = new Set<number>();
    for (const path of paths) {
      const position = positions.get(path);
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

/** Found by declared names, not by path: who would be led to such a file is in bytes that nobody has read. */
const providesNames = /\.(?:java|kts?|scala|cs)$/i;

/** How candidate lists name a path: itself, and each directory above it where any file in it counts. */
function tokensOf(path: string): readonly string[] {
  const tokens = [path, '/'];
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    tokens.push(path.slice(0, slash + 1));
  }
  return tokens;
}

export function buildStateGraph(columns: StateColumns, touched: Touched): LoadedGraph {
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

  /** The facts that were compared; else the node that has none; else nobody covers the file. */
  function targetNode(edge: number, context: number): number {
    const file = edges.target[edge] as number;
    const row = edges.targetFacts[edge] as number;
    if (row >= 0) return nodeOfFacts[row] as number;
    // Nobody speaks about it, then as now: it is judged as if no context covered it.
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
