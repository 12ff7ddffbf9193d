/** How C and C++ write literals: raw strings name their own delimiter, and a quote between digits only separates them. */

import { closedBy, quotedEnd } from '../shared/literals.ts';
import { normaliseSource, type TokenRules } from '../shared/normalise-source.ts';

export function normaliseC(text: string): string {
  return normaliseSource(text, rules);
}

const rules: TokenRules = { literalEnd, nestedComments: false, directives: true };

function literalEnd(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 4), at);
  if (text[at] === "'")
    return /[\da-fA-F]$/.test(before) && !/(?:^|\W)u8?$/.test(before) ? at + 1 : quotedEnd(text, at);
  if (!/(?:^|\W)(?:u8|[uUL])?R$/.test(before)) return quotedEnd(text, at);
  const delimiter = /^"([^()\\\s]{0,16})\(/.exec(text.slice(at, at + 20))?.[1];
  return delimiter === undefined ? quotedEnd(text, at) : closedBy(text, at, `)${delimiter}"`);
}
