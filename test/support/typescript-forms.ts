/** Every form in which TypeScript declares or names something, one small file each. What they say of each other goes through `./lib`. */

export const typescriptForms: Readonly<Record<string, string>> = {
  'package.json': '{"name":"forms","version":"1.2.3"}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      target: 'es2022',
      lib: ['es2022'],
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'preserve',
      experimentalDecorators: true,
      types: [],
    },
    include: ['src'],
  }),
  'src/lib.ts': `export interface Point { x: number; y: number; label?: string }
export type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; side: number };
export class Base<T> { protected value!: T; get size(): number { return 1 } set size(n: number) {} run(by: T): T { return by } static make() { return new Base<string>() } }
export abstract class Named { constructor(readonly name: string) {} abstract show(): string }
export enum Color { Red, Green = 'g' as any, 'dark-blue' = 3 }
export namespace Space { export const inner = 1; export namespace Deep { export type T = number } }
export function overloaded(a: string): string; export function overloaded(a: number): number; export function overloaded(a: any): any { return a }
export const origin: Point = { x: 0, y: 0 };
export const settings = { depth: 1, nested: { on: true } };
export default function main(point: Point): number { return point.x }
`,
  'src/variables.ts': `const a = 1; let b = a, c: number; var d = b + (c = 2);
export const { x, y: renamed, ...rest } = { x: 1, y: 2, z: 3 }; export const [first, [second], ...others] = [1, [2], 3, 4] as const;
for (const each of [d]) { each.toFixed() } for (let i = 0; i < 2; i++) {} try { throw 1 } catch (error) { error }
`,
  'src/functions.ts': `import { overloaded, type Point } from './lib';
export function plain<T extends Point>(this: void, first: T, second = 1, ...others: T[]): T { arguments; function inner() { return first } return inner() ?? others[second] }
export const arrow = async <U,>(u: U, { x, y: why = 2, ...more }: Point) => { overloaded('a'); return [u, x, why, more] };
const named = function self(n: number): number { return n ? self(n - 1) : 0 }; export function* gen() { yield named } export default overloaded(1);
export function isPoint(it: unknown): it is Point { return !!it } export function check(it: unknown): asserts it is Point {}
`,
  'src/classes.ts': `import { Base, Named, type Point } from './lib';
export class Derived extends Base<Point> implements Point { x = 1; declare y: number; static count = 0; #secret = 2; 'quoted-name' = 3; ['computed'] = 4; [Symbol.iterator]() { return [][Symbol.iterator]() }
  private constructor(public label: string, other?: number) { super(); this.#secret = other ?? super.run({ x: 1, y: 2 }).x; Derived.count++ }
  override get size() { return this.#secret } override set size(v) { this.x = v } override run(by: Point) { return new Derived(by.label!).value ?? by } static { this.count = 1 } accessor auto = 1 }
export const Anonymous = class { a = 1 }; export const Inner = class Own extends Named { show() { return new Own('n').name } }; new Anonymous().a;
export class WithConstructor { constructor(public p: number) {} } new WithConstructor(1).p; function local() { class Local { q = 1 } return new Local().q } local();
export abstract class Part extends Named { abstract more(): void; show() { return this.name } }
`,
  'src/types.ts': `import type { Base, Point, Shape } from './lib';
export interface Wide extends Point, Pick<Base<string>, 'size'> { (call: number): string; new (made: string): Wide; [key: string]: any; method?(a: number): void; readonly prop: Wide['x']; get got(): number; set got(v) }
export type Literal = { a: { b: { c: number } }; m(): void }; export type Mapped<T> = { [K in keyof T as \`get\${string & K}\`]?: T[K] }; export type Cond<T> = T extends (infer U)[] ? U : never;
export type Nested = Array<{ deep: Map<string, { deeper: 1 }> }>; export type Tuple = [start: number, end?: string, ...rest: boolean[]]; export type Fn = (arg: Point) => asserts arg; export type Ctor = abstract new (x: number) => Point;
export let use: Literal['a']['b']; use.c; export type Access = Shape['kind'] | Literal['a']["b"]; export type Q = typeof import('./lib'); export type I = import('./lib').Point; declare const u: unique symbol; export type Rec = { [u]: Rec };
`,
  'src/enums.ts': `import { Color } from './lib'; export const enum Small { A = 1, B = A << 1, C = Small.B } export enum Merged { One } export enum Merged { Two = 2 }
Color.Red; Color['dark-blue']; Small.C; Merged.Two; export declare enum Ambient { X }
`,
  'src/namespaces.ts': `import { Space } from './lib'; import Alias = Space.Deep; export namespace A.B.C { export let v: Alias.T; export function f() { return v } } A.B.C.f(); export { Space as Renamed };
export class Both { static s = 1 } export namespace Both { export const t = Both.s } Both.t; export function fn() {} export namespace fn { export const extra = 1 } fn.extra;
export const Conflict = 1; export interface Conflict { c: 1 } export const uses: Conflict = { c: Conflict };
`,
  'src/imports.ts': `import main, { origin as start, type Point, Base } from './lib'; import * as everything from './lib'; import type * as types from './lib'; import './variables'; import missing, { gone } from './nowhere'; import data = require('./lib');
export { start, main as default }; export * from './types'; export * as all from './enums'; export { plain as simple } from './functions'; export type { Point };
everything.origin.x; everything.Space.inner; new Base(); new everything.Base(); missing; gone.x; data.origin; let p: types.Point; void import('./lib').then(({ settings }) => settings.depth); p!.x; export { everything };
`,
  'src/literals.ts': `import { origin, settings, type Point, type Shape } from './lib'; const x = 1, y = 2; export const loose = { x, y, plain: 1, 'quoted': 2, [x]: 3, ['bracket']: 4, method() { return this }, get got() { return 1 }, set got(v) {}, ...settings };
export const typed: Point = { x, y: 2, label: 'l' }; export const union: Shape = { kind: 'circle', radius: x }; export const partial: Partial<Point> | undefined = { x }; take({ x, y }); function take(point: Point, more?: { on: boolean }) { return more } take(origin, { on: true });
loose.plain; loose.x; loose['quoted']; settings.nested.on; let a, b; ({ x: a, y: b } = origin); [a, b] = [b, a]; export const sat = { x: 1, y: 2 } satisfies Point; sat.x; export const list: Point[] = [{ x, y }, { x: 3, y: 4 }];
`,
  'src/patterns.ts': `import { origin, type Point, type Shape } from './lib'; const { x, y: up = 1, ...others } = origin; function f({ x: left, y }: Point, [{ label }]: Point[]) { return [left, y, label] } f(origin, []); for (const { x: each, label } of [origin]) { each; label }
const { ['y']: bracketed, 'x': quoted } = origin; ((s: Shape) => { const { kind } = s; if (s.kind === 'square') { const { side } = s; return side } return kind })({ kind: 'square', side: 1 }); x; up; others.label; bracketed; quoted;
`,
  'src/decorators.ts': `import { Base } from './lib'; function deco(target: any, key?: any, at?: any): any {} @deco export class Decorated extends Base<number> { @deco prop = 1; @deco method(@deco param: string) { return param } }
label: for (;;) { break label } export const t = \`\${Decorated.name} \${new Decorated().prop}\`; export const tagged = String.raw\`x\`; new.target; 
`,
  'src/ambient.d.ts': `declare module 'outside' { export interface Thing { a: number } const thing: Thing; export default thing } declare module '*.css' { const styles: Record<string, string>; export default styles }
declare global { interface Array<T> { shout(): T } var everywhere: number } declare function free(a: string): void; export {};
`,
  'src/augment.ts': `import { Base } from './lib'; import thing, { type Thing } from 'outside'; import styles from './a.css'; declare module './lib' { interface Point { z?: number } interface Base<T> { added(): T } }
export const augmented = (b: Base<string>, p: import('./lib').Point) => [b.added(), p.z, thing.a, styles['x'], [1].shout(), everywhere] as const; export const t: Thing = { a: 1 };
`,
  'src/view.tsx': `declare namespace JSX { interface IntrinsicElements { div: { id?: string; title?: string } } interface Element {} interface ElementAttributesProperty { props: {} } } type Props = { name: string; size?: number; children?: any };
function Card({ name, size = 1 }: Props) { return <div id={name} title="t">{size}</div> } class Box { constructor(readonly props: Props) {} render() { return <></> } } const ns = { Card }; const name = 'n', spread = { name };
export const page = <Card name="a" size={2}><Box {...spread} /><ns.Card name={name} /><div data-x="1" /></Card>;
`,
  'src/private-names.ts': `class P { #a = 1; static #b = 2; #m() { return this.#a } get #g() { return P.#b } has(o: object) { return #a in o && this.#m() && this.#g } } export default P;
`,
  'src/generics.ts': `import { Base } from './lib'; export function id<const T, in1 extends keyof T = keyof T>(a: T, k: in1): T[in1] { return a[k] } id({ q: 1, r: { s: 2 } }, 'r').s; export class Box<in out V> extends Base<V> { map<W>(f: (v: V) => W): Box<W> { return new Box<W>() } } new Box<string>().map((s) => s.length).run(1);
const made = Base.make(); made.run('x'); export const keyed = <K extends string>(k: K) => ({ [k]: 1 }) as Record<K, number>; keyed('a').a; export type Self = Box<Self['size']>; 
`,
  'src/unicode.ts': `export const größe = 1, \\u0061bc = größe, 変数 = { ключ: abc }; 変数.ключ; /* 😀 */ export const after = 変数;\r\nexport const crlf = after;\r\n`,
  'src/unions.ts': `import type { Point } from './lib'; export const first = (c: boolean) => { if (c) return { error: 1, hint: 'h' }; return { other: 2, run() { return 1 } } }; first(true).error; first(true).run; first(false).hint; export const spread = (c: boolean, p: Point) => ({ ...p, ...(c ? { error: p } : {}) }); spread(true, { x: 1, y: 2 }).error;
`,
  'src/unions-too.ts': `export const second = (c: boolean) => { if (c) return { error: 'x', s: 1 }; return { value: 2, run() { return 'r' } } }; second(true).error; second(true).run; const { error, run } = second(false), { error: renamed } = second(true); error; run; renamed; second(true)['error'];
`,
  'src/assigned.ts': `import { origin, type Point } from './lib'; let x: number, up: number, label: string | undefined, o: { p: Point } = { p: origin }, rest; declare const points: Point[], pair: [string, Point];
({ x } = origin); ({ x: up, label = 'l' } = origin); ({ p: { x, y: up } } = o); ({ p: { y: up } = origin } = o); ({ x, ...rest } = origin); for ({ x } of points) {} for ({ y: up } of points) {} [{ x }] = points; [, { y: up }] = pair; export const again = () => ({ x } = origin); [x, up] = [1, 2]; ({ [up]: x } = { 1: 1 }); rest; label;
`,
  'src/expando.ts': `export function plain() { return plain.extra + plain.extra } plain.extra = 1; plain.extra = 2; export const arrow = (a: number) => a; arrow.displayName = 'arrow'; arrow.displayName; function inner() { const local = () => 1; local.prop = 1; return local.prop } inner();
`,
  'src/links.ts': `import { Base, type Point, Space } from './lib';
/**
 * See {@link Base}, {@link Point.x}, {@linkcode Base#run | runs}, {@linkplain Space.Deep.T}, {@link nowhere} and {@link https://example.org/Base Base}.
 * @see Base
 * @see {@link linked} for more
 * @param a - a {@link Point | point} or {@link a}
 * @throws {Base} never
 */
export function linked(a: number) { return a }
export interface Linked {
  /** {@link Linked} {@link Linked.p}
   * {@link linked} */
  p: number;
}
/** @deprecated {@link} {@link  } {@link linked.} {@link #p} {@linkcode} @see */
export const odd = 1; /** {@link odd} */
/** As {@link #add} has it, and {@link #remove}. */
export const hashed = 1;
`,
  'src/expanded.ts': `import { arrow, plain as renamed } from './expando'; arrow.displayName.length; renamed.extra;
`,
};
