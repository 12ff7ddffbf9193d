/**
 * Go source as its tokens: no comments, no white space but what keeps words and operators apart. Line ends are where Go puts them
 * into its grammar, as `;`, because `struct { A; B }` and `struct { A B }` differ in nothing else.
 */

import type { TextSpan } from '../../facts.ts';

const operators = String.raw`<<=|>>=|&\^=|\.\.\.|&&|\|\||<-|\+\+|--|==|!=|<=|>=|:=|[-+*/%&|^]=|<<|>>|&\^|[-+*/%&|^<>=!:.~]`;
const literals = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60[^\x60]*\x60`;
const comments = String.raw`//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/`;
/** Groups: a comment, white space, a word, a literal, an operator. */
const token = new RegExp(String.raw`(${comments})|(\s+)|([\p{L}\p{N}_]+)|(${literals})|(${operators})|[\s\S]`, 'gu');

export function normaliseGo(text: string, { start, end }: TextSpan): string {
  let out = '';
  let last: 'word' | 'operator' | 'other' = 'other';
  let endsLine = false;
  let semicolon = false;
  for (const [found, comment, space, word, literal, operator] of text.slice(start, end).matchAll(token)) {
    if (comment !== undefined || space !== undefined) {
      semicolon ||= endsLine && found.includes('\n');
      continue;
    }
    if (semicolon && found !== '}' && found !== ')' && found !== ';') {
      out += ';';
      last = 'other';
    }
    semicolon = false;
    const kind = word !== undefined ? 'word' : operator !== undefined ? 'operator' : 'other';
    out += kind !== 'other' && kind === last ? ` ${found}` : found;
    last = kind;
    endsLine = word !== undefined || literal !== undefined || /^(?:[)\]}]|\+\+|--)$/.test(found);
  }
  return out;
}
