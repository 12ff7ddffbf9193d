/**
 * What the refresher is given besides the store: discovery, indexers, the import. As functions, because everything that decides when a job
 * runs, is stopped or is tried again can then be shown without starting an indexer. `connectParts` gives the real ones.
 */

import { statSync } from 'node:fs';
import { silentLogger } from '../../kernel/base/log.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import type { IndexerAdapter, IndexerContext, ProgramRoots } from '../../languages/indexers/indexer-adapter.ts';
import { indexers } from '../../languages/indexers/indexers.gen.ts';
import type { Family, IndexerId, TypeScriptIndexer } from '../../languages/projects/context-spec.ts';
import { type Discovery, discoverWithProblems } from '../../languages/projects/discover-contexts.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { recogniseOnce } from '../semantic/import-secrets.ts';
import { makeJobDir, removeJobDir, sweepJobDirs } from '../semantic/indexers/job-dir.ts';
import { probeIndexer } from '../semantic/indexers/probe-indexer.ts';
import { type IndexerProbe, type IndexerRun, runIndexer } from '../semantic/indexers/run-indexer.ts';
import type { WritableFacts } from '../store/facts-file.ts';
import type { StoredContext } from '../store/stored-contexts.ts';
import {
  commitOutput,
  createReadBytes,
  type ImportAsk,
  type ImportFailed,
  type ImportThreads,
  listSecretBearers,
  prepareInThread,
  prepareOutput,
  type ReadyImport,
} from './import-thread.ts';

/** What `.codegenie/contexts.json` and the tree say; see `discover-contexts.ts`. */
export type RefreshDiscovery = {
  readonly resolve: ResolveWorld;
  languageOf(path: string): string | null;
  targetsOf(path: string): readonly string[];
  readonly pinned: Uint8Array | undefined;
};

export type IndexerPlace = {
  readonly jobDir: string;
  readonly probe: IndexerProbe;
  /** Members whose documents are wanted; null: all. */
  readonly scope: readonly string[] | null;
  /** Files that are enough for them; null: all. */
  readonly roots: ProgramRoots | null;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  /** The process group, with what tells it from a later one of the same number. */
  readonly onStart: (pgid: number, startTime: string) => void;
};

export type RefreshParts = {
  discover(world: RefreshDiscovery): Discovery;
  findAdapter(id: IndexerId): IndexerAdapter | undefined;
  /** `directory` of the context, root-relative. */
  probe(adapter: IndexerAdapter, directory: string): Promise<IndexerProbe>;
  /** Resolves only when nothing of the process group is left (R26). */
  runIndexer(adapter: IndexerAdapter, context: IndexerContext, place: IndexerPlace): Promise<IndexerRun>;
  /** Called when an indexer is at work: what its output will be imported with can be got ready meanwhile. */
  expectImport?(context: StoredContext, facts: WritableFacts, signal: AbortSignal): void;
  /** `cancelled` only after the signal. */
  prepareImport(ask: ImportAsk): Promise<ReadyImport | ImportFailed | { readonly kind: 'cancelled' }>;
  makeJobDir(name: string): string;
  removeJobDir(path: string): void;
  /** What earlier processes left. */
  sweepJobDirs(): void;
};

export type PartsSettings = {
  /** Realpath. */
  readonly root: string;
  /** The user's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `tools.<name>.path` of the user's configuration. */
  readonly toolPaths: Readonly<Record<string, string>>;
  /** `scip.max_file_mb`. */
  readonly maxFileMb: number;
  /** `scip.indexer`; see `DiscoveryWorld`. */
  readonly typeScriptIndexer?: TypeScriptIndexer | undefined;
  /** `scip.extra_projects`; see `DiscoveryWorld`. */
  readonly extraProjects?: readonly string[] | undefined;
  /** Where others wait for this thread: large outputs are imported in one of their own. */
  readonly importThreads?: ImportThreads | undefined;
  readonly signal: AbortSignal;
};

export function connectParts(settings: PartsSettings): RefreshParts {
  const { root, environment, toolPaths, maxFileMb, typeScriptIndexer, extraProjects, signal } = settings;
  // A host remembers where tools are: one for each question, so that a tool that was installed meanwhile is found.
  const createHost = () => createExecHost({ root, environment, toolPaths, logger: silentLogger });
  return {
    discover: (world) => discoverWithProblems({ ...world, typeScriptIndexer, extraProjects }),
    findAdapter: (id) => indexers[id],
    probe(adapter, directory) {
      const host = createHost();
      const exec = host.bind({ name: 'refresh', signal, workspace: root });
      const contextRoot = directory === '' ? root : `${root}/${directory}`;
      return probeIndexer(adapter, { host, exec, repoRoot: root, environment, contextRoot });
    },
    runIndexer(adapter, context, place) {
      const exec = createHost().bind({ name: 'refresh', signal: place.signal, workspace: place.jobDir });
      return runIndexer(adapter, context, { ...place, exec, repoRoot: root, maxFileMb });
    },
    expectImport({ family }, facts, signal) {
      // Whatever is the matter is said by the import itself.
      readSecretBearers(root, facts, family, signal).catch(() => {});
    },
    ...importParts(root, settings.importThreads),
    makeJobDir: (job) => makeJobDir({ root, environment, job }),
    removeJobDir,
    sweepJobDirs: () => void sweepJobDirs({ root, environment }),
  };
}

/** What turns an output into facts; the same for a real and for a fake indexer. */
export function importParts(root: string, threads?: ImportThreads): Pick<RefreshParts, 'prepareImport'> {
  return {
    async prepareImport(ask) {
      const { facts, hold, outputPath } = ask;
      const bytes = statSync(outputPath, { throwIfNoEntry: false })?.size ?? 0;
      if (threads !== undefined && bytes >= threads.fromBytes) return prepareInThread(root, ask, threads);
      const prepared = await prepareOutput(root, ask);
      if (prepared.kind !== 'prepared') return prepared;
      return {
        kind: 'ready',
        commit: (take) =>
          hold.write(() => {
            const asked = take();
            return asked === undefined ? { kind: 'stopped' } : commitOutput(facts, prepared, asked);
          }),
        redactOutput: async (to) => prepared.redactOutput(to),
        close: async () => {},
      };
    },
  };
}

/** While the tool works there is nothing else to do. What has changed until the import is looked at again there. */
async function readSecretBearers(
  root: string,
  facts: Pick<WritableFacts, 'read'>,
  family: Family,
  signal: AbortSignal,
) {
  const readBytes = createReadBytes(root);
  for (const path of listSecretBearers(facts, family)) {
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return;
    const bytes = readBytes(path);
    if (bytes !== undefined) recogniseOnce(bytes);
  }
}
