/**
 * The compiler opens the `package.json` of every directory above a source, and waits at a pipe or a device for whoever writes to it. Within
 * the repository these are looked at first; anything else that never ends is ended by the time limit.
 */

import { statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import type { TsgoJob } from './job-file.ts';

/** The first of them, root-relative. */
export function findPipe({ root, members }: Pick<TsgoJob, 'root' | 'members'>): string | undefined {
  const seen = new Set<string>();
  for (const member of members) {
    for (let directory = dirname(member); !seen.has(directory); directory = dirname(directory)) {
      seen.add(directory);
      const manifest = join(directory, 'package.json');
      const found = statSync(join(root, manifest), { throwIfNoEntry: false });
      if (found !== undefined && !found.isFile() && !found.isDirectory()) return manifest;
    }
  }
  return undefined;
}
