/**
 * A name that is no path: `paths`, `baseUrl`, `#imports`, the package itself, `node_modules` in scope, a package of the repository;
 * else it lies outside. Packages in `node_modules` count if their `package.json` is in scope.
 */

import { loadLoosely } from './load-loosely.ts';
import { loadPackage, loadPackageLoosely } from './load-package.ts';
import { loadPath } from './load-path.ts';
import { passesOf } from './load-relative.ts';
import type { PathSubstitution } from './module-options.ts';
import type { DirectoryScope, PackageInfo } from './package-info.ts';
import { loadFromImports } from './package-map.ts';
import {
  type PackageRequest,
  parsePackageRequest,
  parseUrlName,
  platformModules,
  typesPackageOf,
} from './package-names.ts';
import { joinPath } from './paths.ts';
import { matchPattern, type PatternMatch } from './pattern-table.ts';
import type { FindRepositoryPackage, RepositoryPackage } from './repository-packages.ts';
import { extensionOf, kinds, type Search, tryFile } from './search.ts';

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
    const path = fillIn(substitution, alias.star);
    if (path === undefined) continue;
    const exact = extensionOf(substitution.text) === '' ? undefined : tryFile(search, path);
    const hit = exact ?? loadPath(search, path, false);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function fillIn({ text, directory }: PathSubstitution, star: string): string | undefined {
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
    const path = fillIn(substitution, alias?.star ?? '');
    const hit = path === undefined ? undefined : loadLoosely(search, path, false);
    if (hit !== undefined) return hit;
  }
  return owner?.kind === 'found' && request !== undefined
    ? loadPackageLoosely(search, owner.info, request.rest)
    : undefined;
}
