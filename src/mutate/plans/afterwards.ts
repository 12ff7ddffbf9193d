/**
 * What follows the commit point (K11 to K13) may fail or be stopped: the files are written all the same, and whoever asked has to hear that.
 * A failure becomes a note of the answer; what was left undone, the next start does.
 */

import { singleLine, truncate } from '../../kernel/base/text.ts';

/** Undefined where it failed. */
export async function afterwards<T>(notes: string[], says: string, act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    notes.push(noteOf(says, error));
    return undefined;
  }
}

export function noteOf(says: string, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `${says} (${truncate(singleLine(why), 200)})`;
}
