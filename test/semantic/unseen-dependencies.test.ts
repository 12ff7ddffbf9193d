/**
 * What a file depends on without importing it: declarations that another file adds to a module or to the global scope, and what the type
 * of an import was inferred from, in another project.
 */

import { afterEach, expect, test } from 'vitest';
import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { findDifferences } from '../../src/index/sync/find-differences.ts';
import { createTreeLister } from '../../src/kernel/tree/list-tree.ts';
import { createRefreshRig, type RefreshRig } from '../support/refresh-rig.ts';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

let rig: RefreshRig | undefined;
let repo: SemanticRepo | undefined;
afterEach(async () => {
  await rig?.dispose();
  await repo?.dispose();
  [rig, repo] = [undefined, undefined];
});

async function indexed(files: Readonly<Record<string, string>>): Promise<RefreshRig> {
  rig = await createRefreshRig(files);
  await rig.refresher.refreshContexts();
  await rig.run();
  expect(rig.unsettled()).toEqual([]);
  return rig;
}

const program = {
  'app/tsconfig.json': '{}',
  'app/base.ts': 'export const base: number = 1\n',
  'app/user.ts': "import { base } from './base'\nexport const user: number = base\n",
  'app/alone.ts': 'export const alone: number = 1\n',
};
const augmentation = "declare module './base' { interface Api { call(): void } }\n";
const everybody = ['alone', 'base', 'user'].map((name) => `ts:app/tsconfig.json app/${name}.ts`);
const aug = 'ts:app/tsconfig.json app/aug.ts';

test.each([
  ['an augmentation', 'aug.ts', `export const aug: number = 1\n${augmentation}`],
  ['a global declaration', 'aug.ts', 'export {}\ndeclare global { interface Window { a: string } }\n'],
  ['a declaration file', 'aug.d.ts', 'export interface A { a: string }\n'],
  ['a script', 'aug.ts', 'interface Global { a: string }\n'],
])('T7 a new file with %s makes all others of its project pending until it is indexed', async (_, name, text) => {
  const made = await indexed(program);
  made.tree.write(`app/${name}`, text);
  await made.reconcile();
  expect([...made.unsettled()].sort()).toEqual([`ts:app/tsconfig.json app/${name}`, ...everybody].sort());
  await made.run();
  expect(made.unsettled()).toEqual([]);
});

test('T7 a new file that adds nothing leaves the others clean', async () => {
  const made = await indexed(program);
  made.tree.write('app/more.ts', 'export const more: number = 1\n');
  await made.reconcile();
  expect(made.unsettled()).toEqual(['ts:app/tsconfig.json app/more.ts']);
});

test('T2 T4 an augmentation that changes makes all files doubtful, one with the same interface none', async () => {
  const made = await indexed({ ...program, 'app/aug.ts': augmentation });
  made.tree.write('app/aug.ts', `// nothing else\n${augmentation}`);
  await made.reconcile();
  expect(made.unsettled()).toEqual([aug]);
  made.tree.write('app/aug.ts', augmentation.replace('call()', 'call(a: string)'));
  await made.reconcile();
  expect([...made.unsettled()].sort()).toEqual([aug, ...everybody].sort());
  await made.run();
  expect(made.unsettled()).toEqual([]);
});

test('T4 of files that are not settled only one that augments is waited for', async () => {
  const made = await indexed({ ...program, 'app/aug.ts': augmentation });
  made.tree.write('app/aug.ts', `// nothing else\n${augmentation}`);
  made.tree.write('app/alone.ts', 'export const alone: number = 2\n');
  await made.reconcile();
  expect([...made.unsettled()].sort()).toEqual(['ts:app/tsconfig.json app/alone.ts', aug]);
});

test('T2 a file that augments from now on, and one that no longer does', async () => {
  const made = await indexed({ ...program, 'app/aug.ts': 'export const aug: number = 1\n' });
  made.tree.write('app/aug.ts', `export const aug: number = 1\n${augmentation}`);
  await made.reconcile();
  expect([...made.unsettled()].sort()).toEqual([aug, ...everybody].sort());
  await made.run();
  expect(made.unsettled()).toEqual([]);
  made.tree.write('app/aug.ts', 'export const aug: number = 1\n');
  await made.reconcile();
  expect([...made.unsettled()].sort()).toEqual([aug, ...everybody].sort());
});

test('T3 an augmentation that is gone makes all files of its project stale', async () => {
  const made = await indexed({ ...program, 'app/aug.ts': augmentation });
  made.tree.remove('app/aug.ts');
  await made.reconcile();
  expect([...made.unsettled()].sort()).toEqual(everybody);
});

test('T4 a body in a project with augmentations leaves the others clean', async () => {
  const made = await indexed({ ...program, 'app/aug.ts': `import { base } from './base'\n${augmentation}` });
  made.tree.write('app/base.ts', 'export const base: number = 2\n');
  await made.reconcile();
  expect(made.unsettled()).toEqual(['ts:app/tsconfig.json app/base.ts']);
});

test('T2 with more augmenting files than are recorded, one that is not settled makes all others pending', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 70 }, (_, at) => [`app/d${at}.d.ts`, `interface D${at} { a: string }\n`]),
  );
  const made = await indexed({ ...program, ...many });
  made.tree.write('app/d9.d.ts', 'interface D9 { a: number }\n');
  await made.reconcile();
  expect(made.unsettled()).toHaveLength(73);
});

test('T5 the compiler: an augmentation that was added makes the files that use the module pending', async () => {
  repo = createSemanticRepo({
    'package.json': '{"name":"p","version":"1.0.0"}',
    'tsconfig.json': '{"compilerOptions":{"strict":true,"types":[],"lib":["es2022"]},"include":["src"]}',
    'src/base.ts': 'export interface A { alpha: string }\nexport interface Api { call(o: A): void }\n',
    'src/other.ts': "export interface B { alpha: 'x' }\n",
    'src/user.ts':
      "import type { Api } from './base';\nexport function use(api: Api): void { api.call({ alpha: 'x' }); }\n",
  });
  await repo.index();
  expect(await repo.unsettled()).toEqual({});
  repo.write(
    'src/aug.ts',
    "import type { B } from './other';\ndeclare module './base' { interface Api { call(o: B): void } }\n",
  );
  expect(await repo.unsettled()).toMatchObject({
    'src/aug.ts': 'unindexed: has not been indexed',
    'src/user.ts':
      'pending_check: is in a project in which a file that may add to the declarations of others is not indexed',
  });
  await repo.index();
  expect(await repo.unsettled()).toEqual({});
});

const inferred = {
  'app/tsconfig.json': '{}',
  'app/h.ts': 'export const h: number = 1\n',
  'app/g.ts': "import { h } from './h'\nexport const g = h\n",
  'lib/tsconfig.json': '{}',
  'lib/f.ts': "import { g } from '../app/g'\nexport const f: number = g\n",
};

test('T2 T5 what an interface was inferred from is part of it, also for another project whose indexer fails', async () => {
  const made = await indexed(inferred);
  made.indexer.holds = true;
  made.tree.write('app/h.ts', "export const h: string = ''\n");
  await made.reconcile();
  const running = made.run();
  for (let ended = 0; ended < 2; ended += 1) {
    const run = await made.indexer.started(3 + ended);
    run.end(run.context === 'ts:lib/tsconfig.json' ? 'decode_error' : undefined);
  }
  await running;
  expect(made.jobs('ts:lib/tsconfig.json').map(({ failure }) => failure)).toContain('decode_error');
  expect(made.unsettled()).toEqual(['ts:lib/tsconfig.json lib/f.ts']);
});

test('T4 the body of what an interface was inferred from is no part of it', async () => {
  const made = await indexed(inferred);
  const sem = () =>
    made.session.facts.read((moment) => listFactsOfFile(moment, 'app/g.ts').map(({ semIface }) => semIface));
  const before = sem();
  made.tree.write('app/h.ts', 'export const h: number = 2\n');
  await made.reconcile();
  expect(made.unsettled()).toEqual(['ts:app/tsconfig.json app/h.ts']);
  await made.run();
  expect(made.unsettled()).toEqual([]);
  expect(sem()).toEqual(before);
});

test('T6 files of two projects that infer from each other keep no job busy for ever', async () => {
  rig = await createRefreshRig({
    'app/tsconfig.json': '{}',
    'app/g.ts': "import { x } from '../lib/x'\nexport const g = x\n",
    'lib/tsconfig.json': '{}',
    'lib/x.ts': "import { g } from '../app/g'\nimport { z } from './z'\nexport const x = z || g\n",
    'lib/z.ts': 'export const z: number = 1\n',
  });
  await rig.refresher.refreshContexts();
  await rig.run();
  rig.tree.write('lib/z.ts', "export const z: string = ''\n");
  await rig.reconcile();
  const { running, waiting } = await rig.run();
  expect([running, waiting]).toEqual([[], []]);
});

test('T8 a declaring file of which the indexer says nothing keeps no other file waiting', async () => {
  rig = await createRefreshRig({
    ...program,
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`app/e${at}.ts`, `export const e${at}: number = 1\n`]),
    ),
    'app/aug.ts': 'var everywhere = 1\n',
  });
  rig.indexer.silent.add('app/aug.ts');
  await rig.refresher.refreshContexts();
  await rig.run();
  expect(rig.unsettled()).toEqual([aug]);
  rig.tree.write('app/aug.ts', "var everywhere = ''\n");
  await rig.reconcile();
  expect(rig.unsettled()).toHaveLength(16);
  rig.indexer.silent.clear();
  await rig.run();
  expect(rig.unsettled()).toEqual([]);
});

test('R13 a declaration that was deleted while the indexer ran makes the files that were read with it stale', async () => {
  const made = await indexed(program);
  made.tree.write('app/aug.ts', augmentation);
  made.tree.write('app/plain.ts', 'export const plain: number = 1\n');
  await made.reconcile();
  made.indexer.holds = true;
  const running = made.run();
  const run = await made.indexer.started(2);
  made.tree.remove('app/aug.ts');
  run.end();
  const again = await made.indexer.started(3);
  expect([...made.unsettled()].sort()).toEqual([...everybody, 'ts:app/tsconfig.json app/plain.ts'].sort());
  again.end();
  await running;
  expect(made.unsettled()).toEqual([]);
});

test.each([
  ['augments', augmentation, 'pending_check'],
  ['does not', "import { base } from './base'\nexport const more: number = base\n", 'clean'],
])('T1 T7 a file that is only on disk, and %s, is looked at by readers too', async (_, text, freshness) => {
  const { tree, session } = await indexed(program);
  tree.write('app/more.ts', text);
  const lister = createTreeLister(tree.root, undefined);
  const differences = await findDifferences(tree.root, lister, session.reconciler.table, new AbortController().signal);
  const states = createFileStates({ read: session.facts.read, differences });
  expect(['app/user.ts', 'app/alone.ts'].map((path) => states.of(path).freshness)).toEqual([freshness, freshness]);
});
