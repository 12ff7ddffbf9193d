/** A plan given up before it is committed. Cancelling twice is cancelling once. */

import type { Answer } from '../answer.ts';
import type { MutationWorld } from '../world.ts';
import { findOwnPlan, refuseStatus } from './check-life.ts';
import { inTurn } from './in-turn.ts';
import { viewPlan } from './view-plan.ts';

export function cancelPlan(world: MutationWorld, id: string): Promise<Answer> {
  return inTurn(world.plans, async () => {
    const found = findOwnPlan(world, id);
    if (found.kind === 'answer') return found.answer;
    const { plan } = found;
    const isCancelled = world.plans.setStatus(id, ['open', 'proving'], 'cancelled') || plan.status === 'cancelled';
    if (!isCancelled) return refuseStatus(plan) ?? cancelled(plan);
    return cancelled(world.plans.find(id) ?? plan);
  });
}

/** There is no outcome of its own: nothing was asked that could fail, and the plan's status says it. */
function cancelled(plan: Parameters<typeof viewPlan>[0]): Answer {
  const next = 'Nothing was written; plan again if the change is wanted after all.';
  return { outcome: { kind: 'ok', state: 'planned', plan: viewPlan(plan) }, next };
}
