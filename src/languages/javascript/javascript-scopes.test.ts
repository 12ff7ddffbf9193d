import { describe, expect, test } from 'vitest';
import { checkBinding } from '../../../test/support/check-binding.ts';
import { readMarked, withSource } from '../../../test/support/marked-source.ts';
import { analyseScopes } from '../readers.ts';

const typescript: Readonly<Record<string, string>> = {
  'var is hoisted out of blocks':
    'function f() { «x»; if (a) { var «x» = 1; } for (var «x» of y) {} return «x»; } ‹x›;',
  'let stays in its block': 'let x; { let «x» = 1; «x»; } x;',
  'the name of an outer block is seen inside': 'let «x»; { «x» = 1; function f() { return «x»++; } }',
  'a function is hoisted': '«f»(); function «f»() { «f»; }',
  'overloads are one binding':
    'function «f»(a: string): void; function «f»(a: number): void; function «f»(a: any) {} «f»;',
  'a parameter is not the outer name': 'const x = 1; function f(«x»: number) { return «x»; } x;',
  'parameter defaults see other parameters': 'function f(«a», b = «a», { c = «a» } = {}) {}',
  'parameter defaults do not see the body': 'function f(a = ‹x›) { var x = 1; return x; }',
  'and mean the outer name instead': 'const «x» = 0; function f(a = «x») { var x = 1; return x; }',
  'a var of the body with the name of a parameter is that parameter': 'function f(«a») { var «a» = 1; return «a»; }',
  'the name of a function expression is seen inside only': 'const g = function «f»() { return «f»; }; ‹f›;',
  'the name of a class expression is seen inside only': 'const g = class «A» { m(): «A» { return new «A»(); } }; ‹A›;',
  'a class is type and value': 'class «A» {} let x: «A» = new «A»(); class B extends «A» {}',
  'catch parameters': 'let e; try {} catch («e») { «e»; } e;',
  'destructured catch parameters': 'try {} catch ({ message: «m» }) { «m»; }',
  'for heads': 'for (let «i» = 0, n = «i»; «i» < n; «i»++) { «i»; } ‹i›;',
  'for-of heads': 'const i = []; for (const «i» of xs) { «i»; } i;',
  'for-of with an existing variable': 'let «i»; for («i» of xs) {} for ([«i»] of xs) {}',
  'a switch is one block': 'switch (x) { case 1: let «a»; break; case 2: «a» = 2; } ‹a›;',
  'the value of a switch is outside': 'let «a»; switch («a») { case 1: let a; }',
  'destructuring with renames and defaults': 'const { a: «x» = ‹d›, b: { c: y } } = o; «x»;',
  'destructuring assignment': 'let «x», y; ({ a: «x», b: [y = «x»] } = o); [«x»] = [«x»];',
  'rest patterns': 'const [a, ...«rest»] = xs; const { b, ...c } = «rest»;',
  'shorthand in a pattern declares': 'const { «a», b = «a» } = o; f({ «a» });',
  'member names are not bound': 'const a = 1; o.‹b›; ({ ‹b›: a }); o.a;',
  'this is not the name of a member': 'class C { x = 1; m() { return ‹x›; } }',
  'type parameters': 'function f<«T» extends object>(a: «T»): «T»[] { let b: «T»; } let c: ‹T›;',
  'type parameters of classes': 'class A<«T»> extends B<«T»> { x: «T»; m<U>(a: «T»): U {} }',
  'type parameters of interfaces that merge': 'interface I<«T»> { a: «T» } interface I<«T»> { b: «T» }',
  'type parameters of aliases with defaults': 'type A<«T», U = «T»> = «T» | U;',
  'a value is not a type': 'const «a» = 1; type B = ‹a›; let b: typeof «a»;',
  'a type is not a value': 'interface «A» { x: «A» } let a: «A» = ‹A›;',
  'a type and a value of one name are one binding': 'type «A» = string; const «A» = 1; let b: «A» = «A»;',
  'a nearer value does not hide a type': 'interface «T» {} function f(T: number) { let a: «T»; return T; }',
  'infer is seen where the condition holds': 'type A<T> = T extends (infer «U»)[] ? «U» : ‹U›;',
  'infer twice is one name': 'type A<T> = T extends [infer «U», infer «U»] ? «U» : never;',
  'infer of an outer condition':
    'type A<T> = T extends [infer «A1», infer B] ? B extends infer C ? [«A1», C] : «A1» : never;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
  'mapped types': 'type M<T> = { [«K» in keyof T as `x${«K»}`]: T[«K»] }; type N = ‹K›;',
  'index signatures': 'type D = { [«key»: string]: typeof «key» };',
  'function types': 'type F = («a»: string, b: typeof «a») => «a» is string;',
  'constructor types go on after &': 'let c: new <«A»>() => B & Readonly<«A»>;',
  'predicates and assertions': 'function f(«x»: unknown): «x» is string {} function g(y): asserts y {}',
  'type parameters do not see parameters':
    'const «k» = 1; function f<T extends typeof «k»>(k: T, l: typeof k): typeof k { return k; } «k»;',
  'type queries': 'let «x» = { y: 1 }; type T = typeof «x».y; type U = keyof typeof «x»;',
  'named tuple members are no names': 'let a; type T = [‹a›: string, b?: number];',
  'default imports': "import «d» from 'm'; «d»; export default «d»;",
  'named imports': "import { ‹a› as «b», type c } from 'm'; «b»; let x: «b»;",
  'namespace imports': "import * as «ns» from 'm'; «ns».a; let x: «ns».T; <T>«ns».b;",
  'import =': "import «r» = require('r'); «r».x; import q = «r».Y; export = «r»;",
  'export clauses': 'const «a» = 1; export { «a», «a» as ‹b› };',
  're-exports mean other files': "const a = 1; export { ‹a› as ‹b› } from 'm'; export * as ‹ns› from 'n';",
  'a qualified name goes by its first part':
    'namespace «A» { export namespace B { export type T = 1 } } let x: «A».B.T;',
  'namespaces merge': 'namespace «N» { } namespace «N» { } «N»;',
  'and share what they export': 'namespace N { export const «x» = 1; «x»; } namespace N { «x»; } ‹x›;',
  'but not what they do not': 'namespace N { const «x» = 1; «x»; } namespace N { ‹x›; }',
  'dotted namespaces': 'namespace A.«B» { «B»; } namespace A.«B» {} namespace A { «B»; }',
  'a class and its namespace': 'class «C» {} namespace «C» { export type T = «C» } let x: «C».T;',
  'enums merge': 'enum «E» { A } enum «E» { B } let x: «E» = «E».A; type T = «E».A;',
  'enum members see each other': 'enum E { «A» = 1, B = «A» << 1 } enum E { C = «A» } ‹A›;',
  'enum members in quotes': "enum E { '«A»' = 1, B = «A» }",
  'declare global is seen everywhere': 'export {}; declare global { interface «W» { a: «W» } } let w: «W»;',
  'declare module': "declare module 'm' { const «a»: number; export { «a» as b } }",
  'declare namespace exports everything':
    'declare namespace N { const «a»: number } declare namespace N { const b: typeof «a» }',
  'decorators stand outside': 'const «d» = 1; @«d» class A { @«d» m(@«d» d) { d; } }',
  'computed keys': 'const «k» = 1; class A { [«k»]() {} [«k»] = 1 } ({ [«k»]: 1, [«k»]() {} });',
  'parameter properties are parameters': 'class A { constructor(private «a»: string) { «a»; this.‹a›; } }',
  'arguments belongs to its function': 'function f() { «arguments»; () => «arguments»; function g() { arguments; } }',
  'arguments outside of functions': '‹arguments›;',
  'private names': 'class A { «#x» = 1; static m(a) { return a.«#x» + («#x» in a); } } class B { #x; m() { this.#x } }',
  'private names of an outer class': 'class A { «#x»; m() { return class { n(a) { a.«#x» } } } }',
  labels: '«a»: for (;;) { for (;;) continue «a»; break «a»; } let a;',
  'labels of one name': 'a: { break a; } «a»: { break «a»; }',
  'static blocks': 'class A { static { var «x» = 1; «x»; } } ‹x›;',
  using: 'using «r» = f(); «r».x;',
  'unicode escapes spell the same name': 'var «\\u0061b» = 1; «ab»; «\\u{61}b»;',
  'type-only imports': "import type { «A» } from 'm'; let x: «A»; export type { «A» };",
  'undefined can be a name': '(function (a, «undefined») { return a === «undefined»; });',
  'object methods': 'const o = { f(«a») { return «a»; }, get x() { return 1; }, set x(v) { v; } };',
  'arrow functions': 'const a = 1; const f = «a» => «a»; const g = async (a) => a;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
  'template literals': 'const «a» = 1; `${«a»} a ${() => «a»}`;',
  'satisfies and as': 'let «x»; («x» as any) = 1; «x»! = 2; «x» satisfies T;',
  'global declarations do not see through shadows': 'let x; function f() { «x»; let «x»; }',
  'a conditional type parameter default': 'type A<«T» = string> = «T» extends infer T ? T : «T»;',
};

const jsx: Readonly<Record<string, string>> = {
  'capital names are references': 'const «A» = 1; <«A» b={«A»}>A</«A»>;',
  'members go by their first part': 'const «ns» = 1; <«ns».A />;',
  'lower-case names are intrinsic': 'const div = 1; <‹div› ‹id›={div}></‹div›>;',
  'attributes are members': 'const a = 1; <B ‹a›={a} />;',
};

const javascript: Readonly<Record<string, string>> = {
  'sloppy functions in blocks are seen outside': 'if (x) { function «f»() {} } «f»();',
  'strict ones are not': '"use strict"; if (x) { function f() {} } ‹f›();',
  'nor in a strict function': 'function g() { "use strict"; { function f() {} } ‹f›(); }',
  'the name of a function expression stays inside': 'var f = function «f»() { «f»; }; f();',
  'class names': 'class «A» {} new «A»();',
  'class fields': 'class A { ‹x› = 1; static ‹y›; }',
  'exports under another name': 'const «a» = 1; export { «a» as default };',
};

describe('TypeScript', () => {
  test.each(Object.entries(typescript))('%s', async (_, marked) => {
    await checkBinding('typescript', marked);
  });
});

describe('JSX', () => {
  test.each(Object.entries(jsx))('%s', async (_, marked) => {
    await checkBinding('typescript', marked, 'source.tsx');
    await checkBinding('javascript', marked, 'source.jsx');
  });
});

describe('JavaScript', () => {
  test.each(Object.entries(javascript))('%s', async (_, marked) => {
    await checkBinding('javascript', marked);
  });
});

describe('what a binding says of itself', () => {
  const exportsOf = async (marked: string) => (await checkBinding('typescript', marked))?.exportedAs;
  test('exports', async () => {
    expect(await exportsOf('export const «a» = 1;')).toEqual(['a']);
    expect(await exportsOf('export const { x: «a» } = o;')).toEqual(['a']);
    expect(await exportsOf('export default function «a»() {}')).toEqual(['default']);
    expect(await exportsOf('export default class «A» {}')).toEqual(['default']);
    expect(await exportsOf('class «A» {} export { «A» as B, «A» as default };')).toEqual(['B', 'default']);
    expect(await exportsOf("class «A» {} export { «A» as 'a b' };")).toEqual(['a b']);
    expect(await exportsOf('const «a» = 1; export = «a»;')).toEqual(['=']);
    expect(await exportsOf('const «a» = 1; export {};')).toEqual([]);
    expect(await exportsOf('enum E { «A» }')).toEqual(['A']);
  });

  test('imports', async () => {
    const importOf = async (marked: string) => (await checkBinding('typescript', marked))?.importOf;
    expect(await importOf("import «a» from 'm';")).toEqual({ specifier: 'm', name: 'default', typeOnly: false });
    expect(await importOf("import * as «a» from 'm';")).toEqual({ specifier: 'm', name: '*', typeOnly: false });
    expect(await importOf("import { b as «a» } from 'm';")).toEqual({ specifier: 'm', name: 'b', typeOnly: false });
    expect(await importOf("import { type «a» } from 'm';")).toEqual({ specifier: 'm', name: 'a', typeOnly: true });
    expect(await importOf("import type { «a» } from 'm';")).toEqual({ specifier: 'm', name: 'a', typeOnly: true });
    expect(await importOf("import «a» = require('m');")).toEqual({ specifier: 'm', name: '=', typeOnly: false });
  });

  test('space and kind', async () => {
    const kindOf = async (marked: string) => {
      const binding = await checkBinding('typescript', marked);
      return `${binding?.kind} ${binding?.space}`;
    };
    expect(await kindOf('let «a»;')).toBe('let value');
    expect(await kindOf('class «A» {}')).toBe('class both');
    expect(await kindOf('interface «A» {}')).toBe('interface type');
    expect(await kindOf('namespace «A» {}')).toBe('namespace namespace');
    expect(await kindOf("import type «A» from 'm'")).toBe('import type');
    expect(await kindOf('type «A» = 1; const «A» = 1;')).toBe('type both');
  });

  test('access', async () => {
    const binding = await checkBinding(
      'typescript',
      'let «a»; «a»; «a» = 1; «a» += 1; «a»++; type T = typeof «a»; export { «a» };',
    );
    expect(binding?.references.map(({ access }) => access)).toEqual([
      'read',
      'write',
      'readwrite',
      'readwrite',
      'type',
      'export',
    ]);
  });
});

describe('what a file says of itself', () => {
  const analyse = (text: string, path?: string) =>
    withSource('typescript', text, (source) => analyseScopes(source, 'typescript'), path);

  test('eval and with make it dynamic', async () => {
    expect((await analyse('eval("x")')).dynamic).toBe(true);
    expect((await analyse('o.eval("x"); let a = evaluate;')).dynamic).toBe(false);
    expect(
      (await withSource('javascript', 'with (o) { a }', (source) => analyseScopes(source, 'javascript'))).dynamic,
    ).toBe(true);
  });

  test('imports and exports make it a module', async () => {
    expect((await analyse('export {};')).isModule).toBe(true);
    expect((await analyse("import 'm';")).isModule).toBe(true);
    expect((await analyse('let a;')).isModule).toBe(false);
  });

  test('a declaration file exports what it declares', async () => {
    const { bindings } = await analyse('export {}; declare const a: number;', 'a.d.ts');
    expect(bindings.map(({ name, exportedAs }) => [name, exportedAs])).toEqual([['a', []]]);
    const open = await analyse("import 'm'; declare const a: number;", 'a.d.ts');
    expect(open.bindings.map(({ name, exportedAs }) => [name, exportedAs])).toEqual([['a', ['a']]]);
  });

  test('a name in broken text is doubtful and never bound', async () => {
    const { text, marks } = readMarked('let a = 1; type T = import("x").Y<«a»> = ; a;');
    const tree = await analyse(text);
    expect(tree.hasErrors).toBe(true);
    expect(tree.doubtfulNames).toContain('a');
    expect(tree.unbound.some(({ start }) => start === marks[0]?.start)).toBe(true);
  });

  test('shorthand properties are a reference and a member', async () => {
    const { text, marks } = readMarked('let a; f({ «a» });');
    const { bindings, unbound } = await analyse(text);
    const start = marks[0]?.start;
    expect(bindings[0]?.references.map((reference) => reference.start)).toEqual([start]);
    expect(unbound.filter((reference) => reference.start === start).map(({ isMember }) => isMember)).toEqual([true]);
  });
});
