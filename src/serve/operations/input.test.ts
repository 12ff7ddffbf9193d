import { expect, test } from 'vitest';
import { compilePathFilter, readLanguages, readPathGlobs } from './input.ts';

const paths = ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'src.ts', 'test/a.py', 'lib/src/c.ts'];
const chosen = (...globs: readonly string[]) => paths.filter(compilePathFilter(readPathGlobs(globs)));

test('a directory means what is below it, wherever it lies', () => {
  expect(chosen('src')).toEqual(['src/a.ts', 'src/deep/b.ts', 'lib/src/c.ts']);
  expect(chosen('./src/deep/')).toEqual(['src/deep/b.ts']);
  expect(chosen('.')).toEqual(paths);
});

test('a name without a slash is meant at any depth, a glob with one from the root', () => {
  expect(chosen('*.ts')).toEqual(['a.ts', 'src/a.ts', 'src/deep/b.ts', 'src.ts', 'lib/src/c.ts']);
  expect(chosen('a.ts')).toEqual(['a.ts', 'src/a.ts']);
  expect(chosen('src/*.ts')).toEqual(['src/a.ts']);
});

test('a leading mark excludes', () => {
  expect(chosen('!src')).toEqual(['a.ts', 'src.ts', 'test/a.py']);
  expect(chosen('*.ts', '!deep')).toEqual(['a.ts', 'src/a.ts', 'src.ts', 'lib/src/c.ts']);
});

test('languages by name, extension or habit; others are refused with the nearest', () => {
  expect(readLanguages(['ts', 'Python', 'c++', 'mine'], ['mine'])).toEqual(['typescript', 'python', 'cpp', 'mine']);
  expect(readLanguages(['pyton'], ['go'])).toMatchObject({ outcome: 'invalid', candidates: ['go'] });
});
