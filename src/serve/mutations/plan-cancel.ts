/** Giving a plan up before it is committed. */

import { strictInput } from '../operations/shared/input.ts';
import { shown } from '../operations/shared/words.ts';
import { defineMutation } from './mutation.ts';
import { ChangeAnswer } from './shared/answer-schema.ts';
import { renderChange } from './shared/render-change.ts';
import { planFields } from './shared/request-fields.ts';

export default defineMutation({
  name: 'plan_cancel',
  says: 'Give a plan up; nothing was written, and it cannot be committed any more',
  input: strictInput(planFields),
  output: ChangeAnswer,
  async run(world, input) {
    const { cancelPlan } = await import('../../mutate/plans/plan-life.ts');
    return cancelPlan(world, input.plan_id);
  },
  render(answer, look) {
    const { outcome } = answer;
    if (outcome.kind !== 'ok') return renderChange(answer, look);
    const { id, symbol, new_name: newName } = outcome.plan;
    return `cancelled plan ${id} (${shown(symbol.name, 120)} → ${shown(newName, 120)}); nothing was written`;
  },
});
