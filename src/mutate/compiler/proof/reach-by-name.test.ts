import { afterEach, describe, expect, test } from 'vitest';
import { proveMarked } from '../../../../test/support/marked-edits.ts';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import type { ProofReport } from '../session/messages.ts';

afterEach(closePrograms);

const filesOf = (report: ProofReport) => (report.kind === 'proven' ? report.files : report);
const uses = "import { b } from './between.js';\nexport const c = b;\n";
const between = "import { «a→z» } from './a.js';\nexport const b = «a→z»();\n";

test('M15 who does not spell the name of a function or variable cannot change', () => {
  const files = { 'between.ts': between, 'uses.ts': uses };
  expect(filesOf(proveMarked({ 'a.ts': 'export function ‹a→z›() { return 1; }\n', ...files }))).toBe(2);
  expect(filesOf(proveMarked({ 'a.ts': 'export const ‹a→z› = () => 1;\n', ...files }))).toBe(2);
});

test('M15 a file that spells the new name is looked at, also with an escape', () => {
  const a = 'export function ‹a→z›() { return 1; }\n';
  const one = `${uses}export const z = 2;\n`;
  expect(filesOf(proveMarked({ 'a.ts': a, 'between.ts': between, 'uses.ts': one }))).toBe(3);
  for (const spelled of ['\\u007a', '\\u{7a}', '\\u{0000007A}']) {
    const escaped = `${uses}export const ${spelled} = 2;\n`;
    expect(filesOf(proveMarked({ 'a.ts': a, 'between.ts': between, 'uses.ts': escaped }))).toBe(3);
  }
  const other = `${uses}export const \\u0079 = '\\u0079';\n`;
  expect(filesOf(proveMarked({ 'a.ts': a, 'between.ts': between, 'uses.ts': other }))).toBe(2);
});

test.each([
  ['an alias that no type carries', 'export type ‹A→Z› = string;\n'],
  ['an alias of what has a name already', 'interface Own {}\nexport type ‹A→Z› = Own;\n'],
  ['an enum, by which no union is ordered', 'export enum ‹A→Z› { One }\n'],
])('M15 who does not spell the name of a type cannot change: %s', (_, a) => {
  const typed = "import { «A→Z» } from './a.js';\nexport declare const b: «A→Z»;\n";
  expect(filesOf(proveMarked({ 'a.ts': a, 'between.ts': typed, 'uses.ts': uses }))).toBe(2);
});

describe('unions are ordered by the names of their types', () => {
  const typed = "import { «Quux→Quuy» } from './a.js';\nexport declare const b: «Quux→Quuy»;\n";
  const named: readonly (readonly [string, string])[] = [
    ['an interface', 'export interface ‹Quux→Quuy› { readonly kind: 1 }\n'],
    ['a class', 'export class ‹Quux→Quuy› {}\n'],
    ['an alias', 'export type ‹Quux→Quuy› = { readonly kind: 1 };\n'],
  ];
  test.each(named)('M15 where the order stays, who does not spell the name cannot change: %s', (_, a) => {
    expect(filesOf(proveMarked({ 'a.ts': a, 'between.ts': typed, 'uses.ts': uses }))).toBe(2);
  });

  // A file that spells the new one, or might, is looked at as well.
  const others: readonly (readonly [string, string, number])[] = [
    ['another stands between them', 'export interface Quuxx {}\n', 3],
    ['another is called like the old one', 'export class Quux {}\n', 3],
    ['another is called like the new one', 'export type Quuy = { a: 1 };\n', 4],
    ['its name has an escape', 'export interface \\u0051uuxx {}\n', 3],
    ['a comment stands before its name', 'export interface /* what */ // else\r Quuxx {}\n', 3],
    ['a blank that is none elsewhere stands before its name', 'export interface\u0085Quuxx {}\n', 3],
  ];
  test.each(others)('M15 every file in reach is looked at: %s', (_, other, count) => {
    const a = 'export interface ‹Quux→Quuy› { readonly kind: 1 }\n';
    const files = { 'a.ts': a, 'between.ts': typed, 'uses.ts': uses, 'other.ts': other };
    expect(filesOf(proveMarked(files))).toBe(count);
  });

  test('M15 what is made of a generic alias may carry its name', () => {
    const files = (a: string, given: string) => ({
      'a.ts': a,
      'between.ts': `import { «Quux→Quuy» } from './a.js';\nexport declare const b: «Quux→Quuy»${given};\n`,
      'uses.ts': uses,
      'other.ts': 'export interface Quuxx {}\n',
    });
    expect(filesOf(proveMarked(files('export type ‹Quux→Quuy› = string;\n', '')))).toBe(2);
    expect(filesOf(proveMarked(files('export type ‹Quux→Quuy›<T> = T;\n', '<string>')))).toBe(3);
  });

  test('M15 the last of a union is another one, in a file that has heard of neither', () => {
    const files = (newName: string) => ({
      'a.ts': `export interface ‹Quux→${newName}› { readonly a: 1 }\nexport interface Quuz { readonly z: 1 }\n`,
      'both.ts': `import type { «Quux→${newName}», Quuz } from './a.js';\nexport declare const both: «Quux→${newName}» | Quuz;\n`,
      'last.ts':
        'type Both<U> = (U extends unknown ? (given: () => U) => void : never) extends (given: infer I) => void ? I : never;\n' +
        'export type Last<U> = Both<U> extends () => infer L ? L : never;\n',
      'uses.ts':
        "import { both } from './both.js';\nimport type { Last } from './last.js';\n" +
        'export const z = (last: Last<typeof both>) => last.z;\n',
    });
    expect(proveMarked(files('Quuy'))).toMatchObject({ kind: 'proven', files: 2 });
    expect(proveMarked(files('Quuzz'))).toMatchObject({ kind: 'disproved' });
  });
});

test('M15 a type that the compiler looks up by itself is no name alone', () => {
  const jsx = { jsx: 'react-jsx', jsxImportSource: 'rt', module: 'esnext', moduleResolution: 'bundler' };
  const files = (newName: string) => ({
    'tsconfig.json': renderConfig({ ...jsx, paths: { 'rt/jsx-runtime': ['./rt/jsx-runtime.ts'] } }),
    'rt/jsx-runtime.ts': "export * as JSX from './types';\nexport declare function jsx(): unknown;\n",
    'rt/types.ts': `export interface ‹IntrinsicElements→${newName}› { readonly box: { readonly a: number } }\n`,
    'use.tsx': 'export const x = <box a={1} />;\n',
  });
  expect(proveMarked(files('IntrinsicElementr'))).toMatchObject({ kind: 'disproved' });
});

test('M15 a module that only stands before points is no value', () => {
  const files = {
    'a.ts': 'export const ‹a→z› = 1;\nexport interface A {}\n',
    'between.ts': "import * as all from './a.js';\nexport const b = all.«a→z»;\nexport type B = all.A;\n",
    'uses.ts': uses,
  };
  expect(filesOf(proveMarked(files))).toBe(2);
  const other =
    "import * as all from './a.js';\nconst o = { all: { a: 1, z: 'no' } };\nexport const b: number = o.all.«a→z»;\n";
  expect(proveMarked({ ...files, 'other.ts': other })).toMatchObject({ kind: 'disproved' });
});

test("M15 what an entry passes on as an object is no file's value, unless a file imports the entry", () => {
  const files = {
    'a.ts': 'export const ‹a→z› = 1;\n',
    'between.ts': between,
    'uses.ts': uses,
    'index.ts': "export * as all from './a.js';\n",
  };
  // The path spells it.
  expect(filesOf(proveMarked(files))).toBe(3);
  const importer = "import { all } from './index.js';\nexport const c: { readonly [K in `a`]: number } = all;\n";
  expect(proveMarked({ ...files, 'other.ts': importer })).toMatchObject({ kind: 'disproved' });
});

const wide: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'the name of a type orders unions',
    {
      'a.ts': 'export type ‹A→Z› = { readonly kind: 1 };\n',
      'between.ts': "import type { «A→Z» } from './a.js';\nexport declare const b: «A→Z»;\n",
    },
  ],
  [
    'a class is a type as well',
    {
      'a.ts': 'export class ‹A→Z› {}\n',
      'between.ts': "import { «A→Z» } from './a.js';\nexport const b = new «A→Z»();\n",
    },
  ],
  [
    'a unique symbol is part of keys',
    {
      'a.ts': 'export const ‹a→z› = Symbol();\n',
      'between.ts': "import { «a→z» } from './a.js';\nexport const b = { [«a→z»]: 1 };\n",
    },
  ],
  [
    'a module that is a value has its exports as properties',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'between.ts': "import * as all from './a.js';\nexport const b = all;\n",
    },
  ],
  [
    'also where it stands before a point as well',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'between.ts': "import * as all from './a.js';\nexport const b = [all.«a→z», { all }];\n",
    },
  ],
  [
    'or for its default, which it has not',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'between.ts': "import whole, * as all from './a.js';\nexport const b = [all.«a→z», whole];\n",
    },
  ],
  [
    'so has one that is imported when it is needed',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'between.ts': "export const b = () => import('./a.js');\n",
    },
  ],
  [
    'and one that another passes on under a name',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'middle.ts': "export * as all from './a.js';\n",
      'between.ts': "import { all } from './middle.js';\nexport const b = all;\n",
    },
  ],
  [
    'a variable of a namespace is a property of it',
    {
      'a.ts': 'export namespace n { export const ‹a→z› = 1; }\n',
      'between.ts': "import { n } from './a.js';\nexport const b = n;\n",
    },
  ],
  [
    'JavaScript modules are values',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'between.ts': "import { «a→z» } from './a.js';\nexport const b = «a→z»;\n",
      'old.js': "import { b } from './between.js';\nexports.c = b;\n",
    },
  ],
];
test.each(wide)('M15 every file in reach is looked at, at any width: %s', (_, files) => {
  expect(filesOf(proveMarked({ ...files, 'uses.ts': uses }))).toBe(Object.keys(files).length + 1);
});

test('M15 an edit of a key beside the variable is no edit of names alone', () => {
  const report = proveMarked(
    {
      'a.ts': 'export const ‹a→z› = 1;\nexport const o = { «a→z»: 2 };\n',
      'between.ts': "import { o } from './a.js';\nexport const b = o;\n",
      'uses.ts': "import { b } from './between.js';\nexport const c: { a: number } = b;\n",
    },
    { isMember: false },
  );
  expect(report).toMatchObject({ kind: 'disproved' });
});

test('M15 nor is one of a string, though it stands where a value could', () => {
  const report = proveMarked({
    'a.ts': "export const ‹a→z› = 1;\nexport const o = { a: 2, z: 'no' };\nexport const p = o['«a→z»'];\n",
    'uses.ts': "import { p } from './a.js';\nexport const c: number = p;\n",
  });
  expect(report).toMatchObject({ kind: 'disproved' });
});

test('M15 a module that passes on two of the new name is found, though it spells neither', () => {
  const report = proveMarked({
    'a.ts': 'export const ‹a→z› = 1;\n',
    'other.ts': 'export const z = 2;\n',
    'all.ts': "export * from './a.js';\nexport * from './other.js';\n",
  });
  expect(report).toMatchObject({ kind: 'disproved' });
});

test('M15 an object type of a module that no longer fits is found in a file without the name', () => {
  const report = proveMarked({
    'a.ts': 'export const ‹a→z› = 1;\n',
    'shape.ts': 'export type Shape = { [K in `a`]: number };\n',
    'between.ts': "import * as all from './a.js';\nexport const b = all;\n",
    'uses.ts':
      "import { b } from './between.js';\nimport type { Shape } from './shape.js';\nexport const c: Shape = b;\n",
  });
  expect(report).toMatchObject({ kind: 'disproved', reason: 'new_diagnostics' });
});

describe('several programs', () => {
  const all = {
    'tsconfig.json': renderConfig({}, { include: ['src'] }),
    'tests/tsconfig.json': renderConfig({}, { include: ['.', '../src'] }),
    'src/a.ts': 'export function ‹a→z›() { return 1; }\n',
    'src/between.ts': between,
    'src/uses.ts': uses,
  };
  const both = ['tsconfig.json', 'tests/tsconfig.json'].map((config) => ({ key: config, config }));

  test('M15 what only one of them has is no part of the other, and no reason to look at everything', () => {
    const tests = { 'tests/a.test.ts': "import { ‹a→z› } from '../src/a.js';\n«a→z»();\n" };
    expect(filesOf(proveMarked({ ...all, ...tests }, {}, both))).toBe(3);
  });

  test('M16 a clash in the one that has more files is found', () => {
    const tests = { 'tests/a.test.ts': "import { ‹a→z› } from '../src/a.js';\nfunction z() {}\n«a→z»();\nz();\n" };
    expect(proveMarked({ ...all, ...tests }, {}, both)).toMatchObject({ kind: 'disproved' });
  });
});

describe('a name that its file keeps to itself', () => {
  const js = { 'tsconfig.json': renderConfig({ allowJs: true, checkJs: true, module: 'commonjs' }) };
  const user = "const { a } = require('./a.js');\nmodule.exports = { b: a() };\n";

  test('M15 in JavaScript others see what it is, not what it is called, where the export keeps its key', () => {
    const own = 'function ‹a→aa›() { return 1; }\nmodule.exports = { «a→a: aa» };\n';
    expect(filesOf(proveMarked({ ...js, 'a.js': own, 'user.js': user }))).toBe(1);
    const fixed = 'const ‹a→aa› = () => 1;\nexports.a = «a→aa»;\n';
    expect(filesOf(proveMarked({ ...js, 'a.js': fixed, 'user.js': user }))).toBe(1);
  });

  test('M15 and in TypeScript', () => {
    const own = 'function ‹a→aa›() { return 1; }\nexport { «a→aa as a» };\nexport default { «a→a: aa» };\n';
    expect(filesOf(proveMarked({ 'a.ts': own, 'user.ts': "import { a } from './a.js';\na();\n" }))).toBe(1);
  });

  test('M15 a key that changes is seen by those who do not spell it', () => {
    const own = 'function ‹a→aa›() { return 1; }\nmodule.exports = { «a→aa» };\n';
    expect(proveMarked({ ...js, 'a.js': own, 'user.js': user })).toMatchObject({ kind: 'disproved' });
    const shown = 'function ‹a→aa›() { return 1; }\nexport { «a→aa» };\n';
    const whole = "import * as all from './a.js';\nexport const b: { a(): number } = all;\n";
    expect(proveMarked({ 'a.ts': shown, 'user.ts': whole })).toMatchObject({ kind: 'disproved' });
  });

  test('M15 a file that spells the new name is looked at, and so is every file where types change their order', () => {
    const own = 'function ‹a→aa›() { return 1; }\nmodule.exports = { «a→a: aa» };\n';
    expect(filesOf(proveMarked({ ...js, 'a.js': own, 'user.js': `${user}const aa = 1;\n` }))).toBe(2);
    const ordered = [
      'class ‹a→aa› {}\n',
      'function ‹a→aa›() { this.b = 1; }\n',
      'function ‹a→aa›() {}\n«a→aa».prototype.b = 1;\n',
    ];
    for (const one of ordered) {
      const files = { ...js, 'a.js': `${one}module.exports = { «a→a: aa» };\n`, 'user.js': `${user}class a1 {}\n` };
      expect(filesOf(proveMarked(files))).toBe(2);
    }
  });
});
