import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchTree } from './watch-tree.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'watch-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('bulky folders and our own are not watched at any depth, folders with similar names are; where the tree lies does not matter', async () => {
  const root = join(base, 'target/node_modules/tree');
  const folders = [
    'node_modules/q',
    'a/node_modules/p',
    'a/target',
    '.codegenie',
    'a/my_node_modules',
    'a/target2',
    'a',
  ];
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  const told = new Set<string>();
  const watcher = await watchTree({
    root,
    onPaths: (paths) => {
      for (const path of paths) told.add(path);
    },
    onState: () => {},
  });
  try {
    for (const folder of folders) writeFileSync(join(root, folder, 'f.txt'), 'x');
    await vi.waitFor(() => expect(told).toContain('a/f.txt'), { timeout: 300_000 });
    // Told together, or before it: they were written before it.
    await vi.waitFor(() => expect(told).toEqual(new Set(['a/f.txt', 'a/my_node_modules/f.txt', 'a/target2/f.txt'])));
  } finally {
    await watcher.close();
  }
});
