/** `x[key]` with a key that is not a plain number: a member reached by a name that is not written as one. */

import { isIdentifierCode, isSpaceCode, skipTrivia, stringValue } from './lex.ts';
import { climb, endHere, here, type Locator, locateLeaf } from './locator.ts';
import { code } from './node-codes.ts';
import type { Reader } from './reader.ts';

const numberKey = /^[-+~!]?\s*(?:0[xob][\da-f_]+|[\d_]*\.?[\d_]+(?:e[+-]?\d+)?|\d[\d_]*\.)n?$/i;

/** `[` at `place`. */
export function findSubscript(reader: Reader, locator: Locator, place: number): void {
  const { text } = reader;
  if (!couldSubscript(text, place)) return;
  if (locateLeaf(locator, place) !== code.bracket || climb(locator) !== code.subscript) return;
  const end = endHere(locator);
  const key = keyOf(text, place, end, locator);
  if (numberKey.test(key) || isInTypeQuery(text, locator)) return;
  reader.sites.push({ start: place, end, kind: 'computed_member', name: literalKey(key) });
}

/** The text between the brackets without what surrounds the key; the tree is asked if a comment seems to follow it. */
function keyOf(text: string, open: number, end: number, locator: Locator): string {
  const inside = text.slice(skipTrivia(text, open + 1, end - 1), end - 1);
  const key = inside.trimEnd();
  if (!key.endsWith('*/') && !inside.includes('\n', key.length)) return key;
  const index = here(locator).childForFieldName('index');
  return index === null ? key : text.slice(index.startIndex, index.endIndex);
}

/** A chain of members longer than this after `typeof` is taken for an expression. */
const longestQuery = 32;

/** `typeof x['y']` as a type names a member like any indexed type does; nothing is reached for. */
function isInTypeQuery(text: string, locator: Locator): boolean {
  let before = here(locator).startIndex - 1;
  while (isSpaceCode(text.charCodeAt(before))) before -= 1;
  if (!text.endsWith('typeof', before + 1)) return false;
  let kind: number = code.subscript;
  for (let step = 0; step < longestQuery && (kind === code.subscript || kind === code.member); step += 1) {
    kind = climb(locator);
  }
  return kind === code.type;
}

/** What a string or a template without substitutions says; `null` for any other expression. */
export function literalKey(source: string): string | null {
  if (/^(?:'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")$/.test(source)) return stringValue(source);
  return /^`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*`$/.test(source) ? stringValue(source) : null;
}

const wordsBeforeArray = new Set('return const var in case typeof default else new'.split(' '));

/** Most brackets begin an array or end a type (`T[]`), as what stands before or behind them tells. */
function couldSubscript(text: string, place: number): boolean {
  const next = text.charCodeAt(place + 1);
  if (next === 93) return false;
  if (next >= 48 && next <= 57 && text.charCodeAt(place + 2) === 93) return false;
  let at = place - 1;
  let newLine = false;
  while (at >= 0 && isSpaceCode(text.charCodeAt(at))) {
    newLine ||= text.charCodeAt(at) === 10;
    at -= 1;
  }
  const before = text.charCodeAt(at);
  // A line comment hides what really stands before.
  if (newLine && text.slice(text.lastIndexOf('\n', at) + 1, at + 1).includes('//')) return true;
  if (isIdentifierCode(before)) {
    let start = at;
    while (start > 0 && at - start < 8 && isIdentifierCode(text.charCodeAt(start - 1))) start -= 1;
    return !wordsBeforeArray.has(text.slice(start, at + 1));
  }
  // ) ] . ! " ' ` } > /
  return (
    before === 41 ||
    before === 93 ||
    before === 46 ||
    before === 33 ||
    before === 34 ||
    before === 39 ||
    before === 96 ||
    before === 125 ||
    before === 62 ||
    before === 47
  );
}
