/**
 * E9 for every kind of name there is: one rename after the other in one tree, no indexer between them, and at the end every row is compared
 * with those of a store that was made from nothing. A form of which it is unknown what an indexer makes of it is left to the indexer.
 */

import { afterEach, expect, test } from 'vitest';
import { configOf, dumpOf, freshDump, rename } from '../support/patched-facts.ts';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

let repo: SemanticRepo | undefined;
afterEach(async () => {
  await repo?.dispose();
  repo = undefined;
});

/** `path:text` with the name marked `«a»` in a part that is unique; the new name; flags. */
type Step = readonly [at: string, to: string, ...flags: string[]];

const kinds: readonly Step[] = [
  ['src/kinds.ts:enum «Color»', 'Colour'],
  ['src/kinds.ts:enum Colour { «Red»', 'Crimson'],
  ['src/kinds.ts:type «Pair»', 'Couple'],
  ['src/kinds.ts:<«Left»,', 'First'],
  ['src/kinds.ts:namespace «Tools»', 'Helpers'],
  ['src/kinds.ts:get «width»', 'breadth'],
  ['src/kinds.ts:«#secret» = 1', '#hidden'],
  ['src/kinds.ts:abstract «run»', 'execute'],
  ['src/kinds.ts:function «pick»(a: string)', 'choose', '--alias-policy', 'keep_local'],
  ['src/kinds.ts:{ «depth»: number', 'level'],
  ['src/kinds.ts:export default function «main»', 'start'],
  ['src/kinds.ts:@param «count»', 'amount'],
  ['src/use.ts:import «entry»,', 'begin'],
  ['src/kinds.ts:const «table» = {', 'lookup'],
  ['src/kinds.ts:«beta»: {', 'gamma'],
  ['src/kinds.ts:class «Base»', 'Root'],
  ['src/kinds.ts:const «kept» =', 'stays', '--alias-policy', 'keep_local'],
  ['src/kinds.ts:interface «Merged» { a', 'Joined'],
  ['src/kinds.ts:«quoted»: string', 'bare'],
];

const twoNames: readonly Step[] = [
  ['src/short.ts:(«point»: number', 'spot'],
  ['src/short.ts:{ «taken»: number', 'given'],
];

/** `tsgo` describes a constant by what is written, in which a shorthand may become either of two texts. */
const written: readonly Step[] = [
  ['src/short.ts:const «short»', 'long'],
  ['src/short.ts:function «shown»', 'visible'],
  ['src/short.ts:const «local»', 'near'],
];

const notUnderstood: readonly Step[] = [
  // The key `alpha2` is numbered like another of `alpha`.
  ['src/kinds.ts:{ «alpha»: 1', 'omega'],
  // An imported name in a shorthand counts among the locals of the file.
  ['src/kinds.ts:const «far» =', 'wide'],
  // Whether what is taken apart has a property of the new name is not known.
  ['src/short.ts:const { «apart»', 'aside'],
];

/** scip-typescript does not say what the variable of this shorthand is. */
const expected: Step = ['src/short.ts:Part = { «piece»', 'bit'];

const files = {
  'package.json': '{"name":"kinds","version":"1.0.0","private":true}',
  'tsconfig.json': configOf(),
  'src/kinds.ts': `export enum Color { Red, Green }
export type Pair<Left, Right> = readonly [Left, Right];
export namespace Tools {
  export const size = 1;
  export function twice(n: number): number {
    return n * 2 * size;
  }
}
/** Like {@link Base}, see {@linkcode Base.run} and {@link Derived}. */
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
export const far = 1;
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
  'src/short.ts': `import { far } from './kinds';
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
export const outer = { far };
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

const chosen = (indexer: string) => ({
  '.codegenie/contexts.json': JSON.stringify({ version: 1, contexts: [{ key: 'ts:tsconfig.json', indexer }] }),
});

async function renameAll(steps: readonly Step[], indexer = 'tsgo'): Promise<void> {
  const made = createSemanticRepo({ ...files, ...chosen(indexer) });
  repo = made;
  await made.index();
  for (const [at, to, ...flags] of steps) {
    await rename(made, at, to, flags);
    expect(await made.unsettled(), at).toEqual({});
  }
  const patched = await dumpOf(made.root, made.stateDir);
  const fresh = await freshDump(made.root, made.stateDir, made.base);
  expect(patched.split('\n')).toEqual(fresh.split('\n'));
}

test('E9 names of every kind, one after the other', () => renameAll(kinds));

test.each([
  ['tsgo', [...twoNames, expected]],
  ['scip-typescript', [...twoNames, ...written]],
] as const)('E9 tokens that become two names, as %s has them', (indexer, steps) => renameAll(steps, indexer));

test.each([
  ['tsgo', [...notUnderstood, ...written]],
  ['scip-typescript', [...notUnderstood, expected]],
] as const)('E9 what is not understood of %s stays dirty, and says so', async (indexer, steps) => {
  const made = createSemanticRepo({ ...files, ...chosen(indexer) });
  repo = made;
  for (const [at, to] of steps) {
    await made.index();
    await rename(made, at, to);
    const edited = at.slice(0, at.indexOf(':'));
    expect((await made.unsettled())[edited], at).toBe('dirty: has other bytes than when it was indexed');
  }
});
