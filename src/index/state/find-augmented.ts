/**
 * Nodes of projects in which a file that may add to the declarations of others is not settled (T2, T7): it is new, or has begun to augment, and
 * nobody depends on it yet. Whoever was indexed with it has it as a dependency, and is judged by that.
 *
 * Linear in nodes and edges, with one question to the store, about the files that are not settled.
 */

import { isWithin } from '../resolve/shared/root-paths.ts';
import type { ReadSession } from '../store/facts-handle.ts';
import { listAugmentingAmong } from '../store/queries/list-augmenting-files.ts';
import type { Differences } from '../sync/find-differences.ts';
import { findNode, type LoadedGraph } from './load-state-graph.ts';
import { doubt, own } from './state-graph.ts';

export function markAugmented(session: ReadSession, loaded: LoadedGraph, { augmenting }: Differences): void {
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
