/**
 * The one way a file is opened (gather.md §6, code-plane.md §1.2).
 * Promise: no read leaves the given directory, follows a link, blocks on a FIFO, or exceeds its cap; the descriptor that was
 * checked is the descriptor that is read; it is closed on all paths.
 */

import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { Blake3Hasher } from '@napi-rs/blake-hash';
import { blake3Hex, contentHash } from '../base/hash.ts';
import { failedParse, type ParseFailure } from '../formats/parse-outcome.ts';
import { findUnsaved } from './unsaved-texts.ts';

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What identifies a version of a file without reading it; the key of the hash memo. */
export type FileStat = {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
};

export type ReadOutcome =
  | { readonly kind: 'read'; readonly bytes: Uint8Array; readonly hash: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly failure: ParseFailure };

export type HeadOutcome =
  | { readonly kind: 'read'; readonly bytes: Uint8Array; readonly truncated: boolean; readonly size: number }
  | Exclude<ReadOutcome, { kind: 'read' }>;

/** Knows which directories below one base were seen to be real ones; make a new guard when the tree may have changed. */
export interface DirectoryGuard {
  /** Is every directory on the way to `path` a real directory below the base? */
  holds(path: string): boolean;
  /** Why that is not known, where the system would not say. */
  errnoOn(path: string): string | undefined;
  /** Does the open file lie below the base as it was at the first such question? A directory may be exchanged for a link after it was looked at. */
  covers(descriptor: number): boolean;
}

export function createDirectoryGuard(base: string): DirectoryGuard {
  const known = new Map<string, 'real' | 'not_real' | { readonly errno: string }>();
  let real: string | undefined;
  const look = (directory: string) => {
    const name = directory.slice(directory.lastIndexOf('/') + 1);
    if (name === '' || name === '.' || name === '..') return 'not_real';
    try {
      return lstatSync(`${base}/${directory}`, { throwIfNoEntry: false })?.isDirectory() === true ? 'real' : 'not_real';
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === undefined) throw error;
      return code === 'ENOTDIR' ? 'not_real' : { errno: code };
    }
  };
  const judgeParent = (path: string) => {
    if (!path.includes('/')) return 'real';
    const parent = path.slice(0, path.lastIndexOf('/'));
    const remembered = known.get(parent);
    if (remembered !== undefined) return remembered;
    // From the top, so that the first link ends the questions: nothing behind it is looked at.
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const directory = path.slice(0, slash);
      const answer = known.get(directory) ?? look(directory);
      known.set(directory, answer);
      if (answer === 'real') continue;
      known.set(parent, answer);
      return answer;
    }
    return 'real';
  };
  return {
    holds: (path) => judgeParent(path) === 'real',
    errnoOn(path) {
      const answer = judgeParent(path);
      return typeof answer === 'object' ? answer.errno : undefined;
    },
    covers(descriptor) {
      // Elsewhere the system does not tell where an open file lies.
      const place =
        process.platform === 'linux' ? placeOf(() => readlinkSync(`/proc/self/fd/${descriptor}`)) : undefined;
      real ??= `${placeOf(() => realpathSync.native(base)) ?? base}/`.replace('//', '/');
      return place === undefined || place.startsWith(real);
    },
  };
}

function placeOf(look: () => string): string | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

/** Reads `base/path` whole, up to `maxBytes`. */
export function readRegular(base: string, path: string, maxBytes: number, guard: DirectoryGuard): ReadOutcome {
  return withRegular(base, path, guard, (descriptor, size) => {
    if (size > maxBytes) return failedParse({ kind: 'size_cap_exceeded', bytes: size, cap: maxBytes });
    const bytes = readWhole(descriptor, size, maxBytes);
    if (bytes === undefined) return failedParse({ kind: 'size_cap_exceeded', bytes: maxBytes + 1, cap: maxBytes });
    return { ok: true, value: { kind: 'read', bytes, hash: contentHash(bytes) } };
  });
}

/** Reads at most the first `maxBytes`. */
export function readRegularHead(base: string, path: string, maxBytes: number, guard: DirectoryGuard): HeadOutcome {
  return withRegular<HeadOutcome>(base, path, guard, (descriptor, size) => {
    const bytes = readUpTo(descriptor, Math.min(size, maxBytes));
    return { ok: true, value: { kind: 'read', bytes, truncated: size > bytes.length, size } };
  });
}

export type Entry = { readonly kind: 'file' | 'link' | 'directory' | 'other'; readonly stat: FileStat };

/** What is there, `undefined` for nothing and for what cannot be looked at. */
export function lstatOf(absolute: string): Entry | undefined {
  const found = inspect(absolute);
  return found?.kind === 'unknown' ? undefined : found;
}

/** `unknown`: something may be there, but the system would not say (no permission, a path longer than it takes). */
export function inspect(absolute: string): Entry | { readonly kind: 'unknown'; readonly errno: string } | undefined {
  let found: BigIntStats | undefined;
  try {
    found = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return code === 'ENOTDIR' ? undefined : { kind: 'unknown', errno: code };
  }
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

/** Microseconds: exact in a double. */
export type SourceStat = {
  readonly size: number;
  readonly mtimeUs: number;
  readonly ctimeUs: number;
  readonly ino: number;
};

type SourceRead =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly stat: SourceStat }
  | { readonly kind: 'too_large'; readonly stat: SourceStat }
  /** Nothing there, or no longer a regular file below real directories. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly errno: string };

/**
 * One read of one file of the tree, with the stat signature that belongs to exactly these bytes (code-plane.md §1.2, §2).
 * `scratch`: where the bytes may lie if they fit, until the caller uses it again.
 */
export function readSource(
  root: string,
  path: string,
  maxBytes: number,
  guard: DirectoryGuard,
  scratch?: Buffer,
): SourceRead {
  const unsaved = findUnsaved(root, path);
  if (unsaved !== undefined && guard.holds(path)) {
    const stat = unsavedStat(unsaved);
    return unsaved.length > maxBytes ? { kind: 'too_large', stat } : { kind: 'read', bytes: unsaved, stat };
  }
  const outcome = withRegularFile<SourceRead>(root, path, guard, (descriptor, stats) => {
    const stat = sourceStat(stats);
    if (stat.size > maxBytes) return { kind: 'too_large', stat };
    const bytes = readWhole(descriptor, stat.size, maxBytes, scratch);
    return bytes === undefined ? { kind: 'too_large', stat } : { kind: 'read', bytes, stat };
  });
  if (outcome.kind !== 'failed') return outcome;
  return outcome.failure.kind === 'io' && outcome.failure.errno !== 'ESTALE'
    ? { kind: 'unreadable', errno: outcome.failure.errno }
    : { kind: 'absent' };
}

type SourceHash = { readonly hash: string; readonly stat: SourceStat };

/** Of a file that is too long to be read, in bounded memory. Undefined where it is longer than `maxBytes`, gone or unreadable. */
export function hashSource(
  root: string,
  path: string,
  maxBytes: number,
  guard: DirectoryGuard,
): SourceHash | undefined {
  const unsaved = findUnsaved(root, path);
  if (unsaved !== undefined && guard.holds(path))
    return unsaved.length > maxBytes ? undefined : { hash: blake3Hex(unsaved), stat: unsavedStat(unsaved) };
  const outcome = withRegularFile<{ readonly kind: 'hashed'; readonly found: SourceHash | undefined }>(
    root,
    path,
    guard,
    (descriptor, stats) => ({ kind: 'hashed', found: hashDescriptor(descriptor, sourceStat(stats), maxBytes) }),
  );
  return outcome.kind === 'hashed' ? outcome.found : undefined;
}

/** That of no file: when the buffer is saved or given up, the disk is looked at again. */
export function unsavedStat(bytes: Buffer): SourceStat {
  return { size: bytes.length, mtimeUs: 0, ctimeUs: 0, ino: 0 };
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

/**
 * What one question has seen of the disk: which directories are real ones, and the stat of the very bytes it read. What is compared with
 * the disk after it was read for the same question need not be looked at again.
 */
export type DiskLook = { readonly guard: DirectoryGuard; readonly stats: Map<string, SourceStat> };

export function createDiskLook(root: string): DiskLook {
  return { guard: createDirectoryGuard(root), stats: new Map() };
}

type Failed = { readonly ok: false; readonly failure: ParseFailure };

function withRegular<T extends ReadOutcome | HeadOutcome>(
  base: string,
  path: string,
  guard: DirectoryGuard,
  use: (descriptor: number, size: number) => { readonly ok: true; readonly value: T } | Failed,
): T {
  const outcome = withRegularFile<{
    readonly kind: 'used';
    readonly result: { readonly ok: true; readonly value: T } | Failed;
  }>(base, path, guard, (descriptor, stats) => ({ kind: 'used', result: use(descriptor, stats.size) }));
  if (outcome.kind !== 'used') return outcome as T;
  return outcome.result.ok ? outcome.result.value : ({ kind: 'failed', failure: outcome.result.failure } as T);
}

type Missed = Exclude<ReadOutcome, { kind: 'read' }>;

/** `scratch`: where the bytes may lie if they fit, until the caller uses it again. */
type ReadAll = (descriptor: number, size: number, maxBytes: number, scratch?: Buffer) => Buffer | undefined;

/** Opens `base/path` if it is a regular file below real directories, and closes it again. `use` gets what reads the whole of it. */
export function withRegularFile<T>(
  base: string,
  path: string,
  guard: DirectoryGuard,
  use: (descriptor: number, stats: Stats, readAll: ReadAll) => T,
): T | Missed {
  const failed = (failure: Failed['failure']): Missed => ({ kind: 'failed', failure });
  if (path.includes('\0')) return { kind: 'absent' };
  const absolute = path === '' ? base : `${base}/${path}`;
  let descriptor: number | undefined;
  try {
    if (!guard.holds(path)) {
      return lstatSync(absolute, { throwIfNoEntry: false }) === undefined
        ? { kind: 'absent' }
        : failed({ kind: 'symlink_refused' });
    }
    // Looked at before it is opened: opening a FIFO or a device can already have an effect.
    const seen = lstatSync(absolute, { throwIfNoEntry: false });
    if (seen === undefined) return { kind: 'absent' };
    if (seen.isSymbolicLink()) return failed({ kind: 'symlink_refused' });
    if (!seen.isFile()) return failed({ kind: 'not_regular' });
    descriptor = openSync(absolute, flags);
    const stat = fstatSync(descriptor);
    if (stat.dev !== seen.dev || stat.ino !== seen.ino) return failed({ kind: 'io', errno: 'ESTALE' });
    if (!guard.covers(descriptor)) return failed({ kind: 'symlink_refused' });
    return use(descriptor, stat, readWhole);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    if (code === 'ELOOP' || code === 'EMLINK') return failed({ kind: 'symlink_refused' });
    // Exchanged for a FIFO or a socket since it was looked at.
    if (code === 'ENXIO') return failed({ kind: 'not_regular' });
    if (code === undefined) throw error;
    return failed({ kind: 'io', errno: code });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The whole file: fewer bytes than `size` if it shrank meanwhile, more if it grew; undefined if it grew past the cap. */
function readWhole(descriptor: number, size: number, maxBytes: number, scratch?: Buffer): Buffer | undefined {
  const room = scratch !== undefined && size < scratch.length ? scratch.subarray(0, size + 1) : undefined;
  const buffer = room ?? Buffer.allocUnsafeSlow(size + 1);
  const count = readSync(descriptor, buffer, 0, buffer.length, null);
  // As many as there were, and fewer than were asked for: the end, without asking again.
  const bytes = count === size ? buffer.subarray(0, size) : fill(descriptor, buffer, count);
  return bytes.length <= size ? bytes : readGrown(descriptor, bytes, maxBytes);
}

function readUpTo(descriptor: number, maxBytes: number): Buffer {
  return fill(descriptor, Buffer.allocUnsafeSlow(maxBytes), 0);
}

function fill(descriptor: number, buffer: Buffer, from: number): Buffer {
  let length = from;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

/** The file grew between fstat and read: take what is there now, still under the cap. */
function readGrown(descriptor: number, first: Buffer, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [first];
  let total = first.length;
  while (total <= maxBytes) {
    const chunk = Buffer.allocUnsafeSlow(64 * 1024);
    const count = readSync(descriptor, chunk, 0, chunk.length, null);
    if (count === 0) return Buffer.concat(chunks);
    total += count;
    chunks.push(chunk.subarray(0, count));
  }
  return undefined;
}

const chunkBytes = 1024 * 1024;

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
