/** Finds the repository root: the real path of the work tree, or of the plain directory that was named. */

import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export type RootOutcome =
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
