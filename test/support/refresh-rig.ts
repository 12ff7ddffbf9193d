/** A tree with a store, a refresher and an indexer that does what the test says, on a clock that stands still until it is moved. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listUnsettled } from '../../src/index/refresh/job-queue.ts';
import type { RefreshParts } from '../../src/index/refresh/refresh-wiring.ts';
import {
  createRefresher,
  type RefreshEvent,
  type Refresher,
  type RunSummary,
} from '../../src/index/refresh/refresher.ts';
import { findContext, listContexts } from '../../src/index/store/stored-contexts.ts';
import { listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { type Job, listJobs } from '../../src/index/store/stored-jobs.ts';
import type { IndexSession } from '../../src/index/sync/index-session.ts';
import { createFakeIndexer, type FakeIndexer } from './fake-indexer.ts';
import { createIndexedTree, type IndexedTree } from './indexed-tree.ts';

export type RefreshRig = {
  readonly tree: IndexedTree;
  readonly session: IndexSession;
  readonly refresher: Refresher;
  readonly indexer: FakeIndexer;
  readonly events: RefreshEvent[];
  readonly clock: {
    readonly nowMs: number;
    /** Everything that was to happen by then happens, in its order. */
    advance(ms: number): void;
  };
  /** Of a context (the only one, if there is one), oldest first. */
  jobs(contextKey?: string): readonly Job[];
  /** Members that are not clean, as `context path`. */
  unsettled(): readonly string[];
  /** At which bytes a file was indexed, in any context. */
  indexedHashes(path: string): readonly string[];
  reconcile(): Promise<void>;
  run(): Promise<RunSummary>;
  dispose(): Promise<void>;
};

export type RigOptions = {
  readonly owner?: string;
  /** Bytes that are free. */
  readonly memory?: number;
  readonly parts?: Partial<RefreshParts>;
  readonly maxFileMb?: number;
  /** Of the indexer; a project otherwise. */
  readonly granularity?: 'project' | 'file';
  /** An own tree, which stays. */
  readonly tree?: IndexedTree;
};

type Place = {
  readonly session: IndexSession;
  readonly root: string;
  readonly stateDir: string;
  readonly base: string;
};

/** What a rig is without its tree. */
export function createRigOver(place: Place, options: RigOptions) {
  const { session, root, stateDir, base } = place;
  const scratch = join(base, 'jobs');
  mkdirSync(scratch, { recursive: true });
  const indexer = createFakeIndexer(root, scratch, options.granularity);
  const clock = createClock();
  const events: RefreshEvent[] = [];
  const refresher = createRefresher({
    session,
    root,
    stateDir,
    cacheDir: stateDir,
    owner: options.owner ?? 'rig',
    nowMs: () => clock.nowMs,
    signal: new AbortController().signal,
    onEvent: (event) => void events.push(event),
    environment: {},
    toolPaths: {},
    maxFileMb: options.maxFileMb ?? 4,
    parts: { ...indexer.parts, ...options.parts },
    availableMemory: () => options.memory ?? 0,
    schedule: clock.schedule,
  });
  return { refresher, indexer, events, clock };
}

export async function createRefreshRig(
  files: Readonly<Record<string, string>>,
  options: RigOptions = {},
): Promise<RefreshRig> {
  const tree = options.tree ?? createIndexedTree(files);
  const session = await tree.session();
  const { refresher, indexer, events, clock } = createRigOver({ ...tree, session }, options);
  const contextOf = (key: string | undefined) =>
    session.facts.read((moment) => {
      const context = key === undefined ? listContexts(moment)[0] : findContext(moment, key);
      if (context === undefined) throw new Error(`no context ${key ?? ''}`);
      return context;
    });
  return {
    tree,
    session,
    refresher,
    indexer,
    events,
    clock,
    jobs: (key) => session.facts.read((moment) => [...listJobs(moment, contextOf(key).id, 1_000)].reverse()),
    unsettled: () =>
      session.facts.read((moment) => {
        const keys = new Map(listContexts(moment).map(({ id, key }) => [id, key]));
        return [...listUnsettled(moment)].flatMap(([id, paths]) => paths.map((path) => `${keys.get(id)} ${path}`));
      }),
    indexedHashes: (path) =>
      session.facts.read((moment) => listFactsOfFile(moment, path).map(({ hashAtIndex }) => hashAtIndex)),
    async reconcile() {
      await session.reconcile('all');
      await refresher.noteReconciled();
    },
    run: () => refresher.runUntilIdle({ skipGuard: true, waitMs: null }),
    async dispose() {
      for (const run of indexer.runs) run.end();
      await refresher.close();
      if (options.tree === undefined) await tree.dispose();
    },
  };
}

type Timer = { readonly atMs: number; readonly call: () => void };

function createClock() {
  let timers: Timer[] = [];
  const clock = {
    nowMs: 1_000_000,
    schedule(ms: number, call: () => void): () => void {
      const timer = { atMs: clock.nowMs + ms, call };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms: number): void {
      const endMs = clock.nowMs + ms;
      for (;;) {
        const next = timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        clock.nowMs = Math.max(clock.nowMs, next.atMs);
        next.call();
      }
      clock.nowMs = endMs;
    },
  };
  return clock;
}
