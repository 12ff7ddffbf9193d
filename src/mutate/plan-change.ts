/**
 * A request for a change, from its words to its answer (mutation.md §1, §2): planned and kept first, whatever it is; committed in the same
 * call only if it is one proven group without a question, or, forced, nothing but the lexical tier.
 */

import type { Answer } from './answer.ts';
import moveFile from './move/move.ts';
import { MoveInput, type MoveRequest } from './move/move-request.ts';
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
import rename from './rename/rename.ts';
import { RenameInput, type RenameRequest } from './rename/rename-request.ts';
import type { PlanKind, RefusedReason } from './vocabulary.ts';
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

// `planRename`: what every surface calls for a rename.

export type { RenameRequest };

export function planRename(world: MutationWorld, request: RenameRequest): Promise<Answer> {
  const { apply, request_id, ...asked } = request;
  const input = RenameInput.parse(asked);
  return withRequestId(world, request_id, { op: 'rename', ...input, apply }, () =>
    planChange(world, 'rename', input, { apply }),
  );
}

// `planMove`: what every surface calls for moving a file.

export type { MoveRequest };

export function planMove(world: MutationWorld, request: MoveRequest): Promise<Answer> {
  const { apply, request_id, ...asked } = request;
  const input = MoveInput.parse(asked);
  return withRequestId(world, request_id, { op: 'move', ...input, apply }, async () => {
    const answer = await planChange(world, 'move_file', input, { apply });
    const next = answer.outcome.kind === 'refused' ? afterRefused[answer.outcome.reason] : undefined;
    return next === undefined ? answer : { ...answer, next };
  });
}

/** Where the sentence for names does not fit a path. */
const afterRefused: Partial<Record<RefusedReason, string>> = {
  no_symbol: 'Name a file or a directory of the repository.',
  not_renamable: 'Move what the link leads to.',
  invalid_name: 'Choose another path in the repository, of the same language and not ignored.',
  same_name: 'It is there already: there is nothing to do.',
  collision: 'Choose a path that is free, or move the other file first.',
};
