import { afterEach, expect, test } from 'vitest';
import { createIndexedTree, type IndexedTree } from '../../../../test/support/indexed-tree.ts';
import { type CodeView, openSessionView } from '../../../index/view/code-view.ts';
import { isInPrograms, listImporting, listPrograms } from './choose-programs.ts';

const trees: IndexedTree[] = [];

afterEach(async () => {
  for (const tree of trees.splice(0)) await tree.dispose();
});

async function view(
  files: Readonly<Record<string, string>>,
): Promise<{ tree: IndexedTree; look: () => Promise<CodeView> }> {
  const tree = createIndexedTree(files);
  trees.push(tree);
  return { tree, look: async () => openSessionView(tree.root, await tree.session(), 'sweep') };
}

const workspace = {
  'package.json': '{ "name": "root", "private": true }',
  'tsconfig.json': '{ "files": [], "references": [{ "path": "core" }] }',
  'core/tsconfig.json': '{ "include": ["src"] }',
  'core/tsconfig.test.json': '{ "include": ["src", "test"] }',
  'core/src/a.ts': "import '../shared/s.js';\nexport const a = 1;\n",
  'core/shared/s.ts': 'export const s = 1;\n',
  'core/test/a.test.ts': "import { a } from '../src/a.js';\na;\n",
  'tool/package.json': '{ "name": "tool" }',
  'tool/run.mjs': 'export const run = 1;\n',
  'script.js': 'var global1 = 1;\n',
  'notes.py': 'a = 1\n',
};

test('every configuration with files is a program, and every package with files that none of them means', async () => {
  const { look } = await view(workspace);
  expect(listPrograms(await look())).toEqual([
    { key: 'ts-loose:.', config: null, files: ['script.js'] },
    { key: 'ts-loose:tool', config: null, files: ['tool/run.mjs'] },
    { key: 'ts:core/tsconfig.json', config: 'core/tsconfig.json' },
    { key: 'ts:core/tsconfig.test.json', config: 'core/tsconfig.test.json' },
  ]);
});

test('M5 all programs that hold a file, also by an import, and no other', async () => {
  const { look } = await view(workspace);
  const now = await look();
  const holding = (...paths: string[]) => listPrograms(now, new Set(paths)).map(({ key }) => key);
  expect(holding('core/src/a.ts')).toEqual(['ts:core/tsconfig.json', 'ts:core/tsconfig.test.json']);
  expect(holding('core/shared/s.ts')).toEqual(['ts:core/tsconfig.json', 'ts:core/tsconfig.test.json']);
  expect(holding('core/test/a.test.ts', 'script.js')).toEqual(['ts-loose:.', 'ts:core/tsconfig.test.json']);
  expect(holding('notes.py')).toEqual([]);
  expect([isInPrograms(now, 'script.js'), isInPrograms(now, 'notes.py')]).toEqual([true, false]);
});

test('M5 what a file declares is seen by all that import it, however far away, in circles too', async () => {
  const { look } = await view({
    ...workspace,
    'tool/run.mjs': "export * from '../core/test/a.test.js';\n",
    'core/test/a.test.ts': "import { a } from '../src/a.js';\nimport '../../tool/run.mjs';\na;\n",
  });
  const now = await look();
  expect([...listImporting(now, ['core/shared/s.ts'])].sort()).toEqual([
    'core/shared/s.ts',
    'core/src/a.ts',
    'core/test/a.test.ts',
    'tool/run.mjs',
  ]);
  expect([...listImporting(now, ['script.js'])]).toEqual(['script.js']);
});

test('M8 a file that has just come is found, indexed or not', async () => {
  const { tree, look } = await view(workspace);
  await look();
  tree.write('core/src/fresh.ts', 'export const fresh = 1;\n');
  expect(listPrograms(await look(), new Set(['core/src/fresh.ts'])).map(({ key }) => key)).toEqual([
    'ts:core/tsconfig.json',
    'ts:core/tsconfig.test.json',
  ]);
});

test('contexts that a person switched off are no programs', async () => {
  const { look } = await view({
    ...workspace,
    '.codegenie/contexts.json':
      '{ "version": 1, "contexts": [{ "key": "ts:core/tsconfig.test.json", "disabled": true }] }',
  });
  expect(listPrograms(await look(), new Set(['core/src/a.ts'])).map(({ key }) => key)).toEqual([
    'ts:core/tsconfig.json',
  ]);
});
