/** How Java writes literals: strings with escapes, and text blocks over several lines. */

import { quotedEnd } from '../shared/literals.ts';
import { normaliseSource, type TokenRules } from '../shared/normalise-source.ts';

export function normaliseJava(text: string): string {
  return normaliseSource(text, rules);
}

const rules: TokenRules = { literalEnd, nestedComments: false, directives: false };

function literalEnd(text: string, at: number): number {
  return text.startsWith('"""', at) ? blockEnd(text, at + 3) : quotedEnd(text, at);
}

function blockEnd(text: string, from: number): number {
  const mark = /\\[\s\S]|"""/g;
  mark.lastIndex = from;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    if (match[0] === '"""') return mark.lastIndex;
  }
  return text.length;
}
