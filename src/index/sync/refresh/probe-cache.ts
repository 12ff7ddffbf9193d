/**
 * Whether each indexer can run here, asked seldom: a probe starts processes, and discovery runs with every file that comes or goes.
 * Asked again after a minute, or at once when the tool's file is another one (code-plane.md §5).
 */

import { lstatSync } from 'node:fs';
import type { IndexerAdapter, IndexerProbe } from '../../semantic/indexers/adapter.ts';
import { refreshLimits } from './refresh-limits.ts';

export interface ProbeCache {
  /** For a context below that directory, root-relative: an interpreter may lie beside it. */
  get(adapter: IndexerAdapter, directory: string): Promise<IndexerProbe>;
}

export function createProbeCache(
  probe: (adapter: IndexerAdapter, directory: string) => Promise<IndexerProbe>,
  nowMs: () => number,
): ProbeCache {
  const known = new Map<string, { readonly probe: IndexerProbe; readonly atMs: number; readonly file: string }>();
  return {
    async get(adapter, directory) {
      const key = `${adapter.id} ${directory}`;
      const last = known.get(key);
      const isFresh =
        last !== undefined &&
        nowMs() - last.atMs < refreshLimits.probeEveryMs &&
        signatureOf(last.probe.toolPath) === last.file;
      if (isFresh) return last.probe;
      const atMs = nowMs();
      const found = await probe(adapter, directory);
      known.set(key, { probe: found, atMs, file: signatureOf(found.toolPath) });
      return found;
    },
  };
}

function signatureOf(path: string | null): string {
  if (path === null) return '';
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'gone' : `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}`;
}
