import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { askedAbout, openRename } from '../../../../test/support/rename-world.ts';
import { findDoubts } from './doubts.ts';

afterAll(closePrograms);

type Files = string | Readonly<Record<string, string>>;

/** Each doubt as `kind: text`, the text being what stands there. */
function doubtsOf(files: Files, newName = 'b'): readonly string[] {
  const world = openRename(typeof files === 'string' ? { 'a.ts': files } : files, newName);
  return findDoubts(world).map(({ kind, path, start, end }) => {
    const text = world.programs.open[0]?.sourceFile(path)?.text ?? '';
    return `${kind}: ${text.slice(start, end)}`;
  });
}

const m = 'export {};\n';
const iface = `${m}interface I { «a»: number; c: string }\ndeclare const i: I;\n`;

describe('M9 names looked up in something untyped', () => {
  test.each([
    ['any', `${iface}declare const u: any; u.a;`, ['untyped_access: a']],
    ['any, another name', `${iface}declare const u: any; u.c;`, []],
    ['unknown', `${iface}declare const u: unknown; u.a;`, ['untyped_access: a']],
    ['an error', `${iface}declare const u: Missing; u.a;`, ['untyped_access: a']],
    ['an optional chain', `${iface}declare const u: any; u?.x?.a;`, ['untyped_access: a']],
    ['a typed receiver', `${iface}declare const u: { a: 1 }; u.a; i.a;`, []],
    ['a variable of that name', `${iface}const a = 1; console.log(a);`, []],
    ['destructuring', `${iface}declare const u: any; const { a } = u;`, ['untyped_access: a']],
    [
      'destructuring with a name of its own',
      `${iface}declare const u: any; const { a: x } = u;`,
      ['untyped_access: a'],
    ],
    ['a string on any', `${iface}declare const u: any; u["a"];`, ['string_reference: a']],
    ['a local variable has no members', `${m}const «a» = 1; declare const u: any; u.a;`, []],
    ['a private name is looked up in its class alone', 'export class C { «#a» = 1; } declare const u: any; u.a;', []],
  ])('M9 %s', (_, source, expected) => {
    expect(doubtsOf(source, source.includes('#') ? '#b' : 'b')).toEqual(expected);
  });

  test.each([
    ['a constant', 'declare const u: any; const v = u; v.a; v.a;', ['a.ts: a']],
    ['a parameter', 'export function f(u: any) { u.a; u.a; return () => u.a; }', ['a.ts: a']],
    ['two variables', 'declare const u: any; declare const v: any; u.a; v.a;', ['a.ts: a', 'a.ts: a']],
    ['two parameters', 'export const f = (u: any) => u.a; export const g = (u: any) => u.a;', ['a.ts: a', 'a.ts: a']],
    ['a variable', 'declare let u: any; u.a; u.a;', ['a.ts: a', 'a.ts: a']],
    [
      'a parameter that is given something else',
      'export function f(u: any) { u.a; u = {}; u.a; }',
      ['a.ts: a', 'a.ts: a'],
    ],
    [
      'a parameter that is taken apart into',
      'export function f(u: any) { u.a; [u] = [{}]; u.a; }',
      ['a.ts: a', 'a.ts: a'],
    ],
  ])('M9 one question for each thing that it is looked up in: %s', (_, source, expected) => {
    expect(askedAbout('untyped_access', `${iface}${source}`)).toEqual(expected);
  });

  test('M9 one question has the edits of all its places', () => {
    const world = openRename({ 'a.ts': `${iface}export function f(u: any) { u.a;\nu.a;\nu.a; }` }, 'b');
    const [item, ...more] = findDoubts(world).filter(({ kind }) => kind === 'untyped_access');
    expect(more).toEqual([]);
    expect(item?.edits['rename']).toHaveLength(3);
    expect(item?.detail).toContain('(also in lines 5, 6).');
  });

  test('M9 an untyped JSX tag takes any attribute', () => {
    const source = 'interface P { «a»: 1 }\ndeclare const Tag: any; declare const p: P; <Tag a={p.a} />;';
    expect(doubtsOf({ 'a.tsx': `${m}${source}` })).toEqual(['untyped_access: a']);
  });

  test('M9 `rename` keeps the local name of a destructuring, and the quotes of a string', () => {
    const world = openRename({ 'a.ts': `${iface}declare const u: any; const { a } = u; u['a']; u.a;` }, 'b');
    const edits = findDoubts(world).map(({ edits }) =>
      edits['rename']?.map(({ newText, form }) => `${form} ${newText}`),
    );
    expect(edits).toEqual([['destructured_property b: a'], ['string b'], ['plain b']]);
    expect(findDoubts(world).every(({ edits }) => Object.keys(edits).every((option) => option === 'rename'))).toBe(
      true,
    );
  });
});

describe('M9 strings that stand for members', () => {
  test.each([
    ['text of equal spelling', `${iface}const s = "a"; console.log("a", s);`, []],
    ['a literal type of its own', `${iface}type Mode = "a" | "other"; const mode: Mode = "a";`, []],
    ['a parameter of type keyof', `${iface}declare function f(k: keyof I): void; f("a");`, ['string_reference: a']],
    ['another key', `${iface}declare function f(k: keyof I): void; f("c");`, []],
    [
      'a key of another argument',
      `${iface}declare function pick<T, K extends keyof T>(o: T, k: K): T[K]; pick(i, "a");`,
      ['string_reference: a'],
    ],
    [
      'a key of an argument that is something else',
      `${iface}declare function pick<T, K extends keyof T>(o: T, k: K): T[K]; pick({ a: 1 }, "a");`,
      [],
    ],
    ['a list of keys', `${iface}const keys: (keyof I)[] = ["a"];`, ['string_reference: a']],
    [
      'a type of our own that is made of keys',
      `${iface}type Only<T, K extends keyof T> = { [P in K]: T[P] }; type P = Only<I, "a">;`,
      ['string_reference: a'],
    ],
    ['a type made of some keys', `${iface}type P = Extract<keyof I, "a">;`, ['string_reference: a']],
    ['a type made of keys of another', `${iface}type P = Pick<{ a: 1 }, "a">;`, []],
    ['a template type', `${iface}type On = \`on\${"a"}\`;`, ['string_reference: a']],
    ['`in`', `${iface}if ("a" in i) {}`, ['string_reference: a']],
    ['`in` something else', `${iface}if ("a" in { x: 1 }) {}`, []],
    [
      '`in` what a base is',
      `${m}class C extends Error { «a» = 1; }\nnew C(); declare const e: Error; if ("a" in e) {}`,
      ['string_reference: a'],
    ],
    ['`in` what no owner is', `${iface}declare const e: Error; if ("a" in e) {}`, []],
    [
      'reflection',
      `${iface}Reflect.get(i, "a"); Object.hasOwn(i, "a");`,
      ['string_reference: a', 'string_reference: a'],
    ],
    ['reflection on something else', `${iface}Reflect.get({ a: 1 }, "a");`, []],
    ['a map has keys of its own', `${iface}new Map<string, I>().get("a");`, []],
    ['bound by the compiler: an edit and no doubt', `${iface}i["a"]; type T = I["a"];`, []],
    ['a local variable', `${m}const «a» = 1; console.log("a");`, []],
    [
      'beside owners in a call',
      `${iface}declare function sortBy<T>(rows: T[], key: string): void; sortBy([i], "a"); sortBy([{ a: 1 }], "a");`,
      ['string_reference: a'],
    ],
    [
      'compared with any string where the owner is spoken of',
      `${iface}declare const k: string; declare const mode: "a" | "x"; k !== "a"; mode === "a";`,
      ['string_reference: a'],
    ],
  ])('M9 %s', (_, source, expected) => {
    expect(doubtsOf(source)).toEqual(expected);
  });

  test('M9 decorator metadata of the owner', () => {
    const decorators = 'function col(n: string) { return (_v: undefined, _c: unknown) => {}; }\n';
    const config = { 'tsconfig.json': renderConfig() };
    const on = `${decorators}export class C { @col("a") «a» = 1; }`;
    const elsewhere = `${decorators}export class C { «a» = 1; } export class D { @col("a") x = 1; }`;
    expect(doubtsOf({ ...config, 'a.ts': on })).toEqual(['string_reference: a']);
    expect(doubtsOf({ ...config, 'a.ts': elsewhere })).toEqual([]);
  });
});

describe('M9 names that only the running program knows', () => {
  const loose = { 'tsconfig.json': renderConfig({ noImplicitAny: false }) };

  test.each([
    ['any string', `${iface}declare const k: string; i[k];`, ['dynamic_access: k']],
    ['untyped', `${iface}declare const k: any; i[k];`, ['dynamic_access: k']],
    ['a key that types list', `${iface}declare const k: keyof I; i[k];`, []],
    ['a string said to be a key', `${iface}declare const k: string; i[k as keyof I];`, ['dynamic_access: k']],
    [
      'an object said to be a record',
      `${iface}declare const k: string; (i as unknown as Record<string, 1>)[k];`,
      ['untyped_exit: i', 'dynamic_access: k'],
    ],
    [
      'reflection with any string',
      `${iface}declare const k: string; Reflect.get(i, k); k in i;`,
      ['dynamic_access: k', 'dynamic_access: k'],
    ],
    ['`in` something else', `${iface}declare const k: string; k in { x: 1 };`, []],
    ['a number', `${iface}declare const k: number; [i][k];`, []],
    ['an object without the member', `${iface}declare const k: string; ({ x: 1 })[k];`, []],
    ['the keys of the object itself', `${iface}for (const k in i) { i[k]; }`, []],
    ['the keys of another object', `${iface}for (const k in { a: 1 } as object) { i[k]; }`, ['dynamic_access: k']],
  ])('M9 %s', (_, source, expected) => {
    expect(doubtsOf({ ...loose, 'a.ts': source })).toEqual(expected);
  });

  test('M9 `eval` in the scope of a variable', () => {
    expect(doubtsOf('export function f(«a»: number) { return eval("a + 1"); }')).toEqual(['dynamic_access: eval']);
    expect(doubtsOf('export function f(«a»: number) { return a; } export const x = () => eval("1");')).toEqual([]);
  });
});

describe('M9 values the compiler did not see being made', () => {
  test.each([
    ['asserted', `${iface}const x = JSON.parse("") as I;`, ['untyped_boundary: JSON.parse("")']],
    ['declared', `${iface}const x: I = JSON.parse("");`, ['untyped_boundary: JSON.parse("")']],
    ['assigned', `${iface}let x: I; x = JSON.parse("");`, ['untyped_boundary: JSON.parse("")']],
    ['an owner all along', `${iface}const x = i as any as I; const y: I = (i as unknown) as any;`, []],
    [
      'something else all along',
      `${iface}declare const o: { a: string }; const x = o as unknown as I;`,
      ['structural_tie: o'],
    ],
    [
      'returned',
      `${iface}function f(): I { return JSON.parse(""); } const g = (): I => JSON.parse("1");`,
      ['untyped_boundary: JSON.parse("")'],
    ],
    ['promised', `${iface}const g = async (): Promise<I> => JSON.parse("");`, ['untyped_boundary: JSON.parse("")']],
    [
      'an argument',
      `${iface}declare function f(i: I): void; f(JSON.parse("")); const l: I[] = []; l.push(JSON.parse("1"));`,
      ['untyped_boundary: JSON.parse("")'],
    ],
    [
      'one level down',
      `${iface}const l: I[] = JSON.parse(""); const o: { i: I } = JSON.parse("1");`,
      ['untyped_boundary: JSON.parse("")'],
    ],
    ['passed on as something else', `${iface}declare function f(x: unknown): void; f(JSON.parse(""));`, []],
    ['from unknown', `${iface}declare const u: unknown; const x = u as I;`, ['untyped_boundary: u']],
    ['from something typed', `${iface}const x = { a: 1, c: "" } as I; const y: I = i;`, []],
    ['as something else', `${iface}const x = JSON.parse("") as { a: number };`, []],
    ['data carries no methods', `${m}interface I { «a»(): void }\nconst x = JSON.parse("") as I;`, []],
    ['nor members of enums', `${m}enum I { «a» }\nconst x = JSON.parse("") as I;`, []],
  ])('M9 %s', (_, source, expected) => {
    expect(doubtsOf(source)).toEqual(expected);
  });
});

describe('M9 shapes that fit before and after', () => {
  const opt = `${m}interface I { «a»?: number; c: string }\ndeclare function go(i: I): void;\n`;
  const generic = `${opt}declare function give<const T extends I>(t: T): T;\n`;
  const hooks = `${m}interface H { b?(): void; id: number }\ndeclare function fire(h: H): void;\n`;

  test.each([
    ['an object with the old name', `${opt}const base = { a: 5, c: "" }; go(base);`, ['structural_tie: base']],
    ['spread', `${opt}const base = { a: 5 }; go({ ...base, c: "" });`, ['structural_tie: base']],
    ['another object', `${opt}const base = { a: 5, c: "" }; console.log(base);`, []],
    ['a literal on the spot', `${opt}go({ a: 5, c: "" });`, []],
    ['a literal for a type parameter', `${generic}give({ a: 5, c: "" });`, ['structural_tie: a']],
    ['a shorthand for a type parameter', `${generic}const a = 5; give({ a, c: "" });`, ['structural_tie: a']],
    ['an object for a type parameter', `${generic}const base = { a: 5, c: "" }; give(base);`, ['structural_tie: base']],
    [
      'an object poured into a literal for a type parameter',
      `${generic}const base = { a: 5 }; give({ ...base, c: "" });`,
      ['structural_tie: base'],
    ],
    [
      'an object inside a literal, for a type parameter',
      `${opt}declare function take<T extends { i: I }>(t: T): T;\nconst base = { a: 5, c: "" }; take({ i: base });`,
      ['structural_tie: base'],
    ],
    [
      'a literal in a list, for a type parameter',
      `${opt}declare function all<const T extends readonly I[]>(t: T): T;\nall([{ a: 5, c: "" }]);`,
      ['structural_tie: a'],
    ],
    [
      'an object in a list below a key, for a type parameter',
      `${opt}declare function take<T extends { all: I[] }>(t: T): T;\nconst base = { a: 5, c: "" }; take({ all: [base] });`,
      ['structural_tie: base'],
    ],
    [
      'a literal that is returned, for a type parameter',
      `${opt}declare function make<T extends I>(f: () => T): T;\nmake(() => ({ a: 5, c: "" }));`,
      ['structural_tie: a'],
    ],
    [
      'an object that is returned, for a type parameter',
      `${opt}declare function make<T extends () => I>(f: T): T;\nconst base = { a: 5, c: "" }; make(function () { return base; });`,
      ['structural_tie: base'],
    ],
    [
      'an object for a type parameter that wants another',
      `${opt}declare function any<T extends { a?: number }>(t: T): T;\nconst base = { a: 5 }; any(base);`,
      [],
    ],
    [
      'a method for a type parameter',
      `${m}interface I { «a»?(): void }\nclass G<T extends I> { constructor(t: T) {} }\nnew G({ a() {} });`,
      ['structural_tie: a'],
    ],
    [
      'a literal inside another, for a type parameter',
      `${opt}declare function take<const T extends { readonly i: I }>(t: T): T;\ntake({ i: { a: 5, c: "" } as const });`,
      ['structural_tie: a'],
    ],
    [
      'a literal for a type parameter of which the result is made',
      `${opt}declare function mix<const T extends I>(t: T): { [K in keyof I as K extends keyof T ? never : K]: I[K] } & T;\ngo(mix({ a: 5, c: "" }));`,
      ['structural_tie: mix({ a: 5, c: "" })'],
    ],
    [
      'a literal for a type parameter that wants another',
      `${opt}declare function any<T extends { a?: number }>(t: T): T;\nany({ a: 5 });`,
      [],
    ],
    [
      'a literal for a type parameter that wants it',
      `${iface}declare function give<T extends I>(t: T): T;\ngive({ a: 5, c: "" });`,
      [],
    ],
    ['a member that is demanded', `${iface}declare function go(i: I): void; const o = { a: 5, c: "" }; go(o);`, []],
    [
      'a member that is demanded and never read',
      `${iface}declare function go(i: I): void; const o = { a: 5, c: "" };\n// @ts-ignore\ngo(o, 1);`,
      ['structural_tie: o'],
    ],
    [
      'a new name that is listened to',
      `${hooks}class T { id = 1; «a»() {} } fire(new T());`,
      ['structural_tie: new T()'],
    ],
    [
      'an old name that is listened to',
      `${m}interface I { a?: number; c: string }\ndeclare function go(i: I): void;\nconst base = { «a»: 5, c: "" }; go(base);`,
      ['structural_tie: base'],
    ],
    [
      'an old name that a library listens to',
      `/// <reference lib="dom" />\n${m}const options = { «signal»: undefined, c: "" }; fetch("", options);`,
      ['structural_tie: options'],
    ],
    [
      'an old name that the parameter of a type listens to',
      `${m}interface I { a?: number; c: string }\ndeclare function give<const T extends I>(t: T): T;\nconst made = give({ «a»: 6, c: "" });`,
      ['structural_tie: a'],
    ],
    [
      'an old name that the parameter of a type listens to, by way of an object',
      `${m}interface I { a?: number; c: string }\ndeclare function give<const T extends I>(t: T): T;\nconst base = { «a»: 6, c: "" }; give(base);`,
      ['structural_tie: base'],
    ],
    [
      'an old name that is demanded',
      `${m}interface I { a: number; c: string }\ndeclare function go(i: I): void;\nconst base = { «a»: 5, c: "" }; go(base);`,
      [],
    ],
    [
      'a new name that the parameter of a type listens to',
      `${hooks}declare function give<T extends H>(t: T): T;\ngive({ id: 1, «a»() {} });`,
      ['structural_tie: a'],
    ],
    [
      'a key that takes the place of what is poured',
      `${generic}const base = { a: 5 }; give({ ...base, a: 6, c: "" });`,
      ['structural_tie: a'],
    ],
    ['a new name that is passed on nowhere', `${hooks}class T { id = 1; «a»() {} } new T();`, []],
  ])('M9 %s', (_, source, expected) => {
    expect(doubtsOf(source)).toEqual(expected);
  });

  test('M9 an object of a package with the old name', () => {
    const files = {
      'a.ts': `import { base } from "pkg";\n${opt}go(base);`,
      'node_modules/pkg/index.d.ts': 'export declare const base: { a: number; c: string };\n',
      'node_modules/pkg/package.json': '{"name":"pkg","types":"./index.d.ts"}',
    };
    expect(doubtsOf(files)).toEqual(['structural_tie: base']);
  });

  test('M9 asked once, with the number of places, across files', () => {
    const world = openRename(
      {
        'a.ts': 'export interface I { «a»?: number; c: string }\nexport declare function go(i: I): void;\n',
        'b.ts': "import { go } from './a.js';\nconst base = { a: 5, c: '' };\ngo(base);\ngo(base);\n",
      },
      'b',
    );
    const [first, ...more] = findDoubts(world);
    expect(first).toMatchObject({
      kind: 'structural_tie',
      path: 'b.ts',
      detail: expect.stringContaining('2 places'),
    });
    expect(more).toEqual([]);
  });
});

describe('M9 exports that the compiler does not follow', () => {
  const a = { 'a.ts': 'export function «a»() {}\nexport function c() {}\n' };

  test.each([
    [
      'an unknown require',
      "declare const require: any; const { a } = require('./a'); a(); export {};",
      ['untyped_access: a'],
    ],
    ['of another module', "declare const require: any; const { a } = require('./c'); a(); export {};", []],
    ['an access', "declare const require: any; require('./a.js').a(); export {};", ['untyped_access: a']],
    [
      'a module that a test replaces',
      "declare const vi: any; vi.mock('./a.js', () => ({ a: 1, x: { a: 2 } })); export {};",
      ['untyped_access: a'],
    ],
    ['another one that is replaced', "declare const vi: any; vi.mock('./x.js', () => ({ a: 1 })); export {};", []],
    [
      'the module as an object',
      "import * as all from './a.js';\nexport const f = (k: string) => (all as unknown as Record<string, unknown>)[k];",
      ['dynamic_access: k'],
    ],
    ['the module as an object with a known key', "import * as all from './a.js';\nall['c'];", []],
  ])('M9 %s', (_, source, expected) => {
    expect(doubtsOf({ ...a, 'b.ts': source })).toEqual(expected);
  });
});

test('M9 a module of CommonJS keeps the key that importers take it by', () => {
  const files = (text: string, form = '{ a }') => ({
    'tsconfig.json': renderConfig({ allowJs: true }),
    'm.cjs': `function «a»() {}\nmodule.exports = ${form};\n`,
    'u.cjs': text,
  });
  expect(doubtsOf(files("const { a } = require('./m.cjs'); a();"))).toEqual([]);
  expect(doubtsOf(files("require('./m.cjs').a();"))).toEqual([]);
  const world = openRename(files("const { a } = require('./m.cjs'); a();"), 'b');
  expect(world.occurrences.map(({ edit }) => edit?.newText)).toEqual(['b', 'a: b']);
});

describe('M9 what else may have or call the name', () => {
  test('M9 a base whose members cannot be listed', () => {
    expect(doubtsOf('declare const Base: any; export class C extends Base { «a» = 1; }')).toEqual([
      'unknown_inherited: Base',
    ]);
    expect(doubtsOf("import { Base } from 'missing'; export class C extends Base { «a» = 1; }")).toEqual([
      'unknown_inherited: Base',
    ]);
    const above = 'declare const Base: any; class M extends Base {} export class C extends M { «a» = 1; }';
    expect(doubtsOf(above)).toEqual(['unknown_inherited: Base']);
    expect(doubtsOf('class M { x = 1; } export class C extends M { «a» = 1; }')).toEqual([]);
    expect(doubtsOf('export class C extends C { «a» = 1; }')).toEqual([]);
  });

  test.each([
    [
      'imported',
      "import { EventEmitter } from 'node:events'; export class C extends EventEmitter { «a»() {} }",
      'b',
      0,
    ],
    ['by the module', "import Events from 'events'; export class C extends Events.EventEmitter { «a»() {} }", 'b', 0],
    [
      'one of its members',
      "import { EventEmitter } from 'node:events'; export class C extends EventEmitter { «a»() {} }",
      'emit',
      1,
    ],
    [
      'away from one of its members',
      "import { EventEmitter } from 'node:events'; export class C extends EventEmitter { «emit»() {} }",
      'b',
      1,
    ],
    [
      'a name that its types do not tell',
      "import { EventEmitter } from 'node:events'; export class C extends EventEmitter { «a»() {} }",
      '_events',
      1,
    ],
    ['another class', "import { Readable } from 'node:stream'; export class C extends Readable { «a»() {} }", 'b', 1],
    [
      'of another module',
      "import { EventEmitter } from 'emitter'; export class C extends EventEmitter { «a»() {} }",
      'b',
      1,
    ],
  ])('M9 members of a class of Node whose types are installed: %s', (_, source, newName, count) => {
    const types = {
      'node_modules/@types/node/events.d.ts': 'export class EventEmitter { emit(name: string): boolean }',
    };
    expect(askedAbout('unknown_inherited', { ...types, 'a.ts': source }, newName)).toHaveLength(count);
    expect(askedAbout('unknown_inherited', { 'a.ts': source }, newName)).toHaveLength(1);
  });

  test('M9 a name that a framework of the package calls', () => {
    const next = { 'package.json': '{"dependencies":{"next":"15"}}' };
    const page = 'export const «getServerSideProps» = () => ({});';
    expect(doubtsOf({ ...next, 'pages/index.ts': page })).toEqual(['convention_name: getServerSideProps']);
    expect(doubtsOf({ ...next, 'lib/index.ts': page })).toEqual([]);
    // Only Next.js calls anything so, wherever its dependency is listed; `config` says nothing by itself.
    expect(doubtsOf({ 'pages/index.ts': page })).toEqual(['convention_name: getServerSideProps']);
    const common = 'export const «config» = {};';
    expect(doubtsOf({ ...next, 'pages/index.ts': common })).toEqual(['convention_name: config']);
    expect(doubtsOf({ 'package.json': '{}', 'pages/index.ts': common })).toEqual([]);
    // The nearest manifest decides.
    expect(doubtsOf({ ...next, 'x/package.json': '{}', 'x/pages/index.ts': common })).toEqual([]);
  });

  test('M9 a method that a framework calls', () => {
    const angular = { 'package.json': '{"peerDependencies":{"@angular/core":"*"}}' };
    const source = 'export class C { «ngOnInit»() {} }';
    expect(doubtsOf({ ...angular, 'a.ts': source })).toEqual(['convention_name: ngOnInit']);
    expect(doubtsOf({ ...angular, 'a.ts': 'export const o = { «ngOnInit»() {} };' })).toEqual([]);
    expect(doubtsOf({ 'package.json': 'not json', 'a.ts': source })).toEqual([]);
  });
});
