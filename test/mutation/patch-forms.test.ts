/**
 * E9 for every kind of name there is: one rename after the other in one tree, no indexer between them, and after each the rows are compared
 * with those of a store that was made from nothing. A form of which nobody can say what an indexer makes of it is skipped, and says so.
 */

import { afterEach, expect, test } from 'vitest';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';
import { dumpOf, freshDump, rename } from '../support/patched-facts.ts';

let repo: SemanticRepo | undefined;
afterEach(async () => {
  await repo?.dispose();
  repo = undefined;
});

type Step = {
  /** `path:text` with the name marked `«a»` in a part of a line that is unique. */
  readonly at: string;
  readonly to: string;
  readonly skips?: true;
  readonly flags?: readonly string[];
};

const steps: readonly Step[] = [
  // The key `alpha2` is numbered like another of `alpha`.
  { at: 'src/kinds.ts:{ «alpha»: 1', to: 'omega', skips: true },
  { at: 'src/kinds.ts:«beta»: {', to: 'gamma' },
  { at: 'src/kinds.ts:class «Base»', to: 'Root' },
  { at: 'src/kinds.ts:const «kept» =', to: 'stays', flags: ['--alias-policy', 'keep_local'] },
  { at: 'src/kinds.ts:const «inner» =', to: 'nested' },
  { at: 'src/kinds.ts:interface «Merged» { a', to: 'Joined' },
  { at: 'src/kinds.ts:«quoted»: string', to: 'bare' },
  { at: 'src/kinds.ts:class «Derived»', to: 'Final', flags: ['--alias-policy', 'keep_local'] },
  { at: 'src/kinds.ts:function «pick»(a: number)', to: 'choose', flags: ['--alias-policy', 'keep_local'] },
  // Two names for one token.
  { at: 'src/short.ts:const «short»', to: 'long' },
  { at: 'src/short.ts:function «shown»', to: 'visible' },
  { at: 'src/short.ts:(«point»: number', to: 'spot' },
  { at: 'src/short.ts:Part = { «piece»', to: 'bit' },
  { at: 'src/short.ts:const «local»', to: 'near' },
  { at: 'src/short.ts:{ «taken»: number', to: 'given' },
  { at: 'src/kinds.ts:const «kept» =', to: 'held', skips: true },
  { at: 'src/short.ts:const { «apart»', to: 'aside', skips: true },
];

const files = {
  'package.json': '{"name":"kinds","version":"1.0.0","private":true}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'esnext', module: 'esnext', moduleResolution: 'bundler', strict: true, noEmit: true, types: [] },
    include: ['src'],
  }),
  'src/kinds.ts': `export enum Color { Red, Green }
export type Pair<Left, Right> = readonly [Left, Right];
export namespace Tools {
  export const size = 1;
  export function twice(n: number): number {
    return n * 2 * size;
  }
}
export abstract class Base {
  #secret = 1;
  get width(): number {
    return this.#secret;
  }
  set width(value: number) {
    this.#secret = value;
  }
  abstract run(input: Color): Pair<string, Color>;
}
export class Derived extends Base {
  override run(input: Color): Pair<string, Color> {
    return [Color[input] ?? 'none', Color.Red];
  }
}
export function pick(a: string): string;
export function pick(a: number): number;
export function pick(a: string | number): string | number {
  return a;
}
export type Options = { depth: number; label?: string };
/**
 * @param count how often
 */
export default function main(count: number, options: Options): number {
  const inner = options.depth + count;
  return [1, 2].map((each) => each + inner)[0] ?? inner;
}
export const table = { alpha: 1, beta: { alpha2: 2 } };
export const kept = table.alpha + table.beta.alpha2;
export interface Merged { a: number }
export interface Merged { b: Merged | null }
export interface Quoted {
  quoted: string;
}
export const readQuoted = (from: Quoted): string => from['quoted'];
`,
  'src/index.ts': `export { Base, Color, Derived as Child, kept, pick } from './kinds';
export type { Merged, Options, Pair } from './kinds';
export * as everything from './kinds';
`,
  'src/short.ts': `import { kept } from './kinds';
export const short = 1;
export const object = { short, other: [short] };
export const read = object.short;
export function shown(): number {
  return read;
}
export const functions = { shown };
export type Part = { piece: number; point: number };
export function part(point: number, piece: number): Part {
  return { piece, point };
}
export function inside(): number {
  const local = { a: 1 };
  const wrapped = { local };
  const after = wrapped.local.a;
  return after;
}
export type Bag = { taken: number; apart: number };
export function takeApart(bag: Bag): number {
  const { taken } = bag;
  const { apart } = bag;
  const last = [taken, apart];
  return last.length;
}
export const outer = { kept };
export const tail = [1].map((each) => each);
`,
  'src/use.ts': `import { Base, Child, Color, kept, type Merged, pick } from './index';
import entry, { Tools, table, type Options } from './kinds';
export class Own extends Child {
  more(): number {
    return this.width + kept;
  }
}
export const options: Options = { depth: 3 };
export const ran = entry(pick(1), options) + Tools.twice(table.alpha);
export const both = (base: Base): Merged => ({ a: base.width, b: null });
export const color = Color.Red;
`,
};

test('E9 one name of every kind after the other, without an indexer', { timeout: 900_000 }, async () => {
  const made = createSemanticRepo(files);
  repo = made;
  await made.index();
  const only = process.env['ONLY'];
  for (const { at, to, skips, flags } of steps.filter((step) => only === undefined || step.at.includes(only))) {
    await rename(made, at, to, flags);
    const unsettled = await made.unsettled();
    if (skips === true) {
      expect(Object.keys(unsettled).length, at).toBeGreaterThan(0);
      await made.index();
      continue;
    }
    expect(unsettled, at).toEqual({});
    const patched = await dumpOf(made.root, made.dataDir);
    const fresh = await freshDump(made.root, made.dataDir, made.base);
    expect(patched.split('\n'), at).toEqual(fresh.split('\n'));
  }
});
