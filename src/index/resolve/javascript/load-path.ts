/** A module by its place: a file, or a directory with what its `package.json` names or its `index`. `exports` do not count here. */

import { below, isWithin } from '../shared/root-paths.ts';
import { loadExplicitFile, loadFile } from './file-candidates.ts';
import type { PackageInfo } from './package-info.ts';
import { joinPath } from './paths.ts';
import { matchPattern } from './pattern-table.ts';
import { extensionOf, kinds, type Search, tryFile } from './search.ts';
import { trySources } from './try-sources.ts';

/** `directoryOnly`: the name ends like a directory's (`./`, `..`, `x/`). */
export function loadPath(search: Search, path: string, directoryOnly: boolean): string | undefined {
  if (!directoryOnly && path !== '') {
    const hit = trySources(search, path) ?? loadFile(search, path);
    if (hit !== undefined) return hit;
  }
  return search.explicitOnly ? undefined : loadDirectory(search, path, search.packages.at(path));
}

/** What a package or a directory is when it is asked for as a whole. */
export function loadDirectory(search: Search, directory: string, info: PackageInfo | undefined): string | undefined {
  if (info?.directory === directory) search.trail.paths.push(below(directory, 'package.json'));
  const file = info?.directory === directory ? entryFileOf(search, info) : undefined;
  const index = below(directory, 'index');
  if (info?.typesVersions !== undefined && (file === undefined || isWithin(file, directory))) {
    const name = relativeTo(directory, file ?? index);
    const matched = loadByTypesVersions(search, info, directory, name, (path) => loadEntryFile(search, path, info));
    if (matched !== undefined) return matched.hit;
  }
  const hit = file === undefined || info === undefined ? undefined : loadEntryFile(search, file, info);
  if (hit !== undefined || search.explicitOnly) return hit;
  return trySources(search, index) ?? loadFile(search, index);
}

/** A file that `package.json` names: an explicit TypeScript name is believed, any other stands for its twins. */
export function loadNamedFile(search: Search, path: string): string | undefined {
  const source = trySources(search, path);
  if (source !== undefined) return source;
  const extension = extensionOf(path);
  const wanted = extension.startsWith('.d.') ? kinds.declaration : kinds.typescript;
  if (/tsx?$/.test(extension) && (search.kinds & wanted) !== 0) return tryFile(search, path);
  return loadExplicitFile(search, path);
}

/** `undefined`: no pattern speaks of this name. A pattern that does, but leads nowhere, is an answer. */
export function loadByTypesVersions(
  search: Search,
  info: PackageInfo,
  directory: string,
  name: string,
  load: (path: string) => string | undefined,
): { readonly hit: string | undefined } | undefined {
  const match = info.typesVersions === undefined ? undefined : matchPattern(info.typesVersions, name);
  if (match === undefined) return undefined;
  for (const text of match.value) {
    const path = joinPath(
      directory,
      text.replace('*', () => match.star),
    );
    if (path === undefined) continue;
    const exact = extensionOf(text) === '' ? undefined : tryFile(search, path);
    const hit = exact ?? load(path);
    if (hit !== undefined) return { hit };
  }
  return { hit: undefined };
}

function entryFileOf(search: Search, info: PackageInfo): string | undefined {
  const typings = (search.kinds & kinds.declaration) === 0 ? undefined : info.typings;
  return typings ?? ((search.kinds & ~kinds.json) === 0 ? undefined : info.main);
}

function loadEntryFile(search: Search, path: string, info: PackageInfo): string | undefined {
  const hit = loadNamedFile(search, path);
  if (hit !== undefined) return hit;
  const implicit = { ...search, explicitOnly: search.explicitOnly && info.isModule };
  const file = loadFile(implicit, path);
  if (file !== undefined || implicit.explicitOnly) return file;
  return loadFile(implicit, below(path, 'index'));
}

function relativeTo(directory: string, path: string): string {
  return directory === '' ? path : path.slice(directory.length + 1);
}
