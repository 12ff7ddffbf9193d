/** Facts right after a commit, with real indexers: what they are, who confirms them, and what a crash or a watcher does to them. */

import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { openRefresher } from '../../src/index/refresh/refresher.ts';
import { listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { noDifferences } from '../../src/index/sync/find-differences.ts';
import { type SyncEvent, startSyncLoop } from '../../src/index/sync/sync-loop.ts';
import { openPlanStore } from '../../src/mutate/plans/plan-store.ts';
import renameMutation from '../../src/serve/changes/rename.ts';
import { runInSession } from '../../src/serve/changes/run-change.ts';
import { createIndexedTree, sessionSettings } from '../support/indexed-tree.ts';
import { configOf, dumpOf, freshDump, locate, origins, rename, wholeDump } from '../support/patched-facts.ts';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

const ending: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function openRepo(files: Readonly<Record<string, string>>): Promise<SemanticRepo> {
  const made = createSemanticRepo(files);
  ending.push(() => made.dispose());
  expect((await made.index()).semantic.state).toBe('clean');
  return made;
}

const shapes = {
  'package.json': '{"name":"shapes","version":"1.0.0","private":true}',
  'tsconfig.json': configOf(),
  'src/shape.ts': `export interface Shape {
  area(scale: number): number;
  readonly title: string;
}
export class Square implements Shape {
  readonly title = 'square';
  constructor(private readonly side: number) {}
  area(scale: number): number {
    const result = this.side * scale;
    return result;
  }
  static unit(): Square {
    return new Square(1);
  }
}
export class Wide extends Square {
  override area(scale: number): number {
    return super.area(scale) * 2;
  }
}
export const limit = 3;
export function make(side: number): Square {
  return new Square(side + limit);
}
`,
  'src/use.ts': `import { limit, make, Square, type Shape } from './shape';
export const made = make(limit);
export const all: Shape[] = [made, Square.unit()];
export const areas = all.map((shape) => shape.area(limit));
`,
  'src/more.ts': `import { made } from './use';
export const again = made;
export const size = again.area(1);
`,
};

async function expectFresh({ root, stateDir, base }: SemanticRepo): Promise<void> {
  const [patched, fresh] = [await dumpOf(root, stateDir), await freshDump(root, stateDir, base)];
  expect(patched.split('\n')).toEqual(fresh.split('\n'));
}

test('E9 one rename after the other: clean before an indexer has run, with the facts of a fresh index', async () => {
  const repo = await openRepo(shapes);
  for (const [at, to] of [
    ['src/shape.ts:function «make»', 'build'],
    ['src/shape.ts:class «Square»', 'Box'],
    ['src/shape.ts:«area»(scale: number): number;', 'surface'],
    ['src/shape.ts:const «limit»', 'maximumOfAll'],
    ['src/shape.ts:const «result»', 'r'],
    ['src/shape.ts:build(«side»', 'length'],
  ] as const) {
    await rename(repo, at, to);
    expect(await repo.unsettled(), at).toEqual({});
  }
  await expectFresh(repo);
});

test('E9 references to the new name are resolved at once, and the job behind the patch replaces it by the same', async () => {
  const repo = await openRepo(shapes);
  await rename(repo, 'src/shape.ts:class «Square»', 'Box');
  const { stdout } = await repo.run('refs', locate(repo.root, 'src/shape.ts:class «Box»'), '--json');
  const { files } = JSON.parse(stdout) as {
    files: readonly { path: string; hits: readonly { provenance: string }[] }[];
  };
  expect(files.map(({ path, hits }) => [path, new Set(hits.map(({ provenance }) => provenance))])).toEqual([
    ['src/shape.ts', new Set(['resolved'])],
    ['src/use.ts', new Set(['resolved'])],
  ]);
  const paths = ['src/shape.ts', 'src/use.ts', 'src/more.ts'];
  const from = (origin: string) => Object.fromEntries(paths.map((path) => [path, [origin]]));
  expect(await origins(repo.root, repo.stateDir, paths)).toEqual(from('patched'));
  const { jobs, state } = await repo.status();
  expect([state, jobs.queued]).toEqual(['clean', 1]);
  const before = await dumpOf(repo.root, repo.stateDir);
  expect((await repo.index()).refreshed.jobs).toMatchObject([{ status: 'completed', by: 'indexer', accepted: 3 }]);
  expect(await origins(repo.root, repo.stateDir, paths)).toEqual(from('indexer'));
  expect(await dumpOf(repo.root, repo.stateDir)).toBe(before);
  const { root, stateDir, base } = repo;
  expect(await wholeDump(root, stateDir)).toBe(await freshDump(root, stateDir, base, wholeDump));
});

test('E9 a project that uses another follows it, edited or not', async () => {
  const repo = await openRepo({
    'package.json': '{"name":"all","version":"1.0.0","private":true}',
    'core/tsconfig.json': configOf(),
    'core/src/core.ts':
      'export class Core {\n  size = 1;\n}\nexport const core = new Core();\nexport const other = 2;\n',
    'app/tsconfig.json': configOf(),
    'app/src/app.ts': "import { Core, core } from '../../core/src/core';\nexport const mine: Core = core;\n",
    'app/src/more.ts': "import { mine } from './app';\nexport const again = mine;\n",
    'tool/tsconfig.json': configOf(),
    'tool/src/tool.ts': "import { other } from '../../core/src/core';\nexport const tool = other;\n",
  });
  await rename(repo, 'core/src/core.ts:class «Core»', 'Kernel');
  expect(await repo.unsettled()).toEqual({});
  await expectFresh(repo);
});

describe('E12 a crash between the commit and its facts', () => {
  /** As a process that ended after the ledger was written leaves it: all that a patch is made from is there, but no patch. */
  async function cutOff(repo: SemanticRepo): Promise<void> {
    const [cache, away] = [join(repo.stateDir, 'cache/scip'), join(repo.base, 'away')];
    renameSync(cache, away);
    await rename(repo, 'src/shape.ts:class «Square»', 'Box');
    rmSync(cache, { recursive: true, force: true });
    renameSync(away, cache);
  }

  test('is made good by the next change', async () => {
    const repo = await openRepo(shapes);
    await cutOff(repo);
    expect(Object.keys(await repo.unsettled())).toContain('src/shape.ts');
    await repo.run('rename', locate(repo.root, 'src/shape.ts:const «limit»'), 'most');
    expect(await repo.unsettled()).toEqual({});
    await expectFresh(repo);
  });

  test('loses no edit and no status where the facts are lost with it', async () => {
    const repo = await openRepo(shapes);
    await cutOff(repo);
    rmSync(join(repo.stateDir, 'index'), { recursive: true });
    await repo.run('rename', locate(repo.root, 'src/shape.ts:class «Box»'), 'Crate');
    expect((await repo.run('plan', 'list')).stdout).toMatch(/committed {2}rename Square → Box/);
    await repo.index();
    await expectFresh(repo);
  });
});

test('E11 the echo of our own edit writes nothing and asks no indexer', async () => {
  const tree = createIndexedTree(shapes);
  ending.push(() => tree.dispose());
  const events: SyncEvent[] = [];
  const base = sessionSettings(tree.root, tree.stateDir, true);
  const started = await startSyncLoop({
    ...base,
    waitMs: 0,
    watch: true,
    onEvent: (event) => void events.push(event),
    times: { quietMs: 30 },
  });
  if (started.kind !== 'started') throw new Error(started.kind);
  ending.push(() => started.loop.close());
  const { session } = started.loop;
  const semantic = { toolPaths: {}, maxFileMb: 4 };
  const refresher = openRefresher(session, { ...base, ...semantic, onEvent: () => {} });
  ending.push(() => refresher.close());
  await refresher.refreshContexts();
  await refresher.runUntilIdle({ skipGuard: true, waitMs: null });
  const opened = openPlanStore(tree.stateDir);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  ending.push(() => opened.plans.close());

  const settings = { ...base, waitMs: 0, random: () => 'a1b2c3d4e5f60718', onStep: () => {}, semantic };
  const target = locate(tree.root, 'src/shape.ts:class «Square»');
  const input = renameMutation.input.parse({ target, new_name: 'Box', apply: true });
  events.length = 0;
  const ended = await runInSession(renameMutation, input, session, opened.plans, settings);
  expect(ended).toMatchObject({ kind: 'answered', answer: { outcome: { kind: 'ok', state: 'applied' } } });
  // The loop is silent where nothing changed; something that did, later, says that it has heard the rest.
  tree.write('notes.txt', 'later\n');
  const heard = () => events.flatMap((event) => (event.kind === 'reconciled' ? [event.outcome] : []));
  await vi.waitFor(() => expect(heard().length).toBeGreaterThan(0), { timeout: 300_000, interval: 20 });
  expect(heard().map(({ written, deleted, resolvedAgain }) => [written, deleted, resolvedAgain])).toEqual([[1, 0, 0]]);
  await refresher.noteReconciled();
  const states = createFileStates({ read: session.facts.read, differences: noDifferences });
  expect(states.unsettled()).toEqual([]);
  expect(await refresher.enqueueUnsettled('test')).toBe(0);
  const facts = session.facts.read((moment) => listFactsOfFile(moment, 'src/shape.ts'));
  expect(facts.map(({ origin }) => origin)).toEqual(['patched']);
});
