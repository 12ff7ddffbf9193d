/** How C# writes literals: escaped, verbatim (`@"…""…"`) and raw (`"""…"""`) strings, each also with `$`. */

import { closedBy, quotedEnd, runLength } from '../shared/literals.ts';
import { normaliseSource, type TokenRules } from '../shared/normalise-source.ts';

export function normaliseCSharp(text: string): string {
  return normaliseSource(text, rules);
}

const rules: TokenRules = { literalEnd, nestedComments: false, directives: true };

function literalEnd(text: string, at: number): number {
  if (text[at] === "'") return quotedEnd(text, at);
  const before = text.slice(Math.max(0, at - 2), at);
  if (before.endsWith('@') || before === '@$') return verbatimEnd(text, at + 1);
  const quotes = runLength(text, at, '"');
  if (quotes >= 3) return closedBy(text, at + quotes, '"'.repeat(quotes));
  return quotedEnd(text, at);
}

function verbatimEnd(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? text.length : end + 1;
}
