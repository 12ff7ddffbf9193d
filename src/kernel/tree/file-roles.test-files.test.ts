import { expect, test } from 'vitest';
import { isTestFile } from './file-roles.ts';

test.each([
  'a.test.ts',
  'src/a.spec.tsx',
  'a.test.d.ts',
  '__tests__/a.js',
  'src/__tests__/deep/helper.js',
  'tests/test_models.py',
  'pkg/x_test.go',
  'src/FooTest.java',
])('%s is a test file', (path) => {
  expect(isTestFile(path)).toBe(true);
});

test.each([
  'test.ts',
  'latest.ts',
  'src/contest.js',
  'not__tests__/a.js',
  'a/__tests__',
  'models_test.py',
  'mytest_x.py',
  'x_test.go.txt',
  'TestFoo.java',
  'a.test/b.ts',
])('%s is none', (path) => {
  expect(isTestFile(path)).toBe(false);
});
