import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listKeptTrees, openOwnDirs, ownDirsOf, removeKeptTree } from './own-dirs.ts';

let base: string;
let home: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'own-dirs-')));
  home = join(base, 'home');
  root = join(base, 'tree');
  mkdirSync(home);
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const at = (environment: Readonly<Record<string, string>> = {}, of = root) => ({ root: of, home, environment });
const modeOf = (path: string) => lstatSync(path).mode & 0o777;

test('P9 state and cache of a tree lie below the home, private, and nothing is made in the tree', () => {
  const { stateDir, cacheDir } = openOwnDirs(at());
  expect(stateDir).toMatch(new RegExp(`^${home}/\\.local/state/codegenie/trees/tree-[0-9a-f]{16}$`));
  expect(cacheDir).toMatch(new RegExp(`^${home}/\\.cache/codegenie/trees/tree-[0-9a-f]{16}$`));
  for (const path of [stateDir, cacheDir, join(stateDir, '..'), join(cacheDir, '../..')])
    expect(modeOf(path)).toBe(0o700);
  expect(existsSync(join(root, '.codegenie'))).toBe(false);
  expect(openOwnDirs(at())).toEqual({ stateDir, cacheDir });
});

test('the standard variables and our own move them; a relative value of the standard ones is ignored', () => {
  const moved = ownDirsOf(at({ XDG_STATE_HOME: join(base, 's'), XDG_CACHE_HOME: 'relative' }));
  expect(moved.stateDir.startsWith(join(base, 's/codegenie/trees/'))).toBe(true);
  expect(moved.cacheDir.startsWith(join(home, '.cache/'))).toBe(true);
  const one = ownDirsOf(at({ CODEGENIE_STATE_DIR: join(base, 'mine'), XDG_STATE_HOME: join(base, 's') }));
  expect(one.stateDir.startsWith(join(base, 'mine/trees/'))).toBe(true);
  expect(one.cacheDir).toBe(one.stateDir);
  expect(() => ownDirsOf(at({ CODEGENIE_STATE_DIR: 'mine' }))).toThrow('must be an absolute path');
});

test('P9 a choice inside the analysed tree is refused, also through a link and before it exists', () => {
  symlinkSync(root, join(base, 'link'));
  for (const chosen of [root, join(root, 'a/b'), join(base, 'link/state')])
    for (const variable of ['CODEGENIE_STATE_DIR', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'])
      expect(() => ownDirsOf(at({ [variable]: chosen })), chosen).toThrow(`${variable} lies inside the analysed tree`);
  // A home directory may be a work tree itself.
  expect(() => ownDirsOf(at({ XDG_STATE_HOME: join(home, 'state') }, home))).not.toThrow();
  // A neighbour whose name begins alike is another directory.
  expect(() => ownDirsOf(at({ CODEGENIE_STATE_DIR: `${root}-state` }))).not.toThrow();
});

test.each(['.local', '.local/state', '.local/state/codegenie'])(
  'P9 %s of the home as a link into the analysed tree is refused, and of no other tree',
  (link) => {
    mkdirSync(join(home, link, '..'), { recursive: true });
    symlinkSync(root, join(home, link));
    expect(() => ownDirsOf(at())).toThrow('leads into the analysed tree');
    expect(() => ownDirsOf(at({ XDG_STATE_HOME: join(home, '.local/state') }))).toThrow('inside the analysed tree');
    expect(() => ownDirsOf(at({}, join(base, 'another')))).not.toThrow();
    expect(() => ownDirsOf(at({ CODEGENIE_STATE_DIR: join(base, 'mine') }))).not.toThrow();
  },
);

test('P9 directories that others may write to are refused', () => {
  openOwnDirs(at());
  chmodSync(join(home, '.cache/codegenie'), 0o777);
  expect(() => openOwnDirs(at())).toThrow('can be written by other users');
});

test.skipIf(process.getuid?.() !== 0)("P9 another user's directory is refused (needs root)", () => {
  const { stateDir } = openOwnDirs(at());
  chownSync(stateDir, 12_345, 12_345);
  expect(() => openOwnDirs(at())).toThrow('belongs to another user');
});

test('P9 a link in the place of a directory of ours is refused', () => {
  const { cacheDir } = openOwnDirs(at());
  rmSync(cacheDir, { recursive: true });
  symlinkSync(root, cacheDir);
  expect(() => openOwnDirs(at())).toThrow('is a symbolic link');
});

test('where the home is a work tree, git does not see what is kept there', () => {
  execFileSync('git', ['init', '-q', home], { env: { PATH: process.env['PATH'], HOME: base } });
  openOwnDirs(at({}, home));
  const status = execFileSync('git', ['-C', home, 'status', '--porcelain', '-uall'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: base },
  });
  expect(status).toBe('');
});

test('every tree has its own, is listed with its root, and can be removed alone', () => {
  const other = join(base, 'other', 'tree');
  mkdirSync(other, { recursive: true });
  const first = openOwnDirs(at());
  const second = openOwnDirs(at({}, other));
  expect(first.stateDir).not.toBe(second.stateDir);
  const roots = () => listKeptTrees(at()).map(({ root: of }) => of);
  expect(roots().sort()).toEqual([other, root].sort());
  removeKeptTree(first);
  expect(roots()).toEqual([other]);
  expect([existsSync(first.cacheDir), existsSync(second.cacheDir)]).toEqual([false, true]);
});

test('P9 a new tree collects those that are gone: caches after a day, all after thirty, nothing of one that is there', () => {
  const keep = (name: string, days: number, gone: boolean) => {
    const of = join(base, name);
    mkdirSync(of);
    const dirs = openOwnDirs(at({}, of));
    mkdirSync(join(dirs.cacheDir, 'index'));
    mkdirSync(join(dirs.stateDir, 'journal'));
    if (gone) rmSync(of, { recursive: true });
    return { ...dirs, age: () => utimesSync(join(dirs.stateDir, 'tree.json'), ...agoTwice(days)) };
  };
  const kept = [keep('hour', 0.05, true), keep('week', 7, true), keep('month', 31, true), keep('here', 365, false)];
  for (const { age } of kept) age();
  openOwnDirs(at());
  expect(kept.map(({ stateDir }) => existsSync(join(stateDir, 'journal')))).toEqual([true, true, false, true]);
  expect(kept.map(({ cacheDir }) => existsSync(join(cacheDir, 'index')))).toEqual([true, false, false, true]);
});

test('a tree that is used again counts from then', () => {
  const { stateDir } = openOwnDirs(at());
  const note = join(stateDir, 'tree.json');
  utimesSync(note, ...agoTwice(40));
  openOwnDirs(at());
  expect(Date.now() - lstatSync(note).mtimeMs).toBeLessThan(86_400_000);
});

const agoTwice = (days: number): [number, number] => {
  const seconds = Date.now() / 1000 - days * 86_400;
  return [seconds, seconds];
};

test('G29 the note of another tree that is a pipe or a link is not read, and no read waits for it', async () => {
  const own = openOwnDirs(at());
  const others = ['pipe', 'link'].map((name) => {
    const other = join(base, name);
    mkdirSync(other);
    return openOwnDirs(at({}, other));
  });
  const [pipe = '', link = ''] = others.map(({ stateDir }) => join(stateDir, 'tree.json'));
  for (const note of [pipe, link]) rmSync(note);
  execFileSync('mkfifo', [pipe]);
  symlinkSync(join(own.stateDir, 'tree.json'), link);
  // Who would read it is told a root, and does not hang.
  const writer = spawn('sh', ['-c', 'echo \'{"root":"/nowhere"}\' > "$0"', pipe], { stdio: 'ignore' });
  try {
    const roots = listKeptTrees({ home, environment: {} }).map((kept) => kept.root);
    expect(roots.filter((one) => one !== null)).toEqual([root]);
  } finally {
    writer.kill();
  }
});
