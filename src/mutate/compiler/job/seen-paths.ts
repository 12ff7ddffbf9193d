/**
 * What the compiler has seen of the disk, and what of it is otherwise now: how a compiler that stays knows that its programs are of the
 * bytes of now, without a watcher and without a list of what might matter (decision 0036). All that it looks at goes through here. Of
 * every path that it looked at, or missed, the answer is kept, or what the path's stat was before it was read. A file that had
 * changed just before may have changed again at the same tick of the file system's clock, so it counts as changed.
 */

import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';

type Entries = { readonly files: string[]; readonly directories: string[] };

export type SeenPaths = {
  /** To be called before the compiler reads it by itself. False: it is not there. */
  mayRead(path: string): boolean;
  isFile(path: string): boolean;
  isDirectory(path: string): boolean;
  list(directory: string): Entries;
  /** Files whose bytes may be others than those that were read. Null: it would find other files, or find them elsewhere. */
  compare(): readonly string[] | null;
  /** They are read again, or not needed any more. */
  forget(paths: Iterable<string>): void;
};

type Read = { readonly stat: string; readonly isYoung: boolean };
type Listing = Read & { readonly says: string; readonly hasLinks: boolean };

export function createSeenPaths(nowMs: () => number): SeenPaths {
  const reads = new Map<string, Read>();
  const kinds = new Map<string, string>();
  const listings = new Map<string, Listing>();
  /** Directories on the way, by what they are and not by what they hold: where links lead follows from them. */
  const folders = new Map<string, string>();
  /** Seen once so and once otherwise: programs of both may be open. */
  const changing = new Set<string>();
  let isOther = false;

  const noteFolders = (path: string): void => {
    for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.set(at, identityOf(at));
  };
  const note = (path: string): Look => {
    noteFolders(path);
    const found = look(path);
    const known = kinds.get(path);
    if (known === undefined) kinds.set(path, found.kind);
    else if (known !== found.kind) isOther = true;
    return found;
  };
  return {
    mayRead(path) {
      const atMs = nowMs();
      const found = note(path);
      const known = reads.get(path);
      if (known === undefined) reads.set(path, { stat: found.stat, isYoung: isYoung(found, atMs) });
      else if (known.stat !== found.stat) changing.add(path);
      return found.kind !== 'nothing' && found.kind !== 'directory';
    },
    isFile: (path) => isFileKind(note(path).kind),
    isDirectory: (path) => note(path).kind === 'directory',
    list(directory) {
      const atMs = nowMs();
      const found = note(directory);
      const listed = listNow(directory);
      const known = listings.get(directory);
      if (known === undefined) {
        const { says, hasLinks } = listed;
        listings.set(directory, { stat: found.stat, isYoung: isYoung(found, atMs), says, hasLinks });
      } else if (known.says !== listed.says) isOther = true;
      return listed.entries;
    },
    compare() {
      if (isOther) return null;
      for (const [path, was] of folders) if (identityOf(path) !== was) return null;
      const changed = new Set(changing);
      for (const [path, was] of kinds) {
        const now = look(path);
        if (now.kind !== was) return null;
        const read = reads.get(path);
        if (read !== undefined && (read.isYoung || read.stat !== now.stat)) changed.add(path);
        const listing = listings.get(path);
        const isListed = listing === undefined || !(listing.isYoung || listing.hasLinks || listing.stat !== now.stat);
        if (!isListed && listNow(path).says !== listing.says) return null;
      }
      return [...changed].sort(compareCodeUnits);
    },
    forget(paths) {
      for (const path of paths) {
        reads.delete(path);
        changing.delete(path);
      }
    },
  };
}

type Look = {
  readonly kind: 'nothing' | 'file' | 'directory' | 'other';
  /** Of the path, and of what it leads to. */
  readonly stat: string;
  readonly changedMs: number;
};

const nothing: Look = { kind: 'nothing', stat: '', changedMs: 0 };

function look(path: string): Look {
  const own = statOr(lstatSync, path);
  if (own === undefined) return nothing;
  if (!own.isSymbolicLink()) return describe(own, keyOf(own), 0);
  const led = statOr(statSync, path);
  return led === undefined ? nothing : describe(led, `${keyOf(own)} ${keyOf(led)}`, own.ctimeMs);
}

function describe(found: Stats, stat: string, linkedMs: number): Look {
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
  return { kind, stat, changedMs: Math.max(found.mtimeMs, found.ctimeMs, linkedMs) };
}

/** A pipe is there like a file; that nothing is read from it, others see to. */
function isFileKind(kind: Look['kind']): boolean {
  return kind === 'file' || kind === 'other';
}

function keyOf({ dev, ino, mode, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${mode}:${size}:${mtimeMs}:${ctimeMs}`;
}

function isYoung({ changedMs }: Look, atMs: number): boolean {
  return changedMs + limits.racyWindowMs > atMs;
}

function identityOf(folder: string): string {
  const found = statOr(lstatSync, folder);
  if (found === undefined) return '';
  return found.isSymbolicLink() ? keyOf(found) : `${found.dev}:${found.ino}:${found.mode}`;
}

/** What cannot be looked at is not there to the compiler. */
function statOr(stat: typeof lstatSync | typeof statSync, path: string): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What a configuration can take in by a pattern. */
const isReadable = /\.(?:[cm]?[jt]sx?|json)$/;

/** Links are what they lead to, as the compiler's own look has it. */
function listNow(directory: string): { readonly entries: Entries; readonly says: string; readonly hasLinks: boolean } {
  const entries: Entries = { files: [], directories: [] };
  let hasLinks = false;
  try {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) hasLinks = true;
      const kind = entry.isSymbolicLink()
        ? look(join(directory, entry.name)).kind
        : entry.isDirectory()
          ? 'directory'
          : entry.isFile()
            ? 'file'
            : 'other';
      if (kind === 'directory') entries.directories.push(entry.name);
      else if (kind === 'file') entries.files.push(entry.name);
    }
  } catch {
    // It is not there, or closed to us.
  }
  entries.files.sort(compareCodeUnits);
  entries.directories.sort(compareCodeUnits);
  const { files, directories } = entries;
  return { entries, says: JSON.stringify([files.filter((name) => isReadable.test(name)), directories]), hasLinks };
}
