/**
 * A refresher whose surroundings fail it: a store that another process holds for a moment, a kept output that cannot be dropped, a tool that
 * is replaced, a file of contexts that cannot be read (code-plane.md §5, §7). With an indexer that does what the test says.
 */

import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importParts, type RefreshParts } from '../../src/index/refresh/refresh-wiring.ts';
import { stateEdgesSql } from '../../src/index/store/state-columns.ts';
import { StoreFailed } from '../../src/index/store/store-failed.ts';
import { createIndexedTree } from '../support/indexed-tree.ts';
import { createRefreshRig, createRigOver, type RefreshRig } from '../support/refresh-rig.ts';

const key = 'ts:app/tsconfig.json';
const app = { 'app/tsconfig.json': '{}', 'app/a.ts': 'export const one: number = 1\n' };

async function openRig(...of: Parameters<typeof createRefreshRig>): Promise<RefreshRig> {
  const rig = await createRefreshRig(...of);
  onTestFinished(() => rig.dispose());
  return rig;
}

const held = () => new StoreFailed('database is locked');

/** The next call of it fails, as if another process held the store; all others do what they do. */
function failOnce<T extends object, K extends keyof T>(of: T, name: K, error: Error = held()): void {
  const real = of[name];
  of[name] = (() => {
    of[name] = real;
    throw error;
  }) as T[K];
}

/** As long as the test says. */
function failWhile<T extends object, K extends keyof T>(of: T, name: K): () => void {
  const real = of[name];
  of[name] = (() => {
    throw held();
  }) as T[K];
  return () => {
    of[name] = real;
  };
}

const failuresOf = (rig: RefreshRig) => rig.events.filter(({ kind }) => kind === 'failed').length;
const whenFinished = (rig: RefreshRig) => rig.refresher.runUntilIdle({ skipGuard: true, waitMs: null });

describe('a store that cannot be used for a moment', () => {
  test('at a heartbeat: the job is stopped and said to be, and another follows', async () => {
    const rig = await openRig(app);
    rig.indexer.holds = true;
    await rig.refresher.start();
    rig.clock.advance(10_000);
    const run = await rig.indexer.started(1);
    failOnce(rig.session.facts.jobs, 'renew');
    rig.clock.advance(10_000);
    expect(run.signal.aborted).toBe(true);
    expect(failuresOf(rig)).toBe(1);
    rig.indexer.holds = false;
    await whenFinished(rig);
    expect(rig.jobs(key).map(({ status, detail }) => ({ status, detail }))).toEqual([
      { status: 'superseded', detail: 'the store could not be used' },
      { status: 'completed', detail: null },
    ]);
  });

  test('when a job is about to start: it starts after a pause', async () => {
    const rig = await openRig(app);
    await rig.refresher.refreshContexts();
    const release = failWhile(rig.session.facts.jobs, 'claim');
    // What waits for its time is woken by a timer, and no caller is there to catch what that throws.
    await rig.refresher.start();
    rig.clock.advance(2_000);
    expect(failuresOf(rig)).toBe(1);
    release();
    rig.clock.advance(5_000);
    await rig.refresher.noteReconciled();
    expect((await whenFinished(rig)).running).toEqual([]);
    expect(rig.unsettled()).toEqual([]);
  });

  test('R24 R27 within a job: the job is queued again by itself, and what changes later is indexed too', async () => {
    const rig = await openRig(app);
    await rig.refresher.start();
    failOnce(rig.session.facts.jobs, 'setRun');
    const failed = rig.refresher.runUntilIdle({ skipGuard: true, waitMs: 60_000 });
    await whenEvent(rig, 'failed');
    expect(rig.jobs(key)).toMatchObject([{ status: 'running' }]);
    rig.clock.advance(5_000);
    await failed;
    expect(rig.jobs(key).map(({ status }) => status)).toEqual(['superseded', 'completed']);
    rig.tree.write('app/a.ts', 'export const one: number = 2\n');
    await rig.reconcile();
    await whenFinished(rig);
    expect(rig.unsettled()).toEqual([]);
  });

  test('R24 while changes are taken: they are not forgotten', async () => {
    const rig = await openRig(app);
    await rig.refresher.start();
    await whenFinished(rig);
    rig.tree.write('app/a.ts', 'export const one: number = 2\n');
    failOnce(rig.session.facts.jobs, 'enqueue');
    await expect(rig.reconcile()).rejects.toThrow(StoreFailed);
    expect(rig.jobs(key)).toHaveLength(1);
    // Nothing changes any more, and no question comes.
    rig.clock.advance(5_000);
    await rig.refresher.noteReconciled();
    expect(rig.jobs(key).at(-1)).toMatchObject({ status: 'queued' });
  });

  test('one that stays so is tried again and again, and one that is damaged is not', async () => {
    const rig = await openRig(app);
    await rig.refresher.start();
    const release = failWhile(rig.session.facts.jobs, 'claim');
    rig.clock.advance(2_000);
    await rig.refresher.noteReconciled();
    rig.clock.advance(5_000);
    await rig.refresher.noteReconciled().catch(() => {});
    rig.clock.advance(5_000);
    await rig.refresher.noteReconciled().catch(() => {});
    release();
    rig.clock.advance(5_000);
    await rig.refresher.noteReconciled();
    await whenFinished(rig);
    expect(rig.unsettled()).toEqual([]);

    rig.tree.write('app/a.ts', 'export const one: number = 2\n');
    await rig.reconcile();
    failOnce(rig.session.facts.jobs, 'claim', new StoreFailed('malformed', true));
    rig.clock.advance(60_000);
    rig.clock.advance(600_000);
    await expect(whenFinished(rig)).rejects.toThrow('malformed');
  });

  test('a command ends with it, and the next one finds the job', async () => {
    const rig = await openRig(app);
    await rig.refresher.refreshContexts();
    failOnce(rig.session.facts.jobs, 'setRun');
    await expect(rig.run()).rejects.toThrow(StoreFailed);
    const next = await openRig(app, { tree: rig.tree, owner: 'next' });
    await next.refresher.refreshContexts();
    expect((await next.run()).ran).toMatchObject([{ status: 'completed' }]);
  });
});

test('a kept output that is of no use and cannot be dropped is not taken twice', async () => {
  const tree = createIndexedTree(app);
  onTestFinished(() => tree.dispose());
  const real = importParts(tree.root);
  const directory = join(tree.stateDir, 'cache/scip');
  const copy = join(tree.base, 'copy.scip');
  let name = '';
  let tries = 0;
  const parts: Partial<RefreshParts> = {
    async prepareImport(ask) {
      if (!ask.outputPath.startsWith(directory)) return real.prepareImport(ask);
      tries += 1;
      if (tries > 3) throw new Error('again and again');
      return { kind: 'failed', failure: 'decode_error', detail: 'of no use' };
    },
  };
  const rig = await openRig(app, { tree, parts });
  await rig.refresher.refreshContexts();
  await rig.run();
  name = readdirSync(directory)[0] ?? '';
  copyFileSync(join(directory, name), copy);
  await tree.forgetStore();

  const { findAdapter } = rig.indexer.parts;
  // Asked at the beginning of each attempt: what was dropped is there again.
  parts.findAdapter = (id) => {
    copyFileSync(copy, join(directory, name));
    return findAdapter(id);
  };
  const again = await openRig(app, { tree, parts });
  await again.refresher.refreshContexts();
  expect((await again.run()).ran).toMatchObject([{ status: 'completed', by: 'indexer', accepted: 1 }]);
  expect(tries).toBe(1);
});

describe('tools', () => {
  test('one that is replaced behind a link is noticed with the next look, at most once a minute', async () => {
    const rig = await openRig(app);
    const [tool, link] = [join(rig.tree.base, 'tool'), join(rig.tree.base, 'link')];
    writeFileSync(tool, 'one');
    symlinkSync(tool, link);
    rig.indexer.probe = { ...rig.indexer.probe, toolPath: link };
    await rig.refresher.refreshContexts();
    await rig.run();
    writeFileSync(tool, 'another one');
    rig.indexer.probe = { ...rig.indexer.probe, toolId: 'fake@2.0.0+0123456789abcdef' };
    await rig.refresher.noteReconciled();
    expect(rig.indexer.probes).toBe(1);
    rig.clock.advance(60_000);
    await rig.refresher.noteReconciled();
    expect(rig.indexer.probes).toBe(2);
    expect(rig.jobs(key).at(-1)).toMatchObject({ status: 'queued', trigger: 'context_changed' });
    rig.clock.advance(60_000);
    await rig.refresher.noteReconciled();
    expect(rig.indexer.probes).toBe(2);
  });

  test('a daemon finds one that was missing by itself', async () => {
    const rig = await openRig(app);
    const found = rig.indexer.probe;
    rig.indexer.probe = { ...found, state: 'missing_tool', toolId: null };
    await rig.refresher.start();
    rig.clock.advance(60_000);
    await rig.refresher.noteReconciled();
    expect(rig.indexer.probes).toBe(2);
    expect(rig.jobs(key)).toEqual([]);
    rig.indexer.probe = found;
    // Nothing changes in the tree, and no question comes.
    rig.clock.advance(60_000);
    await whenEvent(rig, 'contexts', 2);
    await rig.refresher.noteReconciled();
    rig.clock.advance(2_000);
    await rig.indexer.started(1);
    await whenFinished(rig);
    expect(rig.unsettled()).toEqual([]);
  });
});

test('which files are too large for an indexer is part of the configuration', async () => {
  const rig = await openRig(app);
  await rig.refresher.refreshContexts();
  await rig.run();
  const same = await openRig(app, { tree: rig.tree });
  expect(await same.refresher.refreshContexts()).toMatchObject({ changed: [] });
  const other = await openRig(app, { tree: rig.tree, maxFileMb: 8 });
  expect(await other.refresher.refreshContexts()).toMatchObject({ changed: [key] });
  expect(other.unsettled()).toEqual([`${key} app/a.ts`]);
});

test('what is wrong with contexts.json is said, once', async () => {
  const rig = await openRig(app);
  expect(await rig.refresher.refreshContexts()).toMatchObject({ problems: [] });
  mkdirSync(join(rig.tree.root, '.codegenie'), { recursive: true });
  writeFileSync(join(rig.tree.root, '.codegenie/contexts.json'), '{"version":1,"pin":["ts:none"]}');
  const problems = ['.codegenie/contexts.json: there is no context "ts:none"'];
  expect(await rig.refresher.refreshContexts()).toMatchObject({ problems, changed: [key] });
  expect(await rig.refresher.refreshContexts()).toMatchObject({ problems, changed: [] });
  expect(rig.events.filter(({ kind }) => kind === 'context_problems')).toEqual([
    { kind: 'context_problems', problems },
  ]);
});

test('R24 files that no indexer can settle cost no further look at the edges, however many contexts have one', async () => {
  const contexts = [1, 2, 3, 4];
  const tree = createIndexedTree(
    Object.fromEntries(
      contexts.flatMap((c) => [
        [`p${c}/tsconfig.json`, '{}'],
        ...Array.from({ length: 11 }, (_, n) => [`p${c}/m${n}.ts`, `export const v${c}_${n}: number = 1\n`]),
      ]),
    ),
  );
  onTestFinished(() => tree.dispose());
  const session = await tree.session();
  let looks = 0;
  const facts: typeof session.facts = Object.create(session.facts, {
    read: {
      value: <T>(ask: Parameters<typeof session.facts.read<T>>[0]) =>
        session.facts.read((moment) =>
          ask({
            ...moment,
            statement(sql) {
              if (sql === stateEdgesSql) looks += 1;
              return moment.statement(sql);
            },
          }),
        ),
    },
  });
  const counted: typeof session = Object.create(session, { facts: { value: facts } });
  const { refresher, indexer } = createRigOver({ ...tree, session: counted }, {});
  onTestFinished(() => refresher.close());
  for (const c of contexts) indexer.silent.add(`p${c}/m0.ts`);
  await refresher.refreshContexts();
  const { hopeless } = await refresher.runUntilIdle({ skipGuard: true, waitMs: null });
  expect(hopeless).toHaveLength(contexts.length);
  session.facts.writer.transaction(() => {});
  looks = 0;
  expect(await refresher.enqueueUnsettled('test')).toBe(0);
  // States and what is outdated follow what was written, which is nothing.
  expect(looks).toBe(0);
  expect(await refresher.enqueueUnsettled('test')).toBe(0);
  expect(looks).toBe(0);
  expect(refresher.hopeless).toEqual(hopeless);
});

/** Until it was said so often. */
async function whenEvent(rig: RefreshRig, kind: string, count = 1): Promise<void> {
  while (rig.events.filter((event) => event.kind === kind).length < count) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
