/**
 * The disk against the table: which files are as they were, which must be read, which are gone. Looks at names and stats alone.
 * Long lists are looked at in slices, so that git, the watcher and other questions are served meanwhile.
 */

import { lstatSync } from 'node:fs';
import { limits } from '../../kernel/base/limits.ts';
import { createDirectoryGuard, type DirectoryGuard, type SourceStat, sourceStat } from '../../kernel/tree/safe-read.ts';
import { foldInode } from '../store/inode.ts';
import type { StatSignature } from '../store/rows.ts';
import { type FileState, isUnchanged } from './file-table.ts';

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

/** Calls `found` for every path that is not unchanged. */
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
