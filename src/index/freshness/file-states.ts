/**
 * How fresh every file of a view is (code-plane.md §8). Computed, never stored: at the first question, once per view. A file of
 * several contexts answers with the worst of them and the list (T9); contexts whose indexer cannot run say nothing, and a file that
 * no other covers is `unsupported`, with the reason (T8).
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { languageOf } from '../../languages/file-language.ts';
import { hasIndexer } from '../../languages/projects/context-spec.ts';
import { oncePerGeneration, type ReadSession } from '../store/read-session.ts';
import type { StateColumns } from '../store/state-columns.ts';
import type { StoredContext } from '../store/stored-contexts.ts';
import { findFile } from '../store/stored-files.ts';
import { countDifferences, type Differences, noDifferences } from '../sync/find-differences.ts';
import {
  computeStates,
  doubt,
  type Freshness,
  freshnessCode,
  freshnessOf,
  isGone,
  judgeFinished,
  judgeWithoutEdge,
  type NodeStates,
  type StateGraph,
  updateStates,
  verdict,
} from './compute-states.ts';
import {
  canBeIndexed,
  explainUnsupported,
  findNode,
  type LoadedGraph,
  loadStateGraph,
  type UnsupportedReason,
  updateStateGraph,
} from './state-graph.ts';

export type { Freshness } from './compute-states.ts';

type ContextState = {
  readonly key: string;
  readonly freshness: Freshness;
  /** A sentence without a subject: `depends on src/a.ts, whose interface changed`. */
  readonly why: string | null;
  /** The file that `why` is about, if it is another. */
  readonly dependency: string | null;
};

export type FileState = {
  readonly path: string;
  readonly freshness: Freshness;
  /**
   * Of an unsupported file as `state-graph.ts` has it; `unknown_file` for a path that is not in scope. `gone` and `new` where the disk
   * is ahead of the store. Null for all others: their contexts say why.
   */
  readonly reason: string | null;
  /** For a person: what to install, what is missing. */
  readonly detail: string | null;
  /** All of which the file is a member, by key. */
  readonly contexts: readonly ContextState[];
};

type Unsettled = { readonly contextId: number; readonly paths: readonly string[] };

export interface FileStates {
  /** A link answers as the file it leads to. */
  of(path: string): FileState;
  /** Over all files on disk; aliases are not files. */
  counts(): Readonly<Record<Freshness, number>>;
  /** The same apart by what `keyOf` says of a path, of files that the store knows; null: not counted. */
  countsBy(keyOf: (path: string) => string | null): ReadonlyMap<string, Readonly<Record<Freshness, number>>>;
  /** Over the members of one context, as they are in it. */
  countsIn(contextId: number): Readonly<Record<Freshness, number>>;
  /** Of the unindexed, those with facts of another configuration or tool (T7): in one context, or over all files. */
  countOutdated(contextId?: number): number;
  /** In one context, whatever others say of it. */
  isCleanIn(path: string, contextId: number): boolean;
  /** Does everything that it depended on in that context still mean the same? */
  hasSameDependencies(path: string, contextId: number): boolean;
  /** What it depended on when it was indexed in that context; none where it was not. */
  dependenciesIn(path: string, contextId: number): readonly string[];
  /** By path. */
  list(freshness: Freshness, limit: number): readonly FileState[];
  /** What a refresh would settle: dirty, stale, pending or unindexed in a live context. By context key; paths sorted (R24). */
  unsettled(): readonly Unsettled[];
}

export type StatesView = {
  read<T>(ask: (session: ReadSession) => T): T;
  readonly differences: Differences;
  /** Given where `read` never sees what is not committed: states of one generation are then computed once for all views of a handle. */
  readonly generation?: number;
};

export function createFileStates(view: StatesView): FileStates {
  let known: FileStates | undefined;
  const states = (): FileStates => {
    known ??= answerFrom(
      view,
      view.read((session) => computeOnce(session, view)),
    );
    return known;
  };
  return {
    of: (path) => states().of(path),
    counts: () => states().counts(),
    countsBy: (keyOf) => states().countsBy(keyOf),
    countsIn: (contextId) => states().countsIn(contextId),
    countOutdated: (contextId) => states().countOutdated(contextId),
    isCleanIn: (path, contextId) => states().isCleanIn(path, contextId),
    hasSameDependencies: (path, contextId) => states().hasSameDependencies(path, contextId),
    dependenciesIn: (path, contextId) => states().dependenciesIn(path, contextId),
    list: (freshness, limit) => states().list(freshness, limit),
    unsettled: () => states().unsettled(),
  };
}

/** The columns that the states of this generation come from: what is asked of them besides need not read every row once more. */
export function stateColumnsOf(session: ReadSession): StateColumns {
  const { generation } = session;
  return computeOnce(session, { read: (ask) => ask(session), differences: noDifferences, generation }).loaded.columns;
}

type Computed = {
  readonly loaded: LoadedGraph;
  readonly states: NodeStates;
  /** Worst freshness of each file. */
  readonly codes: Uint8Array;
  // Worked out when they are first asked for.
  memberships: Memberships | undefined;
  /** Of what the store knows: files that are new on disk come on top. */
  counts: Readonly<Record<Freshness, number>> | undefined;
  /** By position of the context. */
  readonly countsIn: Map<number, Readonly<Record<Freshness, number>>>;
  /** By code; sorted. */
  readonly lists: Map<number, readonly string[]>;
};

function computeOnce(session: ReadSession, { differences, generation }: StatesView): Computed {
  const mayShare = generation === session.generation && countDifferences(differences) === 0;
  const anew = () => compute(session, differences);
  return mayShare ? oncePerGeneration(session, 'states', anew, (before) => update(session, before)) : anew();
}

function compute(session: ReadSession, differences: Differences): Computed {
  const loaded = loadStateGraph(session, differences);
  return tellFiles(loaded, computeStates(loaded.graph), differences);
}

/** Only what an edit reaches is judged again; undefined where the edit may have changed what depends on what. */
function update(session: ReadSession, before: Computed): Computed | undefined {
  const updated = updateStateGraph(session, before.loaded);
  if (updated === undefined) return undefined;
  const { loaded, touched } = updated;
  return tellFiles(loaded, updateStates(loaded.graph, before.states, touched), noDifferences);
}

function tellFiles(loaded: LoadedGraph, states: NodeStates, differences: Differences): Computed {
  const codes = worstPerFile(loaded, states, differences);
  const later = { memberships: undefined, counts: undefined, countsIn: new Map(), lists: new Map() };
  return { loaded, states, codes, ...later };
}

function answerFrom({ read, differences }: StatesView, computed: Computed): FileStates {
  const { loaded, states, codes } = computed;
  const { files, contexts, members } = loaded.columns;
  const { positions } = files;

  return {
    of,
    counts() {
      computed.counts ??= countFiles();
      const counts = { ...computed.counts };
      for (const path of differences.added) counts[newFile(path).freshness] += 1;
      return counts;
    },
    countsBy(keyOf) {
      const found = new Map<string, Record<Freshness, number>>();
      for (let file = 0; file < files.count; file += 1) {
        const key = files.isFile[file] === 1 ? keyOf(files.path[file] as string) : null;
        if (key === null) continue;
        const counts = found.get(key) ?? noCounts();
        counts[freshnessOf(codes[file] as number)] += 1;
        found.set(key, counts);
      }
      return found;
    },
    countsIn(contextId) {
      const position = positionOf(contextId);
      const known = computed.countsIn.get(position) ?? countMembers(position);
      computed.countsIn.set(position, known);
      return known;
    },
    countOutdated(contextId) {
      const position = positionOf(contextId);
      const outdated = new Set<number>();
      states.freshness.forEach((code, node) => {
        if (code !== freshnessCode.unindexed || loaded.factsOf[node] === -1) return;
        const file = loaded.fileOf[node] as number;
        const isMeant = contextId === undefined ? codes[file] === code : loaded.contextOf[node] === position;
        if (isMeant) outdated.add(file);
      });
      return outdated.size;
    },
    isCleanIn(path, contextId) {
      // A file that no indexer speaks about is never clean.
      const node = nodeOf(path, contextId);
      return node >= 0 && freshnessOf(states.freshness[node] as number) === 'clean';
    },
    hasSameDependencies(path, contextId) {
      const node = nodeOf(path, contextId);
      return node >= 0 && states.dependencies[node] === verdict.same;
    },
    dependenciesIn(path, contextId) {
      const node = nodeOf(path, contextId);
      const row = node < 0 ? -1 : (loaded.factsOf[node] as number);
      if (row < 0) return [];
      const { facts, edges } = loaded.columns;
      const found: string[] = [];
      const end = facts.edgeStart[row + 1] as number;
      for (let edge = facts.edgeStart[row] as number; edge < end; edge += 1) {
        const target = edges.target[edge] as number;
        found.push(target < 0 ? (edges.missing.get(edge) as string) : (files.path[target] as string));
      }
      return found;
    },
    list(freshness, limit) {
      const code = freshnessCode[freshness];
      const known = computed.lists.get(code) ?? listFiles(code);
      computed.lists.set(code, known);
      const added = [...differences.added].filter((path) => newFile(path).freshness === freshness);
      const paths = added.length === 0 ? known : [...known, ...added].sort(compareCodeUnits);
      return paths.slice(0, limit).map(of);
    },
    unsettled: () => listUnsettled(loaded, states),
  };

  function countFiles(): Record<Freshness, number> {
    const counts = noCounts();
    for (let file = 0; file < files.count; file += 1) {
      if (files.isFile[file] === 1) counts[freshnessOf(codes[file] as number)] += 1;
    }
    return counts;
  }

  function countMembers(position: number): Record<Freshness, number> {
    const counts = noCounts();
    for (let pair = 0; pair < members.count; pair += 1) {
      if (members.context[pair] === position) counts[freshnessIn(members.file[pair] as number, position)] += 1;
    }
    return counts;
  }

  function listFiles(code: number): readonly string[] {
    return files.path.filter((_, file) => files.isFile[file] === 1 && codes[file] === code).sort(compareCodeUnits);
  }

  function of(path: string): FileState {
    const file = positions.get(path);
    if (file === undefined) return differences.added.has(path) ? newFile(path) : unsupported(path, 'unknown_file');
    if (files.isFile[file] === 1) return stateOf(file, path);
    const row = read((session) => findFile(session, path));
    const end = row?.canonicalPath ?? '';
    const canonical = positions.get(end) ?? -1;
    return files.isFile[canonical] === 1 ? stateOf(canonical, end) : unsupported(path, row?.skipReason ?? 'absent');
  }

  function stateOf(file: number, path: string): FileState {
    computed.memberships ??= groupMembers(loaded.columns);
    const listed = computed.memberships(file);
    const freshness = freshnessOf(codes[file] as number);
    const because = freshness === 'unsupported' ? explainUnsupported(loaded.columns, file, listed) : noReason;
    const isGone = freshness === 'dirty' && differences.gone.has(path);
    return {
      path,
      freshness,
      ...(isGone ? { reason: 'gone', detail: null } : because),
      contexts: listed.map((position) => stateIn(file, position)),
    };
  }

  function positionOf(contextId: number | undefined): number {
    return contexts.findIndex(({ id }) => id === contextId);
  }

  /** -1 where there is none. */
  function nodeOf(path: string, contextId: number): number {
    const file = positions.get(path);
    const position = positionOf(contextId);
    return file === undefined || position < 0 ? -1 : nodeIn(file, position);
  }

  /** -1 where no indexer speaks about the file. */
  function nodeIn(file: number, position: number): number {
    const node = findNode(loaded, file, position);
    return node >= 0 && loaded.contextOf[node] === position ? node : -1;
  }

  function freshnessIn(file: number, position: number): Freshness {
    const node = nodeIn(file, position);
    if (node >= 0) return freshnessOf(states.freshness[node] as number);
    const isGone = differences.gone.has(files.path[file] as string);
    return isGone && canBeIndexed(loaded.columns, file, contexts[position]) ? 'dirty' : 'unsupported';
  }

  function stateIn(file: number, position: number): ContextState {
    const { key } = contexts[position] as StoredContext;
    const freshness = freshnessIn(file, position);
    const node = nodeIn(file, position);
    if (node >= 0) return { key, freshness, ...explainNode(loaded, states, node) };
    if (freshness === 'dirty') return { key, freshness, why: 'is gone', dependency: null };
    const { reason, detail } = explainUnsupported(loaded.columns, file, [position]);
    return { key, freshness, why: detail === null ? reason : `${reason}: ${detail}`, dependency: null };
  }
}

const noReason = { reason: null, detail: null };

function noCounts(): Record<Freshness, number> {
  return { clean: 0, pending_check: 0, stale: 0, dirty: 0, unindexed: 0, unsupported: 0 };
}

function unsupported(path: string, reason: UnsupportedReason): FileState {
  return { path, freshness: 'unsupported', reason, detail: null, contexts: [] };
}

/** On disk and in scope, and the store has not heard of it. */
function newFile(path: string): FileState {
  if (!hasIndexer(languageOf(path))) return unsupported(path, 'no_adapter');
  return { path, freshness: 'unindexed', reason: 'new', detail: null, contexts: [] };
}

/** Of live contexts only: one whose indexer cannot run would otherwise block its files for ever. */
function worstPerFile(
  { columns, firstNode, fileOf }: LoadedGraph,
  states: NodeStates,
  { gone }: Differences,
): Uint8Array {
  const { files, members, contexts } = columns;
  const codes = new Uint8Array(files.count);
  for (let file = 0; file < files.count; file += 1) {
    if (firstNode[file] === firstNode[file + 1]) codes[file] = freshnessCode.unsupported;
  }
  states.freshness.forEach((code, node) => {
    const file = fileOf[node] as number;
    codes[file] = Math.max(codes[file] as number, code);
  });
  for (let pair = 0; gone.size > 0 && pair < members.count; pair += 1) {
    const file = members.file[pair] as number;
    if (!gone.has(files.path[file] as string)) continue;
    if (canBeIndexed(columns, file, contexts[members.context[pair] as number])) codes[file] = freshnessCode.dirty;
  }
  return codes;
}

type Memberships = (file: number) => readonly number[];

/** Contexts of a file, by key. */
function groupMembers({ members }: LoadedGraph['columns']): Memberships {
  const byFile = new Map<number, number[]>();
  for (let pair = 0; pair < members.count; pair += 1) {
    const file = members.file[pair] as number;
    const known = byFile.get(file);
    if (known === undefined) byFile.set(file, [members.context[pair] as number]);
    else known.push(members.context[pair] as number);
  }
  return (file) => byFile.get(file) ?? [];
}

function listUnsettled({ columns, fileOf, contextOf }: LoadedGraph, states: NodeStates): readonly Unsettled[] {
  const found = new Map<number, string[]>();
  states.freshness.forEach((code, node) => {
    if (code === freshnessCode.clean) return;
    const context = contextOf[node] as number;
    const paths = found.get(context) ?? [];
    paths.push(columns.files.path[fileOf[node] as number] as string);
    found.set(context, paths);
  });
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([context, paths]) => ({
      contextId: (columns.contexts[context] as StoredContext).id,
      paths: paths.sort(compareCodeUnits),
    }));
}

// ---- explanations: why a file is not clean in a context, as a sentence without its subject. Made for the few files an answer names.

type Explanation = {
  readonly why: string | null;
  /** The other file that `why` is about. */
  readonly dependency: string | null;
};

/** No facts of it were ever stored, or they went with it. */
export const neverIndexed = 'has not been indexed';

const alone = (why: string | null): Explanation => ({ why, dependency: null });

function explainNode(loaded: LoadedGraph, states: NodeStates, node: number): Explanation {
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
