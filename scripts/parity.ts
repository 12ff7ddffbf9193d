// Compares `tsgo` with scip-typescript on projects, occurrence by occurrence, and names every kind of difference.
//
//   node scripts/parity.ts <project directory>… [--examples <n>] [--write-docs]
//
// A directory without a tsconfig.json is indexed as a program of loose files. JavaScript counts where the configuration allows it, and where
// there is nothing else.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { scipTypescript, tsgo } from '../src/languages/typescript/typescript-indexer.ts';
import { writeSection } from './conformance/write-document.ts';
import { classifyDifferences } from './parity/classify.ts';
import { type Comparison, compareIndexes, readIndex } from './parity/compare-indexes.ts';
import { indexWith, listSources, type Tree } from './parity/index-with.ts';
import { type ProjectParity, reportParity } from './parity/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    examples: { type: 'string', default: '2' },
    'write-docs': { type: 'boolean', default: false },
  },
});
const examples = Number(values.examples);
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const projects: ProjectParity[] = [];
for (const directory of positionals) projects.push(await compareProject(realpathSync(directory)));
if (values['write-docs']) {
  writeSection('docs/conformance.md', 'indexers', 'TypeScript indexers', reportParity(projects));
}

async function compareProject(root: string): Promise<ProjectParity> {
  const configPath = existsSync(join(root, 'tsconfig.json')) ? 'tsconfig.json' : null;
  const tree = { root, configPath, members: listMembers(root, configPath) };
  const ours = await index(tsgo, tree);
  const comparison = compareIndexes(await index(scipTypescript, tree), ours);
  const texts = new Map<string, readonly string[]>();
  const linesOf = (path: string): readonly string[] => {
    const known = texts.get(path) ?? readFileSync(join(root, path), 'utf8').split(/\r\n|[\n\r\u2028\u2029]/);
    texts.set(path, known);
    return known;
  };
  const lineOf = (path: string, line: number): string => linesOf(path)[line] ?? '';
  const classes = classifyDifferences(comparison.differences, lineOf);
  const lines = tree.members.reduce((sum, path) => sum + linesOf(path).length, 0);
  const parity = { name: basename(root), files: tree.members.length, lines, comparison, classes };
  printParity(parity, lineOf);
  return parity;
}

function listMembers(root: string, configPath: string | null): readonly string[] {
  const config = configPath === null ? '' : readFileSync(join(root, configPath), 'utf8');
  const members = listSources(root, /"(?:allowJs|checkJs)"\s*:\s*true/.test(config));
  return members.length === 0 ? listSources(root, true) : members;
}

function index(adapter: typeof tsgo, tree: Tree) {
  return indexWith(adapter, tree, null, (run) => {
    if (run.kind !== 'output') throw new Error(`${adapter.id}: ${JSON.stringify(run)}`);
    print(`${adapter.id}: ${run.ms} ms, ${run.peakMb} MB`);
    if (adapter === tsgo) print(`  ${run.log}`);
    return readIndex(run.path);
  });
}

function printParity(
  { files, lines, comparison, classes }: ProjectParity,
  lineOf: (path: string, line: number) => string,
) {
  const { documents, equal, differences, relations } = comparison;
  print(
    `${files} files, ${lines} lines; documents in both ${documents.both}, only one of them: ${onlyOne(comparison)}`,
  );
  const lost = differences.filter(({ side }) => side === 'oracle').length;
  print(`occurrences equal ${equal}, only scip-typescript ${lost}, only tsgo ${differences.length - lost}`);
  print(`relationships equal ${relations.equal}, lost ${relations.oracle.length}, added ${relations.ours.length}`);
  for (const { name, side, found } of classes) {
    print(`${side === 'oracle' ? 'only scip-typescript' : 'only tsgo'}: ${name} (${found.length})`);
    for (const { mark, others } of found.slice(0, examples)) {
      const [line = 0, column = 0] = mark.range;
      print(`    ${mark.path}:${line + 1}:${column + 1}  ${lineOf(mark.path, line).trim().slice(0, 100)}`);
      print(`      ${mark.isDefinition ? 'defines' : 'refers to'} ${mark.raw}`);
      for (const other of others.slice(0, 3)) print(`      the other: ${other.raw}`);
    }
  }
  for (const relation of relations.oracle.slice(0, examples)) print(`relationship lost: ${relation}`);
}

function onlyOne({ documents }: Comparison): string {
  return [...documents.oracle, ...documents.ours].slice(0, 10).join(', ') || 'none';
}
