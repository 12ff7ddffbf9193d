/**
 * One publisher at a time: `run/gather.lock` names its owner by pid, boot and process start time. A lock whose owner is dead is
 * taken over; a living owner is waited for. The lock appears with its content in one step, so no reader sees half of it.
 */

import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readTextIfThere } from '../../kernel/base/if-there.ts';
import { beginWork, describeHolder, isHolderGone } from '../../kernel/base/processes.ts';
import { ensureOwnDirectory, OutputRefused } from '../../kernel/base/write-file.ts';

export type LockOutcome =
  | { readonly kind: 'held'; release(): void }
  | { readonly kind: 'busy'; readonly owner: string };

export async function acquireGatherLock(dataDir: string, waitS: number, signal: AbortSignal): Promise<LockOutcome> {
  beginWork();
  ensureOwnDirectory(`${dataDir}/run`);
  const lock = `${dataDir}/run/gather.lock`;
  const own = describeHolder();
  const mine = besideLock(lock);
  const deadline = performance.now() + waitS * 1000;
  try {
    writeOwn(mine, own);
    for (;;) {
      signal.throwIfAborted();
      if (tryLink(mine, lock)) return { kind: 'held', release: () => releaseIfMine(lock, own) };
      refuseForeignLock(lock);
      const holder = readTextIfThere(lock);
      if (holder !== undefined && isHolderGone(holder)) removeDead(lock, holder);
      else if (performance.now() >= deadline) return { kind: 'busy', owner: holder ?? 'unknown' };
      // A lock that cannot be read has just been released, or is no gather lock.
      else await delay(holder === undefined ? 5 : 50, undefined, { signal });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function tryLink(mine: string, lock: string): boolean {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new OutputRefused(lock, `cannot be created (${code ?? 'unknown'})`);
  }
}

function writeOwn(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new OutputRefused(path, `cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

/** What is no gather lock cannot be waited for, and reading it could block or never end. */
function refuseForeignLock(lock: string): void {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw new OutputRefused(lock, 'is not a regular file');
}

/** A name that says whose it is, so that a later gather can tell what a dead one left. */
function besideLock(lock: string): string {
  return `${lock}.${process.pid}.${randomBytes(4).toString('hex')}`;
}

/** Moves the dead lock aside; if a living one was caught in the move, puts it back. */
function removeDead(lock: string, dead: string): void {
  const aside = besideLock(lock);
  try {
    renameSync(lock, aside);
  } catch {
    return; // Another process was faster.
  }
  if (readTextIfThere(aside) !== dead) tryLink(aside, lock);
  rmSync(aside, { force: true });
}

function releaseIfMine(lock: string, own: string): void {
  if (readTextIfThere(lock) === own) rmSync(lock, { force: true });
}
