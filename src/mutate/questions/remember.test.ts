import { afterEach, describe, expect, test } from 'vitest';
import { type DraftSpec, openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import { showPlan } from '../plans/show-plan.ts';
import { undoPlan } from '../plans/undo-plan.ts';
import { listRemembered } from './remember.ts';

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

describe('M31 a remembered answer never supplies an edit and never replaces a proof', () => {
  test('the same question, under another new name, carries what was chosen as a hint', async () => {
    const { it, chosen, id } = await committedAndUndone();
    const again = it.plan({ ...spec, to: 'another' });
    const [item] = again.items;
    const hint = {
      item: item?.id,
      chosen: chosen[0],
      option: 'leave',
      symbol: again.symbol.key,
      when: new Date(it.clock.nowMs).toISOString(),
      plan_id: id,
      same_files: true,
    };
    expect(listRemembered(it.world.plans, again)).toEqual([hint]);
    const { outcome } = await showPlan(it.world, again.id);
    expect(outcome).toMatchObject({ kind: 'needs_decision', remembered: [hint] });
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

  test('what changes elsewhere is said, and the answer of the place stays', async () => {
    const { it } = await committedAndUndone();
    it.tree.write('a.py', `${files['a.py']}\n`);
    await it.world.session.reconcile('all');
    expect(listRemembered(it.world.plans, it.plan(spec))).toMatchObject([{ option: 'leave', same_files: false }]);
  });

  test('a line that reads otherwise is another place', async () => {
    const { it } = await committedAndUndone();
    it.tree.write('c.txt', 'the old words\n');
    await it.world.session.reconcile('all');
    expect(listRemembered(it.world.plans, it.plan(spec))).toEqual([]);
  });

  test('another reason, at the same place, is another question', async () => {
    const { it } = await committedAndUndone();
    expect(listRemembered(it.world.plans, it.plan({ ...spec, ask: 'text_reference' }))).toEqual([]);
  });

  test('a further question is told without one', async () => {
    const { it } = await committedAndUndone();
    it.tree.write('d.txt', 'old\n');
    await it.world.session.reconcile('all');
    const again = it.plan(spec);
    expect(again.items).toHaveLength(2);
    expect(listRemembered(it.world.plans, again).map(({ item }) => item)).toEqual([
      again.items.find(({ path }) => path === 'c.txt')?.id,
    ]);
  });

  test.each([
    ['leave', 'old', 'the old word'],
    ['rename', 'fresh', 'the fresh word'],
  ])('after a commit the place is found again as it reads then: %s', async (option, from, line) => {
    const it = await openPlanWorld({ 'a.py': 'é = 1\nold = 1\n', 'c.txt': 'a è old\nthe old word\n' });
    rig = it;
    const made = it.plan({ ...spec, to: 'fresh' });
    const selections = it.select(made, { unaccounted_token: option });
    expect((await it.commit(made, { selections })).outcome).toMatchObject({ kind: 'ok' });
    expect(it.read('c.txt')).toContain(line);
    const again = it.plan({ ...spec, from, to: 'other' });
    const hints = listRemembered(it.world.plans, again);
    expect(hints.map((one) => [one.item, one.option, one.plan_id])).toEqual(
      again.items.map(({ id }) => [id, option, made.id]),
    );
    expect(hints).toHaveLength(2);
  });
});
