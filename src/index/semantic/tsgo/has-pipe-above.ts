/**
 * The compiler opens the `package.json` of every directory above a source, and waits at a pipe for whoever writes to it. Within the
 * repository these are few and looked at first; that it waits at another one is noticed by whoever started the job.
 */

import { dirname, join } from 'node:path/posix';
import { isPipe } from '../../../languages/typescript/compiler/compiler-process.ts';
import type { TsgoJob } from '../../../languages/typescript/typescript-indexers.ts';

export function hasPipeAbove({ root, members }: Pick<TsgoJob, 'root' | 'members'>): boolean {
  const seen = new Set<string>();
  for (const member of members) {
    for (let directory = dirname(member); !seen.has(directory); directory = dirname(directory)) {
      seen.add(directory);
      if (isPipe(join(root, directory, 'package.json'))) return true;
    }
  }
  return false;
}
