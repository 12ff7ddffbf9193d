/**
 * What a daemon keeps open for one root, from the writer lock to the refresh worker (code-plane.md §2 "Start-up order"): the sync loop with
 * its session, one refresher, and readers beside them. Everything it started ends with `close`.
 */

import type { ImportThreads } from '../../index/refresh/import-thread.ts';
import { refreshLimits } from '../../index/refresh/refresh-limits.ts';
import type { RefreshEvent, Refresher, SemanticSettings } from '../../index/refresh/refresher.ts';
import type { WriterIdentity } from '../../index/store/writer-lock.ts';
import {
  createGit,
  type HeldLock,
  type IndexSession,
  identityOf,
  type SessionSettings,
} from '../../index/sync/index-session.ts';
import { type SyncEvent, type SyncTimes, startSyncLoop } from '../../index/sync/sync-loop.ts';
import {
  createLentComparison,
  createReaderPool,
  type LentComparison,
  type ReaderPool,
} from '../../index/view/pinned-view.ts';
import { processStart, releaseMemory } from '../../kernel/base/processes.ts';
import { createTreeLister } from '../../kernel/tree/list-tree.ts';
import { whyRefused } from '../operations/answer-words.ts';

/** When a daemon runs indexers: by itself; only for a request that waits for them; not at all (`--syntactic-only`). */
export type IndexerRuns = 'background' | 'asked' | 'never';

export type CoreSettings = SessionSettings & {
  readonly semantic: Omit<SemanticSettings, 'onEvent'>;
  readonly waitMs: number;
  readonly watch: boolean;
  readonly indexers: IndexerRuns;
  /** The lock is held: where questions are taken from now on. */
  readonly listen: (lock: HeldLock) => Promise<string | null>;
  /** There is a store that can be read; nothing of it has been compared with the disk. */
  readonly onReads: (reads: EarlyReads) => void;
  readonly onEvent: (event: SyncEvent) => void;
  readonly onRefresh: (event: RefreshEvent) => void;
  readonly times?: Partial<SyncTimes> | undefined;
  /** Of imports in a thread of their own, where others are wanted than usual. */
  readonly importThreads?: Partial<Pick<ImportThreads, 'fromBytes' | 'workerUrl'>> | undefined;
};

export type EarlyReads = {
  readonly readers: ReaderPool;
  readonly identity: WriterIdentity;
  generation(): number;
};

export type DaemonCore = {
  readonly session: IndexSession;
  readonly refresher: Refresher;
  readonly readers: ReaderPool;
  readonly identity: WriterIdentity;
  /** For questions while the store is lent. */
  readonly beside: LentComparison;
  /** Contexts are those of the tree, and jobs that the writer before left are queued again. What needs no compiler facts need not wait. */
  readonly settled: Promise<void>;
  /** Of `.codegenie/contexts.json`, as last found. */
  contextProblems(): readonly string[];
  /** What is queued is run without anybody's doing. */
  readonly indexesItself: boolean;
  close(): Promise<void>;
};

export type OpenedCore =
  | { readonly kind: 'open'; readonly core: DaemonCore }
  | { readonly kind: 'busy' | 'refused'; readonly message: string };

/** How long after a job what it left in memory is given back: others may follow. */
const releaseAfterMs = 30_000;

export async function openDaemonCore(settings: CoreSettings): Promise<OpenedCore> {
  let refresher: Refresher | undefined;
  let early: ReaderPool | undefined;
  let releasing: NodeJS.Timeout | undefined;
  let problems: readonly string[] = [];
  let identity: WriterIdentity = { pid: process.pid, started: processStart(process.pid), nonce: '', socket: null };
  const started = await startSyncLoop({
    ...settings,
    onLock: async (lock) => {
      const socket = await settings.listen(lock);
      identity = { ...identity, nonce: lock.nonce, socket };
      lock.announce(socket);
    },
    onStore: ({ writer }) => {
      early = createReaderPool(identityOf(settings));
      settings.onReads({ readers: early, identity, generation: () => writer.generation });
    },
    onEvent: (event) => {
      settings.onEvent(event);
      if (event.kind === 'reconciled') refresher?.noteReconciled().catch(report('changes'));
    },
  }).catch((error: unknown) => {
    early?.close();
    throw error;
  });
  if (started.kind === 'busy') {
    const who = started.holder === null ? 'another process' : `process ${started.holder.pid}`;
    return { kind: 'busy', message: `${who} already keeps the index of ${settings.root}; stop it, or wait for it` };
  }
  if (started.kind === 'refused') return { kind: 'refused', message: whyRefused(started) };
  const { session } = started.loop;
  const readers = early ?? createReaderPool(identityOf(settings));
  // Much to load, and no question waits for it that needs no compiler facts.
  const { openRefresher } = await import('../../index/refresh/refresher.ts');
  const indexing = openRefresher(session, {
    ...settings,
    ...settings.semantic,
    importThreads: {
      place: identityOf(settings),
      fromBytes: refreshLimits.importedApartBytes,
      ...settings.importThreads,
    },
    onEvent: (event) => {
      if (event.kind === 'context_problems') problems = event.problems;
      if (event.kind === 'job_finished') {
        clearTimeout(releasing);
        releasing = setTimeout(releaseMemory, releaseAfterMs);
        releasing.unref();
      }
      settings.onRefresh(event);
    },
  });
  refresher = indexing;
  const settled = (async () => {
    await indexing.refreshContexts();
    await indexing.enqueueUnsettled('start');
    if (settings.indexers === 'background') await indexing.start();
  })();
  settled.catch(report('contexts'));
  const close = async () => {
    await indexing.close();
    clearTimeout(releasing);
    await settled.catch(() => {});
    readers.close();
    await started.loop.close();
  };
  const contextProblems = () => problems;
  const { root, signal } = settings;
  const lister = createTreeLister(root, createGit(settings));
  const indexesItself = settings.indexers === 'background';
  const beside = createLentComparison({
    root,
    readers,
    lister,
    writer: identity,
    contextProblems,
    indexesItself,
    signal,
  });
  const core = {
    session,
    refresher: indexing,
    readers,
    identity,
    beside,
    settled,
    contextProblems,
    indexesItself,
    close,
  };
  return { kind: 'open', core };

  function report(why: string): (error: unknown) => void {
    return (error) => {
      if (!settings.signal.aborted) settings.onEvent({ kind: 'failed', why, error });
    };
  }
}
