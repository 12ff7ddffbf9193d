/**
 * One dependency judged by what is known about it now (code-plane.md §8, second table). The row that needs the state of the dependency
 * ("stale or pending and not closed") and the one that needs its own dependencies (`open`) are completed by `compute-states.ts`.
 */

import { compared, isGone, own, semOf, synOf } from './state-graph.ts';

/** From good to bad, so that the worst of several is their maximum. */
export const verdict = { same: 0, unknown: 1, changed: 2 } as const;

/** Same if none of the dependency's own dependencies is changed or unknown, else unknown. */
export const open = 3;

/** No live context covers the dependency. */
export const uncovered = 3;

/** A `verdict`, or `open`. `state` is an `own` of the dependency, or `uncovered`. */
export function judgeByOwnFacts(state: number, snapshot: number, isClosed: boolean): number {
  if (isGone(snapshot)) return verdict.changed;
  const syn = synOf(snapshot);
  if (state === own.settled) return judgeSettled(syn, semOf(snapshot), isClosed);
  if (state === uncovered) return judgeSyntax(syn);
  if (syn !== compared.same) return verdict.unknown;
  if (isClosed) return verdict.same;
  // What it meant when it was last indexed is what it means with equal records and dependencies; but that is not what the dependent
  // saw if it was indexed since (T2).
  const sem = semOf(snapshot);
  const isLastSeen = sem === compared.same || sem === compared.unknown;
  return state === own.dirty && isLastSeen ? open : verdict.unknown;
}

/** Indexed at its present bytes: what the indexer said decides where it was recorded on both sides. */
function judgeSettled(syn: number, sem: number, isClosed: boolean): number {
  if (sem === compared.same) return verdict.same;
  if (sem === compared.different) return verdict.changed;
  // The dependency was not indexed when the dependent was: equal records prove an equal interface only if they are closed.
  if (sem === compared.unrecorded && syn === compared.same && !isClosed) return verdict.unknown;
  return judgeSyntax(syn);
}

function judgeSyntax(syn: number): number {
  if (syn === compared.unknown) return verdict.unknown;
  return syn === compared.same ? verdict.same : verdict.changed;
}
