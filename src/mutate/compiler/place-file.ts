/**
 * Where a file of a program lies: below the root and ours to edit, or somewhere else. By what it is, not by how the program came to it:
 * a file behind a link is the file the link leads to, so that one file has one path in every program.
 */

import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const packageFolders: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'jspm_packages']);

/** Root-relative with `/`, or absolute and outside, which is also what installed packages inside the root are. */
export function placeFile(root: string, fileName: string): { readonly path: string; readonly outside: boolean } {
  const real = followLinks(fileName);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  if (!real.startsWith(prefix)) return { path: fileName, outside: true };
  const path = real.slice(prefix.length);
  return path.split('/').some((segment) => packageFolders.has(segment))
    ? { path: fileName, outside: true }
    : { path, outside: false };
}

/** Asked of every declaration again and again; a program's files do not become links while it is open. */
const followed = new Map<string, string>();

function followLinks(path: string): string {
  const known = followed.get(path);
  if (known !== undefined) return known;
  const real = follow(path);
  followed.set(path, real);
  return real;
}

function follow(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A file that only an overlay has lies where its directory does.
    const directory = dirname(path);
    return directory === path ? path : join(followLinks(directory), basename(path));
  }
}
