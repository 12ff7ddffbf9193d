/**
 * One reconcile at a time (R6). What arrives while one runs is merged into the next. A sweep serves everyone who asked before it
 * began and nobody who asked later: "everything before the question began is seen".
 */

import type { ReconcileAsk, ReconcileOutcome } from './reconcile.ts';

export interface ReconcileQueue {
  /** Resolves when a reconcile that began after this call, and covered it, has ended. */
  request(ask: ReconcileAsk): Promise<ReconcileOutcome>;
  /** Resolves when nothing is under way or waiting. */
  settled(): Promise<void>;
}

type Waiting = {
  ask: 'all' | Set<string>;
  readonly promise: Promise<ReconcileOutcome>;
  readonly resolve: (outcome: ReconcileOutcome) => void;
  readonly reject: (reason: unknown) => void;
};

export function createReconcileQueue(reconcile: (ask: ReconcileAsk) => Promise<ReconcileOutcome>): ReconcileQueue {
  let running: Promise<unknown> | undefined;
  let waiting: Waiting | undefined;

  const work = async () => {
    for (let batch = waiting; batch !== undefined; batch = waiting) {
      waiting = undefined;
      try {
        batch.resolve(await reconcile(batch.ask));
      } catch (error) {
        batch.reject(error);
      }
    }
    running = undefined;
  };

  return {
    request(ask) {
      if (waiting === undefined) {
        const { promise, resolve, reject } = Promise.withResolvers<ReconcileOutcome>();
        waiting = { ask: ask === 'all' ? 'all' : new Set(ask), promise, resolve, reject };
      } else if (ask === 'all') waiting.ask = 'all';
      else if (waiting.ask !== 'all') for (const path of ask) waiting.ask.add(path);
      const { promise } = waiting;
      running ??= Promise.resolve().then(work);
      return promise;
    },
    async settled() {
      while (running !== undefined) await running;
    },
  };
}
