/** Giving a plan up before it is committed. */

import { shown } from '../operations/answer-words.ts';
import { strictInput } from '../operations/input.ts';
import { defineMutation, planFields } from './change.ts';
import { ChangeAnswer } from './change-answer.ts';
import { renderChange } from './render-change.ts';

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
