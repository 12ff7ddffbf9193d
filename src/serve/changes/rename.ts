/** A rename as a plan, or applied at once where nothing is left to ask. */

import { parseTarget } from '../../index/navigate/parse-target.ts';
import { z } from '../../kernel/base/schema.ts';
import { aliasPolicies, publicNamePolicies, renameModes } from '../../mutate/vocabulary.ts';
import { oneOf, requestFields, strictInput, subjectFields } from '../operations/input.ts';
import { defineChange } from './change.ts';
import { ChangeAnswer } from './change-answer.ts';
import { renderChange } from './render-change.ts';

export default defineChange({
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
    const { planChange } = await import('../../mutate/plan-change.ts');
    return planChange(world, 'rename', input);
  },
  render: renderChange,
});

function isForCompiler({ target, mode }: { readonly target: string; readonly mode: string }): boolean {
  const [first] = parseTarget(target);
  const isPlace = first?.kind === 'position' && first.col !== null;
  return mode === 'semantic' && isPlace && /\.[cm]?[jt]sx?$/.test(first.path);
}
