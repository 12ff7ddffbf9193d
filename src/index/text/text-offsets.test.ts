import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ByteOffset, createPositions } from '../../kernel/tree/positions.ts';
import { createTextOffsets } from './text-offsets.ts';

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
