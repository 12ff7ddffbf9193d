import { expect, test } from 'vitest';
import { answerOf, filesOf, resolveIn } from '../../../test/support/check-resolve.ts';
import createCFamilyResolve from './c-resolve.ts';
import { splitCommand } from './compile-commands.ts';

const tree = filesOf(
  'src/a.c',
  'src/b.c',
  'src/own.h',
  'include/pub.h',
  'include/own.h',
  'quoted/q.h',
  'third/t.h',
  'lib/c.c',
);

const commands = (directory: string) =>
  JSON.stringify([
    {
      directory,
      file: '../src/a.c',
      command: `cc -iquote ../quoted "-I../include" -I/usr/include -DX='a b' -c ../src/a.c`,
    },
    { directory, file: '/w/acme/lib/c.c', arguments: ['cc', '-isystem', '../third', '-I', '/w/acme/include', '-I'] },
    { directory, file: 3 },
    null,
  ]);

const places = {
  'beside the build': { 'build/compile_commands.json': commands('/w/acme/build') },
  'at the root': { 'compile_commands.json': commands('/w/acme/build') },
};

test.each(Object.keys(places) as (keyof typeof places)[])('S4: include paths of a command, %s', (place) => {
  const files = { ...tree, ...places[place] };
  const check = (from: string, specifier: string, kind: 'include' | 'include_system', answer: string) =>
    expect([from, specifier, answerOf(createCFamilyResolve, { files }, from, specifier, { kind })]).toEqual([
      from,
      specifier,
      answer,
    ]);
  check('src/a.c', 'own.h', 'include', 'src/own.h');
  check('src/a.c', 'own.h', 'include_system', 'include/own.h');
  check('src/a.c', 'pub.h', 'include', 'include/pub.h');
  check('src/a.c', 'q.h', 'include', 'quoted/q.h');
  check('src/a.c', 'q.h', 'include_system', 'external q.h');
  check('src/a.c', 't.h', 'include', 'not_found');
  check('src/a.c', '../include/pub.h', 'include', 'include/pub.h');
  check('src/a.c', '../../x.h', 'include', 'outside_root ../../x.h');
  check('lib/c.c', 't.h', 'include_system', 'third/t.h');
  check('lib/c.c', 'q.h', 'include', 'not_found');
  // A header takes the paths of all commands.
  check('include/pub.h', 't.h', 'include_system', 'third/t.h');
  check('include/pub.h', 'q.h', 'include', 'quoted/q.h');
  check('src/a.c', 'stdio.h', 'include_system', 'external stdio.h');
});

test('S4: a C++ module is external', () => {
  expect(answerOf(createCFamilyResolve, { files: tree }, 'src/a.cpp', 'acme.orders')).toBe('external acme.orders');
});

test('S4: without commands there is the own directory and nothing else', () => {
  const at = (specifier: string, kind: 'include' | 'include_system') =>
    answerOf(createCFamilyResolve, { files: tree }, 'src/a.c', specifier, { kind });
  expect(at('own.h', 'include')).toBe('src/own.h');
  expect(at('pub.h', 'include')).toBe('not_found');
  expect(at('pub.h', 'include_system')).toBe('external pub.h');
  expect(at('../../etc/passwd', 'include')).toBe('outside_root ../../etc/passwd');
  expect(at('/etc/passwd', 'include')).toBe('outside_root /etc/passwd');
});

test('S4: the candidates follow the include paths and stay within their number', () => {
  const many = Array.from({ length: 500 }, (_, index) => `-Ip${index}`);
  const files = {
    ...tree,
    'compile_commands.json': JSON.stringify([{ directory: '/w/acme', file: 'src/a.c', arguments: many }]),
  };
  const { candidates } = resolveIn(createCFamilyResolve, { files }, 'src/a.c', 'x.h', { kind: 'include' });
  expect(candidates.slice(0, 3)).toEqual(['src/x.h', 'p0/x.h', 'p1/x.h']);
  expect(candidates.length).toBeLessThanOrEqual(64);
});

test.each(['[', '{}', '[[]]', '[{"directory":"/","file":"/"}]', '[{"directory":"","file":""}]'])(
  'S4: a hostile compile_commands.json gives no include path: %s',
  (text) => {
    const files = { ...tree, 'compile_commands.json': text };
    expect(answerOf(createCFamilyResolve, { files }, 'src/a.c', 'pub.h', { kind: 'include_system' })).toBe(
      'external pub.h',
    );
  },
);

test.each([
  ['cc -I"a b" -c', ['cc', '-Ia b', '-c']],
  [`-DX='"q"' "\\"r\\"" a\\ b ''`, ['-DX="q"', '"r"', 'a b', '']],
  ['  ', []],
  ['"open', ['open']],
  ['end\\', ['end']],
])('a command line is split as a shell does: %s', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});
