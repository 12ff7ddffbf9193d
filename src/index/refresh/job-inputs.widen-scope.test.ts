import { afterEach, expect, test } from 'vitest';
import { isWithin, type WidenWorld, widenScope } from './job-inputs.ts';

const members = ['p/a.go', 'p/b.go', 'q/c.go', 'r/d.go'];
const dependents: Readonly<Record<string, readonly string[]>> = { 'p/a.go': ['q/c.go'], 'x/lib.go': ['r/d.go'] };
const worldOf = (granularity: WidenWorld['granularity']): WidenWorld => ({
  granularity,
  members,
  dependentsOf: (path) => dependents[path] ?? [],
  unsettled: () => unsettled,
  first: (all) => all,
  unconfirmed: () => ['q/c.go'],
});
let unsettled: readonly string[] = [];
afterEach(() => {
  unsettled = [];
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

test('R23 of single files all that are not clean are meant, whichever was asked for', () => {
  unsettled = ['r/d.go', 'p/a.go', 'x/lib.go'];
  expect(widenScope({ files: ['p/a.go'], packages: [] }, worldOf('file'))).toEqual({
    granularity: 'file',
    scope: { files: ['p/a.go', 'r/d.go'], packages: [] },
    members: ['p/a.go', 'r/d.go'],
  });
  expect(widenScope(null, worldOf('file'))).toMatchObject({ scope: null, members });
  expect(widenScope({ files: ['q/c.go'], packages: [] }, worldOf('file')).members).toEqual([
    'p/a.go',
    'q/c.go',
    'r/d.go',
  ]);
});

test('R23 what comes first is alone in its job but for what was asked for', () => {
  unsettled = ['p/a.go', 'p/b.go', 'r/d.go'];
  const few = { ...worldOf('file'), first: () => ['p/b.go'] };
  expect(widenScope({ files: ['p/b.go'], packages: [] }, few).members).toEqual(['p/b.go']);
  expect(widenScope({ files: ['r/d.go'], packages: [] }, few).members).toEqual(['p/b.go', 'r/d.go']);
  expect(widenScope(null, few)).toMatchObject({ scope: null, members });
});

test('a try after one that was too much is about no more than it is asked for', () => {
  unsettled = ['p/a.go', 'r/d.go'];
  const retry = { ...worldOf('file'), isRetry: true };
  expect(widenScope({ files: ['p/a.go'], packages: [] }, retry).members).toEqual(['p/a.go']);
});

test('a list of all members is the whole', () => {
  unsettled = members;
  expect(widenScope({ files: ['p/a.go'], packages: [] }, worldOf('file')).scope).toBeNull();
});

test('R23 nothing covers what it does not hold', () => {
  unsettled = ['p/b.go'];
  const one = widenScope({ files: ['p/b.go'], packages: [] }, worldOf('file'));
  unsettled = ['p/b.go', 'r/d.go'];
  const two = widenScope({ files: ['p/b.go'], packages: [] }, worldOf('file'));
  expect([isWithin(one, two), isWithin(two, one), isWithin(two, widenScope(null, worldOf('file')))]).toEqual([
    true,
    false,
    true,
  ]);
});
