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
    const installed = scope.nodeModules.map((folder) => packages.at(`${folder}/${request.name}`));
    const owner = findPackage(scope, request.name);
    const places = [...installed, owner.kind === 'found' ? owner.info : undefined];
    for (const info of places) {
      const found = info === undefined ? undefined : listConfigs(info, request.rest).find(world.hasFile);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function listConfigs(info: PackageInfo, rest: string): readonly string[] {
  if (info.exports !== undefined) return listTargetsUnder(info, rest === '' ? '.' : `./${rest}`, conditions);
  const path = joinPath(info.directory, rest === '' ? '.' : rest);
  if (path === undefined) return [];
  const inside = below(path, 'tsconfig.json');
  const named = rest === '' ? [info.tsconfig ?? []] : [path.endsWith('.json') ? path : [], `${path}.json`];
  return [...named, inside].flat();
}
