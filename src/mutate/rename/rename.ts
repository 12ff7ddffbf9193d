/** Renaming a symbol everywhere it is meant, and nowhere else. */

import { isNotAnswered } from '../../index/view/not-answered.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import { checkName } from '../../languages/naming.ts';
import { notFound, refusedAnswer } from '../plans/answers.ts';
import { defineRefactoring } from '../refactoring.ts';
import { findByCompiler } from './rename-by-compiler.ts';
import { RenameInput } from './rename-request.ts';
import { findRenameTarget } from './rename-target.ts';

export default defineRefactoring({
  kind: 'rename',
  name: 'rename',
  says: 'rename a symbol and everything that means it',
  input: RenameInput,
  languages: ['typescript', 'javascript', 'python', 'go'],
  async find(world, input) {
    const target = await findRenameTarget(world.question, input);
    if (isNotAnswered(target)) return { kind: 'answer', answer: notFound(target) };
    // Members may have reserved words for names; what it really is, is known later and asked again.
    const about = { kind: 'property', isPrivateName: input.new_name.startsWith('#'), isJsxComponent: false };
    const problem = checkName(target.language, target.name, input.new_name, about);
    if (problem !== undefined) return { kind: 'answer', answer: refusedAnswer(problem.reason, problem.detail) };
    if (input.mode === 'force_syntactic') {
      const { findForced } = await import('./by-index/forced-rename.ts');
      return findForced(world, target, input);
    }
    if (isJavaScript(target.language)) return findByCompiler(world, target, input);
    const { findByIndex } = await import('./by-index/rename-by-index.ts');
    return findByIndex(world, target, input);
  },
});
