/** An import in a thread of its own: who can do what meanwhile, and what is left of one that does not come to its end. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { importParts, type RefreshParts } from '../../src/index/refresh/refresh-wiring.ts';
import { StoreFailed } from '../../src/index/store/store-failed.ts';
import { listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { renderDump } from '../support/canonical-dump.ts';
import { goOn, type Trouble, threadsOf, troubledWorker, whenHeld } from '../support/import-threads.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { createRefreshRig, type RefreshRig } from '../support/refresh-rig.ts';

const key = 'ts:app/tsconfig.json';
const names = Array.from({ length: 60 }, (_, n) => `m${n}`);
const files = {
  'app/tsconfig.json': '{}',
  'app/a.ts': 'export const one: number = 1\n',
  'app/b.ts': "import { one } from './a'\nexport const two: number = one + 1\n",
  ...Object.fromEntries(
    names.map((name) => [
      `app/${name}.ts`,
      `import { one } from './a'\n${Array.from({ length: 40 }, (_, n) => `export const ${name}_${n}: number = one\n`).join('')}`,
    ]),
  ),
};

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

type World = {
  readonly tree: IndexedTree;
  readonly place: string;
  readonly rig: RefreshRig;
  /** From now on nothing happens to threads that start. */
  calm(): void;
};

/** Contexts are known, and nothing is indexed yet. */
async function openWorld(trouble?: Trouble, given?: IndexedTree): Promise<World> {
  const tree = given ?? createIndexedTree(files);
  if (given === undefined) ending.push(() => tree.dispose());
  const place = join(tree.base, `trouble-${ending.length}`);
  mkdirSync(place);
  const worker = trouble === undefined ? undefined : troubledWorker(trouble, place);
  let parts = importParts(tree.root, threadsOf(tree, worker));
  const calm = () => {
    parts = importParts(tree.root, threadsOf(tree));
  };
  const prepareImport: RefreshParts['prepareImport'] = (ask) => parts.prepareImport(ask);
  const rig = await createRefreshRig(files, { tree, parts: { prepareImport } });
  ending.push(() => rig.dispose());
  await rig.refresher.refreshContexts();
  return { tree, place, rig, calm };
}

const generationOf = ({ session }: RefreshRig) => session.facts.read(({ generation }) => generation);
const isIndexed = ({ session }: RefreshRig, path: string) =>
  session.facts.read((moment) => listFactsOfFile(moment, path)).length > 0;

test('S11 it writes what an import in this thread writes, and this thread goes on counting from there', async () => {
  const here = await createRefreshRig(files);
  ending.push(() => here.dispose());
  await here.refresher.refreshContexts();
  await here.run();
  const { rig, tree } = await openWorld();
  const before = generationOf(rig);
  expect((await rig.run()).ran).toMatchObject([{ status: 'completed', by: 'indexer', accepted: 62, rejected: 0 }]);
  expect(rig.unsettled()).toEqual([]);
  expect(withoutHead(await tree.dump())).toBe(withoutHead(await here.tree.dump()));
  expect(generationOf(rig)).toBe(before + 1);
  expect(rig.session.facts.writer.generation).toBe(before + 1);
  tree.write('app/a.ts', 'export const one: string = "1"\n');
  await rig.reconcile();
  expect(generationOf(rig)).toBeGreaterThan(before + 1);
  await rig.run();
  expect(rig.unsettled()).toEqual([]);
  expect(new Set(rig.jobs(key).map(({ id }) => id)).size).toBe(rig.jobs(key).length);
});

test('what it kept without secrets is what a new store is filled from, in a thread too', async () => {
  const { rig, tree } = await openWorld();
  await rig.run();
  const before = await tree.dump();
  await tree.forgetStore();
  const again = await openWorld(undefined, tree);
  expect((await again.rig.run()).ran).toMatchObject([{ status: 'completed', by: 'kept_output', accepted: 62 }]);
  expect(await tree.dump()).toBe(before);
});

test('R12 R22 what is written while it prepares comes first, and its generation is the next', async () => {
  const { rig, tree, place } = await openWorld({ at: 'prepare', does: 'hold' });
  const running = rig.run();
  await whenHeld(place);
  expect(rig.session.hold.isLent).toBe(false);
  tree.write('app/b.ts', "import { one } from './a'\nexport const other: number = one\n");
  tree.write('lib/tsconfig.json', '{}');
  tree.write('lib/x.ts', 'export const x: number = 1\n');
  await rig.reconcile();
  const written = generationOf(rig);
  const ids = new Set([...rig.jobs(key), ...rig.jobs('ts:lib/tsconfig.json')].map(({ id }) => id));
  goOn(place);
  await running;
  const [first] = rig.jobs(key);
  expect(first).toMatchObject({ status: 'completed', accepted: 61 });
  expect(generationOf(rig)).toBeGreaterThan(written);
  await rig.run();
  expect(rig.unsettled()).toEqual([]);
  const jobs = [...rig.jobs(key), ...rig.jobs('ts:lib/tsconfig.json')];
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  expect(jobs.filter(({ id }) => ids.has(id))).toHaveLength(ids.size);
  expect(rig.indexedHashes('app/b.ts')).toEqual([rig.session.reconciler.table.get('app/b.ts')?.contentHash]);
});

describe('while it has the store', () => {
  test('R12 everything can be read as it was, and a file that is saved waits and is not lost', async () => {
    const { rig, tree, place } = await openWorld({ at: 'commit', does: 'hold' });
    const before = generationOf(rig);
    const running = rig.run();
    await whenHeld(place);
    expect(rig.session.hold.isLent).toBe(true);
    expect([generationOf(rig), isIndexed(rig, 'app/a.ts')]).toEqual([before, false]);
    expect(rig.jobs(key)).toMatchObject([{ status: 'running' }]);

    const order: string[] = [];
    tree.write('app/a.ts', 'export const one: string = "1"\n');
    const reconciled = rig.session.reconcile('all').then(() => order.push('reconciled'));
    const asked = rig.refresher.request(key, null, { trigger: 'test', priority: 0 }).then(() => order.push('asked'));
    // As long as it holds nothing can have been written, however long that takes.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    goOn(place);
    await Promise.all([reconciled, asked]);
    await rig.refresher.noteReconciled();
    await running;
    await rig.run();
    expect(rig.unsettled()).toEqual([]);
    const [hash] = rig.indexedHashes('app/a.ts');
    expect(hash).toBe(rig.session.reconciler.table.get('app/a.ts')?.contentHash);
    expect(withoutHead(await tree.dump())).toBe(await dumpOfClean());
  });

  async function stopAt(at: 'begin' | 'commit') {
    const { rig, place } = await openWorld({ at, does: 'hold' });
    const before = generationOf(rig);
    const running = rig.run();
    await whenHeld(place);
    const cancelled = rig.refresher.cancel(key);
    goOn(place);
    await Promise.all([running, cancelled]);
    return { rig, before };
  }

  test('R28 stopped before it commits, it leaves nothing', async () => {
    const { rig, before } = await stopAt('begin');
    expect([generationOf(rig), isIndexed(rig, 'app/a.ts'), rig.session.hold.isLent]).toEqual([before, false, false]);
    expect(rig.jobs(key).map(({ status }) => status)).toEqual(['superseded', 'cancelled']);
    expect(rig.indexer.jobDirs.size).toBe(0);
  });

  test('R28 stopped when it commits, it is committed', async () => {
    const { rig, before } = await stopAt('commit');
    expect([generationOf(rig), isIndexed(rig, 'app/a.ts')]).toEqual([before + 1, true]);
    expect(rig.jobs(key).map(({ status }) => status)).toEqual(['completed']);
  });

  test('R26 stopped while it prepares, it is ended', async () => {
    const { rig, place } = await openWorld({ at: 'start', does: 'hold' });
    const running = rig.run();
    await whenHeld(place);
    // It never goes on by itself.
    await rig.refresher.cancel(key);
    await running;
    expect(isIndexed(rig, 'app/a.ts')).toBe(false);
    expect(rig.jobs(key).map(({ status }) => status)).toEqual(['superseded', 'cancelled']);
  });
});

describe('one that does not come to its end', () => {
  test.each([
    { at: 'start', does: 'exit', failure: 'internal_error', says: 'the thread ended with 7' },
    { at: 'start', does: 'throw', failure: 'internal_error', says: 'a bug' },
    { at: 'begin', does: 'exit', failure: 'internal_error', says: 'the thread ended with 7' },
    { at: 'commit', does: 'exit', failure: 'internal_error', says: 'the thread ended with 7' },
    { at: 'commit', does: 'throw', failure: 'internal_error', says: 'a bug' },
    { at: 'commit', does: 'memory', failure: 'out_of_memory', says: 'no memory left' },
  ] as const)(
    'R15 R28 $does at $at: the job has failed with $failure, the store is as before',
    async ({ failure, says, ...trouble }) => {
      const { rig, tree } = await openWorld(trouble);
      const before = { dump: await tree.dump(), generation: generationOf(rig) };
      const { ran } = await rig.run();
      expect(ran).toMatchObject([{ status: 'failed', failure, accepted: 0 }]);
      expect(ran[0]?.detail).toContain(says);
      expect(ran[0]?.retryAtMs).not.toBeNull();
      expect({ dump: await tree.dump(), generation: generationOf(rig) }).toEqual(before);
      expect([rig.session.hold.isLent, rig.indexer.jobDirs.size]).toEqual([false, 0]);
      expect(rig.jobs(key).map(({ status }) => status)).toEqual(['failed', 'queued']);
      // The next one has a thread that nothing happens to.
      const next = await openWorld(undefined, tree);
      await next.rig.run();
      next.rig.clock.advance(600_000);
      await next.rig.run();
      expect(next.rig.unsettled()).toEqual([]);
    },
  );

  test('R15 R27 a disk that is full undoes it, and it is done when there is room', async () => {
    const { rig, calm } = await openWorld({ at: 'begin', does: 'full' });
    const lookAt = () => ({ dump: rig.session.facts.read(renderDump), generation: generationOf(rig) });
    const before = lookAt();
    await rig.refresher.start();
    const running = rig.refresher.runUntilIdle({ skipGuard: true, waitMs: 600_000 });
    const failed = await vi.waitFor(
      () => {
        const found = rig.events.find(({ kind }) => kind === 'failed');
        if (found?.kind !== 'failed') throw new Error('nothing has failed');
        return found;
      },
      { timeout: 300_000 },
    );
    expect(failed.error).toBeInstanceOf(StoreFailed);
    expect(String(failed.error)).toContain('database or disk is full');
    expect([lookAt(), rig.session.hold.isLent, isIndexed(rig, 'app/a.ts')]).toEqual([before, false, false]);
    calm();
    rig.clock.advance(5_000);
    await running;
    expect(rig.jobs(key).map(({ status }) => status)).toEqual(['superseded', 'completed']);
    expect(rig.unsettled()).toEqual([]);
  });
});

/** The same tree, indexed from nothing in this thread. */
async function dumpOfClean(): Promise<string> {
  const changed = { ...files, 'app/a.ts': 'export const one: string = "1"\n' };
  const clean = await createRefreshRig(changed);
  ending.push(() => clean.dispose());
  await clean.refresher.refreshContexts();
  await clean.run();
  return withoutHead(await clean.tree.dump());
}

/** Of two trees: their commits are others. */
function withoutHead(dump: string): string {
  return dump.replace(/^repo .*$/m, '');
}
