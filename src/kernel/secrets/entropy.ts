/**
 * Finds tokens that look random, after every named pattern has had its turn (gather.md §7.3 note 2).
 * A candidate is a run of at least 32 characters of base64 or base64url; what surrounds it, up to white space, quotes and
 * `=,;()[]{}<>`, tells whether it is part of a path, a URL or a symbol and therefore not looked at.
 */

import type { Span } from './assignment.ts';
import { isPublicValue, publicBlock } from './public-values.ts';

const MIN_CHARS = 32;
const MIN_BITS_PER_CHAR = 4.5;
const MIN_NAME_CHARS = 16;

const candidateChars = charTable('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-');
const delimiters = charTable(' \t\n\r\v\f\u00a0\u2028\u2029"\'`=,;()[]{}<>');

/** The surroundings of a run; computed once for all runs that share them. */
type Token = Span & { readonly isUrl: boolean };

export function findRandomTokens(text: string): Span[] {
  const spans: Span[] = [];
  const blocks = text.includes('-----BEGIN ') ? [...text.matchAll(publicBlock)] : [];
  let token: Token = { start: 0, end: 0, isUrl: false };
  // Every run of 32 covers one of the probed places, so most of the text is never looked at.
  let probe = MIN_CHARS - 1;
  while (probe < text.length) {
    if (candidateChars[text.charCodeAt(probe)] === 0) {
      probe += MIN_CHARS;
      continue;
    }
    const floor = probe - MIN_CHARS + 1;
    let start = probe;
    while (start > floor && candidateChars[text.charCodeAt(start - 1)] === 1) start -= 1;
    if (start > floor) {
      probe = start + MIN_CHARS - 1;
      continue;
    }
    while (start > 0 && candidateChars[text.charCodeAt(start - 1)] === 1) start -= 1;
    let end = probe + 1;
    while (end < text.length && candidateChars[text.charCodeAt(end)] === 1) end += 1;
    probe = end + MIN_CHARS;
    // The letter of an escape such as `\n` belongs to the backslash.
    if (text.charAt(start - 1) === '\\') start += 1;
    const value = text.slice(start, end);
    if (!isRandom(value)) continue;
    while (blocks[0] !== undefined && blocks[0].index + blocks[0][0].length <= start) blocks.shift();
    if (blocks[0] !== undefined && blocks[0].index <= start) continue;
    if (token.end < end) token = tokenAround(text, start, end);
    if (!token.isUrl) collect(text, { start, end }, value, token, spans);
  }
  return spans;
}

/** Names joined by slashes look random together: a path is judged by its segments, anything else as a whole. */
function collect(text: string, run: Span, value: string, token: Token, into: Span[]): void {
  if (isPublicValue(text, run.start, value)) return;
  const segments: Span[] = [];
  let names = '';
  let start = run.start;
  for (const segment of value.split('/')) {
    if (isRandom(segment) && !isWords(segment) && !isPublicValue(text, start, segment)) {
      segments.push({ start, end: start + segment.length });
    } else names += `${segment}/`;
    start += segment.length + 1;
  }
  // A short remainder of base64 may pass for words by chance.
  const named = (names.length >= MIN_NAME_CHARS && isWords(names)) || (value.includes('/') && isPath(text, run, token));
  if (named) for (const segment of segments) into.push(segment);
  else into.push(run);
}

const UPPER = 1;
const LOWER = 2;
const DIGIT = 4;
const SIGN = 8;
const NOT_HEX = 16;
/** The kinds of the characters that a candidate is made of. */
const kindOf = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') kindOf[char.charCodeAt(0)] = UPPER | (char > 'F' ? NOT_HEX : 0);
for (const char of 'abcdefghijklmnopqrstuvwxyz') kindOf[char.charCodeAt(0)] = LOWER | (char > 'f' ? NOT_HEX : 0);
for (const char of '0123456789') kindOf[char.charCodeAt(0)] = DIGIT;
for (const char of '+/_-') kindOf[char.charCodeAt(0)] = SIGN | (char === '-' ? 0 : NOT_HEX);

const counts = new Int32Array(128);
const inOrder = new Uint8Array(128);

/** `value` is made of candidate characters. */
function isRandom(value: string): boolean {
  if (value.length < MIN_CHARS) return false;
  let kinds = 0;
  let different = 0;
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    kinds |= kindOf[code] as number;
    if (counts[code] === 0) {
      inOrder[different] = code;
      different += 1;
    }
    counts[code] = (counts[code] as number) + 1;
  }
  const few = (kinds & UPPER) + ((kinds & LOWER) >> 1) + ((kinds & DIGIT) >> 2) + ((kinds & SIGN) >> 3) < 3;
  let bits = 0;
  for (let at = 0; at < different; at += 1) {
    const code = inOrder[at] as number;
    const share = (counts[code] as number) / value.length;
    if (!few) bits -= share * Math.log2(share);
    counts[code] = 0;
  }
  return !few && (kinds & NOT_HEX) !== 0 && bits >= MIN_BITS_PER_CHAR;
}

/** Credentials would stand before an `@`; a URL that has none is an address. */
function isUrl(token: string): boolean {
  return /[A-Za-z][A-Za-z0-9+.-]{0,32}:\/\//.test(token.slice(0, 128)) && !token.includes('@');
}

/** Begins like a path or ends like a file; base64 has no dots. */
function isPath(text: string, run: Span, token: Token): boolean {
  const lead = text.slice(token.start, run.end);
  if (/^(?:~|\.{1,2}|@[a-z0-9][a-z0-9._-]{0,64})?\/(?:[A-Za-z.@_][a-z0-9._@+-]{0,64}\/)/.test(lead)) return true;
  return /^(?:\.[A-Za-z0-9_-]{1,32}){1,8}(?::[0-9]{1,9}){0,2}$/.test(
    text.slice(run.end, Math.min(token.end, run.end + 256)),
  );
}

/**
 * Identifiers, package names and paths are made of words: most characters stand in runs of letters of one case, and letters
 * and digits seldom alternate. Of random tokens of 32 characters about one in a thousand passes.
 */
function isWords(value: string): boolean {
  let wordChars = 0;
  for (const word of value.matchAll(/[A-Z]?[a-z]{3,}|[A-Z]{4,}/g)) wordChars += word[0].length;
  const nameChars = value.replace(/[+/_-]/g, '').length;
  let changes = 0;
  for (const _ of value.matchAll(/[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])/g)) changes += 1;
  return wordChars >= nameChars * 0.7 && changes <= value.length / 10;
}

function tokenAround(text: string, runStart: number, runEnd: number): Token {
  let start = runStart;
  while (start > 0 && delimiters[text.charCodeAt(start - 1)] === 0) start -= 1;
  let end = runEnd;
  while (end < text.length && delimiters[text.charCodeAt(end)] === 0) end += 1;
  return { start, end, isUrl: isUrl(text.slice(start, end)) };
}

function charTable(chars: string): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}
