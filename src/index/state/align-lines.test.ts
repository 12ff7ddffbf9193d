import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashLines } from '../semantic/line-hashes.ts';
import { alignLines } from './align-lines.ts';

const align = (before: readonly string[], now: readonly string[]): readonly number[] => [
  ...alignLines(hashLines(Buffer.from(before.join('\n'))), hashLines(Buffer.from(now.join('\n')))),
];

test('an inserted line moves those after it', () => {
  expect(align(['a', 'b', 'c'], ['a', 'x', 'b', 'c'])).toEqual([0, 2, 3]);
});

test('a changed line is not matched, its neighbours are', () => {
  expect(align(['{', 'a', '}', '{', 'b', '}'], ['{', 'a', '}', '{', 'B', '}'])).toEqual([0, 1, 2, 3, -1, 5]);
});

test('single lines anchor repeated ones', () => {
  const before = ['f() {', '  return 1', '}', '', 'g() {', '  return 2', '}'];
  const now = ['h() {', '  return 3', '}', '', 'f() {', '  return 1', '}', '', 'g() {', '  return 2', '}'];
  expect(align(before, now)).toEqual([4, 5, 6, 7, 8, 9, 10]);
});

test('lines that are nowhere single are matched if both sides have them equally often', () => {
  expect(align(['x', 'd', 'd', 'y'], ['X', 'd', 'd', 'Y'])).toEqual([-1, 1, 2, -1]);
  const many = Array.from({ length: 1000 }, (_, at) => String(at % 400));
  const found = align(['x', ...many, 'y'], ['X', ...many, 'Y']);
  expect(found.slice(1, -1)).toEqual(many.map((_, at) => at + 1));
});

test('little is compared in full', () => {
  expect(align(['a', 'a', 'b', 'b'], ['z', 'a', 'b', 'b', 'b', 'a'])).toEqual([-1, 1, 2, 3]);
});

test('matches rise and join equal lines, whatever the texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '{', '}', ''), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, now) => {
      let last = -1;
      align(before, now).forEach((line, old) => {
        if (line < 0) return;
        expect(line).toBeGreaterThan(last);
        expect(now[line]).toBe(before[old]);
        last = line;
      });
    }),
    { numRuns: 2000 },
  );
});

test('a text of two hundred thousand equal or crossing lines is done with', () => {
  const count = 200_000;
  const pairs = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'a' : 'b'));
  expect(align(pairs, ['x', ...pairs, 'y'])).toHaveLength(count);
  const numbers = Array.from({ length: count }, (_, at) => String(at));
  expect(align(numbers, [...numbers].reverse()).filter((line) => line >= 0).length).toBeGreaterThan(0);
});
