/**
 * One entry per `name@version`. npm repeats a package per place, pnpm per set of peers; what differs between the copies is where
 * their dependencies lead, so the merged entry has all of them. It is `dev` or `optional` only if every copy is.
 */

import type { LockEdge, ResolvedPackage } from './lockfile.ts';

/** In order of first appearance. */
export function mergePackages(packages: readonly ResolvedPackage[]): ResolvedPackage[] {
  const unique = new Map<string, ResolvedPackage>();
  const repeated = new Map<string, ResolvedPackage[]>();
  for (const each of packages) {
    const first = unique.get(each.id);
    if (first === undefined) {
      unique.set(each.id, each);
    } else {
      const copies = repeated.get(each.id);
      if (copies === undefined) repeated.set(each.id, [first, each]);
      else copies.push(each);
    }
  }
  for (const [id, copies] of repeated) unique.set(id, merge(copies));
  return [...unique.values()];
}

function merge(copies: readonly ResolvedPackage[]): ResolvedPackage {
  const first = copies[0] as ResolvedPackage;
  const edges = new Map<string, LockEdge>();
  for (const copy of copies) for (const edge of copy.dependencies) edges.set(edgeKey(edge), edge);
  return {
    ...first,
    integrity: copies.find((copy) => copy.integrity !== null)?.integrity ?? null,
    fromRegistry: copies.some((copy) => copy.fromRegistry),
    hasInstallScript: copies.some((copy) => copy.hasInstallScript) ? true : first.hasInstallScript,
    dependencies: [...edges.values()],
    optional: copies.every((copy) => copy.optional),
    dev: copies.every((copy) => copy.dev),
  };
}

function edgeKey({ name, range, kind, target }: LockEdge): string {
  const place = target === null ? '' : target.kind === 'package' ? target.id : `./${target.path}`;
  return JSON.stringify([name, range, kind, place]);
}
