/**
 * Whose turn it is to write the store of a session. One reconcile runs at a time (R6). Between reconciles the session's own thread writes in
 * single steps, or the store is lent to another thread of this process, which has a connection of its own, for work that would keep every
 * question waiting. SQLite lets one connection write and blocks the other in the middle of a call; so the wait is here, where others can
 * go on. Reading needs no turn: until the other thread commits, a reader sees what was there before.
 *
 * A writer that forgets to ask here only waits longer: SQLite refuses what is not in turn.
 */

import type { WritableFacts } from '../store/facts-file.ts';
import type { ReconcileAsk, ReconcileOutcome } from './reconcile.ts';

export type StoreHold = {
  /** At once, if the store is not lent; else as soon as it is back. Nothing comes between the waiting and `act`. */
  write<T>(act: () => T): Promise<T>;
  /** Until `use` has ended this thread neither reconciles nor writes. However `use` ends, it must have let go of the store by then. */
  lend<T>(use: () => Promise<T>): Promise<T>;
  /** It is, or will be when the present reconcile has ended: a reconcile asked for now would wait for all of it. */
  readonly isLent: boolean;
};

export function createStoreHold(
  queue: Pick<ReconcileQueue, 'alone'>,
  facts: Pick<WritableFacts, 'catchUp'>,
): StoreHold {
  let promised = 0;
  let back: Promise<void> | undefined;
  return {
    get isLent() {
      return promised > 0;
    },
    async write(act) {
      while (back !== undefined) await back;
      return act();
    },
    lend(use) {
      promised += 1;
      return queue.alone(async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        back = promise;
        try {
          return await use();
        } finally {
          back = undefined;
          promised -= 1;
          resolve();
          facts.catchUp();
        }
      });
    },
  };
}

/**
 * What arrives while a reconcile runs is merged into the next. A sweep serves those who asked before it began and none who asked later:
 * "everything before the question began is seen".
 */
interface ReconcileQueue {
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
