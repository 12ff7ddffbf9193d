/** `extends: "@acme/tsconfig/base"`: configurations that a package of the repository, or one in `node_modules` in scope, offers. */

import { below } from '../shared/root-paths.ts';
import type { ResolveWorld } from '../types.ts';
import type { FindPackagedConfig } from './config-file.ts';
import type { PackageInfo, Packages } from './package-info.ts';
import { listTargetsUnder } from './package-map.ts';
import { parsePackageRequest } from './package-names.ts';
import { joinPath } from './paths.ts';
import type { FindRepositoryPackage } from './repository-packages.ts';

const conditions = new Set(['require', 'node', 'types']);

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
