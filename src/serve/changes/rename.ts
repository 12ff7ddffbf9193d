/** A rename as a plan, or applied at once where nothing is left to ask. */

import { parseTarget } from '../../index/navigate/question-target.ts';
import { strictInput } from '../../kernel/base/schema.ts';
import { RenameInput } from '../../mutate/rename/rename-request.ts';
import { requestFields } from '../operations/input.ts';
import { defineChange } from './change.ts';
import { ChangeAnswer } from './change-answer.ts';
import { renderChange } from './render-change.ts';

export default defineChange({
  name: 'rename',
  says: 'Plan the rename of what is at a place or has a name, everywhere it is meant; with `apply`, commit it where nothing is left to ask',
  // At a place in a file that the compiler reads, nothing rests on the index (decision 0019).
  semantic: (input) => !isForCompiler(input),
  asksCompiler: isForCompiler,
  input: strictInput({ ...RenameInput.shape, ...requestFields }),
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
