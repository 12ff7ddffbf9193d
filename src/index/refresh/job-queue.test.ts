import { expect, test } from 'vitest';
import { earliestStartMs, findNeeds, listUnblocked } from './job-queue.ts';

const quiet = { firstChangeMs: 100_000, lastChangeMs: 100_000, lastStartMs: null, lastDurationMs: 0 };

test('a job starts after two seconds of quiet', () => {
  expect(earliestStartMs(quiet)).toBe(102_000);
  expect(earliestStartMs({ ...quiet, lastChangeMs: 110_000 })).toBe(112_000);
});

test('not sooner than five seconds, or half of the last run, after the last start', () => {
  expect(earliestStartMs({ ...quiet, lastStartMs: 99_000, lastDurationMs: 500 })).toBe(104_000);
  expect(earliestStartMs({ ...quiet, lastStartMs: 99_000, lastDurationMs: 40_000 })).toBe(119_000);
});

test('but at most a minute after the first change', () => {
  expect(earliestStartMs({ ...quiet, lastChangeMs: 159_500 })).toBe(160_000);
  expect(earliestStartMs({ ...quiet, lastStartMs: 99_000, lastDurationMs: 600_000 })).toBe(160_000);
});

test('of single files a third of a second, a second, and ten', () => {
  expect(earliestStartMs(quiet, 'file')).toBe(100_300);
  expect(earliestStartMs({ ...quiet, lastStartMs: 99_900, lastDurationMs: 500 }, 'file')).toBe(100_900);
  expect(earliestStartMs({ ...quiet, lastChangeMs: 150_000 }, 'file')).toBe(110_000);
});

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
