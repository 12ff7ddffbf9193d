/** A plan again, which extends its life, with the proof that a commit of it needs as a form to fill in. */

import { z } from '../../kernel/base/schema.ts';
import type { Plan } from '../../mutate/plans/plan.ts';
import { strictInput } from '../operations/input.ts';
import { defineMutation, planFields } from './change.ts';
import { ChangeAnswer, ProofInput } from './change-answer.ts';
import { renderChange } from './render-change.ts';

export default defineMutation({
  name: 'plan_show',
  says: 'Show a plan again and extend its life, its questions beginning with number `from`; `proof_template` names the places whose text a commit has to supply',
  input: strictInput({ ...planFields, from: z.number().int().min(1).optional() }),
  /** Null for a plan that cannot be committed any more. */
  output: ChangeAnswer.extend({ proof_template: ProofInput.nullable() }),
  async run(world, input) {
    const { showPlan } = await import('../../mutate/plans/show-plan.ts');
    const answer = await showPlan(world, input.plan_id, (input.from ?? 1) - 1);
    const plan = world.plans.find(input.plan_id);
    return { ...answer, proof_template: plan?.status === 'open' ? await proofTemplateOf(plan) : null };
  },
  render: (answer, look) => renderChange(answer, look),
});

// The proof a plan requires (mutation.md §6) with its places named and its texts left out: whoever commits has to look. `identity` too is
// left to say, because it is what shows that the right thing was looked at.

export async function proofTemplateOf(plan: Plan): Promise<z.infer<typeof ProofInput>> {
  const { requiredProofOf } = await import('../../mutate/questions/required-proof.ts');
  const required = requiredProofOf(plan);
  return {
    identity: '',
    lines: required.lines.map(({ file, line }) => ({ file, line, text: '' })),
    anchors: required.anchors.map(({ file, line, col }) => ({ file, line, col, before: '', text: '', after: '' })),
    reasoning: '',
  };
}
