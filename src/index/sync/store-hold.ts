/**
 * Who writes the store of a session: its own thread, in single steps, or for as long as that takes another thread of this process, which
 * has a connection of its own and works off what would keep everybody waiting. SQLite lets one of them write, and whoever asks meanwhile is
 * made to wait in the middle of a call; so the wait is here, where others can go on. Reading needs no turn: until the other one commits,
 * everything that can be read is what was there before.
 *
 * Who forgets to ask here does no harm but to wait: SQLite refuses what is not in turn.
 */

import type { WritableFacts } from '../store/open-facts.ts';
import type { ReconcileQueue } from './reconcile-queue.ts';

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
