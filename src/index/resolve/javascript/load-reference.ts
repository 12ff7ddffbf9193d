/** `/// <reference path>` names a file from where it stands; `/// <reference types>` names a package, usually below `@types`. */

import { loadFile } from './file-candidates.ts';
import type { BareAnswer } from './load-bare.ts';
import { loadDirectory, loadPath } from './load-path.ts';
import { joinPath } from './paths.ts';
import { extensionOf, kinds, look, type Search } from './search.ts';

/** A directive does not say which of both it is, but a path has an extension or dots, and a package has neither. */
export function looksLikePath(specifier: string): boolean {
  return specifier.startsWith('.') || specifier.startsWith('/') || extensionOf(specifier) !== '';
}

export function loadReferencedPath(search: Search, path: string): string | undefined {
  const exact = look(search, path);
  if (exact !== undefined || extensionOf(path) !== '') return exact;
  return loadPath({ ...search, kinds: kinds.types, explicitOnly: false }, path, false);
}

/** `typeRoots` first; then as any package, of which only types count. */
export function loadReferencedTypes(
  search: Search,
  name: string,
  asPackage: (search: Search) => BareAnswer,
): BareAnswer {
  const types: Search = { ...search, kinds: kinds.types, explicitOnly: false };
  for (const root of search.options.typeRoots) {
    const path = joinPath(root, name);
    const hit =
      path === undefined ? undefined : (loadFile(types, path) ?? loadDirectory(types, path, search.packages.at(path)));
    if (hit !== undefined) return { kind: 'hit', path: hit };
  }
  return asPackage(types);
}
