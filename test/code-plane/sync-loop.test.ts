/** The loop that follows the disk, with the real watcher: what it is told, what it is not told, and what it does about it. */

import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { countFiles } from '../../src/index/store/store-counts.ts';
import { findFile } from '../../src/index/store/stored-files.ts';
import { listSymbolsOfFile } from '../../src/index/store/stored-symbols.ts';
import { type SyncEvent, type SyncLoop, type SyncTimes, startSyncLoop } from '../../src/index/sync/sync-loop.ts';
import type { Operation } from '../../src/serve/operations/operation.ts';
import { operations } from '../../src/serve/operations/operations.gen.ts';
import { runOperation } from '../../src/serve/operations/run-operation.ts';
import { hashDump } from '../support/canonical-dump.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';

const open: { tree: IndexedTree; loop: SyncLoop; stateDir: string }[] = [];
afterEach(async () => {
  for (const { tree, loop, stateDir } of open.splice(0)) {
    await loop.close();
    await tree.dispose();
    rmSync(stateDir, { recursive: true, force: true });
  }
});

async function start(
  files: Readonly<Record<string, string>>,
  options: { readonly git?: boolean; readonly watch?: boolean; readonly times?: Partial<SyncTimes> } = {},
) {
  const tree = createIndexedTree(files, { git: options.git ?? true });
  const stateDir = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-test-data-')));
  const events: SyncEvent[] = [];
  const settings = { ...sessionSettings(tree.root, stateDir, options.git ?? true), waitMs: 0 };
  const started = await startSyncLoop({
    ...settings,
    onEvent: (event) => void events.push(event),
    watch: options.watch ?? true,
    times: { quietMs: 30, ...options.times },
  });
  if (started.kind !== 'started') throw new Error(`did not start: ${started.kind}`);
  open.push({ tree, loop: started.loop, stateDir });
  const { session } = started.loop;
  const symbols = (path: string) => session.facts.read((read) => listSymbolsOfFile(read, path).map((row) => row.name));
  const has = (path: string) => session.facts.read((read) => findFile(read, path) !== undefined);
  return { tree, loop: started.loop, session, settings, events, symbols, has };
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 300_000, interval: 20 });

test('a saved file, a new file, an atomic save, a deletion and a rename reach the store without a question', async () => {
  const { tree, symbols, has } = await start({ 'a.py': 'def one(): pass\n' });
  expect(symbols('a.py')).toEqual(['one']);
  tree.write('a.py', 'def two(): pass\n');
  await eventually(() => expect(symbols('a.py')).toEqual(['two']));
  tree.write('.a.py.swp', 'def three(): pass\n');
  renameSync(join(tree.root, '.a.py.swp'), join(tree.root, 'a.py'));
  await eventually(() => expect(symbols('a.py')).toEqual(['three']));
  tree.write('b.py', 'def four(): pass\n');
  await eventually(() => expect(symbols('b.py')).toEqual(['four']));
  renameSync(join(tree.root, 'b.py'), join(tree.root, 'c.py'));
  await eventually(() => expect([has('b.py'), symbols('c.py')]).toEqual([false, ['four']]));
  tree.remove('c.py');
  await eventually(() => expect(has('c.py')).toBe(false));
});

test('R8 a tree that appears in one step is indexed, and so is what is written into it afterwards', async () => {
  const { tree, symbols } = await start({ 'a.py': '' }, { times: { pollMs: 600_000 } });
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-test-moved-')));
  mkdirSync(join(outside, 'pkg/deep/er'), { recursive: true });
  writeFileSync(join(outside, 'pkg/deep/er/x.py'), 'def x(): pass\n');
  renameSync(join(outside, 'pkg'), join(tree.root, 'pkg'));
  rmSync(outside, { recursive: true });
  await eventually(() => expect(symbols('pkg/deep/er/x.py')).toEqual(['x']));
  tree.write('nested/one/two/three/y.py', 'def y(): pass\n');
  await eventually(() => expect(symbols('nested/one/two/three/y.py')).toEqual(['y']));
  tree.write('nested/one/two/three/z.py', 'def z(): pass\n');
  tree.write('pkg/deep/er/x.py', 'def x2(): pass\n');
  await eventually(() =>
    expect([symbols('nested/one/two/three/z.py'), symbols('pkg/deep/er/x.py')]).toEqual([['z'], ['x2']]),
  );
});

test('a branch switch that brings and takes many files is followed', async () => {
  const { tree, session } = await start({ 'a.py': '' });
  tree.git('checkout', '-q', '-b', 'many');
  for (let index = 0; index < 300; index += 1) tree.write(`gen/d${index % 20}/f${index}.py`, `def f${index}(): pass\n`);
  tree.git('add', '-A');
  tree.git('commit', '-qm', 'many');
  const count = () => session.facts.read((read) => countFiles(read).files);
  await eventually(() => expect(count()).toBe(301));
  tree.git('checkout', '-q', 'main');
  await eventually(() => expect(count()).toBe(1));
  tree.git('checkout', '-q', 'many');
  await eventually(() => expect(count()).toBe(301));
});

test('F8 the tripwire sees an index change that no watched file shows', async () => {
  const { tree, has } = await start(
    { 'a.py': '', '.gitignore': 'out/\n', 'out/b.py': '' },
    { watch: false, times: { tripwireMs: 50 } },
  );
  expect(has('out/b.py')).toBe(false);
  tree.git('add', '-f', 'out/b.py');
  await eventually(() => expect(has('out/b.py')).toBe(true));
  tree.git('rm', '-q', '--cached', 'out/b.py');
  await eventually(() => expect(has('out/b.py')).toBe(false));
});

test('without a watcher the safety poll finds everything', async () => {
  const { tree, loop, symbols } = await start(
    { 'a.py': 'def one(): pass\n' },
    { watch: false, times: { degradedPollMs: 50 } },
  );
  expect(loop.watch).toBe('off');
  tree.write('a.py', 'def two(): pass\n');
  await eventually(() => expect(symbols('a.py')).toEqual(['two']));
});

test('R11 a degraded watcher is in every answer, and changes nothing else in it', async () => {
  const { session, settings } = await start({ 'a.py': 'def one(): pass\none()\n' }, { watch: false });
  const inputs: Record<string, unknown> = {
    def: { target: 'a.py:2:1' },
    deps: { path: 'a.py' },
    outline: { path: 'a.py' },
    refs: { target: 'a.py:1:5' },
    search: { query: 'one' },
    symbols: { query: 'one' },
  };
  const asked = (operations as readonly Operation<unknown, object>[]).filter(({ name }) => Object.hasOwn(inputs, name));
  expect(asked).toHaveLength(Object.keys(inputs).length);
  const answersWhile = async (state: 'ok' | 'degraded') => {
    session.setWatch(state);
    // As a daemon does before it answers.
    await session.reconcile('all');
    const answers = [];
    for (const operation of asked) {
      const outcome = await runOperation(operation, inputs[operation.name], settings);
      if (outcome.kind !== 'answered') throw new Error(`${operation.name}: ${JSON.stringify(outcome)}`);
      // What the watcher does is written down, which is a generation.
      answers.push({ ...outcome.answer, repo: { ...outcome.answer.repo, generation: null } });
    }
    return answers;
  };
  const healthy = await answersWhile('ok');
  const ill = await answersWhile('degraded');
  expect(ill.map(({ freshness }) => freshness.watch)).toEqual(ill.map(() => 'degraded'));
  expect(ill.map((answer) => ({ ...answer, freshness: { ...answer.freshness, watch: 'ok' } }))).toEqual(healthy);
});

test('touching a file, or saving it as it was, writes no facts', async () => {
  const { tree, session } = await start({ 'a.py': 'def one(): pass\n' });
  const before = session.facts.read(hashDump);
  expect((await session.reconcile('all')).written).toBe(0);
  tree.write('a.py', 'def one(): pass\n');
  expect((await session.reconcile('all')).written).toBe(0);
  expect(session.facts.read(hashDump)).toBe(before);
});
