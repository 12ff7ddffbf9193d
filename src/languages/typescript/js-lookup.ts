/**
 * A name that is no path: `paths`, `baseUrl`, `#imports`, the package itself, `node_modules` in scope, a package of the repository;
 * else it lies outside. Packages in `node_modules` count if their `package.json` is in scope.
 */

import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { below, isWithin, joinPath } from '../resolving/root-paths.ts';
import { guessSources, trySources } from './js-built-files.ts';
import { extensionOf, kinds, loadExplicitFile, loadFile, look, type Search, spend, tryFile } from './js-files.ts';
import type { PathSubstitution } from './js-options.ts';
import {
  type DirectoryScope,
  type FindRepositoryPackage,
  fillIn,
  isBlocked,
  isVersionedTypesCondition,
  listTargetsUnder,
  matchExports,
  type PackageInfo,
  type PackageRequest,
  parsePackageRequest,
  parseUrlName,
  platformModules,
  type RepositoryPackage,
  targetPath,
  typesPackageOf,
} from './js-packages.ts';
import { matchPattern, type PatternMatch } from './star-patterns.ts';

export type BareAnswer =
  | { readonly kind: 'hit'; readonly path: string }
  | { readonly kind: 'external'; readonly name: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'ambiguous'; readonly directories: readonly string[] };

const importsDepthMax = 8;

export function loadBare(
  search: Search,
  findPackage: FindRepositoryPackage,
  scope: DirectoryScope,
  specifier: string,
  depth = 0,
): BareAnswer {
  const alias = search.options.paths === undefined ? undefined : matchPattern(search.options.paths, specifier);
  const url = parseUrlName(specifier);
  if (url !== undefined && (alias === undefined || isCatchAll(alias, specifier)))
    return { kind: 'external', name: url };
  const request = specifier.startsWith('#') ? undefined : parsePackageRequest(specifier);
  const owner = request === undefined ? undefined : findOwner(findPackage, scope, request);
  const viaImports = (pass: Search): string | undefined =>
    scope.package === undefined || !specifier.startsWith('#')
      ? undefined
      : loadFromImports(pass, scope.package, specifier, (target) => {
          const inner = depth < importsDepthMax ? loadBare(pass, findPackage, scope, target, depth + 1) : undefined;
          if (inner?.kind === 'external') pass.trail.external ??= inner.name;
          return inner?.kind === 'hit' ? inner.path : undefined;
        });

  for (const pass of passesOf(search)) {
    const hit =
      loadByOptions(pass, alias, specifier) ??
      (search.options.useImports ? viaImports(pass) : undefined) ??
      (request === undefined ? undefined : loadFromPackages(pass, scope, owner, request));
    if (hit !== undefined) return { kind: 'hit', path: hit };
  }
  const loose = loadBareLoosely(search, alias, owner, request) ?? viaImports({ ...search, anyCondition: true });
  if (loose !== undefined) return { kind: 'hit', path: loose };
  if (search.trail.external !== undefined) return { kind: 'external', name: search.trail.external };
  if (owner?.kind === 'ambiguous') return { kind: 'ambiguous', directories: owner.directories };
  if (url !== undefined) return { kind: 'external', name: url };
  if (request === undefined || owner?.kind === 'found') return { kind: 'not_found' };
  const isAlias = alias !== undefined && !isCatchAll(alias, specifier);
  return isAlias && owner?.declared === false ? { kind: 'not_found' } : { kind: 'external', name: request.name };
}

type Alias = PatternMatch<readonly PathSubstitution[]> | undefined;

/** A name that `paths` speaks of is never looked up below `baseUrl`. */
function loadByOptions(search: Search, alias: Alias, specifier: string): string | undefined {
  const { baseUrl } = search.options;
  if (alias === undefined) {
    const path = baseUrl === undefined ? undefined : joinPath(baseUrl, specifier);
    return path === undefined ? undefined : loadPath(search, path, specifier.endsWith('/'));
  }
  for (const substitution of alias.value) {
    const path = fillPath(substitution, alias.star);
    if (path === undefined) continue;
    const exact = extensionOf(substitution.text) === '' ? undefined : tryFile(search, path);
    const hit = exact ?? loadPath(search, path, false);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function fillPath({ text, directory }: PathSubstitution, star: string): string | undefined {
  const filled = text.replace('*', () => star);
  return joinPath(directory, filled);
}

/** `*` alone says nothing about a name. */
function isCatchAll(alias: Alias, specifier: string): boolean {
  return alias?.kind === 'pattern' && alias.star === specifier;
}

function findOwner(
  findPackage: FindRepositoryPackage,
  scope: DirectoryScope,
  request: PackageRequest,
): RepositoryPackage {
  if (platformModules.has(request.name)) return { kind: 'none', declared: true };
  const owner = findPackage(scope, request.name);
  if (owner.kind !== 'none') return owner;
  const types = findPackage(scope, typesPackageOf(request.name));
  return types.kind === 'found' ? types : owner;
}

function loadFromPackages(
  search: Search,
  scope: DirectoryScope,
  owner: RepositoryPackage | undefined,
  { name, rest }: PackageRequest,
): string | undefined {
  const own = owner?.kind === 'found' ? owner.info : undefined;
  const isSelf = own !== undefined && own === scope.package && own.exports !== undefined;
  if (isSelf && search.options.resolution !== 'node10') {
    const self = loadOwnPackage({ ...search, useExports: true }, own, rest);
    if (self !== undefined) return self;
  }
  const installed = scope.nodeModules
    .flatMap((folder) => [`${folder}/${name}`, `${folder}/${typesPackageOf(name)}`])
    .map((directory) => search.packages.at(directory))
    .filter((info) => info !== undefined);
  const places: readonly PackageInfo[] = own === undefined ? installed : [...installed, own];
  for (const pass of typesFirst(search)) {
    for (const info of places) {
      const hit = loadPackage(pass, info, rest);
      if (hit !== undefined) return hit;
    }
  }
  return undefined;
}

/** A project that compiles JavaScript takes its own entry points as they come, types or not. */
function loadOwnPackage(search: Search, own: PackageInfo, rest: string): string | undefined {
  for (const pass of search.options.allowJs ? [search] : typesFirst(search)) {
    const hit = loadPackage(pass, own, rest);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function typesFirst(search: Search): readonly Search[] {
  return [kinds.types, kinds.code]
    .map((wanted) => ({ ...search, kinds: search.kinds & wanted }))
    .filter((pass) => pass.kinds !== 0);
}

function loadBareLoosely(
  search: Search,
  alias: Alias,
  owner: RepositoryPackage | undefined,
  request: PackageRequest | undefined,
): string | undefined {
  for (const substitution of alias?.value ?? []) {
    const path = fillPath(substitution, alias?.star ?? '');
    const hit = path === undefined ? undefined : loadLoosely(search, path, false);
    if (hit !== undefined) return hit;
  }
  return owner?.kind === 'found' && request !== undefined
    ? loadPackageLoosely(search, owner.info, request.rest)
    : undefined;
}

// A relative name, already joined to a path; through `rootDirs`, several directories count as one.

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

// `/// <reference path>` names a file from where it stands; `/// <reference types>` names a package, usually below `@types`.

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

// A package in a known directory: its `exports`, else `typesVersions`, `types`, `main`, and what lies below it.

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

// `exports` and `imports` of a `package.json`: conditions are tried in the order they are written, an array in its order, and what
// leads to no file lets the next one speak. `null` leads to no file.

/** `subpath` is `.` or begins with `./`. */
export function loadFromExports(search: Search, info: PackageInfo, subpath: string): string | undefined {
  const match = matchExports(info, subpath);
  return match === undefined ? undefined : loadTarget(search, info, match, match.value, undefined);
}

/** `resolvePackage` answers for targets that name another package. */
export function loadFromImports(
  search: Search,
  info: PackageInfo,
  name: string,
  resolvePackage: (specifier: string) => string | undefined,
): string | undefined {
  const match = info.imports === undefined ? undefined : matchPattern(info.imports, name);
  return match === undefined ? undefined : loadTarget(search, info, match, match.value, resolvePackage);
}

/** Recursion is as deep as the file is nested, which parsing has bounded. */
function loadTarget(
  search: Search,
  info: PackageInfo,
  match: PatternMatch<Json>,
  target: Json,
  resolvePackage: ((specifier: string) => string | undefined) | undefined,
): string | undefined {
  if (!spend(search)) return undefined;
  if (typeof target === 'string') {
    if (resolvePackage !== undefined && namesPackage(target)) return resolvePackage(fillIn(target, match));
    const path = targetPath(info, target, match);
    return path === undefined ? undefined : loadNamedFile(search, path);
  }
  if (typeof target !== 'object' || target === null) return undefined;
  if (Array.isArray(target)) {
    for (const element of target as readonly Json[]) {
      const hit = loadTarget(search, info, match, element, resolvePackage);
      if (hit !== undefined || search.trail.looksLeft <= 0) return hit;
    }
    return undefined;
  }
  for (const condition of Object.keys(target)) {
    if (!holds(search, condition)) continue;
    const hit = loadTarget(search, info, match, (target as JsonObject)[condition] ?? null, resolvePackage);
    if (hit !== undefined || search.trail.looksLeft <= 0) return hit;
  }
  return undefined;
}

function holds(search: Search, condition: string): boolean {
  if (condition === 'default' || search.conditions.has(condition) || search.anyCondition) return true;
  return search.conditions.has('types') && isVersionedTypesCondition(condition);
}

function namesPackage(target: string): boolean {
  return !target.startsWith('./') && !target.startsWith('../') && !target.startsWith('/');
}

// A module by its place: a file, or a directory with what its `package.json` names or its `index`. `exports` do not count here.

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

// The last resort for a path the compiler would not accept: an exact name, a name completed where ES modules forbid it, `main` where
// `types` leads nowhere, the extensions that only bundlers complete. An edge that a bundler or a test runner sees is worth having.

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
