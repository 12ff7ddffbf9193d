/**
 * P9, G27 What is exchanged while a gather runs: its tree, its directories, its inputs, by a process that waits for the moment between a look
 * and a read or a write. What lies outside of the tree is neither read nor written, and what was published is whole.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, readTree } from '../support/fixture-repo.ts';

const canary = 'what-lies-outside';
let repo: FixtureRepo;
afterEach(() => repo.dispose());

const outside = () => join(repo.base, 'outside');
const inRoot = (path: string) => join(repo.root, path);

function swapForLink(path: string): void {
  rmSync(inRoot(path), { recursive: true, force: true });
  symlinkSync(join(outside(), path), inRoot(path));
}

const exchanges: Readonly<Record<string, () => void>> = {
  'the tree is deleted': () => rmSync(repo.root, { recursive: true }),
  'the tree is a link to another': () => {
    renameSync(repo.root, `${repo.root}-moved`);
    symlinkSync(outside(), repo.root);
  },
  'the tree is a file': () => {
    rmSync(repo.root, { recursive: true });
    writeFileSync(repo.root, 'a file');
  },
  'the data dir is a link': () => swapForLink('.codegenie'),
  'the context is a link': () => swapForLink('.codegenie/context'),
  'the run dir is a link': () => swapForLink('.codegenie/run'),
  'the folder of artifacts is a link': () => swapForLink('.codegenie/context/raw'),
  'the document is a link': () => swapForLink('.codegenie/context/repo-context.yaml'),
  'the data dir is a file': () => {
    rmSync(inRoot('.codegenie'), { recursive: true });
    writeFileSync(inRoot('.codegenie'), 'a file');
  },
  'an input is a link': () => swapForLink('a/one.txt'),
  'the folder of an input is a link': () => swapForLink('a'),
  'git’s directory is a link': () => swapForLink('.git'),
  'git’s directory is gone': () => rmSync(inRoot('.git'), { recursive: true }),
};

test.each(Object.entries(exchanges))('P9 G27 while it runs, %s', async (_, exchange) => {
  repo = createFixtureRepo({ 'a/one.txt': 'one', 'b.txt': 'two' });
  const files = [
    'a/one.txt',
    'b.txt',
    '.codegenie/context/repo-context.yaml',
    '.codegenie/run/gather.lock',
    '.git/config',
  ];
  for (const path of [...files, '.codegenie/context/raw/x']) {
    mkdirSync(join(outside(), path, '..'), { recursive: true });
    writeFileSync(join(outside(), path), canary);
  }
  await repo.publish({}, { probes: [makeProbe('first', async () => rows('first', []))] });
  const before = readTree(outside(), () => true);
  const reader = makeProbe(
    'reader',
    async ({ inputs }) => {
      exchange();
      const read = async (path: string) => {
        const outcome = await inputs.read(path, 100);
        return outcome.kind === 'read' ? Buffer.from(outcome.bytes).toString() : outcome.kind;
      };
      return rows('reader', [
        { path: 'a/one.txt', text: await read('a/one.txt') },
        { path: 'b.txt', text: await read('b.txt') },
      ]);
    },
    { declaredInputs: ['a/one.txt', 'b.txt'], artifacts: ['reader.json'] },
  );
  let told = '';
  try {
    told = JSON.stringify(await repo.gather({}, { probes: [reader] }));
  } catch (error) {
    // Where the directory is gone in which it works there is no answer, but the reason is the system's.
    told = String(error);
    expect(error).toHaveProperty('code');
  }
  expect(told).not.toContain(canary);
  expect(readTree(outside(), () => true)).toEqual(before);
  expect(readFileSync(join(outside(), 'b.txt'), 'utf8')).toBe(canary);
});
