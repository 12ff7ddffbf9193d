/**
 * Questions that the compiler fails on, and compilers that die of a file (code-plane.md §6.1): no program is known on which this one does
 * either, so it is made to. What could not be asked is a doubt about that word, in the store; what was not made is not there; everything
 * else is whole.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { listItemsOfFile } from '../../src/index/store/stored-items.ts';
import { listOccurrencesOfFile } from '../../src/index/store/stored-occurrences.ts';
import { noDifferences } from '../../src/index/sync/find-differences.ts';
import type { OpenProgram } from '../../src/languages/typescript/tsgo/open-program.ts';
import type { TsgoJob } from '../../src/languages/typescript/typescript-indexer.ts';
import { createImportedTree, type ImportedTree } from '../support/imported-tree.ts';

const compiler = vi.hoisted(() => ({
  /** Done to every program that is opened. */
  curse: (_: OpenProgram) => {},
  reopened: 0,
}));

vi.mock('../../src/languages/typescript/tsgo/open-program.ts', async (original) => {
  const real = await original<typeof import('../../src/languages/typescript/tsgo/open-program.ts')>();
  const wrap = (opened: OpenProgram): OpenProgram => {
    compiler.curse(opened);
    const reopen = () => {
      compiler.reopened += 1;
      return wrap(opened.reopen());
    };
    return { ...opened, reopen };
  };
  const openProgram: typeof real.openProgram = (job, share) => {
    const opened = real.openProgram(job, share);
    return opened === undefined ? undefined : wrap(opened);
  };
  return { ...real, openProgram };
});

const { indexProgram } = await import('../../src/languages/typescript/tsgo/index-program.ts');

let tree: ImportedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
  compiler.curse = () => {};
  compiler.reopened = 0;
});

async function index(files: Readonly<Record<string, string>>) {
  const made = createImportedTree({ 'package.json': '{"name":"shop","version":"1.0.0"}', ...files });
  tree = made;
  const members = Object.keys(files).sort();
  const jobDir = join(made.base, 'job');
  mkdirSync(jobDir);
  const project = join(jobDir, 'tsconfig.json');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    lib: ['esnext'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: members.map((path) => join(made.root, path)) }));
  const output = join(jobDir, 'out.scip');
  const job: TsgoJob = {
    root: made.root,
    project,
    isRendered: true,
    typeRoots: [],
    members,
    scope: null,
    globals: null,
    output,
    maxFileBytes: 4 * 1024 ** 2,
    isThrifty: true,
    isCareful: false,
  };
  const said: string[] = [];
  expect(await indexProgram(job, (line) => said.push(line))).toBe(0);
  const context = await made.putContext('typescript', members);
  const imported = await made.importOutput({ context, output });
  const { facts } = await made.session();
  const states = createFileStates({ read: facts.read, differences: noDifferences });
  return {
    said: said.slice(0, -1),
    imported,
    states: Object.fromEntries(members.map((path) => [path, states.of(path).freshness])),
    items: facts.read((session) =>
      members.flatMap((path) => listItemsOfFile(session, path).map(({ kind, name }) => `${path} ${kind} ${name}`)),
    ),
    names: (path: string) =>
      facts.read((session) =>
        listOccurrencesOfFile(session, path).flatMap(({ form, name }) => (form === 'synthetic' ? [] : [name])),
      ),
  };
}

function panic(): never {
  throw new Error('panic handling request: runtime error: invalid memory address');
}

test('R17 a name that the compiler fails on is an item about that name, and the others have their symbols', async () => {
  compiler.curse = ({ project: { checker } }) => {
    const ask = checker.getSymbolAtLocation.bind(checker);
    vi.spyOn(checker, 'getSymbolAtLocation').mockImplementation(((nodes: readonly { getText(): string }[]) =>
      nodes.some((node) => node.getText() === 'cursed') ? panic() : ask(nodes as never)) as never);
  };
  const found = await index({
    'src/a.ts': 'export const cursed = 1;\nexport const fine = 2;\n',
    'src/b.ts': "import { cursed, fine } from './a';\nexport const both = [cursed, fine, fine];\n",
  });
  expect(found).toMatchObject({
    said: [],
    imported: { kind: 'committed', accepted: 2, rejected: 0 },
    states: { 'src/a.ts': 'clean', 'src/b.ts': 'clean' },
    items: ['src/b.ts indexer_gap cursed', 'src/b.ts indexer_gap cursed'],
  });
  expect(found.names('src/b.ts')).toEqual(['fine', 'a.ts', 'both', 'fine', 'fine']);
});

test('R17 what is behind a name cannot be asked: its own symbol is there, and the doubt with it, at every place', async () => {
  compiler.curse = ({ project: { checker } }) => {
    vi.spyOn(checker, 'getContextualType').mockImplementation(panic);
    vi.spyOn(checker, 'getAliasedSymbol').mockImplementation(panic);
    vi.spyOn(checker, 'getTypeAtLocation').mockImplementation(panic);
  };
  const found = await index({
    'src/a.ts':
      'export interface Shape { size: number; name: string }\nexport const shape: Shape = { size: 1, name: "" };\nexport const { size } = shape;\n',
    'src/b.ts': "import { size } from './a';\nexport const twice: number[] = [size, size];\n",
  });
  expect(found).toMatchObject({
    imported: { kind: 'committed', accepted: 2, rejected: 0 },
    items: [
      'src/a.ts indexer_gap size',
      'src/a.ts indexer_gap name',
      'src/a.ts indexer_gap size',
      'src/b.ts indexer_gap size',
      'src/b.ts indexer_gap size',
      'src/b.ts indexer_gap size',
    ],
  });
});

const deadly = {
  'src/a.ts': 'export const a = 1;\n',
  'src/deadly.ts': 'export const deadly = 1;\n',
  'src/z.ts': "import { a } from './a';\nexport const z = a;\n",
};

function dieOf(path: string, times: number): void {
  let left = times;
  compiler.curse = ({ project: { program } }) => {
    const ask = program.getSourceFile.bind(program);
    vi.spyOn(program, 'getSourceFile').mockImplementation((asked) => {
      if (typeof asked === 'string' && asked.endsWith(path) && left > 0) {
        left -= 1;
        throw new Error('Unexpected EOF while reading from child process (unknown reason)');
      }
      return ask(asked);
    });
  };
}

test('R15 a compiler that dies of a file once is started again, and the file has its document', async () => {
  dieOf('src/deadly.ts', 1);
  const found = await index(deadly);
  expect(found).toMatchObject({ said: [], imported: { accepted: 3 }, states: { 'src/deadly.ts': 'clean' } });
  expect(compiler.reopened).toBe(1);
});

test('R15 a compiler that dies of a file twice leaves it without a document, by name, and no other', async () => {
  dieOf('src/deadly.ts', 2);
  const more = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [`src/m${n}.ts`, `export const m${n} = ${n};\n`]),
  );
  const found = await index({ ...deadly, ...more });
  expect(found).toMatchObject({
    said: [expect.stringMatching(/^no document of src\/deadly\.ts: Unexpected EOF/)],
    imported: { kind: 'committed', accepted: 11 },
    states: { 'src/a.ts': 'clean', 'src/deadly.ts': 'unindexed', 'src/z.ts': 'clean', 'src/m8.ts': 'clean' },
  });
  expect(found.names('src/z.ts')).toEqual(['a', 'a.ts', 'z', 'a']);
});
