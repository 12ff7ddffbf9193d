/** What lies at a range, as a lexer would see it without a grammar: whole words and whole literals. */

import type { Family } from '../../../languages/context-spec.ts';

const wordPart = /[\p{ID_Continue}$\u200c\u200d]/u;
const wordStart = /[\p{ID_Start}$_#@]/u;

/** `$` is a letter where the language says so; elsewhere it may stand before a name in a string (`"$x"`). */
function isWordPart(text: string, at: number, family: Family): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) {
    return (
      (unit >= 97 && unit <= 122) ||
      (unit >= 65 && unit <= 90) ||
      (unit >= 48 && unit <= 57) ||
      unit === 95 ||
      (unit === 36 && family === 'typescript')
    );
  }
  // The second half of a pair: look at the whole.
  const start = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  const code = text.codePointAt(start);
  return code !== undefined && wordPart.test(String.fromCodePoint(code));
}

/** Neither end cuts a word in two. A range that is off by a few characters nearly always does. */
export function isBounded(text: string, start: number, end: number, family: Family): boolean {
  if (start > 0 && isWordPart(text, start, family) && isWordPart(text, start - 1, family)) return false;
  return end >= text.length || !isWordPart(text, end, family) || !isWordPart(text, end - 1, family);
}

/** Exactly one identifier and all of it. */
export function isWord(text: string, start: number, end: number, family: Family): boolean {
  if (end <= start || !isBounded(text, start, end, family)) return false;
  const first = text.codePointAt(start) as number;
  if (!wordStart.test(String.fromCodePoint(first))) return false;
  for (let at = start + (first > 0xffff ? 2 : 1); at < end; at += 1) if (!isWordPart(text, at, family)) return false;
  return true;
}

/** What a quoted literal holds, as it is written; `undefined` if the text is none or more than one. */
export function unquote(text: string): string | undefined {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"' && quote !== '`') || !text.endsWith(quote)) return undefined;
  const content = text.slice(1, -1);
  for (let at = content.indexOf(quote); at >= 0; at = content.indexOf(quote, at + 1)) {
    if (content[at - 1] !== '\\') return undefined;
  }
  return content;
}

/** The range lies between two equal quotes. */
export function isQuoted(text: string, start: number, end: number): boolean {
  const quote = text[start - 1];
  return (quote === "'" || quote === '"' || quote === '`') && text[end] === quote;
}

/** The word that ends before this place, over white space; `''` if there is none. */
export function wordBefore(text: string, at: number): string {
  let end = at;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && end - start < 32 && isWordPart(text, start - 1, 'typescript')) start -= 1;
  return text.slice(start, end);
}

function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 160;
}
