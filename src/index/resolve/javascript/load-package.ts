/** A package in a known directory: its `exports`, else `typesVersions`, `types`, `main`, and what lies below it. */

import { below, isWithin } from '../shared/root-paths.ts';
import { loadFile } from './file-candidates.ts';
import { guessSources } from './guess-sources.ts';
import { loadLoosely } from './load-loosely.ts';
import { loadByTypesVersions, loadDirectory } from './load-path.ts';
import type { PackageInfo } from './package-info.ts';
import { isBlocked, listTargetsUnder, loadFromExports } from './package-map.ts';
import { joinPath } from './paths.ts';
import { kinds, look, type Search } from './search.ts';
import { trySources } from './try-sources.ts';

/** As the compiler does it for the kinds of files the search is after. */
export function loadPackage(search: Search, info: PackageInfo, rest: string): string | undefined {
  const path = pathInPackage(info, rest === '' ? '.' : rest);
  if (path === undefined) return undefined;
  const hasExports = info.exports !== undefined && search.useExports;
  const inner = rest === '' ? undefined : search.packages.at(path);
  if (inner !== undefined && !hasExports) return loadFile(search, path) ?? loadDirectory(search, path, inner);
  if (hasExports) return loadFromExports(search, info, rest === '' ? '.' : `./${rest}`);
  const load = (at: string): string | undefined => loadInPackage(search, info, rest, at);
  const matched = rest === '' ? undefined : loadByTypesVersions(search, info, info.directory, rest, load);
  return matched === undefined ? load(path) : matched.hit;
}

/**
 * For packages of the repository whose entry points are not built: every target under any condition, as it is or as the source it
 * is probably made from, then what lies where the name says.
 */
export function loadPackageLoosely(search: Search, info: PackageInfo, rest: string): string | undefined {
  const open: Search = { ...search, kinds: kinds.all, explicitOnly: false, anyCondition: true };
  const subpath = rest === '' ? '.' : `./${rest}`;
  if (isBlocked(info, subpath)) return undefined;
  const named = info.exports === undefined ? undefined : loadFromExports(open, info, subpath);
  if (named !== undefined) return named;
  const entries = rest === '' ? [info.source, info.typings, info.module, info.main] : [];
  const targets = [...listTargetsUnder(info, subpath, 'any'), ...entries.filter((entry) => entry !== undefined)];
  for (const target of targets) {
    const hit = look(open, target) ?? firstInScope(open, guessSources(info.directory, target));
    if (hit !== undefined) return hit;
  }
  for (const place of [rest === '' ? '.' : rest, rest === '' ? 'src/index' : `src/${rest}`]) {
    const path = pathInPackage(info, place);
    const hit = path === undefined ? undefined : loadLoosely(open, path, place === '.');
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function loadInPackage(search: Search, info: PackageInfo, rest: string, path: string): string | undefined {
  const file = rest !== '' || !search.explicitOnly ? loadPathFile(search, path) : undefined;
  const hit = file ?? loadDirectory(search, path, info);
  if (hit !== undefined || rest !== '' || !search.explicitOnly || info.exports !== undefined) return hit;
  return loadFile(search, below(path, 'index.js'));
}

/** A name does not climb out of the package it names. */
function pathInPackage(info: PackageInfo, rest: string): string | undefined {
  const path = joinPath(info.directory, rest);
  return path !== undefined && isWithin(path, info.directory) ? path : undefined;
}

function loadPathFile(search: Search, path: string): string | undefined {
  return path === '' ? undefined : (trySources(search, path) ?? loadFile(search, path));
}

function firstInScope(search: Search, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const hit = look(search, path);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
