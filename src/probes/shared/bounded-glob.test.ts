import { expect, test } from 'vitest';
import { compileGlobs } from '../../kernel/repo/glob.ts';
import { isBoundedGlob } from './bounded-glob.ts';

test.each(['**/*.ts', 'src/**/*.test.*', '*foo*', '{a,b}/*.{js,ts}', 'org/*', '**/x/**/y-*.yaml'])(
  '%s is accepted',
  (glob) => {
    expect(isBoundedGlob(glob)).toBe(true);
  },
);

test.each(['*a*a*b', '**/a/**/a/**/b', '{*a*,*b*}', 'x'.repeat(1001)])('16: %s is refused', (glob) => {
  expect(isBoundedGlob(glob)).toBe(false);
});

test('16: what is accepted answers on the worst names', () => {
  for (const glob of ['*a*b', '**/a/**/b', '**/*a*b']) {
    expect(isBoundedGlob(glob)).toBe(true);
    expect(compileGlobs([glob])('a'.repeat(255))).toBe(false);
    expect(compileGlobs([glob])('a/'.repeat(2000))).toBe(false);
  }
});
