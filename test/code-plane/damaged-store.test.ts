/** A store that is damaged underneath is derived data: it is noticed, given up and built anew, and no answer calls it a bug. */

import { closeSync, openSync, readdirSync, statSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';

let tree: IndexedTree | undefined;
afterEach(() => tree?.dispose());

test('P10 whichever page is overwritten, the next sessions repair it', async () => {
  const files: Record<string, string> = {};
  for (let index = 0; index < 60; index += 1) files[`f${index}.py`] = `def f${index}(): pass\n`.repeat(40);
  tree = createIndexedTree(files);
  const clean = await tree.dump();
  for (const page of [2, 5, 9, 14, 20, 30]) {
    await tree.closeSession();
    const directory = join(tree.stateDir, 'index');
    const name = readdirSync(directory).find((entry) => entry.endsWith('.db')) as string;
    const size = 4096;
    if (statSync(join(directory, name)).size < (page + 1) * size) continue;
    const descriptor = openSync(join(directory, name), 'r+');
    writeSync(descriptor, Buffer.alloc(size, 0xa5), 0, size, page * size);
    closeSync(descriptor);
    let repaired = '';
    // A page that only questions read is found by the question; the command after it repairs.
    for (let attempt = 0; attempt < 2 && repaired !== clean; attempt += 1) {
      try {
        repaired = await tree.dump();
      } catch {
        await tree.forgetStore();
      }
    }
    expect(repaired === clean, `page ${page}`).toBe(true);
  }
});

test('R9 an unchanged tree keeps its generation, even if a file claims to be of the future', async () => {
  tree = createIndexedTree({ 'a.py': 'x = 1\n' });
  utimesSync(join(tree.root, 'a.py'), 4_000_000_000, 4_000_000_000);
  const session = await tree.session();
  const before = (await session.reconcile('all')).generation;
  expect((await session.reconcile('all')).generation).toBe(before);
});
