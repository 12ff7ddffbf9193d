import { expect, test } from 'vitest';
import { outcomeSince, type Since } from './since.ts';

const since = (sections: readonly string[], perhaps: readonly string[]): Since => ({
  says: '',
  files: [],
  count: 0,
  sections,
  perhaps,
});

test('G42 the whole is `ok` only where nothing, or the commit alone, differs', () => {
  expect(outcomeSince(null)).toBe('ok');
  expect(outcomeSince(since(['repo'], []))).toBe('ok');
  expect(outcomeSince(since(['repo'], ['ownership']))).toBe('stale');
  expect(outcomeSince(since(['repo', 'ownership'], []))).toBe('stale');
  expect(outcomeSince(since([], ['ownership']))).toBe('stale');
});

test('G42 a part is `stale` where it, what holds it or what it holds differs or may differ', () => {
  const some = since(['build.scripts'], ['ownership']);
  const asked = [
    'build',
    'build.scripts',
    'build.scripts.test',
    'ownership.entries',
    'facts',
    'facts.build',
    'envelope',
  ];
  expect(asked.filter((path) => outcomeSince(some, path) === 'ok')).toEqual([]);
  const others = ['buildx', 'build.scriptsx', 'owner', 'fact'];
  expect(others.filter((path) => outcomeSince(some, path) === 'stale')).toEqual([]);
  expect(outcomeSince(null, 'build')).toBe('ok');
});
