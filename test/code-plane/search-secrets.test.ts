/** Searching files that hold secrets, again and again by one process: what it remembers of them loses no hit and is written nowhere. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRedactedFiles } from '../../src/index/store/stored-text.ts';
import { openSessionView } from '../../src/index/view/code-view.ts';
import { answerFrom } from '../../src/serve/operations/run-operation.ts';
import search from '../../src/serve/operations/search.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import fc from '../support/properties.ts';
import { secretSamples } from '../support/secret-samples.ts';

const texts = Object.values(secretSamples)
  .flat()
  .map(
    ({ text }, at) => `export const before${at} = 1; // left${at}\n${text}\nexport const after${at} = before${at};\n`,
  );
const files: Record<string, string> = {
  'plain.ts': 'export const beforeAll = 1;\n',
  ...Object.fromEntries(texts.map((text, at) => [`secrets/f${String(at).padStart(3, '0')}.ts`, text])),
};

let tree: IndexedTree;
beforeAll(async () => {
  tree = createIndexedTree(files);
  await tree.session();
});
afterAll(() => tree.dispose());

type Options = { readonly word?: boolean; readonly ignore_case?: boolean };

/** Without comparing anything with the disk first: that is allowed to write. */
async function find(query: string, options: Options = {}, verify: 'sweep' | 'none' = 'none') {
  const view = await openSessionView(tree.root, await tree.session(), verify);
  const world = { signal: new AbortController().signal, nowMs: Date.now };
  const outcome = await answerFrom(search, { query, limit: 10_000, ...options }, view, world);
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  return outcome.answer.files.flatMap(({ path, hits }) => hits.map(({ line, col }) => `${path}:${line}:${col}`));
}

function scan(query: string): string[] {
  return Object.keys(files)
    .sort()
    .flatMap((path) =>
      (files[path] as string).split('\n').flatMap((line, at) => {
        const places: string[] = [];
        for (let from = line.indexOf(query); from >= 0; from = line.indexOf(query, from + query.length))
          places.push(`${path}:${at + 1}:${from + 1}`);
        return places;
      }),
    );
}

function readStore(): string[] {
  return readdirSync(tree.stateDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .sort();
}

test('T13: what lies in a secret, across its edge or beside it is found the first time and every time after', async () => {
  const session = await tree.session();
  expect(session.facts.read(listRedactedFiles).length).toBeGreaterThan(20);
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  // Until everything is remembered.
  for (let turn = 0; turn < 3; turn += 1) await find('before');
  const stored = readStore();
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lines), fc.nat(), fc.integer({ min: 1, max: 24 }), async (line, at, length) => {
      const from = at % line.length;
      const query = line.slice(from, from + length);
      const expected = scan(query);
      expect(await find(query)).toEqual(expected);
      expect(await find(query.toUpperCase(), { ignore_case: true })).toEqual(expect.arrayContaining(expected));
      found += expected.length;
    }),
    { numRuns: 150 },
  );
  expect(found).toBeGreaterThan(150);
  expect(readStore()).toEqual(stored);
});

test('T13: whole words are found in files with secrets, and a file that changed is looked into again', async () => {
  for (let turn = 0; turn < 3; turn += 1)
    expect(await find('before3', { word: true })).toEqual(scan('before3').filter((place) => place.includes('f003')));
  const path = 'secrets/f003.ts';
  const changed = `${files[path]}export const cameLater = 1;\n`;
  tree.write(path, changed);
  expect(await find('cameLater', { word: true }, 'sweep')).toEqual([`${path}:${changed.split('\n').length - 1}:14`]);
  tree.write(path, files[path] as string);
  expect(await find('cameLater', { word: true }, 'sweep')).toEqual([]);
});
