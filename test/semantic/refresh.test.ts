/** Refresh jobs with an indexer that ends when the test says so (code-plane.md §6.3, §7, §11 item 4). */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { blake3Hex } from '../../src/kernel/base/hash.ts';
import { createRefreshRig, type RefreshRig } from '../support/refresh-rig.ts';

let rig: RefreshRig;
afterEach(() => rig.dispose());

const key = 'ts:app/tsconfig.json';
/** So many that one of them may be missing from an output. */
const others = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`app/m${n}.ts`, `export const m${n}: number = ${n}\n`]),
);
const app = {
  'app/tsconfig.json': '{}',
  'app/a.ts': 'export const one: number = 1\n',
  'app/b.ts': "import { one } from './a'\nexport const two: number = one + 1\n",
  'app/c.ts': 'export const three: number = 3\n',
  'app/d.ts': 'export const four: number = 4\n',
};

/** With everything indexed. */
async function settledRig(files: Readonly<Record<string, string>> = app): Promise<RefreshRig> {
  const made = await createRefreshRig(files);
  await made.refresher.refreshContexts();
  await made.run();
  expect(made.unsettled()).toEqual([]);
  return made;
}

/** Everything is indexed, `path` was edited, and the job that follows from it is in the indexer. */
async function runningRig(path = 'app/c.ts', files: Readonly<Record<string, string>> = app): Promise<RefreshRig> {
  const made = await settledRig(files);
  made.indexer.holds = true;
  made.tree.write(path, 'export const three: number = 33\n');
  await made.reconcile();
  return made;
}

const statuses = (made: RefreshRig) => made.jobs(key).map(({ status }) => status);

describe('the way of a job', () => {
  test('a new context is indexed as a whole, and then there is nothing to do', async () => {
    rig = await createRefreshRig(app);
    await rig.refresher.refreshContexts();
    const first = await rig.run();
    expect(first.ran).toMatchObject([{ context: key, status: 'completed', by: 'indexer', accepted: 4, rejected: 0 }]);
    expect(rig.unsettled()).toEqual([]);
    expect(await rig.refresher.enqueueUnsettled('test')).toBe(0);
    expect(await rig.run()).toEqual({ ran: [], waiting: [], failed: [], hopeless: [], running: [] });
    expect(rig.indexer.jobDirs.size).toBe(0);
    expect(rig.events.map(({ kind }) => kind)).toEqual(['contexts', 'job_started', 'job_output', 'job_finished']);
  });

  test('nothing is written where discovery finds what it found', async () => {
    rig = await settledRig();
    const before = rig.session.facts.read(({ generation }) => generation);
    expect(await rig.refresher.refreshContexts()).toMatchObject({ added: [], changed: [], removed: [] });
    expect(rig.session.facts.read(({ generation }) => generation)).toBe(before);
    expect(rig.indexer.probes).toBe(1);
  });

  test('T7 it knows whether contexts are those of what was reconciled', async () => {
    rig = await settledRig();
    expect(rig.refresher.isCaughtUp()).toBe(true);
    for (const [path, text] of [
      ['app/tsconfig.json', '{"strict":true}'],
      ['app/a.ts', 'export const one: number = 11\n'],
      ['app/new.ts', 'export const fresh: number = 1\n'],
    ] as const) {
      rig.tree.write(path, text);
      expect(rig.refresher.isCaughtUp()).toBe(true);
      await rig.session.reconcile('all');
      expect(rig.refresher.isCaughtUp()).toBe(false);
      await rig.refresher.noteReconciled();
      expect(rig.refresher.isCaughtUp()).toBe(true);
    }
    mkdirSync(join(rig.tree.root, '.codegenie'));
    rig.tree.write('.codegenie/contexts.json', '{"contexts":{}}');
    expect(rig.refresher.isCaughtUp()).toBe(false);
  });

  test('an edit asks for the contexts that have the file, and only for them', async () => {
    rig = await settledRig({ ...app, 'lib/tsconfig.json': '{}', 'lib/x.ts': 'export const x: number = 1\n' });
    rig.tree.write('lib/x.ts', 'export const x: number = 2\n');
    await rig.reconcile();
    expect(rig.jobs('ts:lib/tsconfig.json').at(-1)).toMatchObject({
      status: 'queued',
      scope: { files: ['lib/x.ts'], packages: [] },
    });
    expect(rig.jobs(key)).toHaveLength(1);
    await rig.run();
    expect(rig.unsettled()).toEqual([]);
  });

  test('an edit asks for contexts that depend on the file, in whichever context it is', async () => {
    rig = await settledRig({
      ...app,
      'lib/tsconfig.json': '{}',
      'lib/x.ts': "import { one } from '../app/a'\nexport const x: number = one\n",
    });
    rig.tree.write('app/a.ts', 'export const one: string = "1"\n');
    await rig.reconcile();
    expect(rig.jobs('ts:lib/tsconfig.json').at(-1)).toMatchObject({ status: 'queued' });
    await rig.run();
    expect(rig.unsettled()).toEqual([]);
  });

  test('an edit of the same file back and forth ends with the facts of what is there', async () => {
    rig = await settledRig();
    const before = rig.indexedHashes('app/a.ts');
    rig.tree.write('app/a.ts', 'export const one: number = 11\n');
    await rig.reconcile();
    await rig.run();
    expect(rig.indexedHashes('app/a.ts')).not.toEqual(before);
    rig.tree.write('app/a.ts', app['app/a.ts']);
    await rig.reconcile();
    await rig.run();
    expect(rig.indexedHashes('app/a.ts')).toEqual(before);
    expect(rig.unsettled()).toEqual([]);
  });

  test('the same inputs are not indexed again', async () => {
    rig = await settledRig();
    expect(await rig.refresher.request(key, null, { trigger: 'test', priority: 1 })).toMatchObject({ kind: 'queued' });
    const { ran } = await rig.run();
    expect(ran).toMatchObject([{ status: 'completed', by: 'nothing_changed' }]);
    expect(rig.indexer.runs).toHaveLength(1);
  });

  test('the same inputs are indexed again on request, once', async () => {
    rig = await settledRig();
    const before = await rig.tree.dump();
    expect(await rig.refresher.requestAgain()).toBe(1);
    expect((await rig.run()).ran).toMatchObject([{ status: 'completed', by: 'indexer', accepted: 4 }]);
    expect(rig.indexer.runs).toHaveLength(2);
    expect(await rig.tree.dump()).toBe(before);
    expect(await rig.refresher.enqueueUnsettled('test')).toBe(0);
    await rig.refresher.request(key, null, { trigger: 'test', priority: 0 });
    expect((await rig.run()).ran).toMatchObject([{ by: 'nothing_changed' }]);
  });

  test('R24 a file that was deleted and came back with its bytes is indexed again', async () => {
    rig = await settledRig();
    rig.tree.remove('app/c.ts');
    await rig.reconcile();
    rig.tree.write('app/c.ts', app['app/c.ts']);
    await rig.reconcile();
    expect(rig.unsettled()).toEqual([`${key} app/c.ts`]);
    await rig.run();
    expect(rig.unsettled()).toEqual([]);
    // What came of it before is known: no indexer is asked twice.
    expect(rig.indexer.runs).toHaveLength(1);
  });

  test('requests that cannot be met say why', async () => {
    rig = await settledRig({ ...app, 'off/tsconfig.json': '{"enabled":false}', 'off/x.ts': 'export const x = 1\n' });
    const about = { trigger: 'test', priority: 0 };
    expect(await rig.refresher.request('ts:none', null, about)).toEqual({ kind: 'unknown_context' });
    expect(await rig.refresher.request('ts:off/tsconfig.json', null, about)).toMatchObject({
      kind: 'not_live',
      probe: 'disabled',
    });
    expect(await rig.refresher.request(key, { files: [], packages: [] }, about)).toEqual({ kind: 'nothing_asked' });
  });

  test('several contexts run at once as far as memory allows', async () => {
    const files = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].flatMap((n) => [
        [`p${n}/tsconfig.json`, '{}'],
        [`p${n}/x.ts`, 'export const x: number = 1\n'],
      ]),
    );
    for (const [gib, expected] of [
      [1, 1],
      [7, 2],
      [64, 4],
    ] as const) {
      rig = await createRefreshRig(files, { memory: gib * 1024 ** 3 });
      rig.indexer.holds = true;
      await rig.refresher.refreshContexts();
      const running = rig.run();
      await rig.indexer.started(expected);
      expect(rig.indexer.runs).toHaveLength(expected);
      rig.indexer.holds = false;
      for (const run of rig.indexer.runs) run.end();
      expect((await running).ran).toHaveLength(6);
      expect(rig.unsettled()).toEqual([]);
      if (gib < 64) await rig.dispose();
    }
  });
});

describe('while the indexer runs', () => {
  test('R12 the file is edited: nothing of the old text is taken for the new', async () => {
    rig = await runningRig();
    const running = rig.run();
    const run = await rig.indexer.started(2);
    rig.tree.write('app/a.ts', 'export const one: number = 111\n');
    rig.indexer.holds = false;
    run.end();
    const { ran } = await running;
    // The first had read the old text.
    expect(ran.length).toBeGreaterThanOrEqual(2);
    expect(rig.unsettled()).toEqual([]);
    expect(rig.indexedHashes('app/a.ts')).toEqual([blake3Hex('export const one: number = 111\n')]);
  });

  test('R12 the old text comes back before the next look: still nothing of the run is taken for that file', async () => {
    rig = await runningRig('app/a.ts');
    const before = rig.indexedHashes('app/a.ts');
    const running = rig.run();
    const run = await rig.indexer.started(2);
    // As if the indexer had read a text in between.
    rig.tree.write('app/a.ts', 'export const other: number = 5\n');
    rig.tree.write('app/a.ts', 'export const three: number = 33\n');
    const hold = rig.indexedHashes('app/a.ts');
    expect(hold).toEqual(before);
    run.end();
    const second = await rig.indexer.started(3);
    expect(rig.indexedHashes('app/a.ts')).toEqual(before);
    rig.indexer.holds = false;
    second.end();
    await running;
    expect(rig.unsettled()).toEqual([]);
  });

  test('R13 a dependency is edited: what depends on it is not clean until it was indexed again', async () => {
    rig = await runningRig('app/d.ts', { ...app, ...others });
    const running = rig.run();
    const run = await rig.indexer.started(2);
    rig.tree.write('app/a.ts', 'export const one: string = ""\n');
    run.end();
    const next = await rig.indexer.started(3);
    expect(rig.unsettled()).toEqual([`${key} app/a.ts`, `${key} app/b.ts`]);
    rig.indexer.holds = false;
    next.end();
    await running;
    expect(rig.unsettled()).toEqual([]);
  });

  test('R22 a change leads to exactly one follow-up, whose scope has the file', async () => {
    rig = await runningRig('app/c.ts', { ...app, ...others });
    const running = rig.run();
    const run = await rig.indexer.started(2);
    for (const n of [7, 8, 9]) {
      rig.tree.write('app/d.ts', `export const four: number = ${n}\n`);
      await rig.reconcile();
    }
    expect(rig.jobs(key).slice(1)).toMatchObject([
      { status: 'running' },
      { status: 'queued', scope: { files: ['app/d.ts'] } },
    ]);
    rig.indexer.holds = false;
    run.end();
    expect((await running).ran.map(({ by }) => by)).toEqual(['indexer', 'indexer']);
    expect(statuses(rig)).toEqual(['completed', 'completed', 'completed']);
    expect(rig.unsettled()).toEqual([]);
  });

  test('R21 R23 requests are gathered in one queued job that covers them all', async () => {
    rig = await runningRig();
    const running = rig.run();
    const run = await rig.indexer.started(2);
    const about = { trigger: 'test', priority: 3 };
    const asked = (scope: Parameters<typeof rig.refresher.request>[1]) => rig.refresher.request(key, scope, about);
    const first = await asked({ files: ['app/a.ts'], packages: [] });
    expect(await asked({ files: ['app/b.ts'], packages: ['app'] })).toEqual(first);
    expect(rig.jobs(key).filter(({ status }) => status === 'queued')).toMatchObject([
      { scope: { files: ['app/a.ts', 'app/b.ts'], packages: ['app'] }, priority: 3 },
    ]);
    expect(await asked(null)).toEqual(first);
    expect(await asked({ files: ['app/c.ts'], packages: [] })).toEqual(first);
    expect(rig.jobs(key).filter(({ status }) => status === 'queued')).toMatchObject([{ scope: null }]);
    expect(rig.jobs(key).filter(({ status }) => status === 'running')).toMatchObject([
      { scope: { files: ['app/c.ts'] } },
    ]);
    rig.indexer.holds = false;
    run.end();
    await running;
  });

  test('R25 a commit and an amend neither stop nor repeat it', async () => {
    rig = await runningRig();
    const running = rig.run();
    const run = await rig.indexer.started(2);
    const heads = rig.jobs(key).map(({ head }) => head);
    rig.tree.git('commit', '-q', '-am', 'second');
    await rig.reconcile();
    rig.tree.git('commit', '-q', '--amend', '-m', 'second, better');
    await rig.reconcile();
    run.end();
    const { ran } = await running;
    expect(ran).toMatchObject([{ status: 'completed', by: 'indexer', accepted: 4, rejected: 0 }]);
    expect(statuses(rig)).toEqual(['completed', 'completed']);
    expect(heads.every((head) => head !== null && /^[0-9a-f]{40}$/.test(head))).toBe(true);
    // And an edit under the same HEAD is seen.
    rig.tree.write('app/d.ts', 'export const four: number = 44\n');
    await rig.reconcile();
    expect(rig.jobs(key).at(-1)).toMatchObject({ status: 'queued' });
  });

  test('a file is deleted: the others are taken, and the files that needed it are asked again', async () => {
    rig = await runningRig('app/c.ts', { ...app, ...others });
    const running = rig.run();
    const run = await rig.indexer.started(2);
    rig.tree.remove('app/a.ts');
    run.end();
    const next = await rig.indexer.started(3);
    expect(rig.unsettled()).toEqual([`${key} app/b.ts`]);
    rig.indexer.holds = false;
    next.end();
    await running;
    expect(rig.unsettled()).toEqual([]);
  });

  test('R28 its configuration changes: it is stopped, imports nothing, and one with the new one follows', async () => {
    rig = await runningRig();
    const before = rig.indexedHashes('app/c.ts');
    const running = rig.run();
    const run = await rig.indexer.started(2);
    rig.tree.write('app/tsconfig.json', '{"compilerOptions":{"strict":true}}');
    await rig.reconcile();
    expect(run.signal.aborted).toBe(true);
    rig.indexer.holds = false;
    const { ran } = await running;
    expect(ran).toMatchObject([{ status: 'superseded', detail: 'its configuration changed' }, { status: 'completed' }]);
    expect(rig.jobs(key).slice(1)).toMatchObject([
      { status: 'superseded', accepted: null, successorId: rig.jobs(key).at(-1)?.id },
      { status: 'completed', scope: null, accepted: 4 },
    ]);
    expect(rig.indexedHashes('app/c.ts')).not.toEqual(before);
    expect(rig.indexer.jobDirs.size).toBe(0);
  });

  test('R28 its configuration changes and no look came before it ended: it imports nothing either', async () => {
    rig = await runningRig();
    const running = rig.run();
    const run = await rig.indexer.started(2);
    rig.tree.write('app/tsconfig.json', '{"compilerOptions":{"strict":true}}');
    rig.indexer.holds = false;
    run.end();
    expect((await running).ran).toMatchObject([{ status: 'superseded' }, { status: 'completed', accepted: 4 }]);
    expect(rig.unsettled()).toEqual([]);
  });

  test('its context vanishes or is switched off: it ends, and nothing waits', async () => {
    rig = await runningRig();
    const running = rig.run();
    await rig.indexer.started(2);
    rig.tree.write('app/tsconfig.json', '{"enabled":false}');
    await rig.reconcile();
    expect((await running).ran).toMatchObject([{ status: 'superseded', detail: 'its context was disabled' }]);
    expect(statuses(rig).slice(1)).toEqual(['superseded', 'cancelled']);
    rig.tree.write('app/tsconfig.json', '{}');
    await rig.reconcile();
    const again = rig.run();
    await rig.indexer.started(3);
    rig.tree.remove('app/tsconfig.json');
    await rig.reconcile();
    expect((await again).ran).toMatchObject([{ status: 'lost', detail: 'its context is no more' }]);
  });

  test('another tool is installed: what the old one says is not taken', async () => {
    rig = await runningRig();
    const running = rig.run();
    await rig.indexer.started(2);
    rig.indexer.probe = { ...rig.indexer.probe, toolId: 'fake@2.0.0+0123456789abcdef' };
    rig.clock.advance(60_000);
    await rig.refresher.refreshContexts();
    rig.indexer.holds = false;
    expect((await running).ran).toMatchObject([
      { status: 'superseded', detail: 'its indexer changed' },
      { status: 'completed', accepted: 4 },
    ]);
  });

  test('more than half of its files change: it is stopped, half of them do not stop it', async () => {
    rig = await runningRig();
    const running = rig.run();
    const run = await rig.indexer.started(2);
    for (const name of ['a', 'b']) rig.tree.write(`app/${name}.ts`, `export const x${name}: number = 1\n`);
    await rig.reconcile();
    expect(run.signal.aborted).toBe(false);
    rig.tree.write('app/d.ts', 'export const x: number = 1\n');
    await rig.reconcile();
    expect(run.signal.aborted).toBe(true);
    rig.indexer.holds = false;
    expect((await running).ran).toMatchObject([
      { status: 'superseded', detail: 'more than half of its files changed' },
      { status: 'completed', accepted: 4 },
    ]);
    expect(rig.unsettled()).toEqual([]);
  });

  test('R26 a job is cancelled: the row says so after its indexer has ended', async () => {
    rig = await runningRig();
    const running = rig.run();
    await rig.indexer.started(2);
    expect(rig.indexer.jobDirs.size).toBe(1);
    await rig.refresher.cancel(key);
    expect(rig.indexer.jobDirs.size).toBe(0);
    expect(statuses(rig).slice(1)).toEqual(['superseded', 'cancelled']);
    await running;
  });

  test('the lease is renewed, and a job that lost it imports nothing', async () => {
    rig = await runningRig();
    const running = rig.run();
    await rig.indexer.started(2);
    const leaseOf = () => rig.jobs(key).at(-1)?.leaseUntilMs ?? 0;
    const before = leaseOf();
    rig.clock.advance(25_000);
    expect(leaseOf()).toBe(before + 20_000);
    const { facts } = rig.session;
    facts.writer.remember(() => facts.jobs.recover({ owner: 'another', nowMs: rig.clock.nowMs }));
    rig.clock.advance(10_000);
    rig.indexer.holds = false;
    expect((await running).ran[0]).toMatchObject({ status: 'lost', detail: 'its lease was lost' });
    expect(rig.unsettled()).toEqual([]);
  });
});

describe('failures', () => {
  test('a job is tried again after 5, 30, 120 and 600 seconds, and then not until something changes', async () => {
    rig = await settledRig();
    rig.tree.write('app/c.ts', 'export const three: number = 33\n');
    await rig.reconcile();
    rig.indexer.failures.push(...Array<'tool_crashed'>(5).fill('tool_crashed'));
    for (const [attempt, seconds] of [
      [1, 5],
      [2, 30],
      [3, 120],
      [4, 600],
    ] as const) {
      const { ran, waiting } = await rig.run();
      expect(ran).toMatchObject([{ status: 'failed', failure: 'tool_crashed', detail: 'it said tool_crashed' }]);
      expect(waiting).toMatchObject([
        { context: key, failure: 'tool_crashed', notBeforeMs: rig.clock.nowMs + seconds * 1000 },
      ]);
      expect(rig.jobs(key).at(-1)).toMatchObject({ status: 'queued', attempt });
      rig.clock.advance(seconds * 1000 - 1);
      expect((await rig.run()).ran).toEqual([]);
      rig.clock.advance(1);
    }
    const last = await rig.run();
    expect(last).toMatchObject({ waiting: [], failed: [{ context: key, failure: 'tool_crashed' }] });
    expect(last.hopeless).toMatchObject([{ context: key, files: ['app/c.ts'], why: 'failed' }]);
    expect(await rig.refresher.enqueueUnsettled('test')).toBe(0);
    rig.tree.write('app/d.ts', 'export const four: number = 44\n');
    await rig.reconcile();
    expect((await rig.run()).ran).toMatchObject([{ status: 'completed' }]);
    expect(rig.unsettled()).toEqual([]);
  });

  test('R15 a failure changes no fact', async () => {
    rig = await settledRig();
    const before = rig.indexedHashes('app/c.ts');
    rig.tree.write('app/c.ts', 'export const three: number = 33\n');
    await rig.reconcile();
    rig.indexer.silent.add('app/a.ts').add('app/b.ts');
    const { ran } = await rig.run();
    expect(ran).toMatchObject([{ status: 'failed', failure: 'too_few_documents' }]);
    expect(rig.indexedHashes('app/c.ts')).toEqual(before);
    expect(rig.unsettled()).toEqual([`${key} app/c.ts`]);
  });

  test('what needs too long is tried once more', async () => {
    rig = await createRefreshRig(app);
    await rig.refresher.refreshContexts();
    rig.indexer.failures.push('tool_timeout', 'tool_timeout');
    expect(await rig.run()).toMatchObject({ waiting: [{ failure: 'tool_timeout' }], failed: [] });
    rig.clock.advance(5_000);
    expect(await rig.run()).toMatchObject({ waiting: [], failed: [{ failure: 'tool_timeout' }] });
  });

  test('a bug in a part is a failure with a name', async () => {
    rig = await createRefreshRig(app);
    await rig.refresher.refreshContexts();
    rig.indexer.silent.has = () => {
      throw new Error('a bug');
    };
    const { ran } = await rig.run();
    expect(ran).toMatchObject([
      { status: 'failed', failure: 'internal_error', detail: expect.stringContaining('a bug') },
    ]);
    expect(rig.indexer.jobDirs.size).toBe(0);
  });

  test('a missing tool is a state: nothing is queued, and all is when it comes', async () => {
    rig = await createRefreshRig(app);
    rig.indexer.probe = { ...rig.indexer.probe, state: 'missing_tool', detail: 'npm i -g fake', toolId: null };
    expect((await rig.refresher.refreshContexts()).contexts).toMatchObject([
      { probe: 'missing_tool', probeDetail: 'npm i -g fake' },
    ]);
    expect(rig.jobs(key)).toEqual([]);
    expect(await rig.refresher.enqueueUnsettled('test')).toBe(0);
    rig.indexer.probe = { ...rig.indexer.probe, state: 'ok', detail: null, toolId: 'fake@1.0.0+00' };
    await rig.refresher.refreshContexts();
    expect(rig.indexer.probes).toBe(1);
    rig.clock.advance(60_000);
    await rig.refresher.refreshContexts();
    expect(rig.indexer.probes).toBe(2);
    expect((await rig.run()).ran).toMatchObject([{ status: 'completed', accepted: 4 }]);
  });

  test('a configuration that cannot be read is a state too', async () => {
    rig = await settledRig();
    rig.tree.write('app/tsconfig.json', '{"problem":"extends itself"}');
    await rig.reconcile();
    expect((await rig.refresher.refreshContexts()).contexts).toMatchObject([
      { probe: 'config_error', probeDetail: 'extends itself' },
    ]);
    expect((await rig.run()).ran).toEqual([]);
  });

  test('R24 members without a document are named, and not asked for for ever', async () => {
    rig = await createRefreshRig({ ...app, ...others });
    rig.indexer.silent.add('app/m3.ts');
    await rig.refresher.refreshContexts();
    const { ran, hopeless } = await rig.run();
    expect(ran).toMatchObject([{ status: 'completed', accepted: 15 }]);
    expect(hopeless).toMatchObject([{ context: key, files: ['app/m3.ts'], why: 'not_settled', job: ran[0]?.job }]);
    expect(await rig.refresher.enqueueUnsettled('test')).toBe(0);
  });
});

describe('a daemon', () => {
  test('waits for two seconds of quiet, at most a minute, and then runs by itself', async () => {
    rig = await settledRig();
    await rig.refresher.start();
    rig.clock.advance(60_000);
    rig.indexer.holds = true;
    rig.tree.write('app/c.ts', 'export const three: number = 33\n');
    await rig.reconcile();
    rig.clock.advance(1_500);
    rig.tree.write('app/c.ts', 'export const three: number = 333\n');
    await rig.reconcile();
    rig.clock.advance(1_999);
    expect(statuses(rig)).toEqual(['completed', 'queued']);
    rig.clock.advance(1);
    expect(statuses(rig)).toEqual(['completed', 'running']);
    const run = await rig.indexer.started(2);
    rig.clock.advance(4_000);
    run.end();
    await rig.refresher.runUntilIdle({ skipGuard: false, waitMs: null, contexts: [key] });
    expect(rig.unsettled()).toEqual([]);
  });

  test('a waiting caller does not wait for the quiet', async () => {
    rig = await settledRig();
    await rig.refresher.start();
    rig.tree.write('app/c.ts', 'export const three: number = 33\n');
    await rig.reconcile();
    expect((await rig.run()).ran).toMatchObject([{ status: 'completed' }]);
  });

  test('what is still under way when the time is up is said, and goes on', async () => {
    rig = await runningRig();
    const waiting = rig.refresher.runUntilIdle({ skipGuard: true, waitMs: 1_000 });
    const run = await rig.indexer.started(2);
    rig.clock.advance(1_000);
    expect(await waiting).toMatchObject({ ran: [], running: [key] });
    run.end();
    expect((await rig.run()).ran).toMatchObject([{ status: 'completed' }]);
  });

  test('R26 closing stops what runs and leaves it in the queue', async () => {
    rig = await runningRig();
    const running = rig.run();
    await rig.indexer.started(2);
    await rig.refresher.close();
    await running;
    expect(statuses(rig).slice(1)).toEqual(['superseded', 'queued']);
    expect(rig.indexer.jobDirs.size).toBe(0);
  });

  test('a finished job history stays within its limit', async () => {
    rig = await settledRig();
    const { facts } = rig.session;
    const contextId = rig.jobs(key)[0]?.contextId ?? 0;
    facts.writer.remember(() => {
      for (let n = 0; n < 205; n += 1) {
        const nowMs = rig.clock.nowMs;
        const about = { trigger: 'test', priority: 0, notBeforeMs: nowMs, nowMs, head: null };
        facts.jobs.cancel(facts.jobs.enqueue({ contextId, scope: null, ...about }), nowMs);
      }
    });
    expect(rig.jobs(key)).toHaveLength(206);
    await rig.refresher.request(key, null, { trigger: 'test', priority: 0 });
    await rig.run();
    expect(rig.jobs(key)).toHaveLength(200);
  });
});
