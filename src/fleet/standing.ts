/**
 * What can be said of a repository now: `fresh`, `behind` or `unknown`, always with a reason. Pure, and computed at every question from what is
 * stored, because the clock alone can change it. What is not `fresh` is counted and named in every answer (fleet.md section 4).
 */

import type { Failure, Now, Repository } from './fleet-engine.ts';

type Reason = 'fresh' | Failure['kind'] | keyof typeof standingWords;
type Standing = { readonly state: 'fresh' | 'behind' | 'unknown'; readonly reason: Reason };

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

/** Beside the failures: what else keeps a repository from being fresh. */
export const standingWords = {
  not_gathered: ['it was added and not gathered yet', '`codegenie fleet run`'],
  head_moved: ['its head is another commit than the one that was gathered', '`codegenie fleet run`'],
  program_changed: ['it was gathered by another version of the program or its probes', '`codegenie fleet run`'],
  head_not_seen: ['nobody looked at its head for longer than the fleet allows', '`codegenie fleet run`'],
} as const satisfies Readonly<Record<string, readonly [means: string, remedy: string]>>;
