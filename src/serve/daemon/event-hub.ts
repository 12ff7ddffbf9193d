/** What happens in a daemon, told to whoever listens: streams of events, progress of one question, counters. */

import type { IndexProgress } from '../../index/sync/reconcile.ts';
import type { RefreshEvent } from '../../index/sync/refresh/refresher.ts';

/** What `/v1/events` tells. Names and numbers, no contents of files. */
export type DaemonEvent =
  | {
      readonly type: 'reconcile';
      readonly why: string;
      readonly written: number;
      readonly deleted: number;
      readonly generation: number;
      readonly ms: number;
    }
  | { readonly type: 'watch'; readonly state: string; readonly detail: string | null }
  | {
      readonly type: 'job';
      readonly state: 'started' | 'finished';
      readonly context: string;
      readonly job: number;
      readonly status?: string;
      readonly failure?: string | null;
      readonly ms?: number;
    }
  | { readonly type: 'gather'; readonly state: 'started' | 'finished'; readonly outcome?: string }
  | { readonly type: 'plan'; readonly request: string; readonly outcome: string; readonly plan_id: string | null };

export type Channel<T> = {
  emit(value: T): void;
  /** The answer ends the listening. */
  listen(receive: (value: T) => void): () => void;
};

export type EventHub = {
  readonly events: Channel<DaemonEvent>;
  readonly progress: Channel<IndexProgress>;
  readonly refreshes: Channel<RefreshEvent>;
};

export function createEventHub(): EventHub {
  return { events: createChannel(), progress: createChannel(), refreshes: createChannel() };
}

function createChannel<T>(): Channel<T> {
  const receivers = new Set<(value: T) => void>();
  return {
    emit(value) {
      for (const receive of [...receivers]) receive(value);
    },
    listen(receive) {
      // Two who pass the same function are two.
      const own = (value: T) => receive(value);
      receivers.add(own);
      return () => void receivers.delete(own);
    },
  };
}
