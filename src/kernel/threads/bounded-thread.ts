/**
 * A thread for questions that may never be answered, such as a user's regular expression. Promises:
 * - the thread starts with the first question, serves all that follow, and is started anew only after it had to be ended;
 * - a question has its processor time, not counting the start of the thread; when that is up the thread is ended, and with it what hangs;
 * - a thread that waits for questions never keeps the program alive.
 *
 * Pools that parse are apart (`index/sync/index-pool.ts`, `probes/shared/parse-pool.ts`): their threads hold wasm and must not come and go
 * (decision 0014). Those two stay two: one hands out batches and reads from shared memory which file a lost thread was at, the other
 * answers single requests and lends its threads to the next pool of the process.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { whenSpent } from './processor-time.ts';

type BoundedThread<Q, A> = {
  /** One question at a time. Undefined when there was no answer in time, or the thread died of the question. */
  ask(question: Q, workMs: number): Promise<A | undefined>;
  close(): Promise<void>;
};

/** The file at `url` sends one message when it is ready, and one for each question. */
export function createBoundedThread<Q, A>(url: URL, limits: { readonly maxHeapMb: number }): BoundedThread<Q, A> {
  let thread: Promise<Worker> | undefined;
  const close = async (): Promise<void> => {
    const running = thread;
    thread = undefined;
    await (await running)?.terminate();
  };
  return {
    async ask(question, workMs) {
      thread ??= start(url, limits.maxHeapMb);
      const answer = await askThread<Q, A>(await thread, question, workMs);
      if (answer === undefined) await close();
      return answer;
    },
    close,
  };
}

/** Resolves when the thread is ready, so that its start is not counted against the first question. */
async function start(url: URL, maxHeapMb: number): Promise<Worker> {
  const worker = new Worker(url, { env: {}, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
  await once(worker, 'message');
  // A thread that is being ended may still die of its last question, which has been answered for.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}

function askThread<Q, A>(worker: Worker, question: Q, workMs: number): Promise<A | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: A | undefined) => {
      cancel();
      worker.off('message', settle);
      worker.off('error', giveUp);
      worker.unref();
      resolve(answer);
    };
    const giveUp = () => settle(undefined);
    // An answer that arrived while this thread was busy is delivered before the immediate runs: it still counts.
    const cancel = whenSpent(worker, workMs, () => setImmediate(giveUp));
    worker.on('message', settle);
    worker.on('error', giveUp);
    worker.ref();
    worker.postMessage(question);
  });
}
