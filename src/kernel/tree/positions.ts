/**
 * Byte offsets, lines and columns of one text, always from the buffer that was hashed (code-plane.md §1.5).
 * A line ends at `\n` (a `\r` before it belongs to the end). A BOM counts in byte offsets and not in column 1.
 * Lines and UTF-16 columns are 0-based here; the API adds one. The one other converter is `index/semantic/source-text.ts`, for the three
 * encodings of SCIP.
 */

import { assert } from '../base/assert.ts';

declare const byteOffset: unique symbol;
export type ByteOffset = number & { readonly [byteOffset]: true };
type LineColumn = { readonly line: number; readonly column: number };

interface Positions {
  readonly lineCount: number;
  toLineColumn(offset: ByteOffset): LineColumn;
  toByteOffset(position: LineColumn): ByteOffset;
}

export interface TextOffsets {
  toByte(index: number): number;
  toLineColumn(index: number): LineColumn;
}

/** From bytes, for a few questions. They must be valid UTF-8; offsets must lie on character borders. */
export function createPositions(bytes: Uint8Array): Positions {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = [buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0];
  for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, at + 1)) starts.push(at + 1);
  const startOf = (line: number) => starts[line] as number;
  return {
    lineCount: starts.length,
    toLineColumn(offset) {
      assert(offset >= 0 && offset <= buffer.length, `offset ${offset} outside a text of ${buffer.length} bytes`);
      const line = findLine(starts, offset);
      return { line, column: buffer.toString('utf8', Math.min(startOf(line), offset), offset).length };
    },
    toByteOffset({ line, column }) {
      assert(line >= 0 && line < starts.length, `line ${line} outside a text of ${starts.length} lines`);
      const end = line + 1 < starts.length ? startOf(line + 1) : buffer.length;
      const text = buffer.toString('utf8', startOf(line), end);
      assert(column >= 0 && column <= text.length, `column ${column} outside line ${line} of ${text.length} units`);
      return (startOf(line) + Buffer.byteLength(text.slice(0, column))) as ByteOffset;
    },
  };
}

/**
 * From UTF-16 indices of a decoded text, for many questions (invariant F13): for ASCII a byte is a unit, otherwise one table is filled in
 * one pass. `text` is without the BOM; with `bom` its bytes begin three later.
 */
export function createTextOffsets(
  text: string,
  facts: { readonly isAscii: boolean; readonly bom: boolean },
): TextOffsets {
  const starts = lineStarts(text);
  const shift = facts.bom ? 3 : 0;
  const table = facts.isAscii ? undefined : byteTable(text, shift);
  let near = 0;
  const lineOf = (index: number): number => {
    // Questions come nearly in order: the line of the last answer, or the next, is usually the one.
    if ((starts[near] as number) <= index) {
      for (let step = 0; step < 4; step += 1) {
        const next = starts[near + 1];
        if (next === undefined || next > index) return near;
        near += 1;
      }
    }
    near = findLine(starts, index);
    return near;
  };
  return {
    toByte: table === undefined ? (index) => index + shift : (index) => table[index] as number,
    toLineColumn(index) {
      const line = lineOf(index);
      return { line, column: index - (starts[line] as number) };
    },
  };
}

/** Where each line begins, in UTF-16 units. */
export function lineStarts(text: string): Int32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return new Int32Array(starts);
}

/** The line of an offset in UTF-16 units, as people count: from 1. For a few questions; many want `lineStarts`. */
export function lineNumberAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The last line that begins at or before an offset; the first for one that lies before all of them. */
export function findLine(starts: ArrayLike<number>, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function byteTable(text: string, shift: number): Uint32Array {
  const table = new Uint32Array(text.length + 1);
  let bytes = shift;
  for (let index = 0; index < text.length; index += 1) {
    table[index] = bytes;
    const unit = text.charCodeAt(index);
    // A pair is four bytes, counted at its first half; the second half has the offset of the end.
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff) bytes += 4;
    else if (unit < 0xdc00 || unit > 0xdfff) bytes += 3;
  }
  table[text.length] = bytes;
  return table;
}
