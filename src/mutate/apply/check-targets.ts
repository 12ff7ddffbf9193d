/**
 * What would make a change go wrong, found before anything is written (mutation.md §8).
 * E8: a read-only, hard-linked, conflicted, odd-lined or undecodable file is refused before any file is touched.
 *
 * K1 is here: each target is read once, its hash is the plan's, and it is remembered which file it was. Root may write everywhere,
 * so `access` says little there: the mode bits are looked at as well.
 */

import { accessSync, constants, lstatSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quotedPath } from '../../kernel/base/text.ts';
import { decodeText } from '../../kernel/tree/content-kind.ts';
import { createDirectoryGuard } from '../../kernel/tree/safe-read.ts';
import { findUnsaved } from '../../kernel/tree/unsaved-texts.ts';
import type { RefusedReason } from '../vocabulary.ts';
import { isPlainPath } from './journal.ts';
import { type Inode, readTarget } from './target.ts';

/** A change in the form in which all three kinds are one: null is no file. */
export type Wanted = {
  readonly path: string;
  readonly oldHash: string | null;
  readonly newBytes: Uint8Array | null;
  /** null: that of the file before. */
  readonly newMode: number | null;
  /** Where the file before does not say. */
  readonly newOwner?: { readonly uid: number; readonly gid: number } | null | undefined;
};

export type Target = Wanted & {
  readonly oldBytes: Buffer | null;
  readonly inode: Inode | undefined;
};

export type Refusal = {
  readonly kind: 'refused';
  readonly reason: RefusedReason;
  readonly detail: string;
  readonly paths: readonly string[];
};

type Checked =
  | {
      readonly kind: 'fit';
      readonly targets: readonly Target[];
      /** Directories to make, outermost first. */
      readonly makes: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly kind: 'changed'; readonly paths: readonly string[] }
  | Refusal;

export type ScopeFacts = {
  /** Every path in scope; asked for only where a target has more than one name. Without it such a target is refused. */
  readonly listScope?: (() => readonly string[]) | undefined;
  /** Files that git has in conflict. */
  readonly conflicted?: ReadonlySet<string> | undefined;
};

export function checkTargets(
  of: { readonly root: string; readonly stateDir: string; readonly wanted: readonly Wanted[] } & ScopeFacts,
): Checked {
  const { root } = of;
  const targets: Target[] = [];
  const changed: string[] = [];
  const unwritten = findUnwritten(of.wanted.map(({ path }) => path));
  if (unwritten !== undefined) return unwritten;
  for (const wanted of of.wanted) {
    const found = readTarget(root, wanted.path);
    // What is no regular file any more was one when the plan was made.
    if (found.kind === 'other' || (found.kind === 'absent' ? null : found.hash) !== wanted.oldHash) {
      changed.push(wanted.path);
    } else {
      const file = found.kind === 'file' ? found : undefined;
      targets.push({ ...wanted, oldBytes: file?.bytes ?? null, inode: file?.inode });
    }
  }
  if (changed.length > 0) return { kind: 'changed', paths: changed };
  const makes = listMissingParents(root, targets);
  if (makes.kind === 'changed') return makes;
  const links = findOtherNames(of, targets);
  const refusal =
    findUnreadable(targets, of.conflicted) ??
    findReadOnly(root, targets) ??
    links.refusal ??
    findFullVolume(of, targets);
  return refusal ?? { kind: 'fit', targets, makes: makes.missing, notes: links.notes };
}

/** The same of files that a plan is to edit, as they are now: what time and space will be at the commit is not asked. */
export function refuseTargets(
  of: { readonly root: string; readonly paths: readonly string[] } & ScopeFacts,
): Refusal | undefined {
  const unwritten = findUnwritten(of.paths);
  if (unwritten !== undefined) return unwritten;
  const targets = of.paths.flatMap((path): Target[] => {
    const found = readTarget(of.root, path);
    if (found.kind !== 'file') return [];
    const { hash, inode } = found;
    const bytes = findUnsaved(of.root, path) ?? found.bytes;
    return [{ path, oldHash: hash, newBytes: bytes, newMode: null, oldBytes: bytes, inode }];
  });
  return (
    findUnreadable(targets, of.conflicted) ?? findReadOnly(of.root, targets) ?? findOtherNames(of, targets).refusal
  );
}

function findUnwritten(paths: readonly string[]): Refusal | undefined {
  const odd = paths.filter((path) => !isPlainPath(path));
  return odd.length === 0
    ? undefined
    : refuse('read_only', 'has a name that some volumes take for that of another', odd);
}

/** Text that no edit can be trusted in. */
function findUnreadable(targets: readonly Target[], conflicted: ScopeFacts['conflicted']): Refusal | undefined {
  const edited = targets.filter((target) => target.oldBytes !== null && target.newBytes !== null);
  const kinds: readonly [RefusedReason, string, (target: Target) => boolean][] = [
    ['encoding', 'is not UTF-8 text', ({ oldBytes }) => oldBytes !== null && decodeText(oldBytes).kind === 'skip'],
    [
      'conflicted',
      'has an unresolved merge conflict',
      ({ path, oldBytes }) => conflicted?.has(path) === true || (oldBytes !== null && hasConflictMarkers(oldBytes)),
    ],
    ['odd_lines', 'has line ends of another kind', ({ oldBytes }) => oldBytes !== null && hasOddLines(oldBytes)],
  ];
  for (const [reason, says, isSo] of kinds) {
    const paths = edited.filter(isSo).map(({ path }) => path);
    if (paths.length > 0) return refuse(reason, says, paths);
  }
  return undefined;
}

/** All three marks, each at the start of a line and in this order. */
function hasConflictMarkers(bytes: Buffer): boolean {
  const marks = ['<<<<<<< ', '=======', '>>>>>>> '].map((mark) => Buffer.from(mark));
  let at = 0;
  for (const mark of marks) {
    while (!bytes.subarray(at, at + mark.length).equals(mark)) {
      const end = bytes.indexOf(0x0a, at);
      if (end < 0) return false;
      at = end + 1;
    }
  }
  return true;
}

/** As the index has it: a carriage return of its own, or a character that some take for a line end. */
function hasOddLines(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x0d); at >= 0; at = bytes.indexOf(0x0d, at + 1)) {
    if (bytes[at + 1] !== 0x0a) return true;
  }
  return bytes.includes('\u2028') || bytes.includes('\u2029');
}

function findReadOnly(root: string, targets: readonly Target[]): Refusal | undefined {
  const directories = new Map<string, boolean>();
  const mayChange = (directory: string): boolean => {
    const known = directories.get(directory) ?? isWritable(directory, constants.W_OK | constants.X_OK);
    directories.set(directory, known);
    return known;
  };
  const paths = targets
    .filter(
      ({ path, oldBytes }) =>
        !mayChange(nearestDirectory(root, path)) ||
        (oldBytes !== null && !isWritable(`${root}/${path}`, constants.W_OK)),
    )
    .map(({ path }) => path);
  return paths.length === 0 ? undefined : refuse('read_only', 'the file or its directory may not be written', paths);
}

/** `access` knows of read-only mounts and of other people's files, mode bits are what root does not stop at. */
function isWritable(absolute: string, mode: number): boolean {
  try {
    accessSync(absolute, mode);
    return (statSync(absolute).mode & 0o222) !== 0;
  } catch {
    return false;
  }
}

/** Of a file that is to be made, the directory that is there already. */
function nearestDirectory(root: string, path: string): string {
  let directory = dirname(path);
  while (directory !== '.' && lstatSync(`${root}/${directory}`, { throwIfNoEntry: false }) === undefined) {
    directory = dirname(directory);
  }
  return directory === '.' ? root : `${root}/${directory}`;
}

/** A file of two names in scope would be two files afterwards. */
function findOtherNames(
  of: { readonly root: string } & ScopeFacts,
  targets: readonly Target[],
): { readonly refusal: Refusal | undefined; readonly notes: readonly string[] } {
  const linked = targets.filter(({ inode }) => inode !== undefined && inode.links > 1);
  if (linked.length === 0) return { refusal: undefined, notes: [] };
  if (of.listScope === undefined) {
    return {
      refusal: refuse(
        'hard_linked',
        'has another name',
        linked.map(({ path }) => path),
      ),
      notes: [],
    };
  }
  const byInode = new Map(linked.map((target) => [`${target.inode?.dev}:${target.inode?.ino}`, target.path]));
  const twice: string[] = [];
  for (const path of of.listScope()) {
    const found = lstatSync(`${of.root}/${path}`, { throwIfNoEntry: false });
    const target = found?.isFile() === true ? byInode.get(`${found.dev}:${found.ino}`) : undefined;
    if (target !== undefined && target !== path) twice.push(target, path);
  }
  if (twice.length > 0) {
    return { refusal: refuse('hard_linked', 'is the same file under two names', [...new Set(twice)]), notes: [] };
  }
  const notes = linked.map(
    ({ path }) => `${quotedPath(path)} has another name outside the scope, which keeps the old text`,
  );
  return { refusal: undefined, notes };
}

/** Twice the bytes: the new files beside the old ones, and copies of the old ones in the data dir. */
function findFullVolume(
  of: { readonly root: string; readonly stateDir: string },
  targets: readonly Target[],
): Refusal | undefined {
  const needs = new Map<number, { at: string; bytes: number }>();
  const add = (at: string, bytes: number) => {
    const { dev } = statSync(at);
    const need = needs.get(dev) ?? { at, bytes: 0 };
    need.bytes += bytes;
    needs.set(dev, need);
  };
  for (const { path, oldBytes, newBytes } of targets) {
    add(nearestDirectory(of.root, path), 2 * (newBytes?.length ?? 0));
    add(of.stateDir, 2 * (oldBytes?.length ?? 0));
  }
  for (const { at, bytes } of needs.values()) {
    const { bavail, bsize } = statfsSync(at);
    if (bavail * bsize < bytes) {
      return refuse('no_space', `${bytes} bytes are needed on the volume of ${at}, ${bavail * bsize} are free`, []);
    }
  }
  return undefined;
}

/** `changed`: something that is no directory is in the way. */
function listMissingParents(
  root: string,
  targets: readonly Target[],
):
  | { readonly kind: 'makes'; readonly missing: readonly string[] }
  | { readonly kind: 'changed'; readonly paths: readonly string[] } {
  const missing = new Set<string>();
  const guard = createDirectoryGuard(root);
  for (const { path, newBytes } of targets) {
    if (newBytes === null) continue;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const directory = path.slice(0, slash);
      if (missing.has(directory)) continue;
      if (lstatSync(`${root}/${directory}`, { throwIfNoEntry: false }) === undefined) missing.add(directory);
      else if (!guard.holds(`${directory}/x`)) return { kind: 'changed', paths: [path] };
    }
  }
  return { kind: 'makes', missing: [...missing] };
}

/** `detail` does not name the files: the answer lists them. */
export function refuse(reason: RefusedReason, detail: string, paths: readonly string[]): Refusal {
  return { kind: 'refused', reason, detail, paths };
}
