import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { createSourceText, type PositionEncoding } from './source-text.ts';

const bits = fc.constantFrom('a', 'Z', ' ', '\t', 'é', '变', '😀', 'e\u0301', '\u200d', '\n', '\r\n', '{', '"');
const texts = fc.array(bits, { maxLength: 60 }).map((parts) => parts.join(''));

/** The column of an index, counted the slow way. */
function columnOf(text: string, index: number, encoding: PositionEncoding): [number, number] {
  const before = text.slice(0, index);
  const column = before.slice(before.lastIndexOf('\n') + 1);
  const units = encoding === 1 ? Buffer.byteLength(column) : encoding === 2 ? column.length : [...column].length;
  return [before.split('\n').length - 1, units];
}

test('R16 columns in UTF-8, UTF-16 and UTF-32 units give the same bytes, with and without BOM and CRLF', () => {
  fc.assert(
    fc.property(texts, fc.boolean(), (text, bom) => {
      const source = createSourceText(Buffer.from(bom ? `\ufeff${text}` : text));
      expect(source.text).toBe(text);
      for (let index = 0; index <= text.length; index += 1) {
        const unit = text.charCodeAt(index);
        if (unit >= 0xdc00 && unit <= 0xdfff) continue;
        const byte = Buffer.byteLength(text.slice(0, index)) + (bom ? 3 : 0);
        for (const encoding of [1, 2, 3] as const) {
          const [line, column] = columnOf(text, index, encoding);
          // The place after a line's `\n` is the next line's first.
          expect(source.indexAt(line, column, encoding, false)).toBe(index);
          expect(source.lineOf(index)).toBe(line);
          expect(source.byteAt(line, index)).toBe(byte);
        }
      }
    }),
  );
});

test('a column outside of its line or inside of a character is no place', () => {
  const source = createSourceText(Buffer.from('a😀b\nxyz'));
  expect(source.indexAt(0, 2, 2, false)).toBe(-1);
  expect(source.indexAt(0, 3, 1, false)).toBe(-1);
  expect(source.indexAt(0, 5, 2, false)).toBe(-1);
  expect(source.indexAt(1, 4, 2, false)).toBe(-1);
  expect(source.indexAt(1, 3, 2, false)).toBe(8);
  expect(source.indexAt(2, 0, 2, false)).toBe(-1);
  expect(source.indexAt(0, -1, 2, false)).toBe(-1);
});

test('an index that counts the BOM counts it on the first line alone', () => {
  const source = createSourceText(Buffer.from('\ufeffab\nab'));
  expect(source.indexAt(0, 2, 2, true)).toBe(1);
  expect(source.indexAt(0, 4, 1, true)).toBe(1);
  expect(source.indexAt(0, 0, 2, true)).toBe(-1);
  expect(source.indexAt(1, 1, 2, true)).toBe(4);
});
