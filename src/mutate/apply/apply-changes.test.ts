import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ApplyRig,
  create,
  createApplyRig,
  hooksAt,
  listDirectories,
  remove,
  replace,
} from '../../../test/support/apply-rig.ts';

function open(files: Readonly<Record<string, string | Uint8Array>>): ApplyRig {
  const rig = createApplyRig(files);
  onTestFinished(() => rig.dispose());
  return rig;
}

/** As many editors save: beside the file, then over it. */
function saveByRename(path: string, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code, syscall: 'rename' });
};

test('E1 replaces, makes, removes and moves, and nothing else', () => {
  const rig = open({ 'a.ts': 'a', 'src/b.ts': 'b', 'c.ts': 'c', 'kept.ts': 'kept' });
  const outcome = rig.commit([
    replace(rig, 'c.ts', 'new c'),
    create('src/deep/er/b.ts', 'new b', 0o755),
    remove(rig, 'src/b.ts'),
    replace(rig, 'a.ts', 'new a'),
  ]);
  expect(outcome).toMatchObject({ kind: 'applied', lateWrites: [], undo: { bytes: 3 } });
  expect(rig.tree()).toEqual({
    'a.ts': '644 new a',
    'c.ts': '644 new c',
    'kept.ts': '644 kept',
    'src/deep/er/b.ts': '755 new b',
  });
  expect(rig.status()).toBe('committed');
});

test('a change that changes nothing is none', () => {
  const rig = open({ 'a.ts': 'a' });
  const { ino } = statSync(join(rig.root, 'a.ts'));
  expect(rig.commit([replace(rig, 'a.ts', 'a')])).toMatchObject({ kind: 'applied', files: [] });
  expect(statSync(join(rig.root, 'a.ts')).ino).toBe(ino);
});

describe('E4 every target is hashed again immediately before its rename', () => {
  const saves: readonly [string, (path: string) => void, string | undefined][] = [
    ['a save by write', (path) => writeFileSync(path, 'mine'), '644 mine'],
    ['a save by rename', (path) => saveByRename(path, 'mine'), '644 mine'],
    ['a save of equal bytes into another file', (path) => saveByRename(path, 'b'), '644 b'],
    ['a change of mode', (path) => chmodSync(path, 0o600), '600 b'],
    ['a removal', (path) => unlinkSync(path), undefined],
  ];
  test.each(saves)('E4 %s before its turn rolls everything back', (_, save, saved) => {
    const rig = open({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
    const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y'), replace(rig, 'c.ts', 'z')];
    const hooks = hooksAt('before K7 b.ts', () => save(join(rig.root, 'b.ts')));
    expect(rig.commit(changes, { hooks })).toEqual({ kind: 'changed', paths: ['b.ts'] });
    expect(rig.tree()).toEqual({ 'a.ts': '644 a', ...(saved === undefined ? {} : { 'b.ts': saved }), 'c.ts': '644 c' });
    expect(rig.leftovers()).toEqual([]);
    expect(rig.status()).toBe('open');
  });

  test('E4 a name that was free is not taken from a file that took it meanwhile', () => {
    const rig = open({ 'a.ts': 'a' });
    const changes = [replace(rig, 'a.ts', 'x'), create('new/b.ts', 'y')];
    const hooks = hooksAt('before K7 new/b.ts', () => rig.write('new/b.ts', 'mine'));
    expect(rig.commit(changes, { hooks })).toEqual({ kind: 'changed', paths: ['new/b.ts'] });
    expect(rig.tree()).toEqual({ 'a.ts': '644 a', 'new/b.ts': '644 mine' });
  });

  test('E4 a file that is to go stays if it was edited', () => {
    const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
    const changes = [replace(rig, 'a.ts', 'x'), remove(rig, 'b.ts')];
    const hooks = hooksAt('before K7 b.ts', () => rig.write('b.ts', 'mine'));
    expect(rig.commit(changes, { hooks })).toEqual({ kind: 'changed', paths: ['b.ts'] });
    expect(rig.tree()).toEqual({ 'a.ts': '644 a', 'b.ts': '644 mine' });
  });
});

test('E3 a way back leaves what was saved over a new file', () => {
  const rig = open({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
  const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y'), replace(rig, 'c.ts', 'z')];
  const hooks = hooksAt('before K9', () => saveByRename(join(rig.root, 'b.ts'), 'mine'));
  expect(rig.commit(changes, { hooks })).toEqual({ kind: 'changed', paths: ['b.ts'] });
  expect(rig.tree()).toEqual({ 'a.ts': '644 a', 'b.ts': '644 mine', 'c.ts': '644 c' });
  expect(rig.leftovers()).toEqual([]);
});

test('E3 an edit in the moment of the way back stays', () => {
  const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
  const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y')];
  const hooks = {
    at(step: string) {
      if (step === 'before K7 b.ts') rig.write('b.ts', 'mine');
      if (step === 'restoring a.ts') rig.write('a.ts', 'mine too');
    },
    pause: () => {},
  };
  expect(rig.commit(changes, { hooks })).toEqual({ kind: 'changed', paths: ['a.ts', 'b.ts'] });
  expect(rig.tree()).toEqual({ 'a.ts': '644 mine too', 'b.ts': '644 mine' });
  expect(rig.leftovers()).toEqual([]);
});

test('E5 no target is replaced before copies, temps and journal are there', () => {
  const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
  const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y')];
  const before = rig.tree();
  const dir = `${rig.stateDir}/state/journal/p-0123456789abcdef`;
  const hooks = hooksAt('before K7', () => {
    expect([readFileSync(`${dir}/backup/0`, 'utf8'), readFileSync(`${dir}/backup/1`, 'utf8')]).toEqual(['a', 'b']);
    expect(readFileSync(`${dir}/log`, 'utf8')).toMatch(/"BEGIN"[^\n]*\n[^\n]*"READY"}\n$/);
    const { '.a.ts.cg-a1b2c3d4e5f60718.tmp': a, '.b.ts.cg-a1b2c3d4e5f60718.tmp': b, ...targets } = rig.tree();
    expect([a, b]).toEqual(['644 x', '644 y']);
    expect(targets).toEqual(before);
    expect(rig.status()).toBe('committing');
  });
  expect(rig.commit(changes, { hooks }).kind).toBe('applied');
  expect(hooks.seen).toContain('before K7');
  const order = [
    'after K3',
    'before K4',
    'after K4',
    'before K5',
    'after K5',
    'before K6',
    'after K6',
    'before K7 a.ts',
  ];
  expect(hooks.seen.filter((step) => order.includes(step))).toEqual(order);
});

describe('E6 what an edit is not about survives', () => {
  test.each([
    ['a BOM', '\ufeffold\n'],
    ['CRLF', 'old\r\nkept\r\n'],
    ['mixed line ends', 'old\r\nkept\n'],
    ['no final newline', 'kept\nold'],
  ])('E6 %s', (_, text) => {
    const rig = open({ 'a.ts': text });
    rig.commit([replace(rig, 'a.ts', text.replace('old', 'renamed'))]);
    expect(rig.read('a.ts').toString()).toBe(text.replace('old', 'renamed'));
  });

  test.each([0o755, 0o640, 0o200, 0o666])('E6 mode %o and its owner', (mode) => {
    const rig = open({ 'a.ts': 'a' });
    const path = join(rig.root, 'a.ts');
    if (process.getuid?.() === 0) chownSync(path, 12345, 23456);
    chmodSync(path, mode);
    const before = statSync(path);
    expect(rig.commit([replace(rig, 'a.ts', 'x')]).kind).toBe('applied');
    const { uid, gid, mode: now } = statSync(path);
    expect({ uid, gid, mode: now }).toEqual({ uid: before.uid, gid: before.gid, mode: before.mode });
  });

  test('E6 a file that moves keeps its owner', () => {
    const rig = open({ 'a.ts': 'a' });
    const owner = process.getuid?.() === 0 ? { uid: 12345, gid: 23456 } : statSync(join(rig.root, 'a.ts'));
    chownSync(join(rig.root, 'a.ts'), owner.uid, owner.gid);
    const { uid, gid } = owner;
    const made = {
      kind: 'create',
      path: 'b.ts',
      newBytes: Buffer.from('b'),
      mode: 0o644,
      owner: { uid, gid },
    } as const;
    expect(rig.commit([remove(rig, 'a.ts'), made]).kind).toBe('applied');
    expect(statSync(join(rig.root, 'b.ts'))).toMatchObject({ uid, gid });
    expect(rig.undo().kind).toBe('undone');
    expect(statSync(join(rig.root, 'a.ts'))).toMatchObject({ uid, gid });
  });

  test('E6 a link stays a link, and shows the new text', () => {
    const rig = open({ 'real.ts': 'a' });
    symlinkSync('real.ts', join(rig.root, 'link.ts'));
    rig.commit([replace(rig, 'real.ts', 'x')]);
    expect(lstatSync(join(rig.root, 'link.ts')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(rig.root, 'link.ts'))).toBe('real.ts');
    expect(rig.read('link.ts').toString()).toBe('x');
  });

  test('a name as long as a name can be', () => {
    const path = `${'ä'.repeat(126)}.ts`;
    const rig = open({ [path]: 'a' });
    expect(rig.commit([replace(rig, path, 'x')]).kind).toBe('applied');
    expect(rig.tree()).toEqual({ [path]: '644 x' });
  });
});

describe('E10 nothing is left behind', () => {
  test('E10 by a commit', () => {
    const rig = open({ 'a.ts': 'a' });
    rig.commit([replace(rig, 'a.ts', 'x'), create('src/b.ts', 'b')]);
    expect(rig.leftovers()).toEqual([]);
    expect(statSync(join(rig.root, 'a.ts')).nlink).toBe(1);
    expect(statSync(join(rig.root, 'src/b.ts')).nlink).toBe(1);
  });

  test.each([
    'after K3',
    'after K4',
    'before K5 b.ts',
    'after K5 c/d/e.ts',
    'during K6',
    'attempt b.ts',
    'before K8',
    'before K10',
  ])('E10 by one that fails at “%s”: all files are old, directories made for it are gone', (step) => {
    const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
    const before = rig.tree();
    const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y'), create('c/d/e.ts', 'e')];
    expect(rig.commit(changes, { hooks: hooksAt(step, failing('EIO')) })).toMatchObject({
      kind: 'refused',
      reason: 'unsafe_volume',
    });
    expect(rig.tree()).toEqual(before);
    expect(listDirectories(rig.root)).toEqual([]);
    expect(rig.leftovers()).toEqual([]);
    expect(rig.status()).toBe('open');
  });

  test('E10 a directory that was used meanwhile stays', () => {
    const rig = open({ 'a.ts': 'a' });
    const hooks = hooksAt('before K7 a.ts', () => {
      rig.write('a.ts', 'mine');
      rig.write('c/note', 'n');
    });
    expect(rig.commit([replace(rig, 'a.ts', 'x'), create('c/d/e.ts', 'e')], { hooks }).kind).toBe('changed');
    expect(rig.tree()).toEqual({ 'a.ts': '644 mine', 'c/note': '644 n' });
    expect(listDirectories(rig.root)).toEqual(['c']);
  });
});

test('late_write: what is written through an old handle is kept and said', () => {
  const rig = open({ 'a.ts': 'a' });
  const handle = openSync(join(rig.root, 'a.ts'), 'r+');
  const hooks = hooksAt('before K9', () => {
    writeSync(handle, 'typed on', 0);
    fsyncSync(handle);
  });
  const outcome = rig.commit([replace(rig, 'a.ts', 'x')], { hooks });
  closeSync(handle);
  if (outcome.kind !== 'applied') throw new Error(outcome.kind);
  expect(outcome.lateWrites.map(({ path }) => path)).toEqual(['a.ts']);
  expect(readFileSync(outcome.lateWrites[0]?.kept ?? '', 'utf8')).toBe('typed on');
  expect(rig.read('a.ts').toString()).toBe('x');
  expect(rig.leftovers()).toEqual([]);
});

test('a rename that fails for a while is tried again, and the target is looked at each time', () => {
  const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
  const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y')];
  let left = 3;
  const waits: number[] = [];
  const hooks = {
    at: (step: string) => {
      if (step === 'attempt b.ts' && left-- > 0) failing('EBUSY')();
    },
    pause: (ms: number) => void waits.push(ms),
  };
  expect(rig.commit(changes, { hooks }).kind).toBe('applied');
  expect(waits).toEqual([10, 20, 40]);
});

test('a rename that keeps failing is given up after two seconds, and rolled back', () => {
  const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
  const changes = [replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y')];
  let waitedMs = 0;
  const hooks = {
    at: (step: string) => {
      if (step === 'attempt b.ts') failing('EBUSY')();
    },
    pause: (ms: number) => {
      waitedMs += ms;
    },
  };
  expect(rig.commit(changes, { hooks })).toMatchObject({ kind: 'refused', reason: 'unsafe_volume' });
  expect(waitedMs).toBeGreaterThanOrEqual(2_000);
  expect(waitedMs).toBeLessThan(2_500);
  expect(rig.tree()).toEqual({ 'a.ts': '644 a', 'b.ts': '644 b' });
});

test('E2 a way back that the disk refuses is gone when it lets us', () => {
  const rig = open({ 'a.ts': 'a', 'b.ts': 'b' });
  const hooks = {
    at(step: string) {
      if (step === 'before K7 b.ts') rig.write('b.ts', 'mine');
      if (step === 'restoring a.ts') failing('ENOSPC')();
    },
    pause: () => {},
  };
  const outcome = rig.commit([replace(rig, 'a.ts', 'x'), replace(rig, 'b.ts', 'y')], { hooks });
  expect(outcome).toMatchObject({ kind: 'refused', reason: 'no_space', paths: ['a.ts'] });
  expect(rig.recover().conflicts).toEqual([]);
  expect(rig.tree()).toEqual({ 'a.ts': '644 a', 'b.ts': '644 mine' });
  expect(rig.leftovers()).toEqual([]);
});

test('a recovery between commit point and end is no harm', () => {
  const rig = open({ 'a.ts': 'a' });
  const hooks = hooksAt('after K12', () => void rig.recover());
  expect(rig.commit([replace(rig, 'a.ts', 'x')], { hooks }).kind).toBe('applied');
  expect(rig.leftovers()).toEqual([]);
  expect(rig.undo().kind).toBe('undone');
});

test('a plan that another commit has is left to it', () => {
  const rig = open({ 'a.ts': 'a' });
  const outcome = rig.apply([replace(rig, 'a.ts', 'x')], { onReady: () => false });
  expect(outcome).toMatchObject({ kind: 'refused', reason: 'plan_used' });
  expect(rig.tree()).toEqual({ 'a.ts': '644 a' });
  expect(rig.leftovers()).toEqual([]);
});
