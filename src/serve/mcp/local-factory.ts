/**
 * Workspaces of this process for one call each: where there is no daemon. Describing threads are shared and rest when nobody asks; the
 * store is opened for each call, because whoever keeps it open keeps the writer lock, and with it every other program from changing code.
 * Nothing is loaded before the first call: mostly the daemon does the work.
 */

import type { IndexPool } from '../../index/sync/index-pool.ts';
import type { LocalSettings } from '../local-workspace.ts';
import type { WorkspaceFactory } from './create-server.ts';

const restAfterMs = 30_000;

export function createLocalFactory(settings: LocalSettings): {
  readonly open: WorkspaceFactory;
  readonly close: () => Promise<void>;
} {
  const { signal } = settings;
  let pool: IndexPool | undefined = settings.pool;
  let resting: NodeJS.Timeout | undefined;
  return {
    async open(call) {
      const { createLocalWorkspace } = await import('../local-workspace.ts');
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
