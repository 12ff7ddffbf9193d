/**
 * How a change ends: the old files are restored (`rollBack`), and what a writer left beside the user's files and in its journal is removed
 * (K13). E10: nothing is left behind. Every step can be done again, and the log goes last: as long as a file of the writer is left, a
 * journal names it.
 */

import { lstatSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensureOwnDirectory } from '../../kernel/base/write-file.ts';
import { type Begin, backupPath, type Entry, type Journal, journalRoot, logPath, witnessPath } from './journal.ts';
import {
  type ApplyHooks,
  type DiskState,
  flushParents,
  flushQuietly,
  hashOwnFile,
  isInTree,
  makeDirectories,
  moveInto,
  removeOwnFile,
  requireInTree,
  stateOf,
  takeAway,
  writeNewFiles,
} from './target.ts';

export type LateWrite = { readonly path: string; readonly kept: string };

export function undoDir(stateDir: string, planId: string): string {
  return `${stateDir}/state/undo/${planId}`;
}

/** After DONE: copies of the old files go to where undo finds them, all else goes. Gives what was written through old handles. */
export function finishJournal(
  root: string,
  stateDir: string,
  journal: Journal,
  hooks: ApplyHooks,
  /** `flushed`: this process has seen to it that what became of the temps is durable. */
  renames: 'flushed' | 'unknown' = 'unknown',
): readonly LateWrite[] {
  const { dir, begin } = journal;
  hooks.at('before K13');
  const late = keepLateWrites(stateDir, journal);
  if (begin.op === 'commit') moveBackups(stateDir, journal);
  hooks.at('during K13');
  removeOurFiles(root, begin, renames);
  removeDirectories(root, begin.drops);
  if (begin.op === 'undo') rmSync(undoDir(stateDir, begin.plan), { recursive: true, force: true });
  removeJournal(stateDir, dir, hooks);
  hooks.at('after K13');
  return late;
}

/** After the way back: the old files are in place, and the journal is not needed. */
export function discardJournal(root: string, stateDir: string, journal: Journal, hooks: ApplyHooks): void {
  hooks.at('before discard');
  removeOurFiles(root, journal.begin);
  removeDirectories(root, journal.begin.makes);
  hooks.at('during discard');
  removeJournal(stateDir, journal.dir, hooks);
  hooks.at('after discard');
}

export function removeJournal(stateDir: string, dir: string, hooks: ApplyHooks): void {
  for (const name of ['witness', 'backup']) rmSync(`${dir}/${name}`, { recursive: true, force: true });
  hooks.at('before log removed');
  rmSync(logPath(dir), { recursive: true, force: true });
  rmSync(dir, { recursive: true, force: true });
  flushQuietly(journalRoot(stateDir));
}

/** Which of the old inodes have changed: another process wrote to a file that was no longer in its place. */
export function findLateWrites(
  stateDir: string,
  journal: Pick<Journal, 'dir' | 'begin'>,
): readonly (LateWrite & { readonly from: string })[] {
  return journal.begin.entries.flatMap((entry, position) => {
    const from = witnessPath(journal.dir, position);
    const hash = hashOwnFile(from);
    const isLate = hash !== undefined && hash !== entry.old;
    return isLate ? [{ path: entry.path, kept: latePath(stateDir, journal.begin.plan, position), from }] : [];
  });
}

export function lateRoot(stateDir: string): string {
  return `${stateDir}/state/late`;
}

function latePath(stateDir: string, planId: string, position: number): string {
  return `${lateRoot(stateDir)}/${planId}-${position}`;
}

function keepLateWrites(stateDir: string, journal: Journal): readonly LateWrite[] {
  const found = findLateWrites(stateDir, journal);
  if (found.length > 0) ensureOwnDirectory(lateRoot(stateDir));
  for (const { from, kept } of found) {
    renameSync(from, kept);
    // Its age counts from now, not from the last time its owner saved.
    const now = statSync(journal.dir).mtime;
    utimesSync(kept, now, now);
  }
  if (found.length > 0) flushQuietly(lateRoot(stateDir));
  return found.map(({ path, kept }) => ({ path, kept }));
}

function moveBackups(stateDir: string, { dir, begin }: Journal): void {
  const from = `${dir}/backup`;
  if (lstatSync(from, { throwIfNoEntry: false }) === undefined) return;
  const to = undoDir(stateDir, begin.plan);
  ensureOwnDirectory(`${stateDir}/state/undo`);
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
  flushQuietly(`${stateDir}/state/undo`);
}

function removeOurFiles(root: string, begin: Begin, renames: 'flushed' | 'unknown' = 'unknown'): void {
  const ours = [...begin.entries.map(({ temp }) => temp), ...begin.trials];
  const left = ours.filter((path) => lstatSync(`${root}/${path}`, { throwIfNoEntry: false }) !== undefined);
  for (const path of left) removeOwnFile(root, path);
  flushParents(root, renames === 'flushed' ? left : ours);
}

/** Innermost first, and only those that are empty. */
function removeDirectories(root: string, directories: readonly string[]): void {
  for (const directory of directories.toReversed()) {
    const absolute = `${root}/${directory}`;
    if (!isInTree(root, `${directory}/x`) || readdirSync(absolute).length > 0) continue;
    rmdirSync(absolute);
    flushParents(root, [directory]);
  }
}

// Back to the old files: each entry that still hashes to what we wrote gets its old bytes, mode and owner again.
// E3: an entry that holds anything else is a foreign edit and stays. Can be begun again at any point.

type RolledBack = {
  /** Neither the old nor the new bytes: not touched. */
  readonly foreign: readonly string[];
  /** Still new, because the copy of the old bytes is gone or damaged. */
  readonly stuck: readonly string[];
};

export function rollBack(root: string, journal: Journal, hooks: ApplyHooks): RolledBack {
  const { entries } = journal.begin;
  for (const [position, entry] of [...entries.entries()].toReversed()) {
    if (stateOf(root, entry) !== 'new') continue;
    hooks.at(`before restore ${entry.path}`);
    restore(root, journal.dir, entry, position, hooks);
    hooks.at(`after restore ${entry.path}`);
  }
  flushParents(
    root,
    entries.map(({ path }) => path),
  );
  const inState = (state: DiskState) =>
    entries.filter((entry) => stateOf(root, entry) === state).map(({ path }) => path);
  return { foreign: inState('other'), stuck: inState('new') };
}

function restore(root: string, dir: string, entry: Entry, position: number, hooks: ApplyHooks): void {
  const expected = { path: entry.path, hash: entry.new };
  if (entry.old === null) {
    takeAway(root, expected, hooks);
    return;
  }
  const backup = backupPath(dir, position);
  if (hashOwnFile(backup) !== entry.old) return;
  // A directory that was left empty may have been tidied away.
  if (entry.path.includes('/')) makeDirectories(root, dirname(entry.path));
  // Where a way back was cut off, half a file may have this name.
  removeOwnFile(root, entry.temp);
  requireInTree(root, entry.temp);
  const mode = entry.oldMode ?? 0o644;
  writeNewFiles([{ absolute: `${root}/${entry.temp}`, bytes: readFileSync(backup), mode, owner: entry.owner }]);
  flushParents(root, [entry.temp]);
  hooks.at(`restoring ${entry.path}`);
  // What changed in between is a foreign edit.
  if (moveInto(root, entry.temp, expected, hooks) === 'changed') removeOwnFile(root, entry.temp);
}
