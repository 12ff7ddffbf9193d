import { expect, test } from 'vitest';
import { listSpecifiers } from './list-specifiers.ts';

async function list(text: string, path = 'a.ts'): Promise<readonly string[]> {
  const found = await listSpecifiers(path, /\.[cm]?js/.test(path) ? 'javascript' : 'typescript', text);
  for (const one of found) expect(text.slice(one.start, one.end)).toBe(one.text);
  return found.map(({ role, kind, text: own }) => `${role} ${kind} ${own}`);
}

test('every form of import is found with its place', async () => {
  expect(
    await list(
      [
        "import './1';",
        'import type { T } from "./2";',
        "export * from './3' with { type: 'json' };",
        "import x = require('./4');",
        "type U = import('./5').U<string>;",
        "let v: typeof import('./6');",
        'const w = () => import(`./7`);',
        "declare module './8' { interface T {} }",
        "const y = require('./9'), z = require.resolve('./10'), q = import.meta.resolve('./11');",
        "const url = new URL('./12', import.meta.url);",
        "vi.mock('./13'); jest.requireActual<typeof import('./14')>('./15');",
        "vi.mock(import('./16'), () => ({}));",
      ].join('\n'),
    ),
  ).toEqual([
    'module import ./1',
    'module import ./2',
    'module reexport ./3',
    'string import json',
    'module require ./4',
    'module dynamic ./5',
    'module dynamic ./6',
    'module dynamic ./7',
    'module import ./8',
    'module require ./9',
    'module require ./10',
    'module dynamic ./11',
    'url dynamic ./12',
    'mock import ./13',
    'module dynamic ./14',
    'mock import ./15',
    'module dynamic ./16',
  ]);
});

test('references and types in comments are found, other comments are not read', async () => {
  expect(
    await list(
      [
        '/// <reference path="x.ts" />',
        '/// <reference types="node" />',
        '/** @type {import(\'./1\').A | import("./2").B} */',
        "/** @import { A } from './3' */",
        "// import('./4')",
        "/* import './5' */",
      ].join('\n'),
      'a.js',
    ),
  ).toEqual(['reference reference x.ts', 'jsdoc import ./1', 'jsdoc import ./2', 'jsdoc import ./3']);
});

test('what is escaped is no path, what is computed has a beginning, and a plain string is told apart', async () => {
  expect(
    await list(
      "import(`./#{x}`); require('./a' + b); import('./\\x61'); f('./c'); new URL('./d', base);".replace('#', '$'),
    ),
  ).toEqual(['pattern dynamic ./', 'pattern require ./a', 'string import ./c', 'string import ./d']);
  expect(await list("import.meta.glob(['./x/*.ts', '!./x/y.ts']); require.context('./z', true);")).toEqual([
    'pattern dynamic ./x/*.ts',
    'pattern dynamic !./x/y.ts',
    'pattern dynamic ./z',
  ]);
  expect(await list("import { from './broken'; export const x = './y'")).toContain('string import ./y');
});
