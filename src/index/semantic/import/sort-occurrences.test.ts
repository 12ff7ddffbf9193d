import fc from 'fast-check';
import { expect, test } from 'vitest';
import { occurrenceStride } from '../../store/document-facts.ts';
import { sortOccurrences } from './sort-occurrences.ts';

const row = (start: number, end: number, symbol: number, roles = 0): readonly number[] => [
  start,
  end,
  symbol,
  roles,
  0,
  0,
  start,
  0,
  end,
];
const rowsOf = (sorted: Int32Array): (readonly number[])[] =>
  Array.from({ length: sorted.length / occurrenceStride }, (_, at) => [
    ...sorted.subarray(at * occurrenceStride, at * occurrenceStride + 4),
  ]);

test('what is said twice is one occurrence with the roles of both', () => {
  const { sorted } = sortOccurrences(Int32Array.from([...row(5, 8, 1, 1), ...row(0, 3, 0), ...row(5, 8, 1, 8)]));
  expect(rowsOf(sorted)).toEqual([
    [0, 3, 0, 0],
    [5, 8, 1, 9],
  ]);
});

test('D8 of two that cross the later one is taken out; nested and equal ones stay', () => {
  const rows = [...row(0, 10, 0), ...row(0, 4, 1), ...row(2, 4, 2), ...row(2, 4, 3), ...row(3, 6, 4), ...row(4, 12, 5)];
  const { sorted, crossing } = sortOccurrences(Int32Array.from(rows));
  expect(rowsOf(sorted).map(([start, end]) => [start, end])).toEqual([
    [0, 4],
    [0, 10],
    [2, 4],
    [2, 4],
  ]);
  expect(crossing).toEqual([
    [3, 6, 4],
    [4, 12, 5],
  ]);
});

test('sorted by start, end and symbol, no two equal, none crossing, whatever comes in', () => {
  const any = fc
    .tuple(fc.nat(12), fc.nat(6), fc.nat(3))
    .map(([start, length, symbol]) => row(start, start + length, symbol));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 20 }), (given) => {
      const { sorted, crossing } = sortOccurrences(Int32Array.from(given.flat()));
      const rows = rowsOf(sorted);
      for (const [at, [start = 0, end = 0, symbol = 0]] of rows.entries()) {
        const before = rows[at - 1];
        if (before !== undefined) {
          const [otherStart = 0, otherEnd = 0, otherSymbol = 0] = before;
          expect(start - otherStart || end - otherEnd || symbol - otherSymbol).toBeGreaterThan(0);
        }
        for (const [otherStart = 0, otherEnd = 0] of rows) {
          expect(otherStart < start && start < otherEnd && otherEnd < end).toBe(false);
        }
      }
      const distinct = new Set(given.map(([start, end, symbol]) => `${start} ${end} ${symbol}`));
      expect(rows.length + crossing.length).toBe(distinct.size);
    }),
  );
});
