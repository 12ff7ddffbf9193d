/**
 * The compiler beside us, where it can fail: many questions go in few requests, and one that fails is halved until the question
 * that makes it fail stands alone; a compiler that is gone, or was killed for want of memory, is told from one that answers badly;
 * and it is kept from waiting at pipes.
 */

import { readFileSync, statSync } from 'node:fs';

type Answered<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'failed'; readonly detail: string };

const usualSize = 2_000;

/** Answers in the order of the questions. Throws when the compiler is gone. */
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

/** The compiler itself ended: no further question can be answered. */
export function isCompilerGone(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /Unexpected EOF while reading|SyncRpcChannel is closed|EPIPE|EBADF/.test(message);
}

/**
 * The compiler opens whatever has the right name, and would wait at a pipe until something is written. A reader that refuses what
 * is no regular file makes such a name lead nowhere, and remembers it for the report.
 */
type PipeGuard = {
  /** For the compiler: null is "not there", undefined "read it yourself". */
  readFile(path: string): null | undefined;
  /** What was refused so far, absolute, sorted. */
  list(): readonly string[];
};

export function createPipeGuard(): PipeGuard {
  const refused = new Set<string>();
  return {
    readFile(path) {
      if (!isPipe(path)) return undefined;
      refused.add(path);
      return null;
    },
    list: () => [...refused].sort(),
  };
}

/** Something is there, after all links, that is no regular file and no directory: a pipe, a socket, a device. */
export function isPipe(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
}

/**
 * How many processes of the machine the kernel has ended for want of memory so far: a process that ends so says nothing, and its
 * partner only sees that it is gone. Undefined where the system does not tell (needs Linux).
 */
export function countMemoryKills(statistics = '/proc/vmstat'): number | undefined {
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync(statistics, 'latin1'))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}
