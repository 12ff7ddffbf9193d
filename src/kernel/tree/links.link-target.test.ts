import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkStaysInside } from './links.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'link-target-')));
  mkdirSync(join(root, 'src'));
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, 'src/a.ts'), '');
  writeFileSync(join(root, '.git/config'), '');
});
afterEach(() => rmSync(root, { recursive: true }));

test.each([
  ['a file of the repository', 'src/a.ts', true],
  ['a file outside', '/etc/passwd', false],
  ['a directory', 'src', false],
  ["git's own data", '.git/config', false],
  ['nothing', 'src/gone.ts', false],
  ['itself', 'link', false],
  ['the root', '.', false],
])('2: a link to %s', (_, target, inside) => {
  symlinkSync(target, join(root, 'link'));
  expect(linkStaysInside(root, 'link')).toBe(inside);
});

test('2: a link that leaves and comes back through another link is where it ends', () => {
  symlinkSync('src/a.ts', join(root, 'one'));
  symlinkSync(`../${root.slice(root.lastIndexOf('/') + 1)}/one`, join(root, 'two'));
  expect(linkStaysInside(root, 'two')).toBe(true);
});
