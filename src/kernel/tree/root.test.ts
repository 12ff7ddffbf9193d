import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRoot, pathInRoot } from './root.ts';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'root-')));
});
afterEach(() => rmSync(place, { recursive: true }));

test('F9: a directory with .git, as a directory or as the file of a linked worktree, is a work tree', () => {
  mkdirSync(join(place, 'main/.git'), { recursive: true });
  mkdirSync(join(place, 'linked'));
  writeFileSync(join(place, 'linked/.git'), 'gitdir: ../main/.git/worktrees/linked\n');
  for (const name of ['main', 'linked']) {
    expect(findRoot(name, place)).toEqual({ kind: 'root', root: join(place, name), isGit: true, enclosing: null });
  }
});

test('F9: a plain directory is a root, and the work tree around it is named', () => {
  mkdirSync(join(place, 'repo/.git'), { recursive: true });
  mkdirSync(join(place, 'repo/a/b'), { recursive: true });
  expect(findRoot('.', join(place, 'repo/a/b'))).toEqual({
    kind: 'root',
    root: join(place, 'repo/a/b'),
    isGit: false,
    enclosing: join(place, 'repo'),
  });
});

test('G2 the root is the real path, and a .git that is a link is not believed', () => {
  mkdirSync(join(place, 'repo'));
  mkdirSync(join(place, 'elsewhere'));
  symlinkSync(join(place, 'elsewhere'), join(place, 'repo/.git'));
  symlinkSync('repo', join(place, 'link'));
  expect(findRoot(join(place, 'link'), '/')).toMatchObject({ root: join(place, 'repo'), isGit: false });
});

test('what is no directory is told apart', () => {
  writeFileSync(join(place, 'file'), '');
  symlinkSync('loop', join(place, 'loop'));
  expect(findRoot('absent', place)).toEqual({ kind: 'missing', path: join(place, 'absent') });
  expect(findRoot('file', place)).toEqual({ kind: 'not_directory', path: join(place, 'file') });
  expect(findRoot('file/x', place)).toEqual({ kind: 'not_directory', path: join(place, 'file/x') });
  expect(findRoot('loop', place)).toEqual({ kind: 'unreadable', path: join(place, 'loop'), errno: 'ELOOP' });
  expect(findRoot('x'.repeat(300), place)).toMatchObject({ kind: 'unreadable', errno: 'ENAMETOOLONG' });
  expect(findRoot('a\0b', place)).toMatchObject({ kind: 'unreadable' });
});

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-path-')));
  mkdirSync(join(base, 'root/src'), { recursive: true });
  symlinkSync('root', join(base, 'way'));
  symlinkSync('/etc/hosts', join(base, 'root/out'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('relative to where one stands, absolute, through a link to the root', () => {
  const root = join(base, 'root');
  expect(pathInRoot(root, join(root, 'src'), 'a.ts')).toBe('src/a.ts');
  expect(pathInRoot(root, join(root, 'src'), '../a.ts')).toBe('a.ts');
  expect(pathInRoot(root, '/', join(root, 'src/a.ts'))).toBe('src/a.ts');
  expect(pathInRoot(root, '/', join(base, 'way/src/a.ts'))).toBe('src/a.ts');
  expect(pathInRoot(root, root, '.')).toBe('');
});

test('a link is a name of its own, wherever it leads; what lies outside has none', () => {
  const root = join(base, 'root');
  expect(pathInRoot(root, root, 'out')).toBe('out');
  expect(pathInRoot(root, root, '../root2/a.ts')).toBeUndefined();
  expect(pathInRoot(root, root, '..')).toBeUndefined();
  expect(pathInRoot(root, root, '..a.ts')).toBe('..a.ts');
});
