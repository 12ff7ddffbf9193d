/** How Rust writes literals: raw strings count their hashes, a quote may begin a lifetime, comments nest. */

import { closedBy, quotedEnd } from '../shared/literals.ts';
import { normaliseSource, type TokenRules } from '../shared/normalise-source.ts';

export function normaliseRust(text: string): string {
  return normaliseSource(text, rules);
}

const rules: TokenRules = { literalEnd, nestedComments: true, directives: false };
const character = /'(?:\\[^\n]{1,9}?|[^'\\\n\uD800-\uDFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF])'/y;

function literalEnd(text: string, at: number): number {
  if (text[at] === "'") {
    character.lastIndex = at;
    return character.test(text) ? character.lastIndex : at + 1;
  }
  let before = at;
  while (text[before - 1] === '#') before -= 1;
  if (text[before - 1] === 'r' && !/\w/.test(text.slice(before - 2, before - 1).replace(/[bc]/, ''))) {
    return closedBy(text, at + 1, `"${'#'.repeat(at - before)}`);
  }
  return quotedEnd(text, at, true);
}
