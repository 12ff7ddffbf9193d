import { afterEach, describe, expect, test } from 'vitest';
import { type DraftSpec, openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import { showPlan } from '../plans/show-plan.ts';
import { undoPlan } from '../plans/undo-plan.ts';
import { findRemembered } from './remember.ts';

let rig: PlanWorld | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const files = { 'a.py': 'old = 1\nprint(old)\n', 'c.txt': 'the old word\n' };
const spec: DraftSpec = { from: 'old', to: 'fresh', main: ['a.py'], provenance: 'resolved' };

async function committedAndUndone(): Promise<{
  readonly it: PlanWorld;
  readonly chosen: readonly string[];
  readonly id: string;
}> {
  const it = await openPlanWorld(files);
  rig = it;
  const made = it.plan(spec);
  const [, ...chosen] = it.select(made, { unaccounted_token: 'leave' });
  await it.commit(made, { selections: it.select(made, { unaccounted_token: 'leave' }) });
  await undoPlan(it.world, { plan_id: made.id });
  return { it, chosen, id: made.id };
}

describe('M31 a remembered decision never supplies an edit and never replaces a proof', () => {
  test('the same questions over the same bytes, under another new name, carry what was chosen as a hint', async () => {
    const { it, chosen, id } = await committedAndUndone();
    const again = it.plan({ ...spec, to: 'another' });
    expect(findRemembered(it.world.plans, again)).toEqual({
      chosen,
      when: new Date(it.clock.nowMs).toISOString(),
      plan_id: id,
    });
    const { outcome } = await showPlan(it.world, again.id);
    expect(outcome).toMatchObject({ kind: 'needs_decision', remembered: { chosen, plan_id: id } });
    expect(again.items.map(({ chosen: selected }) => selected)).toEqual([null]);
    const [main = ''] = it.select(again);
    const nothing = await it.commit(again, { selections: [main] });
    expect(nothing.outcome).toMatchObject({ kind: 'refused', reason: 'selection_invalid' });
    const unproved = await it.commit(again, {
      selections: [main, ...chosen],
      proof: { identity: '', lines: [], anchors: [] },
    });
    expect(unproved.outcome).toMatchObject({ kind: 'refused', reason: 'proof_incomplete' });
    expect(it.read('a.py')).toBe(files['a.py']);
  });

  test('a changed hash drops it for good', async () => {
    const { it } = await committedAndUndone();
    it.tree.write('a.py', `${files['a.py']}\n`);
    await it.world.session.reconcile('all');
    expect(findRemembered(it.world.plans, it.plan(spec))).toBeUndefined();
    it.tree.write('a.py', files['a.py']);
    await it.world.session.reconcile('all');
    expect(findRemembered(it.world.plans, it.plan(spec))).toBeUndefined();
  });

  test('other questions are others', async () => {
    const { it } = await committedAndUndone();
    it.tree.write('d.txt', 'old\n');
    await it.world.session.reconcile('all');
    expect(findRemembered(it.world.plans, it.plan(spec))).toBeUndefined();
  });
});
