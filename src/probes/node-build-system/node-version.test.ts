import { expect, test } from 'vitest';
import { pinnedInMise, pinnedInToolVersions, pinnedInVersionFile, pinnedInVolta, rangeOfPin } from './node-version.ts';

test('version files: the first line that says something', () => {
  expect(pinnedInVersionFile('\n# comment\r\n v20.11.0 # why\r\n18\n')).toBe('v20.11.0');
  expect(pinnedInVersionFile('\n \n')).toBe(null);
  expect(pinnedInVersionFile('20\u202e')).toBe('20');
});

test('.tool-versions: asdf and mise spelling', () => {
  expect(pinnedInToolVersions('python 3.12\nnodejs 20.1.0 18.0.0\n')).toBe('20.1.0');
  expect(pinnedInToolVersions('# nodejs 1\nnode\t22')).toBe('22');
  expect(pinnedInToolVersions('nodejs\n')).toBe(null);
});

test('mise.toml and volta', () => {
  expect(pinnedInMise({ tools: { node: '22' } })).toBe('22');
  expect(pinnedInMise({ tools: { node: ['20', '18'] } })).toBe('20');
  expect(pinnedInMise({ tools: { nodejs: { version: '18' } } })).toBe('18');
  expect(pinnedInMise({ env: {} })).toBe(null);
  expect(pinnedInVolta({ volta: { node: '20.1.0' } })).toBe('20.1.0');
  expect(pinnedInVolta({})).toBe(null);
});

test('a pin is a range when it is a number', () => {
  expect(['v20', '20.1', '=20.1.2', 'lts/*', 'node', '20.x', '>=18'].map(rangeOfPin)).toEqual([
    '20',
    '20.1',
    '20.1.2',
    null,
    null,
    null,
    null,
  ]);
});
