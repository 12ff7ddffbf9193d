/** The question could be understood and not be answered as asked. At most 20 candidates to ask instead. */

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
