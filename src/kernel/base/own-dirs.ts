/**
 * Where codegenie keeps what it derives of a tree: in the user's own state and cache directories, never in the tree (P9). A clone, an
 * archive or a checkout can put files into a tree and not here, so that what is found here was written by this user's program.
 *
 *   state  `$XDG_STATE_HOME/codegenie/trees/<name>-<hash>`   ledger, journals, undo copies, keys, locks, sockets, logs, digests
 *   cache  `$XDG_CACHE_HOME/codegenie/trees/<name>-<hash>`   index, gather cache, kept outputs of indexers: deleting it costs time
 *
 * `CODEGENIE_STATE_DIR` moves both below one directory. The hash is of the real path of the root.
 */

import { type Dirent, existsSync, lutimesSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { sha256Hex } from './hash.ts';
import { readOwnTextIfThere } from './if-there.ts';
import { ensureOwnDirectory, lstatOwn, OutputRefused, writeAtomically } from './write-file.ts';

export type OwnDirs = { readonly stateDir: string; readonly cacheDir: string };

export type OwnDirsPlace = {
  readonly root: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

type Bases = { readonly state: string; readonly cache: string };

/** Where they are, or would be; nothing is made. Throws `OutputRefused` where they would lie inside the tree, by a choice of the user or by a link. */
export function ownDirsOf(of: OwnDirsPlace): OwnDirs {
  const bases = basesOf(of);
  const name = `${nameOf(of.root)}-${sha256Hex(of.root).slice(0, 16)}`;
  return { stateDir: join(bases.state, 'trees', name), cacheDir: join(bases.cache, 'trees', name) };
}

/** Makes them: private to the user from the first level that is ours, and with a note of the tree that they are for. */
export function openOwnDirs(of: OwnDirsPlace): OwnDirs {
  const dirs = ownDirsOf(of);
  const bases = basesOf(of);
  for (const base of new Set([bases.state, bases.cache])) {
    makeBase(base);
    ensureOurs(join(base, 'trees'));
    // A home directory may be a work tree itself.
    const ignore = join(base, '.gitignore');
    if (lstatOwn(ignore) === undefined) writeAtomically(ignore, '*\n', { durable: false });
  }
  for (const directory of new Set([dirs.stateDir, dirs.cacheDir])) ensureOurs(directory);
  const note = join(dirs.stateDir, 'tree.json');
  const noted = lstatOwn(note);
  const now = Date.now();
  if (noted === undefined) {
    writeAtomically(note, `${JSON.stringify({ root: of.root })}\n`, { durable: false });
    collectGone(of, now);
  } else if (now - noted.mtimeMs > dayMs) lutimesSync(note, now / 1000, now / 1000);
  return dirs;
}

/** Those of a fleet: what was found of its repositories, and what costs only time. It belongs to no tree, and does not lie in `root` either. */
export function fleetDirsOf(of: OwnDirsPlace, name: string): OwnDirs {
  const bases = basesOf(of);
  return { stateDir: join(bases.state, 'fleets', name), cacheDir: join(bases.cache, 'fleets', name) };
}

export function openFleetDirs(of: OwnDirsPlace, name: string): OwnDirs {
  const bases = basesOf(of);
  for (const base of new Set([bases.state, bases.cache])) {
    makeBase(base);
    ensureOurs(join(base, 'fleets'));
  }
  const dirs = fleetDirsOf(of, name);
  for (const directory of new Set([dirs.stateDir, dirs.cacheDir])) ensureOurs(directory);
  return dirs;
}

const dayMs = 86_400_000;
const maxStateDays = 30;

/**
 * A tree that is new here pays for those that are gone, so that what is kept does not grow with every clone that was ever made. A tree may
 * come back (a disk that is not mounted): what costs only time goes a day after it was last used, what cannot be made again after thirty.
 */
function collectGone(of: OwnDirsPlace, now: number): void {
  for (const kept of listKeptTrees(of)) {
    const unused = now - (statIfThere(join(kept.stateDir, 'tree.json'))?.mtimeMs ?? now);
    if (unused <= dayMs || kept.root === null || statIfThere(kept.root) !== undefined) continue;
    try {
      if (unused > maxStateDays * dayMs) removeKeptTree(kept);
      else removeDerived(kept);
    } catch {
      // What cannot be removed stays listed by `codegenie state`.
    }
  }
}

/** Undefined only where there is nothing: what may not be looked at is there. */
function statIfThere(path: string): { readonly mtimeMs: number } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return { mtimeMs: Date.now() };
  }
}

function basesOf({ root, home, environment }: OwnDirsPlace): Bases {
  const chosen = environment['CODEGENIE_STATE_DIR'];
  if (chosen !== undefined && chosen !== '') {
    if (!isAbsolute(chosen)) throw new OutputRefused(chosen, 'CODEGENIE_STATE_DIR must be an absolute path');
    if (isBelow(root, realOf(chosen)))
      throw new OutputRefused(chosen, 'CODEGENIE_STATE_DIR lies inside the analysed tree; choose a directory outside');
    return { state: chosen, cache: chosen };
  }
  const baseOf = (variable: string, otherwise: string): string => {
    const given = environment[variable];
    // Relative values are to be ignored, as the standard says.
    const chosen = given !== undefined && isAbsolute(given) ? given : undefined;
    const base = join(chosen ?? join(home, otherwise), 'codegenie');
    // Whose home is the tree has all of it there.
    if (!isBelow(root, realOf(base)) || isBelow(root, realOf(home))) return base;
    if (chosen !== undefined)
      throw new OutputRefused(chosen, `${variable} lies inside the analysed tree; choose a directory outside`);
    throw new OutputRefused(base, 'leads into the analysed tree; set CODEGENIE_STATE_DIR to a directory outside');
  };
  return { state: baseOf('XDG_STATE_HOME', '.local/state'), cache: baseOf('XDG_CACHE_HOME', '.cache') };
}

/** The real path of the deepest part that exists, and the rest as it is. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = join(path, '..');
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}

function isBelow(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

/** For people who look into the directory; the hash tells trees apart. Short, because a socket below it has room for 107 bytes. */
function nameOf(root: string): string {
  return (
    basename(root)
      .replace(/[^\w.-]+/g, '_')
      .slice(0, 20) || 'root'
  );
}

/** The user may keep their own directories elsewhere and have links to them; what lies below ours may not be one. */
function makeBase(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new OutputRefused(path, `cannot be created (${code}); set CODEGENIE_STATE_DIR to a directory of your own`);
  }
  refuseOthers(path);
}

function ensureOurs(path: string): void {
  ensureOwnDirectory(path);
  refuseOthers(path);
}

/** What another user owns, or may write to, could say anything. */
function refuseOthers(path: string): void {
  if (process.platform === 'win32') return;
  const found = statSync(path);
  if (found.uid !== process.geteuid?.())
    throw new OutputRefused(path, 'belongs to another user; set CODEGENIE_STATE_DIR to a directory of your own');
  if ((found.mode & 0o022) !== 0)
    throw new OutputRefused(path, 'can be written by other users; take that right away (chmod go-w)');
}

/** `root`: null where the note of it cannot be read. */
export type KeptTree = OwnDirs & { readonly root: string | null };

/** What is kept of every tree, in the order of their directories' names. */
export function listKeptTrees(of: Omit<OwnDirsPlace, 'root'>): readonly KeptTree[] {
  const bases = basesOf({ ...of, root: '\0' });
  const names = new Set([...namesIn(join(bases.state, 'trees')), ...namesIn(join(bases.cache, 'trees'))]);
  return [...names].sort().map((name) => {
    const stateDir = join(bases.state, 'trees', name);
    const cacheDir = join(bases.cache, 'trees', name);
    return { stateDir, cacheDir, root: rootOf(stateDir) };
  });
}

export function removeKeptTree({ stateDir, cacheDir }: OwnDirs): void {
  for (const directory of new Set([cacheDir, stateDir])) rmSync(directory, { recursive: true, force: true });
}

/** The index and the gather cache. Gives what there was of them. */
export function removeDerived({ cacheDir }: OwnDirs): readonly string[] {
  const paths = ['index', 'cache'].map((name) => join(cacheDir, name)).filter((path) => existsSync(path));
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  return paths;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  } catch {
    return [];
  }
}

function rootOf(stateDir: string): string | null {
  try {
    const note = JSON.parse(readOwnTextIfThere(join(stateDir, 'tree.json')) ?? '') as { root?: unknown };
    return typeof note.root === 'string' ? note.root : null;
  } catch {
    return null;
  }
}

/** What lies in a directory and below, links not followed; nothing where there is none. */
export function measureDirectory(directory: string): { readonly bytes: number; readonly files: number } {
  const files = readdirIfThere(directory).filter((entry) => !entry.isDirectory());
  const sizes = files.map(({ parentPath, name }) => lstatOwn(join(parentPath, name))?.size ?? 0);
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function readdirIfThere(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
