/** What becomes of a grammar that is not the pinned one: nothing is parsed with it, and both probes say so. */

import { expect, test } from 'vitest';
import type { ProbeRepo } from '../../gather/contract.ts';
import { checkGrammars } from '../../languages/parsing/grammar-pins.ts';
import { gatherReflection } from '../node-reflection/gather-node-reflection.ts';
import { gatherImportGraph } from '../tree-sitter-import-graph/gather-tree-sitter-import-graph.ts';
import type { CheckGrammars } from './sources.ts';

const otherGrammar: CheckGrammars = (names) => checkGrammars(names, () => new Uint8Array(1));

const repo = {
  root: '/r',
  inputs: {
    list: (globs?: readonly string[]) => (globs?.includes('**/package.json') ? [] : ['a.ts']),
    has: () => false,
    fingerprint: () => ({ kind: 'file' }),
    read: () => Promise.reject(new Error('not asked for')),
  },
} as unknown as ProbeRepo;
const ctx = {
  signal: new AbortController().signal,
  outputDir: '/r/.codegenie/context',
  inputsDigest: 'blake3:0',
  startedAt: '2026-01-01T00:00:00Z',
  parsedManifest: () => Promise.resolve(null),
};

test('tree_sitter_import_graph fails every file of that grammar', async () => {
  const output = await gatherImportGraph(repo, ctx, otherGrammar);
  expect(output).toMatchObject({
    kind: 'ran',
    slice: { import_graph: { parsed_files: 0, failed_files: 1 } },
    errors: ['tree_sitter.grammar_pin_mismatch'],
    warnings: [],
    confidence: 'low',
  });
});

test('node_reflection has no confidence, and its impact is high', async () => {
  const output = await gatherReflection(repo, ctx, otherGrammar);
  expect(output).toMatchObject({
    kind: 'ran',
    slice: { reflection: { confidence_impact: 'high', affected_files: [] } },
    errors: ['node_reflection.grammar_unavailable'],
    confidence: 'low',
  });
});
