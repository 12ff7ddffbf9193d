import { chmodSync, chownSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ApplyRig,
  create,
  createApplyRig,
  hooksAt,
  listDirectories,
  makePlan,
  remove,
  replace,
  rigPlan,
} from '../../../test/support/apply-rig.ts';
import { evictUndo } from './undo.ts';

function committed(): { readonly rig: ApplyRig; readonly before: object } {
  const rig = createApplyRig({ 'a.ts': '\ufeffa\r\n', 'tool.sh': 'old', 'src/gone.ts': 'gone' });
  onTestFinished(() => rig.dispose());
  chmodSync(join(rig.root, 'tool.sh'), 0o755);
  chmodSync(join(rig.root, 'src/gone.ts'), 0o640);
  if (process.getuid?.() === 0) chownSync(join(rig.root, 'src/gone.ts'), 12345, 23456);
  const before = rig.tree();
  const changes = [
    replace(rig, 'a.ts', '\ufeffx\r\n'),
    replace(rig, 'tool.sh', 'new'),
    remove(rig, 'src/gone.ts'),
    create('lib/deep/came.ts', 'came'),
  ];
  expect(rig.commit(changes).kind).toBe('applied');
  return { rig, before };
}

describe('E13 undo restores every byte and mode of the tree before, or changes nothing', () => {
  test('E13 bytes, modes, owners, removed and made files, and the directories made for them', () => {
    const { rig, before } = committed();
    expect(rig.undo()).toMatchObject({ kind: 'undone', lateWrites: [] });
    expect(rig.tree()).toEqual(before);
    expect(listDirectories(rig.root)).toEqual(['src']);
    if (process.getuid?.() === 0) {
      expect(statSync(join(rig.root, 'src/gone.ts'))).toMatchObject({ uid: 12345, gid: 23456 });
    }
    expect(rig.status()).toBe('undone');
    expect(rig.leftovers()).toEqual([]);
    expect(existsSync(`${rig.stateDir}/state/undo/${rigPlan}`)).toBe(false);
    expect(rig.plans.listUndo()).toEqual([]);
  });

  test('E13 directories that nothing is left in go with the last file and come back, those with rights of their own stay', () => {
    const rig = createApplyRig({
      'a/b/c.ts': 'c',
      'a/b/d.ts': 'd',
      'own/e.ts': 'e',
      'full/f.ts': 'f',
      'full/g.ts': 'g',
    });
    onTestFinished(() => rig.dispose());
    chmodSync(join(rig.root, 'own'), 0o700);
    const before = rig.tree();
    const gone = ['a/b/c.ts', 'a/b/d.ts', 'own/e.ts', 'full/f.ts'];
    expect(rig.commit(gone.map((path) => remove(rig, path))).kind).toBe('applied');
    expect(listDirectories(rig.root)).toEqual(['full', 'own']);
    expect(rig.undo().kind).toBe('undone');
    expect(rig.tree()).toEqual(before);
    expect(listDirectories(rig.root)).toEqual(['a', 'a/b', 'full', 'own']);
    expect(statSync(join(rig.root, 'own')).mode & 0o777).toBe(0o700);
    expect(rig.leftovers()).toEqual([]);
  });

  test('E13 a mode that was changed since is as before, too', () => {
    const { rig, before } = committed();
    chmodSync(join(rig.root, 'tool.sh'), 0o700);
    expect(rig.undo().kind).toBe('undone');
    expect(rig.tree()).toEqual(before);
  });

  test.each<[string, string, (rig: ApplyRig) => void]>([
    ['an edited file', 'a.ts', (rig) => rig.write('a.ts', 'mine')],
    ['a removed file', 'a.ts', (rig) => rmSync(join(rig.root, 'a.ts'))],
    ['a file that came back', 'src/gone.ts', (rig) => rig.write('src/gone.ts', 'mine')],
    ['a made file that was edited', 'lib/deep/came.ts', (rig) => rig.write('lib/deep/came.ts', 'mine')],
  ])('E13 undo_conflict: %s', (_, path, edit) => {
    const { rig } = committed();
    edit(rig);
    const before = rig.tree();
    expect(rig.undo()).toMatchObject({ kind: 'refused', reason: 'undo_conflict', paths: [path] });
    expect(rig.tree()).toEqual(before);
    expect(rig.status()).toBe('committed');
    expect(rig.leftovers()).toEqual([]);
  });

  test('E13 an edit in the middle of it rolls it back', () => {
    const { rig } = committed();
    const before = rig.tree();
    const hooks = hooksAt('before K7 tool.sh', () => rig.write('tool.sh', 'mine'));
    expect(rig.undo(hooks)).toMatchObject({ kind: 'refused', reason: 'undo_conflict', paths: ['tool.sh'] });
    expect(rig.tree()).toEqual({ ...before, 'tool.sh': '755 mine' });
    expect(rig.status()).toBe('committed');
    expect(rig.leftovers()).toEqual([]);
  });

  test('E13 a damaged copy is never written', () => {
    const { rig } = committed();
    const before = rig.tree();
    writeFileSync(`${rig.stateDir}/state/undo/${rigPlan}/0`, 'damaged');
    expect(rig.undo()).toMatchObject({ kind: 'refused', reason: 'undo_conflict' });
    expect(rig.tree()).toEqual(before);
  });

  test('a plan is undone once', () => {
    const { rig, before } = committed();
    rig.undo();
    expect(rig.undo()).toMatchObject({ kind: 'refused', detail: expect.stringContaining('no longer kept') });
    expect(rig.tree()).toEqual(before);
  });
});

describe('how long copies are kept', () => {
  const day = 24 * 60 * 60 * 1000;
  const now = 100 * day;

  /** Newest first: age in days, MiB. */
  function kept(commits: readonly (readonly [ageDays: number, mib: number])[]): number[] {
    const rig = createApplyRig({});
    onTestFinished(() => rig.dispose());
    for (const [n, [ageDays, mib]] of commits.entries()) {
      const id = `p-${n}`;
      rig.plans.add(makePlan(id, { createdMs: now - ageDays * day }));
      rig.plans.finish(id, {
        nowMs: now,
        result: { files: [], lateWrites: [], notes: [] },
        selections: [],
        proofJson: '{}',
        decision: null,
        undo: { planId: id, dir: `state/undo/${id}`, bytes: mib * 1024 * 1024, createdMs: now - ageDays * day },
      });
      rig.write(`../data/state/undo/${id}/manifest`, '');
    }
    evictUndo({ ...rig, nowMs: () => now });
    const rows = rig.plans.listUndo().map(({ planId }) => Number(planId.slice(2)));
    expect(commits.flatMap((_, n) => (existsSync(`${rig.stateDir}/state/undo/p-${n}`) ? [n] : []))).toEqual(rows);
    return rows;
  }

  test('the last 20 commits', () => {
    expect(kept(Array.from({ length: 23 }, (_, n) => [n / 1000, 1] as const)).length).toBe(20);
  });

  test('7 days', () => {
    expect(
      kept([
        [1, 1],
        [6.9, 1],
        [7.1, 1],
      ]),
    ).toEqual([0, 1]);
  });

  test('256 MiB', () => {
    expect(
      kept([
        [1, 100],
        [2, 100],
        [3, 100],
        [4, 1],
      ]),
    ).toEqual([0, 1]);
  });

  test('an evicted undo says so', () => {
    const { rig } = committed();
    evictUndo({ ...rig, nowMs: () => 1_700_000_000_000 + 8 * day });
    expect(rig.undo()).toMatchObject({
      kind: 'refused',
      reason: 'undo_conflict',
      detail: expect.stringContaining('7 days'),
    });
  });
});
