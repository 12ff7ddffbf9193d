/**
 * Keeps the cache within its bounds (gather.md §4.3): once a day, one collector at a time, the least recently used entries first.
 * `gc.stamp` says when it was done last; `gc.lock` exists while somebody is at it.
 */

import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, renameSync } from 'node:fs';
import { OutputRefused, writeAtomically } from '../kernel/base/write-file.ts';
import { listTwoLevels, lstatQuietly, removeQuietly, touch } from './cache-files.ts';

const intervalMs = 24 * 3_600_000;
/** Whoever writes a blob or an entry, or collects, has long finished, or never will. */
const unfinishedMs = 3_600_000;

export type CacheBounds = { readonly maxAgeDays: number; readonly maxMb: number };

/** `blobsOf` reads an entry and names the blobs it needs; undefined for what is no entry. */
export function collectGarbage(of: {
  readonly base: string;
  readonly bounds: CacheBounds;
  readonly nowMs: number;
  readonly blobsOf: (entryPath: string) => readonly string[] | undefined;
  readonly blobPath: (hash: string) => string;
}): void {
  const stamp = `${of.base}/gc.stamp`;
  if (isRecent(stamp, of.nowMs, intervalMs)) return;
  const lock = acquire(`${of.base}/gc.lock`, of.nowMs);
  if (lock === undefined) return;
  try {
    // Another gather may have collected between the first look and the lock.
    if (isRecent(stamp, of.nowMs, intervalMs)) return;
    writeAtomically(stamp, '', { durable: false });
    touch(stamp, of.nowMs);
    collect(of);
  } finally {
    lock.release();
  }
}

/** A little in the future is somebody who looked at the clock after us; far in the future is a clock that was wrong. */
function isRecent(path: string, nowMs: number, withinMs: number): boolean {
  const found = lstatQuietly(path);
  return found !== undefined && Math.abs(nowMs - found.mtimeMs) < withinMs;
}

function acquire(lock: string, nowMs: number): { release(): void } | undefined {
  const descriptor = tryCreate(lock) ?? (removeAbandoned(lock, nowMs) ? tryCreate(lock) : undefined);
  if (descriptor === undefined) return undefined;
  touch(lock, nowMs);
  // While it is open its number is nobody else's, so a lock that was taken over meanwhile is told from this one.
  const mine = fstatSync(descriptor).ino;
  return {
    release() {
      if (lstatQuietly(lock)?.ino === mine) removeQuietly(lock);
      closeSync(descriptor);
    },
  };
}

function tryCreate(lock: string): number | undefined {
  try {
    return openSync(lock, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return undefined;
    throw new OutputRefused(lock, `cannot be created (${code ?? 'unknown'})`);
  }
}

/** Moves a lock of a dead collector aside; if a living one was caught in the move, puts it back. */
function removeAbandoned(lock: string, nowMs: number): boolean {
  if (isRecent(lock, nowMs, unfinishedMs)) return false;
  const aside = `${lock}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    renameSync(lock, aside);
    if (isRecent(aside, nowMs, unfinishedMs)) linkSync(aside, lock);
  } catch {
    // Somebody else was faster, here or there; whoever creates the lock next has it.
  }
  removeQuietly(aside);
  return true;
}

type LiveEntry = {
  readonly path: string;
  readonly usedMs: number;
  readonly bytes: number;
  readonly blobs: readonly string[];
};

function collect(of: Parameters<typeof collectGarbage>[0]): void {
  const live = removeExpired(of).sort((a, b) => a.usedMs - b.usedMs);
  const referenced = shrink(live, of.bounds.maxMb * 1024 * 1024, (hash) => lstatQuietly(of.blobPath(hash))?.size ?? 0);
  for (const path of listTwoLevels(`${of.base}/blobs`)) {
    const stat = lstatQuietly(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (stat !== undefined && !referenced.has(name) && of.nowMs - stat.mtimeMs > unfinishedMs) removeQuietly(path);
  }
}

function removeExpired(of: Parameters<typeof collectGarbage>[0]): LiveEntry[] {
  const live: LiveEntry[] = [];
  for (const path of listTwoLevels(`${of.base}/entries`)) {
    const stat = lstatQuietly(path);
    if (stat === undefined) continue;
    const ageMs = of.nowMs - stat.mtimeMs;
    // What is no entry by name is a temporary: of a gather that is writing just now, or of one that was killed.
    const isEntry = path.endsWith('.json');
    const blobs = isEntry ? of.blobsOf(path) : undefined;
    if (isEntry ? blobs === undefined || ageMs > of.bounds.maxAgeDays * 86_400_000 : ageMs > unfinishedMs)
      removeQuietly(path);
    else if (blobs !== undefined)
      live.push({ path, usedMs: stat.mtimeMs, bytes: stat.size, blobs: [...new Set(blobs)] });
  }
  return live;
}

/** Removes entries, oldest first, until the rest fits; returns the blobs of the rest. A shared blob weighs once, until its last entry goes. */
function shrink(
  oldestFirst: readonly LiveEntry[],
  maxBytes: number,
  sizeOf: (hash: string) => number,
): ReadonlySet<string> {
  const blobs = new Map<string, { readonly bytes: number; users: number }>();
  let total = 0;
  for (const entry of oldestFirst) {
    total += entry.bytes;
    for (const hash of entry.blobs) {
      const blob = blobs.get(hash) ?? { bytes: sizeOf(hash), users: 0 };
      if (blob.users === 0) total += blob.bytes;
      blob.users += 1;
      blobs.set(hash, blob);
    }
  }
  for (const entry of oldestFirst) {
    if (total <= maxBytes) break;
    removeQuietly(entry.path);
    total -= entry.bytes;
    for (const hash of entry.blobs) {
      const blob = blobs.get(hash);
      if (blob === undefined) continue;
      blob.users -= 1;
      if (blob.users > 0) continue;
      total -= blob.bytes;
      blobs.delete(hash);
    }
  }
  return new Set(blobs.keys());
}
