// Compares `tsgo` with scip-typescript on a project, occurrence by occurrence, and names every kind of difference.
//
//   node scripts/parity.ts <project directory> [--javascript] [--examples <n>]
//
// A directory without a tsconfig.json is indexed as a program of loose files.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { scipTypescript } from '../src/index/semantic/indexers/scip-typescript.ts';
import { tsgo } from '../src/index/semantic/indexers/tsgo.ts';
import { classifyDifferences } from './parity/classify.ts';
import { compareIndexes, readIndex } from './parity/compare-indexes.ts';
import { indexWith, listSources } from './parity/index-with.ts';

const [directory = '.', ...flags] = process.argv.slice(2);
const root = realpathSync(directory);
const examples = flags.includes('--examples') ? Number(flags[flags.indexOf('--examples') + 1]) : 2;
const configPath = existsSync(join(root, 'tsconfig.json')) ? 'tsconfig.json' : null;
const members = listSources(root, flags.includes('--javascript'));
const tree = { root, configPath, members };

const run = (adapter: typeof tsgo) =>
  indexWith(adapter, tree, null, (done) => {
    if (done.kind !== 'output') throw new Error(`${adapter.id}: ${JSON.stringify(done)}`);
    process.stdout.write(`${adapter.id}: ${done.ms} ms, ${done.peakMb} MB\n`);
    if (adapter === tsgo) process.stdout.write(`  ${done.log}\n`);
    return readIndex(done.path);
  });
const ours = await run(tsgo);
const oracle = await run(scipTypescript);

const comparison = compareIndexes(oracle, ours);
const { documents, equal, differences, relations } = comparison;
const lines = members.reduce((sum, path) => sum + readFileSync(join(root, path), 'utf8').split('\n').length, 0);
const only = (side: 'oracle' | 'ours') => differences.filter((difference) => difference.side === side).length;
process.stdout.write(
  `${members.length} files, ${lines} lines; documents in both ${documents.both}, ` +
    `only scip-typescript ${documents.oracle.length}, only tsgo ${documents.ours.length}\n` +
    `occurrences equal ${equal}, only scip-typescript ${only('oracle')}, only tsgo ${only('ours')}; ` +
    `relationships equal ${relations.equal}, only scip-typescript ${relations.oracle.length}, only tsgo ${relations.ours.length}\n`,
);
const texts = new Map<string, string[]>();
const lineOf = (path: string, line: number): string => {
  const known = texts.get(path) ?? readFileSync(join(root, path), 'utf8').split(/\r\n|[\n\r\u2028\u2029]/);
  texts.set(path, known);
  return known[line] ?? '';
};
for (const { name, side, found } of classifyDifferences(differences, lineOf)) {
  process.stdout.write(`${side === 'oracle' ? 'only scip-typescript' : 'only tsgo'}: ${name} (${found.length})\n`);
  for (const { mark, others } of found.slice(0, examples)) {
    const [line = 0, column = 0] = mark.range;
    process.stdout.write(
      `    ${mark.path}:${line + 1}:${column + 1}  ${lineOf(mark.path, line).trim().slice(0, 100)}\n`,
    );
    process.stdout.write(`      ${mark.isDefinition ? 'defines' : 'refers to'} ${mark.raw}\n`);
    for (const other of others.slice(0, 3)) process.stdout.write(`      the other: ${other.raw}\n`);
  }
}
for (const relation of relations.oracle.slice(0, examples)) process.stdout.write(`relationship lost: ${relation}\n`);
