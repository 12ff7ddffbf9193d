/**
 * One reconcile at a time (R6). What arrives while one runs is merged into the next. A sweep serves everyone who asked before it
 * began and nobody who asked later: "everything before the question began is seen".
 */

import type { ReconcileAsk, ReconcileOutcome } from './reconcile.ts';

export interface ReconcileQueue {
  /** Resolves when a reconcile that began after this call, and covered it, has ended. */
  request(ask: ReconcileAsk): Promise<ReconcileOutcome>;
  /** Acts after everything that was asked for before; what is asked for later waits until it has ended. */
  alone<T>(act: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is under way or waiting. */
  settled(): Promise<void>;
}

type Batch = {
  readonly kind: 'batch';
  ask: 'all' | Set<string>;
  readonly promise: Promise<ReconcileOutcome>;
  readonly run: () => Promise<void>;
};
type Waiting = Batch | { readonly kind: 'alone'; readonly run: () => Promise<void> };

export function createReconcileQueue(reconcile: (ask: ReconcileAsk) => Promise<ReconcileOutcome>): ReconcileQueue {
  let running: Promise<unknown> | undefined;
  /** In the order of asking; two batches never follow each other. */
  const waiting: Waiting[] = [];

  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next.run();
    running = undefined;
  };
  const add = (item: Waiting) => {
    waiting.push(item);
    running ??= Promise.resolve().then(work);
  };

  return {
    request(ask) {
      const last = waiting.at(-1);
      if (last?.kind === 'batch') {
        if (ask === 'all') last.ask = 'all';
        else if (last.ask !== 'all') for (const path of ask) last.ask.add(path);
        return last.promise;
      }
      const { promise, resolve, reject } = Promise.withResolvers<ReconcileOutcome>();
      const batch: Batch = {
        kind: 'batch',
        ask: ask === 'all' ? 'all' : new Set(ask),
        promise,
        run: () => reconcile(batch.ask).then(resolve, reject),
      };
      add(batch);
      return promise;
    },
    alone<T>(act: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      add({ kind: 'alone', run: () => act().then(resolve, reject) });
      return promise;
    },
    async settled() {
      while (running !== undefined) await running;
    },
  };
}
