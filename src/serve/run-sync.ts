/** The sync loop in the foreground, with indexers beside it: until its signal ends it, or somebody else turns out to be the writer. */

import type { SemanticSettings } from '../index/state/open-refresher.ts';
import type { SessionSettings } from '../index/sync/index-session.ts';
import type { Refresher } from '../index/sync/refresh/refresher.ts';
import { type SyncTimes, startSyncLoop } from '../index/sync/sync-loop.ts';
import { whyRefused } from './run-operation.ts';
import type { SyncOptions, SyncOutcome } from './workspace.ts';

type RunSettings = SessionSettings &
  SyncOptions & {
    /** Needed where `indexers` is. */
    readonly semantic?: Omit<SemanticSettings, 'onEvent'> | undefined;
    readonly times?: Partial<SyncTimes>;
  };

export async function runSync(settings: RunSettings): Promise<SyncOutcome> {
  const { signal, onEvent } = settings;
  let refresher: Refresher | undefined;
  const started = await startSyncLoop({
    ...settings,
    onEvent: (event) => {
      onEvent(event);
      if (event.kind === 'reconciled') refresher?.noteReconciled().catch(report('changes'));
    },
  });
  if (started.kind === 'busy') {
    const who = started.holder === null ? 'another process' : `process ${started.holder.pid}`;
    return { kind: 'busy', message: `${who} already keeps the index of ${settings.root}; stop it, or wait for it` };
  }
  if (started.kind === 'refused') return { kind: 'refused', message: whyRefused(started) };
  try {
    if (settings.indexers && settings.semantic !== undefined) {
      const { openRefresher } = await import('../index/state/open-refresher.ts');
      const onRefresh = settings.onRefresh ?? (() => {});
      const indexing = openRefresher(started.loop.session, { ...settings, ...settings.semantic, onEvent: onRefresh });
      refresher = indexing;
      await indexing.refreshContexts();
      indexing.enqueueUnsettled('start');
      await indexing.start();
    }
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await refresher?.close();
    await started.loop.close();
  }
  return { kind: 'ended' };

  function report(why: string): (error: unknown) => void {
    return (error) => {
      if (!signal.aborted) onEvent({ kind: 'failed', why, error });
    };
  }
}
