/** Every rule of `find-doubts.ts`, one after the other, before anything is told. */

import type { RenameWorld } from '../in-job.ts';
import type { CompilerItem } from '../types.ts';
import { findConventionNames } from './doubts/convention-names.ts';
import { listOwners } from './doubts/doubted-family.ts';
import { findDynamicAccesses, findEvals } from './doubts/dynamic-accesses.ts';
import { findTies } from './doubts/find-ties.ts';
import { findModuleLookups } from './doubts/module-lookups.ts';
import { findStringReferences } from './doubts/string-references.ts';
import type { Ties } from './doubts/ties.ts';
import { findUnknownBases } from './doubts/unknown-bases.ts';
import { findUntypedAccesses } from './doubts/untyped-accesses.ts';
import { findUntypedBoundaries } from './doubts/untyped-boundaries.ts';
import { listWrites } from './list-writes.ts';

export type Doubts = { readonly items: readonly CompilerItem[]; readonly ties: Ties };

export function listDoubts(world: RenameWorld): Doubts {
  const owners = listOwners(world);
  const items = [
    ...findUntypedAccesses(world),
    ...findModuleLookups(world),
    ...findStringReferences(world, owners),
    ...findDynamicAccesses(world, owners),
    ...findEvals(world, listWrites(world)),
    ...findUntypedBoundaries(world, owners),
    ...findUnknownBases(world, owners),
    ...findConventionNames(world),
  ];
  return { items, ties: findTies(world, owners) };
}
