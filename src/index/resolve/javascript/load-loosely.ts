/**
 * The last resort for a path the compiler would not accept: an exact name, a name completed where ES modules forbid it, `main` where
 * `types` leads nowhere, the extensions that only bundlers complete. An edge that a bundler or a test runner sees is worth having.
 */

import { below } from '../shared/root-paths.ts';
import { loadFile } from './file-candidates.ts';
import { loadPath } from './load-path.ts';
import { kinds, look, type Search } from './search.ts';

const bundlerExtensions = ['.mts', '.mjs', '.cts', '.cjs', '.d.mts', '.d.cts', '.json', '.vue', '.svelte'];
const nodeExtensions = ['.js', '.cjs', '.mjs', '.json', '.jsx'];

export function loadLoosely(search: Search, path: string, directoryOnly: boolean): string | undefined {
  const open: Search = { ...search, kinds: kinds.all, explicitOnly: false };
  const isDirectory = directoryOnly || path === '';
  const hit =
    (isDirectory ? undefined : look(open, path)) ??
    loadPath(open, path, isDirectory) ??
    loadPath({ ...open, kinds: kinds.code }, path, isDirectory) ??
    (isDirectory ? undefined : complete(open, path, bundlerExtensions));
  if (hit !== undefined) return hit;
  const index = below(path, 'index');
  return loadFile(open, index) ?? complete(open, index, bundlerExtensions);
}

/** Node's own order, for JavaScript that no configuration covers: what is written first, sources in TypeScript after that. */
export function loadInNodeOrder(search: Search, path: string, directoryOnly: boolean): string | undefined {
  const hit = directoryOnly ? undefined : (look(search, path) ?? complete(search, path, nodeExtensions));
  if (hit !== undefined) return hit;
  const main = search.packages.at(path)?.main;
  const named = main === undefined ? undefined : (look(search, main) ?? complete(search, main, nodeExtensions));
  return named ?? complete(search, below(path, 'index'), nodeExtensions);
}

function complete(search: Search, stem: string, extensions: readonly string[]): string | undefined {
  for (const extension of extensions) {
    const hit = look(search, stem + extension);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
