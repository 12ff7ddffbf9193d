/** A relative name, already joined to a path; through `rootDirs`, several directories count as one. */

import { isWithin } from '../shared/root-paths.ts';
import { loadInNodeOrder, loadLoosely } from './load-loosely.ts';
import { loadPath } from './load-path.ts';
import { joinPath } from './paths.ts';
import { kinds, type Search } from './search.ts';

export type LookupOrder = 'compiler' | 'node';

export function loadRelative(
  search: Search,
  order: LookupOrder,
  path: string,
  directoryOnly: boolean,
): string | undefined {
  if (order === 'node') {
    const hit = loadInNodeOrder(search, path, directoryOnly);
    if (hit !== undefined) return hit;
  }
  for (const pass of passesOf(search)) {
    const hit = loadInRootDirs(pass, path, directoryOnly);
    if (hit !== undefined) return hit;
  }
  return loadLoosely(search, path, directoryOnly);
}

/** `node10` looks everywhere for types before it looks anywhere for JavaScript. */
export function passesOf(search: Search): readonly Search[] {
  if (search.options.resolution !== 'node10') return [search];
  return [
    { ...search, kinds: kinds.types },
    { ...search, kinds: kinds.code },
  ];
}

function loadInRootDirs(search: Search, path: string, directoryOnly: boolean): string | undefined {
  const { rootDirs } = search.options;
  if (rootDirs.length === 0) return loadPath(search, path, directoryOnly);
  const own = longest(rootDirs.filter((root) => isWithin(path, root) && (directoryOnly || path !== root)));
  const hit = loadPath(search, path, directoryOnly);
  if (hit !== undefined || own === undefined) return hit;
  const rest = path.slice(own === '' ? 0 : own.length + 1);
  for (const root of rootDirs) {
    const there = root === own ? undefined : joinPath(root, rest);
    const found = there === undefined ? undefined : loadPath(search, there, directoryOnly);
    if (found !== undefined) return found;
  }
  return undefined;
}

function longest(paths: readonly string[]): string | undefined {
  return paths.reduce<string | undefined>(
    (best, path) => (path.length > (best?.length ?? -1) ? path : best),
    undefined,
  );
}
