/**
 * A limit on what a thread does, in processor time. By the clock alone a busy machine loses work that is small: what waits for a processor does
 * nothing wrong (G45). The clock is asked first, because that costs nothing; then the thread's own account decides.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** However little it gets to work: so many times its limit by the clock, and it is given up. */
const patience = 60;
/** A thread that has worked for nearly all of its time has had it. */
const share = 0.8;

/** Calls `spent` once the thread has had between one and two times `limitMs` for itself. The answer cancels it. */
export function whenSpent(worker: Pick<Worker, 'cpuUsage'>, limitMs: number, spent: () => void): () => void {
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    let markMs: number | undefined;
    for (let round = 0; round < patience; round += 1) {
      await delay(Math.max(0, limitMs), undefined, { signal: over.signal, ref: false });
      const worked = await workedMs(worker, limitMs, over.signal);
      if (worked === undefined) continue;
      if (markMs !== undefined && worked - markMs >= limitMs * share) break;
      markMs ??= worked;
    }
    if (!over.signal.aborted) spent();
  };
  watch().catch(() => {
    // Cancelled: there is an answer.
  });
  return () => over.abort();
}

/** Undefined where the thread does not say, or not in time. */
async function workedMs(
  worker: Pick<Worker, 'cpuUsage'>,
  limitMs: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const said = worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => undefined,
  );
  return Promise.race([said, delay(Math.max(50, limitMs), undefined, { signal, ref: false })]);
}
