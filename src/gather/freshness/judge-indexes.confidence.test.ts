import { expect, test } from 'vitest';
import type { Confidence } from '../contract.ts';
import type { StaleReason } from './index-freshness.ts';
import { confidenceOf } from './judge-indexes.ts';

test('a fresh index is trusted', () => {
  expect(confidenceOf({ kind: 'fresh', indexed_at: '2026-05-17T08:00:00Z' })).toBe('high');
});

const gap = (files_indexed: number, files_in_repo: number): StaleReason => ({
  kind: 'coverage_gap',
  files_indexed,
  files_in_repo,
});
const cases: readonly (readonly [StaleReason, Confidence])[] = [
  [{ kind: 'commits_behind', n: 1, last_indexed: 'abcdef0' }, 'medium'],
  [{ kind: 'commits_behind', n: 900, last_indexed: 'abcdef0', diverged: true }, 'medium'],
  [{ kind: 'dirty_worktree', files: [], count: 0 }, 'medium'],
  [{ kind: 'digest_mismatch', expected: 'a', actual: 'b' }, 'medium'],
  [gap(99, 100), 'medium'],
  [gap(9, 10), 'medium'],
  [gap(899, 1000), 'low'],
  [gap(0, 1), 'low'],
  [{ kind: 'never_ran', reason: 'not_selected' }, 'low'],
  [{ kind: 'indexer_error', message: 'x' }, 'low'],
];

test.each(cases)('P1: %j is %s', (reason, confidence) => {
  expect(confidenceOf({ kind: 'stale', reason })).toBe(confidence);
});
