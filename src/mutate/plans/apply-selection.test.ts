/** What happens behind the commit point is told, and never takes the answer with it (mutation.md §8, K11 to K13). */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import type { Answer } from '../answer.ts';
import { recoverJournals } from '../apply/recover.ts';
import type { MutationWorld } from '../world.ts';
import { commitPlan } from './commit.ts';
import { undoPlan } from './undo-plan.ts';

let rig: PlanWorld | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const old = 'old = 1\n';
const spec = { from: 'old', to: 'fresh', main: ['a.py'] };

async function open(): Promise<PlanWorld> {
  rig = await openPlanWorld({ 'a.py': old });
  return rig;
}

/** As after Ctrl-C: the index does nothing any more. */
function stopped(world: MutationWorld): MutationWorld {
  const reconcile = () => Promise.reject(new Error('interrupted'));
  return { ...world, session: Object.create(world.session, { reconcile: { value: reconcile } }) };
}

function notesOf({ outcome }: Answer): readonly string[] {
  if (!('state' in outcome) || !('result' in outcome)) throw new Error(outcome.kind);
  return outcome.result?.notes ?? [];
}

const journals = ({ tree }: PlanWorld) => readdirSync(join(tree.stateDir, 'state/journal'));

test('E12 one who stops it behind the commit point hears that the files are written', async () => {
  const it = await open();
  const made = it.plan(spec);
  const answer = await commitPlan(stopped(it.world), it.request(made), it.replan);
  expect(answer.outcome).toMatchObject({ kind: 'ok', state: 'applied', result: { files: [{ path: 'a.py' }] } });
  expect(notesOf(answer).join()).toContain('interrupted');
  expect(it.read('a.py')).toBe('fresh = 1\n');
  expect(it.world.plans.find(made.id)?.status).toBe('committed');
  expect(journals(it)).toEqual([]);

  const undone = await undoPlan(stopped(it.world), { plan_id: made.id });
  expect(undone.outcome).toMatchObject({ state: 'undone' });
  expect(notesOf(undone).join()).toContain('interrupted');
  expect(it.read('a.py')).toBe(old);
});

test('E12 a ledger that fails behind the commit point is told by the next command', async () => {
  const it = await open();
  const made = it.plan(spec);
  const finish = () => {
    throw new Error('the disk is full');
  };
  const plans = { ...it.world.plans, finish };
  const answer = await commitPlan({ ...it.world, plans }, it.request(made), it.replan);
  expect(answer.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  expect(notesOf(answer).join()).toContain('the disk is full');
  expect(it.read('a.py')).toBe('fresh = 1\n');
  expect(journals(it)).toEqual([made.id]);

  const recovery = recoverJournals(it.world);
  expect(recovery.recovered).toEqual([{ planId: made.id, op: 'commit', to: 'committed' }]);
  expect(it.world.plans.find(made.id)?.status).toBe('committed');
  expect((await undoPlan(it.world, { plan_id: made.id })).outcome).toMatchObject({ state: 'undone' });
  expect(it.read('a.py')).toBe(old);
});
