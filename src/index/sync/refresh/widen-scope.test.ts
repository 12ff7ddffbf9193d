import { expect, test } from 'vitest';
import { isWithin, type WidenWorld, widenScope } from './widen-scope.ts';

const members = ['p/a.go', 'p/b.go', 'q/c.go', 'r/d.go'];
const dependents: Readonly<Record<string, readonly string[]>> = { 'p/a.go': ['q/c.go'], 'x/lib.go': ['r/d.go'] };
const worldOf = (granularity: WidenWorld['granularity']): WidenWorld => ({
  granularity,
  members,
  dependentsOf: (path) => dependents[path] ?? [],
});

test('R23 a project is refreshed as a whole', () => {
  expect(widenScope({ files: ['p/a.go'], packages: [] }, worldOf('project'))).toMatchObject({ scope: null, members });
});

test('R23 packages are whole directories, of the asked files and of their dependents', () => {
  expect(widenScope({ files: ['p/a.go'], packages: [] }, worldOf('package')).members).toEqual([
    'p/a.go',
    'p/b.go',
    'q/c.go',
  ]);
  expect(widenScope({ files: [], packages: ['r'] }, worldOf('package')).members).toEqual(['r/d.go']);
});

test('R23 a file that is no member stands for those that depend on it', () => {
  expect(widenScope({ files: ['x/lib.go'], packages: [] }, worldOf('file')).members).toEqual(['r/d.go']);
  expect(widenScope({ files: ['p/a.go'], packages: ['r'] }, worldOf('file')).members).toEqual([
    'p/a.go',
    'q/c.go',
    'r/d.go',
  ]);
});

test('a list of all members is the whole', () => {
  expect(widenScope({ files: members, packages: [] }, worldOf('file')).scope).toBeNull();
});

test('R23 nothing covers what it does not hold', () => {
  const one = widenScope({ files: ['p/b.go'], packages: [] }, worldOf('file'));
  const two = widenScope({ files: ['p/b.go', 'r/d.go'], packages: [] }, worldOf('file'));
  expect([isWithin(one, two), isWithin(two, one), isWithin(two, widenScope(null, worldOf('file')))]).toEqual([
    true,
    false,
    true,
  ]);
});
