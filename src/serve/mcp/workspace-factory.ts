/**
 * A workspace for each call of a tool: that of the tree's daemon, which is shared and warm, or one of this process. The daemon is joined
 * where it runs, started where it does not, and joined again when it has ended; where none can be had, this process does the work, and
 * another try is made later.
 */

import type { IndexPool } from '../../index/sync/index-pool.ts';
import { startDaemon } from '../daemon/daemon-process.ts';
import { joinRemote } from '../workspace/open-workspace.ts';
import type { LocalSettings, Workspace } from '../workspace/workspace.ts';
import type { WorkspaceFactory } from './create-server.ts';

const tryAgainMs = 60_000;

export function createDaemonFactory(
  settings: LocalSettings,
  local: WorkspaceFactory,
  onNote: (says: string) => void,
): WorkspaceFactory {
  const { root, signal, nowMs } = settings;
  let joined: Promise<WorkspaceFactory | undefined> | undefined;
  let notBeforeMs = Number.NEGATIVE_INFINITY;

  const join = async (): Promise<WorkspaceFactory | undefined> => {
    const started = await startDaemon(root, settings).catch(() => undefined);
    if (started?.kind === 'found') {
      const open = await joinRemote(root, started.socket, settings);
      return (call) => {
        const ends = AbortSignal.any([signal, call]);
        return open(ends, async () => {
          // It has ended: the next call starts another one, which answers this question too.
          joined = undefined;
          return openFor(ends);
        });
      };
    }
    onNote(started?.message ?? 'the daemon could not be started');
    joined = undefined;
    notBeforeMs = nowMs() + tryAgainMs;
    return undefined;
  };
  const openFor = async (call: AbortSignal): Promise<Workspace> => {
    if (nowMs() < notBeforeMs) return local(call);
    joined ??= join();
    return ((await joined) ?? local)(call);
  };
  return openFor;
}

const restAfterMs = 30_000;

/**
 * Workspaces of this process, for one call each. Describing threads are shared and rest between calls; the store is opened for each call,
 * because an open store holds the writer lock and keeps every other program from changing code. Nothing is loaded before the first call:
 * mostly the daemon does the work.
 */
export function createLocalFactory(settings: LocalSettings): {
  readonly open: WorkspaceFactory;
  readonly close: () => Promise<void>;
} {
  const { signal } = settings;
  let pool: IndexPool | undefined = settings.pool;
  let resting: NodeJS.Timeout | undefined;
  return {
    async open(call) {
      const { createLocalWorkspace } = await import('../workspace/local-workspace.ts');
      const { openIndexPool } = await import('../../index/sync/index-pool.ts');
      const shared = pool ?? openIndexPool({ signal });
      pool = shared;
      clearTimeout(resting);
      resting = setTimeout(() => void shared.rest().catch(() => {}), restAfterMs);
      resting.unref();
      return createLocalWorkspace({ ...settings, pool: shared, signal: AbortSignal.any([signal, call]) });
    },
    async close() {
      clearTimeout(resting);
      if (settings.pool === undefined) await pool?.close();
    },
  };
}
