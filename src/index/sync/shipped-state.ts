/**
 * Derived data that came with the repository could say anything (P9, decision 0007): where git tracks part of what we keep below the
 * data dir, neither the store there, nor the key, nor a kept output of an indexer is ours.
 */

import { rmSync } from 'node:fs';
import { lstatOwn, refuseForeignDirectory } from '../../kernel/base/write-file.ts';
import type { Exec } from '../../kernel/exec/exec.ts';
import { splitNul } from '../../kernel/tree/git-facts.ts';
import { currentPath, removeOthers } from '../store/current-file.ts';
import { orRefused, type Refused } from '../store/open-database.ts';

const derived = /^\/(?:index|state|run|cache)(?:\/|$)/i;

export const shippedAdvice =
  'is tracked by git, so that nothing derived in it can be believed; remove it from git (git rm -r --cached) and ignore it';

/**
 * A git that cannot answer says nothing here: a store that was made in another place is refused by its own mark, and one that was made
 * here is not thrown away for a damaged index of git's.
 */
export async function isShipped(root: string, dataDir: string, git: Exec['git']): Promise<boolean> {
  if (!dataDir.startsWith(`${root}/`) || lstatOwn(dataDir) === undefined) return false;
  const inside = dataDir.slice(root.length + 1);
  // Without regard to case: on some volumes another spelling is the same directory. Names the directory itself too, which may be a
  // link or another repository.
  const asked = await git(['ls-files', '-z', '--', `:(top,literal,icase)${inside}`], { timeoutS: 30 });
  if (asked.kind === 'cancelled') throw new Error('the look at what git tracks was cancelled');
  if (asked.kind !== 'exited' || asked.code !== 0) return false;
  return splitNul(asked.stdout).records.some((path) => {
    const rest = path.slice(inside.length);
    return rest === '' || derived.test(rest);
  });
}

/** Only for the holder of the writer lock. What is left is what a first run finds. */
export function removeShipped(dataDir: string): Refused | undefined {
  return orRefused(() => {
    for (const directory of [dataDir, `${dataDir}/index`, `${dataDir}/state`]) refuseForeignDirectory(directory);
    rmSync(currentPath(dataDir), { force: true, recursive: true });
    removeOthers(dataDir, undefined);
    rmSync(`${dataDir}/state/key`, { force: true, recursive: true });
    // Through a link nothing is kept, nor removed.
    const hasCache = lstatOwn(`${dataDir}/cache`)?.isDirectory() === true;
    if (hasCache) rmSync(`${dataDir}/cache/scip`, { force: true, recursive: true });
    return undefined;
  });
}
