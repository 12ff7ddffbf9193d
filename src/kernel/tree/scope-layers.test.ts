import { expect, test } from 'vitest';
import { judgeScope } from './scope-layers.ts';

const isIn = (path: string) => judgeScope({ path, tracked: true, gitIgnored: false, cplRules: [] }).in;

test.each([
  'src/.a.ts.cg-0123456789abcdef.tmp',
  'src/.cg-0123456789abcdef-fedcba9876543210.tmp',
  '.cg-0123456789abcdef.trial.tmp',
])('what a change that was cut off left is no file of the tree: %s', (path) => {
  expect(isIn(path)).toBe(false);
});

test.each(['src/a.ts', 'a.cg-1.tmp', '.cg-mine.tmp', 'src/.tmp'])('a name that is merely like it is: %s', (path) => {
  expect(isIn(path)).toBe(true);
});
