import { expect, test } from 'vitest';
import { discoveryWorldOf, emptyFiles } from '../../../test/support/discovery-world.ts';
import discoverC from './c-projects.ts';

const database = (root: string, ...files: readonly string[]): string =>
  JSON.stringify(files.map((file) => ({ directory: `${root}/build`, file, command: `cc -I../include -c ${file}` })));

test('members are the translation units and the headers they include, however indirectly', () => {
  const files = {
    ...emptyFiles('src/main.c', 'src/util.cpp', 'src/unbuilt.c', 'include/a.h', 'include/deep.h', 'include/unused.h'),
    'build/compile_commands.json': database('/home/ann/acme', '../src/main.c', '../src/util.cpp', '/usr/lib/gen.c'),
  };
  const targets = {
    'src/main.c': ['include/a.h'],
    'include/a.h': ['include/deep.h'],
    'include/deep.h': ['include/a.h'],
  };
  expect(discoverC(discoveryWorldOf(files, targets))).toMatchObject([
    {
      key: 'c:build/compile_commands.json',
      root: '',
      configPath: 'build/compile_commands.json',
      members: ['include/a.h', 'include/deep.h', 'src/main.c', 'src/util.cpp'],
      config: { database: 'build/compile_commands.json', writtenFor: '/home/ann/acme' },
      problem: null,
    },
  ]);
});

test('the database decides the configuration; sources do not', () => {
  const files = { 'a.c': '', 'compile_commands.json': database('/r', '/r/a.c') };
  const inputsOf = (more: Record<string, string>) =>
    JSON.stringify(discoverC(discoveryWorldOf({ ...files, ...more }))[0]?.configInputs);
  expect(inputsOf({ 'compile_commands.json': database('/r', '/r/a.c').replace('-c', '-O2 -c') })).not.toBe(
    inputsOf({}),
  );
  expect(inputsOf({ 'a.c': 'int x;' })).toBe(inputsOf({}));
});

test.each(['{}', '[]', 'not json', ''])('a database that lists nothing is a problem: %j', (text) => {
  const [context] = discoverC(discoveryWorldOf({ 'a.c': '', 'compile_commands.json': text }));
  expect(context).toMatchObject({ members: [], problem: expect.stringContaining('compile_commands.json') });
});

test('a database of other files only, and none at all, give no context', () => {
  expect(discoverC(discoveryWorldOf({ 'a.c': '', 'compile_commands.json': database('/x', '/y/z.c') }))).toEqual([]);
  expect(discoverC(discoveryWorldOf({ 'a.c': '' }))).toEqual([]);
});
