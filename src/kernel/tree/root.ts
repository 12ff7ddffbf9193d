/** The repository root: the real path of the work tree, or of the plain directory that was named; and paths below it. */

import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

type RootOutcome =
  | { readonly kind: 'root'; readonly root: string; readonly isGit: boolean; readonly enclosing: string | null }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'not_directory'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly errno: string };

/**
 * `given` is the directory a person named (or the cwd). The answer's root is that directory itself; `enclosing` names the work tree
 * around it when there is another one, and the caller decides which is meant.
 */
export function findRoot(given: string, cwd: string): RootOutcome {
  const path = resolve(cwd, given);
  try {
    if (!statSync(path).isDirectory()) return { kind: 'not_directory', path };
    const root = realpathSync(path);
    if (hasGit(root)) return { kind: 'root', root, isGit: true, enclosing: null };
    return { kind: 'root', root, isGit: false, enclosing: findEnclosingWorkTree(root) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return { kind: 'missing', path };
    if (code === 'ENOTDIR') return { kind: 'not_directory', path };
    return { kind: 'unreadable', path, errno: code ?? 'unknown' };
  }
}

function findEnclosingWorkTree(directory: string): string | null {
  for (let current = dirname(directory); ; current = dirname(current)) {
    if (hasGit(current)) return current;
    if (current === dirname(current)) return null;
  }
}

function hasGit(directory: string): boolean {
  const entry = lstatSync(`${directory}/.git`, { throwIfNoEntry: false });
  return entry?.isDirectory() === true || entry?.isFile() === true;
}

/**
 * What a person or a tool calls a file, as a root-relative path; `''` is the root itself, `undefined` lies outside of it. Names only:
 * the file need not exist.
 */
export function pathInRoot(root: string, from: string, given: string): string | undefined {
  const written = resolve(from, given);
  return below(root, written) ?? below(root, realParent(written));
}

function below(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) return undefined;
  return inside.split(sep).join('/');
}

/** The root is a real path; what was given may go through a link to it. The last part stays: it may be a link that has a row. */
function realParent(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

/** Does this volume take two spellings for one name? Looks for the root's own name in another case. */
export function foldsNames(root: string): boolean {
  const swapped = root.replace(/[^/]+$/, (name) =>
    name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase(),
  );
  if (swapped === root) return false;
  try {
    const [here, there] = [lstatSync(root), lstatSync(swapped, { throwIfNoEntry: false })];
    return there !== undefined && here.ino === there.ino && here.dev === there.dev;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
