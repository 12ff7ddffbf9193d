/**
 * Private scratch directories of probes. They may hold cleartext, so they lie in memory where the system has it, are removed on every
 * exit path, and those of a gather that was killed are removed by the next one.
 */

import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isProcessGone, processStart } from '../../kernel/base/processes.ts';
import { lstatOwn } from '../../kernel/base/write-file.ts';

/** `codegenie-<probe>-<pid>.<start time>-<random>`: enough to tell a living owner from a dead one. */
const scratchName = /^codegenie-[a-z0-9_]+-(\d{1,10})\.([a-z0-9]+)-[A-Za-z0-9]{6}$/;

export function makeScratch(probeName: string): string {
  return mkdtempSync(`${scratchBase()}/codegenie-${probeName}-${process.pid}.${processStart(process.pid)}-`);
}

export function sweepScratch(): void {
  const base = scratchBase();
  for (const name of readdirSync(base)) {
    const match = scratchName.exec(name);
    if (match === null || processStart(Number(match[1])) === match[2]) continue;
    const path = `${base}/${name}`;
    // Another user's leftover is that user's to remove, and could turn into something else while an administrator's program removes it.
    if (process.geteuid !== undefined && lstatOwn(path)?.uid !== process.geteuid()) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      // A container may have left what only it could remove.
      if (!['EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

function scratchBase(): string {
  try {
    accessSync('/dev/shm', constants.W_OK | constants.X_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}

/** `<name>.<pid>.<random>.tmp`, as `writeAtomically` names them; the hash memo has one per process and no random part. */
const temporary = /\.(\d{1,10})(?:\.[0-9a-f]{8})?\.tmp$/;
/** `gather.lock.<pid>.<random>`: the lock of a process that waits, or one that was being moved away. */
const besideLock = /^gather\.lock\.(\d{1,10})\.[0-9a-f]{8}$/;

/**
 * Removes what publishers that were killed left behind: temporaries that were never renamed, locks that were never taken.
 * Called under the gather lock, under which no other process writes in `context`; a waiting gather is told from a dead one by its pid.
 */
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
