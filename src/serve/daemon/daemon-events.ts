/** What happens in a daemon, told to its listeners: streams of events, progress of one question, counters, the log. */

import type { RefreshEvent } from '../../index/refresh/refresher.ts';
import type { IndexProgress } from '../../index/sync/reconcile.ts';
import type { SyncEvent } from '../../index/sync/sync-loop.ts';
import type { Metrics } from '../http/metrics.ts';
import type { DaemonLog } from './daemon-log.ts';

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

type Channel<T> = {
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

/** Passes on what the sync loop and the indexers say. */
export function relay({
  hub,
  metrics,
  log,
}: {
  readonly hub: EventHub;
  readonly metrics: Metrics;
  readonly log: DaemonLog;
}) {
  const fail = (why: string, error: unknown) => {
    metrics.count('codegenie_failures_total');
    log(`could not update (${why}): ${error instanceof Error ? error.message : String(error)}`);
  };
  return {
    sync(event: SyncEvent): void {
      switch (event.kind) {
        case 'ready':
          return;
        case 'reconciled': {
          const { written, deleted, generation } = event.outcome;
          metrics.count('codegenie_reconciles_total');
          hub.events.emit({ type: 'reconcile', why: event.why, written, deleted, generation, ms: event.ms });
          return;
        }
        case 'watch':
          if (event.state !== 'ok') log(`watcher ${event.state}: ${event.detail ?? ''}`);
          hub.events.emit({ type: 'watch', state: event.state, detail: event.detail });
          return;
        case 'failed':
          fail(event.why, event.error);
      }
    },
    refresh(event: RefreshEvent): void {
      hub.refreshes.emit(event);
      if (event.kind === 'failed') fail(event.why, event.error);
      else if (event.kind === 'job_started') {
        hub.events.emit({ type: 'job', state: 'started', context: event.context, job: event.job });
      } else if (event.kind === 'job_finished') {
        const { context, report } = event;
        const { job, status, failure, ms } = report;
        metrics.count('codegenie_jobs_total', { status });
        if (status === 'failed') log(`indexer of ${context} failed: ${failure ?? 'unknown'} (${report.detail ?? ''})`);
        hub.events.emit({ type: 'job', state: 'finished', context, job, status, failure, ms });
      }
    },
  };
}
