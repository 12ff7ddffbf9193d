import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { openRename } from '../../../../test/support/rename-world.ts';
import { findBorder } from './border.ts';

afterAll(closePrograms);

const config = renderConfig({ lib: ['es2023', 'dom'] });

/** What is asked, as kinds, and which ties were met. */
function borderOf(files: string | Readonly<Record<string, string>>, newName = 'b'): readonly string[] {
  const tree = typeof files === 'string' ? { 'a.ts': files } : files;
  const { items, ties } = findBorder(openRename({ 'tsconfig.json': config, ...tree }, newName));
  const met = (['missed', 'lost', 'gained'] as const).filter((kind) => ties[kind].length > 0);
  return [...items.map(({ kind }) => kind), ...met].sort();
}

const one = 'export {};\ninterface I { «a»: number }\ndeclare const i: I;\n';
const inner = 'export {};\ninterface I { «a»: number }\ninterface Page { items: I[] }\ndeclare const page: Page;\n';
const method = 'export {};\nclass C { «a»() { return 1; } }\n';

describe('M9 a value that has the member goes out of sight', () => {
  test.each([
    ['to anything', `${one}declare function f(x: any): void; f(i);`],
    ['to something unknown', `${one}const x: unknown = i; x;`],
    ['to any object', `${one}declare function f(x: object): void; f(i);`],
    ['to an index signature', `${one.replace('interface I', 'type I =')}const x: Record<string, number> = i; x;`],
    ['inside something else', `${inner}JSON.stringify(page);`],
    ['inside a literal', `${one}JSON.stringify({ i });`],
    ['to a loop over its keys', `${one}for (const k in i) console.log(k);`],
    ['to a callee without a type', `${one}import { f } from 'missing'; f(i);`],
    ['by a type parameter', `${one}function send<T>(x: T) { return JSON.stringify(x); } send(i);`],
    ['by a type that is wider', `${one}interface W {} const w: W = i; JSON.stringify(w);`],
    [
      'by a base that lists its keys',
      'export class B { k() { return Object.keys(this); } }\nexport class C extends B { «a» = 1; }',
    ],
    ['by another signature', `${one}declare function f(x: string): void; declare function f(x: object): void; f(i);`],
    ['as a callback', `${one}declare function on(f: Function): void; on((x: I) => x.a);`],
    ['to a proxy', `${method}new Proxy(new C(), {});`],
    ['as what a timer calls with more arguments', `${one}setTimeout((x: I) => x.a, 0, JSON.parse('{"a":1}'));`],
    [
      'to a method of the language that is lent to it',
      'export class C { «length» = 2; }\nArray.prototype.join.call(new C());',
    ],
    [
      'to a method of the language that is lent to it, with a getter',
      "export class C { get «length»() { return 2; } }\nArray.prototype.join.call(new C(), '');",
    ],
    [
      'to what calls a function with a list of anything',
      `${one}declare const l: unknown[]; Reflect.apply((x: I) => x.a, undefined, l);`,
    ],
    [
      'to a look-up by a computed key',
      `${one}const f = <T extends object>(x: T, k: string) => Reflect.get(x, k); f(i, '');`,
    ],
    [
      'to the body of a function that says more of its calls',
      `${one}export function f(x: I): string;\nexport function f(x: object) { return JSON.stringify(x); }`,
    ],
    [
      'where any string is called a key of it',
      `${one}declare const s: string; const k = s as keyof (I & { c: 1 }); k;`,
    ],
  ])('M9 %s', (_, source) => {
    expect(borderOf(source)).toEqual(['untyped_exit']);
  });
});

test('M9 a static member of a class that extends one of a package', () => {
  const pkg = {
    'node_modules/pkg/index.d.ts': 'export declare class Model {}\n',
    'node_modules/pkg/package.json': '{"name":"pkg","types":"./index.d.ts"}',
  };
  const source = "import { Model } from 'pkg';\nexport class C extends Model { static «a» = 1; }";
  expect(borderOf({ ...pkg, 'a.ts': source })).toEqual(['untyped_exit']);
  expect(borderOf('class Model {} export class C extends Model { static «a» = 1; }')).toEqual([]);
});

describe('M9 a value that has the member comes from out of sight', () => {
  test.each([
    ['two levels deep', `${inner}const x: Record<string, Page> = JSON.parse(''); x;`],
    ['by a type parameter that no argument fixes', `${one}declare function load<T>(k: string): T; load<I>('').a;`],
    ['by one that only its context fixes', `${one}declare function load<T>(k: string): T; const x: I = load(''); x;`],
    ['by a class that makes it up', `${one}class R<T> { x: any; first(): T { return this.x; } } new R<I>().first().a;`],
    ['by a type guard', `${one}export function is(x: unknown): x is I { return x !== null; }`],
    [
      'by a guard that knows a part of it',
      'export class B {} export class C extends B { «a» = 1; }\nexport const is = (x: unknown): x is C => x instanceof B;',
    ],
    [
      'by a guard that also trusts a word',
      "export class C { «a» = 1; }\nexport function is(x: any): x is C { return x instanceof C || x.name === 'C'; }",
    ],
    ['as the argument of a callback', `${one}declare function on(f: (x: any) => void): void; on((x: I) => x.a);`],
    [
      'as one of any arguments of a callback',
      `${one}declare function on(f: (...x: any[]) => void): void; on((x: I) => x.a);`,
    ],
    [
      'as the result of a method',
      `${one}interface S { get(): I } export class C implements S { get() { return JSON.parse(''); } }`,
    ],
    ['from a wider type', `${one}interface W {} declare const w: W; (w as I).a;`],
    [
      'by an index signature',
      'export {};\ninterface I { «a»?: string }\nexport const i: I = Object.fromEntries([["a", ""]]);',
    ],
    ['where the compiler complains already', `${one}interface W { c: 1 } declare const w: W; export const x: I = w;`],
    ['in a field that nothing assigns', 'export class C { declare «a»: number; }'],
    [
      'in a field that its base fills with anything',
      `${one}class B { c: unknown; } export class C extends B { declare c: { by: I }; }`,
    ],
    ['behind a proxy', 'interface I { «a»(): number }\nexport const i = new Proxy({}, {}) as I;'],
    ['behind a proxy that has a name', `${one}const p = new Proxy({} as {}, {}); export const x = p as unknown as I;`],
    ['in a map that is filled', `${one}declare const e: any; export const m: Map<string, I> = new Map(e);`],
    ['in a list of one', `${one}declare const e: any; export const l: I[] = new Array(e);`],
    ['in what is made of another', `${one}declare const e: any; export const r: I = Object.create(e);`],
    ['by a loop', `${one}declare const l: any; let x: I; for (x of l) x.a;`],
    [
      'by a function that only asserts',
      `${one}declare function is<T>(x: unknown): asserts x is T; const u: unknown = 1; is<I>(u); u.a;`,
    ],
    [
      'by a generic type guard',
      `${one}declare function is<T>(x: unknown): x is T; const u: unknown = 1; if (is<I>(u)) u.a;`,
    ],
    ['by a guard of itself', `${one}export class D { k = 1; is(): this is this & I { return this.k > 0; } }`],
    [
      'by a class that says what its instances are',
      'export class C { «a» = 1; static [Symbol.hasInstance](x: unknown): boolean { return x !== null; } }\nexport const f = (x: object) => x instanceof C && x.a;',
    ],
    [
      'by the definition of a property',
      `${one}export class D { i!: I; k(t: string) { Object.defineProperty(this, 'i', { value: JSON.parse(t) }); } }`,
    ],
    [
      'by a getter that is defined',
      `${one}declare const d: { i: I }; Object.defineProperty(d, 'i', { get: () => JSON.parse('') });`,
    ],
    [
      'by the definition of several properties',
      `${one}declare const d: { i: I }; Object.defineProperties(d, { i: { value: JSON.parse('') } });`,
    ],
    [
      'to what is made of a list of anything',
      `${one}class M { constructor(x: I) { x.a; } } Reflect.construct(M, JSON.parse('[]'));`,
    ],
    [
      'to a function that is called with whatever is asserted',
      `${one}export const f: (...x: never[]) => unknown = (x: I) => x.a;`,
    ],
    ['by a property that is set', `${one}declare const d: { i: I }; Reflect.set(d, 'i', JSON.parse(''));`],
    ['in an argument of the library', `${one}export const f = ((e: CustomEvent<I>) => e.detail.a) as EventListener;`],
    [
      'behind a key that is computed, where an error is not heard',
      `${one}declare const k: string;\n// @ts-ignore\nexport const x: I = { [k]: 1 };`,
    ],
    [
      'from a wider type that others go to',
      'export {};\ninterface W { c: 1 }\ninterface I extends W { «a»?: number }\ndeclare function f(x: W): void; const o = { c: 1 as const, a: 2 }; f(o);\nexport const g: (w: W) => unknown = (x: I) => x.a;',
    ],
    [
      'from a list of wider ones that others are put into',
      'export {};\ninterface W { c: 1 }\ninterface I extends W { «a»: number }\nconst l: I[] = []; function f(x: W[]) { const o = { c: 1 as const, a: 2 }; x.push(o); } f(l);',
    ],
    ['in a map of its own', `${one}declare class Map { get(): any } export const m: { get(): I } = new Map();`],
  ])('M9 %s', (_, source) => {
    expect(borderOf(source)).toContain('untyped_boundary');
  });
});

test('M9 a declaration file of the repository is no library of the compiler, whatever it is called', () => {
  const load = 'export declare function load<T>(k: string): T;\n';
  const source = `import { load } from './lib.api.js';\n${one}load<I>('').a;`;
  expect(borderOf({ 'lib.api.d.ts': load, 'a.ts': source })).toContain('untyped_boundary');
});

test('M9 objects that a script writes out can get the member later', () => {
  const script = 'export function make() { const o = {}; return o; }\n';
  const source = "export {};\nimport { make } from './m.js';\ninterface I { «a»: number }\nexport const x: I = make();";
  const files = { 'tsconfig.json': renderConfig({ allowJs: true }), 'a.ts': source };
  expect(borderOf({ ...files, 'm.js': script })).toEqual(['untyped_boundary']);
});

describe('M9 members of one name meet by shape', () => {
  const two = 'export {};\ninterface I { «a»?: number; c?: 1 }\ninterface J { a?: number; c?: 1 }\n';
  test.each([
    ['in a list', `${two}declare const l: I[]; export const x: J[] = l;`, ['missed']],
    ['below a property', `${two}declare const l: { o: I }; export const x: { o: J } = l;`, ['missed']],
    [
      'as what a callback gives',
      `${two}declare function f(g: () => J): void; declare const g: () => I; f(g);`,
      ['missed'],
    ],
    ['in a promise', `${two}declare const p: Promise<J>; export const x: Promise<I> = p;`, ['lost']],
    ['copied onto another', `${two}declare const i: I; declare const j: J; Object.assign(j, i);`, ['missed']],
    [
      'as what a class makes',
      'export {};\ninterface I { c: 1; «a»?(): void }\nclass C { c = 1 as const; a() {} }\nexport const l: (new () => I)[] = [C];',
      ['lost'],
    ],
    [
      'as what one of several signatures gives',
      `${two}export function f(x: 1): I;\nexport function f(x: number): object { const j: J = { a: x }; return j; }`,
      ['lost'],
    ],
    [
      'copied over by the new name',
      'export class C { «a» = 3; constructor(o: { b: number }) { Object.assign(this, o); } }',
      ['gained'],
    ],
    [
      'by the new name, where it may be missing',
      'export {};\ninterface I { «a»?: number; c?: 1 }\ndeclare const o: { b: number; c: 1 }; export const i: I = o;',
      ['gained'],
    ],
    [
      'a fake that is asserted',
      'export {};\ninterface I { «a»(): void; c(): void }\ndeclare function f(i: I): void;\nf({ a() {} } as any);',
      ['lost'],
    ],
    [
      'by a type of the library',
      'export class C extends Error { «a» = 1; }\nexport const f = (e: Error) => (e as Error & { a?: number }).a;',
      ['missed'],
    ],
    [
      'a list of fakes',
      'export {};\ninterface I { «a»: 1; c: 2 }\ndeclare function f(i: I[]): void;\nf([{ a: 1 }] as never[]);',
      ['lost'],
    ],
  ])('M9 %s', (_, source, expected) => {
    expect(borderOf(source)).toEqual(expected);
  });

  test('M9 properties that are poured into an element', () => {
    const source = `export {};\ninterface I { «a»?: number; c?: 1 }\ndeclare function T(p: { a?: number; c?: 1 }): null;\ndeclare const i: I;\nexport const e = <T {...i} />;`;
    expect(borderOf({ 'a.tsx': source })).toContain('missed');
  });
});

describe('M9 elements are given more properties by what clones them', () => {
  const tab =
    'export {};\nfunction Tab(p: { title: string; «a»?: boolean }) { return p.title; }\nexport const e = <Tab title="" />;\n';
  const clone = 'declare function clone(e: unknown, more: object): unknown;\n';

  test('M9 by the name', () => {
    expect(borderOf({ 'a.tsx': `${tab}${clone}clone(e, { a: true });` })).toEqual(['untyped_boundary']);
  });

  test.each([
    ['by another name', `${tab}${clone}clone(e, { c: true });`],
    [
      'beside no element',
      `${tab}declare function use<T>(x: T): T; use({ a: true }); declare function put(x: object): void; put({ a: 1 });`,
    ],
    ['as data of the language', `${tab}JSON.stringify({ a: true });`],
    ['where none is made', `${tab.replace('<Tab title="" />', 'Tab')}${clone}clone(1, { a: true });`],
  ])('M9 not %s', (_, source) => {
    expect(borderOf({ 'a.tsx': source })).toEqual([]);
  });
});

describe('M9 what stays in sight is not asked about', () => {
  test.each([
    ['read and passed on by its type', `${one}declare function f(x: I): void; f(i); const { a } = i; a;`],
    ['in a map that is made empty', `${one}const m: Map<string, I> = new Map(); m.set('', i);`],
    [
      'in a list that is made empty',
      `${one}const l: I[] = new Array(3); l.push(i); const r = (new Array()) as I[]; r;`,
    ],
    ['in an object that is made empty', `${one}const r: Record<string, I> = Object.create(null); r['x'] = i;`],
    ['kept in collections of the language', `${one}const m = new Map<string, I>(); m.set('', i); [i].map((x) => x.a);`],
    [
      'a subclass that is told apart',
      'class N {} export class C extends N { «a» = 1; } declare const n: N; if (n instanceof C) n.a;',
    ],
    ['an assertion that goes back to what it was', `${one}const x: I = i as any as I; x;`],
    ['a method that nothing reads by name', `${method}console.log(new C()); JSON.stringify(new C());`],
    ['an empty literal that is filled', `${one}const x = {} as I; x.a = 1;`],
    ['a generic function that only passes on', `${one}function id<T>(x: T): T { return x; } id(i).a;`],
    ['keys that are only counted', `${one}Object.keys(i).length;`],
    ['a type of the library that is no base', `${one}export const f = (e: Error) => (e as Error & { a?: number }).a;`],
    [
      'a guard that asks the class',
      'export class C { «a» = 1; }\nexport function is(x: unknown): x is C { return x instanceof C && x.a > 0; }',
    ],
    [
      'a property that is defined by its type',
      `${one}declare const d: { i: I }; Object.defineProperty(d, 'i', { value: i });`,
    ],
    [
      'any function, by a type parameter',
      `${one}function memo<F extends (...x: never[]) => unknown>(f: F): F { return f; } memo((x: I) => x.a);`,
    ],
    ['by the loop over its own list', `${one}declare const l: I[]; let x: I; for (x of l) x.a;`],
    [
      'what one of several signatures gives',
      `${one}export function f(x: 1): I;\nexport function f(x: 2): { c: 1 };\nexport function f(x: number): I | { c: 1 } { return x === 1 ? i : { c: 1 }; }`,
    ],
    [
      'from a wider type that nothing else goes to',
      'export {};\ninterface W { c: 1 }\ninterface I extends W { «a»?: number }\ndeclare function f(x: W): void; declare const i: I; f(i);\nexport const g: (w: W) => unknown = (x: I) => x.a;',
    ],
    ['a part of it', `${one}declare const p: Partial<I>; (p as I).a;`],
  ])('M9 %s', (_, source) => {
    expect(borderOf(source)).toEqual([]);
  });

  test('M9 a method is asked about where something says its name', () => {
    expect(borderOf(`${method}const u: unknown = new C(); (u as { a?(): void }).a?.();`)).toEqual(['untyped_exit']);
    expect(borderOf(`${method}const u: unknown = new C(); if ('a' in (u as object)) u;`)).toEqual(['untyped_exit']);
    expect(borderOf(`${method}const u: any = new C(); declare const k: string; u[k]();`)).toEqual(['untyped_exit']);
    const looked = 'declare const k: string; const f = (u: object) => (u as Record<string, () => void>)[k]?.();';
    expect(borderOf(`${method}${looked} f(new C());`)).toEqual(['untyped_exit']);
    const reflected = 'declare const k: string; const f = (u: object) => Reflect.get(u, k);';
    expect(borderOf(`${method}${reflected} f(new C());`)).toEqual(['untyped_exit']);
  });
});
