/**
 * What operations about one thing share: how they begin (the thing that is meant, its place, the page that is asked for), and how they
 * show places in code.
 */

import { createQuestion, type Question } from '../../index/navigate/question.ts';
import { findOneSubject, type Subject, type SubjectAsk } from '../../index/navigate/subject.ts';
import { createLineTexts, noSecretsKnown } from '../../index/search/line-texts.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { isNotAnswered, type NotAnswered } from '../../index/view/not-answered.ts';
import { z } from '../../kernel/base/schema.ts';
import { createTextOffsets } from '../../kernel/tree/positions.ts';
import type { OperationWorld, Place } from './operation.ts';
import { type PageAsk, startOfPage } from './page.ts';

type SubjectPage = {
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

/** A place as answers show it: 1-based, with the line's text as search shows it, secrets and control characters gone. */
export const Span = z.object({
  line: z.number().int(),
  col: z.number().int(),
  /** The column after the last character. */
  end_col: z.number().int(),
  /** The line, cut around the place, without control characters and with secrets replaced. */
  text: z.string(),
});
export type Span = z.infer<typeof Span>;

type Placed = { readonly path: string; readonly start: number; readonly end: number };

/** In the given order; files are read once. */
export function describePlaces(question: Pick<Question, 'source'>, places: readonly Placed[]): readonly Span[] {
  const byFile = new Map<string, number[]>();
  for (const [at, { path }] of places.entries()) {
    const group = byFile.get(path);
    if (group === undefined) byFile.set(path, [at]);
    else group.push(at);
  }
  const spans: Span[] = new Array(places.length);
  for (const [path, group] of byFile) {
    const source = question.source(path);
    if (source === undefined) continue;
    // The texts of lines are asked for in order.
    group.sort((a, b) => (places[a]?.start ?? 0) - (places[b]?.start ?? 0));
    const offsets = createTextOffsets(source.text, source);
    const textOf = createLineTexts(source.bytes, noSecretsKnown());
    for (const at of group) {
      const { start = 0, end = 0 } = places[at] ?? {};
      const { line, column } = offsets.toLineColumn(start);
      const feed = source.text.indexOf('\n', start);
      const lineEnd = feed < 0 ? source.text.length : feed;
      // A place of several lines is shown where it begins.
      const shownEnd = Math.min(end, lineEnd);
      const place = { line: line + 1, column: column + 1, endColumn: column + 1 + shownEnd - start };
      const text = textOf({
        ...place,
        byteStart: offsets.toByte(start),
        byteEnd: offsets.toByte(shownEnd),
        lineStart: offsets.toByte(start - column),
        lineEnd: offsets.toByte(lineEnd),
      });
      spans[at] = { line: place.line, col: place.column, end_col: place.endColumn, text };
    }
  }
  return places.map((_, at) => spans[at] ?? { line: 1, col: 1, end_col: 1, text: '' });
}

/** Keeps the order: neighbours of one file become one group. */
export function groupByPath<T extends { readonly path: string }>(
  items: readonly T[],
): { path: string; hits: Omit<T, 'path'>[] }[] {
  const groups: { path: string; hits: Omit<T, 'path'>[] }[] = [];
  for (const { path, ...hit } of items) {
    const last = groups.at(-1);
    if (last?.path === path) last.hits.push(hit);
    else groups.push({ path, hits: [hit] });
  }
  return groups;
}
