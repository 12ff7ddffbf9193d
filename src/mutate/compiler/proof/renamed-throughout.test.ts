import { afterEach, expect, test } from 'vitest';
import { proveMarked } from '../../../../test/support/marked-edits.ts';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';

afterEach(closePrograms);

const member = { isMember: true };
const files = {
  'a.ts': 'export class C { ‹blockTime→blockTimes›() { return 1; } }\n',
  'use.ts': "import { C } from './a.js';\nexport const n = new C().«blockTime→blockTimes»();\n",
  'far.ts': "import { n } from './use.js';\nexport const m = n;\n",
};

/** `#{` stands for what opens a hole of a template. */
function withHoles(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.replaceAll('#{', '${')]));
}

/** How many files were asked: the two that are edited, or also the one that they can reach. */
function countAsked(others: Readonly<Record<string, string>>): unknown {
  const report = proveMarked(withHoles({ ...files, ...others }), member);
  return report.kind === 'proven' ? report.files : report;
}

test.each([
  ['nothing else is spelled like it', ''],
  ['a comment says it', '// blockTime\n/** The blockTime, {@link n}. */\nexport const x = 1;\n'],
  ['it ends another name', 'export const x = { myblockTime: 1 };\n'],
  ['another name begins with it, behind the new one', 'export const x = { blockTimez: 1 };\n'],
  ['it is read of what may be anything', 'declare const x: any;\nexport const t = x.blockTime();\n'],
  ['a template sets names apart', 'export type On<K extends string> = `#{K}-on` | `#{K}`;\n'],
  ['a template fits neither name', 'export type Hex = `0x#{string}` | `#{number}` | `a#{string}-`;\n'],
  ['a template fits both names', 'export type Any = `block#{string}`;\n'],
  ['a text is of any text', 'export const t = (s: string, b: boolean) => `on#{s}#{b}`;\n'],
  ['types write something else larger', 'export type Up<K extends string> = Capitalize<K>;\n'],
  ['types of templates are of certain texts', 'export type S = `#{1 | 2}xx`;\n'],
  ['what is inferred is bounded', 'export type S<K> = K extends `#{infer A extends 1 | 2}xx` ? `#{A}#{number}` : K;\n'],
  ['escapes spell something else', "export const s = '\\x41\\u0042\\n\\d';\n"],
])('M15 a program is the same under another name where %s', (_, text) => {
  expect(countAsked({ 'other.ts': `${text}export {};\n` })).toBe(2);
});

test.each([
  ['another member has it', 'export class D { blockTime = 1 }\n'],
  ['another member has the new one', 'export const x = { blockTimes: 1 };\n'],
  ['another stands between the two', 'export const x = { blockTimer: 1 };\n'],
  ['a text is it', "export const s = 'blockTime';\n"],
  ['a text has it', 'export const s = `#{1}blockTime.a`;\n'],
  ['a text that stands between the two begins with it', "export const s = 'blockTime-';\n"],
  ['a name has an escape', 'export const x = { block\\u{54}ime: 1 };\n'],
  ['a text has an escape', "export const x = { 'bloc\\kTime': 1, '\\x62lockTime': 2 };\n"],
  ['a text goes on in the next line', "export const x = { 'block\\\nTime': 1 };\n"],
  ['documentation reads it', 'declare const n: { blockTimez: 1 };\n/** {@link n.blockTime} */\nexport const x = n;\n'],
  ['types of templates put something before it', 'export type On<K extends string> = `on#{K}`;\n'],
  ['types of templates take it apart', 'export type Two<K> = K extends `#{infer A}#{infer B}` ? [A, B] : never;\n'],
  ['a template fits one of the two', 'export type S = `#{string}s`;\n'],
  ['types write it larger', 'export type Up<K extends string> = Capitalize<K>;\nexport const x = { BlockTime: 1 };\n'],
  [
    'types write all of it larger',
    'export type Up<K extends string> = Uppercase<K>;\nexport const x = { BLOCKTIMER: 1 };\n',
  ],
  [
    'types write something larger, and a text has an escape',
    "export type Up<K extends string> = Capitalize<K>;\nexport const x = '\\x42lockTime';\n",
  ],
  ['types of templates are of texts that it is part of', "export type S = `#{'block' | 'b'}Time`;\n"],
  ['types of templates are of texts that make a larger one', "export type S = `#{'BLOCK' | 'b'}#{'TIME' | 'c'}`;\n"],
  ['what is inferred is not bounded', 'export type S<K> = K extends `#{infer A extends 1 | 2}#{infer B}` ? B : K;\n'],
  ['what is bounded may be given anything', 'export type S<K extends 1 | 2> = `#{K}s`;\n'],
  ['the value of a member is put together', "export enum E { a = 'block' + 'Time' }\n"],
])('M15 everything in reach is asked where %s', (_, text) => {
  expect(countAsked({ 'other.ts': `${text}export {};\n` })).toBe(3);
});

test('M15 everything in reach is asked where what is written out may be the name of a member', () => {
  const far = (text: string) => ({ 'far.ts': `import { n } from './use.js';\nimport { C } from './a.js';\n${text}` });
  expect(countAsked(far('export const k = (c: keyof C) => [`on#{c}`, n] as const;\n'))).toBe(3);
  expect(countAsked(far('export const k = (c: keyof C) => [`on #{c}`, n] as const;\n'))).toBe(2);
  expect(countAsked(far("export const k = (c: 'a' | '-') => [`on#{c}`, n] as const;\n"))).toBe(3);
  expect(countAsked(far("export const k = (c: 'a' | '-') => [`on: #{c}s`, n] as const;\n"))).toBe(2);
});

test('M15 what is found out about the same thing where it may be anything holds where it is known', () => {
  const use = (name: string) => ({
    'use.ts':
      "import { C } from './a.js';\nexport const n = (c: any, d: any) =>\n" +
      `  ${name}.blockTime && c instanceof C && c.«blockTime→blockTimes»();\n`,
  });
  expect(countAsked(use('d'))).toBe(2);
  expect(countAsked(use('c'))).toBe(3);
});

test.each([
  ['a word of the language', 'constructor', 'contain'],
  ['a word that the compiler looks up', 'thus', 'then'],
  ['a name that says that it is not used', 'blockTime', '_blockTime'],
  ['a name with another first letter', 'blockTime', 'BlockTime'],
])('M15 everything in reach is asked where one of the two is %s', (_, from, to) => {
  const report = proveMarked(
    {
      'a.ts': `export interface C { ‹${from}→${to}›: number }\n`,
      'far.ts': "import { C } from './a.js';\nexport declare const c: C;\n",
    },
    member,
  );
  expect(report.kind === 'proven' ? report.files : report).toBe(2);
});

test('M15 everything in reach is asked where more than a name is written', () => {
  const use =
    "import { C } from './a.js';\nexport const n = ({ «blockTime→blockTimes: blockTime» }: C) => blockTime();\n";
  expect(countAsked({ 'use.ts': use })).toBe(3);
});

test('M15 a package that says it is no part of what is renamed', () => {
  const config = renderConfig({ moduleResolution: 'bundler', module: 'esnext' });
  const others = (name: string) => ({
    'tsconfig.json': config,
    'node_modules/p/package.json': '{"name":"p","version":"1.0.0","types":"index.d.ts"}',
    'node_modules/p/index.d.ts': `export interface P { ${name}: number }\n`,
    'other.ts': "export type { P } from 'p';\n",
  });
  expect(countAsked(others('time'))).toBe(2);
  expect(countAsked(others('blockTime'))).toBe(3);
});

test('M15 what types make of a name is another key, in a file that has heard of neither', () => {
  const made =
    "import type { C } from './a.js';\nexport const o: { [K in keyof C as `on#{K}`]: 1 } = { onblockTime: 1 };\n";
  expect(proveMarked(withHoles({ ...files, 'made.ts': made }), member)).toMatchObject({ kind: 'disproved' });
});

test('M15 an error that no one hears stays one', () => {
  const use =
    "import { C } from './a.js';\n// @ts-ignore\nexport const n: string = new C().«blockTime→blockTimes»();\n";
  expect(countAsked({ 'use.ts': use })).toBe(2);
});
