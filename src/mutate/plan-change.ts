/**
 * A request for a change, from its words to its answer (mutation.md §1, §2): planned and kept first, whatever it is; committed in the same
 * call only if it is one proven group without a question, or, forced, nothing but the lexical tier.
 */

import type { Answer } from './answer.ts';
import type { PlanKind } from './outcome.ts';
import { draftPlan } from './plan-refactoring.ts';
import { plannedAnswer, plannedSyntactic, refusedAnswer, unsupportedAnswer } from './plans/answers.ts';
import type { Replan } from './plans/check-scope.ts';
import { commitPlan } from './plans/commit-plan.ts';
import { keepPlan } from './plans/keep-plan.ts';
import { findProved, openLongProof, operationOf } from './plans/long-proof.ts';
import { findMainGroup, isForced } from './plans/read-selection.ts';
import { showOpen } from './plans/show-plan.ts';
import type { Findings, Refactoring } from './refactoring.ts';
import moveFile from './refactorings/move-file.ts';
import rename from './refactorings/rename.ts';
import type { Plan } from './types.ts';
import type { MutationWorld } from './world.ts';

/** What this program can change. A kind that is declared and not here is `unsupported`. */
const refactorings: Partial<Record<PlanKind, Refactoring<unknown>>> = {
  rename: rename as Refactoring<unknown>,
  move_file: moveFile as Refactoring<unknown>,
};

export async function planChange(
  world: MutationWorld,
  kind: PlanKind,
  input: Readonly<Record<string, unknown>>,
  options: { readonly apply: boolean },
): Promise<Answer> {
  const refactoring = refactorings[kind];
  if (refactoring === undefined)
    return unsupportedAnswer('operation', `${kind} is not implemented`, { can_force_syntactic: false });
  const operation = operationOf(kind, input);
  const proved = findProved(world, operation);
  if (proved !== undefined) return proved.kind === 'answer' ? proved.answer : answerWith(world, proved.plan, options);
  const long = openLongProof(world, operation);
  try {
    const drafted = await draftPlan(world, refactoring, input, long);
    const settled = long?.finish(drafted);
    // Whoever asked was answered already: nothing is written for nobody.
    if (settled !== undefined)
      return settled.kind === 'answer' ? settled.answer : answerWith(world, settled.plan, { apply: false });
    if (drafted.kind === 'answer') return drafted.answer;
    return answerWith(world, keepPlan(world, drafted.draft), { ...options, bounds: drafted.bounds });
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
    const refactoring = refactorings[kind];
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
