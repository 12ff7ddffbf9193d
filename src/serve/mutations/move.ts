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
  input: strictInput({
    ...targetFields,
    new_path: z.string().min(1, 'name where it is to be'),
    ...requestFields,
  }),
  output: ChangeAnswer,
  async run() {
    return {
      outcome: {
        kind: 'unsupported' as const,
        reason: 'operation' as const,
        detail: 'moving a file is not made yet',
        can_force_syntactic: false,
      },
      next: 'move the file by hand, then rename what has to follow',
    };
  },
  render: renderChange,
});
