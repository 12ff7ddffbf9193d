import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { type ByteOffset, createPositions, createTextOffsets } from './positions.ts';

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

test('F13 indices give the bytes, lines and columns that the buffer gives, with and without a BOM', () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', '\r\n', '\t', 'é', '中', '😀', 'e\u0301', 'x'),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), fc.infiniteStream(fc.nat()), (pieces, bom, order) => {
      const text = pieces.join('');
      const bytes = Buffer.from(bom ? `\ufeff${text}` : text);
      const offsets = createTextOffsets(text, { isAscii: !bom && /^[\0-\x7f]*$/.test(text), bom });
      const positions = createPositions(bytes);
      for (let step = 0; step < 20; step += 1) {
        const index = (order.next().value as number) % (text.length + 1);
        const middle = text.charCodeAt(index) >= 0xdc00 && text.charCodeAt(index) <= 0xdfff;
        if (middle) continue;
        const byte = offsets.toByte(index);
        expect(byte).toBe(Buffer.byteLength(text.slice(0, index)) + (bom ? 3 : 0));
        expect(offsets.toLineColumn(index)).toEqual(positions.toLineColumn(byte as ByteOffset));
      }
    }),
  );
});
