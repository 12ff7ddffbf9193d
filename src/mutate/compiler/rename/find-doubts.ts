/**
 * Reasons to doubt that the compiler can know (mutation.md §2.6, M9): each about this symbol, at one place, with what each choice edits.
 * Every rule is narrow: what the compiler binds, or would report if it were missed, is no doubt. Names that only their scope can reach
 * have none, `eval` in that scope excepted.
 */

import type { RenameWorld } from '../in-job.ts';
import type { CompilerItem } from '../types.ts';
import { findConventionNames } from './doubts/convention-names.ts';
import { listOwners } from './doubts/doubted-family.ts';
import { findDynamicAccesses, findEvals } from './doubts/dynamic-accesses.ts';
import { findGenericArguments } from './doubts/generic-arguments.ts';
import { findModuleLookups } from './doubts/module-lookups.ts';
import { findStringReferences } from './doubts/string-references.ts';
import { findStructuralTies } from './doubts/structural-ties.ts';
import { findUnknownBases } from './doubts/unknown-bases.ts';
import { findUntypedAccesses } from './doubts/untyped-accesses.ts';
import { findUntypedBoundaries } from './doubts/untyped-boundaries.ts';
import { listWrites } from './list-writes.ts';

/** One per place and kind, sorted by place. */
export function findDoubts(world: RenameWorld): readonly CompilerItem[] {
  const owners = listOwners(world);
  const items = [
    ...findUntypedAccesses(world),
    ...findModuleLookups(world),
    ...findStringReferences(world, owners),
    ...findDynamicAccesses(world, owners),
    ...findEvals(world, listWrites(world)),
    ...findUntypedBoundaries(world, owners),
    ...findStructuralTies(world, owners),
    ...findGenericArguments(world, owners),
    ...findUnknownBases(world, owners),
    ...findConventionNames(world),
  ];
  const distinct = new Map<string, CompilerItem>();
  for (const item of items) {
    const key = `${item.path}\0${item.start}\0${item.kind === 'untyped_access' ? 'string_reference' : item.kind}`;
    if (!distinct.has(key)) distinct.set(key, item);
  }
  return [...distinct.values()].sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
}
