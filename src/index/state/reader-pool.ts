/**
 * Read-only handles of the live store for who answers many questions beside the session that writes it. A handle is pinned for one
 * question, so that all of its answer is of one moment (S14: and of the live file).
 */

import type { FactsHandle } from '../store/facts-handle.ts';
import { type FactsPlace, openFactsForRead } from '../store/open-facts.ts';
import { StoreFailed } from '../store/store-failed.ts';

export type ReaderPool = {
  /** Pinned to now. To be given back. */
  take(): FactsHandle;
  giveBack(handle: FactsHandle): void;
  close(): void;
};

/** Each open handle holds a cache of its own. */
const keptHandles = 4;

export function createReaderPool(place: FactsPlace): ReaderPool {
  const idle: FactsHandle[] = [];
  let closed = false;
  const open = (): FactsHandle => {
    for (let known = idle.pop(); known !== undefined; known = idle.pop()) {
      if (known.isCurrent()) return known;
      known.close();
    }
    const opened = openFactsForRead(place);
    if (opened.kind === 'open') return opened.facts;
    throw new StoreFailed(opened.kind === 'refused' ? opened.why : opened.detail, false);
  };
  return {
    take() {
      const handle = open();
      handle.pin();
      return handle;
    },
    giveBack(handle) {
      if (closed || idle.length >= keptHandles) handle.close();
      else {
        handle.unpin();
        idle.push(handle);
      }
    },
    close() {
      closed = true;
      for (const handle of idle.splice(0)) handle.close();
    },
  };
}
