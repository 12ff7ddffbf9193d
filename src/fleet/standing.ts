/**
 * What can be said of a repository now: `fresh`, `behind` or `unknown`, always with a reason. Pure, and computed at every question from what is
 * stored, because the clock alone can change it. What is not `fresh` is counted and named in every answer (fleet.md section 4).
 */

import type { Now, Repository } from './fleet-engine.ts';

export type Standing = { readonly state: 'fresh' | 'behind' | 'unknown'; readonly reason: string };

export function judgeStanding(of: Repository, { nowMs, program, freshForMs }: Now): Standing {
  if (of.failure !== null) return { state: 'unknown', reason: of.failure.kind };
  if (of.commit === null || of.headSeenMs === null) return { state: 'unknown', reason: 'not_gathered' };
  if (of.head !== of.commit) return { state: 'behind', reason: 'head_moved' };
  if (of.program !== program) return { state: 'behind', reason: 'program_changed' };
  // A clock that was put back makes a look seem to come from the future: how old it is, nobody knows.
  if (nowMs - of.headSeenMs > freshForMs || of.headSeenMs - nowMs > freshForMs)
    return { state: 'behind', reason: 'head_not_seen' };
  return { state: 'fresh', reason: 'fresh' };
}
