/** One request for a change to the façade for a tool. The answer is the mutation's own, cut to the budget, its `next` said in calls. */

import type { Answer } from '../../mutate/answer.ts';
import { fitAnswer } from '../../mutate/plans/fit-answer.ts';
import type { AnyAnswer, Mutation } from '../mutations/mutation.ts';
import type { Changed } from '../run-mutation.ts';
import { answerBytes, shrinkTo, sizeOf } from './answer-budget.ts';
import { problemAnswer } from './problem-answers.ts';
import { sayForTools } from './say-for-tools.ts';
import { dropEmpty, slimOutcome } from './slim-answer.ts';
import { indexingStep, type ToolAnswer, type ToolInput, type ToolWorld } from './tool.ts';

/** How long a call waits for another writer to end. */
const waitMs = 10_000;

export async function changeForTool<I, O extends AnyAnswer & Answer>(
  mutation: Mutation<I, O>,
  input: ToolInput,
  world: ToolWorld,
  names: Readonly<Record<string, string>> = {},
): Promise<ToolAnswer> {
  const answered = await requestChange(mutation, input, world, names);
  return 'failed' in answered ? answered.failed : fitChange(answered.answer);
}

export async function requestChange<I, O extends AnyAnswer>(
  mutation: Mutation<I, O>,
  input: ToolInput,
  { workspace, onStep }: ToolWorld,
  names: Readonly<Record<string, string>> = {},
): Promise<{ readonly answer: Changed<O> } | { readonly failed: ToolAnswer }> {
  const outcome = await workspace.change(mutation, input, {
    waitMs,
    onStep,
    onProgress: (progress) => onStep(indexingStep(progress)),
  });
  return outcome.kind === 'answered' ? { answer: outcome.answer } : { failed: problemAnswer(outcome, names) };
}

/** Room for `truncated`, `continue` and the sentence about the other questions. */
const tailBytes = 300;

export function fitChange(given: Changed<Answer>): ToolAnswer {
  const { outcome, next, ...others } = given;
  // The form to fill in names the same places as `required_proof`.
  const { proof_template: form = null, ...heads } = others as Readonly<Record<string, unknown>>;
  const rest = outcome.kind === 'needs_decision' || form === null ? heads : { ...heads, proof_template: form };
  const answer: Answer = { outcome: slimOutcome(outcome), next: sayForTools(next) };
  const fitted = fitAnswer(answer, answerBytes - tailBytes - sizeOf(rest));
  const following = nextQuestion(fitted.answer);
  const whole = {
    outcome: dropEmpty(fitted.answer.outcome),
    ...rest,
    truncated: fitted.truncated || following !== null || hidesEdits(fitted.answer),
    continue: following,
    next: following === null ? answer.next : `${answer.next} ${moreQuestions(fitted.answer, following)}`,
  };
  const { value, isCut } = shrinkTo(whole, answerBytes);
  if (!isCut) return whole;
  // What names the plan stays whole where anything does; a name that was cut is a name that nothing accepts.
  return value === null
    ? { outcome: { kind: outcome.kind }, truncated: true, continue: null, next: answer.next.slice(0, 2_000) }
    : { ...value, truncated: true };
}

/** The core shows the first edits of a group and counts the others: all are in the plan, and a commit makes all. */
function hidesEdits({ outcome }: Answer): boolean {
  const plan = 'plan' in outcome ? outcome.plan : null;
  return plan?.groups.some(({ more }) => more > 0) === true;
}

/** The number of the first question that is not shown. */
function nextQuestion({ outcome }: Answer): string | null {
  if (outcome.kind !== 'needs_decision' || outcome.plan === null) return null;
  const { questions, questions_from: from, items } = outcome.plan;
  const following = from + items.length;
  return following <= questions ? String(following) : null;
}

function moreQuestions({ outcome }: Answer, following: string): string {
  const id = outcome.kind === 'needs_decision' ? (outcome.plan?.id ?? '') : '';
  return `More questions: commit_plan {op: "show", plan_id: "${id}", continue: "${following}"}; every one needs an answer.`;
}
