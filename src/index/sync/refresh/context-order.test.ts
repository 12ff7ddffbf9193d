import { expect, test } from 'vitest';
import { findNeeds, listUnblocked } from './context-order.ts';

const contexts = [
  { id: 1, members: ['app/a'] },
  { id: 2, members: ['lib/b', 'shared'] },
  { id: 3, members: ['base/c', 'shared'] },
];
const targets: Record<string, string[]> = { 'app/a': ['lib/b'], 'lib/b': ['base/c', 'shared'] };
const needs = findNeeds(contexts, (path) => targets[path] ?? []);

test('a context needs those whose files it uses and does not have itself', () => {
  expect([...needs].map(([id, found]) => [id, [...found]])).toEqual([
    [1, [2]],
    [2, [3]],
    [3, []],
  ]);
});

test('what is used comes first, also through one that has nothing to do', () => {
  expect(listUnblocked([1, 2, 3], [], needs)).toEqual([3]);
  expect(listUnblocked([1, 3], [], needs)).toEqual([3]);
  expect(listUnblocked([1], [3], needs)).toEqual([]);
  expect(listUnblocked([1, 2], [], needs)).toEqual([2]);
});

test('contexts that use each other do not wait for each other', () => {
  const round = new Map([
    [1, new Set([2])],
    [2, new Set([1])],
    [3, new Set([1])],
  ]);
  expect(listUnblocked([1, 2, 3], [], round)).toEqual([1, 2]);
});
