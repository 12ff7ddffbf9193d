/**
 * Describing files off the main thread (code-plane.md §3.1). Promises:
 * - threads start when there is work for them, or will be: a single saved file costs one thread, none if it is already warm;
 * - S6: a file that hangs, throws or kills its thread is described again without being parsed (`parse = failed`), and the files
 *   behind it in the same batch go to a fresh thread;
 * - answers are handed over one at a time, on this thread, and no more than 256 files per thread are ever under way;
 * - when the signal fires every thread ends at once and the open run rejects with its reason.
 */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { assert } from '../../kernel/base/assert.ts';
import type {
  DescribeAnswer,
  DescribedTree,
  DescribeRequest,
  FileAnswer,
  WorkerAnswer,
  WorkerMessage,
} from './index-worker.ts';

const poolLimits = {
  threads: 8,
  filesPerBatch: 16,
  /** Batches that a thread has: enough to last while this thread writes a thousand files to the store. */
  batchesPerThread: 16,
  /**
   * Wasm memory never shrinks, though it is used again: a thread is replaced now and then. Not often, because a new one costs half a
   * second of compiling before it is as fast as the old.
   */
  filesPerThread: 20_000,
  /** Waiting files that justify one more thread: starting one costs as much as describing some dozens. */
  filesForAnotherThread: 48,
  parseTimeoutMs: 5_000,
  /** A thread that was asked to end and has not. */
  endGraceMs: 2_000,
} as const;

export interface IndexPool {
  /** `accept` is called once for every request, in no particular order. Runs wait for each other. */
  run(
    tree: DescribedTree,
    requests: readonly DescribeRequest[],
    accept: (request: DescribeRequest, answer: DescribeAnswer) => void,
  ): Promise<void>;
  /** There will be work: a first thread starts, if there is none. */
  warm(): void;
  /** Ends idle threads; the next run starts new ones. */
  rest(): Promise<void>;
  close(): Promise<void>;
  readonly threads: number;
}

type Thread = {
  readonly worker: Worker;
  ready: boolean;
  served: number;
  /** In the order in which it answers. */
  readonly open: (readonly DescribeRequest[])[];
  /** Files begun, written by the thread. */
  readonly progress: Int32Array;
  /** What `progress` said when its clock was last looked at. */
  begun: number;
  timer: NodeJS.Timeout | undefined;
};

type Run = {
  readonly tree: DescribedTree;
  readonly epoch: number;
  readonly waiting: DescribeRequest[];
  next: number;
  left: number;
  readonly accept: (request: DescribeRequest, answer: DescribeAnswer) => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
};

const ticksPerTimeout = 10;

// `tsc` rewrites import specifiers, not URLs: the worker has the extension of this very file.
const workerUrl = new URL(`./index-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export function openIndexPool(options: {
  readonly signal: AbortSignal;
  readonly workers?: number | undefined;
  readonly timeoutMs?: number;
}): IndexPool {
  const { signal, timeoutMs = poolLimits.parseTimeoutMs } = options;
  const maxThreads = Math.max(1, options.workers ?? Math.min(poolLimits.threads, availableParallelism()));
  const threads = new Set<Thread>();
  let run: Run | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let epoch = 0;
  let ended: { readonly reason: unknown } | undefined;

  function start(): void {
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(workerUrl, { workerData: { progress } });
    const thread: Thread = { worker, ready: false, served: 0, open: [], progress, begun: 0, timer: undefined };
    threads.add(thread);
    worker.on('message', (answer: WorkerAnswer) => receive(thread, answer));
    worker.on('error', (error) => {
      if (!threads.has(thread)) return;
      // Before it was ready this is our own fault (a module is missing), not the file's.
      if (thread.ready) lose(thread);
      else void end(error);
    });
  }

  function dispatch(): void {
    if (run === undefined) return;
    for (const thread of threads) fill(thread, run);
    const waiting = run.waiting.length - run.next;
    const starting = [...threads].filter((thread) => !thread.ready).length;
    const wanted =
      threads.size === 0 ? 1 : waiting > (threads.size + starting) * poolLimits.filesForAnotherThread ? 1 : 0;
    if (wanted > 0 && waiting > 0 && threads.size < maxThreads) start();
  }

  function fill(thread: Thread, current: Run): void {
    const { filesPerBatch, filesPerThread } = poolLimits;
    // Towards the end the rest is shared out evenly.
    const share = Math.ceil((current.waiting.length - current.next) / filesPerBatch / maxThreads / 2);
    const batches = Math.min(poolLimits.batchesPerThread, Math.max(2, share));
    while (
      thread.ready &&
      thread.open.length < batches &&
      thread.served + thread.open.length * filesPerBatch < filesPerThread &&
      current.next < current.waiting.length
    ) {
      const requests = current.waiting.slice(current.next, current.next + filesPerBatch);
      current.next += requests.length;
      thread.open.push(requests);
      if (thread.open.length === 1) arm(thread);
      thread.worker.ref();
      const { root, key } = current.tree;
      thread.worker.postMessage({ root, key, epoch: current.epoch, requests } satisfies WorkerMessage);
    }
  }

  /**
   * As long as it begins new files it is not stuck. Counted in ticks of this thread's own clock: a process that was stopped, or a write
   * that blocked this thread, costs one tick and never a file.
   */
  function arm(thread: Thread): void {
    clearInterval(thread.timer);
    thread.begun = Atomics.load(thread.progress, 0);
    let ticks = 0;
    thread.timer = setInterval(() => {
      const begun = Atomics.load(thread.progress, 0);
      ticks = begun === thread.begun ? ticks + 1 : 0;
      thread.begun = begun;
      // An answer that has arrived and was not read yet comes first.
      if (ticks >= ticksPerTimeout) setImmediate(() => Atomics.load(thread.progress, 0) === begun && lose(thread));
    }, timeoutMs / ticksPerTimeout);
  }

  function receive(thread: Thread, answer: WorkerAnswer): void {
    if (!threads.has(thread)) return;
    if (answer.kind === 'ready') {
      thread.ready = true;
      dispatch();
      if (thread.open.length === 0) rest(thread);
      return;
    }
    const requests = thread.open.shift();
    assert(requests?.length === answer.answers.length && run !== undefined, 'a thread answers what it was asked');
    thread.served += requests.length;
    // The next batch is on its way before this one is worked off.
    fill(thread, run);
    if (thread.open.length > 0) arm(thread);
    else if (thread.served >= poolLimits.filesPerThread) retire(thread);
    else rest(thread);
    for (let at = 0; at < requests.length && run !== undefined; at += 1) {
      accept(run, requests[at] as DescribeRequest, answer.answers[at] as FileAnswer);
    }
    dispatch();
  }

  function accept(current: Run, request: DescribeRequest, answer: FileAnswer): void {
    if (answer.kind !== 'threw') deliver(current, request, answer);
    else if (request.parse === 'full') current.waiting.push({ ...request, parse: 'none' });
    else void end(new Error(`${request.identity.path} could not be described: ${answer.message}`));
  }

  /** A warm thread alone does not keep a finished command alive. */
  function rest(thread: Thread): void {
    clearInterval(thread.timer);
    thread.timer = undefined;
    thread.worker.unref();
  }

  function deliver(current: Run, request: DescribeRequest, answer: DescribeAnswer): void {
    try {
      current.accept(request, answer);
    } catch (error) {
      void end(error);
      return;
    }
    current.left -= 1;
    if (current.left > 0) return;
    run = undefined;
    current.resolve();
  }

  /** The thread is lost with the file it was working on; that one is described without its tree, the others as they would have been. */
  function lose(thread: Thread): void {
    // It may have answered meanwhile.
    if (!threads.has(thread) || thread.open.length === 0) return;
    const at = Atomics.load(thread.progress, 0) - thread.served - 1;
    const open = thread.open.splice(0).flat();
    clearInterval(thread.timer);
    threads.delete(thread);
    void thread.worker.terminate();
    for (const [index, request] of open.entries()) {
      if (run === undefined) break;
      if (index !== at) run.waiting.push(request);
      else if (request.parse === 'full') run.waiting.push({ ...request, parse: 'none' });
      else void end(new Error(`${request.identity.path} ends the thread that reads it`));
    }
    dispatch();
  }

  function retire(thread: Thread): void {
    clearInterval(thread.timer);
    threads.delete(thread);
    void endQuietly(thread);
  }

  async function end(reason: unknown): Promise<void> {
    if (ended !== undefined) return;
    ended = { reason };
    signal.removeEventListener('abort', onAbort);
    const open = [...threads];
    threads.clear();
    for (const thread of open) clearInterval(thread.timer);
    const current = run;
    run = undefined;
    current?.reject(reason);
    // An idle thread ends by itself; a busy one is stopped.
    await Promise.all(
      open.map((thread) => (thread.open.length === 0 ? endQuietly(thread) : thread.worker.terminate())),
    );
  }

  const onAbort = () => void end(signal.reason);
  if (signal.aborted) ended = { reason: signal.reason };
  else signal.addEventListener('abort', onAbort, { once: true });

  function begin(tree: DescribedTree, requests: readonly DescribeRequest[], accept: Run['accept']): Promise<void> {
    if (ended !== undefined) return Promise.reject(ended.reason);
    assert(run === undefined, 'one run at a time');
    return new Promise((resolve, reject) => {
      epoch += 1;
      run = { tree, epoch, waiting: [...requests], next: 0, left: requests.length, accept, resolve, reject };
      dispatch();
    });
  }

  return {
    run(tree, requests, accept) {
      if (ended !== undefined) return Promise.reject(ended.reason);
      if (requests.length === 0) return Promise.resolve();
      const ours = turn.then(() => begin(tree, requests, accept));
      turn = ours.catch(() => {});
      return ours;
    },
    warm() {
      if (ended === undefined && threads.size === 0) start();
    },
    async rest() {
      if (run !== undefined) return;
      const idle = [...threads];
      threads.clear();
      await Promise.all(idle.map(endQuietly));
    },
    close: () => end(new Error('the index pool was closed')),
    get threads() {
      return threads.size;
    },
  };
}

/** Stopping a thread while its wasm is being compiled or freed can end the whole process, so it is asked first. */
async function endQuietly(thread: Thread): Promise<void> {
  const exited = new Promise((resolve) => thread.worker.once('exit', resolve));
  thread.worker.postMessage('end' satisfies WorkerMessage);
  const late = setTimeout(() => void thread.worker.terminate(), poolLimits.endGraceMs);
  thread.worker.ref();
  await exited;
  clearTimeout(late);
}
