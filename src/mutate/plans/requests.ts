/**
 * What a request comes to. One that is sent twice takes effect once (mutation.md §5, M23): its id with the same operation gives the
 * answer it had, with another one `plan_mismatch`; a second request during the first waits for its answer. One whose proof takes longer
 * than its caller should wait (mutation.md §3.3) is answered, and its plan is kept as `proving`; the proof goes on, and when it ends the
 * plan is open under the same id, or given up with what was found kept for the next request.
 */

import { StoreFailed } from '../../index/store/store-failed.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import type { Answer } from '../answer.ts';
import type { PlanKind } from '../vocabulary.ts';
import type { MutationWorld } from '../world.ts';
import { blockedAnswer, refusedAnswer } from './answers.ts';
import type { Drafted, Plan, PlanDraft } from './plan.ts';
import { createHider, scopeDigestOf } from './plan-files.ts';
import { isOfAnotherHour, keepPlan, refuseStatus, settlePlan } from './plan-life.ts';

type UnderWay = { readonly opHash: string; readonly answer: Promise<Answer> };

const underWay = new WeakMap<object, Map<string, UnderWay>>();

/** `operation`: everything that was asked, without the id itself. */
export async function withRequestId(
  world: Pick<MutationWorld, 'plans' | 'nowMs' | 'stateDir'>,
  id: string | undefined,
  operation: Readonly<Record<string, unknown>>,
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (id === undefined) return act();
  const { plans, nowMs, stateDir } = world;
  const opHash = hashOf(operation);
  plans.tidy(nowMs());
  const seen = plans.findRequest(id);
  if (seen !== undefined) return seen.opHash === opHash ? (JSON.parse(seen.answerJson) as Answer) : otherOperation(id);
  const running = underWay.get(plans) ?? new Map<string, UnderWay>();
  underWay.set(plans, running);
  const first = running.get(id);
  if (first !== undefined) return first.opHash === opHash ? first.answer : otherOperation(id);
  const answer = act().then((made) => {
    // The same answer both times: what is kept has its secrets hidden, so what is given has them too.
    const kept = createHider(stateDir).json(made) as Answer;
    try {
      plans.putRequest(id, opHash, JSON.stringify(kept), nowMs());
      return JSON.parse(plans.findRequest(id)?.answerJson ?? JSON.stringify(kept)) as Answer;
    } catch (error) {
      // What was done is done, and has to be said; a second request finds the plan used.
      if (!(error instanceof StoreFailed)) throw error;
      return kept;
    }
  });
  running.set(id, { opHash, answer });
  try {
    return await answer;
  } finally {
    running.delete(id);
  }
}

function otherOperation(id: string): Answer {
  return refusedAnswer('plan_mismatch', `request id ${id} was used for another operation`);
}

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
  return hashOf({ kind, input });
}

/** What an earlier request for the same came to after it was answered; undefined where it came to nothing, or the tree is another. */
export function findProved(world: MutationWorld, operation: string): Settled | undefined {
  const id = world.longProofs?.earlier(operation);
  const plan = id === undefined ? undefined : world.plans.find(id);
  if (plan === undefined || plan.scopeDigest !== scopeDigestOf(world.view)) return undefined;
  if (isOfAnotherHour(world, plan)) return undefined;
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

/** Of what is asked, whatever the order of its fields; a field that is undefined is none. */
function hashOf(asked: Readonly<Record<string, unknown>>): string {
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify(asked)) as Json));
}
