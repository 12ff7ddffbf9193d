/** Why a file is not clean in a context, as a sentence without its subject. Made for the few files an answer names. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { judgeFinished, judgeWithoutEdge, type NodeStates } from './compute-states.ts';
import { freshnessCode, freshnessOf } from './freshness.ts';
import { verdict } from './judge-dependency.ts';
import type { LoadedGraph } from './load-state-graph.ts';
import { doubt, isGone, type StateGraph } from './state-graph.ts';

export type Explanation = {
  readonly why: string | null;
  /** The other file that `why` is about. */
  readonly dependency: string | null;
};

/** No facts of it were ever stored, or they went with it. */
export const neverIndexed = 'has not been indexed';

const alone = (why: string | null): Explanation => ({ why, dependency: null });

export function explainNode(loaded: LoadedGraph, states: NodeStates, node: number): Explanation {
  const freshness = freshnessOf(states.freshness[node] as number);
  if (freshness === 'clean') return alone(null);
  if (freshness === 'dirty') return alone('has other bytes than when it was indexed');
  if (freshness === 'unindexed') {
    return alone(loaded.factsOf[node] === -1 ? neverIndexed : 'was indexed with another configuration or tool');
  }
  const worst = freshness === 'stale' ? verdict.changed : verdict.unknown;
  const byEdge = explainByEdge(loaded, states, node, worst);
  if (judgeWithoutEdge(loaded.graph, node) !== worst) return byEdge ?? explainByCycle(loaded, states, node);
  // An import leads elsewhere too where its file is gone, and then the file has a name.
  if (worst === verdict.changed) return byEdge ?? alone('has an import that leads elsewhere than when it was indexed');
  if (loaded.graph.doubtful[node] === doubt.configuration) {
    return alone('is in a project whose configuration has changed since');
  }
  return alone('is in a project in which a file that may add to the declarations of others is not indexed');
}

function explainByEdge(loaded: LoadedGraph, states: NodeStates, node: number, worst: number): Explanation | undefined {
  const { graph } = loaded;
  let found: { readonly path: string; readonly edge: number; readonly isCause: boolean } | undefined;
  const end = graph.firstEdge[node + 1] as number;
  for (let edge = graph.firstEdge[node] as number; edge < end; edge += 1) {
    if (graph.target[edge] === node) continue;
    if (judgeFinished(graph, states.freshness, states.dependencies, edge) !== worst) continue;
    const path = pathOfDependency(loaded, edge);
    const isCause = isCauseItself(graph, states, edge);
    // What changed says more than who else waits for it. Edges are in no order that another store would have.
    const isBetter =
      found === undefined || (isCause === found.isCause ? compareCodeUnits(path, found.path) < 0 : isCause);
    if (isBetter) found = { path, edge, isCause };
  }
  if (found === undefined) return undefined;
  const { path, edge } = found;
  return { why: `depends on ${path}, ${describeEdge(graph, states, edge, worst)}`, dependency: path };
}

/** Not only by what the dependency depends on itself. */
function isCauseItself(graph: StateGraph, states: NodeStates, edge: number): boolean {
  const to = graph.target[edge] as number;
  if (to < 0) return true;
  const state = states.freshness[to] as number;
  return state !== freshnessCode.pending_check && state !== freshnessCode.stale;
}

function describeEdge(graph: StateGraph, states: NodeStates, edge: number, worst: number): string {
  if (isGone(graph.snapshot[edge] as number)) return 'which is gone';
  if (worst === verdict.changed) return 'whose interface changed';
  const to = graph.target[edge] as number;
  const state = to < 0 ? freshnessCode.clean : (states.freshness[to] as number);
  return state === freshnessCode.clean
    ? 'whose interface at that time is not known'
    : `which is ${freshnessOf(state).replaceAll('_', ' ')} and may have another interface now`;
}

/** No edge of its own says it: it is clean but for the company it keeps. */
function explainByCycle(loaded: LoadedGraph, states: NodeStates, node: number): Explanation {
  const at = states.trouble.get(states.component[node] as number);
  if (at === undefined || at === node) return alone('is part of an import cycle that is not settled');
  const dependency = loaded.columns.files.path[loaded.fileOf[at] as number] as string;
  const state = freshnessOf(states.freshness[at] as number);
  return { why: `is in an import cycle with ${dependency}, which is ${state}`, dependency };
}

function pathOfDependency({ columns, columnEdge }: LoadedGraph, edge: number): string {
  const from = columnEdge[edge] as number;
  const file = columns.edges.target[from] as number;
  return (file < 0 ? columns.edges.missing.get(from) : columns.files.path[file]) ?? '';
}
