/** Moving a file, with every import of it and every relative path in it. */

import { findFamily, isJavaScript } from '../../index/state/navigate/language-family.ts';
import { findTargetFile } from '../../index/state/target/find-target-file.ts';
import { isNotAnswered } from '../../index/state/target/not-answered.ts';
import { hasSyntax } from '../../index/syntax/has-syntax.ts';
import { findByImports } from '../move/find-by-imports.ts';
import { findDestination } from '../move/find-destination.ts';
import { listTwins } from '../move/list-twins.ts';
import { MoveInput } from '../move/request.ts';
import { notFound } from '../outcomes.ts';
import { refusedAnswer, unsupportedAnswer } from '../plans/answers.ts';
import { defineRefactoring } from '../refactoring.ts';

export default defineRefactoring({
  kind: 'move_file',
  says: 'move a file and write every path that leads to it, or from it, anew',
  input: MoveInput,
  languages: ['typescript', 'javascript'],
  async find(world, input) {
    const { question } = world;
    const found = question.ask((session) =>
      findTargetFile(session, question.view, { path: input.file, cwd: input.cwd }),
    );
    if (isNotAnswered(found)) return { kind: 'answer', answer: notFound(found) };
    const { path: from, language } = found.file;
    if (found.alias !== null)
      return refused('not_renamable', `${found.alias} is a link to ${from}; move one of them by hand`);
    if (found.file.vendored) return refused('vendored', `${from} is vendored code, which is not edited`);
    if (question.source(from) === undefined) return refused('encoding', `${from} is not text that can be read`);
    const isKnown = language === null || isJavaScript(language) || !hasSyntax(language);
    if (!isKnown || findFamily('typescript')?.holders?.test(from) === true) {
      const detail = `moving a file of ${language ?? 'this kind'} is not supported: nobody says what names it`;
      return { kind: 'answer', answer: unsupportedAnswer('language', detail, { can_force_syntactic: false }) };
    }
    const destination = findDestination(world, from, input);
    if (destination.kind === 'refused') return refused(destination.reason, destination.detail);
    const { path: to } = destination;
    const twins = listTwins(question, from, to);
    if (twins.kind === 'refused') return refused('collision', twins.detail);
    return findByImports(world, twins.moves, { from, to, notes: [...destination.notes, ...twins.notes] });
  },
});

function refused(...[reason, detail]: Parameters<typeof refusedAnswer>) {
  return { kind: 'answer' as const, answer: refusedAnswer(reason, detail) };
}
