/** Many questions in few requests; a request that fails is halved until the question that makes it fail stands alone. */

export type Answered<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'failed'; readonly detail: string };

const usualSize = 2_000;

/** In the order of the questions. Throws when there is nobody left to ask. */
export function askInBatches<Q, A>(
  questions: readonly Q[],
  ask: (batch: readonly Q[]) => readonly A[],
  batchSize = usualSize,
): readonly Answered<A>[] {
  const answers: Answered<A>[] = new Array(questions.length);
  const pending: { readonly from: number; readonly to: number }[] = [];
  for (let from = 0; from < questions.length; from += batchSize)
    pending.push({ from, to: Math.min(from + batchSize, questions.length) });
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const { from, to } = range;
    try {
      const batch = ask(questions.slice(from, to));
      for (let at = from; at < to; at += 1) answers[at] = { kind: 'answered', value: batch[at - from] as A };
    } catch (error) {
      const detail = describeFailure(error);
      if (to - from === 1) answers[from] = { kind: 'failed', detail };
      else {
        const middle = (from + to) >> 1;
        pending.push({ from, to: middle }, { from: middle, to });
      }
    }
  }
  return answers;
}

/** A request that failed, in one line. That the compiler itself is gone is no answer to any question: it is thrown on. */
export function describeFailure(error: unknown): string {
  if (isCompilerGone(error)) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.slice(0, 300) ?? '';
}

/** Nobody is left who could be asked. */
export function isCompilerGone(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /Unexpected EOF while reading|SyncRpcChannel is closed|EPIPE|EBADF/.test(message);
}
