import { afterEach, expect, test } from 'vitest';
import { proveMarked } from '../../../../test/support/marked-edits.ts';
import { closePrograms } from '../../../../test/support/open-programs.ts';
import type { ProofReport } from '../types.ts';

afterEach(closePrograms);

const filesOf = (report: ProofReport) => (report.kind === 'proven' ? report.files : report);
const uses = "import { b } from './between.js';\nexport const c = b;\n";
const between = "import { «a→z» } from './a.js';\nexport const b = «a→z»();\n";

test('M15 who does not spell the name of a function or variable cannot change', () => {
  const files = { 'between.ts': between, 'uses.ts': uses };
  expect(filesOf(proveMarked({ 'a.ts': 'export function ‹a→z›() { return 1; }\n', ...files }))).toBe(2);
  expect(filesOf(proveMarked({ 'a.ts': 'export const ‹a→z› = () => 1;\n', ...files }))).toBe(2);
});

test('M15 who spells the new name is looked at, also with an escape', () => {
  const a = 'export function ‹a→z›() { return 1; }\n';
  const one = `${uses}export const z = 2;\n`;
  expect(filesOf(proveMarked({ 'a.ts': a, 'between.ts': between, 'uses.ts': one }))).toBe(3);
  const escaped = `${uses}export const \\u007a = 2;\n`;
  expect(filesOf(proveMarked({ 'a.ts': a, 'between.ts': between, 'uses.ts': escaped }))).toBe(3);
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
test.each(wide)('M15 everybody in reach is looked at: %s', (_, files) => {
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
