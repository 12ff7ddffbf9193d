/** The refresher with nothing replaced: real discovery, a real indexer in its own process, the real import. */

import { afterEach, expect, test } from 'vitest';
import { listUnsettled } from '../../src/index/refresh/job-queue.ts';
import { createRefresher, type RefreshEvent, type Refresher } from '../../src/index/refresh/refresher.ts';
import { listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';

const files = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"noEmit":true,"lib":["esnext"]},"include":["src"]}',
  'src/price.ts': 'export type Price = { readonly cents: number };\nexport const free: Price = { cents: 0 };\n',
  'src/cart.ts':
    "import { free, type Price } from './price';\nexport const total = (all: Price[]): Price => all[0] ?? free;\n",
};

let tree: IndexedTree;
let refresher: Refresher;
afterEach(async () => {
  await refresher.close();
  await tree.dispose();
});

test('a TypeScript project is indexed, edited and indexed again', async () => {
  tree = createIndexedTree(files);
  const session = await tree.session();
  const events: RefreshEvent[] = [];
  refresher = createRefresher({
    session,
    root: tree.root,
    stateDir: tree.stateDir,
    cacheDir: tree.stateDir,
    owner: 'test',
    nowMs: Date.now,
    signal: new AbortController().signal,
    onEvent: (event) => void events.push(event),
    environment: { PATH: process.env['PATH'], HOME: tree.base },
    toolPaths: {},
    maxFileMb: 4,
  });
  const { contexts } = await refresher.refreshContexts();
  expect(contexts).toMatchObject([{ key: 'ts:tsconfig.json', probe: 'ok' }]);
  const wait = { skipGuard: true, waitMs: null } as const;
  expect(await refresher.runUntilIdle(wait)).toMatchObject({
    ran: [{ status: 'completed', by: 'indexer', accepted: 2, rejected: 0 }],
    waiting: [],
    failed: [],
    hopeless: [],
  });
  expect(session.facts.read(listUnsettled).size).toBe(0);
  tree.write('src/price.ts', `${files['src/price.ts']}export const cheap: Price = { cents: 1 };\n`);
  await session.reconcile('all');
  await refresher.noteReconciled();
  expect((await refresher.runUntilIdle(wait)).ran).toMatchObject([{ status: 'completed', accepted: 2 }]);
  expect(session.facts.read(listUnsettled).size).toBe(0);
  expect(session.facts.read((moment) => listFactsOfFile(moment, 'src/cart.ts'))).toHaveLength(1);
  expect(tree.git('status', '--porcelain')).toBe(' M src/price.ts\n');
});
