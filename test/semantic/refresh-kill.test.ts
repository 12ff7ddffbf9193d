/** Refresh jobs whose processes end: by us, or together with the writer (code-plane.md §7). Real process groups. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { processStart } from '../../src/kernel/base/processes.ts';
import { isGroupAlive } from '../../src/kernel/exec/run-process.ts';
import { createIndexedTree } from '../support/indexed-tree.ts';
import { createRefreshRig, type RefreshRig } from '../support/refresh-rig.ts';
import { createSleepingIndexer } from '../support/sleeping-indexer.ts';

const files = { 'app/tsconfig.json': '{}', 'app/a.ts': 'export const one: number = 1\n' };
const child = fileURLToPath(new URL('../support/refresh-child.ts', import.meta.url));

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function sleepingRig(): Promise<{ readonly rig: RefreshRig; readonly group: Promise<number> }> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const rig = await createRefreshRig(files, { parts: createSleepingIndexer(resolve) });
  ending.push(() => rig.dispose());
  await rig.refresher.refreshContexts();
  return { rig, group: promise };
}

test('R26 a superseded job leaves no process of its group alive when its row says so', async () => {
  const { rig, group } = await sleepingRig();
  const running = rig.run();
  const pgid = await group;
  expect(rig.jobs()[0]).toMatchObject({ status: 'running', pgid, pgStart: processStart(pgid) });
  rig.tree.write('app/tsconfig.json', '{"enabled":false}');
  await rig.reconcile();
  expect(rig.jobs()[0]).toMatchObject({ status: 'running' });
  await running;
  expect(isGroupAlive(pgid)).toBe(false);
  expect(rig.jobs()[0]).toMatchObject({ status: 'superseded', pgid: null });
});

test('R26 a cancelled job leaves no process of its group alive', async () => {
  const { rig, group } = await sleepingRig();
  const running = rig.run();
  const pgid = await group;
  await rig.refresher.cancel('ts:app/tsconfig.json');
  expect(isGroupAlive(pgid)).toBe(false);
  expect(rig.jobs().map(({ status }) => status)).toEqual(['superseded', 'cancelled']);
  await running;
});

test('R27 after kill -9 of the writer its job is queued, its indexer is ended, and it runs again', async () => {
  const tree = createIndexedTree(files);
  ending.push(() => tree.dispose());
  const writer = spawn(process.execPath, [child, tree.root, tree.stateDir, tree.base], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const early = once(writer, 'exit').then(() => Promise.reject(new Error('the writer ended')));
  const [said] = (await Promise.race([once(writer.stdout, 'data'), early])) as [Buffer];
  early.catch(() => {});
  const pgid = Number(said.toString());
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  expect(isGroupAlive(pgid)).toBe(true);

  const rig = await createRefreshRig(files, { tree });
  ending.push(() => rig.dispose());
  expect(rig.jobs()).toMatchObject([{ status: 'running', pgid }]);
  await rig.refresher.recover();
  expect(isGroupAlive(pgid)).toBe(false);
  expect(rig.jobs()).toMatchObject([{ status: 'queued', leaseOwner: null }]);
  await rig.refresher.refreshContexts();
  expect((await rig.run()).ran).toMatchObject([{ status: 'completed', accepted: 1 }]);
});

test('R27 a group whose number belongs to another process now is left alone', async () => {
  const bystander = spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore' });
  const pgid = bystander.pid ?? 0;
  ending.push(async () => void process.kill(-pgid, 'SIGKILL'));
  const rig = await createRefreshRig(files);
  ending.push(() => rig.dispose());
  await rig.refresher.refreshContexts();
  const { facts } = rig.session;
  facts.writer.remember(() => {
    const job = facts.jobs.claim({ owner: 'dead', nowMs: rig.clock.nowMs, leaseUntilMs: rig.clock.nowMs + 30_000 });
    facts.jobs.setRun(job?.id ?? 0, 'dead', { pgid, pgStart: '1' });
  });
  const next = await createRefreshRig(files, { tree: rig.tree, owner: 'next' });
  await next.refresher.recover();
  expect(next.jobs()).toMatchObject([{ status: 'queued' }]);
  expect(isGroupAlive(pgid)).toBe(true);
});
