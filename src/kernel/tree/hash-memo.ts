/**
 * Remembers the BLAKE3 of a file under its stat signature, so that an unchanged file is not read again.
 * Trusted only if mtime and ctime were more than two seconds old when the bytes were hashed: within that window a second write can
 * leave the signature as it was. It only makes hashing faster; a missing or broken memo costs time, never truth.
 */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { limits } from '../base/limits.ts';
import { decodeLenient } from '../base/text.ts';
import { createDirectoryGuard, type FileStat, readRegularHead } from './safe-read.ts';

/** Some two million files. */
const maxFileBytes = 512 * 1024 * 1024;

export interface HashMemo {
  find(path: string, stat: FileStat): string | undefined;
  remember(path: string, stat: FileStat, hash: string, nowMs: number): void;
  /** Writes the memo if anything changed. `keeps` says which remembered paths are still of interest. */
  save(keeps: (path: string) => boolean): void;
}

export const noMemo: HashMemo = { find: () => undefined, remember: () => {}, save: () => {} };

export function openHashMemo(file: string): HashMemo {
  const entries = readEntries(file);
  let changed = false;
  return {
    find(path, stat) {
      const entry = entries.get(path);
      return entry !== undefined && entry.signature === signatureOf(stat) ? entry.hash : undefined;
    },
    remember(path, stat, hash, nowMs) {
      const settledBefore = BigInt(nowMs - limits.racyWindowMs) * 1_000_000n;
      if (stat.mtimeNs < settledBefore && stat.ctimeNs < settledBefore) {
        entries.set(path, { signature: signatureOf(stat), hash });
        changed = true;
      } else if (entries.delete(path)) changed = true;
    },
    save(keeps) {
      for (const path of entries.keys()) {
        if (!keeps(path)) {
          entries.delete(path);
          changed = true;
        }
      }
      if (!changed) return;
      const flat: string[] = [];
      for (const [path, entry] of entries) flat.push(path, entry.signature, entry.hash);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const temporary = `${file}.${process.pid}.tmp`;
      // Made anew: whatever has this name, a link perhaps, is not written through.
      rmSync(temporary, { force: true });
      writeFileSync(temporary, JSON.stringify({ version: 1, flat }), { mode: 0o600, flag: 'wx' });
      renameSync(temporary, file);
      changed = false;
    },
  };
}

function readEntries(file: string): Map<string, { signature: string; hash: string }> {
  const entries = new Map<string, { signature: string; hash: string }>();
  const directory = dirname(file);
  const outcome = readRegularHead(directory, basename(file), maxFileBytes, createDirectoryGuard(directory));
  if (outcome.kind !== 'read' || outcome.truncated) return entries;
  try {
    const stored = JSON.parse(decodeLenient(outcome.bytes)) as { version?: unknown; flat?: unknown } | null;
    if (stored?.version !== 1 || !Array.isArray(stored.flat)) return entries;
    const flat = stored.flat as unknown[];
    for (let index = 0; index + 2 < flat.length; index += 3) {
      const [path, signature, hash] = [flat[index], flat[index + 1], flat[index + 2]];
      if (typeof path === 'string' && typeof signature === 'string' && typeof hash === 'string') {
        entries.set(path, { signature, hash });
      }
    }
  } catch {
    // Broken: everything is hashed again, which is the whole consequence.
    entries.clear();
  }
  return entries;
}

function signatureOf(stat: FileStat): string {
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}
