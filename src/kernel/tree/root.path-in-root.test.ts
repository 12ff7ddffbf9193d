import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pathInRoot } from './root.ts';

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
