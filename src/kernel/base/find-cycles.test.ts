import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { findCycles } from './find-cycles.ts';

function cyclesOf(edges: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const nodes = new Set(edges.flat());
  return findCycles(nodes, (node) => edges.filter(([from]) => from === node).map(([, to]) => to));
}

test('groups that reach each other, and nodes that lead to themselves', () => {
  const edges = [
    ['d', 'a'],
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
    ['c', 'e'],
    ['e', 'f'],
    ['f', 'e'],
    ['g', 'g'],
    ['h', 'i'],
  ] as const;
  expect(cyclesOf(edges)).toEqual([['a', 'b', 'c'], ['e', 'f'], ['g']]);
});

test('two nodes share a group exactly when each reaches the other', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name), { maxLength: 14 }), (edges) => {
      const reaches = (from: string, to: string): boolean => {
        const seen = new Set<string>();
        const pending = [from];
        for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
          for (const [a, b] of edges) {
            if (a !== node || seen.has(b)) continue;
            seen.add(b);
            pending.push(b);
          }
        }
        return seen.has(to);
      };
      const groups = cyclesOf(edges);
      for (const a of 'abcdef') {
        for (const b of 'abcdef') {
          const together = groups.some((group) => group.includes(a) && group.includes(b));
          expect(together).toBe(reaches(a, b) && reaches(b, a));
        }
      }
    }),
  );
});

test('a chain of a hundred thousand overflows nothing', () => {
  const last = 100_000;
  const names = Array.from({ length: last }, (_, index) => String(index));
  const cycles = findCycles(names, (node) => [String((Number(node) + 1) % last)]);
  expect(cycles.map((group) => group.length)).toEqual([last]);
});
