/**
 * The one way a file is opened (gather.md §6, code-plane.md §1.2).
 * Promise: no read leaves the given directory, follows a link, blocks on a FIFO, or exceeds its cap; the descriptor that was
 * checked is the descriptor that is read; it is closed on all paths.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { contentHash } from '../base/hash.ts';
import { failedParse } from '../parse/outcome.ts';
import type { FileStat, ReadOutcome } from './types.ts';

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export type HeadOutcome =
  | { readonly kind: 'read'; readonly bytes: Uint8Array; readonly truncated: boolean; readonly size: number }
  | Exclude<ReadOutcome, { kind: 'read' }>;

/** Knows which directories below one base were seen to be real ones; make a new guard when the tree may have changed. */
export interface DirectoryGuard {
  /** Is every directory on the way to `path` a real directory below the base? */
  holds(path: string): boolean;
}

export function createDirectoryGuard(base: string): DirectoryGuard {
  const known = new Map<string, boolean>([['', true]]);
  const isReal = (directory: string): boolean => {
    const cached = known.get(directory);
    if (cached !== undefined) return cached;
    const slash = directory.lastIndexOf('/');
    const name = directory.slice(slash + 1);
    const real =
      name !== '' &&
      name !== '.' &&
      name !== '..' &&
      isReal(slash < 0 ? '' : directory.slice(0, slash)) &&
      (lstatSync(`${base}/${directory}`, { throwIfNoEntry: false })?.isDirectory() ?? false);
    known.set(directory, real);
    return real;
  };
  return {
    holds(path) {
      const slash = path.lastIndexOf('/');
      return slash < 0 || isReal(path.slice(0, slash));
    },
  };
}

/** Reads `base/path` whole, up to `maxBytes`. */
export function readRegular(base: string, path: string, maxBytes: number, guard: DirectoryGuard): ReadOutcome {
  return withRegular(base, path, guard, (descriptor, size) => {
    if (size > maxBytes) return failedParse({ kind: 'size_cap_exceeded', bytes: size, cap: maxBytes });
    const bytes = readExactly(descriptor, size, maxBytes);
    if (bytes === undefined) return failedParse({ kind: 'size_cap_exceeded', bytes: maxBytes + 1, cap: maxBytes });
    return { ok: true, value: { kind: 'read', bytes, hash: contentHash(bytes) } };
  });
}

/** Reads at most the first `maxBytes`. */
export function readRegularHead(base: string, path: string, maxBytes: number, guard: DirectoryGuard): HeadOutcome {
  return withRegular<HeadOutcome>(base, path, guard, (descriptor, size) => {
    const bytes = readExactly(descriptor, Math.min(size, maxBytes), maxBytes) ?? new Uint8Array(0);
    return { ok: true, value: { kind: 'read', bytes, truncated: size > bytes.length, size } };
  });
}

export function lstatOf(
  absolute: string,
): { readonly kind: 'file' | 'link' | 'directory' | 'other'; readonly stat: FileStat } | undefined {
  const found = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const kind = found.isFile() ? 'file' : found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'directory' : 'other';
  return {
    kind,
    stat: {
      dev: Number(found.dev),
      ino: Number(found.ino),
      size: Number(found.size),
      mtimeNs: found.mtimeNs,
      ctimeNs: found.ctimeNs,
    },
  };
}

type Failed = { readonly ok: false; readonly failure: import('../parse/outcome.ts').ParseFailure };

function withRegular<T extends ReadOutcome | HeadOutcome>(
  base: string,
  path: string,
  guard: DirectoryGuard,
  use: (descriptor: number, size: number) => { readonly ok: true; readonly value: T } | Failed,
): T {
  const failed = (failure: Failed['failure']): T => ({ kind: 'failed', failure }) as T;
  if (path.includes('\0')) return { kind: 'absent' } as T;
  const absolute = path === '' ? base : `${base}/${path}`;
  let descriptor: number | undefined;
  try {
    if (!guard.holds(path)) {
      return lstatSync(absolute, { throwIfNoEntry: false }) === undefined
        ? ({ kind: 'absent' } as T)
        : failed({ kind: 'symlink_refused' });
    }
    descriptor = openSync(absolute, flags);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return failed({ kind: 'not_regular' });
    const result = use(descriptor, stat.size);
    return result.ok ? result.value : failed(result.failure);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' } as T;
    if (code === 'ELOOP' || code === 'EMLINK') return failed({ kind: 'symlink_refused' });
    // A FIFO without a writer or a socket cannot be opened at all.
    if (code === 'ENXIO') return failed({ kind: 'not_regular' });
    if (code === undefined) throw error;
    return failed({ kind: 'io', errno: code });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Exactly `size` bytes, fewer if the file shrank meanwhile; undefined if it grew past the cap. */
function readExactly(descriptor: number, size: number, maxBytes: number): Uint8Array | undefined {
  const buffer = Buffer.allocUnsafeSlow(size + (size < maxBytes ? 1 : 0));
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  if (length <= size) return buffer.subarray(0, length);
  return readGrown(descriptor, buffer, maxBytes);
}

/** The file grew between fstat and read: take what is there now, still under the cap. */
function readGrown(descriptor: number, first: Buffer, maxBytes: number): Uint8Array | undefined {
  const chunks: Buffer[] = [first];
  let total = first.length;
  for (;;) {
    const chunk = Buffer.allocUnsafeSlow(64 * 1024);
    const count = readSync(descriptor, chunk, 0, chunk.length, null);
    if (count === 0) return Buffer.concat(chunks);
    total += count;
    if (total > maxBytes) return undefined;
    chunks.push(chunk.subarray(0, count));
  }
}
