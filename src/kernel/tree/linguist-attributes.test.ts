import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { createScratchTree, type ScratchTree } from '../../../test/support/scratch-tree.ts';
import { createLinguistAttributes, type LinguistFacts, mentionsLinguist } from './linguist-attributes.ts';

let tree: ScratchTree;
beforeEach(() => {
  tree = createScratchTree();
});
afterEach(() => tree.dispose());

const names = ['linguist-generated', 'linguist-vendored', 'linguist-language'] as const;

/** What git says, in our words. */
function askGit(paths: readonly string[]): Readonly<Record<string, LinguistFacts>> {
  const done = spawnSync('git', ['check-attr', '-z', '--stdin', ...names], {
    cwd: tree.root,
    input: paths.join('\0'),
    encoding: 'utf8',
  });
  const fields = done.stdout.split('\0');
  const answers: Record<string, { generated?: boolean; vendored?: boolean; language?: string }> = {};
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path, name, value] = fields.slice(at, at + 3) as [string, string, string];
    answers[path] ??= {};
    if (value === 'unspecified') continue;
    const facts = answers[path];
    if (name === 'linguist-language') {
      if (value !== 'set' && value !== 'unset') facts.language = value.toLowerCase();
    } else facts[name === 'linguist-generated' ? 'generated' : 'vendored'] = value !== 'unset' && value !== 'false';
  }
  return answers;
}

const pattern = fc.constantFrom(
  ...[
    '*.ts',
    'a.ts',
    '/a.ts',
    'dir/*.ts',
    'dir/**',
    '**/a.ts',
    'dir',
    'dir/',
    '*',
    'dir/sub/?.ts',
    '[ab].ts',
    '!a.ts',
    '"a b.ts"',
    '"dir/\\141.ts"',
    '\\a.ts',
  ],
);
const attribute = fc.constantFrom(
  ...[
    'linguist-generated',
    '-linguist-generated',
    '!linguist-generated',
    'linguist-generated=true',
    'linguist-generated=false',
  ],
  ...[
    'linguist-vendored',
    '-linguist-vendored',
    '!linguist-vendored',
    'linguist-language=C++',
    '!linguist-language',
    '-linguist-language',
  ],
  ...['text', 'eol=lf', 'linguist-language=Go'],
);
const line = fc
  .tuple(pattern, fc.array(attribute, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', '\t', '  '))
  .map(([glob, all, gap]) => [glob, ...all].join(gap));
const file = fc.array(fc.oneof(line, fc.constantFrom('', '# linguist-generated', '  *.ts linguist-vendored')), {
  maxLength: 5,
});

test('files are described as git describes them', () => {
  const paths = ['a.ts', 'b.ts', 'a b.ts', 'dir/a.ts', 'dir/sub/a.ts', 'dir/sub/b.ts', 'other/dir/a.ts'];
  for (const path of paths) tree.write(path);
  fc.assert(
    fc.property(file, file, fc.constantFrom('\n', '\r\n'), (root, nested, eol) => {
      const files = [
        { directory: 'dir', text: nested.join(eol) },
        { directory: '', text: root.join(eol) },
      ];
      for (const { directory, text } of files)
        tree.write(directory === '' ? '.gitattributes' : `${directory}/.gitattributes`, text);
      const attributesOf = createLinguistAttributes(files);
      expect(Object.fromEntries(paths.map((path) => [path, attributesOf(path)]))).toEqual(askGit(paths));
    }),
    { numRuns: 60 },
  );
});

test('files without such a line cost nothing', () => {
  expect(mentionsLinguist('* text=auto\n')).toBe(false);
  expect(createLinguistAttributes([])('a.ts')).toEqual({});
});

test('hostile lines are read in time', () => {
  const text = `${'*'.repeat(50_000)} linguist-generated\n${'a/'.repeat(2_000)}* linguist-vendored\n${'[a'.repeat(20_000)} linguist-vendored`;
  expect(createLinguistAttributes([{ directory: '', text }])(`${'a/'.repeat(1_000)}b`)).toBeTypeOf('object');
});

test('14 of one file a bounded number of lines is read, and of all files too', () => {
  const lines = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => `${name}${at}.ts linguist-generated\n`).join('');
  const one = createLinguistAttributes([{ directory: '', text: lines(20_000, 'a') }]);
  expect(one('x/a999.ts')).toEqual({ generated: true });
  expect(one('x/a1000.ts')).toEqual({});
  // Lines about something else take no room.
  const plain = createLinguistAttributes([
    { directory: '', text: `${'*.x text\n'.repeat(20_000)}b linguist-vendored` },
  ]);
  expect(plain('b')).toEqual({ vendored: true });
  const many = createLinguistAttributes(
    Array.from({ length: 9 }, (_, at) => ({ directory: `d${at}`, text: lines(900, 'a') })),
  );
  expect(many('d0/a899.ts')).toEqual({ generated: true });
  expect(many('d8/a0.ts')).toEqual({});
});

test('14 lines are tried on what lies below their directory alone', () => {
  const of = createLinguistAttributes([
    { directory: 'a/b', text: '*.ts linguist-generated=false' },
    { directory: '', text: '*.ts linguist-generated' },
    { directory: 'a', text: '*.ts linguist-vendored' },
  ]);
  expect(of('x.ts')).toEqual({ generated: true });
  expect(of('ab/x.ts')).toEqual({ generated: true });
  expect(of('a/x.ts')).toEqual({ generated: true, vendored: true });
  expect(of('a/b/c/x.ts')).toEqual({ generated: false, vendored: true });
});
