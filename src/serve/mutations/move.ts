/** Moving a file with every import of it, as a plan or applied at once. */

import { z } from '../../kernel/base/schema.ts';
import { strictInput } from '../operations/shared/input.ts';
import { targetFields } from '../operations/shared/target-fields.ts';
import { defineMutation } from './mutation.ts';
import { ChangeAnswer } from './shared/answer-schema.ts';
import { renderChange } from './shared/render-change.ts';
import { requestFields } from './shared/request-fields.ts';

export default defineMutation({
  name: 'move',
  says: 'Plan moving a file and updating every import of it; with `apply`, commit it where nothing is left to ask',
  semantic: true,
  input: strictInput({
    file: targetFields.path,
    cwd: targetFields.cwd,
    to: z.string().min(1, 'name where it is to be'),
    ...requestFields,
  }),
  output: ChangeAnswer,
  async run(world, input) {
    const { planMove } = await import('../../mutate/plan-change.ts');
    return planMove(world, input);
  },
  render: renderChange,
});
