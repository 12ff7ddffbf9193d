/** Moving a file with every import of it, as a plan or applied at once. */

import { strictInput } from '../../kernel/base/schema.ts';
import { MoveInput } from '../../mutate/move/move-request.ts';
import { requestFields } from '../operations/input.ts';
import { defineChange } from './change.ts';
import { ChangeAnswer } from './change-answer.ts';
import { renderChange } from './render-change.ts';

export default defineChange({
  name: 'move',
  says: 'Plan moving a file and updating every import of it; with `apply`, commit it where nothing is left to ask',
  semantic: true,
  input: strictInput({ ...MoveInput.shape, ...requestFields }),
  output: ChangeAnswer,
  async run(world, input) {
    const { planChange } = await import('../../mutate/plan-change.ts');
    return planChange(world, 'move_file', input);
  },
  render: renderChange,
});
