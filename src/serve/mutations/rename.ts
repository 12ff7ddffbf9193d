/** A rename as a plan, or applied at once where nothing is left to ask. */

import { parseTarget } from '../../index/state/target/parse-target.ts';
import { z } from '../../kernel/base/schema.ts';
import { aliasPolicies, publicNamePolicies, renameModes } from '../../mutate/vocabulary.ts';
import { oneOf, strictInput } from '../operations/shared/input.ts';
import { subjectFields } from '../operations/shared/target-fields.ts';
import { defineMutation } from './mutation.ts';
import { ChangeAnswer } from './shared/answer-schema.ts';
import { renderChange } from './shared/render-change.ts';
import { requestFields } from './shared/request-fields.ts';

export default defineMutation({
  name: 'rename',
  says: 'Plan the rename of what is at a place or has a name, everywhere it is meant; with `apply`, commit it where nothing is left to ask',
  // At a place in a file that the compiler reads, nothing rests on the index (decision 0019).
  semantic: (input) => !isForCompiler(input),
  asksCompiler: isForCompiler,
  input: strictInput({
    ...subjectFields,
    new_name: z.string().min(1, 'name what it is to be called'),
    mode: oneOf(renameModes).default('semantic'),
    public_names: oneOf(publicNamePolicies).default('ask'),
    alias_policy: oneOf(aliasPolicies).default('through'),
    ...requestFields,
  }),
  output: ChangeAnswer,
  async run(world, input) {
    const { planRename } = await import('../../mutate/plan-change.ts');
    return planRename(world, input);
  },
  render: renderChange,
});

function isForCompiler({ target, mode }: { readonly target: string; readonly mode: string }): boolean {
  const [first] = parseTarget(target);
  const isPlace = first?.kind === 'position' && first.col !== null;
  return mode === 'semantic' && isPlace && /\.[cm]?[jt]sx?$/.test(first.path);
}
