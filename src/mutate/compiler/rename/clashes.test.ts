import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { openRename } from '../../../../test/support/rename-world.ts';
import type { AliasPolicy } from '../../vocabulary.ts';
import { findClashes } from './clashes.ts';
import { importerHasName } from './occurrences.ts';

afterAll(closePrograms);

type Files = string | Readonly<Record<string, string>>;

function clashesOf(files: Files, newName: string, policy?: AliasPolicy): readonly string[] {
  const tree = typeof files === 'string' ? { 'a.ts': files } : files;
  return [...new Set(findClashes(openRename(tree, newName, policy)).map(({ reason }) => reason))];
}

const m = 'export {};\n';

/** Under which a file without imports and exports is a script. */
const scripts = {
  'tsconfig.json': renderConfig({ module: 'esnext', moduleResolution: 'bundler', moduleDetection: 'auto' }),
};

/** New name `b`; a module unless it says otherwise. */
const lexical: readonly (readonly [shows: string, source: Files, reasons: readonly string[]])[] = [
  ['a fresh name', `${m}const «a» = 1; a;`, []],
  ['two constants of a file', `${m}const «a» = 1; const b = 2;`, ['collision']],
  [
    'a parameter and a variable at the top of the body',
    'export function f(«a»: number) { const b = a; return b; }',
    ['collision'],
  ],
  ['two parameters', 'export function f(«a»: number, b: number) { return b; }', ['collision']],
  [
    'a destructured parameter',
    'export function f({ x: «a», b }: { x: number; b: number }) { return b; }',
    ['collision'],
  ],
  [
    'an import and a constant',
    { 'a.ts': "import { b } from './c.js'; const «a» = 1; b;", 'c.ts': 'export const b = 1;' },
    ['collision'],
  ],
  ['what is caught and a variable of the handler', `${m}try {} catch («a») { let b = a; }`, ['collision']],
  ['a type and a value: one symbol to the compiler', `${m}interface «A» {} const b = 1; let x: A;`, ['collision']],
  ['two interfaces would merge', `${m}interface «A» {} interface b {} let x: A;`, ['collision']],
  [
    'a function and a namespace would merge',
    `${m}function «a»() {} namespace b { export const x = 1; }`,
    ['collision'],
  ],
  ['two type parameters', 'export type T<«A», b> = A;', ['collision']],
  [
    'a script shares its top level with other scripts',
    { ...scripts, 'a.ts': 'const «a» = 1;', 'c.ts': 'const b = 2;' },
    ['collision'],
  ],
  [
    'namespaces of one name share what they export',
    'namespace N { export const «a» = 1; } namespace N { export const b = 2; }',
    ['collision'],
  ],
  [
    'different functions',
    'export function f(«a»: number) { return a; } export function g(b: number) { return b; }',
    [],
  ],
  ['sibling blocks', `${m}{ const «a» = 1; } { const b = 2; }`, []],
  ['an inner declaration that no reference passes', `${m}const «a» = 1; a; { const b = 2; b; }`, []],
  ['a reference inside the scope of another', `${m}const «a» = 1; { const b = 2; a; }`, ['capture']],
  ['a reference inside an arrow with a parameter', `${m}const «a» = 1; const f = (b: number) => a + b;`, ['capture']],
  ['a shorthand property is a reference', `${m}const «a» = 1; const f = (b: number) => ({ a, b });`, ['capture']],
  ['a type reference past a value of that name', `${m}type «A» = 1; function f(b: number): A { return 1; }`, []],
  ['a type reference past a type parameter', `${m}type «A» = 1; function f<b>(): A { return 1; }`, ['capture']],
  ['a default value does not see the body', `${m}const b = 1; function f(x = b) { const «a» = 2; return a + x; }`, []],
  ['an existing reference to an outer name', `${m}const b = 1; function f(«a»: number) { return a + b; }`, ['capture']],
  [
    'an existing reference to an outer name, from an arrow',
    `${m}const b = 1; const f = («a»: number) => () => b;`,
    ['capture'],
  ],
  ['an outer name that the scope does not use', `${m}const b = 1; b; function f(«a»: number) { return a; }`, []],
  [
    'an existing reference to something global',
    `${m}declare global { const b: number; }\nfunction f(«a»: number) { return b + a; }`,
    ['capture'],
  ],
  ['an existing reference to nothing', `${m}function f(«a»: number) { return b + a; }`, ['capture']],
  ['a type reference that no value can capture', `${m}type b = 1; function f(«a»: number): b { return 1; }`, []],
  [
    'a `let` around a `var` that would rise past it',
    `${m}function f() { { let b = 1; { var «a» = 2; } b; } }`,
    ['capture'],
  ],
  ['a function expression and its own parameter', `${m}const f = function «a»(b: number) { return b; };`, []],
  [
    'a function expression that calls itself past its parameter',
    `${m}const f = function «a»(b: number): void { a(1); };`,
    ['capture'],
  ],
  ['an enum sees its members', `${m}const b = 1; enum E { «a», c = b }`, ['capture']],
  ['property names are in no scope', `${m}const «a» = 1; const o = { b: a }; o.b;`, []],
  ['what `infer` names is seen in one branch', `${m}type b = 1; type T<X> = X extends (infer «A»)[] ? A : b;`, []],
  [
    'what `infer` names captures in that branch',
    `${m}type b = 1; type T<X> = X extends (infer «A»)[] ? [A, b] : 1;`,
    ['capture'],
  ],
  ['destructuring keeps the property', `${m}const { «a»: c } = { a: 1 }; const b = 2;`, []],
];

describe('M10 names in scopes', () => {
  test.each(lexical)('M10 %s', (_, files, reasons) => {
    expect([...clashesOf(files, 'b')].sort()).toEqual([...reasons].sort());
  });

  test('M10 a script does not take a name that the standard library declares', () => {
    expect(clashesOf({ ...scripts, 'a.ts': 'var «a» = 1;' }, 'Array')).toEqual(['collision']);
    expect(clashesOf(`${m}var «a» = 1; a;`, 'Array')).toEqual([]);
    expect(clashesOf(`${m}var «a» = 1; Array.from('x');`, 'Array')).toEqual(['capture']);
  });

  test('M10 a clash says both places in one sentence', () => {
    const [clash] = findClashes(
      openRename({ 'src/a.ts': 'export function f() {\n  const «a» = 1;\n  const b = 2;\n}' }, 'b'),
    );
    expect(clash).toEqual({
      path: 'src/a.ts',
      start: 30,
      end: 31,
      reason: 'collision',
      detail: '`b` is already declared in the same function at src/a.ts:3:9.',
      other: { path: 'src/a.ts', start: 45, outside: false },
    });
  });
});

const members: readonly (readonly [shows: string, source: Files, reasons: readonly string[]])[] = [
  ['a fresh member', 'export class C { «a» = 1; m() { return this.a; } }', []],
  ['the same class', 'export class C { «a» = 1; b = 2; }', ['collision']],
  ['the same interface in another declaration', `${m}interface I { «a»: 1 } interface I { b: 2 }`, ['collision']],
  ['a type literal', 'export type T = { «a»: 1; b: 2 };', ['collision']],
  ['an object literal', 'export const o = { «a»: 1, b: 2 };', ['collision']],
  ['an enum', 'export enum E { «a», b }', ['collision']],
  ['a base class', 'class B { b = 1; } export class C extends B { «a» = 2; }', ['collision']],
  ['a derived class', 'class B { «a» = 1; } export class C extends B { b = 2; }', ['collision']],
  [
    'a derived class of a derived class',
    'class B { «a» = 1; } class M extends B {} export class C extends M { b = 2; }',
    ['collision'],
  ],
  ['a base interface', 'interface B { b: 1 } export interface C extends B { «a»: 2 }', ['collision']],
  [
    'an optional member of what a class implements',
    'interface I { «a»?: 1 } export class C implements I { b = 1 as const; }',
    ['collision'],
  ],
  ['statics and instances are apart', 'export class C { static «a» = 1; b = 2; }', []],
  ['two statics', 'export class C { static «a» = 1; static b = 2; }', ['collision']],
  ['a parameter property and a field', 'export class C { constructor(readonly «a»: number) {} b = 1; }', ['collision']],
  [
    'a type it is intersected with',
    `${m}interface A { «a»: 1 } interface B { b: 2 } declare const x: A & B; x.a;`,
    ['collision'],
  ],
  ['another class', 'export class C { «a» = 1; } export class D { b = 2; }', []],
  [
    'an access that an index signature answers',
    `${m}interface I { «a»: 1; [k: string]: number } declare const i: I; i.b;`,
    ['capture'],
  ],
  ['an access that is an error today', `${m}interface I { «a»: 1 } declare const i: I; i.b;`, ['capture']],
  ['an access on something else', `${m}interface I { «a»: 1 } declare const i: { b: 1 }; i.b;`, []],
  [
    'a literal meant for another part of the union',
    `${m}type U = { «a»: 1 } | { b: 1 }; const u: U = { b: 1 };`,
    ['collision'],
  ],
  ['a variable of the new name', `${m}const b = 1; const o = { «a»: b }; o.a;`, []],
];

describe('M10 members', () => {
  test.each(members)('M10 %s', (_, files, reasons) => {
    expect(clashesOf(files, 'b')).toEqual(reasons);
  });

  test('M10 a base outside the root has the name', () => {
    expect(clashesOf('export class C extends Map<string, string> { «a»() {} }', 'clear')).toEqual(['collision']);
    expect(clashesOf('export class C { «a»() {} }', 'toString')).toEqual(['collision']);
  });

  test('M10 private names are decided by the classes around them', () => {
    expect(clashesOf('export class C { #«a» = 1; #b = 2; }'.replace('#«a»', '«#a»'), '#b')).toEqual(['collision']);
    expect(clashesOf('export class C { «#a» = 1; m() { return this.#a; } }', '#b')).toEqual([]);
    const inner = 'class O { «#a» = 1; m() { return class { #b = 1; n(o: O) { return o.#a; } }; } }';
    expect(clashesOf(`${m}${inner}`, '#b')).toEqual(['capture']);
    const outer = 'class O { #b = 1; m() { return class I { «#a» = 1; n(o: O) { return o.#b; } }; } }';
    expect(clashesOf(`${m}${outer}`, '#b')).toEqual(['capture']);
  });

  test('M10 labels do not nest under one name', () => {
    expect(clashesOf(`${m}«a»: for (;;) { b: for (;;) { break a; } }`, 'b')).toEqual(['collision']);
    expect(clashesOf(`${m}b: for (;;) { «a»: for (;;) { break a; } }`, 'b')).toEqual(['collision']);
    expect(clashesOf(`${m}«a»: for (;;) { break a; } b: for (;;) { break b; }`, 'b')).toEqual([]);
  });

  test('M10 words reserved where the rename would write them', () => {
    expect(clashesOf('export class C { «a» = 1; m() { return this.a; } }', 'delete')).toEqual([]);
    expect(clashesOf('export class C { constructor(readonly «a»: number) {} }', 'delete')).toEqual(['reserved_name']);
    expect(clashesOf(`${m}const «a» = 1; a;`, 'await')).toEqual(['reserved_name']);
  });

  test('M10 a JSX component stays one, and so does an element', () => {
    const jsx = 'declare namespace JSX { interface IntrinsicElements { link: {} } interface Element {} }\n';
    expect(
      clashesOf({ ...scripts, 'a.tsx': `${jsx}function «Link»() { return <link />; } <Link />;` }, 'link2'),
    ).toEqual(['invalid_name']);
    expect(
      clashesOf({ ...scripts, 'a.tsx': `${jsx}function «Link»() { return <link />; } <Link />;` }, 'Other'),
    ).toEqual([]);
    expect(clashesOf({ ...scripts, 'a.tsx': `${jsx.replace('link', '«link»')}<link />;` }, 'Other')).toEqual([
      'invalid_name',
    ]);
  });
});

describe('M10 exports', () => {
  const a = 'export const «a» = 1;';

  test('M10 the module exports the name already', () => {
    expect(clashesOf('const c = 2; export { c as b }; export const «a» = 1;', 'b')).toEqual(['export_clash']);
    expect(clashesOf({ 'a.ts': `export { b } from './c.js'; ${a}`, 'c.ts': 'export const b = 1;' }, 'b')).toEqual([
      'export_clash',
    ]);
  });

  test('M10 a module that passes everything on has the name from elsewhere', () => {
    const files = {
      'a.ts': a,
      'c.ts': 'export const b = 1;',
      'i.ts': "export * from './a.js'; export * from './c.js';",
    };
    expect(clashesOf(files, 'b')).toEqual(['export_clash']);
    expect(clashesOf({ ...files, 'i.ts': "export * from './a.js'; export const b = 3;" }, 'b')).toEqual([
      'export_clash',
    ]);
    expect(clashesOf({ ...files, 'i.ts': "export * as one from './a.js'; export * from './c.js';" }, 'b')).toEqual([]);
  });

  test('M10 a chain of re-exports meets the name at its end', () => {
    const files = {
      'a.ts': a,
      'c.ts': 'export const b = 1;',
      'i.ts': "export { a } from './a.js';",
      'j.ts': "export * from './i.js'; export { b } from './c.js';",
    };
    expect(clashesOf(files, 'b')).toEqual(['export_clash']);
    expect(clashesOf(files, 'b', 'keep_local')).toEqual([]);
  });

  test('M10 a class and its namespace have one list of statics', () => {
    const source = 'export class N { static b = 1; } export namespace N { export const «a» = 2; }';
    expect(clashesOf(source, 'b')).toEqual(['export_clash']);
    const types = 'export class N { static b = 1; } export namespace N { export interface «a» {} }';
    expect(clashesOf(types, 'b')).toEqual(['export_clash']);
  });

  test('M10 `import()` takes a module that exports `then` for a promise', () => {
    expect(clashesOf({ 'a.ts': a, 'c.ts': "export const x = import('./a.js');" }, 'then')).toEqual(['capture']);
    expect(clashesOf({ 'a.ts': a }, 'then')).toEqual([]);
  });

  test('M11 an importer that says the new name keeps its own, and then nothing clashes there', () => {
    const files = { 'a.ts': a, 'c.ts': "import { a } from './a.js'; const b = a; b;" };
    expect(clashesOf(files, 'b', 'through')).toEqual([]);
  });

  test('M11 a destructured local that could not follow is refused under `through` and stays under `keep_local`', () => {
    const source = `${m}const o = { «a»: 1 }; const { a } = o; const b = a;`;
    expect(clashesOf(source, 'b', 'through')).toEqual(['collision']);
    expect(clashesOf(source, 'b', 'keep_local')).toEqual([]);
    expect(clashesOf(source, 'c', 'through')).toEqual([]);
  });

  test('M11 an importer that says the new name is told apart from one that does not', () => {
    const world = openRename(
      {
        'a.ts': a,
        'declares.ts': "import { a } from './a.js'; const b = a;",
        'uses.ts': "import { a } from './a.js'; export const c = [a, b];",
        'member.ts': "import { a } from './a.js'; export const c = { b: a }.b;",
        'tsconfig.json': renderConfig(),
      },
      'b',
      'keep_local',
    );
    const told = ['declares.ts', 'uses.ts', 'member.ts', 'none.ts'].map((path) =>
      importerHasName(world.programs, path, 'b'),
    );
    expect(told).toEqual([true, true, false, false]);
  });
});
