/**
 * Reasons to doubt that the compiler can know (mutation.md §2.6, M9): each about this symbol, at one place, with what each choice edits.
 * Every rule is narrow: what the compiler binds, or would report if it were missed, is no doubt. Names that only their scope can reach
 * have none, `eval` in that scope excepted.
 */

import type { RenameWorld } from '../in-job.ts';
import type { CompilerItem } from '../types.ts';
import { listDoubts } from './list-doubts.ts';
import { tellTies } from './tell-ties.ts';

/** One per place and kind, sorted by place. */
export function findDoubts(world: RenameWorld): readonly CompilerItem[] {
  const found = listDoubts(world);
  const distinct = new Map<string, CompilerItem>();
  for (const item of [...found.items, ...tellTies(world, found)]) {
    const key = `${item.path}\0${item.start}\0${item.kind === 'untyped_access' ? 'string_reference' : item.kind}`;
    if (!distinct.has(key)) distinct.set(key, item);
  }
  return [...distinct.values()].sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
}
