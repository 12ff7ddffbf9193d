/**
 * A committed plan taken back (mutation.md §9), through the same journal as a commit: every file as it was, or nothing and the files that
 * are in the way.
 */

import { quotedPath } from '../../kernel/base/text.ts';
import { inTurn } from '../../kernel/base/turns.ts';
import type { Answer } from '../answer.ts';
import { recoverJournals, resolveConflict } from '../apply/recover.ts';
import { withTreeLock } from '../apply/tree-lock.ts';
import { undoChanges } from '../apply/undo.ts';
import type { MutationWorld } from '../world.ts';
import { refusedAnswer, refusedFiles, undoneAnswer } from './answers.ts';
import { afterCommit } from './apply-selection.ts';
import type { Plan } from './plan.ts';
import { scopeFacts } from './plan-files.ts';
import { conflictAnswer, findOwnPlan, refuseStatus } from './plan-life.ts';
import { withRequestId } from './requests.ts';

export type UndoRequest = { readonly plan_id: string; readonly request_id?: string | undefined };

export function undoPlan(world: MutationWorld, request: UndoRequest): Promise<Answer> {
  return withRequestId(world, request.request_id, { op: 'undo', plan_id: request.plan_id }, () =>
    inTurn(world.plans, () => withTreeLock(world, () => undoInTurn(world, request.plan_id))),
  );
}

async function undoInTurn(world: MutationWorld, id: string): Promise<Answer> {
  const { root, home, stateDir, plans, nowMs, random } = world;
  const recovery = recoverJournals({ root, home, stateDir, plans, nowMs });
  const found = findOwnPlan(world, id);
  if (found.kind === 'answer') return found.answer;
  const { plan } = found;
  if (plan.status === 'conflict') return takeBackConflict(world, plan);
  if (plan.status !== 'committed') {
    if (plan.status === 'undone') return refusedAnswer('plan_used', `plan ${id} was undone already`);
    return (
      refuseStatus(plan) ?? refusedAnswer('undo_conflict', `plan ${id} was never committed: there is nothing to undo`)
    );
  }
  const [conflict] = recovery.conflicts;
  if (conflict !== undefined) return conflictAnswer(conflict.planId, conflict.files);
  const outcome = undoChanges({ root, home, stateDir, planId: id, plans, nowMs, random, ...scopeFacts(world.view) });
  if (outcome.kind === 'refused') return refusedFiles(outcome);
  const { files, lateWrites } = outcome;
  const notes = [...outcome.notes];
  await afterCommit(notes, notRead, () => world.session.reconcile(new Set(files.map(({ path }) => path))));
  const undone = await afterCommit(notes, 'the ledger cannot be read', () => plans.find(id));
  return undoneAnswer(undone ?? plan, { files, late_writes: lateWrites, notes, undo: null });
}

/** The user takes back a commit that was cut off: what it wrote becomes old, what was edited since stays. */
async function takeBackConflict(world: MutationWorld, plan: Plan): Promise<Answer> {
  const { root, home, stateDir, plans, nowMs, session } = world;
  const resolved = resolveConflict({ root, home, stateDir, plans, nowMs, planId: plan.id, by: 'undo' });
  if (resolved.kind !== 'resolved') return conflictAnswer(plan.id, plan.files);
  const paths = plan.files.filter(({ role }) => role === 'edited').map(({ path }) => path);
  const notes = resolved.untouched.map((path) => `${quotedPath(path)} was edited meanwhile and stays as it is`);
  await afterCommit(notes, notRead, () => session.reconcile(new Set([...paths, ...plan.moves.map(({ to }) => to)])));
  return undoneAnswer(plans.find(plan.id) ?? plan, { files: [], late_writes: [], notes, undo: null });
}

const notRead = 'the index does not know the changed files yet; the next question reads them';
