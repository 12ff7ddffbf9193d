import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { lineAt, linesOf, parseText } from './parse-outcome.ts';

const limits = { maxBytes: 1024 };
const utf8 = (text: string) => new TextEncoder().encode(text);

test('G40 any bytes within the cap are text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const outcome = parseText(bytes, limits);
      expect(outcome.ok && typeof outcome.value).toBe('string');
    }),
  );
});

test('G12 one byte over the cap is refused with both numbers', () => {
  expect(parseText(new Uint8Array(1025), limits)).toEqual({
    ok: false,
    failure: { kind: 'size_cap_exceeded', bytes: 1025, cap: 1024 },
  });
  expect(parseText(new Uint8Array(1024), limits).ok).toBe(true);
});

test('a BOM is dropped and invalid bytes become U+FFFD', () => {
  expect(parseText(utf8('\ufeffFROM a'), limits)).toMatchObject({ value: 'FROM a' });
  expect(parseText(Uint8Array.of(0x61, 0xff), limits)).toMatchObject({ value: 'a\ufffd' });
});

test('lines are counted from one and a line end belongs to the line it ends', () => {
  const text = 'a\r\nb\n\nc';
  expect([0, 2, 3, 4, 5, 6].map((offset) => lineAt(text, offset))).toEqual([1, 1, 2, 2, 3, 4]);
  expect([...linesOf(text)]).toEqual([
    ['a', 1],
    ['b', 2],
    ['', 3],
    ['c', 4],
  ]);
});
