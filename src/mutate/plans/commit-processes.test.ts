/** Commits from several processes on one data dir: the writer lock puts them in a row, the ledger lets one of them through. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { type DraftSpec, openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import type { CommitRequest } from '../answer.ts';

const run = promisify(execFile);
const child = fileURLToPath(new URL('../../../test/support/commit-child.ts', import.meta.url));

let rig: PlanWorld | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const files = { 'a.py': 'old = 1\nprint(old)\n', 'b.py': 'from a import old\n' };
const spec: DraftSpec = { from: 'old', to: 'fresh', main: ['a.py', 'b.py'] };

/** Plans are made here, then the lock is given up: the children start without a writer. */
async function commitFromProcesses(
  specs: readonly DraftSpec[],
  change: Partial<CommitRequest> = {},
): Promise<readonly string[]> {
  const it = await openPlanWorld(files);
  rig = it;
  const made = new Map(specs.map((one) => [one, it.plan(one)]));
  const requests = specs.flatMap((one) => made.get(one) ?? []).map((plan) => ({ ...it.request(plan), ...change }));
  it.world.plans.close();
  await it.tree.closeSession();
  const { root, stateDir } = it.tree;
  const ends = await Promise.all(
    requests.map((request) =>
      run(process.execPath, ['--disable-warning=ExperimentalWarning', child, root, stateDir, JSON.stringify(request)]),
    ),
  );
  rig = await openPlanWorld(files, { tree: it.tree });
  return ends.map(({ stdout }) => stdout.trim()).sort();
}

test('M22 of two processes that commit one plan one applies it', async () => {
  expect(await commitFromProcesses([spec, spec])).toEqual(['ok', 'plan_used']);
  expect(rig?.read('b.py')).toBe('from a import fresh\n');
});

test('M22 of ten processes that commit plans in conflict one applies its own', async () => {
  const specs = Array.from({ length: 10 }, (_, n) => ({ ...spec, to: `fresh${n % 5}` }));
  const ends = await commitFromProcesses(specs);
  expect(ends.filter((end) => end === 'ok')).toHaveLength(1);
  expect(new Set(ends)).toEqual(new Set(['ok', 'files_changed']));
  const [, name] = /from a import (fresh\d)/.exec(rig?.read('b.py') ?? '') ?? [];
  expect(rig?.read('a.py')).toBe(`${name} = 1\nprint(${name})\n`);
});

test('M23 of processes that send one request again all get its answer, and it takes effect once', async () => {
  expect(await commitFromProcesses([spec, spec], { request_id: 'r' })).toEqual(['ok', 'ok']);
  expect(rig?.world.plans.listUndo()).toHaveLength(1);
});
