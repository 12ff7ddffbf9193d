/** A plan again, which extends its life, with the proof that a commit of it needs as a form to fill in. */

import { z } from '../../kernel/base/schema.ts';
import { strictInput } from '../operations/shared/input.ts';
import { defineMutation } from './mutation.ts';
import { ChangeAnswer, ProofInput } from './shared/answer-schema.ts';
import { proofTemplateOf } from './shared/proof-template.ts';
import { renderChange } from './shared/render-change.ts';
import { planFields } from './shared/request-fields.ts';

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
