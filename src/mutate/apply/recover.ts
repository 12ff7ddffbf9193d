/**
 * What an earlier writer left undone is finished or taken back (mutation.md §8 "Recovery"), at every start and before any change,
 * under the writer lock. Every row of the table is a case here, every case can be cut off and begun again.
 *
 * E2: all files old or all new; or, if one was edited meanwhile, nothing is touched and the journal stays: a conflict.
 */

import { lstatSync } from 'node:fs';
import type { PlanStore } from '../plans/plan-store.ts';
import { discardJournal, findLateWrites, finishJournal, removeJournal, rollBack } from './clean-up.ts';
import {
  appendRecord,
  backupPath,
  dropTornTail,
  errnoOf,
  type Journal,
  journalDir,
  listJournals,
  readJournal,
  readLog,
} from './journal.ts';
import { findSeal, nothingIsOurs } from './seal.ts';
import {
  type ApplyHooks,
  type DiskState,
  flushParents,
  hashOwnFile,
  moveInto,
  noHooks,
  stateOf,
  takeAway,
} from './target.ts';

export type RecoveryRequest = {
  readonly root: string;
  readonly home?: string | undefined;
  readonly stateDir: string;
  readonly plans: PlanStore;
  readonly nowMs: () => number;
  readonly hooks?: ApplyHooks | undefined;
};

export type Conflict = {
  readonly planId: string;
  readonly op: 'commit' | 'undo' | 'unknown';
  /** Where the copies of the old files are: `backup/<position>`. */
  readonly dir: string;
  /** What each file holds now; none where the journal cannot be read. */
  readonly files: readonly { readonly path: string; readonly state: DiskState; readonly backup: string | null }[];
};

export type Recovery = {
  readonly recovered: readonly {
    readonly planId: string;
    readonly op: 'commit' | 'undo';
    readonly to: 'open' | 'committed' | 'undone';
  }[];
  readonly conflicts: readonly Conflict[];
};

export function recoverJournals(request: RecoveryRequest): Recovery {
  const recovered: Recovery['recovered'][number][] = [];
  const conflicts: Conflict[] = [];
  const foreign: string[] = [];
  const names = listJournals(request.stateDir);
  // Nearly always there is none, and no key is looked for.
  const seal = names.length === 0 ? nothingIsOurs : findSeal(request);
  for (const planId of names) {
    const dir = journalDir(request.stateDir, planId);
    const read = readLog(seal, dir);
    if (read.kind === 'nothing') dropEmpty(request, dir);
    else if (read.kind === 'damaged') conflicts.push({ planId, op: 'unknown', dir, files: [] });
    // It stays for its author, and for `doctor` to show; nothing waits for it.
    else if (read.kind === 'foreign') foreign.push(planId);
    else {
      const { journal } = read;
      const to = recoverOrKeep(request, journal);
      if (to === 'conflict') conflicts.push(describeConflict(request.root, journal));
      else recovered.push({ planId, op: journal.begin.op, to });
    }
  }
  reopenForgotten(request, new Set([...conflicts.map(({ planId }) => planId), ...foreign]));
  return { recovered, conflicts };
}

/** Nothing was begun; what the disk will not let go does no harm. */
function dropEmpty(request: RecoveryRequest, dir: string): void {
  try {
    removeJournal(request.stateDir, dir, request.hooks ?? noHooks);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** For readers: no lock, no change. */
export function findConflicts(of: JournalPlace): readonly Conflict[] {
  return lookAtJournals(of).flatMap(({ kind, conflict }) => (kind === 'conflict' ? [conflict] : []));
}

export type JournalPlace = {
  readonly root: string;
  readonly home?: string | undefined;
  readonly stateDir: string;
};

/**
 * `conflict`: the user has to decide. `pending`: a writer is at it, or the next one settles it as soon as the disk lets it. `foreign`: not
 * written by this user's codegenie for this root, and never acted upon.
 */
export type Left = { readonly kind: 'conflict' | 'pending' | 'foreign'; readonly conflict: Conflict };

/** All that lies there, likewise. */
export function lookAtJournals(of: JournalPlace): readonly Left[] {
  const names = listJournals(of.stateDir);
  if (names.length === 0) return [];
  const seal = findSeal(of);
  return names.flatMap((planId): readonly Left[] => {
    const dir = journalDir(of.stateDir, planId);
    const read = readLog(seal, dir);
    if (read.kind === 'nothing') return [];
    if (read.kind !== 'journal') {
      const conflict = { planId, op: 'unknown' as const, dir, files: [] };
      return [{ kind: read.kind === 'foreign' ? 'foreign' : 'conflict', conflict }];
    }
    const { journal } = read;
    const conflict = describeConflict(of.root, journal);
    const isConflict =
      journal.last.kind === 'READY'
        ? conflict.files.some(({ state }) => state === 'other')
        : journal.last.kind === 'ROLLBACK' && hasStuck(of.root, journal);
    return [{ kind: isConflict ? 'conflict' : 'pending', conflict }];
  });
}

/** A disk that will not let us now may later; until then nothing else is changed. */
function recoverOrKeep(request: RecoveryRequest, journal: Journal): Ended {
  try {
    return recoverOne(request, journal);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return keepConflict(request, journal);
  }
}

type Ended = 'open' | 'committed' | 'undone' | 'conflict';

function recoverOne(request: RecoveryRequest, journal: Journal): Ended {
  const { root } = request;
  const hooks = request.hooks ?? noHooks;
  hooks.at('before recovery');
  dropTornTail(journal);
  switch (journal.last.kind) {
    case 'BEGIN':
      // No target was touched, whatever is there now.
      return goBack(request, journal, restingStatus(journal));
    case 'READY': {
      const states = new Set(journal.begin.entries.map((entry) => stateOf(root, entry)));
      if (states.has('other')) return keepConflict(request, journal);
      if (!states.has('new')) return goBack(request, journal, restingStatus(journal));
      if (!states.has('old')) return goOn(request, journal);
      appendRecord(journal, { kind: 'ROLLBACK', ends: restingStatus(journal) });
      hooks.at('after ROLLBACK');
      return takeBack(request, journal, restingStatus(journal));
    }
    case 'ROLLBACK':
      return takeBack(request, journal, journal.last.ends);
    case 'FORWARD':
      finishOldEntries(root, journal, hooks);
      return goOn(request, journal);
    case 'DONE':
      return settle(request, journal);
    case 'END':
      return goBack(request, journal, restingStatus(journal));
  }
}

/** What the plan is if this change did not happen. */
function restingStatus({ begin }: Pick<Journal, 'begin'>): 'open' | 'committed' {
  return begin.op === 'undo' ? 'committed' : 'open';
}

/** Restores what is new; files that are neither stay as they are. */
function takeBack(request: RecoveryRequest, journal: Journal, then: 'open' | 'undone' | 'committed'): Ended {
  const { stuck } = rollBack(request.root, journal, request.hooks ?? noHooks);
  return stuck.length > 0 ? keepConflict(request, journal) : goBack(request, journal, then);
}

function goBack(request: RecoveryRequest, journal: Journal, then: 'open' | 'undone' | 'committed'): Ended {
  const hooks = request.hooks ?? noHooks;
  request.plans.setStatus(journal.begin.plan, ['committing', 'conflict'], then);
  hooks.at('recovery: plan open');
  // From here on no edit is a conflict.
  if (journal.last.kind !== 'BEGIN' && journal.last.kind !== 'END') appendRecord(journal, { kind: 'END' });
  discardJournal(request.root, request.stateDir, journal, hooks);
  return then;
}

/** All that can be new is: DONE, and on at K11. */
function goOn(request: RecoveryRequest, journal: Journal): Ended {
  const hooks = request.hooks ?? noHooks;
  flushParents(
    request.root,
    journal.begin.entries.map(({ path }) => path),
  );
  hooks.at('recovery: before DONE');
  appendRecord(journal, { kind: 'DONE', late: [] });
  hooks.at('recovery: after DONE');
  return settle(request, journal);
}

/** K11 and K13; K12 is made good when the store is open: by the sweep that follows every recovery, and by `resumePatch`. */
function settle(request: RecoveryRequest, journal: Journal): Ended {
  const hooks = request.hooks ?? noHooks;
  const { begin } = journal;
  if (begin.op === 'undo') settleUndo(request.plans, begin.plan);
  else settleCommit(request, journal);
  hooks.at('after K11');
  finishJournal(request.root, request.stateDir, journal, hooks);
  return begin.op === 'undo' ? 'undone' : 'committed';
}

/** K11 of an undo. */
export function settleUndo(plans: PlanStore, planId: string): void {
  plans.setStatus(planId, ['committed', 'committing', 'conflict'], 'undone');
  plans.dropUndo(planId);
}

function settleCommit({ stateDir, plans, nowMs }: RecoveryRequest, journal: Journal): void {
  const { begin, dir } = journal;
  // A ledger that does not know the plan was lost or is another one: the files are what counts.
  if (plans.find(begin.plan) === undefined) return;
  const bytes = begin.entries.reduce((sum, _, position) => sum + sizeOf(backupPath(dir, position)), 0);
  plans.finish(begin.plan, {
    nowMs: nowMs(),
    result: {
      files: begin.entries.map((entry) => ({ path: entry.path, hash: entry.new })),
      lateWrites: findLateWrites(stateDir, journal).map(({ path, kept }) => ({ path, kept })),
      notes: begin.notes,
    },
    selections: begin.ledger?.selections ?? [],
    proofJson: begin.ledger?.proofJson ?? '{}',
    decision: begin.ledger?.decision ?? null,
    undo: { planId: begin.plan, dir: `state/undo/${begin.plan}`, bytes, createdMs: nowMs() },
  });
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** What is old becomes new where its new bytes are still there. */
function finishOldEntries(root: string, { begin }: Journal, hooks: ApplyHooks): void {
  for (const entry of begin.entries) {
    if (stateOf(root, entry) !== 'old') continue;
    hooks.at(`before finish ${entry.path}`);
    const expected = { path: entry.path, hash: entry.old };
    if (entry.new === null) takeAway(root, expected, hooks);
    else if (hashOwnFile(`${root}/${entry.temp}`) === entry.new) moveInto(root, entry.temp, expected, hooks);
    hooks.at(`after finish ${entry.path}`);
  }
}

function keepConflict({ plans }: RecoveryRequest, { begin }: Journal): Ended {
  plans.setStatus(begin.plan, ['committing', 'committed', 'open'], 'conflict');
  return 'conflict';
}

function describeConflict(root: string, { dir, begin }: Journal): Conflict {
  const files = begin.entries.map((entry, position) => ({
    path: entry.path,
    state: stateOf(root, entry),
    backup: entry.old === null ? null : backupPath(dir, position),
  }));
  return { planId: begin.plan, op: begin.op, dir, files };
}

function hasStuck(root: string, { begin, dir }: Journal): boolean {
  return begin.entries.some(
    (entry, position) =>
      entry.old !== null && stateOf(root, entry) === 'new' && hashOwnFile(backupPath(dir, position)) !== entry.old,
  );
}

/** A plan that is between two states without a journal was left before it began, or its journal was removed. */
function reopenForgotten({ plans }: RecoveryRequest, kept: ReadonlySet<string>): void {
  for (const find of [plans.findCommitting, plans.findConflict]) {
    for (let id = find(); id !== undefined && !kept.has(id); id = find()) {
      const to = plans.find(id)?.committedMs == null ? 'open' : 'committed';
      if (!plans.setStatus(id, ['committing', 'conflict'], to)) break;
    }
  }
}

// The two ways out of a conflict (mutation.md §8): `plan undo` takes back what the commit wrote, `plan commit` finishes what is still as
// it was. Neither touches a file that was edited since. The decision is in the journal first, so a restart goes on with it.

export type Resolution =
  | { readonly kind: 'resolved'; readonly to: 'undone' | 'committed'; readonly untouched: readonly string[] }
  | { readonly kind: 'no_conflict' }
  /** Copies are gone or the journal cannot be read: a person has to look. */
  | { readonly kind: 'stuck'; readonly conflict: Conflict };

type Request = RecoveryRequest & { readonly planId: string; readonly by: 'undo' | 'commit' };

export function resolveConflict(request: Request): Resolution {
  const conflict = findConflicts(request).find(({ planId }) => planId === request.planId);
  if (conflict === undefined) return { kind: 'no_conflict' };
  const journal = readJournal(findSeal(request), journalDir(request.stateDir, request.planId));
  const untouched = conflict.files.filter(({ state }) => state === 'other').map(({ path }) => path);
  const to = request.by === 'undo' ? 'undone' : 'committed';
  try {
    const isSettled = journal !== undefined && settleConflict(request, journal, to);
    return isSettled ? { kind: 'resolved', to, untouched } : { kind: 'stuck', conflict };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return { kind: 'stuck', conflict };
  }
}

function settleConflict(request: Request, journal: Journal, to: 'undone' | 'committed'): boolean {
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
