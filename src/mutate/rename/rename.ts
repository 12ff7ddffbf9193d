/** Renaming a symbol everywhere it is meant, and nowhere else. */

import type { Question } from '../../index/navigate/question.ts';
import { findTargetFile, parseTarget } from '../../index/navigate/question-target.ts';
import { findOneSubject, lineAt } from '../../index/navigate/subject.ts';
import { isNotAnswered, type NotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { quotedPath, shown } from '../../kernel/base/text.ts';
import { listIdentifierRuns } from '../../languages/identifiers.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import { checkName } from '../../languages/naming.ts';
import { notFound, refusedAnswer } from '../plans/answers.ts';
import { defineRefactoring } from '../refactoring.ts';
import { findByCompiler } from './rename-by-compiler.ts';
import { RenameInput, type RenameTarget } from './rename-request.ts';

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

/**
 * Where it begins: a file and an offset, from a position or a name path. In TypeScript and JavaScript the compiler decides what stands
 * there; here only the text is looked at. A name of several things is a question back (mutation.md §2.1).
 */
async function findRenameTarget(
  question: Question,
  ask: { readonly target: string; readonly cwd?: string | undefined },
): Promise<RenameTarget | NotAnswered> {
  const [first] = parseTarget(ask.target);
  if (first?.kind === 'position' && first.col !== null) {
    const found = question.ask((session) => findTargetFile(session, question.view, { path: first.path, cwd: ask.cwd }));
    if (isNotAnswered(found)) return found;
    const { path, language } = found.file;
    if (language !== null && isJavaScript(language)) return findInText(question, path, language, first.line, first.col);
  }
  const one = await findOneSubject(question, ask);
  if (isNotAnswered(one)) return one;
  const { subject, facts } = one;
  const { path, language } = facts;
  return { kind: 'target', path, language, offset: subject.token.start, name: subject.token.text, subject };
}

function findInText(
  question: Question,
  path: string,
  language: string,
  lineNumber: number,
  col: number,
): RenameTarget | NotAnswered {
  const source = question.source(path);
  if (source === undefined) return notAnswered('not_found', `target: ${quotedPath(path)} cannot be read as text`);
  const line = lineAt(source.text, lineNumber);
  if (line === undefined) return notAnswered('invalid', `target: ${quotedPath(path)} has no line ${lineNumber}`);
  const offset = line.start + col - 1;
  const runs = listIdentifierRuns(source.text.slice(line.start, line.end), language);
  const at = offset - line.start;
  // Just behind a name still means it, unless the next one begins right there.
  const run =
    runs.find(({ start, end }) => at >= start && at < end) ??
    runs.find(
      ({ start, end }) =>
        at >= start - 1 &&
        at <= end &&
        (at === end || (line.start + start === offset + 1 && source.text[offset] === '#')),
    );
  if (col < 1 || offset > line.end || run === undefined) {
    const near = runs.map(({ name, start }) => `${path}:${lineNumber}:${start + 1} ${shown(name, 80)}`);
    return notAnswered('not_found', `target: no identifier at ${quotedPath(path)}:${lineNumber}:${col}`, near);
  }
  return { kind: 'target', path, language, offset: line.start + run.start, name: run.name, subject: null };
}
