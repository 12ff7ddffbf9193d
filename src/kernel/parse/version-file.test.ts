import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstLine } from './version-file.ts';

test.each([
  ['v20.1.0\n', 'v20.1.0'],
  ['\r\n  \n# comment\n  lts/iron # current\nv18', 'lts/iron'],
  ['3.12', '3.12'],
  ['', null],
  ['\n \n#\n', null],
])('%j says %j', (text, line) => {
  expect(firstLine(text)).toBe(line);
});

test('40: total, and what it answers is one line without white space around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '#', ' ', '\n', '\r', '1') }), (text) => {
      const line = firstLine(text);
      if (line === null) return;
      expect(line).toBe(line.trim());
      expect(line).not.toMatch(/[\n#]/);
    }),
  );
});
