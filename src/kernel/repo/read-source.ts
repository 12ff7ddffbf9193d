/**
 * One read of one file of the tree, with the stat signature that belongs to exactly these bytes (code-plane.md §1.2, §2).
 * Opened as `safe-read` opens everything: no link is followed, the descriptor that was looked at is the one that is read.
 */

import { readSync, type Stats } from 'node:fs';
import { Blake3Hasher } from '@napi-rs/blake-hash';
import { type DirectoryGuard, withRegularFile } from './safe-read.ts';

/** Microseconds: exact in a double. */
export type SourceStat = {
  readonly size: number;
  readonly mtimeUs: number;
  readonly ctimeUs: number;
  readonly ino: number;
};

export type SourceRead =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly stat: SourceStat }
  | { readonly kind: 'too_large'; readonly stat: SourceStat }
  /** Nothing there, or no longer a regular file below real directories. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly errno: string };

/** `scratch`: where the bytes may lie if they fit, until the caller uses it again. */
export function readSource(
  root: string,
  path: string,
  maxBytes: number,
  guard: DirectoryGuard,
  scratch?: Buffer,
): SourceRead {
  const outcome = withRegularFile<SourceRead>(root, path, guard, (descriptor, stats, read) => {
    const stat = sourceStat(stats);
    if (stat.size > maxBytes) return { kind: 'too_large', stat };
    const bytes = read(descriptor, stat.size, maxBytes, scratch);
    return bytes === undefined ? { kind: 'too_large', stat } : { kind: 'read', bytes, stat };
  });
  if (outcome.kind !== 'failed') return outcome;
  return outcome.failure.kind === 'io' && outcome.failure.errno !== 'ESTALE'
    ? { kind: 'unreadable', errno: outcome.failure.errno }
    : { kind: 'absent' };
}

export type SourceHash = { readonly hash: string; readonly stat: SourceStat };

const chunkBytes = 1024 * 1024;

/** Of a file that is too long to be read, in bounded memory. Undefined where it is longer than `maxBytes`, gone or unreadable. */
export function hashSource(
  root: string,
  path: string,
  maxBytes: number,
  guard: DirectoryGuard,
): SourceHash | undefined {
  const outcome = withRegularFile<{ readonly kind: 'hashed'; readonly found: SourceHash | undefined }>(
    root,
    path,
    guard,
    (descriptor, stats) => ({ kind: 'hashed', found: hashDescriptor(descriptor, sourceStat(stats), maxBytes) }),
  );
  return outcome.kind === 'hashed' ? outcome.found : undefined;
}

function hashDescriptor(descriptor: number, stat: SourceStat, maxBytes: number): SourceHash | undefined {
  if (stat.size > maxBytes) return undefined;
  const hasher = new Blake3Hasher();
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let total = 0;
  for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
    total += read;
    if (total > maxBytes) return undefined;
    hasher.update(chunk.subarray(0, read));
  }
  return { hash: hasher.digest('hex'), stat };
}

/** A new object each time, the caller's to change. */
export function sourceStat(stats: Stats): { -readonly [K in keyof SourceStat]: SourceStat[K] } {
  return {
    size: stats.size,
    mtimeUs: Math.round(stats.mtimeMs * 1000),
    ctimeUs: Math.round(stats.ctimeMs * 1000),
    ino: stats.ino,
  };
}
