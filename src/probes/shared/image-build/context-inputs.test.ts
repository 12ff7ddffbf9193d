import { expect, test } from 'vitest';
import type { ProbeRepo } from '../../../gather/contract.ts';
import { deriveContextInputs, unseenSources } from './context-inputs.ts';

function repoOf(paths: readonly string[], ignore: string | null): ProbeRepo {
  const read = async () =>
    ignore === null ? { kind: 'absent' } : { kind: 'read', bytes: Buffer.from(ignore), hash: '' };
  return { scope: { files: paths.map((path) => ({ path })) }, inputs: { read } } as unknown as ProbeRepo;
}

test('without .dockerignore all files are inputs, and what COPY names besides', async () => {
  expect(await deriveContextInputs(repoOf(['a'], null), ['.', './out.bin', '/dist/'])).toEqual([
    '**',
    'out.bin',
    'dist',
  ]);
});

test('what .dockerignore leaves out is no input, also when COPY names it', async () => {
  const repo = repoOf(['a.txt', 'docs/b.md'], '**/*.md\nsecret\n');
  expect(await deriveContextInputs(repo, ['secret', 'kept'])).toEqual(['a.txt', 'kept']);
});

test('28: names that mean something to the grammar of inputs are escaped', async () => {
  const names = ['a[1].txt', 'user:x', 'b{c}', 'back\\slash'];
  expect(await deriveContextInputs(repoOf(names, 'x'), [])).toEqual([
    '\\a\\[1\\].txt',
    '\\user:x',
    '\\b\\{c\\}',
    '\\back\\\\slash',
  ]);
});

test('sources that are patterns, variables, here-documents, addresses or outside name no file', async () => {
  const sources = ['*.js', '$X', '<<EOF', 'https://example.com/a', '../up', '.git', '.codegenie/x', '.'];
  expect(await deriveContextInputs(repoOf([], null), sources)).toEqual(['**']);
});

test('a source that is neither an input nor a folder of inputs is unseen', () => {
  const ids = ['src/deep/a.js', 'b.txt'];
  expect(unseenSources(['src', 'src/deep', 'b.txt', '.', 'dist', 'b'], ids)).toEqual(['dist', 'b']);
});
