/**
 * The import of a large output in a thread of its own, as `import-parts` sees it (`import-worker.ts` is the inside). A thread that dies is a
 * failure of its job like any other; the store is then as before, or, if it died after its last word to SQLite, the job's row says that it
 * is completed, and whoever reports the failure finds it lost.
 */

import { Worker } from 'node:worker_threads';
import { assert } from '../../../kernel/base/assert.ts';
import type { FactsPlace } from '../../store/open-facts.ts';
import { StoreFailed } from '../../store/store-failed.ts';
import { type ImportAnswer, type ImportRequest, type ImportStart, importPhase } from './import-messages.ts';
import type { ImportAsk, ImportFailed, ReadyImport } from './refresh-parts.ts';

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
