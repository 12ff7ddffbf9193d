import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { describeInterface } from '../../index/text/interface-hash.ts';
import { withParsedSource } from '../parsing/parse-source.ts';
import extractJavaScript from './javascript-facts.ts';

type Observed = { readonly texts: string[]; readonly inferred: boolean } | null;

/** What another file sees: the public records. */
function observe(text: string, path = 'file.ts'): Promise<Observed> {
  const grammar = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.js') ? 'javascript' : 'typescript';
  return withParsedSource(grammar, new TextEncoder().encode(text), ({ root, hasErrors }) => {
    const records = extractJavaScript({ root, text, path, hasErrors }).interfaceRecords;
    if (records === null) return null;
    const seen = records.filter((record) => record.isPublic);
    return { texts: seen.map((record) => record.text()).sort(), inferred: seen.some((record) => record.inferred) };
  });
}

/** Tokens of declarations. `¶` is where a line may end; elsewhere a line end could mean something. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: source text
const declarations: readonly string[] = [
  'export function f < T > ( a : string , b ? : T , ... c : number [ ] ) : void { return ; } ¶',
  "export const a : Map < string , { x : 'a b' } > = new Map ( ) ; ¶",
  'export const g = async ( a : number ) : Promise < void > => { await a ; } ; ¶',
  'export const h = ( a : number ) => a + + 1 - - 2 ; ¶',
  "export const r = / [ / \\ ] ' ] + / . test ( `a  ${ b }  /* kept */` ) ; ¶",
  '@dec ( ) ¶ export abstract class A < T > extends B < T > implements C { ¶ private x : string = "" ; ¶ ' +
    'static y ? : number ; ¶ get z ( ) : string { return "  " ; } ¶ m ( a = 1 ) : void { } ¶ #p = 2 ; ¶ } ¶',
  'export interface I extends J { ¶ readonly a ? : string ; ¶ m ( ) : void ; ¶ } ¶',
  'export type U = | "a" | { b : [ c ? : string ] } ; ¶',
  'export const enum E { ¶ A = 1 , ¶ B ¶ } ¶',
  "export { x as y , type Z } from './m' ; ¶",
  "export * as ns from './n' ; ¶",
  'export default class { ¶ a : string ; ¶ } ¶',
  'export namespace N { ¶ export function q ( ) : void { } ¶ } ¶',
  'declare global { ¶ interface W { ¶ a : string ; ¶ } ¶ } ¶',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: source text
const within = fc.constantFrom(' ', '  ', '\t', ' /* class X { y: string } */ ', '/**/ ');
const atLineEnd = fc.constantFrom(
  '\n',
  '\r\n',
  '\n\n  ',
  ' // export const hidden = 1;\n',
  '\n/** doc */\n',
  ' /*\n*/ ',
);

function spell(tokens: string, gaps: readonly string[], ends: readonly string[]): string {
  let at = 0;
  const gap = (list: readonly string[]) => list[at++ % list.length] ?? ' ';
  // Regular expressions, templates and strings are one token each, whatever is in them.
  return tokens
    .replace(/\/ \[.*?\+ \/|`.*?`|'.*?'|".*?"/g, (token) => token.replaceAll(' ', '\0'))
    .split(' ')
    .map((token) => (token === '¶' ? gap(ends) : `${token}${gap(gaps)}`))
    .join('')
    .replaceAll('\0', ' ');
}

test('S2 white space and comments are not observed', async () => {
  const picked = fc.shuffledSubarray([...declarations], { minLength: 1 });
  const gaps = fc.array(within, { minLength: 1, maxLength: 40 });
  const ends = fc.array(atLineEnd, { minLength: 1, maxLength: 10 });
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(picked, gaps, ends, async (tokens, gapList, endList) => {
      const plain = await observe(tokens.map((line) => spell(line, [' '], ['\n'])).join(''));
      const spelt = await observe(tokens.map((line) => spell(line, gapList, endList)).join(''));
      expect(plain).not.toBeNull();
      // The grammar does not know a comment in every place; it then sees an error, and unknown is a right answer too.
      if (spelt === null) return;
      compared += 1;
      expect(spelt).toEqual(plain);
    }),
    { numRuns: 200 },
  );
  expect(compared).toBeGreaterThan(50);
});

test('S2 the order of statements and of exported names is not observed', async () => {
  const clause = (names: string) => `export { ${names} } from './m';\n`;
  expect(await observe(`export const a: 1 = 1;\n${clause('x, y')}`)).toEqual(
    await observe(`${clause('y, x')}export const a: 1 = 1;\n`),
  );
});

const body = fc.constantFrom('{ }', '{ return 1; }', '{ const x = () => 2; return x["y"]; }', '{ /* ` */ throw "}"; }');

test.each([
  ['a function', (b: string) => `export function f(a: string): number ${b}`],
  ['an arrow function', (b: string) => `export const f = (a: string): number => ${b}`],
  ['a function expression', (b: string) => `export const f = function (): number ${b};`],
  ['a method', (b: string) => `export class A { m(): number ${b} }`],
  ['a getter and setter', (b: string) => `export class A { get x(): number ${b} set x(v: number) ${b} }`],
  ['a constructor', (b: string) => `export class A { constructor(private a: string) ${b} }`],
  ['a private method', (b: string) => `export class A { private m() ${b} #n() ${b} }`],
  ['a field that holds a function', (b: string) => `export class A { m = (): number => ${b}; }`],
  ['a function in a namespace', (b: string) => `export namespace N { export function f(): number ${b} }`],
  ['a default export', (b: string) => `export default function (): number ${b}`],
  ['an initialiser', (b: string) => `export const a: Fn = () => ${b}; export class A { x: Fn = () => ${b}; }`],
  ['a default value', (b: string) => `export function f(a: Fn = () => ${b}): void {}`],
  ['a local that nothing mentions', (b: string) => `export const a: 1 = 1; function local() ${b}`],
])('S2 %s: a body with declared types is not observed', async (_, declare) => {
  await fc.assert(
    fc.asyncProperty(body, body, async (one, two) => {
      const first = await observe(declare(one));
      expect(first?.inferred).toBe(false);
      expect(await observe(declare(two))).toEqual(first);
    }),
  );
});

test.each([
  ['a function', (b: string) => `export function f(a: string) ${b}`, 'file.ts'],
  ['an arrow function', (b: string) => `export const f = (a: string) => ${b}`, 'file.ts'],
  ['a method', (b: string) => `export class A { m() ${b} }`, 'file.ts'],
  ['a getter', (b: string) => `export class A { get x() ${b} }`, 'file.ts'],
  ['a field without a type', (b: string) => `export class A { x; constructor() ${b} }`, 'file.ts'],
  ['an initialiser', (b: string) => `export const a = () => ${b};`, 'file.ts'],
  ['a default value', (b: string) => `export function f(a = () => ${b}): void {}`, 'file.ts'],
  ['a default export', (b: string) => `export default { m() ${b} };`, 'file.ts'],
  ['a local exported by a clause', (b: string) => `function local() ${b}\nexport { local };`, 'file.ts'],
  ['a constructor in JavaScript', (b: string) => `export class A { constructor() ${b} }`, 'file.js'],
  ['CommonJS', (b: string) => `module.exports = { a() ${b} };`, 'file.js'],
  ['a CommonJS member', (b: string) => `exports.a = function () ${b};`, 'file.js'],
])('S3 %s: a body without declared types is observed', async (_, declare, path) => {
  await fc.assert(
    fc.asyncProperty(body, body, async (one, two) => {
      fc.pre(one !== two);
      const first = await observe(declare(one), path);
      expect(first?.inferred).toBe(true);
      expect(await observe(declare(two), path)).not.toEqual(first);
    }),
  );
});

test.each([
  'export const = 1;',
  'export function f(a: { return 1 }',
  'function f( {\nexport function g(): void {}',
  'function local() { return 1 +* 2 }\nexport { local };',
  'export class A { m( { }',
])('S3 a syntax error in what is exported makes the interface unknown: %s', async (text) => {
  expect(await observe(text)).toBeNull();
});

test('S3 a syntax error in a local does not', async () => {
  expect(await observe('function local() { return 1 +* 2 }\nexport const a: 1 = 1;')).toEqual({
    texts: ['export const a:1='],
    inferred: false,
  });
});

test('S3 in JSX text nothing is a comment, in JSX expressions it is', async () => {
  const element = (inside: string) => `export const A = () => <p>${inside}</p>;`;
  const differ = async (one: string, two: string) =>
    expect(await observe(element(one), 'file.tsx')).not.toEqual(await observe(element(two), 'file.tsx'));
  await differ('https://a.b{1}', 'https://a.b{2}');
  await differ('src/**/*.ts {1}', 'src/**/*.ts {2}');
  await differ("it's // {1}", "it's // {2}");
  expect(await observe(element('{/* one */}{a}'), 'file.tsx')).toEqual(
    await observe(element('{/* two */}{a}'), 'file.tsx'),
  );
});

test.each([
  ["export * from './base';", false],
  ["export * as base from './base';", false],
  ["export { make } from './base';", false],
  ["export type { Item } from './base';", false],
  ["import { make } from './base'; export { make };", false],
  ["import { make } from './base'; export const made: number = make(1);", true],
  ['export const made: number = 1;', true],
])('T5 the interface of `%s` is closed: %s', async (text, closed) => {
  const described = await withParsedSource('typescript', new TextEncoder().encode(text), ({ root, hasErrors }) =>
    describeInterface(extractJavaScript({ root, text, path: 'file.ts', hasErrors })),
  );
  expect(described?.closed).toBe(closed);
});
