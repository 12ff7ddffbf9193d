/**
 * P5 The index that a gather publishes, refreshed document by document, has the bytes of one that was made from nothing: whatever was edited,
 * in whichever order, and however many projects a file belongs to.
 */

import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { takeWriterLock } from '../../src/index/store/writer-lock.ts';
import { readScip } from '../../src/kernel/formats/read-scip.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import fc from '../support/properties.ts';
import { writeIndexOf } from '../support/written-index.ts';

let tree: IndexedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

const configs = ['app/tsconfig.json', 'lib/tsconfig.json'];
const strict = (strict: boolean) => JSON.stringify({ compilerOptions: { strict, lib: ['esnext'], types: [] } });

/** What each file says, by what was made of it; `null`: it is not there. */
const variants: Readonly<Record<string, readonly (string | null)[]>> = {
  'lib/tsconfig.json': [strict(true), strict(false)],
  'lib/price.ts': [
    'export type Price = { readonly cents: number };\nexport const free = { cents: 0 };\n',
    // One blank line.
    '\nexport type Price = { readonly cents: number };\nexport const free = { cents: 0 };\n',
    // Another comment, as long.
    '/** Of one thing. */ export type Price = { readonly cents: number };\nexport const free = { cents: 0 };\n',
    '/** Of any thing. */ export type Price = { readonly cents: number };\nexport const free = { cents: 0 };\n',
    // Another type, which others infer theirs from.
    'export type Price = { readonly cents: string };\nexport const free = { cents: "0" };\n',
    'export type Price = { readonly cents: number } | null;\nexport const free = { euros: 0 };\n',
  ],
  'lib/cart.ts': [
    "import { free, type Price } from './price';\nexport const make = () => free;\nexport function total(all: Price[]): Price { return all[0] ?? { cents: 0 }; }\n",
    "import { free, type Price } from './price';\nexport const make = () => free;\nexport function total(all: Price[]): Price { const first = all[0]; return first ?? { cents: 1 }; }\n",
    "export * from './price';\nexport const make = () => 1;\n",
    null,
  ],
  'lib/more.ts': [
    null,
    "declare module './price' { interface Tax { rate: number } }\nexport {};\n",
    'const shared = 1;\n',
  ],
  'app/main.ts': [
    "import { make } from '../lib/cart';\nexport const made = make();\nexport class Shop { bill = made; }\n",
    "import { make, total } from '../lib/cart';\nexport const made = [make(), total([])];\nexport class Shop { bill = made; }\n",
    'export const made = shared;\n',
  ],
  // Of both projects.
  'lib/both.ts': ["import { free } from './price';\nexport const both = free;\n", 'export const both = 1;\n', null],
};
const paths = Object.keys(variants);

const edit = fc.record({ path: fc.constantFrom(...paths), variant: fc.nat(5) });
const rounds = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 });

test('P5 after any edits the index has the bytes of one that was made from nothing', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const made = createIndexedTree({
        'package.json': '{"name":"shop","version":"1.0.0"}',
        'app/tsconfig.json':
          '{"compilerOptions":{"strict":true,"lib":["esnext"],"types":[]},"include":[".","../lib/both.ts"]}',
        ...Object.fromEntries(
          Object.entries(variants).flatMap(([path, [first]]) => (first == null ? [] : [[path, first]])),
        ),
      });
      tree = made;
      let refreshed = await writeIndexOf(made, { store: 'own', configs });
      for (const edits of all) {
        for (const { path, variant } of edits) {
          const choices = variants[path] ?? [];
          const text = choices[variant % choices.length];
          if (text == null) made.remove(path);
          else made.write(path, text);
        }
        refreshed = await writeIndexOf(made, { store: 'own', configs });
      }
      const anew = await writeIndexOf(made, { store: 'new', configs });
      expect(refreshed.described).toEqual(anew.described);
      expect(spell(refreshed.path)).toEqual(spell(anew.path));
      expect(readFileSync(refreshed.path).equals(readFileSync(anew.path))).toBe(true);
      await made.dispose();
      tree = undefined;
    }),
    { numRuns: 3, examples: [[[[{ path: 'lib/price.ts', variant: 2 }], [{ path: 'lib/price.ts', variant: 3 }]]]] },
  );
});

/** So that a difference can be read. */
function spell(path: string): readonly string[] {
  const said: string[] = [];
  readScip(path, (part) => {
    if (part.kind !== 'document') return;
    const { relativePath, occurrences, symbols } = part.document;
    for (const { range, roles, symbol } of occurrences)
      said.push(`${relativePath} ${range.join(':')} ${roles} ${symbol}`);
    for (const { symbol, documentation } of symbols) said.push(`${relativePath} ${symbol} ${documentation.join(' ')}`);
  });
  return said;
}

test('a store that another process keeps is not waited for without end: one of this gather alone says the same', async () => {
  tree = createIndexedTree({ 'tsconfig.json': strict(true), 'a.ts': 'export const a = 1;\n' });
  const own = await writeIndexOf(tree, { store: 'own', configs: ['tsconfig.json'] });
  const lock = await takeWriterLock({
    stateDir: `${tree.base}/stores/own/state`,
    waitMs: 0,
    signal: new AbortController().signal,
  });
  if (lock.kind !== 'taken') throw new Error(lock.kind);
  try {
    const beside = await writeIndexOf(tree, { store: 'own', configs: ['tsconfig.json'] });
    expect(beside).toMatchObject({ kind: 'written', documents: 1 });
    expect(readFileSync(beside.path).equals(readFileSync(own.path))).toBe(true);
  } finally {
    await lock.release();
  }
});
