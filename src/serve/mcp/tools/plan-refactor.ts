/** `plan_refactor`: a rename or a move as a plan. It never writes: commit_plan alone does. */

import move from '../../changes/move.ts';
import rename from '../../changes/rename.ts';
import { oneOf, strictInput } from '../../operations/input.ts';
import { changeForTool } from '../ask-for-tool.ts';
import { defineTool, fieldsOf, loose, readTarget } from '../tool.ts';

const kinds = ['rename', 'move'] as const;
const fields = fieldsOf(rename, [
  'target',
  'new_name',
  'mode',
  'public_names',
  'alias_policy',
  'wait_ms',
  'request_id',
]);

export default defineTool({
  name: 'plan_refactor',
  says: 'Plan renaming a symbol or moving a file with every reference to it. Use it instead of editing text: edits are bound by the compiler, and nothing is written yet. outcome.kind ok: commit_plan with plan.id and plan.hash. needs_decision: read the places, choose one candidate per question, commit_plan with proof. blocked: do what next says, ask again. refused, unsupported: choose otherwise, see detail.',
  readsOnly: true,
  input: strictInput({
    kind: oneOf(kinds),
    target: fields.target.describe('symbol as in navigate; move: a file'),
    to: fields.new_name.describe('new name; move: new path'),
    mode: loose(fields.mode),
    public_names: loose(fields.public_names).describe('names package users see'),
    alias_policy: loose(fields.alias_policy),
    wait_ms: loose(fields.wait_ms).describe('for refreshing facts'),
    request_id: fields.request_id.describe('retry key'),
  }),
  run: ({ kind, target, to, ...input }, world) =>
    kind === 'move'
      ? changeForTool(move, { ...input, file: target, to }, world, { file: 'target' })
      : changeForTool(rename, { ...input, target: readTarget(target), new_name: to }, world, { new_name: 'to' }),
});
