import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { askedAbout } from '../../../../test/support/rename-world.ts';

afterAll(closePrograms);

const config = { 'tsconfig.json': renderConfig({ lib: ['es2023', 'dom', 'esnext.decorators'], types: [] }) };
const asked = (source: string, more: Readonly<Record<string, string>> = {}) =>
  askedAbout('name_as_data', { ...config, ...more, 'a.ts': `export {};\n${source}` }).map((one) =>
    one.replace(/^.*?: /, ''),
  );

describe('M9 names of functions and classes that the program reads', () => {
  test.each([
    ['its name', 'function «a»() {} a.name;', 'name'],
    ['of a class', 'class «a» {} a.name;', 'name'],
    ['of a constant function', 'const «a» = () => 1; a.name;', 'name'],
    ['of a method', 'const o = { «a»() {} }; o.a.name;', 'name'],
    ['of a static method', 'class C { static «a»() {} } C.a.name;', 'name'],
    ['of a bound function', 'function «a»() {} a.bind(null).name;', 'name'],
    ['of the name inside', 'const f = function «a»() { return a; }; f.name;', 'f.name'],
    ['taken apart', 'class «a» {} const { name } = a;', '{ name }'],
    ['as text', 'function «a»() {} a.toString();', 'toString'],
    ['as a string', 'function «a»() {} String(a);', 'a'],
    ['in a template', `function «a»() {} ${'`$'}{a}${'`'};`, 'a'],
    ['printed', 'function «a»() {} console.log([a]);', 'a'],
    ['of the maker', 'class «a» {} declare const x: a; x.constructor.name;', 'x.constructor.name'],
    [
      'of whatever extends a base',
      'class B { k() { return this.constructor.name; } } class «a» extends B {}',
      'this.constructor.name',
    ],
    [
      'of what is made',
      'class B { k; constructor() { this.k = new.target.name; } } class «a» extends B {}',
      'new.target.name',
    ],
    [
      'of an instance that is given',
      'class «a» {} const k = (o: object) => o.constructor.name; k(new a());',
      'o.constructor.name',
    ],
    [
      'of an argument',
      'const r: any = {}; function add(f: Function) { r[f.name] = f; } function «a»() {} add(a);',
      'f.name',
    ],
    [
      'of an argument of an argument',
      'function n(f: Function) { return f.name; } function m(g: Function) { return n(g); } const «a» = () => 1; m(a);',
      'f.name',
    ],
    [
      'of what a parameter may be',
      'function key(x: unknown) { return typeof x === "function" ? x.name : ""; } function «a»() {} key(a);',
      'x.name',
    ],
    ['of a class that is given', 'function one<T>(c: new () => T) { return c.name; } class «a» {} one(a);', 'c.name'],
    ['of one of a list', 'class B {} class «a» {} for (const c of [B, a]) c.name;', 'c.name'],
    [
      'of one of a list of functions',
      'const fs: Function[] = []; const «a» = () => 1; fs.push(a); const l = [a]; fs.map((f) => f.name);',
      'f.name',
    ],
    [
      'of what a callback passes on',
      'type F = () => number; const n = (f: F) => f.name; function «a»() { return 1; } [a].map((f) => n(f));',
      'f.name',
    ],
    [
      'of one of the rest',
      'type F = () => number; const n = (...l: F[]) => l.map((f) => f.name); function «a»() { return 1; } n(a);',
      'f.name',
    ],
    [
      'of a parameter, from the text of its function',
      String.raw`const n = (f: Function) => /\((.*)\)/.exec(f.toString()); n((«a»: number) => a);`,
      'f.toString()',
    ],
    [
      'of a parameter that is taken apart',
      String.raw`declare const n: any; const k = (f: any) => String(f).match(/\{(.*)\}/); const g = ({ «a» }: any) => a; n(g, '(');`,
      'String(f)',
    ],
    [
      'of a parameter of what makes a class',
      'const n = (f: Function) => f.toString().split("("); class C { constructor(«a»: number) { a; } } n(C);',
      'f.toString()',
    ],
    ['of an instance that is printed', 'class «a» { x = 1; } console.log(new a());', 'new a()'],
    ['of an instance in a list that is printed', 'class «a» { x = 1; } console.log([new a()]);', '[new a()]'],
    [
      'of an instance in an object that is printed',
      'class «a» { x = 1; } declare function inspect(x: unknown): string; inspect({ y: new a() });',
      '{ y: new a() }',
    ],
    [
      'a decorator that takes it',
      'function d(_: unknown, c: ClassMethodDecoratorContext) { c.name; } class C { @d «a»() {} }',
      '@d',
    ],
    ['a decorator that takes the class', 'function d(c: Function, _: unknown) { c.name; } @d class «a» {}', '@d'],
    [
      'a decorator that keeps the class, for something that reads names',
      'const all: Function[] = []; function d(c: Function, _: unknown) { all.push(c); } @d class «a» {} all.map((f) => f.name);',
      '@d',
    ],
    [
      'a factory of decorators that keeps the class, for a message',
      'type Made = new (...x: any[]) => unknown; const all: Made[] = []; const d = () => (c: Made) => { all.push(c); }; @d() class «a» {} const says = (m: Made) => "no " + m.name;',
      '@d()',
    ],
    ['an unknown decorator', 'declare const d: any; class C { @d «a» = 1; }', '@d'],
    [
      'of an error that is caught',
      'class «a» extends Error {} const k = (e: any) => e.constructor.name; try { throw new a(); } catch (e) { k(e); }',
      'e.constructor.name',
    ],
    ['in a trace', 'function «a»() { return new Error().stack!.includes("at a"); } a();', 'stack'],
    [
      'a decorator of a parameter',
      'function d(_: object, k: string, _i: number) { k; } class C { «a»(@d x: number) { return x; } }',
      '@d',
    ],
    ['of a number of an enum', 'enum E { «a», c } E[0];', 'E'],
    ['an enum as an object', 'enum E { «a» = "x" } Object.keys(E);', 'E'],
  ])('M9 %s', (_, source, at) => {
    expect(asked(source)).toEqual([at]);
  });

  test.each([
    ['a name of something else', 'class U { name = "x"; } function «a»(u: U) { return u.name; } a(new U());'],
    ['the name of another class', 'class C {} class «a» {} C.name; new a();'],
    [
      'the name of other functions',
      'function n(f: Function) { return f.name; } n(() => 1); const «a» = (x: number) => x; [1].map(a);',
    ],
    [
      'calls, tests and bases',
      'class B { k() { return this.constructor.name; } } class «a» {} class D extends a {} declare const x: unknown; x instanceof a;',
    ],
    [
      'the name of a function that something has',
      'function f() {} const o = { f, k() { return this.f.name; } }; const «a» = () => 1; const l = { x: a }; o.k();',
    ],
    ['a message', 'class B { k() { throw new Error(this.constructor.name); } } class «a» extends B {}'],
    ['a trace that is not compared', 'function «a»() { return new Error().stack; } a();'],
    [
      'a caught error that is none',
      'class «a» {} const k = (e: any) => e.constructor.name; try { new a(); } catch (e) { k(e); }',
    ],
    [
      'a decorator that keeps a class, where no name is read',
      'const all: Function[] = []; function d(c: Function, _: unknown) { all.push(c); } @d class «a» {} all.map((f) => f.length);',
    ],
    [
      'a decorator that ignores the class',
      'function d(_c: unknown, _: unknown) {} @d class «a» {} declare const f: Function; f.name;',
    ],
    ['a decorator that ignores it', 'function d(_: unknown, _c: unknown) {} class C { @d «a»() {} }'],
    [
      'a factory that ignores it',
      'const d = (n: string) => (f: unknown, _c: unknown) => { n; }; class C { @d("x") «a»() {} }',
    ],
    ['an enum by its members', 'enum E { «a», c } const e: E = E.a; E["c"];'],
    [
      'a parameter of what is only called',
      'const n = (f: Function) => f.toString().split("("); n(() => 1); function g(«a»: number) { return a; } g(1);',
    ],
    [
      'a parameter beside the text of something else',
      'const n = (x: number) => x.toString().split("."); n(1); [1].map((«a») => a);',
    ],
    ['a variable', 'const «a» = { name: 1 }; a.name;'],
    ['a named function behind a variable', 'const «a» = function f() {}; a.name;'],
    ['a name that errors print', 'function «a»() {} console.error(a.length);'],
  ])('M9 not: %s', (_, source) => {
    expect(asked(source)).toEqual([]);
  });

  test('M9 through imports', () => {
    const registry = 'export const names: string[] = []; export function add(f: Function) { names.push(f.name); }';
    expect(asked('import { add } from "./r.js"; function «a»() {} add(a);', { 'r.ts': registry })).toEqual(['f.name']);
    const use = 'import { E } from "./a.js"; Object.keys(E);';
    expect(asked('export enum E { «a» }', { 'u.ts': use })).toEqual(['E']);
  });
});
