/**
 * Removes what publishers that were killed left behind: temporaries that were never renamed, locks that were never taken.
 * Called under the gather lock: nobody else writes in `context` then, and a waiting gather is told from a dead one by its pid.
 */

import { readdirSync, rmSync } from 'node:fs';
import { isProcessGone } from '../kernel/base/processes.ts';
import { sweepScratch } from './scratch.ts';

/** `<name>.<pid>.<random>.tmp`, as `writeAtomically` names them; the hash memo has one per process and no random part. */
const temporary = /\.(\d{1,10})(?:\.[0-9a-f]{8})?\.tmp$/;
/** `gather.lock.<pid>.<random>`: the lock of somebody who waits, or one that somebody was moving away. */
const besideLock = /^gather\.lock\.(\d{1,10})\.[0-9a-f]{8}$/;

export function sweepLeftovers(dataDir: string): void {
  for (const directory of [`${dataDir}/context`, `${dataDir}/context/runs`]) removeOf(directory, temporary, () => true);
  // The ignore file of the data dir is written without the lock; the cache is swept when it is prepared.
  sweepTemporaries(dataDir);
  removeOf(`${dataDir}/run`, besideLock, isProcessGone);
  sweepScratch();
}

/** For a directory in which others may be writing: only what a dead process left is removed. */
export function sweepTemporaries(directory: string): void {
  removeOf(directory, temporary, isProcessGone);
}

function removeOf(directory: string, pattern: RegExp, isLeftover: (pid: number) => boolean): void {
  for (const name of readdirSync(directory)) {
    const match = pattern.exec(name);
    if (match !== null && isLeftover(Number(match[1]))) rmSync(`${directory}/${name}`, { force: true });
  }
}
