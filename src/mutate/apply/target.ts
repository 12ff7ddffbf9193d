/**
 * One file of the user's tree as a writer meets it: looked at without following a link, written beside and moved into place.
 * E3, E4: nothing is replaced or removed unless the bytes that are there, read immediately before, have the expected hash.
 */

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { flushDirectory, OutputRefused } from '../../kernel/base/write-file.ts';
import { createDirectoryGuard, inspect, withRegularFile } from '../../kernel/tree/safe-read.ts';
import { type Flusher, plainFlusher } from './flusher.ts';
import { type Entry, isPlainPath } from './journal.ts';

type Found =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly hash: string; readonly bytes: Buffer; readonly inode: Inode }
  /** A link, a directory, behind a link, or not readable. */
  | { readonly kind: 'other' };

export type Inode = {
  readonly dev: number;
  readonly ino: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly links: number;
};

const maxBytes = 1024 * 1024 * 1024;

export function readTarget(root: string, path: string): Found {
  const guard = createDirectoryGuard(root);
  if (!guard.holds(path) && isBehindLink(root, path)) return { kind: 'other' };
  const found = withRegularFile<Found>(root, path, guard, (descriptor, stats, readAll) => {
    const bytes = readAll(descriptor, stats.size, maxBytes);
    if (bytes === undefined) return { kind: 'other' };
    const { dev, ino, uid, gid, nlink } = stats;
    const inode = { dev, ino, mode: stats.mode & 0o7777, uid, gid, links: nlink };
    return { kind: 'file', hash: blake3Hex(bytes), bytes, inode };
  });
  return found.kind === 'failed' ? { kind: 'other' } : found;
}

/** Or behind what cannot be looked at. Nothing behind it is asked for: what lies there is not of this tree, also if it is nothing. */
function isBehindLink(root: string, path: string): boolean {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const found = inspect(`${root}/${path.slice(0, slash)}`);
    if (found === undefined) return false;
    if (found.kind !== 'directory') return found.kind === 'link' || found.kind === 'unknown';
  }
  return false;
}

/**
 * May anything be made, moved or removed at this path: every directory on the way is a real one below the root, none is git's or ours.
 * Asked anew immediately before each time, because others change the tree.
 */
export function isInTree(root: string, path: string): boolean {
  return isPlainPath(path) && createDirectoryGuard(root).holds(path);
}

export function requireInTree(root: string, path: string): void {
  if (!isInTree(root, path)) throw new OutputRefused(`${root}/${path}`, 'is behind a link or in a private directory');
}

/** One after the other, so that none is made behind a link. */
export function makeDirectories(root: string, directory: string): void {
  for (let slash = directory.indexOf('/'); slash >= 0; slash = directory.indexOf('/', slash + 1))
    makeDirectory(root, directory.slice(0, slash));
  makeDirectory(root, directory);
}

function makeDirectory(root: string, directory: string): void {
  requireInTree(root, directory);
  if (inspect(`${root}/${directory}`) === undefined) mkdirSync(`${root}/${directory}`);
  requireInTree(root, `${directory}/x`);
}

/** Of an entry of the journal, what the disk holds now. */
export type DiskState = 'old' | 'new' | 'other';

export function stateOf(root: string, entry: Entry): DiskState {
  const found = readTarget(root, entry.path);
  if (found.kind === 'other') return 'other';
  const hash = found.kind === 'absent' ? null : found.hash;
  return hash === entry.old ? 'old' : hash === entry.new ? 'new' : 'other';
}

type NewFile = {
  readonly absolute: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
};

/** How many are written before they are waited for: flushing together, and what is already on its way, is cheap. */
const batchSize = 100;

/** Makes files that did not exist, never through a link, and flushes them. */
export function writeNewFiles(
  files: readonly NewFile[],
  flusher: Flusher = plainFlusher,
  each?: { before(n: number): void; after(n: number): void },
): void {
  for (let start = 0; start < files.length; start += batchSize) {
    const open: number[] = [];
    try {
      for (const [at, file] of files.slice(start, start + batchSize).entries()) {
        each?.before(start + at);
        open.push(writeNewFile(file));
        each?.after(start + at);
      }
      flusher.flush(open);
    } finally {
      for (const descriptor of open) closeSync(descriptor);
    }
  }
}

function writeNewFile({ absolute, bytes, mode, owner }: NewFile): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(absolute, flags, 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    if (owner !== null) giveTo(descriptor, owner);
    // After the owner, because a change of owner may drop bits.
    fchmodSync(descriptor, mode);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Where it is permitted; a file that stays ours is still the right file. */
function giveTo(descriptor: number, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  if (process.platform === 'win32' || (uid === process.geteuid?.() && gid === process.getegid?.())) return;
  try {
    fchownSync(descriptor, uid, gid);
  } catch {
    // Not root.
  }
}

type Expected = {
  readonly path: string;
  readonly hash: string | null;
  /** Where known: the file must still be this one, with this mode. */
  readonly inode?: Inode | undefined;
};

/** Moves a flushed file beside the target into its place, if the target is still as expected. */
export function moveInto(root: string, temp: string, expected: Expected, hooks: ApplyHooks): 'done' | 'changed' {
  return retrying(hooks, expected.path, () => {
    if (!isAsExpected(root, expected)) return 'changed';
    if (!isInTree(root, temp) || !isInTree(root, expected.path)) return 'changed';
    const target = `${root}/${expected.path}`;
    if (expected.hash === null) return moveToFreeName(`${root}/${temp}`, target);
    renameSync(`${root}/${temp}`, target);
    return 'done';
  });
}

/** Removes a file, if it is still as expected. */
export function takeAway(root: string, expected: Expected, hooks: ApplyHooks): 'done' | 'changed' {
  return retrying(hooks, expected.path, () => {
    if (!isAsExpected(root, expected) || !isInTree(root, expected.path)) return 'changed';
    unlinkSync(`${root}/${expected.path}`);
    return 'done';
  });
}

function isAsExpected(root: string, { path, hash, inode }: Expected): boolean {
  const found = readTarget(root, path);
  if (found.kind !== 'file') return found.kind === 'absent' && hash === null;
  if (found.hash !== hash) return false;
  if (inode === undefined) return true;
  return found.inode.dev === inode.dev && found.inode.ino === inode.ino && found.inode.mode === inode.mode;
}

/** A link is refused where a name is taken; a rename would replace what was just put there. */
function moveToFreeName(from: string, to: string): 'done' | 'changed' {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return 'changed';
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'EMLINK') throw error;
    // A volume without links.
    renameSync(from, to);
    return 'done';
  }
  unlinkSync(from);
  return 'done';
}

const patienceMs = 2_000;
const passing: ReadonlySet<string> = new Set(
  // On Windows an open file makes a rename over it fail; elsewhere a missing permission stays missing.
  process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES'] : ['EBUSY'],
);

/** Everything is looked at again each time: an editor may save during the wait. */
function retrying(hooks: ApplyHooks, path: string, attempt: () => 'done' | 'changed'): 'done' | 'changed' {
  let waitedMs = 0;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    try {
      hooks.at(`attempt ${path}`);
      return attempt();
    } catch (error) {
      if (!passing.has((error as NodeJS.ErrnoException).code ?? '') || waitedMs >= patienceMs) throw error;
      hooks.pause(pauseMs);
      waitedMs += pauseMs;
    }
  }
}

/** Of a file in the data dir; undefined where it is gone. */
export function hashOwnFile(absolute: string): string | undefined {
  const found = lstatSync(absolute, { throwIfNoEntry: false });
  return found?.isFile() === true ? blake3Hex(readFileSync(absolute)) : undefined;
}

/** Only for names that a journal gives us; behind a link nothing is ours. */
export function removeOwnFile(root: string, path: string): void {
  if (isInTree(root, path)) rmSync(`${root}/${path}`, { force: true });
}

/** Makes what happened in the directories of these files durable, each once. A directory that is gone has nothing to keep. */
export function flushParents(root: string, paths: readonly string[], flusher: Flusher = plainFlusher): void {
  const directories = [...new Set(paths.map((path) => dirname(`${root}/${path}`)))];
  if (flusher !== plainFlusher && process.platform !== 'win32') flushTogether(directories, flusher);
  else for (const directory of directories) flushQuietly(directory);
}

/** Whatever is odd about one of them is for the slow way to judge. */
function flushTogether(directories: readonly string[], flusher: Flusher): void {
  const open: number[] = [];
  try {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    for (const directory of directories) open.push(openSync(directory, flags));
    flusher.flush(open);
  } catch {
    for (const directory of directories) flushQuietly(directory);
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

export function flushQuietly(directory: string): void {
  // Windows knows no such thing, and keeps the order of renames itself.
  if (process.platform === 'win32') return;
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) flushDirectory(directory);
}

/** Places where a test stops, kills or disturbs a writer. Nothing else uses them. */
export type ApplyHooks = {
  /** `before K3`, `after K3`, `before K7 src/a.ts`, `after K7 src/a.ts`, `before restore src/a.ts`, … */
  readonly at: (step: string) => void;
  /** Waits; blocks the thread, because nothing may come between a check and what it was made for. */
  readonly pause: (ms: number) => void;
};

export const noHooks: ApplyHooks = {
  at: () => {},
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};
