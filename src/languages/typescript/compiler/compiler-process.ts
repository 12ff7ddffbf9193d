/** Many questions in few requests; a request that fails is halved until the question that makes it fail stands alone. */

import { readFileSync, statSync } from 'node:fs';

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

// The compiler opens whatever has the right name, and at a pipe it waits for somebody who writes to it. A reader that refuses what is no
// regular file makes such a name one that leads nowhere, and remembers it, so that it can be said.

export type PipeGuard = {
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

// Whether the kernel ended a process for want of memory. Who is ended so says nothing, and whoever talked to it only sees that it is gone;
// but the kernel counts, for all of the machine.

/** So far; undefined where the system does not tell (needs Linux). */
export function countMemoryKills(statistics = '/proc/vmstat'): number | undefined {
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync(statistics, 'latin1'))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}
