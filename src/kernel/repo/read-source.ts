/**
 * One read of one file of the tree, with the stat signature that belongs to exactly these bytes (code-plane.md §1.2, §2).
 * Opened as `safe-read` opens everything: no link is followed, the descriptor that was looked at is the one that is read.
 */

import type { Stats } from 'node:fs';
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

export function readSource(root: string, path: string, maxBytes: number, guard: DirectoryGuard): SourceRead {
  const outcome = withRegularFile<SourceRead>(root, path, guard, (descriptor, stats, read) => {
    const stat = sourceStat(stats);
    if (stat.size > maxBytes) return { kind: 'too_large', stat };
    const bytes = read(descriptor, stat.size, maxBytes);
    return bytes === undefined ? { kind: 'too_large', stat } : { kind: 'read', bytes, stat };
  });
  if (outcome.kind !== 'failed') return outcome;
  return outcome.failure.kind === 'io' && outcome.failure.errno !== 'ESTALE'
    ? { kind: 'unreadable', errno: outcome.failure.errno }
    : { kind: 'absent' };
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
