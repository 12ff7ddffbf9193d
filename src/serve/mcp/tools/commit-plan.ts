/** `commit_plan`: what can be done with a plan. The only tool that writes to the user's files, and only by a plan's hash (M2). */

import { z } from '../../../kernel/base/schema.ts';
import { planCancel, planCommit, planList, planShow, planUndo } from '../../changes/plan-requests.ts';
import { oneOf, strictInput } from '../../operations/input.ts';
import { answerBytes, cutPiece, markOf, readToken, sizeOf, writeToken } from '../answer-pages.ts';
import { changeForTool, requestChange } from '../ask-for-tool.ts';
import { invalidAnswer } from '../problem-answers.ts';
import { defineTool, fieldsOf, loose, type ToolAnswer, type ToolInput, type ToolWorld } from '../tool.ts';
import { sayForTools } from '../tool-wording.ts';

const ops = ['commit', 'show', 'cancel', 'undo', 'list'] as const;
const fields = fieldsOf(planCommit, ['plan_id', 'plan_hash', 'root_hash', 'selections', 'proof', 'request_id']);

/** What a plan without a required proof is committed with. */
const noProof = { identity: '', lines: [], anchors: [] };

type Ask = (input: ToolInput, world: ToolWorld) => Promise<ToolAnswer>;

const asks: Readonly<Record<(typeof ops)[number], Ask>> = {
  commit: (input, world) => changeForTool(planCommit, { proof: noProof, ...input }, world),
  show: ({ continue: from, ...input }, world) => {
    if (from === undefined) return changeForTool(planShow, input, world);
    if (!/^\d{1,6}$/.test(String(from))) return Promise.resolve(invalidAnswer(badToken));
    return changeForTool(planShow, { ...input, from: Number(from) }, world, { from: 'continue' });
  },
  cancel: (input, world) => changeForTool(planCancel, input, world),
  undo: (input, world) => changeForTool(planUndo, input, world),
  list: listPlans,
};

const badToken = 'continue: no token of this tool; call again without it';

export default defineTool({
  name: 'commit_plan',
  says: 'Work with plans of plan_refactor. commit writes all files or none: plan_hash, root_hash (repo.root_hash), selections (id of the main group, one candidate id per question) and, where required, proof: identity (plan.symbol.key) and the exact text read at the places of required_proof. undo restores the bytes. outcome.kind ok applied: reload files. refused, blocked: nothing was written; do what next says.',
  readsOnly: false,
  input: strictInput({
    op: oneOf(ops),
    plan_id: loose(fields.plan_id),
    plan_hash: loose(fields.plan_hash),
    root_hash: loose(fields.root_hash),
    selections: loose(fields.selections),
    proof: loose(fields.proof).describe(
      'lines: whole lines; anchors: text is the name, before and after up to 16 characters beside it on its line',
    ),
    request_id: fields.request_id,
    limit: fieldsOf(planList, ['limit']).limit.describe('for list'),
    continue: z.string().optional().describe('for show, list'),
  }),
  run: ({ op, ...input }, world) => asks[op as (typeof ops)[number]](input, world),
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
