/**
 * A limit on what a thread does, in processor time. By the clock alone a busy machine loses work that is small: what waits for a processor does
 * nothing wrong (G45). The clock is asked first, because that costs nothing; then the thread's own account decides.
 */

import type { Worker } from 'node:worker_threads';

/** However little it gets to work: so many times its limit by the clock, and it is given up. */
const patience = 60;
/** A thread that has worked for nearly all of its time has had it. */
const share = 0.8;

/** Calls `spent` once the thread has had between one and two times `limitMs` for itself. The answer cancels it. One for each file, so it must cost nothing. */
export function whenSpent(worker: Pick<Worker, 'cpuUsage'>, limitMs: number, spent: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let markMs: number | undefined;
  let rounds = 0;
  const wait = (ms: number, then: () => void): void => {
    timer = setTimeout(then, ms);
    timer.unref();
  };

  const look = (): void => {
    let isHeard = false;
    /** Undefined where the thread does not say, or not in time. */
    const hear = (workedMs: number | undefined): void => {
      if (isHeard || isOver) return;
      isHeard = true;
      clearTimeout(timer);
      judge(workedMs);
    };
    wait(Math.max(50, limitMs), () => hear(undefined));
    worker.cpuUsage().then(
      ({ user, system }) => hear((user + system) / 1000),
      () => hear(undefined),
    );
  };

  const judge = (workedMs: number | undefined): void => {
    rounds += 1;
    const isSpent = workedMs !== undefined && markMs !== undefined && workedMs - markMs >= limitMs * share;
    markMs ??= workedMs;
    if (!isSpent && rounds < patience) wait(Math.max(0, limitMs), look);
    else {
      isOver = true;
      spent();
    }
  };

  wait(Math.max(0, limitMs), look);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
