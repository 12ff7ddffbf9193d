/** Step 1 of a commit (mutation.md §6): the plan is there, is of this root, is open and not expired, and is the one that was shown. */

import type { Answer } from '../answer.ts';
import type { PlanStatus } from '../outcome.ts';
import type { Plan } from '../types.ts';
import type { MutationWorld } from '../world.ts';
import { blockedAnswer, refusedAnswer } from './answers.ts';
import { expiryAt } from './keep-plan.ts';

export type LifeWorld = Pick<MutationWorld, 'plans' | 'rootHash' | 'worktree' | 'nowMs' | 'longProofs'>;

export type Alive =
  | { readonly kind: 'alive'; readonly plan: Plan }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** Of this root, whatever its status. An open plan whose time is over expires here. */
export function findOwnPlan(world: LifeWorld, id: string, rootHash: string = world.rootHash): Alive {
  const found = world.plans.find(id);
  if (found === undefined) return ended(refusedAnswer('plan_not_found', `there is no plan ${id} here`));
  if (found.rootHash !== rootHash || found.rootHash !== world.rootHash || found.worktree !== world.worktree) {
    const detail = `plan ${id} was made in ${found.worktree}; this is ${world.worktree}`;
    return ended(refusedAnswer('wrong_worktree', detail));
  }
  const isOver = world.nowMs() >= found.expiresMs;
  if (isOver && world.plans.setStatus(id, ['open', 'proving'], 'expired'))
    return { kind: 'alive', plan: { ...found, status: 'expired' } };
  // Whoever proved it is gone: nobody will ever finish.
  const isOrphan = found.status === 'proving' && world.longProofs?.isRunning(id) !== true;
  if (isOrphan && world.plans.setStatus(id, ['proving'], 'cancelled'))
    return { kind: 'alive', plan: { ...found, status: 'cancelled' } };
  return { kind: 'alive', plan: found };
}

/** M25: refused by name. Undefined for an open plan. */
export function refuseStatus(plan: Plan): Answer | undefined {
  const says = statusAnswers[plan.status];
  return says?.(plan);
}

/** From the last show, extension or failed commit. */
export function extendLife(world: LifeWorld, plan: Plan): void {
  world.plans.setExpiry(plan.id, expiryAt(plan.createdMs, world.nowMs()));
}

const used = (plan: Plan, says: string) => refusedAnswer('plan_used', `plan ${plan.id} ${says}`);

const statusAnswers: Readonly<Record<PlanStatus, ((plan: Plan) => Answer) | undefined>> = {
  open: undefined,
  proving: (plan) =>
    blockedAnswer('proof_running', `plan ${plan.id} is still being proved`, {
      plan_id: plan.id,
      retry_after_ms: 1_000,
    }),
  committing: (plan) => used(plan, 'is being committed'),
  committed: (plan) => used(plan, `was committed at ${new Date(plan.committedMs ?? 0).toISOString()}`),
  undone: (plan) => used(plan, 'was committed and undone'),
  expired: (plan) =>
    refusedAnswer('plan_expired', `plan ${plan.id} expired at ${new Date(plan.expiresMs).toISOString()}`),
  cancelled: (plan) => refusedAnswer('plan_cancelled', `plan ${plan.id} was cancelled`),
  conflict: (plan) =>
    conflictAnswer(
      plan.id,
      plan.files.map(({ path }) => path),
    ),
};

export function conflictAnswer(planId: string, paths: readonly string[]): Answer {
  return blockedAnswer(
    'recovery_conflict',
    `the commit of plan ${planId} was interrupted, and its files were edited since`,
    {
      plan_id: planId,
      files: paths.slice(0, 20).map((path) => ({ path, state: 'conflict', why: 'part of an interrupted commit' })),
    },
  );
}

function ended(answer: Answer): Alive {
  return { kind: 'answer', answer };
}
