import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from './run-process.ts';

function splitAt(text: string, cuts: readonly number[], maxLineBytes = 1024): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line), maxLineBytes);
  const bytes = Buffer.from(text);
  let start = 0;
  for (const cut of [...cuts, bytes.length].map((at) => Math.min(at, bytes.length)).sort((a, b) => a - b)) {
    splitter.push(bytes.subarray(start, cut));
    start = cut;
  }
  splitter.end();
  return lines;
}

test('lines are the same wherever the stream was cut, inside a character too (property)', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🙂', '\n'), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 160 }), { maxLength: 8 }), (given, cuts) => {
      const expected = given.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(splitAt(given, cuts)).toEqual(expected);
    }),
  );
});

test('CRLF ends a line like LF', () => {
  expect(splitAt('a\r\nb\n', [2])).toEqual(['a', 'b']);
});

test('32: a line without an end is delivered once, cut', () => {
  expect(splitAt(`${'x'.repeat(500)}\nshort\n`, [100, 200, 300], 64)).toEqual(['x'.repeat(64), 'short']);
});
