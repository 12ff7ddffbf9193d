/**
 * The only way to apply a plan (mutation.md §6; M2). Eleven checks in this order, each with its own failure; nothing is written before the
 * last, and a failure of any before it leaves the plan open until it expires.
 *
 *   1 life ─ 2 selection ─ 3 proof complete ─ 4 fresh ─ 5 same questions ─ 6 hashes ─ 7 anchors ─ 8 lines ─ 9 identity ─ 10 proof ─ 11 apply
 *
 * M22: commits of one store run one after the other here, and the change of status at K6 is compare-and-set, so of many commits of one
 * plan one applies it.
 */

import type { Answer, CommitRequest } from '../answer.ts';
import { recoverJournals } from '../apply/recover.ts';
import { resolveConflict } from '../apply/resolve-conflict.ts';
import { requiredProofOf } from '../decide/required-proof.ts';
import type { Plan } from '../types.ts';
import { afterwards } from './afterwards.ts';
import { appliedAnswer, refusedAnswer } from './answers.ts';
import { type ApplyingWorld, applySelection } from './apply-selection.ts';
import { conflictAnswer, extendLife, findOwnPlan, refuseStatus } from './check-life.ts';
import { checkAnchors, checkComplete, checkIdentity, checkLines } from './check-proof.ts';
import { checkFiles, checkScope, type Replan } from './check-scope.ts';
import { createHider } from './hide-secrets.ts';
import { inTurn } from './in-turn.ts';
import { proveSelection } from './prove-selection.ts';
import { readPlanFiles } from './read-plan-files.ts';
import { mergeEdits, readSelection } from './read-selection.ts';
import { selectedPart } from './selected-part.ts';
import { withRequestId } from './with-request-id.ts';

export function commitPlan(world: ApplyingWorld, request: CommitRequest, replan: Replan): Promise<Answer> {
  const { request_id: requestId, ...operation } = request;
  return withRequestId(world, requestId, { op: 'commit', ...operation }, () =>
    inTurn(world.plans, () => commitInTurn(world, request, replan)),
  );
}

async function commitInTurn(world: ApplyingWorld, request: CommitRequest, replan: Replan): Promise<Answer> {
  const { root, home, dataDir, plans, nowMs } = world;
  const recovery = recoverJournals({ root, home, dataDir, plans, nowMs });
  const found = findOwnPlan(world, request.plan_id, request.root_hash);
  if (found.kind === 'answer') return found.answer;
  const { plan } = found;
  if (plan.status === 'conflict') return finishConflict(world, plan);
  const refused = refuseStatus(plan);
  if (refused !== undefined) return refused;
  if (plan.hash !== request.plan_hash)
    return refusedAnswer('plan_mismatch', `plan ${plan.id} has the hash ${plan.hash}, not ${request.plan_hash}`);
  const [conflict] = recovery.conflicts;
  if (conflict !== undefined)
    return conflictAnswer(
      conflict.planId,
      conflict.files.map(({ path }) => path),
    );
  const answer = await commitOpen(world, plan, request, replan);
  // A failed commit is a use.
  if (plans.find(plan.id)?.status === 'open') extendLife(world, plan);
  return answer;
}

async function commitOpen(world: ApplyingWorld, plan: Plan, request: CommitRequest, replan: Replan): Promise<Answer> {
  const { selections, proof } = request;
  const selection = readSelection(plan, selections);
  if (selection.stops) {
    world.plans.setStatus(plan.id, ['open'], 'cancelled');
    return refusedAnswer('plan_cancelled', `an option of plan ${plan.id} that was selected ends it`);
  }
  if (selection.problems.length > 0)
    return refusedAnswer('selection_invalid', selection.problems.slice(0, 10).join('; '));
  const merged = mergeEdits(selection.groups);
  if (merged.kind === 'overlap') {
    const { path, line, col } = merged.second;
    return refusedAnswer('overlap', `two selected edits meet at ${path}:${line}:${col}`);
  }
  const { edits } = merged;
  const required = requiredProofOf(plan, selection.groups);
  const incomplete = checkComplete(required, proof);
  if (incomplete !== undefined) return incomplete;
  const hider = createHider(world.dataDir);
  const part = selectedPart(plan, new Set(selection.groupIds));
  // The definition is quoted in a proof, also where it is not edited.
  const paths = new Set([...part.files.map(({ path }) => path), plan.symbol.definedAt.file]);
  const readFiles = () => readPlanFiles(world.root, paths, hider);
  const view = await world.sweep();
  const moved = await checkScope({ ...world, view }, part, replan, readFiles, hider);
  if (moved !== undefined) return moved;
  const disk = readFiles();
  const mismatch =
    checkFiles(part, disk, hider) ??
    checkAnchors(plan, edits, proof, disk) ??
    checkLines(plan, edits, proof, disk) ??
    checkIdentity(plan, required, proof);
  if (mismatch !== undefined) return mismatch;
  const proven = await proveSelection({ ...world, view }, plan, selection, edits, disk);
  if (proven.kind === 'answer') return proven.answer;
  world.signal.throwIfAborted();
  const { binding } = proven;
  return applySelection({ ...world, view }, { plan, selection, selections, edits, disk, proof, binding, hider });
}

/** Somebody decided to finish a commit that was cut off: what is still as it was becomes new, what was edited stays. */
async function finishConflict(world: ApplyingWorld, plan: Plan): Promise<Answer> {
  const { root, home, dataDir, plans, nowMs, session } = world;
  const resolved = resolveConflict({ root, home, dataDir, plans, nowMs, planId: plan.id, by: 'commit' });
  if (resolved.kind !== 'resolved')
    return conflictAnswer(
      plan.id,
      plan.files.map(({ path }) => path),
    );
  const result = plans.result(plan.id);
  const notes = resolved.untouched.map((path) => `${path} was edited by somebody else and is as they left it`);
  const paths = new Set([...plan.files.map(({ path }) => path), ...plan.moves.map(({ to }) => to)]);
  await afterwards(notes, 'the index does not know the changed files yet; the next question reads them', () =>
    session.reconcile(paths),
  );
  return appliedAnswer(
    plans.find(plan.id) ?? plan,
    {
      files: (result?.files ?? []).filter(({ path }) => !resolved.untouched.includes(path)),
      late_writes: result?.lateWrites ?? [],
      notes: [...(result?.notes ?? []), ...notes],
      undo: `codegenie plan undo ${plan.id}`,
    },
    null,
  );
}
