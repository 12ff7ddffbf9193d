/**
 * One question to the compiler that may make it fail (mutation.md §3.1: some type queries do). The failure becomes the given answer, as
 * weak as the caller needs it; that the compiler is gone, or a mistake of our own, is thrown on.
 */

import { describeFailure } from '../../../kernel/compiler/ask-in-batches.ts';

export function attempt<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
    describeFailure(error);
    return otherwise;
  }
}
