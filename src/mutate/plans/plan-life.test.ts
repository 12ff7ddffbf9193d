import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type DraftSpec, openPlanWorld, type PlanWorld } from '../../../test/support/plan-world.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import type { Answer } from '../answer.ts';
import { applyChanges } from '../apply/apply-changes.ts';
import { noHooks } from '../apply/target.ts';
import { commitPlan } from './commit.ts';
import { cancelPlan, keepPlan } from './plan-life.ts';
import { showPlan } from './show-plan.ts';
import { undoPlan } from './undo-plan.ts';

const files = { 'a.py': 'old = 1\nprint(old)\n', 'b.py': 'from a import old\n' };
const day = 24 * 60 * 60 * 1000;
const spec: DraftSpec = { from: 'old', to: 'fresh', main: ['a.py', 'b.py'] };

async function open(): Promise<PlanWorld> {
  const rig = await openPlanWorld(files);
  onTestFinished(() => rig.close());
  return rig;
}

function said({ outcome }: Answer): string {
  if (outcome.kind === 'blocked' || outcome.kind === 'refused') return `${outcome.kind} ${outcome.reason}`;
  return outcome.kind === 'ok' ? `ok ${outcome.state}` : outcome.kind;
}

describe('the life of a plan', () => {
  test('M25 expires a day after its last use', async () => {
    const it = await open();
    const made = it.plan(spec);
    it.clock.nowMs += day - 1_000;
    expect(said(await showPlan(it.world, made.id))).toBe('ok planned');
    it.clock.nowMs += day - 1_000;
    expect(said(await it.commit(made, { plan_hash: 'other' }))).toBe('refused plan_mismatch');
    it.clock.nowMs += 1_000;
    expect(said(await it.commit(made))).toBe('refused plan_expired');
    expect(said(await it.commit(made))).toBe('refused plan_expired');
    expect(it.read('a.py')).toBe(files['a.py']);
  });

  test('M25 expires when the user says', async () => {
    const it = await open();
    const made = keepPlan({ ...it.world, planLifeMs: 60_000 }, it.draft(spec));
    it.clock.nowMs += 60_000;
    expect(said(await it.commit(made))).toBe('refused plan_expired');
  });

  test('M42 is committed tomorrow while every byte is as it was', async () => {
    const it = await open();
    const made = it.plan(spec);
    it.clock.nowMs += day - 1;
    expect(said(await it.commit(made))).toBe('ok applied');
    expect(it.read('b.py')).toBe('from a import fresh\n');
  });

  test('M42 is planned again once it is of another hour: what it rests on outside the files has no hash', async () => {
    const it = await open();
    const made = it.plan(spec);
    const request = it.request(made);
    const views: unknown[] = [];
    const commit = () =>
      commitPlan(it.world, request, async (operation, view) => {
        views.push(view);
        const again = await it.replan(operation, view);
        if (again.kind !== 'draft') return again;
        return {
          kind: 'draft',
          draft: { ...again.draft, groups: again.draft.groups.map((group) => ({ ...group, edits: [] })) },
        };
      });
    it.clock.nowMs += 60 * 60 * 1000;
    expect(said(await commit())).toBe('blocked files_changed');
    expect(views).toHaveLength(1);
    expect(it.read('a.py')).toBe(files['a.py']);
    it.clock.nowMs -= 1;
    expect(said(await commit())).toBe('ok applied');
    expect(views).toHaveLength(1);
  });
});

describe('a plan that is shown', () => {
  test('says what became of it', async () => {
    const it = await open();
    const made = it.plan(spec);
    expect(said(await showPlan(it.world, 'p-none'))).toBe('refused plan_not_found');
    expect(said(await showPlan(it.world, made.id))).toBe('ok planned');
    await it.commit(made);
    const applied = await showPlan(it.world, made.id);
    expect(applied.outcome).toMatchObject({
      state: 'applied',
      result: { files: [{ path: 'a.py' }, { path: 'b.py' }] },
    });
    await undoPlan(it.world, { plan_id: made.id });
    expect(said(await showPlan(it.world, made.id))).toBe('ok undone');
    const cancelled = it.plan(spec);
    await cancelPlan(it.world, cancelled.id);
    expect(said(await cancelPlan(it.world, cancelled.id))).toBe('ok planned');
    expect(said(await showPlan(it.world, cancelled.id))).toBe('refused plan_cancelled');
    expect(said(await cancelPlan(it.world, made.id))).toBe('refused plan_used');
  });
});

describe('undo', () => {
  test('E13 restores every byte, or changes nothing and names the files in the way', async () => {
    const it = await open();
    const made = it.plan(spec);
    expect(said(await undoPlan(it.world, { plan_id: made.id }))).toBe('refused undo_conflict');
    await it.commit(made);
    it.tree.write('b.py', 'edited\n');
    const refused = await undoPlan(it.world, { plan_id: made.id });
    expect(refused.outcome).toMatchObject({ reason: 'undo_conflict', evidence: [{ at: { file: 'b.py' } }] });
    expect(it.read('a.py')).toBe('fresh = 1\nprint(fresh)\n');
    it.tree.write('b.py', 'from a import fresh\n');
    expect(said(await undoPlan(it.world, { plan_id: made.id }))).toBe('ok undone');
    expect([it.read('a.py'), it.read('b.py')]).toEqual([files['a.py'], files['b.py']]);
  });

  test('M23 sent again with its request id it is one undo', async () => {
    const it = await open();
    const made = it.plan(spec);
    await it.commit(made);
    const request = { plan_id: made.id, request_id: 'u' };
    const first = await undoPlan(it.world, request);
    expect(said(first)).toBe('ok undone');
    expect(await undoPlan(it.world, request)).toEqual(first);
  });
});

test('a group that says the same thing twice is kept with it once', async () => {
  const it = await open();
  const draft = it.draft(spec);
  const groups = draft.groups.map((group) => ({ ...group, edits: [...group.edits, ...group.edits] }));
  const made = keepPlan(it.world, { ...draft, groups });
  expect(made.groups.map(({ edits }) => edits.length)).toEqual([3]);
});

test('E8 a file that cannot be written is refused before anything is, and the plan stays open', async () => {
  const it = await open();
  const made = it.plan(spec);
  chmodSync(join(it.tree.root, 'b.py'), 0o444);
  expect(said(await it.commit(made))).toBe('refused read_only');
  expect(it.read('a.py')).toBe(files['a.py']);
  expect(it.world.plans.find(made.id)?.status).toBe('open');
  chmodSync(join(it.tree.root, 'b.py'), 0o644);
  expect(said(await it.commit(made))).toBe('ok applied');
});

test('a file that moves is created with its edits and its mode, removed, and brought back by undo', async () => {
  const it = await open();
  chmodSync(join(it.tree.root, 'a.py'), 0o755);
  const made = keepPlan(it.world, { ...it.draft(spec), moves: [{ from: 'a.py', to: 'lib/c.py' }] });
  expect(said(await it.commit(made))).toBe('ok applied');
  expect(it.read('lib/c.py')).toBe('fresh = 1\nprint(fresh)\n');
  expect(existsSync(join(it.tree.root, 'a.py'))).toBe(false);
  expect(statSync(join(it.tree.root, 'lib/c.py')).mode & 0o777).toBe(0o755);
  expect(said(await undoPlan(it.world, { plan_id: made.id }))).toBe('ok undone');
  expect([it.read('a.py'), existsSync(join(it.tree.root, 'lib/c.py'))]).toEqual([files['a.py'], false]);
});

describe('a commit that was cut off', () => {
  /** The way of a writer that dies after its first file. */
  function cutOff(it: PlanWorld, planId: string): void {
    const changes = Object.entries(files).map(([path, text]) => ({
      kind: 'replace' as const,
      path,
      oldHash: blake3Hex(Buffer.from(text)),
      newBytes: Buffer.from(text.replaceAll('old', 'fresh')),
    }));
    const at = (step: string) => {
      if (step === 'after K7 a.py') throw new Error('killed');
    };
    const { root, stateDir, plans, nowMs, random } = it.world;
    const onReady = () => plans.setStatus(planId, ['open'], 'committing');
    expect(() =>
      applyChanges({ root, stateDir, planId, changes, onReady, nowMs, random, hooks: { ...noHooks, at } }),
    ).toThrow('killed');
    expect([it.read('a.py'), it.read('b.py')]).toEqual(['fresh = 1\nprint(fresh)\n', files['b.py']]);
  }

  test('E2 M22 is taken back before the next one, which then applies it', async () => {
    const it = await open();
    const made = it.plan(spec);
    const request = it.request(made);
    cutOff(it, made.id);
    expect(said(await commitPlan(it.world, request, it.replan))).toBe('ok applied');
    expect(readdirSync(join(it.tree.stateDir, 'state/journal'))).toEqual([]);
  });

  test('E3 with a foreign edit in between it blocks everything until it is decided', async () => {
    const it = await open();
    const made = it.plan(spec);
    const other = it.plan({ ...spec, to: 'another' });
    const request = it.request(other);
    cutOff(it, made.id);
    it.tree.write('b.py', 'theirs\n');
    expect((await commitPlan(it.world, request, it.replan)).outcome).toMatchObject({
      kind: 'blocked',
      reason: 'recovery_conflict',
      plan_id: made.id,
    });
    expect(said(await showPlan(it.world, made.id))).toBe('blocked recovery_conflict');
    expect(said(await undoPlan(it.world, { plan_id: made.id }))).toBe('ok undone');
    expect([it.read('a.py'), it.read('b.py')]).toEqual([files['a.py'], 'theirs\n']);
    expect(it.world.plans.findConflict()).toBeUndefined();
  });

  test('a commit of the plan in conflict finishes what is as it was', async () => {
    const it = await open();
    const made = it.plan(spec);
    const request = it.request(made);
    cutOff(it, made.id);
    it.tree.write('a.py', 'theirs\n');
    const answer = await commitPlan(it.world, request, it.replan);
    expect(answer.outcome).toMatchObject({ kind: 'ok', state: 'applied', result: { files: [{ path: 'b.py' }] } });
    expect([it.read('a.py'), it.read('b.py')]).toEqual(['theirs\n', 'from a import fresh\n']);
    // E9: the index has seen what was written.
    expect(await it.world.session.reconcile('all')).toMatchObject({ written: 0 });
  });
});
