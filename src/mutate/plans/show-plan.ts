/** A plan again, as it is now. Showing an open plan is a use of it and extends its life. */

import type { Answer, ApplyResult, WitnessPacket } from '../answer.ts';
import { maxListed } from '../questions/candidates.ts';
import { buildCapsules } from '../questions/capsules.ts';
import { listRemembered } from '../questions/remember.ts';
import type { MutationWorld } from '../world.ts';
import { appliedAnswer, decideAnswer, plannedAnswer, plannedSyntactic, undoneAnswer } from './answers.ts';
import type { Plan } from './plan.ts';
import { extendLife, findOwnPlan, refuseStatus } from './plan-life.ts';
import type { CommitResult } from './plan-store.ts';
import { findResult } from './requests.ts';
import { isForced } from './selection.ts';

/** `from`: the first question to show, from 0. */
export async function showPlan(world: MutationWorld, id: string, from = 0): Promise<Answer> {
  world.plans.tidy(world.nowMs());
  const found = findOwnPlan(world, id);
  if (found.kind === 'answer') return found.answer;
  const { plan } = found;
  switch (plan.status) {
    case 'open':
      extendLife(world, plan);
      return showOpen(world, world.plans.find(id) ?? plan, { from });
    case 'committed':
      return showCommitted(world, plan);
    case 'undone':
      return undoneAnswer(plan, toResult(plan, world.plans.result(id), false));
    case 'cancelled':
      return findResult(world, id) ?? refuseStatus(plan) ?? plannedAnswer(plan);
    default:
      return refuseStatus(plan) ?? plannedAnswer(plan);
  }
}

/** What a plan that can be committed is answered with, when it is made and whenever it is shown. */
export async function showOpen(
  world: Pick<MutationWorld, 'plans' | 'view' | 'nowMs' | 'signal'>,
  plan: Plan,
  about: {
    readonly bounds?: WitnessPacket['bounds'];
    readonly isNewOf?: { readonly plan: Plan };
    readonly from?: number;
  } = {},
): Promise<Answer> {
  if (plan.items.length === 0) return isForced(plan) ? plannedSyntactic(plan) : plannedAnswer(plan);
  const { from = 0, ...rest } = about;
  const page: Plan = { ...plan, items: plan.items.slice(from) };
  const capsules = await buildCapsules(world, page, plan);
  const answer = decideAnswer(page, {
    ...rest,
    whole: plan,
    capsules,
    remembered: listRemembered(world.plans, { ...page, items: page.items.slice(0, maxListed) }),
  });
  const { outcome } = answer;
  if (outcome.kind !== 'needs_decision' || outcome.plan === null) return answer;
  return {
    ...answer,
    outcome: {
      ...outcome,
      plan: {
        ...outcome.plan,
        items: outcome.plan.items.map((item) => ({ ...item, number: item.number + from })),
        questions: plan.items.length,
        questions_from: from + 1,
      },
    },
  };
}

function showCommitted({ plans }: MutationWorld, plan: Plan): Answer {
  const canUndo = plans.listUndo().some(({ planId }) => planId === plan.id);
  const result = toResult(plan, plans.result(plan.id), canUndo);
  const written = new Set(plan.groups.flatMap(({ id, isSelected }) => (isSelected === true ? [id] : [])));
  return appliedAnswer(plan, result, isForced(plan) ? { binding: 'not_proven', written } : null);
}

function toResult(plan: Plan, result: CommitResult | undefined, canUndo: boolean): ApplyResult {
  return {
    files: result?.files ?? [],
    late_writes: result?.lateWrites ?? [],
    notes: result?.notes ?? [],
    undo: canUndo ? `codegenie plan undo ${plan.id}` : null,
  };
}
