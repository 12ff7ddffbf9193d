/** `def` and `refs` over whole trees: lexical scope in a file, imports and exports between files, an account of every other token. */

import { afterAll, describe, test } from 'vitest';
import { createNavigator, type DefCase, type RefsCase } from '../support/check-navigate.ts';

const typescriptRefs: readonly RefsCase[] = [
  {
    shows: 'a local shadows, and other functions have their own',
    files: {
      'a.ts':
        'export function f(x: number) { const «y» = x; { const y = 2; g(y); } return «y»; }\nexport const g = (y: number) => y;',
    },
    relation: 'eq',
    excluded: { other_symbols: 4 },
  },
  {
    shows: 'an exported function through a barrel with and without alias',
    files: {
      'lib/a.ts': 'export function «total»() {}\n«total»();',
      'lib/index.ts': "export { «total» } from './a.ts';\nexport { «total» as «sum» } from './a.ts';",
      'use.ts': "import { «total», «sum» as «s» } from './lib/index.ts';\n«total»(); «s»();",
    },
    relation: 'eq',
  },
  {
    shows: 'the same through export star, asked at the far end',
    files: {
      'a.ts': 'export const «rate» = 1;',
      'b.ts': "export * from './a.ts';",
      'c.ts': "export * from './b.ts';",
      'd.ts': "import { «rate» } from './c.ts';\nconsole.log(«rate»);",
    },
    at: ['d.ts', 1],
    relation: 'eq',
  },
  {
    shows: 'a name of its own is stronger than a star',
    files: {
      'a.ts': 'export const «rate» = 1;',
      'b.ts': "export * from './a.ts';\nexport const rate = 2;",
      'c.ts': "import { rate } from './b.ts';\nconsole.log(rate);",
    },
    relation: 'eq',
    excluded: { other_symbols: 3 },
  },
  {
    shows: 'a default export under any name, from the declaration',
    files: {
      'a.ts': 'export default function «run»() { «run»(); }',
      'b.ts': "import «run» from './a.ts';\n«run»();",
      'c.ts': "import «go», { type T } from './a.ts';\n«go»();",
    },
    relation: 'eq',
  },
  {
    shows: 'members of a module that is imported as a whole',
    files: {
      'a.ts': 'export const «one» = 1;\nexport const two = 2;',
      'b.ts': "import * as all from './a.ts';\nconsole.log(all.«one», all.two, all?.«one»);",
    },
    relation: 'eq',
  },
  {
    shows: 'T14: a module that is passed on may be anything with that member',
    files: {
      'a.ts': 'export const «one» = 1;',
      'b.ts': "import * as all from './a.ts';\nexport const copy = { ...all };",
      'c.ts': "import { copy } from './b.ts';\nconsole.log(copy.‹one›);",
    },
    relation: 'gte',
    because: [/pass on a\.ts as a whole/, /1 place in 1 file could mean it/],
  },
  {
    shows: 'a member of something else is no reference where no module is passed on',
    files: {
      'a.ts': 'export const «size» = 1;',
      'b.ts': "import { «size» } from './a.ts';\nexport const f = (m: Map<string, string>) => m.size + «size»;",
    },
    relation: 'eq',
    excluded: { other_symbols: 1 },
  },
  {
    shows: 'T14: a computed import may load the module',
    files: {
      'a.ts': 'export const «one» = 1;',
      'b.ts': 'export const load = (name: string) => import(name).then((m) => m.‹one›);',
    },
    relation: 'gte',
    because: [/computed when the program runs/],
  },
  {
    shows: 'an alias asked for itself is the alias',
    files: {
      'a.ts': 'export const price = 1;',
      'b.ts': "import { price as «p» } from './a.ts';\nconsole.log(«p»);",
      'c.ts': 'export const p = 2;',
    },
    relation: 'eq',
  },
  {
    shows: 'shorthand properties read the variable',
    files: { 'a.ts': 'const «id» = 1;\nexport const o = { «id», id2: «id», [`id`]: «id» };\nexport const q = o.id;' },
    relation: 'eq',
  },
  {
    shows: 'a destructured name is also the name of a property',
    files: { 'a.ts': 'export function f(o: { id: number }) { const { «id» } = o; return «id»; }' },
    relation: 'gte',
    because: [/also the name of a property/],
  },
  {
    shows: 'JSX elements are uses, attributes and intrinsic elements are not',
    files: {
      'card.tsx': 'export function «Card»(props: object) { return <div card={1} />; }',
      'page.tsx': "import { «Card» } from './card.tsx';\nexport const page = <«Card» Card={2}><b /></«Card»>;",
    },
    relation: 'eq',
    excluded: { other_symbols: 1 },
  },
  {
    shows: 'overloads are one thing',
    files: {
      'a.ts':
        'export function «f»(x: string): void;\nexport function «f»(x: number): void;\nexport function «f»(x: unknown) {}\n«f»(1);',
    },
    relation: 'eq',
  },
  {
    shows: 'merged declarations of several kinds count as one, and say so',
    files: {
      'a.ts': 'export interface «Box» { n: number }\nexport const «Box» = 1;\nexport const b: «Box» = { n: «Box» };',
    },
    relation: 'gte',
    because: [/share its name/],
  },
  {
    shows: 'strings, comments and templates are mentions, code in templates is a use',
    files: {
      'a.ts': `const «word» = 1;\n// word\nexport const s = 'word' + \`word \${«word»}\` + /word/.source;`,
      'notes.md': 'word',
    },
    relation: 'eq',
    excluded: { mentions: 4 },
  },
  {
    shows: 'prose and data that mention an export are mentions',
    files: {
      'a.ts': 'export const «launch» = 1;',
      'README.md': 'call launch',
      'x.json': '{"launch": 1}',
      'x.py': 'launch = 1',
    },
    relation: 'eq',
    excluded: { mentions: 2, other_languages: 1 },
  },
  {
    shows: 'T14: code inside files that are not parsed is unresolved',
    files: {
      'a.ts': 'export const «launch» = 1;',
      'b.vue': "<script>import { ‹launch› } from './a.ts'</script>",
    },
    relation: 'gte',
  },
  {
    shows: 'T14: text the parser gave up on is unresolved',
    files: { 'a.ts': 'const «n» = 1;\nexport const m = «n»;\n)(‹n› ~~ ;' },
    relation: 'gte',
    because: [/could not be parsed/],
  },
  {
    shows: 'T14: an import that leads nowhere may lead here',
    files: {
      'a.ts': 'export const «one» = 1;',
      'b.ts': "import { ‹one› } from '@/generated/a';\nconsole.log(‹one›);",
    },
    relation: 'gte',
  },
  {
    shows: 'enum members through the enum, here and where it is imported',
    files: {
      'a.ts': 'export enum Color { «Red», Blue = «Red» }\nexport const c: Color = Color.«Red»;',
      'b.ts':
        "import { Color as Hue } from './a.ts';\nexport const d: Hue.«Red» = Hue.«Red»;\nexport const e = { Red: 1 };",
    },
    relation: 'eq',
    excluded: { other_symbols: 1 },
  },
  {
    shows: 'a member is bound by types, which are not computed here',
    files: {
      'a.ts': 'export class A { ‹go›() {} }\nexport const f = (a: A, go: number) => a.‹go›() ?? go;',
      'b.ts': 'export const o = { ‹go›: 1 };',
    },
    target: 'A/go',
    relation: 'gte',
    because: [/not known without types/],
    excluded: { other_symbols: 2 },
  },
  {
    shows: 'private names are bound by their class',
    files: {
      'a.ts':
        'export class A { «#n» = 1; get() { return this.«#n»; } }\nexport class B { #n = 2; get() { return this.#n; } }',
    },
    relation: 'eq',
  },
  {
    shows: 'CommonJS: what is assigned to exports is a property',
    files: {
      'a.js': 'function «work»() {}\nmodule.exports = { «work» };',
      'b.js': "const { ‹work› } = require('./a.js');\n‹work›();",
    },
    relation: 'gte',
  },
  {
    shows: 'names of global scripts may be meant anywhere',
    files: { 'a.ts': 'var «shared» = 1;', 'b.ts': 'console.log(‹shared›, window.‹shared›);' },
    relation: 'gte',
  },
  {
    shows: 'a name path, top level before members',
    files: { 'a.ts': 'export function «total»() {}\nexport class Order { total() { return «total»(); } }' },
    target: 'total',
    relation: 'eq',
  },
  {
    shows: 'wide characters, tabs and CRLF before the name',
    files: { 'a.ts': '/* 😀é */\tconst «ñame» = "漢字";\r\nexport default [«ñame», "😀", «ñame»];' },
    relation: 'eq',
  },
];

const otherRefs: readonly RefsCase[] = [
  {
    shows: 'Python: a local, with another of the same name',
    files: {
      'a.py':
        'def f(items):\n    «n» = 0\n    for i in items:\n        «n» += i\n    return «n»\n\ndef g(n):\n    return n\n',
    },
    relation: 'eq',
    excluded: { other_symbols: 2 },
  },
  {
    shows: 'Python: from-imports through a package, with alias and through the module',
    files: {
      'pkg/__init__.py': 'from .core import «load»\n',
      'pkg/core.py': 'def «load»():\n    pass\n',
      'use.py':
        'from pkg import «load» as «ld»\nfrom pkg import core\nimport pkg.core as c\n«ld»()\ncore.«load»()\nc.«load»()\njson.‹load›()\n',
    },
    at: ['pkg/core.py', 0],
    relation: 'gte',
  },
  {
    shows: 'Go: a local is bound, the package is not followed over files',
    files: {
      'go.mod': 'module m\n',
      'a.go': 'package m\n\nfunc «Run»() { «Run»() }\n',
      'b.go': 'package m\n\nfunc other() { ‹Run›() }\n',
    },
    relation: 'gte',
  },
  {
    shows: 'Go: locals',
    files: {
      'a.go': 'package m\n\nfunc f() int {\n\t«n» := 1\n\tif n := 2; n > 1 {\n\t\treturn n\n\t}\n\treturn «n»\n}\n',
    },
    relation: 'eq',
    excluded: { other_symbols: 3 },
  },
  {
    shows: 'Java: a type by its import',
    files: {
      'a/Item.java': 'package a;\npublic class «Item» { «Item» next; }\n',
      'b/Use.java': 'package b;\nimport a.«Item»;\nclass Use { «Item» item; }\n',
      'c/Other.java': 'package c;\nclass Other { ‹Item› item; }\n',
    },
    at: ['a/Item.java', 0],
    relation: 'gte',
  },
];

const defs: readonly DefCase[] = [
  { shows: 'a local', files: { 'a.ts': 'export function f(‹x›: number) { return «x»; }' } },
  {
    shows: 'through a barrel and an alias',
    files: {
      'a.ts': 'export const ‹one› = 1;',
      'b.ts': "export { one as uno } from './a.ts';",
      'c.ts': "import { uno } from './b.ts';\nconsole.log(«uno»);",
    },
    via: ['c.ts', 'b.ts'],
  },
  {
    shows: 'through stars',
    files: {
      'a.ts': 'export const ‹one› = 1;',
      'b.ts': "export * from './a.ts';\nexport * from './z.ts';",
      'z.ts': 'export const zed = 1;',
      'c.ts': "import { one } from './b.ts';\nconsole.log(«one»);",
    },
    via: ['c.ts'],
  },
  {
    shows: 'a default export',
    files: { 'a.ts': 'class ‹A› {}\nexport default A;', 'b.ts': "import Any from './a.ts';\nnew «Any»();" },
    via: ['b.ts'],
  },
  {
    shows: 'an anonymous default export',
    files: { 'a.ts': 'export ‹default› () => 1;', 'b.ts': "import f from './a.ts';\n«f»();" },
    via: ['b.ts'],
  },
  {
    shows: 'a member of a module',
    files: { 'a.ts': 'export const ‹one› = 1;', 'b.ts': "import * as a from './a.ts';\nconsole.log(a.«one»);" },
  },
  {
    shows: 'a module itself',
    files: { 'a.ts': 'export const one = 1;', 'b.ts': "import * as a from './a.ts';\nconsole.log(«a».one);" },
    via: ['b.ts'],
    modules: ['a.ts'],
  },
  {
    shows: 'a package outside',
    files: { 'b.ts': "import { join } from 'node:path';\n«join»();" },
    via: ['b.ts'],
    outside: 'node:path',
    relation: 'gte',
  },
  {
    shows: 'a file that is not there',
    files: { 'b.ts': "import { x } from './gone.ts';\n«x»();" },
    via: ['b.ts'],
    outside: './gone.ts',
    relation: 'gte',
  },
  {
    shows: 'a member, by name only',
    files: {
      'a.ts': 'export class A { ‹go›() {} }\nexport class B { ‹go›() {} }\nexport const go = 1;',
      'b.ts': "import { A } from './a.ts';\nnew A().«go»();",
    },
    provenance: 'text',
    relation: 'gte',
  },
  {
    shows: 'declarations that merge are all there',
    files: { 'a.ts': 'export interface ‹I› { a: 1 }\nexport interface ‹I› { b: 1 }\nexport type J = «I»;' },
  },
  {
    shows: 'Python through a package',
    files: {
      'pkg/__init__.py': 'from .core import load\n',
      'pkg/core.py': 'def ‹load›():\n    pass\n',
      'use.py': 'from pkg import load\n«load»()\n',
    },
    via: ['use.py', 'pkg/__init__.py'],
  },
  {
    shows: 'right behind the name',
    files: { 'a.ts': 'const ‹n› = 1;\nexport const m = n«»;' },
  },
];

const navigator = createNavigator();
afterAll(() => navigator.dispose());

describe('references', () => {
  test.each([...typescriptRefs, ...otherRefs])('$shows', (one) => navigator.refs(one));
});

describe('definitions', () => {
  test.each(defs)('$shows', (one) => navigator.def(one));
});
