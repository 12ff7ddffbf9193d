/**
 * Back to the old files: each entry that still hashes to what we wrote gets its old bytes, mode and owner again.
 * E3: an entry that holds anything else is somebody's and stays. Can be begun again at any point.
 */

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ApplyHooks } from './hooks.ts';
import { backupPath, type Entry, type Journal } from './journal.ts';
import {
  type DiskState,
  flushParents,
  hashOwnFile,
  makeDirectories,
  moveInto,
  removeOwnFile,
  requireInTree,
  stateOf,
  takeAway,
  writeNewFiles,
} from './target.ts';

export type RolledBack = {
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
  // Somebody may have tidied away a directory that we left empty.
  if (entry.path.includes('/')) makeDirectories(root, dirname(entry.path));
  // Where a way back was cut off, half a file may have this name.
  removeOwnFile(root, entry.temp);
  requireInTree(root, entry.temp);
  const mode = entry.oldMode ?? 0o644;
  writeNewFiles([{ absolute: `${root}/${entry.temp}`, bytes: readFileSync(backup), mode, owner: entry.owner }]);
  flushParents(root, [entry.temp]);
  hooks.at(`restoring ${entry.path}`);
  // Where it changed under our hands, it is somebody's.
  if (moveInto(root, entry.temp, expected, hooks) === 'changed') removeOwnFile(root, entry.temp);
}
