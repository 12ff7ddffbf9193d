/**
 * Who writes the store of a session: its own thread, in single steps, or for as long as that takes another thread of this process, which
 * has a connection of its own and works off what would keep everybody waiting. SQLite lets one of them write, and whoever asks meanwhile is
 * made to wait in the middle of a call; so the wait is here, where others can go on. Reading needs no turn: until the other one commits,
 * everything that can be read is what was there before.
 *
 * Who forgets to ask here does no harm but to wait: SQLite refuses what is not in turn.
 */

import type { WritableFacts } from '../store/facts-file.ts';
import type { ReconcileAsk, ReconcileOutcome } from './reconcile.ts';

export type StoreHold = {
  /** At once, if the store is not lent; else as soon as it is back. Nothing comes between the waiting and `act`. */
  write<T>(act: () => T): Promise<T>;
  /** Until `use` has ended nobody reconciles, and nobody writes here. By then whoever used it must have let go of it, however that ended. */
  lend<T>(use: () => Promise<T>): Promise<T>;
  /** It is, or will be as soon as what reconciles has ended: who asks for a reconcile now would wait for all of it. */
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

// One reconcile at a time (R6). What arrives while one runs is merged into the next. A sweep serves everyone who asked before it
// began and nobody who asked later: "everything before the question began is seen".

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
