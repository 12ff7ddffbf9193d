/**
 * Bytes → every match in them, as plain `rg` over the same file would list its submatches. Decided by ripgrep's rules, without
 * `--crlf`: a line ends at `\n` and a `\r` before it is part of the line; no match crosses a line end; `^` and `$` are the ends of a
 * line; matches do not overlap; whole words have no word character of Unicode beside them.
 *
 * Literals are found in the bytes where case counts and by an expression without repetition where it does not, so their time is
 * linear. Regular expressions are not run here but through `match-regex.ts`, in a thread that can be ended.
 */

import { isAscii } from 'node:buffer';

export type TextPattern = {
  readonly kind: 'literal' | 'regex';
  readonly query: string;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
};

/** 1-based line and UTF-16 columns, byte offsets of the match and of its line without the line feed. */
export type TextMatch = {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly lineStart: number;
  readonly lineEnd: number;
};

/** A pattern made ready: finds at most `max` matches, those from byte `from` on. */
export type FindMatches = (bytes: Uint8Array, options: { readonly max: number; readonly from: number }) => TextMatch[];

type CompiledPattern =
  | { readonly kind: 'ready'; readonly find: FindMatches }
  | { readonly kind: 'invalid'; readonly detail: string };

export function compilePattern(pattern: TextPattern): CompiledPattern {
  if (pattern.query === '') return { kind: 'invalid', detail: 'the query is empty' };
  if (pattern.kind === 'regex') {
    const regex = compileRegex(pattern);
    return regex.kind === 'invalid'
      ? regex
      : { kind: 'ready', find: (bytes, options) => findLines(bytes, regex.regex, options) };
  }
  if (pattern.query.includes('\n'))
    return { kind: 'invalid', detail: 'a literal cannot hold a line feed: matches do not cross lines' };
  // Valid UTF-8 has no halves of surrogate pairs.
  if (!pattern.query.isWellFormed()) return { kind: 'ready', find: () => [] };
  if (!pattern.ignoreCase) {
    const needle = Buffer.from(pattern.query);
    return { kind: 'ready', find: (bytes, options) => findBytes(bytes, needle, pattern.wholeWord, options) };
  }
  const quoted = pattern.query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const regex = new RegExp(pattern.wholeWord ? asWord(quoted, true) : quoted, 'giu');
  return { kind: 'ready', find: (bytes, options) => findText(bytes, regex, options) };
}

type CompiledRegex =
  | { readonly kind: 'ready'; readonly regex: RegExp; readonly unicode: boolean }
  | { readonly kind: 'invalid'; readonly detail: string };

/** In unicode mode, or without it where an expression is only valid then (`\-` and the like). `.` matches all of a line. */
export function compileRegex(pattern: Pick<TextPattern, 'query' | 'ignoreCase' | 'wholeWord'>): CompiledRegex {
  const { query } = pattern;
  const flags = pattern.ignoreCase ? 'gis' : 'gs';
  try {
    // By itself first: what is put around it for whole words must not make it valid.
    new RegExp(query, `${flags}u`);
    return {
      kind: 'ready',
      regex: new RegExp(pattern.wholeWord ? asWord(query, true) : query, `${flags}u`),
      unicode: true,
    };
  } catch (strict) {
    try {
      new RegExp(query, flags);
      return {
        kind: 'ready',
        regex: new RegExp(pattern.wholeWord ? asWord(query, false) : query, flags),
        unicode: false,
      };
    } catch {
      return { kind: 'invalid', detail: strict instanceof Error ? strict.message : 'not a regular expression' };
    }
  }
}

const wordClass = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]';
const wordChar = new RegExp(wordClass, 'u');

function asWord(source: string, unicode: boolean): string {
  const word = unicode ? wordClass : '\\w';
  return `(?<!${word})(?:${source})(?!${word})`;
}

type Range = { readonly max: number; readonly from: number };

function findBytes(bytes: Uint8Array, needle: Buffer, wholeWord: boolean, { max, from }: Range): TextMatch[] {
  const buffer = asBuffer(bytes);
  const matches: TextMatch[] = [];
  const place = createPlacer(buffer);
  let at = buffer.indexOf(needle, Math.max(from, bomLength(buffer)));
  while (at >= 0 && matches.length < max) {
    const end = at + needle.length;
    const isMatch = !wholeWord || (!isWordBefore(buffer, at) && !isWordAfter(buffer, end));
    if (isMatch) matches.push(place(at, end));
    at = buffer.indexOf(needle, isMatch ? end : at + 1);
  }
  return matches;
}

function findText(bytes: Uint8Array, regex: RegExp, { max, from }: Range): TextMatch[] {
  const buffer = asBuffer(bytes);
  const matches: TextMatch[] = [];
  const place = createPlacer(buffer);
  const { text, offsets } = decode(buffer);
  regex.lastIndex = 0;
  for (let match = regex.exec(text); match !== null && matches.length < max; match = regex.exec(text)) {
    const byteStart = offsets(match.index);
    const byteEnd = offsets(match.index + match[0].length);
    if (byteStart >= from) matches.push(place(byteStart, byteEnd));
  }
  return matches;
}

/** Each line by itself: what a class or an assertion could see beyond it is not there. */
function findLines(bytes: Uint8Array, regex: RegExp, { max, from }: Range): TextMatch[] {
  const buffer = asBuffer(bytes);
  const matches: TextMatch[] = [];
  const place = createPlacer(buffer);
  const { text, offsets } = decode(buffer);
  for (let lineStart = 0; lineStart < text.length && matches.length < max; ) {
    const feed = text.indexOf('\n', lineStart);
    const lineEnd = feed < 0 ? text.length : feed;
    for (const { start, end } of listInLine(text.slice(lineStart, lineEnd), regex)) {
      const byteStart = offsets(lineStart + start);
      const byteEnd = offsets(lineStart + end);
      if (byteStart >= from && matches.length < max) matches.push(place(byteStart, byteEnd));
    }
    lineStart = lineEnd + 1;
  }
  return matches;
}

type Spot = { readonly start: number; readonly end: number };
const nowhere: readonly Spot[] = [];

/** An empty match right behind the one before is not counted, as in ripgrep. */
function listInLine(line: string, regex: RegExp): readonly Spot[] {
  regex.lastIndex = 0;
  let match = regex.exec(line);
  if (match === null) return nowhere;
  const spots: Spot[] = [];
  for (let last = -1; match !== null; match = regex.exec(line)) {
    const start = match.index;
    const end = start + match[0].length;
    if (end > start || start !== last) spots.push({ start, end });
    last = end;
    if (end === start) regex.lastIndex = end + (regex.unicode && isPairAt(line, end) ? 2 : 1);
  }
  return spots;
}

function isPairAt(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

type Decoded = {
  /** Without a BOM. */
  readonly text: string;
  /** Bytes of UTF-16 positions that are asked for in order: every byte is counted once. */
  readonly offsets: (unit: number) => number;
};

function decode(buffer: Buffer): Decoded {
  if (isAscii(buffer)) return { text: buffer.toString('latin1'), offsets: (unit) => unit };
  const start = bomLength(buffer);
  let byte = start;
  let unit = 0;
  return {
    text: buffer.toString('utf8', start),
    offsets(wanted) {
      while (unit < wanted && byte < buffer.length) {
        const lead = buffer[byte] as number;
        unit += lead >= 0xf0 ? 2 : 1;
        byte += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      }
      return byte;
    },
  };
}

/** Lines and columns of matches that come in order; no byte is counted twice, however long a line is. */
function createPlacer(buffer: Buffer): (byteStart: number, byteEnd: number) => TextMatch {
  let line = 1;
  let lineStart = 0;
  let lineEnd = -1;
  let counted = bomLength(buffer);
  let units = 0;
  const columnOf = (byte: number) => {
    while (counted < byte) {
      const end = Math.min(byte, counted + COLUMN_BYTES);
      units += countUnits(buffer, counted, end);
      counted = end;
    }
    return units + 1;
  };
  const enterLine = (byte: number) => {
    const feeds = countLineFeeds(buffer, Math.max(lineEnd, 0), byte);
    if (feeds > 0) {
      line += feeds;
      lineStart = buffer.lastIndexOf(0x0a, byte - 1) + 1;
      counted = lineStart;
      units = 0;
    }
    const feed = buffer.indexOf(0x0a, byte);
    lineEnd = feed < 0 ? buffer.length : feed;
  };
  return (byteStart, byteEnd) => {
    if (byteStart > lineEnd) enterLine(byteStart);
    const column = columnOf(byteStart);
    return { line, column, endColumn: columnOf(byteEnd), byteStart, byteEnd, lineStart, lineEnd };
  };
}

/** A line of megabytes is looked at in pieces: nearly all of them are ASCII. */
const COLUMN_BYTES = 1024;

/** UTF-16 units of the characters that begin in `[from, to)`. */
function countUnits(buffer: Buffer, from: number, to: number): number {
  if (to - from === COLUMN_BYTES && isAscii(buffer.subarray(from, to))) return COLUMN_BYTES;
  let units = 0;
  for (let at = from; at < to; at += 1) {
    const value = buffer[at] as number;
    if ((value & 0xc0) !== 0x80) units += value >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** In `[from, to)`. Four bytes at a time: most files that are found have one hit, far behind their beginning. */
export function countLineFeeds(buffer: Buffer, from: number, to: number): number {
  const first = Math.min(to, from + (-(buffer.byteOffset + from) & 3));
  const length = (to - first) >> 2;
  const last = first + length * 4;
  let count = 0;
  for (let at = from; at < first; at += 1) if (buffer[at] === 0x0a) count += 1;
  if (length > 0) {
    const words = new Int32Array(buffer.buffer, buffer.byteOffset + first, length);
    for (let at = 0; at < length; at += 1) {
      // The highest bit of each byte that is a line feed, and no other.
      const other = (words[at] as number) ^ 0x0a0a0a0a;
      let feeds = ~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other | 0x7f7f7f7f);
      for (; feeds !== 0; feeds &= feeds - 1) count += 1;
    }
  }
  for (let at = last; at < to; at += 1) if (buffer[at] === 0x0a) count += 1;
  return count;
}

/** 1: a character of a word. */
const asciiWords = Uint8Array.from({ length: 128 }, (_, code) => (wordChar.test(String.fromCharCode(code)) ? 1 : 0));

function isWordBefore(buffer: Buffer, at: number): boolean {
  const byte = buffer[at - 1] ?? 0;
  if (byte < 0x80) return asciiWords[byte] === 1;
  let start = at - 1;
  while (start > 0 && at - start < 4 && ((buffer[start] as number) & 0xc0) === 0x80) start -= 1;
  return start >= 0 && wordChar.test(buffer.toString('utf8', start, at));
}

function isWordAfter(buffer: Buffer, at: number): boolean {
  const byte = buffer[at] ?? 0;
  if (byte < 0x80) return asciiWords[byte] === 1;
  let end = at + 1;
  while (end < buffer.length && ((buffer[end] as number) & 0xc0) === 0x80) end += 1;
  return wordChar.test(buffer.toString('utf8', at, end));
}

function bomLength(buffer: Buffer): number {
  return buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
}

/** Without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
