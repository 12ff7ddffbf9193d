/**
 * Whether each indexer can run here, asked seldom: a probe starts processes, and discovery runs with every file that comes or goes.
 * Asked again after a minute, or at once when the tool's file is another one (code-plane.md §5).
 */

import { statSync } from 'node:fs';
import type { IndexerAdapter, IndexerProbe } from '../../semantic/indexers/adapter.ts';
import { refreshLimits } from './refresh-limits.ts';

export interface ProbeCache {
  /** For a context below that directory, root-relative: an interpreter may lie beside it. */
  get(adapter: IndexerAdapter, directory: string): Promise<IndexerProbe>;
  /** Would another answer be given by now? A tool that is there is looked at; one that is not is asked for again, once for all. */
  mayDiffer(): Promise<boolean>;
}

type Known = {
  readonly adapter: IndexerAdapter;
  readonly directory: string;
  readonly probe: IndexerProbe;
  readonly atMs: number;
  readonly file: string;
};

export function createProbeCache(
  probe: (adapter: IndexerAdapter, directory: string) => Promise<IndexerProbe>,
  nowMs: () => number,
): ProbeCache {
  const known = new Map<string, Known>();

  async function get(adapter: IndexerAdapter, directory: string): Promise<IndexerProbe> {
    const key = `${adapter.id} ${directory}`;
    const last = known.get(key);
    const isFresh =
      last !== undefined &&
      nowMs() - last.atMs < refreshLimits.probeEveryMs &&
      signatureOf(last.probe.toolPath) === last.file;
    if (isFresh) return last.probe;
    const atMs = nowMs();
    const found = await probe(adapter, directory);
    known.set(key, { adapter, directory, probe: found, atMs, file: signatureOf(found.toolPath) });
    return found;
  }

  return {
    get,
    async mayDiffer() {
      const all = [...known.values()];
      if (all.some((last) => signatureOf(last.probe.toolPath) !== last.file)) return true;
      const lacking = new Map(all.filter((last) => last.probe.state !== 'ok').map((last) => [last.adapter.id, last]));
      for (const { adapter, directory, probe: before } of lacking.values()) {
        const { state, toolPath, toolId, envHash } = await get(adapter, directory);
        const isSame =
          state === before.state &&
          toolPath === before.toolPath &&
          toolId === before.toolId &&
          envHash === before.envHash;
        if (!isSame) return true;
      }
      return false;
    },
  };
}

/** Of the file itself, also where the path is a link: what is installed is often replaced behind one. */
function signatureOf(path: string | null): string {
  if (path === null) return '';
  let stat: ReturnType<typeof statSync>;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'gone';
  }
  return stat === undefined ? 'gone' : `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}`;
}
