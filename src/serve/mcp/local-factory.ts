/**
 * Workspaces of this process for one call each: where there is no daemon. Describing threads are shared and rest when nobody asks; the
 * store is opened for each call, because whoever keeps it open keeps the writer lock, and with it every other program from changing code.
 */

import { openIndexPool } from '../../index/sync/index-pool.ts';
import { createLocalWorkspace, type LocalSettings } from '../local-workspace.ts';
import type { WorkspaceFactory } from './create-server.ts';

const restAfterMs = 30_000;

export function createLocalFactory(settings: LocalSettings): {
  readonly open: WorkspaceFactory;
  readonly close: () => Promise<void>;
} {
  const { signal } = settings;
  const pool = settings.pool ?? openIndexPool({ signal });
  let resting: NodeJS.Timeout | undefined;
  return {
    open(call) {
      clearTimeout(resting);
      resting = setTimeout(() => void pool.rest().catch(() => {}), restAfterMs);
      resting.unref();
      return createLocalWorkspace({ ...settings, pool, signal: AbortSignal.any([signal, call]) });
    },
    async close() {
      clearTimeout(resting);
      if (settings.pool === undefined) await pool.close();
    },
  };
}
