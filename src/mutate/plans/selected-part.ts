/**
 * Groups that are not selected take no part in the gate (mutation.md §6). Of a forced plan, whose doubtful edits may be in any number of
 * files, what nobody selected may change as it likes; a question takes part whichever way it was answered.
 */

import type { PlanDraft } from '../types.ts';
import { riskyGroups } from './read-selection.ts';

type Parts = Pick<PlanDraft, 'groups' | 'items' | 'files' | 'risks'>;

export function selectedPart<T extends Parts>(of: T, selected: ReadonlySet<string>): T {
  const risky = riskyGroups(of);
  const groups = of.groups.filter(({ id }) => !risky.has(id) || selected.has(id));
  if (groups.length === of.groups.length) return of;
  const kept = new Set([...groups.flatMap(({ edits }) => edits), ...of.items].map(({ path }) => path));
  const files = of.files.filter(({ path, role }) => role === 'affected' || kept.has(path));
  return { ...of, groups, files };
}
