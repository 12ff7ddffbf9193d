/**
 * Parsing off the main thread. Promises:
 * - threads start when there is work for them, so a handful of files costs one thread;
 * - when the signal fires every thread is terminated at once and every open request rejects with the signal's reason;
 * - a file that takes too long or kills its thread is a `failed` value and the next file is served by a fresh thread;
 * - bytes are copied once and then moved to the thread, several files in one message (waking a thread costs as much as parsing a small
 *   file); the caller's bytes stay valid;
 * - threads that have nothing to do when a pool closes wait for the next pool of this process, and never keep the process alive: several
 *   probes of one gather share them, and threads with wasm in them do not come and go (decision 0014).
 */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ExtractionMemo } from '../../gather/cache/extraction-memo.ts';
import { assert, unreachable } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { whenSpent } from '../../kernel/threads/processor-time.ts';
import type { GrammarName } from '../../languages/languages.ts';
import type { ExtractorName, Facts, WorkerAnswer, WorkerRequest } from '../source-worker.ts';
import { sourceWorkerVersion } from '../source-worker-version.gen.ts';

export const parseLimits = {
  /** Larger files are not parsed. */
  parseBytes: 1024 * 1024,
  parseTimeoutMs: 5_000,
  /** Wasm memory never shrinks: a thread is replaced after this many files. It needs half a second to become as fast as the old (decision 0014). */
  filesPerThread: 20_000,
  /** Waiting requests that justify one more thread (start-up costs as much as parsing some dozen files). */
  backlogPerThread: 8,
  filesPerMessage: 16,
} as const;

type ParseTask<K extends ExtractorName> = {
  readonly grammar: GrammarName;
  readonly bytes: Uint8Array;
  readonly extract: readonly K[];
};

type Extraction<K extends ExtractorName> =
  | { readonly kind: 'extracted'; readonly facts: Pick<Facts, K>; readonly hasErrors: boolean }
  | { readonly kind: 'failed'; readonly reason: 'too_large' | 'timeout' | 'crashed' };

export interface ParsePool {
  run<K extends ExtractorName>(task: ParseTask<K>): Promise<Extraction<K>>;
  /** Ends all threads. Requests still open reject. */
  close(): Promise<void>;
  /** Threads alive now. */
  readonly threads: number;
}

type Settled = Extraction<ExtractorName>;
type Request = {
  readonly task: ParseTask<ExtractorName>;
  readonly resolve: (outcome: Settled) => void;
  readonly reject: (reason: unknown) => void;
};
type Thread = {
  readonly worker: Worker;
  ready: boolean;
  served: number;
  /** What it was given and has not answered; it works on the first. */
  readonly given: { readonly id: number; readonly request: Request }[];
  /** Ends the watch over the time of the first. */
  cancel: () => void;
};

// In the built package all files lie in one folder.
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? '../source-worker.ts' : './source-worker.js',
  import.meta.url,
);

const noWatch = () => {};

/** Threads between two pools. */
const parked: { readonly worker: Worker; readonly served: number; readonly forget: () => void }[] = [];
const maxParked = 2;

/** Threads of all pools, resting ones too. Beyond what can work at the same time a pool gets no more than one: each costs half a second and 100 MB. */
let alive = 0;
const plenty = Math.max(2, availableParallelism());

function stopListening(worker: Worker): void {
  worker.removeAllListeners('message');
  worker.removeAllListeners('error');
}

function startWorker(): Worker {
  const worker = new Worker(workerUrl);
  alive += 1;
  // Whatever else becomes of it.
  worker.once('exit', () => {
    alive -= 1;
  });
  return worker;
}

function park({ worker, ready, served, given }: Thread): boolean {
  if (!ready || given.length > 0 || parked.length >= maxParked) return false;
  // It has nothing to do, so whatever ends it now is no file's doing; the next pool starts another.
  const forget = () => void (parked.includes(rested) && parked.splice(parked.indexOf(rested), 1));
  const rested = { worker, served, forget };
  stopListening(worker);
  worker.on('error', forget);
  worker.on('exit', forget);
  worker.unref();
  parked.push(rested);
  return true;
}

export function openParsePool(options: {
  readonly signal: AbortSignal;
  readonly workers?: number;
  readonly timeoutMs?: number;
  /** What was extracted from the same bytes before is not extracted again. */
  readonly memo?: ExtractionMemo;
}): ParsePool {
  const { signal, timeoutMs = parseLimits.parseTimeoutMs } = options;
  const maxThreads = Math.max(1, options.workers ?? Math.min(2, availableParallelism()));
  const threads = new Set<Thread>();
  const waiting: Request[] = [];
  let nextId = 0;
  let ended: { readonly reason: unknown } | undefined;

  function start(): void {
    const rested = parked.pop();
    const thread: Thread =
      rested === undefined
        ? { worker: startWorker(), ready: false, served: 0, given: [], cancel: noWatch }
        : { worker: rested.worker, served: rested.served, ready: true, given: [], cancel: noWatch };
    threads.add(thread);
    stopListening(thread.worker);
    if (rested !== undefined) thread.worker.off('exit', rested.forget);
    thread.worker.ref();
    thread.worker.on('message', (answer: WorkerAnswer) => receive(thread, answer));
    thread.worker.on('error', (error) => {
      // Before it was ready this is our own fault (a grammar or module is missing), not the file's.
      if (thread.ready) drop(thread, { kind: 'failed', reason: 'crashed' });
      else void end(error);
    });
    if (thread.ready) dispatch();
  }

  function dispatch(): void {
    const mayStart = threads.size === 0 || parked.length > 0 || alive < plenty;
    if (mayStart && threads.size < maxThreads && waiting.length > threads.size * parseLimits.backlogPerThread) start();
    for (const thread of threads) {
      if (!thread.ready || thread.given.length > 0) continue;
      // The others get their share.
      const share = Math.min(parseLimits.filesPerMessage, Math.ceil(waiting.length / threads.size));
      if (share === 0) return;
      send(thread, waiting.splice(0, share));
    }
  }

  function send(thread: Thread, requests: readonly Request[]): void {
    const message = requests.map(({ task: { grammar, extract, bytes } }): WorkerRequest => {
      return { id: nextId++, grammar, extract, bytes: new Uint8Array(bytes) };
    });
    thread.given.push(...message.map(({ id }, at) => ({ id, request: requests[at] as Request })));
    watch(thread);
    thread.worker.postMessage(
      message,
      message.map(({ bytes }) => bytes.buffer as ArrayBuffer),
    );
  }

  function watch(thread: Thread): void {
    const [first] = thread.given;
    thread.cancel =
      first === undefined
        ? noWatch
        : whenSpent(thread.worker, timeoutMs, () => {
            if (thread.given[0] === first) drop(thread, { kind: 'failed', reason: 'timeout' });
          });
  }

  function receive(thread: Thread, answer: WorkerAnswer): void {
    if (!threads.has(thread)) return;
    if (answer.kind === 'ready') {
      thread.ready = true;
      dispatch();
      return;
    }
    const first = thread.given.shift();
    assert(first?.id === answer.id, 'a thread answers the requests it was given, in order');
    thread.cancel();
    watch(thread);
    thread.served += 1;
    if (thread.served >= parseLimits.filesPerThread && thread.given.length === 0) retire(thread);
    if (answer.kind === 'extracted') {
      first.request.resolve({ kind: 'extracted', facts: answer.facts as Facts, hasErrors: answer.hasErrors });
    } else if (answer.kind === 'threw') {
      first.request.reject(new Error(`extractor threw: ${answer.message}`));
    } else unreachable(answer);
    if (thread.given.length === 0) dispatch();
  }

  /** The thread is lost with the file it was working on; those behind it go to another. */
  function drop(thread: Thread, outcome: Settled): void {
    if (!threads.has(thread)) return;
    retire(thread);
    thread.cancel();
    const [first, ...rest] = thread.given.splice(0);
    waiting.unshift(...rest.map(({ request }) => request));
    first?.request.resolve(outcome);
    dispatch();
  }

  function retire(thread: Thread): void {
    threads.delete(thread);
    void thread.worker.terminate();
  }

  async function end(reason: unknown): Promise<void> {
    if (ended !== undefined) return;
    ended = { reason };
    signal.removeEventListener('abort', onAbort);
    const open = [...threads];
    threads.clear();
    for (const { cancel, given } of open) {
      cancel();
      for (const { request } of given) request.reject(reason);
    }
    for (const request of waiting.splice(0)) request.reject(reason);
    await Promise.all(open.map((thread) => (park(thread) ? undefined : thread.worker.terminate())));
  }

  const onAbort = () => void end(signal.reason);
  if (signal.aborted) ended = { reason: signal.reason };
  else signal.addEventListener('abort', onAbort, { once: true });

  return {
    run<K extends ExtractorName>(task: ParseTask<K>): Promise<Extraction<K>> {
      if (ended !== undefined) return Promise.reject(ended.reason);
      if (task.bytes.byteLength > parseLimits.parseBytes)
        return Promise.resolve({ kind: 'failed', reason: 'too_large' });
      const parse: Parse = (extract) =>
        new Promise((resolve, reject) => {
          if (ended !== undefined) return reject(ended.reason);
          waiting.push({ task: { ...task, extract }, resolve, reject });
          dispatch();
        });
      // A thread answers what it was asked for.
      const asked = options.memo === undefined ? parse(task.extract) : recallOr(options.memo, task, parse);
      return asked as Promise<Extraction<K>>;
    },
    close: () => end(new Error('the parse pool was closed')),
    get threads() {
      return threads.size;
    },
  };
}

type Parse = (extract: readonly ExtractorName[]) => Promise<Settled>;

/**
 * Facts are plain data and follow from the bytes, the grammar and the code alone. A file is parsed once for all that the gather expects to be
 * asked of it; where that fails, it is parsed for this question alone, so that nobody's answer depends on what others ask.
 */
async function recallOr(memo: ExtractionMemo, task: ParseTask<ExtractorName>, parse: Parse): Promise<Settled> {
  const { grammar, bytes, extract } = task;
  const key = blake3Hex(bytes);
  const version = `${grammar} ${sourceWorkerVersion}`;
  const nameOf = (name: ExtractorName) => `${name}.${grammar}`;
  const find = (name: ExtractorName) => memo.find(nameOf(name), version, key) as Kept | undefined;
  const recall = (): Settled | undefined => {
    const known = extract.map(find);
    if (known.some((one) => one === undefined)) return undefined;
    const facts = Object.fromEntries(extract.map((name, at) => [name, known[at]?.facts])) as Facts;
    return { kind: 'extracted', facts, hasErrors: known.some((one) => one?.hasErrors === true) };
  };
  const recalled = recall();
  if (recalled !== undefined) return recalled;
  const place = `${grammar} ${key}`;
  const underWay = memo.underWay.get(place);
  if (underWay !== undefined) {
    await underWay;
    const found = recall();
    if (found !== undefined) return found;
  }
  const others = ([...memo.expected] as ExtractorName[]).filter(
    (name) => !extract.includes(name) && find(name) === undefined,
  );
  const outcome = parseForAll(extract, others, parse);
  const kept = outcome.then(
    (settled) => {
      if (settled.kind !== 'extracted') return;
      for (const [name, facts] of Object.entries(settled.facts))
        memo.remember(nameOf(name as ExtractorName), version, key, {
          facts,
          hasErrors: settled.hasErrors,
        } satisfies Kept);
    },
    // Whoever waits parses it then.
    () => {},
  );
  memo.underWay.set(place, kept);
  await kept;
  if (memo.underWay.get(place) === kept) memo.underWay.delete(place);
  return outcome;
}

async function parseForAll(
  extract: readonly ExtractorName[],
  others: readonly ExtractorName[],
  parse: Parse,
): Promise<Settled> {
  if (others.length > 0) {
    const outcome = await parse([...extract, ...others]).catch(() => undefined);
    if (outcome?.kind === 'extracted') return outcome;
  }
  return parse(extract);
}

type Kept = { readonly facts: unknown; readonly hasErrors: boolean };
