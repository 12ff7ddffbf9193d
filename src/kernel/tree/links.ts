/**
 * Where a symbolic link ends, asked without opening anything (code-plane.md §1.2).
 * Invariant F6: a link owns no facts; it is another name of the file it ends at, or a name with a reason.
 */

import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

type LinkEnd =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'directory' | 'outside_root' | 'forbidden' | 'dangling' | 'loop' };

/**
 * `root` is a real path. A link to a regular file is answered with that file's own root-relative path. A `.git` is forbidden wherever it
 * lies: repositories hold others.
 */
export function resolveLink(root: string, path: string): LinkEnd {
  try {
    const target = realpathSync(`${root}/${path}`);
    // Both sides are real paths, so what `relative` says is where the file is.
    const inside = relative(root, target).split(sep).join('/');
    const names = inside.split('/');
    if (isAbsolute(inside) || names[0] === '..') return { kind: 'outside_root' };
    if (names.includes('.git') || names[0] === '.codegenie') return { kind: 'forbidden' };
    if (inside === '') return { kind: 'directory' };
    const found = lstatSync(target);
    if (found.isDirectory()) return { kind: 'directory' };
    return found.isFile() ? { kind: 'file', path: inside } : { kind: 'forbidden' };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return { kind: code === 'ELOOP' ? 'loop' : 'dangling' };
  }
}

/** Does the link at `root/path` lead, through however many links, to a regular file below the root that may be read? */
export function linkStaysInside(root: string, path: string): boolean {
  return resolveLink(root, path).kind === 'file';
}
