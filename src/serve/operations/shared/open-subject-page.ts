/** How an operation about one thing begins: the thing that is meant, its place, and the page of the answer that is asked for. */

import type { CodeView } from '../../../index/state/code-view.ts';
import { createQuestion, type Question } from '../../../index/state/navigate/question.ts';
import type { Subject } from '../../../index/state/navigate/subject.ts';
import { findOneSubject, type SubjectAsk } from '../../../index/state/target/find-subjects.ts';
import { isNotAnswered, type NotAnswered } from '../../../index/state/target/not-answered.ts';
import type { OperationWorld, Place } from '../operation.ts';
import { type PageAsk, startOfPage } from './page.ts';

export type SubjectPage = {
  readonly question: Question;
  readonly subject: Subject;
  readonly place: Place;
  readonly page: PageAsk;
  readonly start: number;
};

export async function openSubjectPage(
  operation: string,
  view: CodeView,
  input: SubjectAsk & { readonly limit?: number | undefined; readonly continue?: string | undefined },
  world: OperationWorld,
): Promise<SubjectPage | NotAnswered> {
  const question = createQuestion(view, world);
  const found = await findOneSubject(question, input);
  if (isNotAnswered(found)) return found;
  const { subject, facts } = found;
  const at = facts.toLineColumn(subject.token.start);
  const place = { path: facts.path, line: at.line + 1, col: at.column + 1 };
  const page = {
    generation: view.generation,
    question: [operation, place],
    limit: input.limit ?? 200,
    token: input.continue,
  };
  const start = startOfPage(page);
  return typeof start === 'number' ? { question, subject, place, page, start } : start;
}
