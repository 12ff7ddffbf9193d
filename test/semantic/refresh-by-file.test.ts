/** What an indexer is asked for that can describe single files (code-plane.md §7, §8), and what is left alone. */

import { afterEach, expect, test } from 'vitest';
import { listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { createRefreshRig, type RefreshRig } from '../support/refresh-rig.ts';

const app = {
  'app/tsconfig.json': '{}',
  'app/base.ts': 'export const base: number = 1\n',
  'app/user.ts': "import { base } from './base'\nexport const user = base\n",
  'app/last.ts': "import { user } from './user'\nexport const last: number = user\n",
  'app/alone.ts': 'export const alone: number = 1\n',
};

let rig: RefreshRig | undefined;
afterEach(async () => {
  await rig?.dispose();
  rig = undefined;
});

async function indexed(files: Readonly<Record<string, string>> = app): Promise<RefreshRig> {
  rig = await createRefreshRig(files, { granularity: 'file' });
  await rig.refresher.refreshContexts();
  await rig.run();
  return rig;
}

/** What the indexer was asked for since, run by run. */
async function refreshed(made: RefreshRig, change: () => void): Promise<readonly (readonly string[])[]> {
  const before = made.indexer.runs.length;
  change();
  await made.reconcile();
  await made.run();
  return made.indexer.runs.slice(before).map(({ asked }) => asked);
}

const jobsBehind = (made: RefreshRig, path: string) =>
  made.session.facts.read((moment) => listFactsOfFile(moment, path).map(({ jobId }) => jobId));

test('R14 T4 an edit that no other file can observe is one run about one file, and no other row is touched', async () => {
  const made = await indexed();
  const others = ['app/user.ts', 'app/last.ts', 'app/alone.ts'].map((path) => jobsBehind(made, path));
  const asked = await refreshed(made, () => made.tree.write('app/base.ts', 'export const base: number = 2\n'));
  expect(asked).toEqual([['app/base.ts']]);
  expect(made.unsettled()).toEqual([]);
  expect(['app/user.ts', 'app/last.ts', 'app/alone.ts'].map((path) => jobsBehind(made, path))).toEqual(others);
});

test('T2 T5 another interface takes along the files that may see it, through inferred ones, in the same run', async () => {
  const made = await indexed();
  const asked = await refreshed(made, () => made.tree.write('app/base.ts', "export const base: string = 'x'\n"));
  expect(asked).toEqual([['app/base.ts', 'app/last.ts', 'app/user.ts']]);
  expect(made.unsettled()).toEqual([]);
});

test('R24 T5 what many use is clean before they are looked at, and they are the next run', async () => {
  const users = Array.from({ length: 120 }, (_, at) => `app/user${at}.ts`);
  const made = await indexed({
    'app/tsconfig.json': '{}',
    'app/base.ts': 'export const base: number = 1\n',
    ...Object.fromEntries(users.map((path) => [path, "import { base } from './base'\nexport const user = base\n"])),
  });
  const asked = await refreshed(made, () => made.tree.write('app/base.ts', "export const base: string = 'x'\n"));
  expect(asked).toEqual([['app/base.ts'], [...users].sort()]);
  expect(made.unsettled()).toEqual([]);
  // Some of them with it: the rest still waits.
  const both = await refreshed(made, () => {
    made.tree.write('app/base.ts', 'export const base: boolean = true\n');
    made.tree.write('app/user7.ts', "import { base } from './base'\nexport const other = base\n");
  });
  expect(both).toEqual([['app/base.ts', 'app/user7.ts'], users.filter((path) => path !== 'app/user7.ts').sort()]);
  expect(made.unsettled()).toEqual([]);
});

test('T3 a deleted file: those that used it, and no others', async () => {
  const made = await indexed();
  expect(await refreshed(made, () => made.tree.remove('app/base.ts'))).toEqual([['app/last.ts', 'app/user.ts']]);
  expect(made.unsettled()).toEqual([]);
});

test('a new file is one run about it', async () => {
  const made = await indexed();
  const text = "import { alone } from './alone'\nexport const more: number = alone\n";
  expect(await refreshed(made, () => made.tree.write('app/more.ts', text))).toEqual([['app/more.ts']]);
  expect(made.unsettled()).toEqual([]);
});

test('R25 a file that is as it was again starts no run', async () => {
  const made = await indexed();
  made.tree.write('app/base.ts', 'export const base: number = 3\n');
  await made.reconcile();
  expect(await refreshed(made, () => made.tree.write('app/base.ts', app['app/base.ts']))).toEqual([]);
  expect(made.unsettled()).toEqual([]);
  expect(made.jobs().at(-1)).toMatchObject({ status: 'completed' });
});

test('R24 a file without a document is asked for once, does not fail the others, and is asked for again when it changes', async () => {
  rig = await createRefreshRig(app, { granularity: 'file' });
  const made = rig;
  made.indexer.silent.add('app/alone.ts');
  await made.refresher.refreshContexts();
  await made.run();
  // One of five is more than a tenth, and such a run of everything fails.
  expect(made.jobs()[0]).toMatchObject({ status: 'failed', failure: 'too_few_documents' });
  made.clock.advance(600_000);
  made.indexer.silent.clear();
  await made.run();
  expect(made.unsettled()).toEqual([]);

  made.indexer.silent.add('app/alone.ts');
  expect(await refreshed(made, () => made.tree.write('app/alone.ts', 'export const alone: number = 2\n'))).toEqual([
    ['app/alone.ts'],
  ]);
  expect(made.unsettled()).toEqual(['ts:app/tsconfig.json app/alone.ts']);
  expect(made.refresher.hopeless).toMatchObject([{ files: ['app/alone.ts'], why: 'not_settled' }]);

  expect(await refreshed(made, () => made.tree.write('app/base.ts', 'export const base: number = 4\n'))).toEqual([
    ['app/base.ts'],
  ]);
  made.indexer.silent.clear();
  expect(await refreshed(made, () => made.tree.write('app/alone.ts', 'export const alone: number = 5\n'))).toEqual([
    ['app/alone.ts'],
  ]);
  expect(made.unsettled()).toEqual([]);
  expect(made.refresher.hopeless).toEqual([]);
});

test('R24 what could not be settled is not asked for again by the next process either', async () => {
  const made = await indexed();
  made.indexer.silent.add('app/alone.ts');
  await refreshed(made, () => made.tree.write('app/alone.ts', 'export const alone: number = 2\n'));
  await made.refresher.close();
  const next = await createRefreshRig({}, { tree: made.tree, owner: 'next', granularity: 'file' });
  await next.refresher.refreshContexts();
  await next.refresher.enqueueUnsettled('test');
  await next.run();
  expect(next.indexer.runs).toEqual([]);
  expect(next.refresher.hopeless).toMatchObject([{ files: ['app/alone.ts'] }]);
  await next.dispose();
});

test('a try after one that was too large is about half of it, and the rest follows', async () => {
  const made = await indexed();
  made.indexer.failures.push('out_of_memory');
  const asked = await refreshed(made, () => {
    for (const [name, text] of Object.entries(app)) if (name.endsWith('.ts')) made.tree.write(name, `${text}// x\n`);
  });
  expect(asked).toEqual([['app/alone.ts', 'app/base.ts', 'app/last.ts', 'app/user.ts']]);
  made.clock.advance(5_000);
  const before = made.indexer.runs.length;
  await made.run();
  expect(made.indexer.runs.slice(before).map((run) => run.asked)).toEqual([
    ['app/alone.ts', 'app/base.ts'],
    ['app/last.ts', 'app/user.ts'],
  ]);
  expect(made.unsettled()).toEqual([]);
});
