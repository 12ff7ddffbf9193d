/**
 * One refresh as a command does it, in a process of its own: from the start of the process to committed facts, with the time of each
 * phase. Its argument names the tree; its last line of output is a `Refreshed`.
 */

import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Refreshed = {
  /** Since the process began. */
  readonly openedMs: number;
  readonly readyMs: number;
  readonly committedMs: number;
  readonly endedMs: number;
  /** Of the runs of the indexer, all together: with everything around them, and what the indexer says of itself. */
  readonly runs: number;
  readonly indexerMs: number;
  readonly loadMs: number;
  readonly resolveMs: number;
  readonly encodeMs: number;
  readonly importMs: number;
  readonly files: number;
};

// As the launcher does: sources are compiled once.
const cache = fileURLToPath(new URL('../../node_modules/.cache/codegenie', import.meta.url));
module.enableCompileCache?.(cache);
process.env['NODE_COMPILE_CACHE'] ??= cache;
const { root } = JSON.parse(process.argv[2] ?? '{}') as { readonly root: string };
const { openIndexSession } = await import('../../src/index/sync/index-session.ts');
const { createRefresher } = await import('../../src/index/refresh/refresher.ts');
const { connectParts } = await import('../../src/index/refresh/refresh-wiring.ts');

const settings = {
  root,
  isGit: true,
  stateDir: join(root, '.codegenie'),
  cacheDir: join(root, '.codegenie'),
  environment: process.env,
  extraExtensions: new Map<string, string>(),
  nowMs: Date.now,
  signal: new AbortController().signal,
  onProgress: () => {},
  toolPaths: {},
  maxFileMb: 4,
};
const opened = await openIndexSession({ ...settings, waitMs: 0 });
if (opened.kind !== 'open') throw new Error(opened.kind);
const { session } = opened;
const openedMs = performance.now();

const spent = { runs: 0, indexerMs: 0, loadMs: 0, resolveMs: 0, encodeMs: 0, importMs: 0, files: 0 };
let committedMs = 0;
const parts = connectParts(settings);
const refresher = createRefresher({
  ...settings,
  session,
  owner: `bench-${process.pid}`,
  isFresh: true,
  onEvent(event) {
    if (event.kind === 'job_finished' && event.report.status !== 'completed')
      throw new Error(event.report.detail ?? '');
    if (event.kind === 'failed') throw event.error;
  },
  parts: {
    async runIndexer(adapter, context, place) {
      const began = performance.now();
      const run = await parts.runIndexer(adapter, context, { ...place, onLine: readPhases });
      spent.runs += 1;
      spent.indexerMs += performance.now() - began;
      return run;
    },
    async prepareImport(ask) {
      const began = performance.now();
      const prepared = await parts.prepareImport(ask);
      spent.importMs += performance.now() - began;
      if (prepared.kind !== 'ready') return prepared;
      return {
        ...prepared,
        async commit(take) {
          const from = performance.now();
          const committed = await prepared.commit(take);
          committedMs = performance.now();
          spent.importMs += committedMs - from;
          if (committed.kind === 'committed') spent.files += committed.accepted;
          return committed;
        },
      };
    },
  },
});
await refresher.refreshContexts();
await refresher.enqueueUnsettled('bench');
const readyMs = performance.now();
await refresher.runUntilIdle({ skipGuard: true, waitMs: null });
await refresher.close();
await session.close();
const refreshed: Refreshed = { openedMs, readyMs, committedMs, endedMs: performance.now(), ...spent };
console.log(JSON.stringify(refreshed));

/** What the indexer says of itself when it ends. */
function readPhases(line: string): void {
  const found = /load (\d+) ms, resolve (\d+) ms.*encode (\d+) ms/.exec(line);
  if (found === null) return;
  spent.loadMs += Number(found[1]);
  spent.resolveMs += Number(found[2]);
  spent.encodeMs += Number(found[3]);
}
