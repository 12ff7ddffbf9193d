/**
 * A writer that is killed with SIGKILL at any step, in a process of its own with a real ledger (mutation.md §14.3).
 * E2: recovery gives all old or all new files, or, if one was edited meanwhile, stops. E3: it never overwrites that edit.
 * E10: nothing of ours is left.
 *
 * Some points here; more of them, and some at random, in a soak.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { compiledDirectory } from '../../src/kernel/base/package-files.ts';
import { findConflicts, resolveConflict } from '../../src/mutate/apply/recover.ts';
import { type ApplyRig, createApplyRig, hooksAt, listDirectories, rigPlan, type Tree } from '../support/apply-rig.ts';
import { changesOf, filesOf, type Size, sizes } from '../support/apply-worlds.ts';
import { isSoak, soaked } from '../support/properties.ts';

const child = fileURLToPath(new URL('../support/apply-child.ts', import.meta.url));

const rigs: ApplyRig[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const running of children.splice(0)) running.kill('SIGKILL');
  for (const rig of rigs.splice(0)) rig.dispose();
});

type What = 'commit' | 'rollback' | 'undo' | 'recover' | 'resolve-undo' | 'resolve-commit';
type Ended = { readonly killed: boolean; readonly outcome: { readonly kind?: string }; readonly steps: number };

function open(size: Size): ApplyRig {
  const rig = createApplyRig(filesOf(size));
  rigs.push(rig);
  return rig;
}

function start(
  rig: ApplyRig,
  what: What,
  size: Size,
  n: number | string,
  signal = 'SIGKILL',
): ChildProcess & { ended: Promise<Ended> } {
  const args = ['--disable-warning=ExperimentalWarning', child, what, rig.root, rig.stateDir, size, String(n), signal];
  const running = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The same child a hundred times: most of its life would be the reading of its sources.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiledDirectory },
  });
  children.push(running);
  let printed = '';
  running.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    running.on('close', (code, by) => {
      if (by === 'SIGKILL') resolve({ killed: true, outcome: {}, steps: 0 });
      else if (code === 0) resolve({ killed: false, ...(JSON.parse(printed) as Omit<Ended, 'killed'>) });
      else reject(new Error(`the child ended with ${code ?? by}`));
    });
  });
  return Object.assign(running, { ended });
}

const run = (rig: ApplyRig, what: What, size: Size, n: number | string = 0): Promise<Ended> =>
  start(rig, what, size, n).ended;

/** In this process: for what is not about being killed. */
function commitHere(rig: ApplyRig, size: Size): { readonly steps: number; readonly kind: string } {
  const hooks = hooksAt('', () => {});
  const { kind } = rig.commit(changesOf(size), { hooks });
  return { steps: hooks.seen.length, kind };
}

/** How many steps a commit has in a tree of this size, and the trees before and after it. */
const measured = new Map<Size, { readonly steps: number; readonly old: Tree; readonly now: Tree }>();
function measure(size: Size) {
  const known = measured.get(size);
  if (known !== undefined) return known;
  const rig = open(size);
  const old = rig.tree();
  const { steps, kind } = commitHere(rig, size);
  expect(kind).toBe('applied');
  const world = { steps, old, now: rig.tree() };
  measured.set(size, world);
  return world;
}

/** All, or some that lie as far apart as they can. */
function points(from: number, to: number, wanted: number): number[] {
  const all = Array.from({ length: to - from + 1 }, (_, n) => from + n);
  const count = soaked(wanted);
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, n) => all[Math.round((n * (all.length - 1)) / (count - 1))] as number);
}

/** What was saved between the crash and the restart, in the file that is touched first or in the one that is touched last. */
const mine = 'mine, not yours\n';
const edited: Readonly<Record<Size, readonly string[]>> = {
  '1': ['src/f00.ts'],
  '2': ['src/f00.ts'],
  '50': ['src/f00.ts', 'src/f47.ts'],
};

/** Either all old or all new, and the plan says which. */
function expectWhole(
  rig: ApplyRig,
  { old, now }: { readonly old: Tree; readonly now: Tree },
  done: 'committed' | 'undone' = 'committed',
): void {
  const tree = rig.tree();
  const status = rig.status();
  const isNew = status === 'committed';
  expect(['open', done === 'undone' ? 'undone' : 'committed', 'committed']).toContain(status);
  expect(tree).toEqual(isNew ? now : old);
  expect(listDirectories(rig.root)).toEqual(
    isNew && Object.keys(now).length > 1 ? ['src', 'src/new', 'src/new/deep'] : ['src'],
  );
  expect(rig.leftovers()).toEqual([]);
  expect(rig.plans.listUndo().length).toBe(isNew ? 1 : 0);
  expect(rig.recover()).toEqual({ recovered: [], conflicts: [] });
}

/** Hundreds of trees and ledgers at once would be too many. */
async function withRig(size: Size, act: (rig: ApplyRig) => Promise<void>): Promise<void> {
  const rig = open(size);
  await act(rig);
  rigs.splice(rigs.indexOf(rig), 1);
  rig.dispose();
}

async function killCommit(rig: ApplyRig, size: Size, n: number): Promise<void> {
  const world = measure(size);
  expect((await run(rig, 'commit', size, n)).killed).toBe(true);
  expect(rig.recover().conflicts).toEqual([]);
  expectWhole(rig, world);
  if (rig.status() === 'committed') {
    expect(rig.undo().kind).toBe('undone');
    expect(rig.tree()).toEqual(world.old);
  } else {
    // The plan is open and works.
    expect(commitHere(rig, size).kind).toBe('applied');
    expect(rig.tree()).toEqual(world.now);
  }
}

async function killThenEdit(rig: ApplyRig, size: Size, n: number, path: string, by: 'undo' | 'commit'): Promise<void> {
  const world = measure(size);
  expect((await run(rig, 'commit', size, n)).killed).toBe(true);
  rig.write(path, mine);
  const before = rig.tree();
  const { conflicts } = rig.recover();
  const others = (tree: Tree) => Object.fromEntries(Object.entries(tree).filter(([name]) => name !== path));
  expect(rig.tree()[path]).toContain(mine);
  if (conflicts.length === 0) {
    expect(others(rig.tree())).toEqual(others(rig.status() === 'committed' ? world.now : world.old));
    expect(rig.leftovers()).toEqual([]);
    return;
  }
  expect(rig.tree()).toEqual(before);
  expect(rig.status()).toBe('conflict');
  expect(findConflicts(rig)).toEqual(conflicts);
  const settled = resolveConflict({ ...rig, nowMs: () => 0, planId: rigPlan, by });
  expect(settled).toMatchObject({ kind: 'resolved', untouched: [path] });
  expect(rig.tree()[path]).toContain(mine);
  expect(others(rig.tree())).toEqual(others(by === 'commit' ? world.now : world.old));
  expect(rig.leftovers()).toEqual([]);
  expect(rig.recover()).toEqual({ recovered: [], conflicts: [] });
}

/** Two at a time: the machine has other things to do. */
async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  await Promise.all([work(), work()]);
}

describe.each(sizes)('a commit of %s files', (size) => {
  const share: Readonly<Record<Size, number>> = { '1': 6, '2': 12, '50': 5 };

  test('E2, E10 killed at any step: all old or all new', async () => {
    const { steps } = measure(size);
    await each(points(1, steps, share[size]), (n) => withRig(size, (rig) => killCommit(rig, size, n)));
  });

  test('E2, E3 killed at any step, and a file is edited before the restart: the edit stays', async () => {
    const { steps } = measure(size);
    const cases = points(1, steps, share[size] - 2).flatMap((n) => edited[size].map((path) => ({ n, path })));
    await each(cases.slice(0, soaked(share[size])), ({ n, path }) =>
      withRig(size, (rig) => killThenEdit(rig, size, n, path, n % 2 === 0 ? 'undo' : 'commit')),
    );
  });
});

describe('recovery', () => {
  /** Half of the files new: the restart has files to restore. */
  const middle = 'after K7 src/f00.ts';

  test('E2 killed at any step, twice, and then left alone', async () => {
    const world = measure('2');
    const rig = open('2');
    await run(rig, 'commit', '2', middle);
    const { steps } = await run(rig, 'recover', '2');
    await each(points(1, steps, 4), async (first) => {
      const again = open('2');
      expect((await run(again, 'commit', '2', middle)).killed).toBe(true);
      expect((await run(again, 'recover', '2', first)).killed).toBe(true);
      const second = await run(again, 'recover', '2', 1 + (first % 3));
      again.recover();
      expectWhole(again, world);
      expect(again.status()).toBe('open');
      expect(second.killed || second.outcome !== undefined).toBe(true);
    });
  });

  test('E2 killed on the way forward', async () => {
    const world = measure('2');
    const rig = open('2');
    await run(rig, 'commit', '2', 'before K10');
    const { steps } = await run(rig, 'recover', '2');
    await each(points(1, steps, 4), async (n) => {
      const again = open('2');
      await run(again, 'commit', '2', 'before K10');
      expect((await run(again, 'recover', '2', n)).killed).toBe(true);
      again.recover();
      expectWhole(again, world);
      expect(again.status()).toBe('committed');
    });
  });

  test('E2, E3 a way out of a conflict that is killed is gone on with', async () => {
    const world = measure('2');
    await each(['resolve-undo', 'resolve-commit'] as const, async (how) => {
      const prepare = async () => {
        const rig = open('2');
        await run(rig, 'commit', '2', middle);
        rig.write('src/f00.ts', mine);
        expect(rig.recover().conflicts.length).toBe(1);
        return rig;
      };
      const { steps } = await run(await prepare(), how, '2');
      for (const n of points(1, steps, 3)) {
        const rig = await prepare();
        expect((await run(rig, how, '2', n)).killed).toBe(true);
        expect(rig.recover().conflicts).toEqual([]);
        const { 'src/f00.ts': kept, ...others } = rig.tree();
        expect(kept).toContain(mine);
        const { 'src/f00.ts': _, ...wanted } = how === 'resolve-undo' ? world.old : world.now;
        expect(others).toEqual(wanted);
        expect(rig.status()).toBe(how === 'resolve-undo' ? 'undone' : 'committed');
        expect(rig.leftovers()).toEqual([]);
      }
    });
  });
});

test('E2, E3, E10 a way back that is killed at any step is finished', async () => {
  const { old } = measure('2');
  const expected = { ...old, 'src/f01.ts': `644 ${mine}` };
  const whole = open('2');
  const { steps, outcome } = await run(whole, 'rollback', '2');
  expect(outcome).toEqual({ kind: 'changed', paths: ['src/f01.ts'] });
  expect(whole.tree()).toEqual(expected);
  const hooks = hooksAt('', () => {});
  open('2').commit(changesOf('2'), { hooks });
  // From READY to the edit nothing has begun; there recovery finds an edit and stops.
  const first = hooks.seen.indexOf('before K7 src/f01.ts') + 3;
  await each(points(first, steps, 6), async (n) => {
    const rig = open('2');
    expect((await run(rig, 'rollback', '2', n)).killed).toBe(true);
    const { conflicts } = rig.recover();
    if (conflicts.length > 0) {
      // Before the record that says that there is a way back.
      expect(n).toBeLessThanOrEqual(first + 1);
      expect(resolveConflict({ ...rig, nowMs: () => 0, planId: rigPlan, by: 'undo' }).kind).toBe('resolved');
    } else expect(rig.status()).toBe('open');
    expect(rig.tree()).toEqual(expected);
    expect(rig.leftovers()).toEqual([]);
  });
});

describe('undo', () => {
  test('E13, E2 killed at any step: undone or not begun', async () => {
    const world = measure('2');
    const rig = open('2');
    commitHere(rig, '2');
    const { steps } = await run(rig, 'undo', '2');
    await each(points(1, steps, 8), async (n) => {
      const again = open('2');
      commitHere(again, '2');
      expect((await run(again, 'undo', '2', n)).killed).toBe(true);
      expect(again.recover().conflicts).toEqual([]);
      expectWhole(again, world, 'undone');
      if (again.status() === 'committed') expect(again.undo().kind).toBe('undone');
      expect(again.tree()).toEqual(world.old);
    });
  });

  test('E3 killed in the middle of it, and a file is edited: the edit stays', async () => {
    const world = measure('2');
    const rig = open('2');
    commitHere(rig, '2');
    expect((await run(rig, 'undo', '2', 'after K7 src/f00.ts')).killed).toBe(true);
    rig.write('src/f00.ts', mine);
    expect(rig.recover().conflicts).toMatchObject([{ op: 'undo' }]);
    expect((await run(rig, 'resolve-undo', '2')).outcome.kind).toBe('resolved');
    expect(rig.tree()).toEqual({ ...world.old, 'src/f00.ts': `644 ${mine}` });
    expect(rig.status()).toBe('undone');
    expect(rig.leftovers()).toEqual([]);
  });
});

describe('another program at work while the writer is stopped', () => {
  /** Stopped by SIGSTOP behind the first rename; goes on when `meanwhile` is done. */
  async function stopAt(step: string, meanwhile: (rig: ApplyRig) => void, before: (rig: ApplyRig) => void = () => {}) {
    const world = measure('2');
    const rig = open('2');
    before(rig);
    const running = start(rig, 'commit', '2', step, 'SIGSTOP');
    await isStopped(running);
    meanwhile(rig);
    running.kill('SIGCONT');
    return { rig, world, ...(await running.ended) };
  }

  const saveByRename = (path: string) => {
    writeFileSync(`${path}~`, mine);
    renameSync(`${path}~`, path);
  };
  const saves: readonly [string, (path: string) => void][] = [
    ['write', (path) => writeFileSync(path, mine)],
    ['rename', saveByRename],
  ];

  test.each(saves)(
    'E4 a save by %s of a file whose turn comes: nothing is changed, the save stays',
    async (_, save) => {
      const { rig, world, outcome } = await stopAt('after K7 src/f00.ts', (on) => save(join(on.root, 'src/f01.ts')));
      expect(outcome).toEqual({ kind: 'changed', paths: ['src/f01.ts'] });
      expect(rig.tree()).toEqual({ ...world.old, 'src/f01.ts': `644 ${mine}` });
      expect(rig.leftovers()).toEqual([]);
    },
  );

  test.each(saves)('E3 a save by %s of a file whose turn has been: it stays, the others are old', async (_, save) => {
    const { rig, world, outcome } = await stopAt('after K7 src/f00.ts', (on) => save(join(on.root, 'src/f00.ts')));
    expect(outcome).toEqual({ kind: 'changed', paths: ['src/f00.ts'] });
    expect(rig.tree()).toEqual({ ...world.old, 'src/f00.ts': `644 ${mine}` });
    expect(rig.leftovers()).toEqual([]);
  });

  test('a write through a handle from before is kept beside', async () => {
    let handle = 0;
    const { rig, world, outcome } = await stopAt(
      'after K7 src/f00.ts',
      () => {
        writeSync(handle, mine, 0);
        closeSync(handle);
      },
      (on) => {
        handle = openSync(join(on.root, 'src/f00.ts'), 'r+');
      },
    );
    expect(outcome.kind).toBe('applied');
    const [late] = (outcome as unknown as { lateWrites: { path: string; kept: string }[] }).lateWrites;
    expect(late?.path).toBe('src/f00.ts');
    expect(readFileSync(late?.kept ?? '', 'utf8')).toContain(mine);
    expect(rig.tree()).toEqual(world.now);
    expect(rig.leftovers()).toEqual([]);
  });
});

test('ten processes that commit one plan: one does, and each answer says so', async () => {
  const world = measure('2');
  const rig = open('2');
  const ended = await Promise.all(Array.from({ length: 10 }, () => run(rig, 'commit', '2')));
  expect(ended.map(({ outcome }) => outcome.kind).sort()).toEqual([
    'applied',
    ...Array.from({ length: 9 }, () => 'refused'),
  ]);
  expectWhole(rig, world);
  expect(rig.status()).toBe('committed');
});

test.runIf(isSoak)('E2, E3, E10 killed at random, with and without edits', async () => {
  await each(
    Array.from({ length: soaked(10) }, (_, n) => n),
    async () => {
      const size = sizes[Math.floor(Math.random() * sizes.length)] ?? '1';
      const { steps } = measure(size);
      const n = 1 + Math.floor(Math.random() * steps);
      const [path = ''] = edited[size];
      const by = [undefined, 'undo', 'commit'][Math.floor(Math.random() * 3)] as 'undo' | 'commit' | undefined;
      try {
        await withRig(size, (rig) =>
          by === undefined ? killCommit(rig, size, n) : killThenEdit(rig, size, n, path, by),
        );
      } catch (error) {
        throw new Error(`${size} files, killed at step ${n}, settled by ${by}`, { cause: error });
      }
    },
  );
});

/** Linux says so in the third field of its line about a process. */
async function isStopped({ pid }: ChildProcess): Promise<void> {
  while (!/^\d+ \(.*\) T/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
