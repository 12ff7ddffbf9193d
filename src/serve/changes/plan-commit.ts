/** The only way to apply a plan: by its hash, with one option of every question, and with what was read at the places it names. */

import { z } from '../../kernel/base/schema.ts';
import { strictInput } from '../operations/input.ts';
import { defineMutation, planFields, requestFields } from './change.ts';
import { ChangeAnswer, ProofInput } from './change-answer.ts';
import { renderChange } from './render-change.ts';

export default defineMutation({
  name: 'plan_commit',
  says: 'Apply a plan: its hash, the root it is of, the main group and one option of every question, and the proof it requires',
  semantic: true,
  input: strictInput({
    ...planFields,
    plan_hash: z.string().min(1, 'the hash of the plan as it was shown'),
    root_hash: z.string().min(1, 'the hash of the root, as in `repo.root_hash`'),
    selections: z.array(z.string()),
    proof: ProofInput,
    request_id: requestFields.request_id,
  }),
  output: ChangeAnswer,
  async run(world, input) {
    const { commitPlan } = await import('../../mutate/plans/commit.ts');
    const { replanWith } = await import('../../mutate/plan-change.ts');
    return commitPlan(world, input, replanWith(world));
  },
  render: renderChange,
});
