/**
 * One publisher at a time: `run/gather.lock` names its owner by pid, boot and process start time. A lock whose owner is dead is
 * taken over; a living owner is waited for. The lock appears with its content in one step, so nobody reads half of it.
 */

import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureOwnDirectory } from './write-file.ts';

export type LockOutcome =
  | { readonly kind: 'held'; release(): void }
  | { readonly kind: 'busy'; readonly owner: string };

export async function acquireGatherLock(dataDir: string, waitS: number, signal: AbortSignal): Promise<LockOutcome> {
  ensureOwnDirectory(`${dataDir}/run`);
  const lock = `${dataDir}/run/gather.lock`;
  const own = JSON.stringify({
    pid: process.pid,
    boot: bootId(),
    started: startTime(process.pid),
    nonce: randomBytes(8).toString('hex'),
  });
  const mine = `${lock}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const deadline = performance.now() + waitS * 1000;
  writeFileSync(mine, own, { mode: 0o600 });
  try {
    for (;;) {
      signal.throwIfAborted();
      if (tryLink(mine, lock)) return { kind: 'held', release: () => releaseIfMine(lock, own) };
      const holder = readText(lock);
      if (holder !== undefined && isDead(holder)) removeDead(lock, holder);
      else if (performance.now() >= deadline) return { kind: 'busy', owner: holder ?? 'unknown' };
      else if (holder !== undefined) await delay(50, undefined, { signal });
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the dead lock aside; if a living one was caught in the move, puts it back. */
function removeDead(lock: string, dead: string): void {
  const aside = `${lock}.dead.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // Somebody else was faster.
  }
  if (readText(aside) !== dead) tryLink(aside, lock);
  rmSync(aside, { force: true });
}

function releaseIfMine(lock: string, own: string): void {
  if (readText(lock) === own) rmSync(lock, { force: true });
}

function isDead(holder: string): boolean {
  try {
    const owner = JSON.parse(holder) as { pid?: unknown; boot?: unknown; started?: unknown };
    if (typeof owner.pid !== 'number' || owner.boot !== bootId()) return true;
    return startTime(owner.pid) !== owner.started;
  } catch {
    return true; // Not ours: our locks are whole from their first instant.
  }
}

function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown';
}

/** Start time of a living process; `gone` for a dead one; on systems without /proc only whether it lives. */
function startTime(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat !== undefined) {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing.
    return fields[0] === 'Z' ? 'gone' : (fields[19] ?? 'unknown');
  }
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch {
    return 'gone';
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
