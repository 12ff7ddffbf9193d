/**
 * A proof that takes longer than its caller should wait (mutation.md §3.3). Its plan is kept as `proving` and the request is answered;
 * the proof goes on, and when it ends the plan is open under the same id, or given up with what was found kept for the next request.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import type { Answer } from '../answer.ts';
import type { PlanKind } from '../vocabulary.ts';
import type { MutationWorld } from '../world.ts';
import { blockedAnswer, refusedAnswer } from './answers.ts';
import type { Drafted, Plan, PlanDraft } from './plan.ts';
import { scopeDigestOf } from './plan-files.ts';
import { keepPlan, refuseStatus, settlePlan } from './plan-life.ts';

export type LongProof = {
  readonly waitMs: number;
  /** The time is up. */
  begin(draft: PlanDraft): void;
  /** Undefined: it never began. */
  finish(drafted: Drafted): Settled | undefined;
  /** It was stopped. */
  abandon(): void;
};

type Settled = { readonly kind: 'plan'; readonly plan: Plan } | { readonly kind: 'answer'; readonly answer: Answer };

const askAgainMs = 5_000;

export function openLongProof(world: MutationWorld, operation: string): LongProof | undefined {
  const { longProofs, plans, nowMs } = world;
  if (longProofs === undefined) return undefined;
  let id: string | undefined;
  return {
    waitMs: longProofs.waitMs,
    begin(draft) {
      const plan = keepPlan(world, draft, 'proving');
      id = plan.id;
      const answer = blockedAnswer('proof_running', `plan ${id} is kept meanwhile`, {
        plan_id: id,
        retry_after_ms: askAgainMs,
      });
      longProofs.detach({ planId: id, operation, answer });
    },
    finish(drafted) {
      if (id === undefined) return undefined;
      if (drafted.kind === 'answer') {
        if (plans.setStatus(id, ['proving'], 'cancelled'))
          plans.putRequest(resultName(id), operation, JSON.stringify(drafted.answer), nowMs());
        return drafted;
      }
      const plan = settlePlan(world, drafted.draft, id);
      return plan === undefined ? { kind: 'answer', answer: whyNotOpen(world, id) } : { kind: 'plan', plan };
    },
    abandon() {
      if (id !== undefined) plans.setStatus(id, ['proving'], 'cancelled');
    },
  };
}

/** One word for what a request is about. */
export function operationOf(kind: PlanKind, input: Readonly<Record<string, unknown>>): string {
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify({ kind, input })) as Json));
}

/** What an earlier request for the same came to after it was answered; undefined where it came to nothing, or the tree is another. */
export function findProved(world: MutationWorld, operation: string): Settled | undefined {
  const id = world.longProofs?.earlier(operation);
  const plan = id === undefined ? undefined : world.plans.find(id);
  if (plan === undefined || plan.scopeDigest !== scopeDigestOf(world.view)) return undefined;
  if (plan.status === 'open' && world.nowMs() < plan.expiresMs) return { kind: 'plan', plan };
  const answer = plan.status === 'cancelled' ? findResult(world, plan.id) : undefined;
  return answer === undefined ? undefined : { kind: 'answer', answer };
}

/** Of a plan whose proof found that there is nothing to commit. */
export function findResult({ plans }: Pick<MutationWorld, 'plans'>, id: string): Answer | undefined {
  const kept = plans.findRequest(resultName(id));
  return kept === undefined ? undefined : (JSON.parse(kept.answerJson) as Answer);
}

function whyNotOpen({ plans }: MutationWorld, id: string): Answer {
  const plan = plans.find(id);
  return (
    (plan === undefined ? undefined : refuseStatus(plan)) ?? refusedAnswer('plan_not_found', `there is no plan ${id}`)
  );
}

function resultName(id: string): string {
  return `proof:${id}`;
}
