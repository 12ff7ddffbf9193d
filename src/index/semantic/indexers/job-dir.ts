/**
 * A refresh job's own directory: outside the repository, private to the user, in memory where the system has room for it there, since
 * an index holds names and text of the source. `codegenie-<uid>/<root id>/<job>-<pid>.<start>/`: the owner's start time tells a living
 * owner from a dead one whose number was given away again.
 */

import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../../kernel/base/hash.ts';
import { listNamesIfThere } from '../../../kernel/base/if-there.ts';
import { processStart } from '../../../kernel/base/processes.ts';
import { OutputRefused } from '../../../kernel/base/write-file.ts';
import type { Environment } from '../../../kernel/exec/environment.ts';
import { isInside } from '../../../kernel/exec/resolve-tool.ts';

type JobDirPlace = {
  /** Realpath of the analysed repository. */
  readonly root: string;
  /** For `TMPDIR`. */
  readonly environment: Environment;
};

const jobName = /^[A-Za-z0-9_-]{1,64}-(\d{1,10})\.([a-z0-9]+)$/;

/** Throws `OutputRefused` where no directory of the machine will do. */
export function makeJobDir(place: JobDirPlace & { readonly job: string | number }): string {
  const name = `${place.job}-${process.pid}.${processStart(process.pid)}`;
  for (let attempt = 1; ; attempt += 1) {
    const path = join(ensureHome(place), name);
    rmSync(path, { recursive: true, force: true });
    try {
      mkdirSync(path, { mode: 0o700 });
      return path;
    } catch (error) {
      // Another process has just removed the last job dir of this root, and the empty directory with it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error;
    }
  }
}

/** Whatever a tool has left in it, and whatever modes it gave it. */
export function removeJobDir(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    openUp(path);
    rmSync(path, { recursive: true, force: true });
  }
  // The directory of the root goes with its last job.
  try {
    rmdirSync(dirname(path));
  } catch {
    // Another job is in it.
  }
  try {
    rmdirSync(dirname(path));
  } catch {
    // Other jobs of this root are running.
  }
}

/**
 * Removes the job dirs of processes that are gone; those of living ones are theirs. Of all roots: no process comes back to one that was
 * deleted, and what lies there lies in memory.
 */
export function sweepJobDirs(place: JobDirPlace): number {
  let removed = 0;
  for (const base of listBases(place)) {
    // Those that were made aside are the only ones of which we do not know the name.
    for (const home of listNamesIfThere(base)
      .filter(isAsideName)
      .map((name) => join(base, name))) {
      if (isOwn(home)) removed += sweepRoot(home);
    }
    const own = join(base, ownName());
    if (!isOwn(own)) continue;
    for (const id of listNamesIfThere(own)) {
      const home = join(own, id);
      if (rootIdShape.test(id) && isOwn(home)) removed += sweepRoot(home);
    }
  }
  return removed;
}

/** As `mkdtemp` completes it. */
function isAsideName(name: string): boolean {
  return name.startsWith(`${ownName()}-`) && /^[A-Za-z0-9]{6}$/.test(name.slice(ownName().length + 1));
}

function sweepRoot(home: string): number {
  const gone = listNamesIfThere(home).filter((name) => {
    const [, pid, start] = jobName.exec(name) ?? [];
    return pid !== undefined && processStart(Number(pid)) !== start;
  });
  for (const name of gone) removeJobDir(join(home, name));
  return gone.length;
}

function ensureHome(place: JobDirPlace): string {
  for (const base of listBases(place)) {
    const own = join(base, ownName());
    const home = join(own, rootId(place.root));
    if (ensureOwn(own) && ensureOwn(home)) return home;
    // Another user has taken the name, on purpose or not: make one that could not be known.
    const aside = mkdtempSync(join(base, `${ownName()}-`));
    if (isOwn(aside)) return aside;
  }
  throw new OutputRefused('job directory', 'no temporary directory outside the repository can be written');
}

function listBases(place: JobDirPlace): string[] {
  const candidates = ['/dev/shm', place.environment['TMPDIR'], tmpdir(), '/var/tmp'];
  const usable = candidates.flatMap((path) => {
    try {
      if (path === undefined || path === '') return [];
      const real = realpathSync(path);
      accessSync(real, constants.W_OK | constants.X_OK);
      return isInside(place.root, real) ? [] : real;
    } catch {
      return [];
    }
  });
  return [...new Set(usable)];
}

function ensureOwn(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  return isOwn(path);
}

/** A real directory that only this user can have filled. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  if (process.getuid === undefined) return true;
  return found.uid === process.getuid() && (found.mode & 0o022) === 0;
}

function ownName(): string {
  return `codegenie-${process.getuid?.() ?? 'user'}`;
}

const rootIdShape = /^[0-9a-f]{16}$/;

function rootId(root: string): string {
  return sha256Hex(root).slice(0, 16);
}

function openUp(path: string): void {
  const pending = [path];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    chmodSync(directory, 0o700);
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) pending.push(join(directory, entry.name));
    }
  }
}
