/**
 * `structural_tie`: types fit each other by the names of their properties, and where one is optional they still fit when the names no
 * longer meet. Nothing that the compiler says changes, so somebody has to look.
 */

import type { RenameWorld } from '../../in-job.ts';
import type { Owner } from './doubted-family.ts';
import { findGenericArguments } from './generic-arguments.ts';
import { findStructuralTies } from './structural-ties.ts';
import { siteKey, type TiedSite, type Ties } from './ties.ts';

/** Each sorted by place. */
export function findTies(world: RenameWorld, owners: readonly Owner[]): Ties {
  const values = findStructuralTies(world, owners);
  const keys = findGenericArguments(world, owners);
  return {
    missed: unite([...values.missed, ...keys.missed]),
    lost: unite([...values.lost, ...keys.lost]),
    gained: unite([...values.gained, ...keys.gained]),
  };
}

/** A place that several programs have is one place, with what each of them knows. */
function unite(sites: readonly TiedSite[]): readonly TiedSite[] {
  const distinct = new Map<string, TiedSite>();
  for (const site of sites) {
    const known = distinct.get(siteKey(site));
    distinct.set(siteKey(site), known === undefined ? site : { ...site, others: join(known.others, site.others) });
  }
  return [...distinct.values()].sort((a, b) =>
    a.path === b.path ? a.node.getStart() - b.node.getStart() : a.path < b.path ? -1 : 1,
  );
}

function join(one: TiedSite['others'], other: TiedSite['others']): TiedSite['others'] {
  return one === null || other === null ? null : [...one, ...other];
}
