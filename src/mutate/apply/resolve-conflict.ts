/**
 * The two ways out of a conflict (mutation.md §8): `plan undo` takes back what is still ours, `plan commit` finishes what is still
 * as it was. Neither touches a file that somebody edited. The decision is in the journal first, so a restart goes on with it.
 */

import { errnoOf } from './disk-error.ts';
import { noHooks } from './hooks.ts';
import { appendRecord, dropTornTail, type Journal, journalDir, readJournal } from './journal.ts';
import { type Conflict, findConflicts, finishOldEntries, goOn, type RecoveryRequest, takeBack } from './recover.ts';
import { findSeal } from './seal.ts';

export type Resolution =
  | { readonly kind: 'resolved'; readonly to: 'undone' | 'committed'; readonly untouched: readonly string[] }
  | { readonly kind: 'no_conflict' }
  /** Copies are gone or the journal cannot be read: a person has to look. */
  | { readonly kind: 'stuck'; readonly conflict: Conflict };

type Request = RecoveryRequest & { readonly planId: string; readonly by: 'undo' | 'commit' };

export function resolveConflict(request: Request): Resolution {
  const conflict = findConflicts(request).find(({ planId }) => planId === request.planId);
  if (conflict === undefined) return { kind: 'no_conflict' };
  const journal = readJournal(findSeal(request), journalDir(request.dataDir, request.planId));
  const untouched = conflict.files.filter(({ state }) => state === 'other').map(({ path }) => path);
  const to = request.by === 'undo' ? 'undone' : 'committed';
  try {
    const isSettled = journal !== undefined && settle(request, journal, to);
    return isSettled ? { kind: 'resolved', to, untouched } : { kind: 'stuck', conflict };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return { kind: 'stuck', conflict };
  }
}

function settle(request: Request, journal: Journal, to: 'undone' | 'committed'): boolean {
  const hooks = request.hooks ?? noHooks;
  dropTornTail(journal);
  // The undo of a plan goes the other way round in the journal.
  const goesForward = (request.by === 'commit') === (journal.begin.op === 'commit');
  if (goesForward) {
    appendRecord(journal, { kind: 'FORWARD' });
    hooks.at('after FORWARD');
    finishOldEntries(request.root, journal, hooks);
    goOn(request, journal);
    return true;
  }
  const rollback = { kind: 'ROLLBACK', ends: to } as const;
  appendRecord(journal, rollback);
  hooks.at('after ROLLBACK');
  return takeBack(request, { ...journal, last: rollback }, to) !== 'conflict';
}
