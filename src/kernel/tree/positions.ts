/**
 * Byte offsets, lines and columns of one text, always from the buffer that was hashed (code-plane.md §1.5).
 * A line ends at `\n` (a `\r` before it belongs to the end). A BOM counts in byte offsets and not in column 1.
 * Lines and UTF-16 columns are 0-based here; the API adds one.
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

/** `bytes` must be valid UTF-8; offsets must lie on character borders. */
export function createPositions(bytes: Uint8Array): Positions {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = [buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0];
  for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, at + 1)) starts.push(at + 1);
  const startOf = (line: number) => starts[line] as number;
  return {
    lineCount: starts.length,
    toLineColumn(offset) {
      assert(offset >= 0 && offset <= buffer.length, `offset ${offset} outside a text of ${buffer.length} bytes`);
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (startOf(middle) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low, column: buffer.toString('utf8', Math.min(startOf(low), offset), offset).length };
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
