/**
 * What `status` says of a TypeScript project whose files, commits and configurations change under it: exactly the files that are not
 * clean, and why, as soon as it is asked and before anything was indexed again. The real indexer, through the command line; then the same
 * of one session that stays, and of `serve`, which indexes by itself.
 */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { freshnesses } from '../../src/index/freshness/compute-states.ts';
import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { openRefresher } from '../../src/index/refresh/refresher.ts';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import { openSessionView } from '../../src/index/view/code-view.ts';
import { sessionSettings } from '../support/indexed-tree.ts';
import { byPath, createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

const compilerOptions =
  '"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","lib":["es2022"],"module":"esnext","moduleResolution":"bundler"}';

const files = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': `{${compilerOptions},"include":["src"]}`,
  'test/tsconfig.json': '{"extends":"../tsconfig.json","include":["."]}',
  'src/money.ts': `export interface Money {
  readonly cents: number;
}
export function add(a: Money, b: Money): Money {
  return { cents: a.cents + b.cents };
}
`,
  'src/item.ts': `import type { Money } from './money';
export abstract class Item {
  abstract price(): Money;
}
`,
  'src/book.ts': `import { add, type Money } from './money';
import { Item } from './item';
export class Book extends Item {
  override price(): Money {
    return add({ cents: 1 }, { cents: 2 });
  }
}
`,
  'src/index.ts': `export * from './money';
export { Item } from './item';
export { Book } from './book';
`,
  'src/cart.ts': `import { add, type Item, type Money } from './index';
export const total = (items: readonly Item[]) => items.map((item) => item.price()).reduce(add);
export const none: Money = { cents: 0 };
`,
  'src/alone.ts': 'export const alone: number = 1;\n',
  'test/cart.test.ts': `import { total } from '../src/cart';
import { Book } from '../src/index';
export const sum: number = total([new Book()]).cents;
`,
};
const sources = Object.keys(files).filter((path) => path.endsWith('.ts'));

const otherBody = files['src/money.ts'].replace('a.cents + b.cents', 'b.cents + a.cents');
const otherSignature = files['src/money.ts'].replace('b: Money)', 'b: Money, c?: Money)');
const dirty = 'dirty: has other bytes than when it was indexed';
const unindexed = 'unindexed: has not been indexed';
const otherConfig = 'unindexed: was indexed with another configuration or tool';
const mayDiffer = 'pending_check: depends on src/money.ts, which is dirty and may have another interface now';

let repo: SemanticRepo;
afterEach(async () => repo.dispose());

test('T1 T2 T3 T4 T7 R25: through edits, branches and configurations, by the command line', async () => {
  repo = createSemanticRepo(files);
  expect(await repo.unsettled()).toEqual(Object.fromEntries(sources.map((path) => [path, unindexed])));
  const first = await repo.index();
  expect(first.refreshed.jobs).toMatchObject([
    { context: 'ts:tsconfig.json', status: 'completed', by: 'indexer', accepted: 6, rejected: 0 },
    { context: 'ts:test/tsconfig.json', status: 'completed', by: 'indexer', accepted: 1, rejected: 0 },
  ]);
  expect(await repo.status()).toMatchObject({
    state: 'clean',
    unsettled: [],
    jobs: { queued: 0, running: 0, failed: 0 },
  });

  // A body under declared types: no other file is touched, and the old bytes are still known.
  repo.write('src/money.ts', otherBody);
  expect(await repo.unsettled()).toEqual({ 'src/money.ts': dirty });
  repo.git('stash', '-q');
  expect(await repo.unsettled()).toEqual({});
  repo.git('stash', 'pop', '-q');
  expect(await repo.unsettled()).toEqual({ 'src/money.ts': dirty });
  // Neither a commit nor an amended one changes what is known.
  repo.git('commit', '-q', '-am', 'other body');
  repo.git('commit', '-q', '--amend', '-m', 'another body');
  expect(await repo.unsettled()).toEqual({ 'src/money.ts': dirty });
  await settle();

  repo.write('src/money.ts', otherSignature);
  expect(await repo.unsettled()).toEqual({
    'src/money.ts': dirty,
    ...Object.fromEntries(
      ['src/book.ts', 'src/cart.ts', 'src/index.ts', 'src/item.ts', 'test/cart.test.ts'].map((path) => [
        path,
        mayDiffer,
      ]),
    ),
  });
  await settle();
  repo.git('commit', '-q', '-am', 'other signature');

  // Added, and deleted.
  repo.write('src/added.ts', "import { alone } from './alone';\nexport const two = alone + 1;\n");
  expect(await repo.unsettled()).toEqual({ 'src/added.ts': unindexed });
  repo.remove('src/alone.ts');
  await settle();
  repo.remove('src/item.ts');
  const gone = 'stale: depends on src/item.ts, which is gone';
  expect(await repo.unsettled()).toMatchObject({ 'src/book.ts': gone, 'src/index.ts': gone });
  expect(Object.keys(await repo.unsettled())).not.toContain('src/money.ts');
  repo.git('checkout', '-q', '--', '.');
  repo.git('clean', '-qfd', '-e', '.codegenie');
  await settle();

  // A branch, and back: what was known of these bytes is still known.
  repo.git('checkout', '-q', '-b', 'other');
  repo.write('src/money.ts', otherBody.replace('cents: number', 'cents: bigint'));
  repo.write('src/more.ts', 'export const more = 1;\n');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'bigint');
  expect(await repo.unsettled()).toMatchObject({ 'src/money.ts': dirty, 'src/more.ts': unindexed });
  repo.git('checkout', '-q', 'main');
  expect(await repo.unsettled()).toEqual({});

  // Configurations.
  repo.write('tsconfig.json', files['tsconfig.json'].replace('"strict":true', '"strict":false'));
  expect(await repo.unsettled()).toEqual(Object.fromEntries(sources.map((path) => [path, otherConfig])));
  repo.write('tsconfig.json', files['tsconfig.json'].slice(0, -20));
  const broken = await repo.status();
  expect(broken.contexts).toMatchObject([{ probe: 'config_error' }, { probe: 'config_error' }]);
  for (const { detail } of broken.contexts) expect(detail).toMatch(/tsconfig\.json.* \w+ .*\w/);
  expect(broken.files.by_freshness).toMatchObject({ clean: 0 });
  const refused = await repo.index();
  expect(refused.refreshed.jobs).toEqual([]);
  repo.write('tsconfig.json', files['tsconfig.json']);
  await settle();
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.hasJobDirs()).toBe(false);

  async function settle(): Promise<void> {
    const { semantic, refreshed } = await repo.index();
    expect(refreshed.jobs.filter(({ status }) => status !== 'completed')).toEqual([]);
    expect(semantic).toMatchObject({ state: 'clean', unsettled: [], jobs: { queued: 0, failed: 0 } });
    expect(await repo.unsettled()).toEqual({});
  }
});

test('T1 T3 T4 T7: one session that stays answers each question from the disk of then', async () => {
  repo = createSemanticRepo(files);
  await repo.index();
  const settings = sessionSettings(repo.root, repo.stateDir, true);
  const opened = await openIndexSession({ ...settings, waitMs: 0 });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { session } = opened;
  const semantic = { toolPaths: {}, maxFileMb: 4, onEvent: () => {} };
  const refresher = openRefresher(session, { ...settings, ...semantic });
  try {
    const moneyDirty = { 'src/money.ts': dirty };
    const steps: readonly (readonly [() => void, Readonly<Record<string, unknown>>])[] = [
      [() => {}, {}],
      [() => repo.write('src/money.ts', otherBody), moneyDirty],
      [() => repo.git('commit', '-q', '-am', 'other body'), moneyDirty],
      [() => repo.git('commit', '-q', '--amend', '-m', 'better said'), moneyDirty],
      [() => repo.git('reset', '-q', '--hard', 'HEAD~1'), {}],
      [() => repo.remove('src/alone.ts'), {}],
      [() => repo.git('checkout', '-q', '--', 'src/alone.ts'), { 'src/alone.ts': unindexed }],
      [() => repo.write('tsconfig.json', `${files['tsconfig.json']}\n`), { 'src/alone.ts': unindexed }],
      [() => repo.write('tsconfig.json', files['tsconfig.json'].replace('es2022', 'es2020')), allOf(otherConfig)],
      [() => repo.git('checkout', '-q', '--', 'tsconfig.json'), { 'src/alone.ts': unindexed }],
    ];
    for (const [act, expected] of steps) {
      act();
      expect(await ask()).toEqual(expected);
    }
    await refresher.runUntilIdle({ skipGuard: true, waitMs: null });
    expect(await ask()).toEqual({});
  } finally {
    await refresher.close();
    await session.close();
  }

  function allOf(state: string) {
    return { ...Object.fromEntries(sources.map((path) => [path, state])), 'src/alone.ts': unindexed };
  }

  async function ask() {
    await session.reconcile('all');
    await refresher.noteReconciled();
    const view = await openSessionView(repo.root, session, 'sweep');
    expect(view.swept).toBe(true);
    const states = createFileStates(view);
    return byPath(
      freshnesses
        .filter((word) => word !== 'clean' && word !== 'unsupported')
        .flatMap((word) => states.list(word, 100))
        .map(({ path, freshness, contexts }) => ({
          path,
          freshness,
          why: contexts.find((context) => context.freshness === freshness)?.why ?? null,
        })),
    );
  }
});

test('serve indexes by itself after an edit, and answers meanwhile say what is not clean', async () => {
  repo = createSemanticRepo(files);
  await repo.index();
  const bin = fileURLToPath(new URL('../../bin/codegenie.mjs', import.meta.url));
  const env = { PATH: process.env['PATH'], HOME: repo.base, ...repo.environment };
  const serve = spawn(process.execPath, [bin, 'serve'], { cwd: repo.root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => serve.once('exit', resolve));
  try {
    const lines = createInterface({ input: serve.stdout })[Symbol.asyncIterator]();
    await lineWith(lines, 'ready:');
    repo.write('src/money.ts', otherSignature);
    const meanwhile = await repo.status();
    expect(meanwhile.state).toBe('partial');
    expect(byPath(meanwhile.unsettled)['src/money.ts']).toBe(dirty);
    // The two projects in whatever order; the last of them leaves nothing to be done.
    let now = meanwhile;
    while (now.state !== 'clean') {
      await lineWith(lines, ' completed');
      now = await repo.status();
    }
    expect(now).toMatchObject({ unsettled: [], jobs: { failed: 0 } });
  } finally {
    serve.kill('SIGINT');
  }
  expect(await ended).toBe(0);
  expect(repo.hasJobDirs()).toBe(false);
});

async function lineWith(lines: AsyncIterator<string>, wanted: string): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`it ended before it said: ${wanted}`);
    if (value.includes(wanted)) return;
  }
}
