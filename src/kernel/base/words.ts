/** The few words every message is made of. */

import { singleLine, truncate } from './text.ts';

export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** Text from the repository on one line: hostile until it passes here. */
export function shown(text: string, limit = 500): string {
  return truncate(singleLine(text), limit);
}
