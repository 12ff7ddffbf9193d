/**
 * What a module name means, looked up as the compiler does, and where that finds nothing as a bundler or Node would:
 * - a bare name: `paths`, `baseUrl`, `#imports`, the package itself, `node_modules` in scope, a package of the repository; else it
 *   lies outside (`loadBare`);
 * - a relative name, where `rootDirs` make several directories one (`loadRelative`);
 * - `/// <reference path>` and `/// <reference types>` (`loadReferencedPath`, `loadReferencedTypes`).
 */

import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { below, isWithin, joinPath } from '../resolving/root-paths.ts';
import { guessSources, trySources } from './js-built-files.ts';
import { extensionOf, kinds, type Lookup, loadExplicitFile, loadFile, look, spend, tryFile } from './js-files.ts';
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
  lookup: Lookup,
  findPackage: FindRepositoryPackage,
  scope: DirectoryScope,
  specifier: string,
  depth = 0,
): BareAnswer {
  const alias = lookup.options.paths === undefined ? undefined : matchPattern(lookup.options.paths, specifier);
  const url = parseUrlName(specifier);
  if (url !== undefined && (alias === undefined || isCatchAll(alias, specifier)))
    return { kind: 'external', name: url };
  const request = specifier.startsWith('#') ? undefined : parsePackageRequest(specifier);
  const owner = request === undefined ? undefined : findOwner(findPackage, scope, request);
  const viaImports = (pass: Lookup): string | undefined =>
    scope.package === undefined || !specifier.startsWith('#')
      ? undefined
      : loadFromImports(pass, scope.package, specifier, (target) => {
          const inner = depth < importsDepthMax ? loadBare(pass, findPackage, scope, target, depth + 1) : undefined;
          if (inner?.kind === 'external') pass.trail.external ??= inner.name;
          return inner?.kind === 'hit' ? inner.path : undefined;
        });

  for (const pass of passesOf(lookup)) {
    const hit =
      loadByOptions(pass, alias, specifier) ??
      (lookup.options.useImports ? viaImports(pass) : undefined) ??
      (request === undefined ? undefined : loadFromPackages(pass, scope, owner, request));
    if (hit !== undefined) return { kind: 'hit', path: hit };
  }
  const loose = loadBareLoosely(lookup, alias, owner, request) ?? viaImports({ ...lookup, anyCondition: true });
  if (loose !== undefined) return { kind: 'hit', path: loose };
  if (lookup.trail.external !== undefined) return { kind: 'external', name: lookup.trail.external };
  if (owner?.kind === 'ambiguous') return { kind: 'ambiguous', directories: owner.directories };
  if (url !== undefined) return { kind: 'external', name: url };
  if (request === undefined || owner?.kind === 'found') return { kind: 'not_found' };
  const isAlias = alias !== undefined && !isCatchAll(alias, specifier);
  return isAlias && owner?.declared === false ? { kind: 'not_found' } : { kind: 'external', name: request.name };
}

type Alias = PatternMatch<readonly PathSubstitution[]> | undefined;

/** A name that `paths` speaks of is never looked up below `baseUrl`. */
function loadByOptions(lookup: Lookup, alias: Alias, specifier: string): string | undefined {
  const { baseUrl } = lookup.options;
  if (alias === undefined) {
    const path = baseUrl === undefined ? undefined : joinPath(baseUrl, specifier);
    return path === undefined ? undefined : loadPath(lookup, path, specifier.endsWith('/'));
  }
  for (const substitution of alias.value) {
    const path = fillPath(substitution, alias.star);
    if (path === undefined) continue;
    const exact = extensionOf(substitution.text) === '' ? undefined : tryFile(lookup, path);
    const hit = exact ?? loadPath(lookup, path, false);
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
  lookup: Lookup,
  scope: DirectoryScope,
  owner: RepositoryPackage | undefined,
  { name, rest }: PackageRequest,
): string | undefined {
  const own = owner?.kind === 'found' ? owner.info : undefined;
  const isSelf = own !== undefined && own === scope.package && own.exports !== undefined;
  if (isSelf && lookup.options.resolution !== 'node10') {
    const self = loadOwnPackage({ ...lookup, useExports: true }, own, rest);
    if (self !== undefined) return self;
  }
  const installed = scope.nodeModules
    .flatMap((folder) => [`${folder}/${name}`, `${folder}/${typesPackageOf(name)}`])
    .map((directory) => lookup.packages.at(directory))
    .filter((info) => info !== undefined);
  const places: readonly PackageInfo[] = own === undefined ? installed : [...installed, own];
  for (const pass of typesFirst(lookup)) {
    for (const info of places) {
      const hit = loadPackage(pass, info, rest);
      if (hit !== undefined) return hit;
    }
  }
  return undefined;
}

/** A project that compiles JavaScript takes its own entry points as they come, types or not. */
function loadOwnPackage(lookup: Lookup, own: PackageInfo, rest: string): string | undefined {
  for (const pass of lookup.options.allowJs ? [lookup] : typesFirst(lookup)) {
    const hit = loadPackage(pass, own, rest);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function typesFirst(lookup: Lookup): readonly Lookup[] {
  return [kinds.types, kinds.code]
    .map((wanted) => ({ ...lookup, kinds: lookup.kinds & wanted }))
    .filter((pass) => pass.kinds !== 0);
}

function loadBareLoosely(
  lookup: Lookup,
  alias: Alias,
  owner: RepositoryPackage | undefined,
  request: PackageRequest | undefined,
): string | undefined {
  for (const substitution of alias?.value ?? []) {
    const path = fillPath(substitution, alias?.star ?? '');
    const hit = path === undefined ? undefined : loadLoosely(lookup, path, false);
    if (hit !== undefined) return hit;
  }
  return owner?.kind === 'found' && request !== undefined
    ? loadPackageLoosely(lookup, owner.info, request.rest)
    : undefined;
}

export type LookupOrder = 'compiler' | 'node';

/** A relative name, already joined to a path. */
export function loadRelative(
  lookup: Lookup,
  order: LookupOrder,
  path: string,
  directoryOnly: boolean,
): string | undefined {
  if (order === 'node') {
    const hit = loadInNodeOrder(lookup, path, directoryOnly);
    if (hit !== undefined) return hit;
  }
  for (const pass of passesOf(lookup)) {
    const hit = loadInRootDirs(pass, path, directoryOnly);
    if (hit !== undefined) return hit;
  }
  return loadLoosely(lookup, path, directoryOnly);
}

/** `node10` looks everywhere for types before it looks anywhere for JavaScript. */
function passesOf(lookup: Lookup): readonly Lookup[] {
  if (lookup.options.resolution !== 'node10') return [lookup];
  return [
    { ...lookup, kinds: kinds.types },
    { ...lookup, kinds: kinds.code },
  ];
}

function loadInRootDirs(lookup: Lookup, path: string, directoryOnly: boolean): string | undefined {
  const { rootDirs } = lookup.options;
  if (rootDirs.length === 0) return loadPath(lookup, path, directoryOnly);
  const own = longest(rootDirs.filter((root) => isWithin(path, root) && (directoryOnly || path !== root)));
  const hit = loadPath(lookup, path, directoryOnly);
  if (hit !== undefined || own === undefined) return hit;
  const rest = path.slice(own === '' ? 0 : own.length + 1);
  for (const root of rootDirs) {
    const there = root === own ? undefined : joinPath(root, rest);
    const found = there === undefined ? undefined : loadPath(lookup, there, directoryOnly);
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

/** A directive does not say which of both it is, but a path has an extension or dots, and a package has neither. */
export function looksLikePath(specifier: string): boolean {
  return specifier.startsWith('.') || specifier.startsWith('/') || extensionOf(specifier) !== '';
}

export function loadReferencedPath(lookup: Lookup, path: string): string | undefined {
  const exact = look(lookup, path);
  if (exact !== undefined || extensionOf(path) !== '') return exact;
  return loadPath({ ...lookup, kinds: kinds.types, explicitOnly: false }, path, false);
}

/** `typeRoots` first; then as any package, of which only types count. */
export function loadReferencedTypes(
  lookup: Lookup,
  name: string,
  asPackage: (lookup: Lookup) => BareAnswer,
): BareAnswer {
  const types: Lookup = { ...lookup, kinds: kinds.types, explicitOnly: false };
  for (const root of lookup.options.typeRoots) {
    const path = joinPath(root, name);
    const hit =
      path === undefined ? undefined : (loadFile(types, path) ?? loadDirectory(types, path, lookup.packages.at(path)));
    if (hit !== undefined) return { kind: 'hit', path: hit };
  }
  return asPackage(types);
}

/**
 * A package in a known directory, for the kinds of files the lookup is after: its `exports`, else `typesVersions`, `types`,
 * `main`, and what lies below it.
 */
function loadPackage(lookup: Lookup, info: PackageInfo, rest: string): string | undefined {
  const path = pathInPackage(info, rest === '' ? '.' : rest);
  if (path === undefined) return undefined;
  const hasExports = info.exports !== undefined && lookup.useExports;
  const inner = rest === '' ? undefined : lookup.packages.at(path);
  if (inner !== undefined && !hasExports) return loadFile(lookup, path) ?? loadDirectory(lookup, path, inner);
  if (hasExports) return loadFromExports(lookup, info, rest === '' ? '.' : `./${rest}`);
  const load = (at: string): string | undefined => loadInPackage(lookup, info, rest, at);
  const matched = rest === '' ? undefined : loadByTypesVersions(lookup, info, info.directory, rest, load);
  return matched === undefined ? load(path) : matched.hit;
}

/**
 * For packages of the repository whose entry points are not built: every target under any condition, as it is or as the source it
 * is probably made from, then what lies where the name says.
 */
function loadPackageLoosely(lookup: Lookup, info: PackageInfo, rest: string): string | undefined {
  const open: Lookup = { ...lookup, kinds: kinds.all, explicitOnly: false, anyCondition: true };
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

function loadInPackage(lookup: Lookup, info: PackageInfo, rest: string, path: string): string | undefined {
  const file = rest !== '' || !lookup.explicitOnly ? loadPathFile(lookup, path) : undefined;
  const hit = file ?? loadDirectory(lookup, path, info);
  if (hit !== undefined || rest !== '' || !lookup.explicitOnly || info.exports !== undefined) return hit;
  return loadFile(lookup, below(path, 'index.js'));
}

/** A name does not climb out of the package it names. */
function pathInPackage(info: PackageInfo, rest: string): string | undefined {
  const path = joinPath(info.directory, rest);
  return path !== undefined && isWithin(path, info.directory) ? path : undefined;
}

function loadPathFile(lookup: Lookup, path: string): string | undefined {
  return path === '' ? undefined : (trySources(lookup, path) ?? loadFile(lookup, path));
}

function firstInScope(lookup: Lookup, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const hit = look(lookup, path);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

/**
 * By `exports`: conditions are tried in the order they are written, an array in its order; what leads to no file, `null` included,
 * lets the next one speak. `subpath` is `.` or begins with `./`.
 */
function loadFromExports(lookup: Lookup, info: PackageInfo, subpath: string): string | undefined {
  const match = matchExports(info, subpath);
  return match === undefined ? undefined : loadTarget(lookup, info, match, match.value, undefined);
}

/** `resolvePackage` answers for targets that name another package. */
function loadFromImports(
  lookup: Lookup,
  info: PackageInfo,
  name: string,
  resolvePackage: (specifier: string) => string | undefined,
): string | undefined {
  const match = info.imports === undefined ? undefined : matchPattern(info.imports, name);
  return match === undefined ? undefined : loadTarget(lookup, info, match, match.value, resolvePackage);
}

/** Recursion is as deep as the file is nested, which parsing has bounded. */
function loadTarget(
  lookup: Lookup,
  info: PackageInfo,
  match: PatternMatch<Json>,
  target: Json,
  resolvePackage: ((specifier: string) => string | undefined) | undefined,
): string | undefined {
  if (!spend(lookup)) return undefined;
  if (typeof target === 'string') {
    if (resolvePackage !== undefined && namesPackage(target)) return resolvePackage(fillIn(target, match));
    const path = targetPath(info, target, match);
    return path === undefined ? undefined : loadNamedFile(lookup, path);
  }
  if (typeof target !== 'object' || target === null) return undefined;
  if (Array.isArray(target)) {
    for (const element of target as readonly Json[]) {
      const hit = loadTarget(lookup, info, match, element, resolvePackage);
      if (hit !== undefined || lookup.trail.looksLeft <= 0) return hit;
    }
    return undefined;
  }
  for (const condition of Object.keys(target)) {
    if (!holds(lookup, condition)) continue;
    const hit = loadTarget(lookup, info, match, (target as JsonObject)[condition] ?? null, resolvePackage);
    if (hit !== undefined || lookup.trail.looksLeft <= 0) return hit;
  }
  return undefined;
}

function holds(lookup: Lookup, condition: string): boolean {
  if (condition === 'default' || lookup.conditions.has(condition) || lookup.anyCondition) return true;
  return lookup.conditions.has('types') && isVersionedTypesCondition(condition);
}

function namesPackage(target: string): boolean {
  return !target.startsWith('./') && !target.startsWith('../') && !target.startsWith('/');
}

/**
 * A module by its place: a file, or a directory with what its `package.json` names or its `index`; `exports` do not count here.
 * `directoryOnly`: the name ends like a directory's (`./`, `..`, `x/`).
 */
function loadPath(lookup: Lookup, path: string, directoryOnly: boolean): string | undefined {
  if (!directoryOnly && path !== '') {
    const hit = trySources(lookup, path) ?? loadFile(lookup, path);
    if (hit !== undefined) return hit;
  }
  return lookup.explicitOnly ? undefined : loadDirectory(lookup, path, lookup.packages.at(path));
}

/** What a package or a directory is when it is asked for as a whole. */
function loadDirectory(lookup: Lookup, directory: string, info: PackageInfo | undefined): string | undefined {
  if (info?.directory === directory) lookup.trail.paths.push(below(directory, 'package.json'));
  const file = info?.directory === directory ? entryFileOf(lookup, info) : undefined;
  const index = below(directory, 'index');
  if (info?.typesVersions !== undefined && (file === undefined || isWithin(file, directory))) {
    const name = relativeTo(directory, file ?? index);
    const matched = loadByTypesVersions(lookup, info, directory, name, (path) => loadEntryFile(lookup, path, info));
    if (matched !== undefined) return matched.hit;
  }
  const hit = file === undefined || info === undefined ? undefined : loadEntryFile(lookup, file, info);
  if (hit !== undefined || lookup.explicitOnly) return hit;
  return trySources(lookup, index) ?? loadFile(lookup, index);
}

/** A file that `package.json` names: an explicit TypeScript name is believed, any other stands for its twins. */
function loadNamedFile(lookup: Lookup, path: string): string | undefined {
  const source = trySources(lookup, path);
  if (source !== undefined) return source;
  const extension = extensionOf(path);
  const wanted = extension.startsWith('.d.') ? kinds.declaration : kinds.typescript;
  if (/tsx?$/.test(extension) && (lookup.kinds & wanted) !== 0) return tryFile(lookup, path);
  return loadExplicitFile(lookup, path);
}

/** `undefined`: no pattern speaks of this name. A pattern that does, but leads nowhere, is an answer. */
function loadByTypesVersions(
  lookup: Lookup,
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
    const exact = extensionOf(text) === '' ? undefined : tryFile(lookup, path);
    const hit = exact ?? load(path);
    if (hit !== undefined) return { hit };
  }
  return { hit: undefined };
}

function entryFileOf(lookup: Lookup, info: PackageInfo): string | undefined {
  const typings = (lookup.kinds & kinds.declaration) === 0 ? undefined : info.typings;
  return typings ?? ((lookup.kinds & ~kinds.json) === 0 ? undefined : info.main);
}

function loadEntryFile(lookup: Lookup, path: string, info: PackageInfo): string | undefined {
  const hit = loadNamedFile(lookup, path);
  if (hit !== undefined) return hit;
  const implicit = { ...lookup, explicitOnly: lookup.explicitOnly && info.isModule };
  const file = loadFile(implicit, path);
  if (file !== undefined || implicit.explicitOnly) return file;
  return loadFile(implicit, below(path, 'index'));
}

function relativeTo(directory: string, path: string): string {
  return directory === '' ? path : path.slice(directory.length + 1);
}

const bundlerExtensions = ['.mts', '.mjs', '.cts', '.cjs', '.d.mts', '.d.cts', '.json', '.vue', '.svelte'];
const nodeExtensions = ['.js', '.cjs', '.mjs', '.json', '.jsx'];

/**
 * The last resort for a path the compiler would not accept: an exact name, a name completed where ES modules forbid it, `main`
 * where `types` leads nowhere, the extensions that only bundlers complete. An edge that a bundler or a test runner sees is worth
 * having.
 */
function loadLoosely(lookup: Lookup, path: string, directoryOnly: boolean): string | undefined {
  const open: Lookup = { ...lookup, kinds: kinds.all, explicitOnly: false };
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
function loadInNodeOrder(lookup: Lookup, path: string, directoryOnly: boolean): string | undefined {
  const hit = directoryOnly ? undefined : (look(lookup, path) ?? complete(lookup, path, nodeExtensions));
  if (hit !== undefined) return hit;
  const main = lookup.packages.at(path)?.main;
  const named = main === undefined ? undefined : (look(lookup, main) ?? complete(lookup, main, nodeExtensions));
  return named ?? complete(lookup, below(path, 'index'), nodeExtensions);
}

function complete(lookup: Lookup, stem: string, extensions: readonly string[]): string | undefined {
  for (const extension of extensions) {
    const hit = look(lookup, stem + extension);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
