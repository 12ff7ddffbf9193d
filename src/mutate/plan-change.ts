/**
 * A request for a change, from its words to its answer (mutation.md §1, §2): planned and kept first, whatever it is; committed in the same
 * call only if it is one proven group without a question, or, forced, nothing but the lexical tier.
 */

import type { Answer } from './answer.ts';
import { plannedAnswer, plannedSyntactic, refusedAnswer, unsupportedAnswer } from './plans/answers.ts';
import { commitPlan, type Replan } from './plans/commit.ts';
import { draftPlan } from './plans/draft-plan.ts';
import { findProved, openLongProof, operationOf } from './plans/long-proof.ts';
import type { Plan } from './plans/plan.ts';
import { keepPlan } from './plans/plan-life.ts';
import { findMainGroup, isForced } from './plans/selection.ts';
import { showOpen } from './plans/show-plan.ts';
import { withRequestId } from './plans/with-request-id.ts';
import type { Findings, Refactoring } from './refactoring.ts';
import { refactorings } from './refactorings.gen.ts';
import type { PlanKind } from './vocabulary.ts';
import type { MutationWorld } from './world.ts';

/** What this program can change. A kind that is declared and not here is `unsupported`. */
const byKind: ReadonlyMap<PlanKind, Refactoring<unknown>> = new Map(
  refactorings.map((refactoring) => [refactoring.kind, refactoring as Refactoring<unknown>]),
);

/** What is asked, for a refactoring to parse, and how. */
export type ChangeRequest = Readonly<Record<string, unknown>> & {
  /** Commits in the same call, if the plan is one proven group without a question. */
  readonly apply: boolean;
  readonly request_id?: string | undefined;
};

export async function planChange(world: MutationWorld, kind: PlanKind, request: ChangeRequest): Promise<Answer> {
  const refactoring = byKind.get(kind);
  if (refactoring === undefined)
    return unsupportedAnswer('operation', `${kind} is not implemented`, { can_force_syntactic: false });
  const { apply, request_id, ...asked } = request;
  const input = refactoring.input.parse(asked) as Readonly<Record<string, unknown>>;
  return withRequestId(world, request_id, { op: refactoring.name, ...input, apply }, async () => {
    const answer = await planOnce(world, refactoring, input, apply);
    const next = answer.outcome.kind === 'refused' ? refactoring.nextAfterRefused?.[answer.outcome.reason] : undefined;
    return next === undefined ? answer : { ...answer, next };
  });
}

async function planOnce(
  world: MutationWorld,
  refactoring: Refactoring<unknown>,
  input: Readonly<Record<string, unknown>>,
  apply: boolean,
): Promise<Answer> {
  const operation = operationOf(refactoring.kind, input);
  const proved = findProved(world, operation);
  if (proved !== undefined) return proved.kind === 'answer' ? proved.answer : answerWith(world, proved.plan, { apply });
  const long = openLongProof(world, operation);
  try {
    const drafted = await draftPlan(world, refactoring, input, long);
    const settled = long?.finish(drafted);
    // The request was answered before its proof ended: the plan is kept and not applied.
    if (settled !== undefined)
      return settled.kind === 'answer' ? settled.answer : answerWith(world, settled.plan, { apply: false });
    if (drafted.kind === 'answer') return drafted.answer;
    return answerWith(world, keepPlan(world, drafted.draft), { apply, bounds: drafted.bounds });
  } catch (error) {
    long?.abandon();
    throw error;
  }
}

async function answerWith(
  world: MutationWorld,
  plan: Plan,
  { apply, bounds }: { readonly apply: boolean; readonly bounds?: Findings['bounds'] },
): Promise<Answer> {
  if (plan.items.length > 0) return showOpen(world, plan, bounds === undefined ? {} : { bounds });
  const answer = isForced(plan) ? plannedSyntactic(plan) : plannedAnswer(plan);
  if (!apply || !mayApply(plan)) return answer;
  return commitPlan(
    world,
    {
      plan_id: plan.id,
      plan_hash: plan.hash,
      root_hash: plan.rootHash,
      selections: [findMainGroup(plan)?.id ?? ''],
      proof: { identity: plan.symbol.key, lines: [], anchors: [] },
    },
    replanWith(world),
  );
}

/** How a commit looks again at what it is about. */
export function replanWith(world: MutationWorld): Replan {
  return async ({ kind, input }, view) => {
    const refactoring = byKind.get(kind);
    if (refactoring === undefined)
      return { kind: 'other', answer: refusedAnswer('plan_mismatch', `this program does not know ${kind}`) };
    const drafted = await draftPlan({ ...world, view }, refactoring, input);
    return drafted.kind === 'answer'
      ? { kind: 'other', answer: drafted.answer }
      : { kind: 'draft', draft: drafted.draft };
  };
}

/** Of a plan without questions. */
function mayApply(plan: Plan): boolean {
  return isForced(plan) ? plan.risks.length === 0 : plan.provenance === 'proven';
}
