/**
 * Packages of the repository by name. Several may claim one: the nearest in the tree is meant, two equally near are ambiguous. A
 * claim counts only if the importer does not say otherwise: a declared range that the version does not satisfy, or a source such as
 * `npm:` or `git+https:`, means the published package of that name.
 */

import { satisfies, validRange } from 'semver';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { directoryOf } from '../shared/root-paths.ts';
import type { ResolveWorld } from '../types.ts';
import type { DirectoryScope, PackageInfo, Packages } from './package-info.ts';
import { joinPath } from './paths.ts';

export type RepositoryPackage =
  | { readonly kind: 'found'; readonly info: PackageInfo }
  | { readonly kind: 'ambiguous'; readonly directories: readonly string[] }
  | { readonly kind: 'none'; readonly declared: boolean };

export type FindRepositoryPackage = (scope: DirectoryScope, name: string) => RepositoryPackage;

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
