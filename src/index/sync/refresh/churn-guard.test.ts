import { expect, test } from 'vitest';
import { earliestStartMs } from './churn-guard.ts';

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
