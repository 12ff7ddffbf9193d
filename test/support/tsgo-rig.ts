/**
 * A tree that is indexed by our own TypeScript indexer as it is indexed for users: real discovery, real process in its sandbox, real import
 * and store. What a test adds is a look at the run while it runs, and limits.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { createFileStates } from '../../src/index/freshness/file-states.ts';
import type { RefreshParts } from '../../src/index/refresh/refresh-wiring.ts';
import { createRefresher, type RunSummary } from '../../src/index/refresh/refresher.ts';
import type { JobReport } from '../../src/index/refresh/run-job.ts';
import { type IndexerRun, type RunOptions, runIndexer } from '../../src/index/semantic/indexers/run-indexer.ts';
import { listItemsOfFile } from '../../src/index/store/stored-items.ts';
import { listOccurrencesOf, listOccurrencesOfFile } from '../../src/index/store/stored-occurrences.ts';
import { noDifferences } from '../../src/index/sync/find-differences.ts';
import { silentLogger } from '../../src/kernel/base/log.ts';
import { listDescendants } from '../../src/kernel/base/processes.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import { discoverWithProblems } from '../../src/languages/projects/discover-contexts.ts';
import { createIndexedTree, type IndexedTree } from './indexed-tree.ts';

export type TsgoRig = {
  readonly tree: IndexedTree;
  /** What each run of the indexer ended with, in their order. */
  readonly runs: readonly IndexerRun[];
  /** Settles what is not clean, as `index --semantic` does. */
  refresh(options?: RefreshOptions): Promise<RunSummary>;
  /** Freshness by path. */
  states(...paths: string[]): Promise<Readonly<Record<string, string>>>;
  /** All places of what is written at `«` in `path`, as `path:line:col`; the mark is no part of the file. */
  places(path: string, marked: string): Promise<readonly string[]>;
  /** Doubts about a file, as `kind name`. */
  items(path: string): Promise<readonly string[]>;
  dispose(): Promise<void>;
};

type RefreshOptions = {
  readonly limits?: Pick<RunOptions, 'memoryMb' | 'timeoutMs' | 'stillLooks'>;
  /** Files larger than so many megabytes have no document. */
  readonly maxFileMb?: number;
  /** Keys of contexts; all otherwise. */
  readonly contexts?: readonly string[];
  /** Called with the process group once the indexer has been started. */
  readonly onStart?: (pid: number) => void;
  /** Called when a job has ended, before another one can begin. */
  readonly onFinished?: (report: JobReport) => void;
  readonly parts?: Partial<RefreshParts>;
};

export function createTsgoRig(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly name?: string } = {},
): TsgoRig {
  const tree = createIndexedTree(files, options);
  const { root, stateDir, base } = tree;
  const environment = { PATH: process.env['PATH'], HOME: base };
  const runs: IndexerRun[] = [];
  return {
    tree,
    runs,
    async refresh({ limits = {}, maxFileMb = 4, contexts, onStart, onFinished, parts = {} } = {}) {
      const session = await tree.session();
      await session.reconcile('all');
      const refresher = createRefresher({
        session,
        root,
        stateDir,
        cacheDir: stateDir,
        owner: 'test',
        nowMs: Date.now,
        signal: new AbortController().signal,
        onEvent: (event) => {
          if (event.kind === 'job_finished') onFinished?.(event.report);
        },
        environment,
        toolPaths: {},
        maxFileMb,
        parts: {
          discover: discoverWithProblems,
          async runIndexer(adapter, context, place) {
            const host = createExecHost({ root, environment, toolPaths: {}, logger: silentLogger });
            const exec = host.bind({ name: 'refresh', signal: place.signal, workspace: place.jobDir });
            // A gate may be passed late on a busy machine.
            const settings = { ...place, stillLooks: 1_000, ...limits, exec, repoRoot: root, maxFileMb };
            const started = (pid: number, start: string): void => {
              place.onStart(pid, start);
              onStart?.(pid);
            };
            const run = await runIndexer(adapter, context, { ...settings, onStart: started });
            runs.push(run);
            return run;
          },
          ...parts,
        },
      });
      try {
        await refresher.refreshContexts();
        await refresher.enqueueUnsettled('test');
        return await refresher.runUntilIdle({ skipGuard: true, waitMs: null, contexts });
      } finally {
        await refresher.close();
      }
    },
    async states(...paths) {
      const { facts } = await tree.session();
      const states = createFileStates({ read: facts.read, differences: noDifferences });
      return Object.fromEntries(paths.map((path) => [path, states.of(path).freshness]));
    },
    async places(path, marked) {
      const { facts } = await tree.session();
      const text = readFileSync(join(root, path));
      const at = text.indexOf(marked.replace('«', '')) + Buffer.byteLength(marked.slice(0, marked.indexOf('«')));
      return facts.read((session) => {
        const symbols = listOccurrencesOfFile(session, path).filter(({ start }) => start === at);
        const found = listOccurrencesOf(
          session,
          symbols.map(({ symbolId }) => symbolId),
        );
        return [...new Set(found.map((one) => `${one.path}:${one.line + 1}:${one.column + 1}`))];
      });
    },
    async items(path) {
      const { facts } = await tree.session();
      return facts.read((session) => listItemsOfFile(session, path)).map(({ kind, name }) => `${kind} ${name}`);
    },
    dispose: () => tree.dispose(),
  };
}

/** The compilers that a run has started. */
export function listCompilersOf(pid: number): readonly number[] {
  return listDescendants(pid).flatMap((found) => {
    try {
      return readFileSync(`/proc/${found.pid}/cmdline`, 'latin1').includes('--api') ? [found.pid] : [];
    } catch {
      return [];
    }
  });
}

/**
 * A declaration file that is a pipe: a reader waits until it is fed, and the feeder knows that it is being read. The compiler
 * reads it when it loads the program, and the job right after that, before its first document: two moments to do something at.
 */
export function createGate(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
  return {
    /** Waits for a reader, and lets it go on after `act`. The next one finds another gate, or after the last pass a plain file. */
    async pass(act: () => unknown, isLast = false): Promise<void> {
      const pipe = await open(path, 'w');
      try {
        await act();
        const next = `${path}.next`;
        if (isLast) writeFileSync(next, text);
        else execFileSync('mkfifo', [next]);
        renameSync(next, path);
        await pipe.writeFile(text).catch((error: NodeJS.ErrnoException) => {
          // Its reader was ended by `act`.
          if (error.code !== 'EPIPE') throw error;
        });
      } finally {
        await pipe.close();
      }
    },
  };
}

export async function expectClean(rig: TsgoRig, ...paths: string[]): Promise<void> {
  expect(await rig.states(...paths)).toEqual(Object.fromEntries(paths.map((path) => [path, 'clean'])));
}
