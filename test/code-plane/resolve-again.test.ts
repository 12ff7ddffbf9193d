/** R4, R5: imports that a file which came or went concerns are resolved again, and no others. */

import { afterEach, expect, test } from 'vitest';
import { listImportsOfFile } from '../../src/index/store/stored-imports.ts';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import type { IndexProgress } from '../../src/index/sync/reconcile.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';

let tree: IndexedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

test('R4 R5 a file that comes or goes concerns the imports that would lead to it, and a configuration all imports', async () => {
  const others = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`o/f${at}.ts`, `import './f${(at + 1) % 40}';\nimport 'express';\n`]),
  );
  const own = createIndexedTree({
    ...others,
    'c/index.ts': '',
    'one.ts': "import './c';\n",
    'two.ts': "import './c';\nimport './later';\n",
  });
  tree = own;
  const asked: number[] = [];
  const onProgress = ({ step, total }: IndexProgress) => {
    if (step === 'resolving') asked.push(total);
  };
  const opened = await openIndexSession({ ...sessionSettings(own.root, own.stateDir, true), onProgress, waitMs: 0 });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { session } = opened;
  const targets = (path: string) =>
    session.facts.read((read) => listImportsOfFile(read, path).map((row) => row.targets[0] ?? null));
  /** How many files were resolved again after this. */
  const after = async (change: () => void): Promise<number> => {
    asked.length = 0;
    change();
    await session.reconcile('all');
    return asked.at(-1) ?? 0;
  };
  expect(targets('two.ts')).toEqual(['c/index.ts', null]);
  expect(await after(() => own.write('c.ts', ''))).toBe(2);
  expect([targets('one.ts'), targets('two.ts')]).toEqual([['c.ts'], ['c.ts', null]]);
  expect(await after(() => own.write('later.tsx', ''))).toBe(1);
  expect(targets('two.ts')).toEqual(['c.ts', 'later.tsx']);
  expect(await after(() => own.remove('c.ts'))).toBe(2);
  expect(targets('one.ts')).toEqual(['c/index.ts']);
  expect(await after(() => own.write('o/f3.ts', 'export {};\n'))).toBe(0);
  expect(await after(() => own.write('tsconfig.json', '{}'))).toBeGreaterThanOrEqual(42);
  await session.close();
});
