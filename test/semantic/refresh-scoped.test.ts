/**
 * R14 with the real compiler: after any edits, what was refreshed file by file is what an index of everything says (code-plane.md §6.3,
 * §8). Edits are of all kinds by which one file changes what another means: bodies, signatures, inferred types, exports that come, go and
 * change their name, chains of re-exports, stars, augmentations, globals, files that come and go.
 */

import { afterEach, expect, test, vi } from 'vitest';
import { listUnsettled } from '../../src/index/refresh/job-queue.ts';
import { createRefresher } from '../../src/index/refresh/refresher.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import fc from '../support/properties.ts';

/** How many users are too many to wait for: a few, or more than there are. */
const limits = vi.hoisted(() => ({ manyUsers: 100 }));
vi.mock('../../src/index/refresh/refresh-limits.ts', async (importOriginal) => {
  const { refreshLimits } = await importOriginal<typeof import('../../src/index/refresh/refresh-limits.ts')>();
  return { refreshLimits: Object.defineProperty({ ...refreshLimits }, 'manyUsers', { get: () => limits.manyUsers }) };
});

const config = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"noEmit":true,"target":"esnext","module":"esnext","moduleResolution":"bundler","lib":["esnext"],"types":[]},"include":["src"]}',
};

/** A package that says something about files that do not import it. */
const installed = {
  '.gitignore': 'node_modules/\n',
  'node_modules/loud/package.json': '{"name":"loud","version":"1.0.0","types":"index.d.ts"}',
  'node_modules/loud/index.d.ts':
    'export declare const loud: { volume: number };\ndeclare global { var shouted: { words: string[] } }\n',
};

/** Variants of each file; the first ones are what the project begins with. An empty one: the file is not there. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'base.ts': [
    'export interface Item { id: number; name: string }\nexport function make(id: number) { return { id, name: "a" }; }\n',
    'export interface Item { id: number; name: string }\nexport function make(id: number) {\n  const name = "b";\n  return { id, name };\n}\n',
    'export interface Item { id: string; title: string }\nexport function make(id: string) { return { id, title: "a" }; }\n',
    'export interface Item { id: number; name: string }\nexport function create(id: number): Item { return { id, name: "a" }; }\n',
    'export interface Item { id: number; name: string }\nexport function create(id: number): Item {\n  const name = { name: "b", id };\n  return { ...name };\n}\nexport const seen = { id: 1, name: "c" };\n',
    'export interface Item { id: number; name: string }\nexport function create(id: number): Item {\n  const all = [{ name: "b", id }, { id }];\n  return { name: "", ...all[0] };\n}\nexport const seen = { id: 1, name: "c" };\n',
    'interface Hidden { deep: { id: number } }\nexport type Item = Hidden["deep"];\nexport const make = (id: number): Hidden => ({ deep: { id } });\n',
    'export class Item { constructor(readonly id: number, public name: string) {} }\nexport const make = (id: number) => new Item(id, "c");\nexport default make;\n',
    '',
  ],
  'again.ts': [
    'export * from "./base";\n',
    'export { make, type Item } from "./base";\n',
    'export { make as build, type Item as Thing } from "./base";\n',
    'export * as base from "./base";\nexport * from "./more";\n',
    'export {};\n',
  ],
  'more.ts': [
    '',
    'export const make = (id: number) => ({ id, more: true });\n',
    'import type { Item } from "./base";\nexport type Made = Item;\nexport const extra: Made | undefined = undefined;\n',
  ],
  'use.ts': [
    'import { make } from "./again";\nexport const used = make(1 as never);\nexport const shown = [used.id];\n',
    'import * as all from "./again";\nexport const used = all.make(2 as never);\nexport const { id } = used;\n',
    'import { make, type Item } from "./base";\nexport const used: Item = make(3 as never) as never;\nexport const both = { ...used, id: used.id };\n',
    'import { create, seen } from "./base";\nexport const used = create(seen.id);\nexport const shown = [seen.name, used.name];\n',
    'import { build } from "./again";\nexport const used = build(4 as never);\n',
    'import start from "./base";\nexport const used = start(5);\nexport const shown = used.name;\n',
  ],
  'far.ts': [
    'import { used } from "./use";\nexport type Far = typeof used;\nexport const far = (x: Far) => x.id;\n',
    'import type { Far } from "./far-type";\nimport { used } from "./use";\nexport const far = (x: Far) => [x, used.id];\n',
    'import { used, shown } from "./use";\nfunction inner() { const { id: other } = used; return other; }\nexport const far = () => [inner(), shown];\n',
  ],
  'far-type.ts': ['', 'import { used } from "./use";\nexport type Far = ReturnType<() => typeof used>;\n'],
  'last.ts': [
    'import { far } from "./far";\nexport const last = far;\nlast(undefined as never);\n',
    'import { far } from "./far";\nimport { make } from "./base";\nexport const last = far(make(1 as never) as never);\n',
    'export const last = 1;\nexport function alone(a: number) { return a + last; }\n',
  ],
  'aug.ts': [
    '',
    'export {};\ndeclare module "./base" { interface Item { added: boolean } }\n',
    'export {};\ndeclare global { interface Everywhere { here: number } var everywhere: Everywhere; }\n',
    'declare const script: { word: string };\n',
  ],
  'globe.d.ts': ['', 'declare const everywhere: { here: string };\n', 'interface Everywhere { there: string }\n'],
  'shout.ts': [
    'import { loud } from "loud";\nexport const shout = loud.volume;\n',
    'import { loud } from "loud";\nexport const shout = () => [loud.volume];\n',
    'export const shout = 1;\n',
    '',
  ],
  'hears.ts': ['export const heard = shouted.words;\n', 'export const heard = () => shouted.words.length;\n'],
  'asks.ts': [
    'export const asked = typeof everywhere === "undefined" ? 0 : everywhere.here;\n',
    'import type { Item } from "./base";\nexport const asked = (x: Item) => x.added;\nexport const word = script.word;\n',
    'import { last } from "./last";\nexport const asked = last;\n',
  ],
};

const names = Object.keys(variants);
const edit = fc.nat(names.length - 1).chain((at) => {
  const texts = variants[names[at] as string] as readonly string[];
  // Sometimes with a line in front: the same at other places.
  return fc.record({ at: fc.constant(at), text: fc.constantFrom(...texts), shifted: fc.boolean() });
});
/** Edits that are made together, and then refreshed. */
const rounds = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

let tree: IndexedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

test('R14 T2 T5 S11 whatever is edited, what is refreshed file by file is what an index of everything says', async () => {
  let scoped = 0;
  await fc.assert(
    fc.asyncProperty(rounds, fc.constantFrom(1, 2, 100), async (all, manyUsers) => {
      limits.manyUsers = manyUsers;
      const made = createIndexedTree({ ...config, ...installed, ...initialFiles() });
      tree = made;
      await refreshAll(made);
      for (const edits of all) {
        for (const { at, text, shifted } of edits) write(made, names[at] as string, text, shifted);
        scoped += (await refreshAll(made)).filter((count) => count > 0 && count < 8).length;
      }
      const dump = await made.dump();
      await made.forgetStore();
      made.remove('../data/cache');
      await refreshAll(made);
      expect(await made.dump()).toBe(dump);
      await made.dispose();
      tree = undefined;
    }),
    { numRuns: 5 },
  );
  expect(scoped).toBeGreaterThan(0);
}, 3_600_000);

test('R14 S2 keys of literals in a body whose result is declared concern no other file, unless others are numbered anew', async () => {
  limits.manyUsers = 100;
  const made = createIndexedTree({
    ...config,
    'src/base.ts': withBody('const all = { id: 1 }; return { id: all.id };'),
    'src/use.ts': 'import { find, seen } from "./base";\nexport const used = [find().id, seen.name];\n',
  });
  tree = made;
  expect(await refreshAll(made)).toEqual([2]);
  made.write('src/base.ts', withBody('const all = { id: 1, more: 2 }; return { id: all.more };'));
  expect(await refreshAll(made)).toEqual([1]);
  made.write('src/base.ts', withBody('const all = { id: 1, name: 2 }; return { id: all.name };'));
  expect(await refreshAll(made)).toEqual([1, 1]);
});

const withBody = (body: string): string =>
  `export interface Item { id: number }\nexport function find(): Item { ${body} }\nexport const seen = { name: "a" };\n`;

function initialFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variants).flatMap(([name, [text = '']]) => (text === '' ? [] : [[`src/${name}`, text]])),
  );
}

function write(made: IndexedTree, name: string, text: string, shifted: boolean): void {
  if (text === '') made.remove(`src/${name}`);
  else made.write(`src/${name}`, shifted ? `// more\n${text}` : text);
}

/** How many documents each run gave. */
async function refreshAll(made: IndexedTree): Promise<readonly number[]> {
  const session = await made.session();
  await session.reconcile('all');
  const accepted: number[] = [];
  const refresher = createRefresher({
    session,
    root: made.root,
    stateDir: made.stateDir,
    cacheDir: made.stateDir,
    owner: 'test',
    nowMs: Date.now,
    signal: new AbortController().signal,
    onEvent: (event) => {
      if (event.kind === 'job_finished') accepted.push(event.report.accepted);
    },
    environment: { PATH: process.env['PATH'], HOME: made.base },
    toolPaths: {},
    maxFileMb: 4,
  });
  try {
    await refresher.refreshContexts();
    await refresher.enqueueUnsettled('test');
    const { failed, waiting, hopeless } = await refresher.runUntilIdle({ skipGuard: true, waitMs: null });
    expect({ failed, waiting, hopeless }).toEqual({ failed: [], waiting: [], hopeless: [] });
    expect([...session.facts.read(listUnsettled)]).toEqual([]);
  } finally {
    await refresher.close();
  }
  return accepted;
}
