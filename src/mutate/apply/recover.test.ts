/** Every row of the recovery table, each with a writer that was stopped at the step that leaves it so. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ApplyRig,
  create,
  createApplyRig,
  listDirectories,
  remove,
  replace,
  rigPlan,
} from '../../../test/support/apply-rig.ts';
import type { FileChange } from '../plans/plan.ts';
import { encodeRecord, journalDir, logPath } from './journal.ts';
import { findConflicts, resolveConflict } from './recover.ts';
import { openSeal } from './seal.ts';

/** The way a killed process goes: no handler runs, nothing is cleaned up. */
class Killed extends Error {}

const old = { 'a.ts': '644 a', 'b.ts': '644 b', 'gone.ts': '644 gone' };
const now = { 'a.ts': '644 x', 'b.ts': '644 y', 'src/new/c.ts': '644 c' };

function changesOf(rig: ApplyRig): FileChange[] {
  return [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y'), remove(rig, 'gone.ts'), create('src/new/c.ts', 'c')];
}

/** A commit that ended at this step. `meanwhile`: what was done at another. */
function stopped(step: string, meanwhile: Readonly<Record<string, (rig: ApplyRig) => void>> = {}): ApplyRig {
  const rig = createApplyRig({ 'a.ts': 'a', 'b.ts': 'b', 'gone.ts': 'gone' });
  onTestFinished(() => rig.dispose());
  let arrived = false;
  const hooks = {
    at(seen: string) {
      meanwhile[seen]?.(rig);
      if (seen !== step) return;
      arrived = true;
      throw new Killed();
    },
    pause: () => {},
  };
  expect(() => rig.commit(changesOf(rig), { hooks })).toThrow(Killed);
  expect(arrived).toBe(true);
  return rig;
}

function expectSettled(rig: ApplyRig, status: string, tree: object): void {
  expect(rig.tree()).toEqual(tree);
  expect(rig.status()).toBe(status);
  expect(rig.leftovers()).toEqual([]);
  expect(rig.recover()).toEqual({ recovered: [], conflicts: [] });
  expect(rig.tree()).toEqual(tree);
}

const log = (rig: ApplyRig): string => logPath(journalDir(rig.stateDir, rigPlan));

describe('the recovery table', () => {
  test('none: the journal dir goes, the plan is open', () => {
    const rig = stopped('after K3');
    rmSync(log(rig));
    rig.recover();
    expectSettled(rig, 'open', old);
  });

  test('torn: a first record that was never finished is none', () => {
    const rig = stopped('after K3');
    writeFileSync(log(rig), readFileSync(log(rig)).subarray(0, 100));
    rig.recover();
    expectSettled(rig, 'open', old);
  });

  test.each(['after K3', 'after K4', 'after K5 b.ts', 'after K5', 'before K6', 'during K6'])(
    'BEGIN, all old (%s): temps and journal go, the plan is open',
    (step) => {
      const rig = stopped(step);
      expect(rig.recover().recovered).toEqual([{ planId: rigPlan, op: 'commit', to: 'open' }]);
      expectSettled(rig, 'open', old);
      expect(listDirectories(rig.root)).toEqual([]);
    },
  );

  test('BEGIN, some other: nothing was touched, and nothing is', () => {
    const rig = stopped('after K5');
    rig.write('a.ts', 'mine');
    expect(rig.recover().conflicts).toEqual([]);
    expectSettled(rig, 'open', { ...old, 'a.ts': '644 mine' });
  });

  test('READY, all old: temps and journal go, the plan is open', () => {
    const rig = stopped('before K7 a.ts');
    expect(rig.recover().recovered).toEqual([{ planId: rigPlan, op: 'commit', to: 'open' }]);
    expectSettled(rig, 'open', old);
  });

  test.each(['after K7', 'after K8', 'before K10'])('READY, all new (%s): done, committed, can be undone', (step) => {
    const rig = stopped(step);
    expect(rig.recover().recovered).toEqual([{ planId: rigPlan, op: 'commit', to: 'committed' }]);
    expectSettled(rig, 'committed', now);
    expect(rig.plans.result(rigPlan)?.files.length).toBe(4);
    expect(rig.undo().kind).toBe('undone');
    expect(rig.tree()).toEqual(old);
    expect(listDirectories(rig.root)).toEqual([]);
  });

  test.each(['after K7 a.ts', 'after K7 b.ts', 'before K7 gone.ts', 'after K7 gone.ts', 'before K7 src/new/c.ts'])(
    'READY, old and new (%s): back to the old ones, the plan is open',
    (step) => {
      const rig = stopped(step);
      expect(rig.recover().recovered).toEqual([{ planId: rigPlan, op: 'commit', to: 'open' }]);
      expectSettled(rig, 'open', old);
      expect(listDirectories(rig.root)).toEqual([]);
    },
  );

  test.each(['before K7 a.ts', 'after K7 a.ts', 'after K7'])(
    'READY, some other (%s): nothing is touched, journal and copies stay',
    (step) => {
      const rig = stopped(step);
      rig.write('b.ts', 'mine');
      const before = rig.tree();
      const { conflicts, recovered } = rig.recover();
      expect(recovered).toEqual([]);
      expect(conflicts).toMatchObject([{ planId: rigPlan, op: 'commit' }]);
      expect(conflicts[0]?.files).toContainEqual({
        path: 'b.ts',
        state: 'other',
        backup: `${journalDir(rig.stateDir, rigPlan)}/backup/1`,
      });
      expect(rig.tree()).toEqual(before);
      expect(rig.status()).toBe('conflict');
      expect(rig.plans.findConflict()).toBe(rigPlan);
      expect(readFileSync(conflicts[0]?.files[1]?.backup ?? '', 'utf8')).toBe('b');
      // Again: the same answer, and still nothing touched.
      expect(rig.recover().conflicts).toEqual(conflicts);
      expect(findConflicts(rig)).toEqual(conflicts);
      expect(rig.tree()).toEqual(before);
    },
  );

  test('READY, some other: putting the file back lets recovery go on', () => {
    const rig = stopped('after K7 a.ts');
    rig.write('b.ts', 'mine');
    rig.recover();
    rig.write('b.ts', 'b');
    expect(rig.recover().conflicts).toEqual([]);
    expectSettled(rig, 'open', old);
  });

  test.each(['after K10', 'before K11', 'after K11', 'before K13', 'during K13', 'before log removed'])(
    'DONE (%s): on at K11, committed, whatever the files hold now',
    (step) => {
      const rig = stopped(step);
      rig.write('b.ts', 'mine');
      expect(rig.recover().recovered).toEqual([{ planId: rigPlan, op: 'commit', to: 'committed' }]);
      expectSettled(rig, 'committed', { ...now, 'b.ts': '644 mine' });
      rig.write('b.ts', 'y');
      expect(rig.undo().kind).toBe('undone');
      expect(rig.tree()).toEqual(old);
    },
  );

  test.each([
    'after ROLLBACK',
    'before restore a.ts',
    'restoring a.ts',
    'after restore a.ts',
    'before discard',
    'during discard',
  ])('ROLLBACK (%s): the way back is finished, the plan is open', (step) => {
    const rig = stopped(step, { 'before K7 gone.ts': (on) => on.write('gone.ts', 'mine') });
    expect(rig.recover().conflicts).toEqual([]);
    expectSettled(rig, 'open', { ...old, 'gone.ts': '644 mine' });
  });
});

describe('E3 nothing that is neither old nor new is overwritten', () => {
  test('E3 a way back whose copy is damaged stops as a conflict', () => {
    const rig = stopped('after K7 a.ts');
    writeFileSync(`${journalDir(rig.stateDir, rigPlan)}/backup/0`, 'damaged');
    const { conflicts } = rig.recover();
    expect(conflicts.length).toBe(1);
    expect(rig.tree()['a.ts']).toBe('644 x');
    expect(findConflicts(rig).length).toBe(1);
    expect(rig.status()).toBe('conflict');
  });

  test('E3 temps are recognised by journal entry, never by name alone', () => {
    const rig = createApplyRig({ '.a.ts.cg-0123456789abcdef.tmp': 'mine' });
    onTestFinished(() => rig.dispose());
    rig.recover();
    expect(rig.tree()).toEqual({ '.a.ts.cg-0123456789abcdef.tmp': '644 mine' });
  });

  test('E3 a journal that came from elsewhere touches nothing outside the root', () => {
    const rig = createApplyRig({ 'a.ts': 'a' });
    onTestFinished(() => rig.dispose());
    const dir = journalDir(rig.stateDir, 'p-1');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(rig.stateDir, 'victim'), 'v');
    const entry = {
      path: '../data/victim',
      old: null,
      new: null,
      oldMode: null,
      newMode: null,
      owner: null,
      temp: '../data/victim',
    };
    const begin = {
      kind: 'BEGIN',
      plan: 'p-1',
      op: 'commit',
      atMs: 0,
      entries: [entry],
      makes: [],
      drops: [],
      trials: [],
    } as const;
    appendFileSync(logPath(dir), encodeRecord(openSeal(rig), 'p-1', { ...begin, notes: [], ledger: null }));
    rig.recover();
    expect(readFileSync(join(rig.stateDir, 'victim'), 'utf8')).toBe('v');
  });

  test('a journal that was damaged after it was written is shown and kept', () => {
    const rig = stopped('after K7 a.ts');
    const bytes = readFileSync(log(rig));
    bytes[50] = 0x21;
    writeFileSync(log(rig), bytes);
    expect(rig.recover().conflicts).toEqual([
      { planId: rigPlan, op: 'unknown', dir: journalDir(rig.stateDir, rigPlan), files: [] },
    ]);
    expect(existsSync(`${journalDir(rig.stateDir, rigPlan)}/backup/0`)).toBe(true);
  });
});

test('a disk that refuses is no crash: nothing else is changed until it lets us', () => {
  const rig = stopped('after K7 a.ts');
  const at = (step: string) => {
    if (step === 'restoring a.ts') throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
  };
  expect(rig.recover({ at, pause: () => {} }).conflicts.length).toBe(1);
  expect(rig.status()).toBe('conflict');
  expect(rig.recover().conflicts).toEqual([]);
  expectSettled(rig, 'open', old);
});

test('a plan that is committing without a journal is open again', () => {
  const rig = createApplyRig({});
  onTestFinished(() => rig.dispose());
  rig.plans.setStatus(rigPlan, ['open'], 'committing');
  rig.recover();
  expect(rig.status()).toBe('open');
});

describe('ways out of a conflict', () => {
  const conflicted = (): ApplyRig => {
    const rig = stopped('after K7 b.ts');
    rig.write('b.ts', 'mine');
    rig.recover();
    return rig;
  };
  const nowMs = () => 0;

  test('E3 undo takes back what is new and leaves the edited file', () => {
    const rig = conflicted();
    const outcome = resolveConflict({ ...rig, nowMs, planId: rigPlan, by: 'undo' });
    expect(outcome).toEqual({ kind: 'resolved', to: 'undone', untouched: ['b.ts'] });
    expectSettled(rig, 'undone', { ...old, 'b.ts': '644 mine' });
  });

  test('E3 commit finishes what is old and leaves the edited file', () => {
    const rig = conflicted();
    const outcome = resolveConflict({ ...rig, nowMs, planId: rigPlan, by: 'commit' });
    expect(outcome).toEqual({ kind: 'resolved', to: 'committed', untouched: ['b.ts'] });
    expectSettled(rig, 'committed', { ...now, 'b.ts': '644 mine' });
    expect(rig.undo()).toMatchObject({ kind: 'refused', reason: 'undo_conflict', paths: ['b.ts'] });
  });

  test('without a conflict there is nothing to settle', () => {
    const rig = createApplyRig({});
    onTestFinished(() => rig.dispose());
    expect(resolveConflict({ ...rig, nowMs, planId: rigPlan, by: 'undo' })).toEqual({ kind: 'no_conflict' });
  });
});
