/**
 * The text of a hashed buffer, and every conversion between it and the positions an index speaks in (code-plane.md §1.5, §6.2).
 *
 * Three counts run side by side: UTF-16 indices of `text` (which has no BOM), bytes of the buffer (where a BOM is three), and columns in
 * the index's own units. Lines end at `\n`. R16: the same place is the same byte whatever the units. A column outside of its line or inside
 * of a character is no place at all: `indexAt` says -1 and the document is refused.
 *
 * Text in ASCII needs none of this, and most text is: lines are asked one by one, and a table is made only for those that need one.
 */

import { isAscii } from 'node:buffer';
import { isAsciiWord } from '../../kernel/base/text.ts';
import { findLine, lineStarts } from '../../kernel/tree/positions.ts';
import type { Family } from '../../languages/projects/context-spec.ts';

/** SCIP's numbers: 1 UTF-8, 2 UTF-16, 3 UTF-32 code units. */
export type PositionEncoding = 1 | 2 | 3;

export type SourceText = {
  readonly text: string;
  readonly hasBom: boolean;
  readonly lineCount: number;
  /** UTF-16 index of a column, -1 if there is no such place. `bomCounts`: the index counts the BOM as a character of the first line. */
  indexAt(line: number, column: number, encoding: PositionEncoding, bomCounts: boolean): number;
  lineOf(index: number): number;
  lineStart(line: number): number;
  /** Where the byte of an index lies in the buffer; the index must be on that line. */
  byteAt(line: number, index: number): number;
};

const bomBytes = 3;

export function createSourceText(bytes: Uint8Array): SourceText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasBom = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  const body = hasBom ? buffer.subarray(bomBytes) : buffer;
  const shift = hasBom ? bomBytes : 0;
  const ascii = isAscii(body);
  const text = ascii ? body.toString('latin1') : body.toString('utf8');
  const starts = lineStarts(text);
  const byteStarts = ascii ? starts : byteLineStarts(body, starts.length);
  const tables = new Map<number, LineTable>();

  const startOf = (line: number): number => starts[line] as number;
  /** Of the line's text without its `\n`. */
  const endOf = (line: number): number => (line + 1 < starts.length ? startOf(line + 1) - 1 : text.length);
  const isPlain = (line: number): boolean => {
    if (ascii) return true;
    const byteEnd = line + 1 < starts.length ? (byteStarts[line + 1] as number) - 1 : body.length;
    return byteEnd - (byteStarts[line] as number) === endOf(line) - startOf(line);
  };
  const tableOf = (line: number): LineTable => {
    let table = tables.get(line);
    if (table === undefined) {
      table = makeLineTable(text.slice(startOf(line), endOf(line)));
      tables.set(line, table);
    }
    return table;
  };

  return {
    text,
    hasBom,
    lineCount: starts.length,
    lineStart: startOf,
    indexAt(line, column, encoding, bomCounts) {
      if (line < 0 || line >= starts.length || column < 0) return -1;
      const units = encoding === 1 ? bomBytes : 1;
      const own = hasBom && bomCounts && line === 0 ? column - units : column;
      if (own < 0) return -1;
      const start = startOf(line);
      if (isPlain(line)) return own <= endOf(line) - start ? start + own : -1;
      const at = columnIndex(tableOf(line), own, encoding);
      return at < 0 ? -1 : start + at;
    },
    lineOf: (index) => findLine(starts, index),
    byteAt(line, index) {
      const within = index - startOf(line);
      const start = (byteStarts[line] as number) + shift;
      return isPlain(line) ? start + within : start + (tableOf(line).bytes[within] as number);
    },
  };
}

function byteLineStarts(body: Buffer, count: number): Int32Array {
  const starts = new Int32Array(count);
  for (let line = 1, at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) starts[line++] = at + 1;
  return starts;
}

/** By UTF-16 unit of one line: its byte (-1 in the middle of a pair), and by code point its unit. Both have an entry for the end. */
type LineTable = { readonly bytes: Int32Array; readonly points: Int32Array };

function makeLineTable(line: string): LineTable {
  const bytes = new Int32Array(line.length + 1);
  const points = new Int32Array(line.length + 1);
  let [byte, point] = [0, 0];
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at) as number;
    bytes[at] = byte;
    points[point++] = at;
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += 1;
    if (code > 0xffff) bytes[at++] = -1;
  }
  bytes[line.length] = byte;
  points[point] = line.length;
  return { bytes, points: points.subarray(0, point + 1) };
}

function columnIndex({ bytes, points }: LineTable, column: number, encoding: PositionEncoding): number {
  if (encoding === 3) return points[column] ?? -1;
  if (encoding === 2) return column < bytes.length && bytes[column] !== -1 ? column : -1;
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bytes[points[middle] as number] as number) < column) low = middle + 1;
    else high = middle;
  }
  const at = points[low] as number;
  return bytes[at] === column ? at : -1;
}

// ---- what lies at a range, as a lexer would see it without a grammar: whole words and whole literals

const wordPart = /[\p{ID_Continue}$\u200c\u200d]/u;
const wordStart = /[\p{ID_Start}$_#@]/u;

/** `$` is a letter where the language says so; elsewhere it may stand before a name in a string (`"$x"`). */
function isWordPart(text: string, at: number, family: Family): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return isAsciiWord(unit) || (unit === 36 && family === 'typescript');
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
