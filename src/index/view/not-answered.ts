/** The question could be understood and not be answered as asked. At most 20 candidates to ask instead. */

import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { CodeView } from './code-view.ts';

export type NotAnswered = {
  readonly outcome: 'not_found' | 'ambiguous' | 'invalid';
  readonly message: string;
  readonly candidates: readonly string[];
};

export function notAnswered(
  outcome: NotAnswered['outcome'],
  message: string,
  candidates: readonly string[] = [],
): NotAnswered {
  return { outcome, message, candidates: candidates.slice(0, 20) };
}

export function isNotAnswered(answer: object): answer is NotAnswered {
  return 'outcome' in answer && 'candidates' in answer && 'message' in answer;
}

/** What keeps a view from vouching for the disk as it is now; null where nothing does. */
export function whyUnverified(view: CodeView): string | null {
  const { scopeProblem } = view;
  if (scopeProblem !== null) {
    return `git could not list the files (${truncate(singleLine(scopeProblem), 200)}); untracked or ignored files may be missing`;
  }
  if (view.swept) return null;
  if (view.comparesNamed === true) return 'only the files that are named here were compared with the disk';
  // A reader has compared every file; what it cannot know is what the writer has not finished.
  return view.writer === null
    ? 'the files were not compared with the disk'
    : `the index is being updated by process ${view.writer.pid}; ask again`;
}
