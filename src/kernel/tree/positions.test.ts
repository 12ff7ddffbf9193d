import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ByteOffset, createPositions } from './positions.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const piece = fc.constantFrom('a', 'é', '漢', '👩‍👧', 'e\u0301', '\t', '\n', '\r\n', ' ');

test('F13: positions round-trip byte to line:column for any text, with or without BOM and CRLF', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(piece), (bom, pieces) => {
      const text = (bom ? '\ufeff' : '') + pieces.join('');
      const bytes = encode(text);
      const positions = createPositions(bytes);
      let offset = bom ? 3 : 0;
      for (const char of pieces.join('')) {
        const there = positions.toLineColumn(offset as ByteOffset);
        expect(positions.toByteOffset(there)).toBe(offset);
        offset += encode(char).length;
      }
      expect(positions.toByteOffset(positions.toLineColumn(offset as ByteOffset))).toBe(bytes.length);
    }),
  );
});

test('F13: columns are UTF-16 units from the line start', () => {
  const positions = createPositions(encode('\ufeffab\r\n👩x\n'));
  expect(positions.toLineColumn(3 as ByteOffset)).toEqual({ line: 0, column: 0 });
  expect(positions.toLineColumn(11 as ByteOffset)).toEqual({ line: 1, column: 2 });
  expect(positions.lineCount).toBe(3);
});
