/** A refresh job stopped at each of its steps, and results that are imported again instead of being made again (code-plane.md §7). */

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listUnsettled } from '../../src/index/refresh/job-queue.ts';
import { refreshLimits } from '../../src/index/refresh/refresh-limits.ts';
import { importParts, type RefreshParts } from '../../src/index/refresh/refresh-wiring.ts';
import { listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { blake3Hex } from '../../src/kernel/base/hash.ts';
import { createIndexedTree } from '../support/indexed-tree.ts';
import { createRefreshRig, createRigOver, type RefreshRig } from '../support/refresh-rig.ts';

const key = 'ts:app/tsconfig.json';
const files = {
  'app/tsconfig.json': '{}',
  'app/a.ts': 'export const one: number = 1\n',
  'app/b.ts': "import { one } from './a'\nexport const two: number = one + 1\n",
  'lib/tsconfig.json': '{}',
  'lib/c.ts': "import { one } from '../app/a'\nexport const three: number = one\n",
};

async function openRig(...of: Parameters<typeof createRefreshRig>): Promise<RefreshRig> {
  const rig = await createRefreshRig(...of);
  onTestFinished(() => rig.dispose());
  await rig.refresher.refreshContexts();
  return rig;
}

test.each([
  'before the indexer starts',
  'while it runs',
  'before its output is read',
  'after its output was read',
] as const)('R28 a job that is stopped %s imports nothing', async (moment) => {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const pause = async (at: typeof moment) => {
    if (at !== moment || isDone) return;
    reached.resolve();
    await goOn.promise;
  };
  let isDone = false;
  const tree = createIndexedTree(files);
  onTestFinished(() => tree.dispose());
  const real = importParts(tree.root);
  const parts: Partial<RefreshParts> = {
    async prepareImport(ask) {
      await pause('before its output is read');
      const prepared = await real.prepareImport({ ...ask, signal: new AbortController().signal });
      await pause('after its output was read');
      return prepared;
    },
  };
  const rig = await openRig(files, { tree, parts });
  const { runIndexer } = rig.indexer.parts;
  parts.runIndexer = async (...args) => {
    await pause('before the indexer starts');
    const run = await runIndexer(...args);
    await pause('while it runs');
    return run;
  };
  const stoppable = await openRig(files, { tree, parts, owner: 'second' });
  const running = stoppable.refresher.runUntilIdle({ skipGuard: true, waitMs: null, contexts: [key] });
  await reached.promise;
  isDone = true;
  tree.write('app/tsconfig.json', '{"strict":true}');
  await stoppable.reconcile();
  const generation = stoppable.session.facts.read((session) => session.generation);
  goOn.resolve();
  const { ran } = await running;
  expect(ran.map(({ status }) => status)).toEqual(['superseded', 'completed']);
  const jobs = stoppable.jobs(key);
  expect(jobs.find(({ status }) => status === 'superseded')).toMatchObject({ accepted: null, outputHash: null });
  // One import, and nothing else that would be a fact.
  expect(stoppable.session.facts.read((session) => session.generation)).toBe(generation + 1);
});

test('a new store is filled from the kept outputs, without running an indexer', async () => {
  const tree = createIndexedTree(files);
  onTestFinished(() => tree.dispose());
  const first = await openRig(files, { tree });
  await first.run();
  const dump = await tree.dump();
  expect(readdirSync(join(tree.stateDir, 'cache/scip'))).toHaveLength(2);
  await first.refresher.close();
  await tree.forgetStore();
  const second = await openRig(files, { tree });
  const { ran } = await second.run();
  expect(ran.map(({ by }) => by)).toEqual(['kept_output', 'kept_output']);
  expect(second.indexer.runs).toEqual([]);
  expect(await tree.dump()).toBe(dump);
});

test('of each context the last output is kept, and none of a context that is gone', async () => {
  const rig = await openRig(files);
  const list = () => readdirSync(join(rig.tree.stateDir, 'cache/scip')).sort();
  await rig.run();
  const before = list();
  rig.tree.write('lib/c.ts', 'export const three: number = 3\n');
  await rig.reconcile();
  await rig.run();
  expect(list()).toHaveLength(2);
  expect(list()).not.toEqual(before);
  rig.tree.remove('lib/tsconfig.json');
  await rig.reconcile();
  expect(list()).toHaveLength(1);
});

test('a kept output that cannot be read is thrown away, and the indexer runs', async () => {
  const tree = createIndexedTree(files);
  onTestFinished(() => tree.dispose());
  const first = await openRig(files, { tree });
  await first.run();
  const kept = join(tree.stateDir, 'cache/scip');
  for (const name of readdirSync(kept)) tree.write(`../data/cache/scip/${name}`, 'no index');
  await first.refresher.close();
  await tree.forgetStore();
  const second = await openRig(files, { tree });
  expect((await second.run()).ran.map(({ by }) => by)).toEqual(['indexer', 'indexer']);
  expect(second.unsettled()).toEqual([]);
});

test('a cache that cannot be written harms nothing', async () => {
  const rig = await openRig(files);
  rmSync(join(rig.tree.stateDir, 'cache'), { recursive: true, force: true });
  rig.tree.write('../data/cache', 'a file');
  expect((await rig.run()).ran.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

test('a context that uses files of another comes after it', async () => {
  const rig = await openRig(files, { memory: 64 * 1024 ** 3 });
  rig.indexer.holds = true;
  const running = rig.run();
  const first = await rig.indexer.started(1);
  expect(rig.indexer.runs.map(({ context }) => context)).toEqual([key]);
  rig.indexer.holds = false;
  first.end();
  expect((await running).ran.map(({ context }) => context)).toEqual([key, 'ts:lib/tsconfig.json']);
  expect(rig.unsettled()).toEqual([]);
});

test('S11 contexts that use each other end with the same facts, whichever came first', async () => {
  const round = { ...files, 'app/d.ts': "import { three } from '../lib/c'\nexport const four: number = three\n" };
  const rig = await openRig(round);
  const { ran } = await rig.run();
  // The one that came first is imported once more, now that its references lead somewhere.
  expect(ran.map(({ by }) => by)).toEqual(['indexer', 'indexer', 'kept_output']);
  expect(rig.unsettled()).toEqual([]);
  const dump = await rig.tree.dump();
  await rig.refresher.request('ts:lib/tsconfig.json', null, { trigger: 'test', priority: 0 });
  await rig.refresher.request(key, null, { trigger: 'test', priority: 0 });
  await rig.run();
  expect(await rig.tree.dump()).toBe(dump);
});

test('R12 a text that was there before and after, but not all the time, is indexed again', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`app/m${n}.ts`, `export const m${n} = ${n}\n`]),
  );
  const tree = createIndexedTree({ ...files, ...many });
  onTestFinished(() => tree.dispose());
  const real = importParts(tree.root);
  const parts: Partial<RefreshParts> = {
    prepareImport(ask) {
      // The look after the run is over: it has seen the other text.
      tree.write('app/a.ts', files['app/a.ts']);
      return real.prepareImport(ask);
    },
  };
  const rig = await openRig(files, { tree, parts });
  rig.indexer.holds = true;
  const running = rig.refresher.runUntilIdle({ skipGuard: true, waitMs: null, contexts: [key] });
  const run = await rig.indexer.started(1);
  tree.write('app/a.ts', 'export const one: number = 111\n');
  rig.indexer.holds = false;
  run.end();
  expect((await running).ran).toMatchObject([
    { by: 'indexer', accepted: 13 },
    { by: 'indexer', accepted: 14 },
  ]);
  expect(rig.unsettled().filter((file) => file.startsWith(key))).toEqual([]);
});

test('R12 a job soon after another begins with what that one saw, and what has changed since is indexed again', async () => {
  let asked = 0;
  const tree = createIndexedTree(files);
  onTestFinished(() => tree.dispose());
  const session = await tree.session();
  const counted: typeof session = Object.create(session, {
    reconcile: {
      value: (ask: Parameters<typeof session.reconcile>[0]) => {
        asked += 1;
        return session.reconcile(ask);
      },
    },
  });
  const { refresher, indexer, events, clock } = createRigOver({ ...tree, session: counted }, {});
  onTestFinished(() => refresher.close());
  await refresher.refreshContexts();
  const run = () => refresher.runUntilIdle({ skipGuard: true, waitMs: null });
  expect((await run()).ran.map(({ by }) => by)).toEqual(['indexer', 'indexer']);
  // Before the first, and after each.
  expect(asked).toBe(3);

  clock.advance(refreshLimits.recentMs);
  for (const path of ['app/a.ts', 'lib/c.ts']) tree.write(path, `export const changed = '${path}'\n`);
  await counted.reconcile('all');
  await refresher.noteReconciled();
  indexer.holds = true;
  const running = run();
  const first = await indexer.started(3);
  indexer.holds = false;
  events.length = 0;
  const untilEnded = async () => {
    while (!events.some(({ kind }) => kind === 'job_started')) await new Promise((resolve) => setImmediate(resolve));
    tree.write('lib/c.ts', 'export const last: number = 3\n');
  };
  const written = untilEnded();
  first.end();
  await written;
  await running;
  const stored = session.facts.read((moment) => [...listUnsettled(moment).values()].flat());
  expect(stored).toEqual([]);
  const [hash] = session.facts.read((moment) =>
    listFactsOfFile(moment, 'lib/c.ts').map(({ hashAtIndex }) => hashAtIndex),
  );
  expect(hash).toBe(blake3Hex(Buffer.from('export const last: number = 3\n')));
});

test('contexts that could not be found out are found out at the next look', async () => {
  let isBroken = false;
  const parts: Partial<RefreshParts> = {};
  const rig = await openRig(files);
  parts.discover = (world) => {
    if (isBroken) throw new Error('a bug');
    return rig.indexer.parts.discover(world);
  };
  const second = await openRig(files, { tree: rig.tree, parts, owner: 'second' });
  await second.run();
  isBroken = true;
  second.tree.write('app/tsconfig.json', '{"strict":true}');
  await expect(second.reconcile()).rejects.toThrow('a bug');
  isBroken = false;
  await second.reconcile();
  expect(second.jobs(key).at(-1)).toMatchObject({ status: 'queued', scope: null, trigger: 'context_changed' });
});
