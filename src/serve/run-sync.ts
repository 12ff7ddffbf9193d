/** The sync loop in the foreground: until its signal ends it, or somebody else turns out to be the writer. */

import type { SessionSettings } from '../index/sync/index-session.ts';
import { type SyncTimes, startSyncLoop } from '../index/sync/sync-loop.ts';
import { whyRefused } from './run-operation.ts';
import type { SyncOptions, SyncOutcome } from './workspace.ts';

export async function runSync(
  settings: SessionSettings & SyncOptions & { readonly times?: Partial<SyncTimes> },
): Promise<SyncOutcome> {
  const started = await startSyncLoop(settings);
  if (started.kind === 'busy') {
    const who = started.holder === null ? 'another process' : `process ${started.holder.pid}`;
    return { kind: 'busy', message: `${who} already keeps the index of ${settings.root}; stop it, or wait for it` };
  }
  if (started.kind === 'refused') return { kind: 'refused', message: whyRefused(started) };
  const { signal } = settings;
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await started.loop.close();
  return { kind: 'ended' };
}
