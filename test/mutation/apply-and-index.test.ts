/** A change of files as the index sees it, and what a restart makes of one that was cut off, before the index reads a file. */

import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type IndexSession, openIndexSession } from '../../src/index/sync/index-session.ts';
import { openCodeView } from '../../src/index/view/code-view.ts';
import { openOwnDirs } from '../../src/kernel/base/own-dirs.ts';
import { recoverRoot } from '../../src/mutate/apply/recover-root.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import { type ApplyRig, connect, create, makePlan, openPlans, remove, replace, rigPlan } from '../support/apply-rig.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';

const ending: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

type World = Omit<ApplyRig, 'dispose'>;

function open(): { readonly tree: IndexedTree; readonly rig: World } {
  const tree = createIndexedTree({
    'a.ts': 'export const a = 1;\n',
    'b.ts': "import { a } from './a';\nexport const b = a;\n",
    'c.py': 'def c(): pass\n',
  });
  ending.push(() => tree.dispose());
  const plans = openPlans(tree.stateDir);
  ending.push(() => plans.close());
  plans.add(makePlan(rigPlan));
  return { tree, rig: connect(tree.root, tree.stateDir, plans) };
}

const changesOf = (rig: World) => [
  replace(rig, 'a.ts', 'export const z = 1;\n'),
  replace(rig, 'b.ts', "import { z } from './a';\nexport const b = z;\n"),
  remove(rig, 'c.py'),
  create('lib/c.py', 'def c(): pass\n'),
];

class Killed extends Error {}

function cutOff(rig: World, step: string): void {
  const at = (seen: string) => {
    if (seen === step) throw new Killed();
  };
  expect(() => rig.commit(changesOf(rig), { hooks: { at, pause: () => {} } })).toThrow(Killed);
}

async function openRecovering(tree: IndexedTree, { home }: World): Promise<IndexSession> {
  const { root, stateDir } = tree;
  const recover = () => recoverRoot({ root, home, stateDir, nowMs: Date.now });
  const opened = await openIndexSession({ ...sessionSettings(root, stateDir, true), recover, waitMs: 100_000 });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  ending.push(() => opened.session.close());
  return opened.session;
}

test('E9, E11 after a commit one look brings the facts to those of a fresh index, and a second finds nothing to do', async () => {
  const { tree, rig } = open();
  const session = await tree.session();
  const outcome = rig.commit(changesOf(rig));
  if (outcome.kind !== 'applied') throw new Error(outcome.kind);
  const told = await session.reconcile(new Set(outcome.files.map(({ path }) => path)));
  expect([told.written, told.deleted]).toEqual([3, 1]);
  const again = await session.reconcile('all');
  expect([again.written, again.deleted]).toEqual([0, 0]);
  expect(again.generation).toBe(told.generation);
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

test('E12 losing the facts between commit and patch loses no edit and no status', async () => {
  const { tree, rig } = open();
  await tree.session();
  await tree.closeSession();
  cutOff(rig, 'after K11');
  rmSync(join(tree.stateDir, 'index'), { recursive: true });
  const session = await openRecovering(tree, rig);
  expect(rig.status()).toBe('committed');
  expect(rig.read('a.ts').toString()).toContain('z = 1');
  expect(rig.leftovers()).toEqual([]);
  expect(session.rebuilt).not.toBeNull();
  await session.close();
  expect(await tree.dump()).toBe(await tree.cleanDump());
});

describe('start-up', () => {
  test('E2 a commit that was cut off is taken back before a file is read', async () => {
    const { tree, rig } = open();
    const before = await tree.dump();
    await tree.closeSession();
    cutOff(rig, 'after K7 a.ts');
    const session = await openRecovering(tree, rig);
    expect(rig.status()).toBe('open');
    expect([session.first.written, session.first.deleted]).toEqual([0, 0]);
    await session.close();
    expect(await tree.dump()).toBe(before);
  });

  test('E2 one that was complete is finished, and the facts follow', async () => {
    const { tree, rig } = open();
    await tree.session();
    await tree.closeSession();
    cutOff(rig, 'after K10');
    const session = await openRecovering(tree, rig);
    expect(rig.status()).toBe('committed');
    expect([session.first.written, session.first.deleted]).toEqual([3, 1]);
    await session.close();
    expect(await tree.dump()).toBe(await tree.cleanDump());
  });

  test('a conflict stops no reader; doctor shows the files and both ways out', async () => {
    const { tree, rig } = open();
    cutOff(rig, 'after K7 a.ts');
    rig.write('b.ts', 'mine\n');
    const { root, stateDir } = tree;
    const { home } = rig;
    const recover = () => recoverRoot({ root, home, stateDir, nowMs: Date.now });
    const opened = await openCodeView({ ...sessionSettings(root, stateDir, true), recover, waitMs: 100_000 });
    expect(opened.kind).toBe('open');
    if (opened.kind === 'open') await opened.view.close();
    expect(rig.status()).toBe('conflict');
    expect(rig.read('b.ts').toString()).toBe('mine\n');

    const workspace = createLocalWorkspace({
      root,
      isGit: true,
      home,
      environment: process.env,
      cliVersion: '0',
      nowMs: Date.now,
      signal: new AbortController().signal,
    });
    expect((await workspace.doctor()).data.filter(({ what }) => what.includes('cut off'))).toEqual([]);
    // The workspace has directories of its own.
    cpSync(join(stateDir, 'state'), join(openOwnDirs({ root, home, environment: {} }).stateDir, 'state'), {
      recursive: true,
    });
    const [shown] = (await workspace.doctor()).data.filter(({ what }) => what.includes('cut off'));
    expect(shown?.level).toBe('problem');
    expect(shown?.what).toContain('a.ts (changed), b.ts (edited since), c.py (as before), lib/c.py (as before)');
    expect(shown?.remedy).toContain(`codegenie plan undo ${rigPlan}`);
    expect(shown?.remedy).toContain(`codegenie plan commit ${rigPlan}`);
  });

  test('P9 doctor shows a change that waits, and one that this user did not begin', async () => {
    const { tree, rig } = open();
    cutOff(rig, 'after K7 a.ts');
    const doctorOf = async (home: string) => {
      mkdirSync(home, { recursive: true });
      const { stateDir } = openOwnDirs({ root: tree.root, home, environment: {} });
      cpSync(join(tree.stateDir, 'state'), join(stateDir, 'state'), { recursive: true });
      const settings = { root: tree.root, isGit: true, home, environment: process.env, cliVersion: '0' };
      const { signal } = new AbortController();
      const { data } = await createLocalWorkspace({ ...settings, nowMs: Date.now, signal }).doctor();
      return data.filter(({ what, remedy }) => `${what} ${remedy}`.includes(`state/journal/${rigPlan}`));
    };
    expect(await doctorOf(rig.home)).toMatchObject([{ level: 'note', what: expect.stringContaining('was cut off') }]);
    const others = await doctorOf(join(tree.base, 'another-user'));
    expect(others).toMatchObject([{ level: 'problem', what: expect.stringContaining('not acted upon') }]);
  });

  test("P9 of journals in the tree only one with this user's seal is taken over", async () => {
    for (const isOurs of [true, false]) {
      const { tree, rig } = open();
      const before = rig.read('a.ts');
      cutOff(rig, 'after K7 a.ts');
      cpSync(join(tree.stateDir, 'state'), join(tree.root, '.codegenie/state'), { recursive: true });
      const home = isOurs ? rig.home : join(tree.base, 'another-user');
      mkdirSync(home, { recursive: true });
      const { stateDir } = openOwnDirs({ root: tree.root, home, environment: {} });
      await recoverRoot({ root: tree.root, home, stateDir, nowMs: Date.now });
      expect(rig.read('a.ts').equals(before)).toBe(isOurs);
      expect(existsSync(join(tree.root, '.codegenie/state/journal', rigPlan))).toBe(!isOurs);
    }
  });
});
