/**
 * Never wrong while stale (code-plane.md §11, C3): after an edit, with any keeper of the index or none, an answer that calls itself
 * clean, or a count that calls itself exact, is the one a cold index of that moment gives.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { takeWriterLock } from '../../src/index/store/writer-lock.ts';
import { countDifferences } from '../../src/index/sync/find-differences.ts';
import { openIndexSession, type SessionSettings } from '../../src/index/sync/index-session.ts';
import { openCodeView } from '../../src/index/view/code-view.ts';
import deps from '../../src/serve/operations/deps.ts';
import { runOperation } from '../../src/serve/operations/run-operation.ts';
import search from '../../src/serve/operations/search.ts';
import symbols from '../../src/serve/operations/symbols.ts';
import { renderDump } from '../support/canonical-dump.ts';
import { copyStateDir } from '../support/copy-state-dir.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';

const loopChild = fileURLToPath(new URL('../support/loop-child.ts', import.meta.url));
const indexChild = fileURLToPath(new URL('../support/index-child.ts', import.meta.url));

const trees: IndexedTree[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await stop(child);
  for (const tree of trees.splice(0)) await tree.dispose();
});

const files = {
  'a.ts': "import { b } from './b';\nimport { c } from './c';\nexport const first = b + c;\n",
  'b.ts': 'export const b = 1;\n',
  'c/index.ts': 'export const c = 1;\n',
  'd.ts': "import { b } from './b';\nexport const tokenBefore = b;\n",
};

/** Changes symbols, text, who imports what, and which files there are. */
function edit(tree: IndexedTree): void {
  tree.write('a.ts', "import { c } from './c';\nexport const second = c; // tokenAfter\n");
  tree.write('c.ts', 'export const c = 2;\n');
  tree.remove('d.ts');
}

const questions = [
  ['symbols', (at: Ask) => runOperation(symbols, { query: 'second', exact: true }, at)],
  ['symbols', (at: Ask) => runOperation(symbols, { query: 'first', exact: true }, at)],
  ['importers', (at: Ask) => runOperation(deps, { path: 'b.ts', reverse: true }, at)],
  ['importers', (at: Ask) => runOperation(deps, { path: 'c/index.ts', reverse: true }, at)],
  ['text', (at: Ask) => runOperation(search, { query: 'tokenAfter' }, at)],
  ['text', (at: Ask) => runOperation(search, { query: 'tokenBefore' }, at)],
] as const;

type Ask = SessionSettings & { readonly waitMs: number };
type Said = { readonly clean: boolean; readonly count: unknown; readonly answer: string };

async function askAll(at: Ask): Promise<readonly Said[]> {
  const all: Said[] = [];
  for (const [, ask] of questions) {
    const outcome = await ask(at);
    if (outcome.kind !== 'answered') throw new Error(`${outcome.kind}: ${JSON.stringify(outcome)}`);
    const { repo: _, freshness, ...answer } = outcome.answer;
    const { value, relation } = outcome.answer.count;
    all.push({
      clean: freshness.state === 'clean',
      count: relation === 'eq' ? value : null,
      answer: JSON.stringify(answer),
    });
  }
  return all;
}

/** What an index that was never there before says. */
async function askCold(tree: IndexedTree, like: Ask): Promise<readonly Said[]> {
  const stateDir = join(tree.base, 'cold');
  mkdirSync(join(stateDir, 'state'), { recursive: true, mode: 0o700 });
  cpSync(join(tree.stateDir, 'state/key'), join(stateDir, 'state/key'));
  const said = await askAll({ ...like, stateDir });
  rmSync(stateDir, { recursive: true });
  return said;
}

/** How many answers were clean. */
function compare(said: readonly Said[], cold: readonly Said[], says: string): number {
  for (const [at, { clean, count, answer }] of said.entries()) {
    const expected = cold[at] as Said;
    expect(expected.clean).toBe(true);
    if (clean) expect(answer, `${says}: ${questions[at]?.[0]} ${at}`).toBe(expected.answer);
    else if (count !== null) expect(count, `${says}: ${questions[at]?.[0]} ${at}`).toBe(expected.count ?? count);
  }
  return said.filter(({ clean }) => clean).length;
}

/** A reader gives the writer a second to catch up; with this clock it is over at once. */
function hurriedClock(): () => number {
  let now = Date.now();
  return () => {
    now += 5_000;
    return now;
  };
}

async function startLoop(tree: IndexedTree, how: 'watch' | 'poll'): Promise<ChildProcess> {
  const child = spawn(process.execPath, [loopChild, tree.root, tree.stateDir, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => (chunk.toString().includes('ready') ? resolve() : undefined));
    child.once('exit', () => reject(new Error('the loop ended')));
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function make(): Promise<IndexedTree> {
  const tree = createIndexedTree(files);
  trees.push(tree);
  await tree.session();
  await tree.closeSession();
  return tree;
}

const delaysMs = [0, 50, 150, 1000];

for (const mode of ['watched', 'polled', 'killed', 'never started'] as const) {
  test(`R1 P1 an answer after an edit, index ${mode}`, async () => {
    const tree = await make();
    const asked = { ...sessionSettings(tree.root, tree.stateDir, true), waitMs: 30_000 };
    const at = mode === 'polled' ? { ...asked, nowMs: hurriedClock() } : asked;
    const child = mode === 'never started' ? undefined : await startLoop(tree, mode === 'polled' ? 'poll' : 'watch');
    if (mode === 'killed' && child !== undefined) await stop(child);
    edit(tree);
    const editedMs = performance.now();
    const said: { readonly atMs: number; readonly answers: readonly Said[] }[] = [];
    for (const atMs of delaysMs) {
      await delay(Math.max(0, editedMs + atMs - performance.now()));
      said.push({ atMs, answers: await askAll(at) });
    }
    const cold = await askCold(tree, asked);
    const clean = said.map(({ atMs, answers }) => compare(answers, cold, `${mode}, ${atMs} ms`));
    // A process that can write, or waits for one that does, is clean.
    if (mode === 'killed' || mode === 'never started') expect(clean).toEqual(delaysMs.map(() => questions.length));
  });
}

test('S14 P1 the store is replaced under a live reader', async () => {
  const tree = await make();
  const before = sessionSettings(tree.root, tree.stateDir, true);
  const holder = await openIndexSession({ ...before, waitMs: 0 });
  if (holder.kind !== 'open') throw new Error(holder.kind);
  const reading = await openCodeView({ ...before, waitMs: 0 });
  if (reading.kind !== 'open') throw new Error(reading.kind);
  const dumpBefore = reading.view.read(renderDump);
  await holder.session.close();
  edit(tree);
  tree.write('e.foo', 'def tokenAfter(): pass\n');
  // Another configuration reads files otherwise: it builds a store of its own and puts it in place.
  const after = { ...before, extraExtensions: new Map([['.foo', 'python']]), waitMs: 30_000 };
  const [rebuilt, ...during] = await Promise.all([openIndexSession(after), askAll(after), askAll(after)]);
  if (rebuilt.kind !== 'open') throw new Error(rebuilt.kind);
  // A view is of one moment, however long it is kept.
  expect(reading.view.read(renderDump)).toBe(dumpBefore);
  await reading.view.close();
  const cold = await askCold(tree, after);
  for (const said of during) compare(said, cold, 'while it is replaced');
  expect(compare(await askAll(after), cold, 'replaced')).toBe(questions.length);
  await rebuilt.session.close();
  expect(compare(await askAll(after), cold, 'afterwards')).toBe(questions.length);
});

test('P1 T2 a view of another process’s store is of one moment, the one that was compared with the disk', async () => {
  const tree = await make();
  const settings = { ...sessionSettings(tree.root, tree.stateDir, true), waitMs: 0 };
  const holder = await openIndexSession(settings);
  if (holder.kind !== 'open') throw new Error(holder.kind);
  const reading = await openCodeView(settings);
  if (reading.kind !== 'open') throw new Error(reading.kind);
  const { view } = reading;
  expect(countDifferences(view.differences)).toBe(0);
  const dump = view.read(renderDump);
  edit(tree);
  await holder.session.reconcile('all');
  expect(holder.session.facts.read(renderDump)).not.toBe(dump);
  expect(view.read(renderDump)).toBe(dump);
  expect(view.read((session) => session.generation)).toBe(view.generation);
  await view.close();
  await holder.session.close();
});

test('P1 a reader sees an unfinished merge, and that a link leads elsewhere', async () => {
  const tree = await make();
  symlinkSync('nowhere', join(tree.root, 'link.ts'));
  tree.git('add', '-A');
  tree.git('commit', '-qm', 'link');
  tree.git('checkout', '-q', '-b', 'other');
  tree.write('b.ts', 'export const b = 2;\n');
  tree.git('commit', '-qam', 'two');
  tree.git('checkout', '-q', 'main');
  tree.write('b.ts', 'export const b = 3;\n');
  tree.git('commit', '-qam', 'three');
  const settings = { ...sessionSettings(tree.root, tree.stateDir, true), nowMs: hurriedClock(), waitMs: 0 };
  const holder = await openIndexSession(settings);
  if (holder.kind !== 'open') throw new Error(holder.kind);
  const differing = async () => {
    const reading = await openCodeView(settings);
    if (reading.kind !== 'open') throw new Error(reading.kind);
    await reading.view.close();
    return [...reading.view.differences.changed];
  };
  expect(await differing()).toEqual([]);
  expect(() => tree.git('merge', '-q', 'other')).toThrow();
  expect(await differing()).toEqual(['b.ts']);
  await holder.session.reconcile('all');
  expect(await differing()).toEqual([]);
  // The bytes as they are in the conflict: only the index says that it is over.
  tree.git('add', 'b.ts');
  tree.remove('link.ts');
  symlinkSync('c', join(tree.root, 'link.ts'));
  expect(await differing()).toEqual(['b.ts', 'link.ts']);
  await holder.session.close();
});

test('P1 R1 while imports wait to be resolved again, nothing is called clean', async () => {
  const tree = createIndexedTree({
    'tsconfig.json': '{"compilerOptions":{"paths":{"@lib/*":["./lib/*"]}}}',
    'main.ts': "import { a } from '@lib/a';\n",
    'lib/a.ts': 'export const a = 1;\n',
    'other/a.ts': 'export const a = 2;\n',
  });
  trees.push(tree);
  await tree.session();
  await tree.closeSession();
  tree.write('tsconfig.json', '{"compilerOptions":{"paths":{"@lib/*":["./other/*"]}}}');
  const clean = await tree.cleanDump();
  // The writer is stopped in the middle, at one step after the other, and another process keeps the lock.
  let unsettled = 0;
  for (let step = 20; step < 400; step += 7) {
    const stateDir = join(tree.base, `stopped-${step}`);
    copyStateDir(tree.stateDir, stateDir);
    const child = spawn(process.execPath, [indexChild, tree.root, stateDir, String(step)], { stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code === 0) break;
    const settings = sessionSettings(tree.root, stateDir, true);
    const lock = await takeWriterLock({ stateDir, waitMs: 0, signal: settings.signal });
    if (lock.kind !== 'taken') throw new Error(lock.kind);
    const reading = await openCodeView({ ...settings, nowMs: hurriedClock(), waitMs: 0 });
    if (reading.kind !== 'open') throw new Error(reading.kind);
    const { view } = reading;
    if (!view.swept) unsettled += 1;
    if (view.swept && countDifferences(view.differences) === 0)
      expect(view.read(renderDump), `step ${step}`).toBe(clean);
    await view.close();
    lock.release();
  }
  expect(unsettled).toBeGreaterThan(0);
});
