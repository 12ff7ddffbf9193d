/**
 * From an indexer's output to rows, in this thread or in one of its own: what is read to prepare, what is known when it is written, and the
 * messages between the thread that keeps a root and the one that imports (`import-worker.ts` is its inside).
 *
 * A thread that dies is a failure of its job like any other; the store is then as before, or, if it died after its last word to SQLite, the
 * job's row says that it is completed, and the report of the failure finds the job lost.
 */

import { Worker } from 'node:worker_threads';
import { assert } from '../../kernel/base/assert.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { createDirectoryGuard, readSource } from '../../kernel/tree/safe-read.ts';
import type { IndexerAdapter } from '../../languages/indexers/indexer-adapter.ts';
import { type Failure, type Family, isIndexedBy } from '../../languages/projects/context-spec.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { createFileStates, type FileStates } from '../freshness/file-states.ts';
import { type CommitOptions, type CommitOutcome, commitImport } from '../semantic/commit-import.ts';
import {
  type ImportFailure,
  type ImportSource,
  type PreparedImport,
  prepareImport,
} from '../semantic/prepare-import.ts';
import { createRepoPackages } from '../semantic/symbol-key.ts';
import type { FactsPlace, WritableFacts } from '../store/facts-file.ts';
import { StoreFailed } from '../store/store-failed.ts';
import type { StoredContext } from '../store/stored-contexts.ts';
import { type FileInterface, listFactsOfFile, loadInterfaces } from '../store/stored-facts.ts';
import { listDefiningPaths } from '../store/stored-occurrences.ts';
import { listRedactedFiles } from '../store/stored-text.ts';
import { noDifferences } from '../sync/find-differences.ts';
import type { StoreHold } from '../sync/store-turns.ts';

export type ImportAsk = {
  readonly outputPath: string;
  readonly documentBase: string;
  readonly context: StoredContext;
  /** Whose documents are taken. */
  readonly members: ReadonlySet<string>;
  /** They are not all members of the context. */
  readonly isPart: boolean;
  readonly adapter: IndexerAdapter;
  readonly resolve: ResolveWorld;
  readonly pre: ReadonlyMap<string, FileInterface>;
  readonly canonicalOf: (path: string) => string;
  readonly facts: WritableFacts;
  readonly hold: StoreHold;
  readonly signal: AbortSignal;
};

export type ImportFailed = { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string };

type Committed =
  | (CommitOutcome & {
      /** What nothing refers to any more is gone as well. */
      readonly isSwept?: boolean;
    })
  | ImportFailed;

/** What is ready to be committed; only `commit` looks inside. */
export type ReadyImport = {
  readonly kind: 'ready';
  /** `take` is called when no other thread writes any more, and looks at everything a last time; undefined: it is not to be committed. */
  commit(take: () => CommitAsk | undefined): Promise<Committed>;
  /** Writes a copy without what the sources keep secret; false: there is none. */
  redactOutput(to: string): Promise<boolean>;
  /** To be called in the end, whatever became of it. */
  close(): Promise<void>;
};

export type ImportThreads = {
  readonly place: FactsPlace;
  /** Of the output: starting a thread costs more than importing a small one. */
  readonly fromBytes: number;
  /** Instead of the real one. */
  readonly workerUrl?: URL | undefined;
};

/** The published form has its entries beside each other. */
const workerUrl = new URL(`./import-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export async function prepareInThread(
  root: string,
  { outputPath, documentBase, members, adapter, pre, context, isPart, facts, hold, signal }: ImportAsk,
  threads: ImportThreads,
): Promise<ReadyImport | ImportFailed | { readonly kind: 'cancelled' }> {
  const phase = new Int32Array(new SharedArrayBuffer(4));
  const { positionEncoding } = adapter;
  const ask = { outputPath, documentBase, members, adapter: { positionEncoding }, pre, context, isPart };
  const start: ImportStart = { root, place: threads.place, phase, ask };
  const thread = startThread(start, threads.workerUrl ?? workerUrl);
  const stop = () => {
    // While it prepares there is nothing to undo; while it writes it undoes that first.
    const before = Atomics.compareExchange(phase, 0, importPhase.open, importPhase.stopped);
    if (before === importPhase.open && !isWriting) void thread.end();
  };
  let isWriting = false;
  const close = async () => {
    signal.removeEventListener('abort', stop);
    await thread.end();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const first = await thread.next();
    if (signal.aborted || first.kind !== 'prepared') {
      await close();
      return signal.aborted ? { kind: 'cancelled' } : asFailed(first);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: 'ready',
    close,
    commit: (take) =>
      hold.lend(async () => {
        const asked = take();
        if (asked === undefined || signal.aborted) return { kind: 'stopped' };
        isWriting = true;
        try {
          const sweep = isPart ? 'replaced' : 'all';
          const nextJobId = facts.jobs.nextId;
          const said = await thread.ask({ kind: 'commit', ask: asked, sweep, nextJobId });
          if (said.kind === 'ended') return { isSwept: true, ...said.outcome };
          return asFailed(said);
        } finally {
          isWriting = false;
        }
      }),
    async redactOutput(to) {
      const said = await thread.ask({ kind: 'redact', to });
      return said.kind === 'redacted' && said.isMade;
    },
  };
}

type Died = { readonly kind: 'died'; readonly failure: 'internal_error' | 'out_of_memory'; readonly detail: string };

function asFailed(said: ImportAnswer | Died): ImportFailed {
  switch (said.kind) {
    case 'failed':
    case 'died':
      return { kind: 'failed', failure: said.failure, detail: said.detail };
    case 'store_failed':
      throw new StoreFailed(said.detail, said.damaged);
    default:
      throw new Error(`the thread said ${said.kind}`);
  }
}

function startThread(start: ImportStart, url: URL) {
  const worker = new Worker(url, { workerData: start });
  const said: (ImportAnswer | Died)[] = [];
  let wake = () => {};
  let died: Died | undefined;
  let error: unknown;
  worker.on('message', (answer: ImportAnswer) => {
    said.push(answer);
    wake();
  });
  worker.on('error', (thrown) => {
    error = thrown;
  });
  // Not before: only now its connection is closed.
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  worker.on('exit', (code) => {
    const isMemory = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const detail = error === undefined ? `the thread ended with ${code}` : String((error as Error).stack ?? error);
    died = { kind: 'died', failure: isMemory ? 'out_of_memory' : 'internal_error', detail };
    resolve();
    wake();
  });
  const next = async (): Promise<ImportAnswer | Died> => {
    for (;;) {
      const answer = said.shift() ?? died;
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  let isAsked = false;
  return {
    next,
    async ask(request: ImportRequest): Promise<ImportAnswer | Died> {
      assert(!isAsked, 'one request at a time');
      isAsked = true;
      try {
        worker.postMessage(request);
        return await next();
      } finally {
        isAsked = false;
      }
    },
    async end(): Promise<void> {
      void worker.terminate();
      await gone;
    },
  };
}

// ---- messages: one answer to each request, in order

export type ImportStart = {
  readonly root: string;
  readonly place: FactsPlace;
  /** One of `importPhase`. The first thread to change it from `open` decides: stopped by the one, or committed by the other. */
  readonly phase: Int32Array;
  readonly ask: Pick<ImportSource, 'outputPath' | 'documentBase' | 'members' | 'adapter' | 'pre'> & {
    readonly context: StoredContext;
    readonly isPart: boolean;
  };
};

export const importPhase = { open: 0, stopped: 1, committing: 2 } as const;

/** The first answer comes by itself, when everything is prepared. */
export type ImportRequest =
  | {
      readonly kind: 'commit';
      readonly ask: CommitAsk;
      readonly sweep: 'all' | 'replaced';
      /** See `JobWriter`. */
      readonly nextJobId: number;
    }
  | { readonly kind: 'redact'; readonly to: string };

export type ImportAnswer =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string }
  | { readonly kind: 'ended'; readonly outcome: CommitOutcome }
  | { readonly kind: 'redacted'; readonly isMade: boolean }
  /** See `StoreFailed`. */
  | { readonly kind: 'store_failed'; readonly detail: string; readonly damaged: boolean };

// ---- the import itself, in the thread that has the store

type OutputAsk = Pick<ImportSource, 'outputPath' | 'documentBase' | 'members' | 'adapter' | 'canonicalOf'> & {
  readonly context: StoredContext;
  readonly isPart: boolean;
  readonly resolve: ResolveWorld;
  readonly pre: ImportSource['pre'];
  readonly facts: Pick<WritableFacts, 'read'>;
  readonly signal: Pick<AbortSignal, 'aborted'>;
};

/** An output as facts that are not written yet. */
export function prepareOutput(
  root: string,
  { resolve, facts, ...ask }: OutputAsk,
): Promise<PreparedImport | ImportFailure> {
  return prepareImport({
    ...ask,
    packages: createRepoPackages(resolve),
    readBytes: createReadBytes(root),
    storedDefinitions: (keys) => facts.read((session) => listDefiningPaths(session, keys)),
    isStored: (path) =>
      facts.read((session) => listFactsOfFile(session, path)).some(({ contextId }) => contextId === ask.context.id),
    secretBearers: listSecretBearers(facts, ask.context.family),
  });
}

/** What is known when no other thread writes any more. Plain data: it may have to go to another thread. */
export type CommitAsk = Pick<CommitOptions, 'job' | 'owner' | 'context' | 'scope' | 'nowMs'> & {
  /** Files that were written to since before the run, or use what has gone since: what the indexer read there is not known. */
  readonly disturbed: ReadonlySet<string>;
};

export function commitOutput(
  facts: WritableFacts,
  prepared: PreparedImport,
  { disturbed, ...ask }: CommitAsk,
  mayGoOn?: CommitOptions['mayGoOn'],
): CommitOutcome {
  const interfaces = facts.ofFiles('interfaces', loadInterfaces);
  return commitImport(facts, prepared, {
    ...ask,
    post: (path) => (disturbed.has(path) ? undefined : interfaces.get(path)),
    states: statesBefore(facts),
    mayGoOn,
  });
}

/** As they are before anything is written, whenever they are asked for. */
function statesBefore(facts: WritableFacts): FileStates {
  const generation = facts.read((session) => session.generation);
  const states = createFileStates({ read: facts.read, differences: noDifferences, generation });
  states.unsettled();
  return states;
}

export function listSecretBearers(facts: Pick<WritableFacts, 'read'>, family: Family): readonly string[] {
  return facts.read(listRedactedFiles).flatMap(({ path, language }) => (isIndexedBy(family, language) ? [path] : []));
}

export function createReadBytes(root: string): (path: string) => Uint8Array | undefined {
  const guard = createDirectoryGuard(root);
  return (path) => {
    const read = readSource(root, path, textLimits.textBytes, guard);
    return read.kind === 'read' ? read.bytes : undefined;
  };
}
