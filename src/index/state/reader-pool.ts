/**
 * Read-only handles of the live store for who answers many questions beside the session that writes it. A handle is pinned to one moment,
 * so that all of an answer is of one generation (S14: and of the live file). Questions that come together share a moment, and all handles
 * share what any of them has worked out about a generation; both are given up when nobody has asked for a while.
 */

import type { FactsHandle } from '../store/facts-handle.ts';
import { type FactsPlace, openFactsForRead } from '../store/open-facts.ts';
import { StoreFailed } from '../store/store-failed.ts';

export type ReaderPool = {
  /** Pinned to a moment of this generation or a later one. To be given back. */
  take(generation: number): FactsHandle;
  giveBack(handle: FactsHandle): void;
  close(): void;
};

/** Each open handle holds a cache of its own. */
const keptHandles = 2;
/** Working out the states of a large tree takes longer than all else that a question needs. */
const restAfterMs = 5 * 60_000;
/** Jobs and the like change within a generation: a moment is not shared for longer than this. */
const sharedMs = 20;

type Lease = { readonly handle: FactsHandle; readonly generation: number; readonly pinnedMs: number; users: number };

export function createReaderPool(place: FactsPlace, nowMs: () => number = () => performance.now()): ReaderPool {
  const idle: FactsHandle[] = [];
  const leases = new Map<FactsHandle, Lease>();
  let latest: Lease | undefined;
  let closed = false;
  let keeper = {};
  let resting: NodeJS.Timeout | undefined;
  const rest = () => {
    clearTimeout(resting);
    keeper = {};
    for (const handle of idle.splice(0)) handle.close();
  };
  const open = (): FactsHandle => {
    for (let known = idle.pop(); known !== undefined; known = idle.pop()) {
      if (known.isCurrent()) return known;
      known.close();
      // Another file may count its generations anew.
      rest();
    }
    const opened = openFactsForRead(place, keeper);
    if (opened.kind === 'open') return opened.facts;
    throw new StoreFailed(opened.kind === 'refused' ? opened.why : opened.detail, false);
  };
  return {
    take(generation) {
      const isFresh = latest !== undefined && latest.generation === generation && nowMs() - latest.pinnedMs < sharedMs;
      if (latest !== undefined && isFresh && latest.handle.isCurrent()) {
        latest.users += 1;
        return latest.handle;
      }
      const handle = open();
      handle.pin();
      latest = { handle, generation: handle.read((moment) => moment.generation), pinnedMs: nowMs(), users: 1 };
      leases.set(handle, latest);
      return handle;
    },
    giveBack(handle) {
      const lease = leases.get(handle);
      if (lease === undefined) return;
      lease.users -= 1;
      if (lease.users > 0) return;
      leases.delete(handle);
      if (latest === lease) latest = undefined;
      if (closed || idle.length >= keptHandles) handle.close();
      else {
        handle.unpin();
        idle.push(handle);
        clearTimeout(resting);
        resting = setTimeout(rest, restAfterMs);
        resting.unref();
      }
    },
    close() {
      closed = true;
      rest();
    },
  };
}
