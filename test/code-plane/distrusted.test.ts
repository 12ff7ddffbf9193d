/** What the code plane does not believe: a listing that git could not finish (F4), and a store that came with the tree (P9). */

import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { takeWriterLock } from '../../src/index/store/writer-lock.ts';
import { openCodeView, openSessionView } from '../../src/index/view/code-view.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';
import { listRows } from '../support/stored-rows.ts';

const trees: IndexedTree[] = [];
afterEach(async () => {
  for (const tree of trees.splice(0)) await tree.dispose();
});
function make(files: Readonly<Record<string, string>>): IndexedTree {
  const tree = createIndexedTree(files);
  trees.push(tree);
  return tree;
}

async function openView(tree: IndexedTree, stateDir = tree.stateDir) {
  const opened = await openCodeView({ ...sessionSettings(tree.root, stateDir, true), waitMs: 0 });
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  const { view } = opened;
  const paths = Object.keys(view.read(listRows));
  await view.close();
  return { ...view, paths };
}

const vendored = { 'b.ts': 'export const b = 1;\n', 'vendor/v.ts': 'export const v = 1;\n' };
const all = ['b.ts', 'vendor/v.ts'];

test('F4 what git tracks stays in the store while git cannot list, and the view is not swept', async () => {
  const tree = make(vendored);
  expect(await openView(tree)).toMatchObject({ paths: all, swept: true, scopeProblem: null });
  const index = readFileSync(join(tree.root, '.git/index'));
  writeFileSync(join(tree.root, '.git/index'), 'junk');
  const view = await openView(tree);
  expect(view).toMatchObject({ paths: all, swept: false, reconciled: { deleted: 0 } });
  expect(view.scopeProblem).toMatch(/^git ls-files/);
  // The disk alone decides: what is changed is read, what is gone is gone.
  tree.write('vendor/v.ts', 'export const other = 1;\n');
  expect(await openView(tree)).toMatchObject({ paths: all, reconciled: { written: 1, deleted: 0 } });
  tree.remove('vendor/v.ts');
  expect(await openView(tree)).toMatchObject({ paths: ['b.ts'], reconciled: { deleted: 1 } });
  tree.write('vendor/v.ts', vendored['vendor/v.ts']);
  writeFileSync(join(tree.root, '.git/index'), index);
  expect(await openView(tree)).toMatchObject({ paths: all, swept: true, scopeProblem: null });
});

test('F4 a session whose git fails and comes back', async () => {
  const tree = make(vendored);
  const session = await tree.session();
  const index = readFileSync(join(tree.root, '.git/index'));
  writeFileSync(join(tree.root, '.git/index'), 'junk');
  expect(await openSessionView(tree.root, session, 'sweep')).toMatchObject({ swept: false });
  tree.write('vendor/v.ts', 'export const other = 1;\n');
  expect(await session.reconcile(new Set(['vendor/v.ts']))).toMatchObject({ written: 1, deleted: 0 });
  tree.remove('vendor/v.ts');
  expect(await session.reconcile('all')).toMatchObject({ deleted: 1 });
  writeFileSync(join(tree.root, '.git/index'), index);
  tree.write('vendor/v.ts', vendored['vendor/v.ts']);
  expect(await openSessionView(tree.root, session, 'sweep')).toMatchObject({ swept: true, scopeProblem: null });
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('F4 a reader beside a writer reports nothing gone that is there', async () => {
  const tree = make(vendored);
  await openView(tree);
  const settings = sessionSettings(tree.root, tree.stateDir, true);
  const lock = await takeWriterLock({ stateDir: tree.stateDir, waitMs: 0, signal: settings.signal });
  if (lock.kind !== 'taken') throw new Error(lock.kind);
  writeFileSync(join(tree.root, '.git/index'), 'junk');
  const view = await openView(tree);
  expect(view).toMatchObject({ swept: false, paths: all, differences: { gone: new Set() } });
  expect(view.scopeProblem).toMatch(/^git ls-files/);
  tree.remove('vendor/v.ts');
  expect((await openView(tree)).differences.gone).toEqual(new Set(['vendor/v.ts']));
  lock.release();
});

test('P9 a store in a copied directory is built anew; one that is moved with its directory is not', async () => {
  const tree = make({ 'a.ts': '' });
  await openView(tree);
  const copy = join(tree.base, 'copy');
  cpSync(tree.stateDir, copy, { recursive: true });
  expect(await openView(tree, copy)).toMatchObject({ rebuilt: 'moved' });
  expect(await openView(tree, copy)).toMatchObject({ rebuilt: null });
  const renamed = join(tree.base, 'renamed');
  renameSync(copy, renamed);
  expect(await openView(tree, renamed)).toMatchObject({ rebuilt: null });
  rmSync(renamed, { recursive: true });
});
