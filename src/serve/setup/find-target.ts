/** The file that is really written: links are followed within the directory the file belongs to, and never out of it. */

import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

export type FoundTarget =
  | { readonly kind: 'target'; readonly path: string; readonly exists: boolean; readonly mode: number }
  | { readonly kind: 'refused'; readonly why: string };

/** Files of clients may hold keys: what is new is the user's alone. */
const newMode = 0o600;

export function findTarget(path: string, base: string): FoundTarget {
  const realBase = realOf(base);
  if (realBase === undefined) return { kind: 'refused', why: `lies in ${base}, which does not exist` };
  const real = realOf(path);
  if (real === undefined) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      return { kind: 'refused', why: 'is a link to nowhere' };
    const target = join(realAncestor(dirname(path)), basename(path));
    return isBelow(realBase, target)
      ? { kind: 'target', path: target, exists: false, mode: newMode }
      : leadsOut(target, base);
  }
  if (!isBelow(realBase, real)) return leadsOut(real, base);
  const stat = statSync(real);
  if (!stat.isFile()) return { kind: 'refused', why: 'is not a regular file' };
  return { kind: 'target', path: real, exists: true, mode: stat.mode & 0o777 };
}

function leadsOut(to: string, base: string): FoundTarget {
  return { kind: 'refused', why: `leads to ${to}, which is outside ${base}; edit that file by hand if it is meant` };
}

/** Of a directory that may not be there yet: where it will be. */
function realAncestor(directory: string): string {
  const real = realOf(directory);
  return real ?? join(realAncestor(dirname(directory)), basename(directory));
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isBelow(base: string, path: string): boolean {
  return path.startsWith(base.endsWith(sep) ? base : `${base}${sep}`);
}
