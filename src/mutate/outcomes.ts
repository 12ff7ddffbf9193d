/** Answers made of what navigation and the compiler say: nothing there, several things, a refusal with its places, names that clash. */

import type { Question } from '../index/state/navigate/question.ts';
import type { NotAnswered } from '../index/state/target/not-answered.ts';
import type { Answer, WitnessFact } from './answer.ts';
import type { Clash, CodeSpan, Refusal } from './compiler/types.ts';
import { chooseTargetAnswer, refusedAnswer } from './plans/answers.ts';
import type { Loc } from './types.ts';

const shownCandidates = 20;

/** What was asked about is not there, or is several things (§2.1). */
export function notFound({ outcome, message, candidates }: NotAnswered): Answer {
  if (outcome !== 'ambiguous') return refusedAnswer('no_symbol', message, { alternatives: candidates });
  return chooseTargetAnswer({
    name: 'target',
    rule: message.replace(/^target: /, ''),
    item: 'target',
    members: candidates
      .slice(0, shownCandidates)
      .map((means) => ({ id: means.split(' ')[0] ?? means, means, evidence: [], risk: 'low', reasons: [] })),
    truncated: candidates.length > shownCandidates,
  });
}

export function refusedBy({ reason, detail, evidence }: Refusal, question: Question): Answer {
  return refusedAnswer(reason, shortenPaths(detail), {
    // What lies outside has no place that could be shown; the detail names it.
    evidence: evidence
      .filter(({ path }) => !path.startsWith('/'))
      .map(({ says, ...span }) => ({
        type: 'definition',
        at: placeOf(question, span),
        text: shortenPaths(says),
        provenance: 'resolved',
      })),
  });
}

/** The most specific comes first and gives the reason; all of them are evidence. */
export function refusedByClashes(clashes: readonly Clash[], question: Question): Answer | undefined {
  const [first] = clashes;
  if (first === undefined) return undefined;
  const evidence = clashes.flatMap((clash): WitnessFact[] => [
    { type: 'token', at: placeOf(question, clash), text: shortenPaths(clash.detail), provenance: 'resolved' },
    ...(clash.other === null || clash.other.path.startsWith('/')
      ? []
      : [
          {
            type: 'definition' as const,
            at: placeOf(question, clash.other),
            text: lineOf(question, clash.other),
            provenance: 'resolved' as const,
          },
        ]),
  ]);
  return refusedAnswer(first.reason, shortenPaths(first.detail), { evidence });
}

/** Where this program is installed is nobody's business: from the package's name on, or the name of the library file. */
export function shortenPaths(text: string): string {
  return text
    .replace(/\/[^\s`'"]*\/node_modules\/@typescript\/[^/\s]+\/lib\/(lib\.[\w.]+)/g, '$1')
    .replace(/\/[^\s`'"]*\/node_modules\//g, 'node_modules/');
}

export function placeOf(question: Question, { path, start }: Pick<CodeSpan, 'path' | 'start'>): Loc {
  const text = path.startsWith('/') ? '' : (question.source(path)?.text ?? '');
  const before = text.slice(0, start);
  return { file: path, line: before.split('\n').length, col: before.length - before.lastIndexOf('\n') };
}

export function lineOf(question: Question, { path, start }: Pick<CodeSpan, 'path' | 'start'>): string {
  const text = path.startsWith('/') ? '' : (question.source(path)?.text ?? '');
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const end = text.indexOf('\n', start);
  return text
    .slice(from, end < 0 ? undefined : end)
    .trim()
    .slice(0, 200);
}
