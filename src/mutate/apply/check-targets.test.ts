import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ApplyRig, create, createApplyRig, hooksAt, replace } from '../../../test/support/apply-rig.ts';
import { refuseTargets } from './check-targets.ts';

function open(files: Readonly<Record<string, string | Uint8Array>>): ApplyRig {
  const rig = createApplyRig(files);
  onTestFinished(() => rig.dispose());
  return rig;
}

/** Nothing was written, also not to the file that could have been changed. */
function expectUntouched(rig: ApplyRig, act: () => unknown, outcome: object): void {
  const before = rig.tree();
  expect(act()).toMatchObject(outcome);
  expect(rig.tree()).toEqual(before);
  expect(rig.leftovers()).toEqual([]);
  expect(rig.status()).toBe('open');
}

describe('E8 refused before any file is touched', () => {
  test.each<[string, string, Buffer]>([
    ['encoding', 'bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x0a])],
    ['encoding', 'UTF-16', Buffer.from('\ufeffa', 'utf16le')],
    ['encoding', 'a NUL', Buffer.from('a\0b')],
    ['odd_lines', 'a carriage return of its own', Buffer.from('a\rb\n')],
    ['odd_lines', 'a line separator', Buffer.from('a\u2028b\n')],
    ['conflicted', 'merge marks', Buffer.from('x\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n')],
  ])('E8 %s: %s', (reason, _, content) => {
    const rig = open({ 'a.ts': 'a', 'b.ts': content });
    expectUntouched(rig, () => rig.commit([replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y')]), {
      kind: 'refused',
      reason,
      paths: ['b.ts'],
    });
  });

  test('E8 conflicted: a file that git has in conflict, also without marks', () => {
    const rig = open({ 'a.ts': 'a' });
    const conflicted = new Set(['a.ts']);
    expectUntouched(rig, () => rig.commit([replace(rig, 'a.ts', 'x')], { conflicted }), { reason: 'conflicted' });
  });

  test('text that merely speaks of merge marks is no conflict', () => {
    const rig = open({ 'a.md': 'Marks like <<<<<<< HEAD, ======= and >>>>>>> x are left by git.\n=======\n' });
    expect(rig.commit([replace(rig, 'a.md', 'x')]).kind).toBe('applied');
  });

  test('E8 read_only: no write bit on the file, also for root', () => {
    const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
    chmodSync(join(rig.root, 'b.ts'), 0o444);
    expectUntouched(rig, () => rig.commit([replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y')]), {
      reason: 'read_only',
      paths: ['b.ts'],
    });
  });

  test('E8 read_only: no write bit on the directory, also for a file to be made in it', () => {
    const rig = open({ 'a.ts': 'a', 'src/b.ts': 'b' });
    chmodSync(join(rig.root, 'src'), 0o555);
    const change = [replace(rig, 'a.ts', 'x'), create('src/new/c.ts', 'c')];
    expectUntouched(rig, () => rig.commit(change), { reason: 'read_only', paths: ['src/new/c.ts'] });
    expectUntouched(rig, () => rig.commit([replace(rig, 'src/b.ts', 'y')]), { reason: 'read_only' });
  });

  test.each([':b.ts', '...', 'src/git~1', ' '])(
    'E8 read_only: %j, which some volumes take for another name',
    (path) => {
      const rig = open({ 'a.ts': 'a', [path]: 'b' });
      const said = { reason: 'read_only', paths: [path] };
      expect(refuseTargets({ root: rig.root, paths: ['a.ts', path] })).toMatchObject(said);
      expectUntouched(rig, () => rig.commit([replace(rig, 'a.ts', 'x'), replace(rig, path, 'y')]), said);
    },
  );

  test('E8 hard_linked: another name of the file in scope', () => {
    const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
    linkSync(join(rig.root, 'b.ts'), join(rig.root, 'c.ts'));
    const listScope = () => ['a.ts', 'b.ts', 'c.ts'];
    expectUntouched(rig, () => rig.commit([replace(rig, 'b.ts', 'y')], { listScope }), {
      reason: 'hard_linked',
      paths: ['b.ts', 'c.ts'],
    });
    expectUntouched(rig, () => rig.commit([replace(rig, 'b.ts', 'y')]), { reason: 'hard_linked', paths: ['b.ts'] });
  });

  test('a name outside the scope keeps the old text, which is noted', () => {
    const rig = open({ 'a.ts': 'a' });
    linkSync(join(rig.root, 'a.ts'), join(rig.stateDir, 'elsewhere'));
    const outcome = rig.commit([replace(rig, 'a.ts', 'x')], { listScope: () => ['a.ts'] });
    expect(outcome).toMatchObject({ kind: 'applied', notes: [expect.stringContaining('a.ts has another name')] });
  });
});

describe('what is not what the plan was made for', () => {
  test.each<[string, (path: string) => void]>([
    ['other bytes', (path) => writeFileSync(path, 'edited')],
    ['nothing', (path) => unlinkSync(path)],
    [
      'a directory',
      (path) => {
        unlinkSync(path);
        mkdirSync(path);
      },
    ],
    [
      'a link to the same bytes',
      (path) => {
        renameSync(path, `${path}.x`);
        symlinkSync(`${path}.x`, path);
      },
    ],
  ])('files_changed: %s', (_, change) => {
    const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
    const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y')];
    change(join(rig.root, 'b.ts'));
    expectUntouched(rig, () => rig.commit(changes), { kind: 'changed', paths: ['b.ts'] });
  });

  test('files_changed: a directory on the way became a link', () => {
    const rig = open({ 'src/a.ts': 'a', 'other/a.ts': 'a' });
    const changes = [replace(rig, 'src/a.ts', 'x')];
    rmSync(join(rig.root, 'src'), { recursive: true });
    symlinkSync('other', join(rig.root, 'src'));
    expect(rig.commit(changes)).toEqual({ kind: 'changed', paths: ['src/a.ts'] });
    expect(rig.read('other/a.ts').toString()).toBe('a');
  });

  test.each(['../x.ts', '.git/config', 'a/../../x.ts'])('nothing is made at %s', (path) => {
    const rig = open({ 'a.ts': 'a' });
    expectUntouched(rig, () => rig.commit([create(path, 'x')]), {
      kind: 'refused',
      reason: 'read_only',
      paths: [path],
    });
  });

  test('files_changed: a file is where one is to be made, or where its directory would be', () => {
    const rig = open({ 'a.ts': 'a', src: 'no directory' });
    expectUntouched(rig, () => rig.commit([create('a.ts', 'x')]), { kind: 'changed', paths: ['a.ts'] });
    expectUntouched(rig, () => rig.commit([create('src/b.ts', 'x')]), { kind: 'changed', paths: ['src/b.ts'] });
  });
});

describe('volumes', () => {
  const mount = mkdtempSync(join(tmpdir(), 'volume-'));
  const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', mount]).status === 0;
  if (canMount) spawnSync('umount', [mount]);
  rmSync(mount, { recursive: true });

  /** The tree lies on a volume of 256 KiB; the data dir does not. */
  function onSmallVolume(act: (rig: ApplyRig, remount: (how: string) => void) => void): void {
    const root = mkdtempSync(join(tmpdir(), 'volume-'));
    const run = (...command: [string, ...string[]]) => {
      const [name, ...args] = command;
      const done = spawnSync(name, args, { encoding: 'utf8' });
      if (done.status !== 0) throw new Error(done.stderr);
    };
    run('mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', root);
    try {
      const rig = createApplyRig({ 'a.ts': 'a', 'b.ts': 'b' }, { root });
      onTestFinished(() => rig.dispose());
      act(rig, (how) => run('mount', '-o', `remount,${how}`, root));
    } finally {
      run('umount', root);
      rmSync(root, { recursive: true });
    }
  }

  test.runIf(canMount)('no_space: less than twice the bytes are free', () => {
    onSmallVolume((rig) => {
      const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y'.repeat(200_000))];
      expectUntouched(rig, () => rig.commit(changes), { kind: 'refused', reason: 'no_space' });
    });
  });

  test.runIf(canMount)('no_space: a disk that fills up while the new files are written', () => {
    onSmallVolume((rig) => {
      const changes = [replace(rig, 'a.ts', 'x'.repeat(50_000)), replace(rig, 'b.ts', 'y'.repeat(50_000))];
      const hooks = hooksAt('before K5 b.ts', () => {
        try {
          writeFileSync(join(rig.root, 'filler'), Buffer.alloc(300_000));
        } catch {
          // Full.
        }
      });
      const outcome = rig.commit(changes, { hooks });
      expect(outcome).toMatchObject({ kind: 'refused', reason: 'no_space' });
      unlinkSync(join(rig.root, 'filler'));
      expect(rig.tree()).toEqual({ 'a.ts': '644 a', 'b.ts': '644 b' });
      expect(rig.leftovers()).toEqual([]);
    });
  });

  test.runIf(canMount)('E8 read_only: a volume that is mounted read-only', () => {
    onSmallVolume((rig, remount) => {
      const changes = [replace(rig, 'a.ts', 'x')];
      remount('ro');
      expectUntouched(rig, () => rig.commit(changes), { kind: 'refused', reason: 'read_only' });
    });
  });

  test('unsafe_volume: a trial file that cannot be flushed', () => {
    const rig = open({ 'a.ts': 'a' });
    const hooks = hooksAt('trial', () => {
      throw Object.assign(new Error('fsync'), { code: 'EINVAL', syscall: 'fsync' });
    });
    expectUntouched(rig, () => rig.commit([replace(rig, 'a.ts', 'x')], { hooks }), { reason: 'unsafe_volume' });
  });
});
