/** Whether the tree a daemon was started for is still there, and still its own. */

import { lstatSync } from 'node:fs';
import { readWriterIdentity } from '../../index/store/writer-identity.ts';

export type TreeWatch = {
  /** Null while all is well. With a nonce also the announcement of the lock is looked at: whoever removed that can take the lock. */
  whyGone(nonce: string | null): string | null;
};

export function createTreeWatch(root: string, dataDir: string): TreeWatch {
  const placeOf = (path: string): string | null => {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev}:${found.ino}`;
  };
  const known = placeOf(root);
  const knownData = placeOf(dataDir);
  return {
    whyGone(nonce) {
      try {
        if (placeOf(root) !== known) return `the work tree ${root} is gone, or another one is in its place`;
        if (placeOf(dataDir) !== knownData) return `${dataDir} was removed`;
        if (nonce !== null && readWriterIdentity(dataDir)?.nonce !== nonce)
          return `${dataDir}/run was removed or taken over`;
        return null;
      } catch (error) {
        return `the work tree ${root} cannot be looked at (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
      }
    },
  };
}
