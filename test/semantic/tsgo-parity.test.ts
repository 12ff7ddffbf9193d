/**
 * Our own indexer against the tool whose place it takes, which this project did not write: occurrence by occurrence, on a file for every form of the
 * language. What that tool alone says must be of a class in which it is known to be wrong; what ours adds must be of a class with a name.
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { added, classifyDifferences, wrongThere } from '../../scripts/parity/classify.ts';
import { type Comparison, compareIndexes, type ReadIndex, readIndex } from '../../scripts/parity/compare-indexes.ts';
import { exampleConfig, examples, gains, readMarked } from '../../scripts/parity/examples.ts';
import { indexWith, listSources } from '../../scripts/parity/index-with.ts';
import { describeDocument } from '../../src/index/semantic/describe-document.ts';
import type { IndexerRun } from '../../src/index/semantic/indexers/run-indexer.ts';
import { createShapes } from '../../src/index/semantic/symbol-shape.ts';
import type { IndexerAdapter } from '../../src/languages/indexers/indexer-adapter.ts';
import { scipTypescript, tsgo } from '../../src/languages/typescript/typescript-indexer.ts';
import { commonjsForms } from '../support/commonjs-forms.ts';
import { typescriptForms } from '../support/typescript-forms.ts';

const places: string[] = [];
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

function writeTree(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tsgo-')));
  places.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function index(adapter: IndexerAdapter, root: string, scope: readonly string[] | null = null): Promise<ReadIndex> {
  const tree = { root, configPath: 'tsconfig.json', members: listSources(root, true) };
  return indexWith(adapter, tree, scope, (run: IndexerRun) => {
    if (run.kind !== 'output') throw new Error(JSON.stringify(run));
    return readIndex(run.path);
  });
}

/** What an import would not take. */
function listMisfits({ documents }: ReadIndex, path: string, text: string): readonly unknown[] {
  const document = documents.get(path);
  if (document === undefined) return ['no document'];
  const described = describeDocument(document, {
    path,
    contentHash: '0',
    bytes: Buffer.from(text),
    family: 'typescript',
    encoding: 2,
    shapeOf: createShapes('typescript'),
  });
  return described.kind === 'described' ? described.draft.gaps : [described.why];
}

const forms = Object.keys(typescriptForms).filter((path) => path.startsWith('src/'));

describe('a file for every form', () => {
  let root: string;
  let ours: ReadIndex;
  let comparison: Comparison;
  beforeAll(async () => {
    root = writeTree(typescriptForms);
    ours = await index(tsgo, root);
    comparison = compareIndexes(await index(scipTypescript, root), ours);
  });

  test('R19 both have a document of every file', () => {
    expect(comparison.documents).toEqual({ both: forms.length, oracle: [], ours: [] });
    expect(comparison.equal).toBeGreaterThan(700);
  });

  test.each(forms)('R19 %s has every occurrence that scip-typescript rightly has', (path) => {
    const lineOf = (at: string, line: number) => typescriptForms[at]?.split(/\r?\n/)[line] ?? '';
    const here = comparison.differences.filter(({ mark }) => mark.path === path);
    const classes = classifyDifferences(here, lineOf);
    const unnamed = classes.filter(({ side, name }) =>
      side === 'oracle' ? !/^(wrong there|the library)/.test(name) : name === 'other',
    );
    expect(
      unnamed.flatMap(({ side, name, found }) =>
        found.map(({ mark, others }) =>
          [side, name, mark.range.join(':'), mark.raw, ...others.map(({ raw }) => raw)].join(' | '),
        ),
      ),
    ).toEqual([]);
  });

  test.each(forms)('R12 every text of %s fits what it is said to be', (path) => {
    expect(listMisfits(ours, path, typescriptForms[path] ?? '')).toEqual([]);
  });

  test('R17 everything that is named is defined', () => {
    expect(comparison.dangling.ours).toBe(0);
  });

  test('R19 who implements what is the same, and more', () => {
    expect(comparison.relations.oracle).toEqual([]);
    expect(comparison.relations.equal).toBeGreaterThan(10);
  });

  test.each([
    'src/classes.ts',
    'src/literals.ts',
    'src/imports.ts',
    'src/types.ts',
    'src/unions-too.ts',
    'src/links.ts',
  ])('T4 %s alone says what it says among all', (path) => expectAlone(path, root, ours), 60_000);
});

async function expectAlone(path: string, root: string, all: ReadIndex): Promise<void> {
  const alone = await index(tsgo, root, [path]);
  expect([...alone.documents.keys()]).toEqual([path]);
  expect(alone.documents.get(path)).toEqual(all.documents.get(path));
}

describe('a small program for every class in which scip-typescript is wrong, or says less', () => {
  const faults = (Object.keys(examples) as (keyof typeof examples)[]).map(
    (kind) => [kind, `wrong there: ${wrongThere[kind]}`, examples[kind]] as const,
  );
  const more = (Object.keys(gains) as (keyof typeof gains)[]).map(
    (kind) => [`more-${kind}`, added[kind], gains[kind]] as const,
  );
  const named = [...faults, ...more];
  let [there, here]: ReadIndex[] = [];
  const texts = new Map<string, string>();
  beforeAll(async () => {
    for (const [folder, , example] of named)
      for (const [path, text] of Object.entries(example.files))
        texts.set(`${folder}/${path}`, text.replace(/[«»]/g, ''));
    const root = writeTree({
      'package.json': '{"name":"examples","version":"1.0.0"}',
      'tsconfig.json': exampleConfig,
      ...Object.fromEntries(texts),
    });
    there = await index(scipTypescript, root);
    here = await index(tsgo, root);
  });

  test.each(named)('R19 %s: %s', (folder, name, example) => {
    const { path, range } = readMarked(example);
    const saidBy = (read: ReadIndex | undefined): string[] =>
      (read?.documents.get(`${folder}/${path}`)?.occurrences ?? []).flatMap((one) =>
        one.range.join() === range.join()
          ? [
              `${(one.roles & 1) !== 0 ? '=' : ''}${one.symbol.replace(/^local \d+/, 'local').replace(`scip-typescript npm examples 1.0.0 ${folder}/`, '')}`,
            ]
          : [],
      );
    expect({ there: saidBy(there), here: saidBy(here) }).toEqual({ there: example.there, here: example.here });
    const { differences } = compareIndexes(there as ReadIndex, here as ReadIndex);
    const marked = differences.filter(
      ({ mark }) => mark.path === `${folder}/${path}` && mark.range.join() === range.join(),
    );
    const classes = classifyDifferences(marked, (at, line) => texts.get(at)?.split('\n')[line] ?? '');
    expect(classes.map((one) => one.name)).toContain(name);
    expect(classes.filter((one) => one.side === 'oracle' && !one.name.startsWith('wrong there'))).toEqual([]);
  });
});

describe('CommonJS', () => {
  let root: string;
  let ours: ReadIndex;
  let comparison: Comparison;
  beforeAll(async () => {
    root = writeTree(commonjsForms);
    ours = await index(tsgo, root);
    comparison = compareIndexes(await index(scipTypescript, root), ours);
  });
  /** By line and name. */
  const notInferred: Readonly<Record<string, readonly string[]>> = {
    // A parameter that is called `exports` gets properties by assignments in no version but the old one.
    'src/wrapped.js': ['1 inner'],
    // What is read of an instance by another name than `this`, what `this` is in a function that has no prototype and outside of all, and
    // a variable `prototype` that is not there.
    'src/prototypes.js': ['1 name', '4 other', '6 name', '6 late', '7 prototype', '7 a', '7 top'],
  };
  const scripts = Object.keys(commonjsForms).filter((path) => path.endsWith('.js'));
  const linesOf = (path: string): readonly string[] => commonjsForms[path]?.split('\n') ?? [];

  test.each(scripts)('R19 %s has every occurrence that scip-typescript rightly has', (path) => {
    const here = comparison.differences.filter(({ mark }) => mark.path === path);
    const classes = classifyDifferences(here, (at, line) => linesOf(at)[line] ?? '');
    const lost = classes.filter(({ side, name }) => side === 'oracle' && !name.startsWith('wrong there'));
    const said = lost.flatMap(({ name, found }) =>
      found.map(({ mark: { range } }) => {
        const [line = 0, from, to] = range;
        return `${line + 1} ${linesOf(path)[line]?.slice(from, to)} ${name.split(':')[0]}`;
      }),
    );
    expect(said).toEqual((notInferred[path] ?? []).map((at) => `${at} not inferred`));
  });

  test.each(scripts)('R12 every text of %s fits what it is said to be', (path) => {
    expect(listMisfits(ours, path, commonjsForms[path] ?? '')).toEqual([]);
  });

  /** What stands at the first place of a text in a line, each without its package; definitions with `=`. */
  const saidAt = (path: string, line: number, text: string): string[] => {
    const column = linesOf(path)[line]?.indexOf(text) ?? -1;
    return (ours.documents.get(path)?.occurrences ?? []).flatMap(({ range, symbol, roles }) =>
      range[0] === line && range[1] === column && range[2] === column + text.length
        ? [`${(roles & 1) !== 0 ? '=' : ''}${symbol.replace(/^local \d+$/, 'local').replace(/^.* src\//, '')}`]
        : [],
    );
  };

  test.each([
    ['src/named.js', 1, 'two', ['=`named.js`/exports/two.']],
    ['src/named.js', 7, 'two', ['`named.js`/exports/two.']],
    ['src/named.js', 2, 'one', ['=`named.js`/exports/one.', '`named.js`/one.']],
    ['src/named.js', 8, 'renamed', ['=`named.js`/exports/renamed.', '`named.js`/make().']],
    ['src/use.js', 16, 'renamed', ['`named.js`/exports/renamed.']],
    ['src/mixed.js', 2, 'tail', ['=`mixed.js`/exports/tail.']],
    ['src/mixed.js', 4, 'regexp', ['=`mixed.js`/exports/regexp.', '`mixed.js`/re.']],
    ['src/wrapped.js', 0, 'inner', []],
    ['src/single.js', 0, 'w', ['=`single.js`/Single#w.']],
    ['src/use.js', 0, 'named', ['=`use.js`/named.', '`named.js`/']],
    ['src/use.js', 9, 'named', ['`named.js`/', '`use.js`/named.']],
    ['src/use.js', 9, 'two', ['`named.js`/exports/two.']],
    ['src/use.js', 9, 'uno', ['`named.js`/one.', 'local']],
    ['src/use.js', 9, 'left', ['`shorthands.js`/left0:', 'local', '`shorthands.js`/left.']],
    ['src/use.js', 9, 'tail', ['`mixed.js`/exports/tail.']],
    ['src/use.js', 10, 'Only', ['`single.js`/Single#`<constructor>`().', '`use.js`/Only.']],
    ['src/use.js', 10, 'tail', ['local', '`mixed.js`/exports/tail.']],
    ['src/use.js', 11, "'./mixed'", ['`mixed.js`/']],
    ['src/use.js', 13, 'nothing', []],
    ['src/unnamed.js', 0, 'Unnamed', ['=`unnamed.js`/exports/Unnamed.']],
    ['src/unnamed.js', 1, 'Named', ['=`unnamed.js`/exports/Named.', 'local']],
    ['src/use.js', 15, 'Unnamed', ['`unnamed.js`/exports/Unnamed.', 'local']],
    ['src/use.js', 15, 'Named', ['`unnamed.js`/exports/Named.', 'local']],
    ['src/merging.js', 0, 'Target', ['`merged.js`/Target#']],
    ['src/merging.js', 1, 'LIMIT', ['`merged.js`/Target#LIMIT.']],
    ['src/merged.js', 5, 'LIMIT', ['=`merged.js`/Target#LIMIT.']],
    ['src/comments.js', 0, 'Point', ['=`comments.js`/Point#']],
    ['src/comments.js', 0, 'x', ['=`comments.js`/Point#typeLiteral0:x.']],
    ['src/comments.js', 2, 'Point', ['`comments.js`/Point#']],
    ['src/comments.js', 4, 'Thing', ['`types.ts`/Thing#']],
    ['src/comments.js', 6, 'Point', ['`comments.js`/Point#']],
    ['src/comments.js', 9, 'x', ['`comments.js`/Point#typeLiteral0:x.']],
    ['src/comments.js', 12, 'Foo', ['`comments.js`/Foo#']],
    ['src/comments.js', 13, 'Foo', ['`comments.js`/Foo#']],
    ['src/comments.js', 18, 'Thing', ['`types.ts`/Thing#']],
  ])('R17 %s:%i %s is %j', (path, line, text, said) => {
    expect(saidAt(path, line, text)).toEqual(said);
  });

  test.each(['src/use.js', 'src/derived.js', 'src/merging.js'])('T4 %s alone says what it says among all', (path) =>
    expectAlone(path, root, ours),
  );

  test('R17 everything that scripts name is defined', () => {
    expect(comparison.dangling.ours).toBe(0);
  });

  test('R17 an assigned member overrides the member of its base', () => {
    const derived = ours.documents.get('src/derived.js')?.symbols ?? [];
    const relations = derived.flatMap(({ symbol, relationships }) =>
      relationships.map((to) => `${symbol.split('/').at(-1)} ${to.symbol.split('/').at(-1)}`),
    );
    expect(relations).toEqual(['Derived# Single#', 'Derived#v. Single#v.', 'Derived#get(). Single#get().']);
  });
});

describe('bad input', () => {
  const config = JSON.stringify({
    compilerOptions: { strict: true, types: [], paths: { 'lost/*': ['./nowhere/*'] } },
    include: ['**/*'],
  });

  const definitions = (read: ReadIndex, path: string): string[] =>
    (read.documents.get(path)?.occurrences ?? []).flatMap(({ symbol, roles, range }) =>
      (roles & 1) !== 0 && !symbol.startsWith('local ') && range.join() !== '0,0,0'
        ? [symbol.split('/').at(-1) ?? '']
        : [],
    );

  test('R17 syntax errors in half of the files: every file has a document, the others are whole', async () => {
    const root = writeTree({
      'tsconfig.json': config,
      'package.json': '{"name":"p"}',
      'a.ts': "export const good = 1;\nimport { broken } from './b';\nbroken;\n",
      'b.ts': 'export const broken = (1 +;\nclass { constructor( }\nfunction (\nexport const x = {a: , b: };\n',
      'c.ts': 'export function whole(): number { return 1 }\n',
      'd.ts': '<<<<<<< HEAD\nconst {{{ ]]\n=======\nimport from;\n>>>>>>> x\n',
    });
    const read = await index(tsgo, root);
    expect([...read.documents.keys()]).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts']);
    expect(definitions(read, 'a.ts')).toEqual(['good.']);
    expect(definitions(read, 'b.ts')).toContain('broken.');
    expect(definitions(read, 'c.ts')).toEqual(['whole().']);
  });

  test('R17 missing dependencies, paths to nowhere, circular re-exports, conflicting declarations', async () => {
    const root = writeTree({
      'tsconfig.json': config,
      'package.json': '{"name":"p"}',
      'a.ts':
        "import gone, { lost } from 'not-installed';\nimport { far } from 'lost/far';\nexport const kept = [gone, lost.x, far];\n",
      'b.ts': "export * from './c';\nexport const fromB = 1;\n",
      'c.ts': "export * from './b';\nexport { fromB as again } from './c';\nexport const fromC = 1;\n",
      'd.ts':
        'export const twice = 1;\nexport class twice {}\nexport interface twice {}\ninterface Array { odd: 1 }\ndeclare const undefined: 1;\n',
      'e.ts': "import { fromB, fromC, again } from './b';\n[fromB, fromC, again];\n",
    });
    const read = await index(tsgo, root);
    const oracle = await index(scipTypescript, root);
    expect([...read.documents.keys()]).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts']);
    const lost = compareIndexes(oracle, read).differences.filter(
      ({ side, mark }) => side === 'oracle' && !mark.symbol.includes(' typescript * '),
    );
    expect(lost.map(({ mark }) => `${mark.path}:${mark.range.join(':')} ${mark.raw}`)).toEqual([]);
  });

  test('R17 files that are asked for and are gone, or are no member, have no document; the rest is there', async () => {
    const root = writeTree({
      'tsconfig.json': config,
      'package.json': '{"name":"p"}',
      'a.ts': 'export const a = 1;\n',
      'b.ts': '',
    });
    const tree = { root, configPath: 'tsconfig.json', members: ['a.ts', 'b.ts', 'gone.ts'] };
    const paths = await indexWith(tsgo, tree, ['a.ts', 'gone.ts'], (run) =>
      run.kind === 'output' ? [...readIndex(run.path).documents.keys()] : [JSON.stringify(run)],
    );
    expect(paths).toEqual(['a.ts']);
  });

  test('R17 a configuration that is none is config_error or an index, never an empty one', async () => {
    const root = writeTree({
      'tsconfig.json': '{ "compilerOptions": { "strict": ',
      'package.json': '{}',
      'a.ts': 'export const a = 1;\n',
    });
    const tree = { root, configPath: 'tsconfig.json', members: ['a.ts'] };
    const outcome = await indexWith(tsgo, tree, null, (run) =>
      run.kind === 'output' ? [...readIndex(run.path).documents.keys()] : run,
    );
    expect(outcome).toEqual(['a.ts']);
  });
});
