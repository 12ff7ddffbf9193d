/**
 * Python: `x.py`, `x.pyi`, `x/__init__.py`, `x/__init__.pyi` at each place in turn, then `x/` without `__init__` as a namespace
 * (code-plane.md §3.4).
 *
 * `from package import name` means the submodule where there is one, and the package's `__init__` besides, because it runs too.
 * A file whose directory is no package may be a script, whose own directory comes first; not for names of the standard library,
 * since a module called `logging` beside an importer of `logging` nearly always belongs to a namespace package.
 * Of imports that are not found, those whose first name is in this repository are `not_found` and all others external.
 */

import {
  type CreateResolve,
  createSearch,
  type FileSearch,
  type ImportRequest,
  type Resolution,
  type ResolveWorld,
  remembering,
  unresolved,
} from '../resolving/resolution.ts';
import { baseNameOf, below, directoryOf } from '../resolving/root-paths.ts';
import { type PythonPlaces, pythonStdlib, readPythonPlaces } from './python-places.ts';

/** Beyond these, names are looked for as files only: their directory is one candidate for all of them. */
const mostNamesAsPackages = 8;
const mostNamesListed = 4;

const createPythonResolve: CreateResolve = (world) => {
  let places: PythonPlaces | null = null;
  return remembering(
    (from) => from,
    (from, request) => {
      const dots = /^\.*/.exec(request.specifier)?.[0].length ?? 0;
      const segments = request.specifier
        .slice(dots)
        .split('.')
        .filter((segment) => segment !== '');
      if (segments.some((segment) => segment.includes('/'))) return unresolved('not_found');
      if (dots > 0) return resolveRelative(world, from, dots, segments, request);
      if (segments.length === 0) return unresolved('not_found');
      places ??= readPythonPlaces(world);
      return resolveAbsolute(world, places, from, segments, request);
    },
  );
};

export default createPythonResolve;

function resolveRelative(
  world: ResolveWorld,
  from: string,
  dots: number,
  segments: readonly string[],
  request: ImportRequest,
): Resolution {
  let directory = directoryOf(from);
  for (let up = 1; up < dots; up += 1) {
    if (directory === '') return unresolved('outside_root');
    directory = directoryOf(directory);
  }
  const search = createSearch(world);
  const module = { path: below(directory, segments.join('/')), isDirectory: segments.length === 0 };
  const targets = findModule(search, [module], namesOf(request));
  return targets.length > 0 ? search.found(withoutSelf(targets, from)) : search.missed('not_found');
}

function resolveAbsolute(
  world: ResolveWorld,
  places: PythonPlaces,
  from: string,
  segments: readonly string[],
  request: ImportRequest,
): Resolution {
  const search = createSearch(world);
  const directory = directoryOf(from);
  const top = segments[0] ?? '';
  const isScript = !pythonStdlib.has(top) && search.file(below(directory, '__init__.py')) === null;
  const placesOf = (path: readonly string[]): readonly Module[] => {
    const listed = places(directory, path);
    const all = isScript ? [below(directory, path.join('/')), ...listed] : listed;
    return [...new Set(all)].map((place) => ({ path: place, isDirectory: false }));
  };
  const targets = findModule(search, placesOf(segments), namesOf(request));
  if (targets.length > 0) return search.found(withoutSelf(targets, from));
  const isOurs = placesOf([top]).some(
    ({ path }) => search.firstFile([`${path}.py`, `${path}.pyi`]) !== null || search.filesIn(path, isPython).length > 0,
  );
  return isOurs ? search.missed('not_found') : search.missed('external', top);
}

/** `isDirectory`: the package of the dots themselves, which can be no file beside its directory. */
type Module = { readonly path: string; readonly isDirectory: boolean };

function findModule(search: FileSearch, modules: readonly Module[], names: readonly string[]): readonly string[] {
  for (const { path, isDirectory } of modules) {
    const hit = search.firstFile(isDirectory ? initsOf(path) : formsOf(path));
    if (hit === null) continue;
    const isPackage = baseNameOf(hit).startsWith('__init__.') && directoryOf(hit) === path;
    return isPackage ? [...findNames(search, path, names, mostNamesListed), hit] : [hit];
  }
  for (const { path } of modules) {
    const hits = names.length > 0 ? findNames(search, path, names, 0) : search.filesIn(path, isPython);
    if (hits.length > 0) return hits;
  }
  return [];
}

function findNames(
  search: FileSearch,
  directory: string,
  names: readonly string[],
  mostListed: number,
): readonly string[] {
  const isLong = names.length > mostListed;
  if (isLong) search.watch(directory);
  return names.flatMap((name, position) => {
    const path = below(directory, name);
    const asPackage = position < mostNamesAsPackages;
    if (isLong && asPackage) search.watch(path);
    const hit = search.firstFile(asPackage ? formsOf(path) : [`${path}.py`, `${path}.pyi`]);
    return hit === null ? [] : [hit];
  });
}

function namesOf({ kind, names }: ImportRequest): readonly string[] {
  return kind === 'from' ? names.filter((name) => /^[^*./]+$/.test(name)) : [];
}

function formsOf(path: string): readonly string[] {
  return path === '' ? initsOf(path) : [`${path}.py`, `${path}.pyi`, ...initsOf(path)];
}

function initsOf(directory: string): readonly string[] {
  return [below(directory, '__init__.py'), below(directory, '__init__.pyi')];
}

function isPython(path: string): boolean {
  return path.endsWith('.py') || path.endsWith('.pyi');
}

/** A package that imports its own submodule does not depend on itself. */
function withoutSelf(targets: readonly string[], from: string): readonly string[] {
  const others = targets.filter((target) => target !== from);
  return others.length > 0 ? others : targets;
}
