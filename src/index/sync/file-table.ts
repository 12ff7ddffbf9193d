/**
 * What the store says of every file, in memory: the reconciler compares the disk with it and keeps it equal to what it wrote.
 * One object per file with few numbers, because a daemon holds it for as long as it lives. And the stat screen: which files are as the
 * table has them, which must be read, which are gone, by names and stats alone.
 */

import { lstatSync } from 'node:fs';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { limits } from '../../kernel/base/limits.ts';
import {
  createDirectoryGuard,
  type DirectoryGuard,
  type SourceStat,
  sourceStat,
  unsavedStat,
} from '../../kernel/tree/safe-read.ts';
import { findUnsaved } from '../../kernel/tree/unsaved-texts.ts';
import { type FileRow, foldInode, type StatSignature } from '../store/file-rows.ts';
import type { ReadSession } from '../store/read-session.ts';
import { loadFileStates } from '../store/stored-files.ts';

export type FileState = {
  readonly kind: 'file' | 'alias';
  readonly presence: 'present' | 'absent';
  readonly contentHash: string | null;
  readonly size: number;
  readonly mtimeUs: number;
  readonly ctimeUs: number;
  readonly ino: number;
  readonly hashedUs: number;
  readonly skipReason: string | null;
  readonly conflicted: boolean;
  readonly canonicalPath: string | null;
  readonly language: string | null;
};

export type FileTable = Map<string, FileState>;

export function loadFileTable(session: ReadSession): FileTable {
  const states = loadFileStates(session);
  const table: FileTable = new Map();
  for (let index = 0; index < states.count; index += 1) {
    table.set(states.path[index] as string, {
      kind: states.kind[index] as FileState['kind'],
      presence: states.presence[index] as FileState['presence'],
      contentHash: states.contentHash[index] ?? null,
      size: states.size[index] ?? -1,
      mtimeUs: states.mtimeUs[index] ?? -1,
      ctimeUs: states.ctimeUs[index] ?? -1,
      ino: states.ino[index] ?? -1,
      hashedUs: states.hashedUs[index] ?? -1,
      skipReason: states.skipReason[index] ?? null,
      conflicted: states.conflicted[index] as boolean,
      canonicalPath: states.canonicalPath[index] ?? null,
      language: states.language[index] ?? null,
    });
  }
  return table;
}

export function stateOf(row: FileRow): FileState {
  return {
    kind: row.kind,
    presence: row.presence,
    contentHash: row.contentHash,
    size: row.stat?.size ?? -1,
    mtimeUs: row.stat?.mtimeUs ?? -1,
    ctimeUs: row.stat?.ctimeUs ?? -1,
    ino: row.stat === null ? -1 : foldInode(row.stat.ino),
    hashedUs: row.hashedUs ?? -1,
    skipReason: row.skipReason,
    conflicted: row.conflicted,
    canonicalPath: row.canonicalPath,
    language: row.language,
  };
}

export function withStat(state: FileState, stat: StatSignature, hashedUs: number): FileState {
  return { ...state, ...stat, ino: foldInode(stat.ino), hashedUs };
}

/**
 * The stat screen (§2): unchanged if the signature is equal and the bytes were hashed at least the racy window after both of its
 * times. Within that window a second write can leave everything but the bytes as it was.
 */
function isUnchanged(state: FileState, stat: StatSignature, racyWindowUs: number): boolean {
  if (
    state.size !== stat.size ||
    state.mtimeUs !== stat.mtimeUs ||
    state.ctimeUs !== stat.ctimeUs ||
    state.ino !== stat.ino
  ) {
    return false;
  }
  // Too large to be read at any time: its size is all that is kept.
  if (state.skipReason === 'large' && state.contentHash === null) return true;
  return state.hashedUs >= Math.max(stat.mtimeUs, stat.ctimeUs) + racyWindowUs;
}

// ---- the stat screen

export type Seen =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'file'; readonly stat: StatSignature }
  | { readonly kind: 'link' }
  /** Not there, or nothing that is listed: a directory, a FIFO, a file below a link. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly errno: string };

const racyWindowUs = limits.racyWindowMs * 1000;
const sliceFiles = 2_000;

const unchanged: Seen = { kind: 'unchanged' };
const gone: Seen = { kind: 'gone' };
const link: Seen = { kind: 'link' };

export function screenFile(root: string, path: string, known: FileState | undefined, guard: DirectoryGuard): Seen {
  if (!guard.holds(path)) {
    const errno = guard.errnoOn(path);
    return errno === undefined ? gone : { kind: 'unknown', errno };
  }
  return screenEntry(root, path, known);
}

const quietly = { throwIfNoEntry: false } as const;

/** The directories on the way were looked at. */
function screenEntry(root: string, path: string, known: FileState | undefined): Seen {
  const unsaved = findUnsaved(root, path);
  if (unsaved !== undefined) {
    const isKnown = known?.kind === 'file' && known.contentHash !== null && known.contentHash === blake3Hex(unsaved);
    return isKnown ? unchanged : { kind: 'file', stat: unsavedStat(unsaved) };
  }
  try {
    const stats = lstatSync(`${root}/${path}`, quietly);
    if (stats === undefined) return gone;
    if (stats.isSymbolicLink()) return link;
    if (!stats.isFile()) return gone;
    return screenStat(sourceStat(stats), known);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return code === 'ENOTDIR' ? gone : { kind: 'unknown', errno: code };
  }
}

/** Of a regular file below real directories. */
export function screenStat(seen: SourceStat, known: FileState | undefined): Seen {
  const stat = { ...seen, ino: foldInode(seen.ino) };
  return known?.kind === 'file' && known.presence === 'present' && isUnchanged(known, stat, racyWindowUs)
    ? unchanged
    : { kind: 'file', stat };
}

/** A regular file below real directories, at this moment? */
export function isFileNow(root: string, path: string): boolean {
  const seen = screenFile(root, path, undefined, createDirectoryGuard(root));
  return seen.kind === 'file';
}

/** Calls `found` for every path that is not unchanged. Pauses between slices, so that git, the watcher and other questions are served. */
export async function screenFiles(
  root: string,
  paths: Iterable<string>,
  find: (path: string) => FileState | undefined,
  found: (path: string, seen: Seen) => void,
  signal: AbortSignal,
): Promise<void> {
  const guard = createDirectoryGuard(root);
  let count = 0;
  // Files come by directory: the one of the file before is usually this one's, and holds.
  let held = '';
  for (const path of paths) {
    const slash = path.lastIndexOf('/') + 1;
    const isHeld = slash === held.length && path.startsWith(held);
    if (!isHeld) held = guard.holds(path) ? path.slice(0, slash) : '/';
    const seen = held === '/' ? screenFile(root, path, find(path), guard) : screenEntry(root, path, find(path));
    if (seen !== unchanged) found(path, seen);
    count += 1;
    if (count % sliceFiles === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
  }
}
