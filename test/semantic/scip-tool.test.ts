/** The `.scip` that a gather gives away, by either indexer, as the format's own tool sees it. */

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { hasTool } from '../support/tools.ts';
import { writeIndexOf } from '../support/written-index.ts';

const files = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"target":"esnext"},"include":["src"]}',
  'src/price.ts':
    'export type Price = { readonly cents: number };\nexport const free: Price = { cents: 0 };\n' +
    'export class Plain { show(): string { return String(free.cents); } }\n' +
    'export class Fancy extends Plain { override show(): string { return super.show() + "*"; } }\n',
  'src/cart.ts':
    "import { Fancy, free, type Price } from './price';\nexport const total = (all: Price[]): Price => all[0] ?? free;\n" +
    'const { cents } = total([]);\nconsole.log(Math.max(cents, 1), new Fancy().show());\nexport default cents;\n',
};

let tree: IndexedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

async function makeIndex(
  indexer: 'scip-typescript' | 'tsgo',
): Promise<{ readonly path: string; readonly root: string }> {
  tree = createIndexedTree(files);
  const { root } = tree;
  const made = await writeIndexOf(tree, { store: 'own', configs: ['tsconfig.json'], indexer });
  expect(made).toMatchObject({ kind: 'written', documents: 2, failures: [] });
  return { path: made.path, root };
}

describe.skipIf(!hasTool('scip'))('the command-line tool of SCIP', () => {
  test.each(['scip-typescript', 'tsgo'] as const)('accepts an index of %s', async (indexer) => {
    const { path, root } = await makeIndex(indexer);
    const lint = spawnSync('scip', ['lint', path], { encoding: 'utf8' });
    // What scip-typescript says twice is a warning.
    const isWarning = (line: string) => / warning: found duplicate occurrence /.test(line) && indexer !== 'tsgo';
    const said = lint.stderr.split('\n').filter((line) => /(?:error|warning): /.test(line) && !isWarning(line));
    expect(said).toEqual([]);
    const stats = execFileSync('scip', ['stats', '--from', path, '--project-root', root], { encoding: 'utf8' });
    expect(JSON.parse(stats.slice(stats.indexOf('{')))).toMatchObject({ documents: 2 });
    execFileSync('scip', ['snapshot', '--from', path, '--to', join(root, '../snapshot'), '--project-root', root]);
  });
});
