/** Taking a committed plan back, byte by byte, while nobody has touched its files. */

import { strictInput } from '../operations/input.ts';
import { defineMutation, planFields, requestFields } from './change.ts';
import { ChangeAnswer } from './change-answer.ts';
import { renderChange } from './render-change.ts';

export default defineMutation({
  name: 'plan_undo',
  says: 'Restore every file of a committed plan as it was, if none of them has changed since',
  input: strictInput({ ...planFields, request_id: requestFields.request_id }),
  output: ChangeAnswer,
  async run(world, input) {
    const { undoPlan } = await import('../../mutate/plans/undo-plan.ts');
    return undoPlan(world, input);
  },
  render: renderChange,
});
