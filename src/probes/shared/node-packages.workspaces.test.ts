import { expect, test } from 'vitest';
import { expandWorkspaces, packageGlobsOf, workspaceGlobsOf } from './node-packages.ts';

const manifests = (...directories: string[]) => [
  'package.json',
  ...directories.map((directory) => `${directory}/package.json`),
];

test.each([
  [['packages/*'], ['packages/a', 'packages/b']],
  [['./packages/*/'], ['packages/a', 'packages/b']],
  [['packages/a'], ['packages/a']],
  [['packages/{a,b}'], ['packages/a', 'packages/b']],
  [['packages/**'], ['packages/a', 'packages/a/nested', 'packages/b']],
  [['**'], ['apps/web', 'packages/a', 'packages/a/nested', 'packages/b']],
  [
    ['packages/**', '!**/nested'],
    ['packages/a', 'packages/b'],
  ],
  [['!packages/b', 'packages/*'], ['packages/a']],
  [['packages/*', '!packages/**'], []],
  [['.', '', '/'], []],
  [['../elsewhere/*'], []],
])('%j', (globs, members) => {
  const paths = manifests('packages/a', 'packages/b', 'packages/a/nested', 'apps/web', 'packages/a/node_modules/x');
  expect(expandWorkspaces(globs, paths)).toEqual(members);
});

test('P9: patterns full of stars answer', () => {
  const path = `${'a'.repeat(250)}/package.json`;
  expect(expandWorkspaces([`${'*a'.repeat(100)}b`, '**/a/**/a/**/a/**/b'], [path])).toEqual([]);
});

test('both forms of package.json#workspaces, and nothing else', () => {
  expect(workspaceGlobsOf({ workspaces: ['a', 7, 'b'] })).toEqual(['a', 'b']);
  expect(workspaceGlobsOf({ workspaces: { packages: ['a'], nohoist: [] } })).toEqual(['a']);
  expect(workspaceGlobsOf({ workspaces: 'a' })).toBe(null);
  expect(workspaceGlobsOf(null)).toBe(null);
  expect(packageGlobsOf({ packages: ['x'] })).toEqual(['x']);
  expect(packageGlobsOf({ onlyBuiltDependencies: ['x'] })).toBe(null);
});
