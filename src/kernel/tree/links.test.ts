import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScratchTree, type ScratchTree } from '../../../test/support/scratch-tree.ts';
import { linkStaysInside, resolveLink } from './links.ts';

let tree: ScratchTree;
beforeEach(() => {
  tree = createScratchTree();
});
afterEach(() => tree.dispose());

const link = (target: string, path = 'link') => {
  symlinkSync(target, join(tree.root, path));
  return resolveLink(tree.root, path);
};

test('F6 a link to a file, to a link, through a linked folder, with dots and absolute, ends at the file itself', () => {
  tree.write('dir/real.ts');
  symlinkSync('dir', join(tree.root, 'folder'));
  expect(link('dir/real.ts', 'a')).toEqual({ kind: 'file', path: 'dir/real.ts' });
  expect(link('a', 'b')).toEqual({ kind: 'file', path: 'dir/real.ts' });
  expect(link('folder/../dir/./real.ts', 'c')).toEqual({ kind: 'file', path: 'dir/real.ts' });
  expect(link(join(tree.root, 'folder/real.ts'), 'd')).toEqual({ kind: 'file', path: 'dir/real.ts' });
  expect(link('../root/dir/real.ts', 'e')).toEqual({ kind: 'file', path: 'dir/real.ts' });
});

test('F5 everything else has its reason', () => {
  tree.write('dir/x');
  tree.write('.codegenie/own');
  tree.write('vendored/.git/config');
  writeFileSync(join(tree.place, 'outside'), '');
  mkdirSync(`${tree.root}-twin`);
  writeFileSync(`${tree.root}-twin/x`, '');
  const kinds = {
    dir: 'directory',
    '.': 'directory',
    '..': 'outside_root',
    '../outside': 'outside_root',
    '../root-twin/x': 'outside_root',
    '/etc/passwd': 'outside_root',
    '.git/HEAD': 'forbidden',
    '.git': 'forbidden',
    'vendored/.git/config': 'forbidden',
    '.codegenie/own': 'forbidden',
    nowhere: 'dangling',
    'dir/x/below-a-file': 'dangling',
    ['n'.repeat(300)]: 'dangling',
  };
  for (const [at, [target, kind]] of Object.entries(kinds).entries())
    expect(link(target, `l${at}`), target).toEqual({ kind });
});

test('loops end', () => {
  symlinkSync('b', join(tree.root, 'a'));
  expect(link('a', 'b')).toEqual({ kind: 'loop' });
  expect(link('self', 'self')).toEqual({ kind: 'loop' });
  expect(link('./in/deeper', 'in')).toEqual({ kind: 'loop' });
});

test('what stands behind a link is asked anew', () => {
  tree.write('one');
  expect(link('one')).toEqual({ kind: 'file', path: 'one' });
  renameSync(join(tree.root, 'one'), join(tree.root, 'two'));
  expect(resolveLink(tree.root, 'link')).toEqual({ kind: 'dangling' });
});

test.each([
  ['a file of the repository', 'src/a.ts', true],
  ['a file outside', '/etc/passwd', false],
  ['a directory', 'src', false],
  ["git's own data", '.git/config', false],
  ['data of a git further down', 'vendored/.git/config', false],
  ['nothing', 'src/gone.ts', false],
  ['itself', 'link', false],
  ['the root', '.', false],
])('G2 a link to %s', (_, target, inside) => {
  tree.write('src/a.ts');
  tree.write('vendored/.git/config');
  symlinkSync(target, join(tree.root, 'link'));
  expect(linkStaysInside(tree.root, 'link')).toBe(inside);
});

test('G2 a link that leaves and comes back through another link is where it ends', () => {
  tree.write('src/a.ts');
  symlinkSync('src/a.ts', join(tree.root, 'one'));
  symlinkSync(`../${tree.root.slice(tree.root.lastIndexOf('/') + 1)}/one`, join(tree.root, 'two'));
  expect(linkStaysInside(tree.root, 'two')).toBe(true);
});
