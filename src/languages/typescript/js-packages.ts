/**
 * Packages as resolution sees them: `package.json` files, each read once; which package a directory belongs to; what `exports` may
 * stand for; and which packages of the repository a name means.
 */

import { satisfies, validRange } from 'semver';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { below, directoryOf, joinPath } from '../resolving/root-paths.ts';
import { type FindPackagedConfig, listStrings } from './read-tsconfig.ts';
import { createPatternTable, matchPattern, type PatternMatch, type PatternTable } from './star-patterns.ts';

export type PackageInfo = {
  readonly directory: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly isModule: boolean;
  /** The target of `.`, and the table of subpaths where the keys are subpaths. `undefined`: the package has no `exports`. */
  readonly exports: { readonly main: Json | undefined; readonly subpaths: PatternTable<Json> } | undefined;
  readonly imports: PatternTable<Json> | undefined;
  readonly typesVersions: TypesVersions | undefined;
  readonly typings: string | undefined;
  readonly main: string | undefined;
  /** Entry points that only bundlers read. */
  readonly module: string | undefined;
  readonly source: string | undefined;
  readonly tsconfig: string | undefined;
  /** Ranges of everything it declares to depend on. */
  readonly dependencies: ReadonlyMap<string, string>;
};

/** What all files of a directory have in common when they ask for packages. Equal scopes are the same object. */
export type DirectoryScope = {
  /** Of the nearest `package.json`; the root where there is none. */
  readonly directory: string;
  readonly package: PackageInfo | undefined;
  /** The `node_modules` directories in scope from here upwards. */
  readonly nodeModules: readonly string[];
};

export type Packages = {
  at(directory: string): PackageInfo | undefined;
  scopeOf(directory: string): DirectoryScope;
};

export function createPackages(world: ResolveWorld): Packages {
  const packages = new Map<string, PackageInfo | null>();
  const scopes = new Map<string, DirectoryScope>();

  const at = (directory: string): PackageInfo | undefined => {
    const known = packages.get(directory);
    if (known !== undefined) return known ?? undefined;
    const bytes = world.readConfig(directory === '' ? 'package.json' : `${directory}/package.json`);
    const info = bytes === undefined ? null : readPackage(directory, bytes);
    packages.set(directory, info);
    return info ?? undefined;
  };

  const scopeOf = (directory: string): DirectoryScope => {
    const known = scopes.get(directory);
    if (known !== undefined) return known;
    const above: DirectoryScope =
      directory === '' ? { directory: '', package: undefined, nodeModules: [] } : scopeOf(directoryOf(directory));
    const own = at(directory);
    const folder = directory === '' ? 'node_modules' : `${directory}/node_modules`;
    const hasFolder = world.hasDirectory(folder);
    const scope =
      own === undefined && !hasFolder
        ? above
        : {
            directory: own === undefined ? above.directory : directory,
            package: own ?? above.package,
            nodeModules: hasFolder ? [folder, ...above.nodeModules] : above.nodeModules,
          };
    scopes.set(directory, scope);
    return scope;
  };

  return { at, scopeOf };
}

const dependencyFields = ['optionalDependencies', 'peerDependencies', 'devDependencies', 'dependencies'];

function readPackage(directory: string, bytes: Uint8Array): PackageInfo {
  const parsed = parseJsonObject(bytes, { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth });
  const json: JsonObject = parsed.ok ? parsed.value : {};
  const file = (field: string): string | undefined => {
    const said = textOf(json[field]);
    return said === undefined || said === '' ? undefined : joinPath(directory, said);
  };
  const dependencies = new Map<string, string>();
  for (const field of dependencyFields) {
    const listed = json[field];
    for (const [name, range] of isJsonObject(listed) ? Object.entries(listed) : []) {
      if (typeof range === 'string') dependencies.set(name, range);
    }
  }
  return {
    directory,
    name: textOf(json['name']),
    version: textOf(json['version']),
    isModule: json['type'] === 'module',
    exports: readExports(json['exports']),
    imports: isJsonObject(json['imports']) ? createPatternTable(Object.entries(json['imports']), 'exports') : undefined,
    typesVersions: readTypesVersions(json['typesVersions']),
    typings: file('typings') ?? file('types'),
    main: file('main'),
    module: file('module'),
    source: file('source'),
    tsconfig: file('tsconfig'),
    dependencies,
  };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Keys that begin with `.` are subpaths; without any the whole is the target of `.`; a mixture has neither. */
function readExports(value: Json | undefined): PackageInfo['exports'] {
  if (value === undefined || value === null || value === false || value === '') return undefined;
  if (!isJsonObject(value)) return { main: value, subpaths: createPatternTable([], 'exports') };
  const keys = Object.keys(value);
  const dotted = keys.filter((key) => key.startsWith('.')).length;
  if (dotted === 0) return { main: keys.length === 0 ? undefined : value, subpaths: createPatternTable([], 'exports') };
  const subpaths = dotted === keys.length ? Object.entries(value) : [];
  return { main: value['.'], subpaths: createPatternTable(subpaths, 'exports') };
}

export function matchExports(info: PackageInfo, subpath: string): PatternMatch<Json> | undefined {
  if (info.exports === undefined) return undefined;
  if (subpath !== '.') return matchPattern(info.exports.subpaths, subpath);
  return info.exports.main === undefined ? undefined : { value: info.exports.main, star: '', kind: 'exact' };
}

/** Every file a subpath may stand for under these conditions, or under any, in order, existing or not. */
export function listTargetsUnder(
  info: PackageInfo,
  subpath: string,
  conditions: ReadonlySet<string> | 'any',
): readonly string[] {
  const match = matchExports(info, subpath);
  const found: string[] = [];
  const pending: Json[] = match === undefined ? [] : [match.value];
  for (
    let next = pending.pop(), steps = 0;
    next !== undefined && steps < targetsMax;
    next = pending.pop(), steps += 1
  ) {
    if (typeof next === 'string') {
      const path = match === undefined ? undefined : targetPath(info, next, match);
      if (path !== undefined) found.push(path);
    } else if (Array.isArray(next)) pending.push(...(next as readonly Json[]).slice(0, targetsMax).reverse());
    else if (typeof next === 'object' && next !== null) {
      const held = Object.entries(next).filter(
        ([key]) => conditions === 'any' || key === 'default' || conditions.has(key),
      );
      pending.push(
        ...held
          .slice(0, targetsMax)
          .map(([, value]) => value)
          .reverse(),
      );
    }
  }
  return found;
}

/** `"./internal/*": null` closes a subpath. */
export function isBlocked(info: PackageInfo, subpath: string): boolean {
  return matchExports(info, subpath)?.value === null;
}

/** `undefined`: the target is not a path inside its package. */
export function targetPath(info: PackageInfo, target: string, match: PatternMatch<Json>): string | undefined {
  if (!target.startsWith('./') || leavesPackage.test(target.slice(2)) || leavesPackage.test(match.star))
    return undefined;
  if (match.kind === 'directory' && match.star !== '' && !target.endsWith('/')) return undefined;
  return joinPath(info.directory, fillIn(target, match));
}

export function fillIn(target: string, match: PatternMatch<Json>): string {
  return match.kind === 'pattern' ? target.replaceAll('*', () => match.star) : target + match.star;
}

const leavesPackage = /(?:^|\/)(?:\.{1,2}|node_modules)(?:\/|$)/;

const targetsMax = 256;

export type RepositoryPackage =
  | { readonly kind: 'found'; readonly info: PackageInfo }
  | { readonly kind: 'ambiguous'; readonly directories: readonly string[] }
  | { readonly kind: 'none'; readonly declared: boolean };

export type FindRepositoryPackage = (scope: DirectoryScope, name: string) => RepositoryPackage;

/**
 * Packages of the repository by name. Several may claim one: the nearest in the tree is meant, two equally near are ambiguous. A
 * claim counts only if the importer does not say otherwise: a declared range that the version does not satisfy, or a source such
 * as `npm:` or `git+https:`, means the published package of that name.
 */
export function createFindRepositoryPackage(world: ResolveWorld, packages: Packages): FindRepositoryPackage {
  let byName: ReadonlyMap<string, readonly PackageInfo[]> | undefined;
  return (scope, name) => {
    const own = scope.package;
    if (own?.name === name) return { kind: 'found', info: own };
    byName ??= indexByName(world, packages);
    const declaration = findDeclaration(packages, scope, name);
    const range = declaration?.range.trim() ?? '';
    const declared = declaration !== undefined;
    if (declaration !== undefined && localSource.test(range)) {
      const directory = joinPath(declaration.directory, range.replace(localSource, ''));
      const info = directory === undefined ? undefined : packages.at(directory);
      if (info !== undefined) return { kind: 'found', info };
    }
    const claims = (byName.get(name) ?? []).filter((info) => isMeant(info, range));
    return claims.length === 0 ? { kind: 'none', declared } : nearest(scope.directory, claims);
  };
}

const localSource = /^(?:file|link|portal):/;
const foreignSource = /^(?!workspace:|catalog:)[\w+.-]+:|^[\w.-]+\/[\w.-]+(?:#.*)?$/;
const rangeLengthMax = 256;

function isMeant(info: PackageInfo, range: string): boolean {
  if (range === '' || localSource.test(range)) return true;
  if (foreignSource.test(range)) return false;
  const { version } = info;
  if (version === undefined || range.length > rangeLengthMax || validRange(range) === null) return true;
  return satisfies(version, range, { includePrerelease: true });
}

function findDeclaration(
  packages: Packages,
  scope: DirectoryScope,
  name: string,
): { readonly range: string; readonly directory: string } | undefined {
  for (let directory = scope.directory; ; directory = directoryOf(directory)) {
    const range = packages.at(directory)?.dependencies.get(name);
    if (range !== undefined) return { range, directory };
    if (directory === '') return undefined;
  }
}

/** What lies in `node_modules` is reached from where it lies, never by name. */
function indexByName(world: ResolveWorld, packages: Packages): ReadonlyMap<string, readonly PackageInfo[]> {
  const byName = new Map<string, PackageInfo[]>();
  for (const path of world.configFilesNamed('package.json')) {
    if (path.startsWith('node_modules/') || path.includes('/node_modules/')) continue;
    const info = packages.at(directoryOf(path));
    if (info?.name === undefined) continue;
    const known = byName.get(info.name);
    if (known === undefined) byName.set(info.name, [info]);
    else known.push(info);
  }
  return byName;
}

function nearest(from: string, claims: readonly PackageInfo[]): RepositoryPackage {
  let best: PackageInfo[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const info of claims) {
    const steps = treeDistance(from, info.directory);
    if (steps < least) best = [];
    if (steps <= least) best.push(info);
    least = Math.min(least, steps);
  }
  const [info, another] = best;
  if (info !== undefined && another === undefined) return { kind: 'found', info };
  return { kind: 'ambiguous', directories: best.map((claim) => claim.directory).sort(compareCodeUnits) };
}

/** Steps up and down from one directory to the other. */
function treeDistance(a: string, b: string): number {
  const left = a === '' ? [] : a.split('/');
  const right = b === '' ? [] : b.split('/');
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared += 1;
  return left.length + right.length - 2 * shared;
}

/** A module name that is no path: the package it means, and what of it. */
export type PackageRequest = {
  readonly name: string;
  /** Behind the name, without the slash; `''` for the package itself. */
  readonly rest: string;
};

/** `undefined`: no package can have this name. */
export function parsePackageRequest(specifier: string): PackageRequest | undefined {
  let slash = specifier.indexOf('/');
  if (specifier.startsWith('@')) {
    if (slash <= 1) return undefined;
    slash = specifier.indexOf('/', slash + 1);
  }
  const name = slash === -1 ? specifier : specifier.slice(0, slash);
  if (!packageName.test(name)) return undefined;
  return { name, rest: slash === -1 ? '' : specifier.slice(slash + 1) };
}

/** What registries allow and have ever allowed; aliases such as `@/x`, `~/x` or `$lib/x` are something else. */
const packageName = /^(?:@[\w.!'()*~-][\w.!'()*~-]*\/)?[A-Za-z0-9_!'()*-][\w.!'()*~-]*$/;

/** `@types` has one flat level: `@scope/name` is `@types/scope__name`. */
export function typesPackageOf(name: string): string {
  return `@types/${name.startsWith('@') ? name.slice(1).replace('/', '__') : name}`;
}

/** `https://…`, `data:…`, `node:fs`, `bun:test`, `virtual:pages`: the part that says what it is, `undefined` for other names. */
export function parseUrlName(specifier: string): string | undefined {
  const scheme = /^[A-Za-z][\w+.-]*:/.exec(specifier)?.[0];
  if (scheme === undefined) return undefined;
  return scheme === 'data:' ? scheme : specifier;
}

/** Modules of the platform: no package of the repository is meant by them. */
export const platformModules: ReadonlySet<string> = new Set(
  (
    'assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http ' +
    'http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys ' +
    'timers tls trace_events tty url util v8 vm wasi worker_threads zlib'
  ).split(' '),
);

/** Ranges in the wild tell old compilers from new ones; any recent version answers them alike. */
const compilerVersion = '5.9.3';
const rangesMax = 64;
const substitutionsMax = 256;

/** Patterns to paths relative to the package. */
type TypesVersions = PatternTable<readonly string[]>;

/** The first of `typesVersions` whose range holds for the compiler this resolver speaks for. */
function readTypesVersions(value: Json | undefined): TypesVersions | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const [range, paths] of Object.entries(value).slice(0, rangesMax)) {
    if (!holdsForCompiler(range)) continue;
    if (!isJsonObject(paths)) return undefined;
    const entries = Object.entries(paths).map(([key, list]) => [key, listStrings(list, substitutionsMax)] as const);
    return createPatternTable(entries, 'paths');
  }
  return undefined;
}

export function isVersionedTypesCondition(condition: string): boolean {
  return condition.startsWith('types@') && holdsForCompiler(condition.slice('types@'.length));
}

function holdsForCompiler(range: string): boolean {
  return range.length <= rangeLengthMax && satisfies(compilerVersion, range);
}

const conditions = new Set(['require', 'node', 'types']);

/** `extends: "@acme/tsconfig/base"`: configurations that a package of the repository, or one in `node_modules` in scope, offers. */
export function createFindPackagedConfig(
  world: ResolveWorld,
  packages: Packages,
  findPackage: FindRepositoryPackage,
): FindPackagedConfig {
  return (directory, name) => {
    const request = parsePackageRequest(name);
    if (request === undefined) return undefined;
    const scope = packages.scopeOf(directory);
    const owner = findPackage(scope, request.name);
    const places: readonly Place[] = [
      ...scope.nodeModules.map((folder) => {
        const directory = `${folder}/${request.name}`;
        return packages.at(directory) ?? { directory };
      }),
      ...(owner.kind === 'found' ? [owner.info] : []),
    ];
    for (const place of places) {
      const found = listConfigs(place, request.rest).find(world.hasFile);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** A package, or a directory that could be one but has no `package.json` in scope. */
type Place = PackageInfo | { readonly directory: string; readonly exports?: undefined; readonly tsconfig?: undefined };

function listConfigs(info: Place, rest: string): readonly string[] {
  if (info.exports !== undefined) return listTargetsUnder(info, rest === '' ? '.' : `./${rest}`, conditions);
  const path = joinPath(info.directory, rest === '' ? '.' : rest);
  if (path === undefined) return [];
  const inside = below(path, 'tsconfig.json');
  const named = rest === '' ? [info.tsconfig ?? []] : [path.endsWith('.json') ? path : [], `${path}.json`];
  return [...named, inside].flat();
}
