/** What is searched for: a literal, unless something else is said. */

import type { TextPattern } from '../../src/index/search/find-matches.ts';

export function textPattern(query: string, options: Partial<TextPattern> = {}): TextPattern {
  return { kind: 'literal', ignoreCase: false, wholeWord: false, ...options, query };
}
