import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  closePrograms,
  renderConfig as config,
  openTree as open,
  writeTree,
} from '../../../../test/support/open-programs.ts';
import type { Programs } from './job-types.ts';
import { tokensNamed } from './name-tokens.ts';
import { findDoubleFile, openPrograms } from './programs.ts';

afterEach(closePrograms);

const textOf = (programs: Programs, path: string) => programs.open[0]?.sourceFile(path)?.text;
const filesOf = (programs: Programs) => programs.open.map(({ key, files }) => [key, files]);
/** Where each token of the name is declared, as `path:start`. */
const targets = (programs: Programs, name: string) =>
  tokensNamed(programs, name).map(({ token, binding }) => {
    const links = binding.kind === 'bound' ? binding.links : [];
    const places = links.flatMap(({ places }) => places.map(({ path, start }) => `${path}:${start}`));
    return `${token.path}:${token.start} ${places.join(' ')}`;
  });

test('a program lists the files of the root, and neither installed packages nor the library', () => {
  const programs = open({
    'tsconfig.json': config(),
    'src/a.ts': "import { dep } from 'dep';\nexport const a = dep;\n",
    'node_modules/dep/package.json': '{ "name": "dep", "types": "index.d.ts" }',
    'node_modules/dep/index.d.ts': 'export const dep: number;\n',
  });
  expect(filesOf(programs)).toEqual([['main', ['src/a.ts']]]);
  const [binding] = tokensNamed(programs, 'dep').map(({ binding }) => binding);
  expect(binding).toMatchObject({ kind: 'bound', links: [{ role: 'symbol' }, { role: 'alias' }] });
  expect(binding?.kind === 'bound' && binding.links[1]?.places).toEqual([
    { path: join(programs.root, 'node_modules/dep/index.d.ts'), start: 13, outside: true },
  ]);
});

test('M15 what is given up is forgotten, and what comes next sees the texts of the first', () => {
  const files = { 'a.ts': 'export const one = 1;\n', 'b.ts': 'export const two = 2;\n' };
  const first = open({ 'tsconfig.json': config(), ...files });
  const overlay = (path: string) => {
    const next = first.withTexts(new Map([[path, `${files['a.ts']}export const more = 1;\n`]]));
    expect(textOf(next, path)).toContain('more');
    return next;
  };
  overlay('a.ts').release();
  const second = overlay('b.ts');
  expect(textOf(second, 'a.ts')).toBe(files['a.ts']);
  expect(textOf(second, 'b.ts')).toContain('more');
  const third = overlay('a.ts');
  second.release();
  expect(textOf(third, 'b.ts')).toBe(files['b.ts']);
  expect(textOf(first, 'a.ts')).toBe(files['a.ts']);
  expect(targets(first, 'one')).toEqual(['a.ts:13 a.ts:13']);
  expect(() => second.open[0]?.project.checker.resolveName('two', 1)).toThrow();
});

test('M15 before and after can be asked side by side', () => {
  const before = open({
    'tsconfig.json': config(),
    'a.ts': 'export const one = 1;\n',
    'b.ts': "import { one } from './a.js';\none;\n",
  });
  const after = before.withTexts(
    new Map([
      ['a.ts', 'export const uno = 1;\n'],
      ['b.ts', "import { uno } from './a.js';\nuno;\n"],
    ]),
  );
  expect(targets(after, 'uno')).toEqual(['a.ts:13 a.ts:13', 'b.ts:9 b.ts:9 a.ts:13', 'b.ts:30 b.ts:9']);
  expect(targets(before, 'one')).toEqual(['a.ts:13 a.ts:13', 'b.ts:9 b.ts:9 a.ts:13', 'b.ts:30 b.ts:9']);
  expect(targets(after, 'one')).toEqual([]);
  expect(textOf(before, 'a.ts')).toBe('export const one = 1;\n');
  expect(after.open[0]?.project.program.getSemanticDiagnostics()).toEqual([]);
});

test('an overlay replaces the one before it, and what neither has is what the first snapshot saw', () => {
  const before = open({ 'tsconfig.json': config(), 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 1;\n' });
  const first = before.withTexts(new Map([['a.ts', 'export const a = 2;\n']]));
  writeFileSync(join(before.root, 'a.ts'), 'export const a = 3;\n');
  const second = before.withTexts(new Map([['b.ts', 'export const b = 2;\n']]));
  const third = first.withTexts(new Map());
  expect([first, second, third].map((programs) => [textOf(programs, 'a.ts'), textOf(programs, 'b.ts')])).toEqual([
    ['export const a = 2;\n', 'export const b = 1;\n'],
    ['export const a = 1;\n', 'export const b = 2;\n'],
    ['export const a = 1;\n', 'export const b = 1;\n'],
  ]);
});

test('a file that moves is gone at its old path and found at its new one, also in a directory that is not there yet', () => {
  const before = open({
    'tsconfig.json': config(),
    'a.ts': 'export const one = 1;\n',
    'b.ts': "import { one } from './a.js';\none;\n",
  });
  const after = before.withTexts(
    new Map([
      ['a.ts', null],
      ['lib/deep/a.ts', 'export const one = 1;\n'],
      ['b.ts', "import { one } from './lib/deep/a.js';\none;\n"],
    ]),
  );
  expect(filesOf(after)).toEqual([['main', ['b.ts', 'lib/deep/a.ts']]]);
  expect(targets(after, 'one')).toContain('b.ts:9 b.ts:9 lib/deep/a.ts:13');
  expect(after.open[0]?.project.program.getSemanticDiagnostics()).toEqual([]);
  expect(filesOf(before)).toEqual([['main', ['a.ts', 'b.ts']]]);
  // And back.
  const back = after.withTexts(new Map());
  expect(filesOf(back)).toEqual([['main', ['a.ts', 'b.ts']]]);
  expect(targets(back, 'one')).toContain('b.ts:9 b.ts:9 a.ts:13');
});

test('projects that reference each other meet in the source, not in what was built of it', () => {
  const programs = open(
    {
      'tsconfig.json': JSON.stringify({ files: [], references: [{ path: 'core' }, { path: 'app' }] }),
      'core/tsconfig.json': config({ composite: true, noEmit: false, outDir: '../dist/core', rootDir: '.' }),
      'core/index.ts': 'export const shared = 1;\n',
      'app/tsconfig.json': config(
        { composite: true, noEmit: false, outDir: '../dist/app', rootDir: '.' },
        { references: [{ path: '../core' }] },
      ),
      'app/main.ts': "import { shared } from '../core/index.js';\nshared;\n",
    },
    [
      { key: 'core', config: 'core/tsconfig.json' },
      { key: 'app', config: 'app/tsconfig.json' },
    ],
  );
  expect(filesOf(programs)).toEqual([
    ['core', ['core/index.ts']],
    ['app', ['app/main.ts', 'core/index.ts']],
  ]);
  expect(targets(programs, 'shared')).toContain('app/main.ts:9 app/main.ts:9 core/index.ts:13');
});

test('a configuration without files, one that is not there, and one that cannot be read open nothing that could be asked', () => {
  const programs = open(
    {
      'tsconfig.json': JSON.stringify({ files: [], references: [] }),
      'broken/tsconfig.json': '{ "compilerOptions": [',
      'a.ts': '',
    },
    [
      { key: 'solution', config: 'tsconfig.json' },
      { key: 'broken', config: 'broken/tsconfig.json' },
      { key: 'missing', config: 'nowhere/tsconfig.json' },
    ],
  );
  expect(filesOf(programs).flatMap(([, files]) => files)).toEqual([]);
});

test('jsconfig.json is a project of JavaScript', () => {
  const programs = open({ 'jsconfig.json': '{}', 'a.js': 'export function greet() {}\ngreet();\n' }, [
    { key: 'js', config: 'jsconfig.json' },
  ]);
  expect(filesOf(programs)).toEqual([['js', ['a.js']]]);
  expect(targets(programs, 'greet')).toEqual(['a.js:16 a.js:16', 'a.js:27 a.js:16']);
});

test('files without a configuration are a program; those of two packages are two', () => {
  const programs = open(
    {
      'one/a.js': 'function helper() {}\nhelper();\n',
      'one/lib/b.ts': 'helper();\n',
      'two/a.js': 'function helper() {}\n',
      'two/c.tsx': 'export const element = <p />;\n',
    },
    [
      { key: 'ts-loose:one', config: null, files: ['one/a.js', 'one/lib/b.ts'] },
      { key: 'ts-loose:two', config: null, files: ['two/a.js', 'two/c.tsx'] },
    ],
  );
  expect(filesOf(programs)).toEqual([
    ['ts-loose:one', ['one/a.js', 'one/lib/b.ts']],
    ['ts-loose:two', ['two/a.js', 'two/c.tsx']],
  ]);
  expect(targets(programs, 'helper')).toEqual([
    'one/a.js:9 one/a.js:9',
    'one/a.js:21 one/a.js:9',
    'one/lib/b.ts:0 one/a.js:9',
    'two/a.js:9 two/a.js:9',
  ]);
});

test('the same package through a link is the package itself', () => {
  const root = writeTree({
    'packages/core/package.json': '{ "name": "core", "types": "index.ts", "main": "index.ts" }',
    'packages/core/index.ts': 'export const shared = 1;\n',
    'tsconfig.json': config({}, { files: ['main.ts'] }),
    'main.ts': "import { shared } from 'core';\nshared;\n",
  });
  mkdirSync(join(root, 'node_modules'));
  symlinkSync('../packages/core', join(root, 'node_modules/core'));
  const programs = openPrograms(root, [{ key: 'main', config: 'tsconfig.json' }]);
  try {
    expect(filesOf(programs)).toEqual([['main', ['main.ts', 'packages/core/index.ts']]]);
    expect(targets(programs, 'shared')).toContain('main.ts:9 main.ts:9 packages/core/index.ts:13');
  } finally {
    programs.close();
  }
});

test('offsets count from behind a byte order mark', () => {
  const programs = open({ 'tsconfig.json': config(), 'a.ts': '\uFEFFexport const mark = 1;\n' });
  expect(textOf(programs, 'a.ts')).toBe('export const mark = 1;\n');
  expect(targets(programs, 'mark')).toEqual(['a.ts:13 a.ts:13']);
});

test('M5 a file behind a link has one path, and an overlay reaches it under the name the program has it by', () => {
  const root = writeTree({
    'tsconfig.json': config({}, { include: ['src'] }),
    'lib/x.ts': 'export const one = 1;\n',
    'src/a.ts': "import { one } from './lib/x.js';\none;\n",
  });
  symlinkSync('../lib', join(root, 'src/lib'));
  const before = openPrograms(root, [{ key: 'main', config: 'tsconfig.json' }]);
  try {
    expect(before.open.map(({ files, doubles }) => [files, [...doubles]])).toEqual([[['lib/x.ts', 'src/a.ts'], []]]);
    expect(targets(before, 'one')).toContain('src/a.ts:9 src/a.ts:9 lib/x.ts:13');
    const after = before.withTexts(
      new Map([
        ['lib/x.ts', 'export const uno = 1;\n'],
        ['src/a.ts', "import { uno } from './lib/x.js';\nuno;\n"],
      ]),
    );
    expect(targets(after, 'uno')).toContain('src/a.ts:9 src/a.ts:9 lib/x.ts:13');
  } finally {
    before.close();
  }
});

test('M5 a file that a program has under two names is told', () => {
  const root = writeTree({
    'tsconfig.json': config(),
    'lib/x.ts': 'export const one = 1;\n',
    'src/a.ts': 'export {};\n',
  });
  symlinkSync('../lib/x.ts', join(root, 'src/y.ts'));
  const programs = openPrograms(root, [{ key: 'main', config: 'tsconfig.json' }]);
  try {
    expect(findDoubleFile(programs, ['one'])?.path).toBe('lib/x.ts');
    expect(findDoubleFile(programs, ['other'])).toBeUndefined();
  } finally {
    programs.close();
  }
});
