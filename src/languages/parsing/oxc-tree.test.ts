import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { brokenSources } from '../../../test/support/extract-text.ts';
import fc from '../../../test/support/properties.ts';
import { tellSource } from '../../../test/support/tell-source.ts';
import type { GrammarName } from '../languages.ts';
import { type FlatTree, flattenTree } from './flat-tree.ts';
import { OxcTreeNode } from './oxc-node.ts';
import { type ParsedSource, withGrammarTree, withParsedSource } from './parse-source.ts';

/** A tree as lines: depth, field, type and place of each node. */
function draw(tree: FlatTree): string[] {
  const depth = new Int32Array(tree.count);
  return Array.from({ length: tree.count }, (_, node) => {
    const parent = tree.parent[node] ?? -1;
    depth[node] = parent < 0 ? 0 : (depth[parent] ?? 0) + 1;
    const place = `${tree.start[node]}-${tree.end[node]} next ${tree.next[node]} after ${tree.after[node]}`;
    return `${'  '.repeat(depth[node] ?? 0)}${tree.field[node]}:${tree.type[node]} ${place}`;
  });
}

const drawSource = (source: ParsedSource) => ({
  byOxc: source.root instanceof OxcTreeNode,
  lines: draw(flattenTree({ ...source, path: '' })),
});

async function compare(grammar: GrammarName, text: string): Promise<void> {
  const ours = await withParsedSource(grammar, text, drawSource);
  expect(ours.byOxc, text).toBe(true);
  expect(ours.lines.join('\n'), text).toBe((await withGrammarTree(grammar, text, drawSource)).lines.join('\n'));
}

const statements = [
  '',
  '\n',
  '// only a comment\n',
  '#!/usr/bin/env node\n"use strict";\n\na()',
  'let a = 1, { b, c: d = 2, ...e } = f, [g, , h = 1, ...i] = j; var k; const l = undefined',
  'for (let i = 0, j; i < 1; i++) {} for (;;); for (i = 0; ; ) break; for (const x of y) ; for (var [a] in b);',
  'async function f() { for await (const a of b) c; await d }',
  'a: for (;;) { continue a; } while (a) b; do { c } while (d); with_(a); debugger; throw e',
  'if (a) b; else if (c) d; else { e }',
  'switch (a) { case 1: b(); case 2: default: c }',
  'try {} catch ({ m }) {} finally {} try {} catch {}',
  'f?.(1); a?.b?.[c]; new X; new Y(1); a = b, c; a ??= b; a **= 2; -a; typeof b; void 0; a++; --b; a ? b : c',
  'const o = { a, b: 1, c() {}, get d() { return 1 }, [x]: 2, ...s, async *g() {}, "q": 3, 4: 5, set e(v) {} }',
  '({ a, b: c = 1, ...d } = e); [x, y = 2, ...z] = w; [a.b, c[d]] = e; (f) = 1; ((g)) = 2',
  'a => b; async c => d; (e, f = 1, ...g) => ({}); async () => {}; function* h() { yield; yield* i; yield j }',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the program that is parsed
  'tag`a${b}c\\n${`d${e}`}`; /re\\/[/]x/gu; "a\\tb\\u{61}\\x41"; 1n; 0x1F; .5; \'\'; ``',
  'import d, * as ns from "n"; import { a, b as c, default as e } from "m"; import "s"; import {} from "t"; import f, { g } from "h"',
  'import j from "j" with { type: "json" }; import("x"); import.meta.url',
  'export * from "a"; export * as q from "q"; export { a, b as c, d as default }; export { e } from "f"; export const g = 1',
  'export default class {}',
  'export default function f() {}\nexport function* g() {}\nexport async function h() {}',
  'export default a + b',
  'class A extends (b, C) { static #p = 1; #q; static { a } static async *m() {} get [x]() { return 1 } constructor() { super(); new.target } "s"() {} 1() {} #p2() {} e = () => {} }',
  'const C = class extends D {}, E = class F {}; #p in o',
  'a /* one */ . /* two */ b /* three */ ( /* four */ ); // five\n/* six */',
  'function f(/* none */) { /* empty */ }\n[/* hole */, 1, /* last */]',
];

test.each(statements)('S2: the same tree of JavaScript by both parsers: %s', async (text) => {
  for (const grammar of ['javascript', 'typescript', 'tsx'] as const) {
    // A private name outside of a class is none to oxc.
    if (!text.includes('#p in')) await compare(grammar, text);
  }
});

test.each([
  '@d() export class A<T> extends B<T> implements C, D { @e x?: string = 1; @f() m() {} declare readonly y: number; z!: number; static {} [k: string]: any; accessor v = 1; }',
  'export abstract class A { constructor(private readonly q: string, @g r?: number, ...s) {} abstract t(): void; protected override u?(): void {} private static readonly w = 1; m(): void; m(a?: 1) {} }',
  'type M = { readonly [K in keyof T as X]?: T[K] }; type N = { -readonly [K in T]-?: U }; type Q = { [K in T]+?: U; }',
  'let a: import("x").Foo; type C = typeof import("x"); function f(x): x is T; function g(x): asserts x is T {} function h(this: T): asserts this;',
  'type P = (x) => x is string; type Tup = [a: string, b?: number, ...c: X[], D?, ...E]; type U = | A | B & C; type Fn = abstract new (x) => void',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the program that is parsed
  'type I = T extends infer U extends string ? U : never; let u: unique symbol; type L = `a${B}c` | -1 | undefined | null | "s"; type Y = typeof a[0]',
  'const v = <const T,>(x: T) => x as const; x!.y; a satisfies B; f<T>(1); new X<T>(1); type Q = typeof a.b<T>',
  'namespace A.B { export import x = y.z; }\ndeclare global { var q }\ndeclare module "m" { export default x; export = y; export as namespace Z; }\ndeclare module "n";\nmodule O {}',
  'import r = require("r"); import type { A as B2, C } from "m"; export type { T } from "t"; import { type D } from "d"; import s = t.u.v;',
  'enum E { A = 1, "b", c } const enum F {} declare enum G { a } export declare const h: number; declare function i(): void; declare let j;',
  'interface A<T = B> extends C, D.E<F> { a; b?: string; readonly c: d; m(): void; n?<T>(a): b; (a): b; new (a): b; [k: string]: c; get x(): y; set x(v); [z]: 1 }',
  'let a: b.c.d.E<F>, g: this, h: (i | j)[], k: { l, m; n }, o: keyof p, q: readonly r[], s: bigint, t: object, v: [w, x]',
  'export default interface A {}\nexport default abstract class B {}',
  'function f<T extends A, const U = B>({ a }: C = {}, [b]: D, c?: E): F {}\nlet g = (a: b): c => d; let h!: i',
  'for (const a of b as c) d; try {} catch (e: unknown) {}',
])('S2: the same tree of TypeScript by both parsers: %s', async (text) => {
  await compare('typescript', text);
});

test.each([
  'const a = <b c="d" e={f} {...g} h:i="j">text &amp; {k} {/* l */}\n  <m.n.o />\n  <></>\n</b>;',
  'a = <b>\n  {c}\n</b>',
  'a = <b>{...c} d  {"e"} </b>',
])('S2: the same tree of elements by both parsers: %s', async (text) => {
  for (const grammar of ['javascript', 'tsx'] as const) await compare(grammar, text);
});

const here = fileURLToPath(new URL('..', import.meta.url));
const own = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(?:parsing|javascript|scopes|extraction)\/.*\.ts$/.test(path))
  .sort()
  .map((path) => readFileSync(join(here, path), 'utf8'));

test('S2: both parsers give the same facts, scopes and tokens of our own sources', async () => {
  for (const text of own) {
    const tell = (source: ParsedSource) => tellSource({ ...source, path: 'a.ts' }, 'typescript');
    const other = await withGrammarTree('typescript', text, tell);
    if (!other.hasErrors) expect(await withParsedSource('typescript', text, tell)).toEqual(other);
  }
});

test.each([
  ['an import type with arguments', 'let a: import("x").Foo<T>\nexport const b = 1'],
  [
    'a signature with type parameters on its own line',
    'export type A = {\n  b: c\n  <T>(d: T): e\n}\nexport const f = 1',
  ],
  ['variance', 'export interface A<in T, out U, in out V> {}\nexport const b = 1'],
  ['an accessor with modifiers', 'export class A { static accessor b = 1; private accessor c; }'],
  ['using in a loop', 'export function f() { for (using a of b) c(a) }'],
  ['an asserted default', 'export default {} satisfies A as B\nexport const c = 1'],
  ['instantiation in a chain', 'export const a = b<c>; export const d = (e<f>).g'],
  ['a type import with a phase', 'import defer * as a from "b"\nexport const c = a'],
  ['a generic arrow in a class', 'export class A { b = async <T,>(c: T): Promise<T> => c }'],
  ['names in quotes', 'import { "a-b" as c } from "d"\nexport { c as "e-f" }'],
  ['a regular expression with sets', 'export const a = /[\\p{L}--[a-z]]/v'],
])('S3: a file with %s is whole', async (_, text) => {
  const told = await withParsedSource('typescript', text, (source) =>
    tellSource({ ...source, path: 'a.ts' }, 'typescript'),
  );
  expect(told.hasErrors).toBe(false);
  expect(told.told['exports']?.length).toBeGreaterThan(0);
});

test('S3: what a using statement in the head of a loop declares is bound', async () => {
  const text = 'export function f() { for (using a of b) c(a) }';
  const { told } = await withParsedSource('typescript', text, (source) =>
    tellSource({ ...source, path: 'a.ts' }, 'typescript'),
  );
  expect(told['bindings']?.filter((line) => line.includes('"name":"a"')).join()).toContain('"references":[{"name":"a"');
});

test('S6: of any text, broken or not, everything can be told', async () => {
  await fc.assert(
    fc.asyncProperty(
      brokenSources(...own.slice(0, 8), ...statements),
      fc.constantFrom<GrammarName>('typescript', 'tsx', 'javascript'),
      async (text, grammar) => {
        const language = grammar === 'javascript' ? 'javascript' : 'typescript';
        const told = await withParsedSource(grammar, text, (source) => {
          const tree = flattenTree({ ...source, path: '' });
          // Children lie in their parents, one behind the other.
          for (let node = 1; node < tree.count; node += 1) {
            const parent = tree.parent[node] ?? -1;
            const [start = 0, end = 0] = [tree.start[node], tree.end[node]];
            if (start > end || start < (tree.start[parent] ?? 0) || end > (tree.end[parent] ?? 0)) return `${node}`;
            const next = tree.next[node] ?? -1;
            if (next >= 0 && (tree.start[next] ?? 0) < end) return `${node} ${next}`;
          }
          return tellSource({ ...source, path: 'a.ts' }, language);
        });
        expect(told).toBeTypeOf('object');
      },
    ),
    { numRuns: 150 },
  );
});
