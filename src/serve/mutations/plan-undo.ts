/** Taking a committed plan back, byte by byte, while nobody has touched its files. */

import { strictInput } from '../operations/shared/input.ts';
import { defineMutation } from './mutation.ts';
import { ChangeAnswer } from './shared/answer-schema.ts';
import { renderChange } from './shared/render-change.ts';
import { planFields, requestFields } from './shared/request-fields.ts';

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
