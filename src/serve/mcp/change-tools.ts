/** The tools that change code: one plans and never writes, the other works with plans and is the only one that writes (M2). */

import { oneOf, strictInput, z } from '../../kernel/base/schema.ts';
import { ProofInput } from '../changes/change-answer.ts';
import move from '../changes/move.ts';
import { planCancel, planCommit, planList, planShow, planUndo } from '../changes/plan-requests.ts';
import rename from '../changes/rename.ts';
import { markOf, readToken, writeToken } from '../operations/page.ts';
import { answerBytes, cutPiece, sizeOf } from './answer-pages.ts';
import { changeForTool, requestChange } from './ask-for-tool.ts';
import { invalidAnswer } from './problem-answers.ts';
import { defineTool, fieldsOf, loose, readTarget, type ToolAnswer, type ToolInput, type ToolWorld } from './tool.ts';
import { sayForTools } from './tool-wording.ts';

const refactorings = ['rename', 'move'] as const;
const renameFields = fieldsOf(rename, [
  'target',
  'new_name',
  'mode',
  'public_names',
  'alias_policy',
  'wait_ms',
  'request_id',
]);

/** `plan_refactor`: a rename or a move as a plan. It never writes: commit_plan alone does. */
export const planRefactorTool = defineTool({
  name: 'plan_refactor',
  says: 'Plan renaming a symbol or moving a file with every reference to it. Use it instead of editing text: edits are bound by the compiler, and nothing is written yet. outcome.kind ok: commit_plan with plan.id. needs_decision: read the places, commit_plan with an answer to each question. blocked: do what next says, ask again. refused, unsupported: choose otherwise, see detail.',
  readsOnly: true,
  input: strictInput({
    kind: oneOf(refactorings),
    target: renameFields.target.describe('symbol as in navigate; move: a file'),
    to: renameFields.new_name.describe('new name; move: new path'),
    mode: loose(renameFields.mode),
    public_names: loose(renameFields.public_names).describe('names package users see'),
    alias_policy: loose(renameFields.alias_policy),
    wait_ms: loose(renameFields.wait_ms).describe('for refreshing facts'),
    request_id: renameFields.request_id.describe('retry key'),
  }),
  run: ({ kind, target, to, ...input }, world) =>
    kind === 'move'
      ? changeForTool(move, { ...input, file: target, to }, world, { file: 'target' })
      : changeForTool(rename, { ...input, target: readTarget(target), new_name: to }, world, { new_name: 'to' }),
});

const planOps = ['commit', 'show', 'cancel', 'undo', 'list'] as const;
const commitFields = fieldsOf(planCommit, ['answers', 'plan_hash', 'root_hash', 'selections', 'request_id']);

/** Lines around a place are of the seeds' form over HTTP; here they would only make the schema longer. */
const toolProof = ProofInput.extend({ lines: z.array(ProofInput.shape.lines.element.omit({ context: true })) });

type PlanAsk = (input: ToolInput, world: ToolWorld) => Promise<ToolAnswer>;

const askPlan: Readonly<Record<(typeof planOps)[number], PlanAsk>> = {
  commit: (input, world) => changeForTool(planCommit, input, world, planNames),
  show: ({ continue: from, ...input }, world) => {
    if (from === undefined) return changeForTool(planShow, input, world, planNames);
    if (!/^\d{1,6}$/.test(String(from))) return Promise.resolve(invalidAnswer(badToken));
    return changeForTool(planShow, { ...input, from: Number(from) }, world, { ...planNames, from: 'continue' });
  },
  cancel: (input, world) => changeForTool(planCancel, input, world, planNames),
  undo: (input, world) => changeForTool(planUndo, input, world, planNames),
  list: listPlans,
};

const planNames = { plan_id: 'plan' };

const badToken = 'continue: no token of this tool; call again without it';

/** `commit_plan`: what can be done with a plan. The only tool that writes to the user's files, and only by a plan's hash (M2). */
export const commitPlanTool = defineTool({
  name: 'commit_plan',
  says: 'Work with plans of plan_refactor. commit (the default) writes all files or none: {plan, answers: {"1": "rename", "2": "accept"}}, options by question number; a plan without questions needs plan alone. Where next asks for a line: read it (slice) and put it behind the option, "2": "accept: <line>". undo restores the bytes. outcome.kind ok applied: reload files. refused, blocked: nothing was written; do what next says.',
  readsOnly: false,
  input: strictInput({
    op: oneOf(planOps).optional(),
    plan: z.string().min(1).max(200).optional().describe('its id'),
    answers: commitFields.answers.describe('by question number or kind'),
    selections: commitFields.selections.describe('instead of answers: group and candidate ids, with proof'),
    plan_id: z.string().min(1).max(200).optional(),
    plan_hash: commitFields.plan_hash,
    root_hash: commitFields.root_hash,
    proof: toolProof
      .optional()
      .describe('{identity, lines: [{file, line, text}], anchors: [{file, line, col, before, text, after}]} as read'),
    request_id: commitFields.request_id,
    limit: fieldsOf(planList, ['limit']).limit.describe('for list'),
    continue: z.string().optional().describe('for show, list'),
  }),
  unlisted: ['plan_id', 'plan_hash', 'root_hash'],
  brief: ['proof'],
  run: ({ op = 'commit', plan, ...input }, world) =>
    askPlan[op as (typeof planOps)[number]]({ ...input, ...(plan === undefined ? {} : { plan_id: plan }) }, world),
});

async function listPlans({ continue: token, ...input }: ToolInput, world: ToolWorld): Promise<ToolAnswer> {
  const from = token === undefined ? undefined : readToken(String(token));
  const mark = markOf(['plan_list', input], null);
  if (token !== undefined && from?.mark !== mark) return invalidAnswer(badToken);
  const answered = await requestChange(planList, input, world);
  if ('failed' in answered) return answered.failed;
  const { next, ...fields } = answered.answer;
  const tail = { truncated: true, continue: writeToken(mark, { inner: undefined, offset: 999_999_999 }) };
  const said = sayForTools(next);
  const piece = cutPiece(fields, ['plans'], from?.offset ?? 0, answerBytes - sizeOf(tail) - sizeOf(said) - 20);
  const rest = piece.end === null ? null : writeToken(mark, { inner: undefined, offset: piece.end });
  return { outcome: 'ok', ...piece.fields, truncated: rest !== null || piece.shortened, continue: rest, next: said };
}
