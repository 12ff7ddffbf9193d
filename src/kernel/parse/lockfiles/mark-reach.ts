/**
 * `dev` and `optional` for formats that do not record them, from how a package is reached: `dev` when every way begins with a
 * development dependency of a manifest, `optional` when every way passes an optional one.
 */

import type { LockEdge, ResolvedImporter, ResolvedPackage } from './lockfile.ts';

export function markReach(
  packages: readonly ResolvedPackage[],
  importers: readonly ResolvedImporter[],
): readonly ResolvedPackage[] {
  const byId = new Map(packages.map((each) => [each.id, each]));
  const reach = (follows: (edge: LockEdge) => boolean): ReadonlySet<string> => {
    const reached = new Set<string>();
    const pending = importers.flatMap((importer) => importer.dependencies.filter(follows));
    for (let edge = pending.pop(); edge !== undefined; edge = pending.pop()) {
      if (edge.target?.kind !== 'package' || reached.has(edge.target.id)) continue;
      reached.add(edge.target.id);
      for (const next of byId.get(edge.target.id)?.dependencies ?? []) if (follows(next)) pending.push(next);
    }
    return reached;
  };
  const anyhow = reach(() => true);
  const inProduction = reach((edge) => edge.kind !== 'dev');
  const surely = reach((edge) => edge.kind !== 'optional');
  return packages.map((each) => ({
    ...each,
    dev: anyhow.has(each.id) && !inProduction.has(each.id),
    optional: each.optional || (anyhow.has(each.id) && !surely.has(each.id)),
  }));
}
