/**
 * Indexers and configurations that are broken, hostile or overtaken, from the command line to the answer: each ends as an outcome with a
 * name, what was known before is still known, states stay honest, no process and no job directory is left, and nothing is written into the
 * tree. What one part does with such input is shown beside it: `run-indexer.test.ts` (time, memory, output, forks),
 * `read-scip.test.ts` (cuts, hostile parts, fields of a newer schema), `import.test.ts`, `refresh.test.ts`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import type { ScipPart } from '../../src/kernel/formats/scip.ts';
import { encodeScip } from '../../src/kernel/formats/write-scip.ts';
import { describeProgram } from '../support/fake-indexer.ts';
import { sessionSettings } from '../support/indexed-tree.ts';
import { installPretendIndexer, type PretendIndexer } from '../support/pretend-indexer.ts';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

let repo: SemanticRepo;
afterEach(async () => repo.dispose());

/** In the words that the fake of `fake-indexer.ts` reads, so that outputs can be made by hand. */
const plain = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"noEmit":true,"lib":["esnext"]},"include":["src"]}',
  'src/a.ts': 'export const one: number = 1\n',
  'src/b.ts': "import { one } from './a'\nexport const two: number = one\n",
  'src/c.ts': 'export const three: number = 3\n',
};
const members = ['src/a.ts', 'src/b.ts', 'src/c.ts'];

async function settledRepo(files: Readonly<Record<string, string>>): Promise<PretendIndexer> {
  repo = createSemanticRepo(files);
  const indexer = installPretendIndexer(repo.base);
  indexer.behave({ does: 'real' });
  expect(await repo.index()).toMatchObject({ refreshed: { jobs: [{ detail: null }] }, semantic: { state: 'clean' } });
  return indexer;
}

/** Processes that were started from the place of the pretended tool, in or out of a sandbox. */
function processesOf(place: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(place);
    } catch {
      return false;
    }
  });
}

describe('an indexer that fails changes nothing', () => {
  const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 7);
  const failing: readonly (readonly [string, string, (indexer: PretendIndexer) => void])[] = [
    ['ends with 3', 'tool_crashed', run('console.error("no"); process.exitCode = 3')],
    ['is killed', 'tool_crashed', run('process.kill(process.pid, "SEGV")')],
    ['writes nothing', 'no_output', run('')],
    ['writes an empty file', 'no_output', run('fs.writeFileSync(output, "")')],
    ['leaves a link', 'no_output', run('fs.symlinkSync("/etc/passwd", output)')],
    ['writes what is no index', 'decode_error', run('fs.writeFileSync(output, "<html>".repeat(1000))')],
    [
      'writes more than there may be',
      'out_of_memory',
      run('fs.writeFileSync(output, "x"); fs.truncateSync(output, 2**40)'),
    ],
    ['writes half an index', 'decode_error', (i) => i.behave({ does: 'write', bytes: cut(wholeIndex()) })],
    [
      'writes about other files only',
      'too_few_documents',
      (i) => i.behave({ does: 'write', bytes: encodeScip(strangers()) }),
    ],
    ['prints without end', 'tool_crashed', run('for (;;) fs.writeSync(1, "y".repeat(65536))')],
  ];

  test('R15 R18 R24 R26: whatever way it fails', async () => {
    const indexer = await settledRepo(plain);
    const { occurrences, symbols } = await repo.status();
    for (const [at, [how, failure, prepare]] of failing.entries()) {
      repo.write('src/c.ts', `export const three: number = ${at + 10}\n`);
      prepare(indexer);
      const { code, refreshed } = await repo.index();
      expect({ how, code: code === 0, jobs: refreshed.jobs }).toMatchObject({
        how,
        code: false,
        jobs: [{ status: 'failed', failure, detail: expect.stringMatching(/\w \w/) }],
      });
      const status = await repo.status();
      expect({ how, ...status }).toMatchObject({
        ...{ how, occurrences, symbols },
        unsettled: [{ path: 'src/c.ts', freshness: 'dirty' }],
        contexts: [{ last_job: { status: 'failed', failure } }],
      });
      expect({ how, left: [...processesOf(repo.base), repo.hasJobDirs()] }).toEqual({ how, left: [false] });
    }
    expect(repo.git('status', '--porcelain')).toBe(' M src/c.ts\n');
    expect(await repo.refs('src/a.ts:1:14')).toEqual(['src/a.ts:1:14', 'src/b.ts:1:10', 'src/b.ts:2:28']);
    // What would be tried again later is tried at a question.
    indexer.behave({ does: 'real' });
    expect(await repo.index()).toMatchObject({ code: 0, semantic: { state: 'clean', jobs: { queued: 0, failed: 0 } } });
  });

  test('R26: one that hangs and forks is ended with the question, and its job waits for the next', async () => {
    const indexer = await settledRepo(plain);
    repo.write('src/c.ts', 'export const three: number = 30\n');
    run(`process.on('SIGTERM', () => {});
      for (let n = 0; n < 5; n += 1) child.spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", ${JSON.stringify(repo.base)}], { stdio: 'ignore' });
      setInterval(() => {}, 1000)`)(indexer);
    const { code, refreshed } = await repo.index('--wait', '1');
    expect(refreshed.jobs.filter(({ status }) => status === 'completed')).toEqual([]);
    expect(code).not.toBe(0);
    expect([...processesOf(repo.base), repo.hasJobDirs()]).toEqual([false]);
    expect(await repo.status()).toMatchObject({
      unsettled: [{ path: 'src/c.ts', freshness: 'dirty' }],
      contexts: [{ job: 'queued' }],
    });
    indexer.behave({ does: 'real' });
    expect(await repo.index()).toMatchObject({ code: 0, semantic: { state: 'clean' } });
  });

  function run(script: string): (indexer: PretendIndexer) => void {
    return (indexer) => indexer.behave({ does: 'run', script });
  }

  function wholeIndex(): Uint8Array {
    return encodeScip(describeProgram(repo.root, members));
  }

  function strangers(): readonly ScipPart[] {
    return describeProgram(repo.root, members).map((part) =>
      part.kind === 'document'
        ? { ...part, document: { ...part.document, relativePath: `other/${part.document.relativePath}` } }
        : part,
    );
  }
});

test('R14 R17 R20: documents of other places and monstrous symbols beside good documents', async () => {
  const indexer = await settledRepo(plain);
  repo.write('../outside.ts', 'export const outside: number = 1\n');
  repo.write('src/c.ts', 'export const three: number = 31\n');
  const parts = describeProgram(repo.root, members);
  const documents = parts.flatMap((part) => (part.kind === 'document' ? [part.document] : []));
  const [first] = documents;
  if (first === undefined) throw new Error('no document');
  const elsewhere = [
    '../outside.ts',
    join(repo.base, 'outside.ts'),
    join(repo.root, 'src/a.ts'),
    'src/../../outside.ts',
  ]
    .concat(['./', '', '.git/config', '.codegenie/state/key', 'src/a.ts\0', 'src//a.ts/', '/etc/passwd'])
    .map((relativePath): ScipPart => ({ kind: 'document', document: { ...first, relativePath } }));
  const prefix = 'scip-typescript npm . . ';
  const monsters = [
    `${prefix}src/\`c.ts\`/${'x'.repeat(1_000_000)}.`,
    `${prefix}src/\`c.ts\`/\`a\0b\`.`,
    `${prefix}src/\`c.ts\`/\`\ud800\`.`,
    `${prefix}src/\`c.ts\`/${'a/'.repeat(50_000)}b.`,
    `${prefix}${'../'.repeat(100)}etc/passwd.`,
    'local ',
    'local 1\n2',
    '````',
    'x',
  ];
  const said = {
    documentation: ['```ts\nvar x\0: \ud800\n```'],
    relationships: [],
    kind: 999,
    displayName: '',
    signature: '',
  };
  const infos = monsters.map((symbol) => ({ ...said, symbol, enclosingSymbol: symbol }));
  const hostile = documents.map(
    (document): ScipPart => ({
      kind: 'document',
      document:
        document.relativePath === 'src/c.ts' ? { ...document, symbols: [...document.symbols, ...infos] } : document,
    }),
  );
  const externals = infos.map((symbol): ScipPart => ({ kind: 'external', symbol }));
  const metadata = parts.filter(({ kind }) => kind === 'metadata');
  indexer.behave({ does: 'write', bytes: encodeScip([...metadata, ...elsewhere, ...hostile, ...externals]) });
  const { refreshed, semantic } = await repo.index();
  expect(refreshed.jobs).toMatchObject([{ status: 'completed', accepted: 3, rejected: 0 }]);
  expect(semantic).toMatchObject({ state: 'clean', unsettled: [] });
  expect(await repo.refs('src/a.ts:1:14')).toEqual(['src/a.ts:1:14', 'src/b.ts:1:10', 'src/b.ts:2:28']);
  const opened = await openIndexSession({ ...sessionSettings(repo.root, repo.stateDir, true), waitMs: 0 });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  expect(opened.session.facts.read(checkInvariants)).toEqual([]);
  await opened.session.close();
  expect(repo.git('status', '--porcelain')).toBe(' M src/c.ts\n');
});

describe('while the real indexer runs', () => {
  const shop = {
    'package.json': plain['package.json'],
    'tsconfig.json': '{"compilerOptions":{"strict":true,"noEmit":true,"lib":["esnext"]},"include":["src"]}',
    'src/price.ts': 'export type Price = { readonly cents: number };\nexport const free: Price = { cents: 0 };\n',
    'src/cart.ts':
      "import { free, type Price } from './price';\nexport const total = (all: readonly Price[]): Price => all[0] ?? free;\n",
    ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`src/more${n}.ts`, `export const more${n} = ${n};\n`])),
  };

  const longer = `// A line that moves everything.\n${shop['src/price.ts']}`;

  /** Indexes again after an edit of `src/more0.ts`; `act` happens when the indexer has been started and has read nothing. */
  async function during(act: () => void) {
    const indexer = await settledRepo(shop);
    indexer.behave({ does: 'real', waitsFirst: true });
    repo.write('src/more0.ts', 'export const more0 = 1000;\n');
    let acted = 0;
    const answer = await repo.indexWatched((event) => {
      if (event.kind !== 'job_output' || event.line !== 'waiting') return;
      acted += 1;
      if (acted === 1) act();
      indexer.letGo();
    });
    return { acted, ...answer };
  }

  test('R12 R13 R22: a file that is edited meanwhile is not clean by that run, and by the next one it is', async () => {
    const { acted, refreshed, semantic } = await during(() => repo.write('src/price.ts', longer));
    expect(refreshed.jobs).toMatchObject([
      { status: 'completed', accepted: 26 },
      { status: 'completed', accepted: 27 },
    ]);
    expect(acted).toBe(2);
    expect(semantic).toMatchObject({ state: 'clean', unsettled: [] });
    expect(await repo.refs('src/price.ts:3:14')).toEqual(['src/cart.ts:1:10', 'src/cart.ts:2:66', 'src/price.ts:3:14']);
  });

  test('R25: commits that leave the files alone neither stop nor repeat it', async () => {
    const { acted, refreshed, semantic } = await during(() => {
      repo.git('commit', '-q', '-am', 'more');
      repo.git('commit', '-q', '--amend', '-m', 'much more');
      repo.git('reset', '-q', '--soft', 'HEAD~1');
      repo.git('commit', '-q', '-m', 'more, again');
      repo.git('branch', '-q', '-m', 'renamed');
    });
    expect(refreshed.jobs).toMatchObject([{ status: 'completed', by: 'indexer', accepted: 27, rejected: 0 }]);
    expect(acted).toBe(1);
    expect(semantic).toMatchObject({ state: 'clean', unsettled: [] });
  });

  test('R12 R22: a rebase meanwhile: what it wrote is not taken from that run', async () => {
    const { acted, refreshed, semantic } = await during(() => {
      repo.git('commit', '-q', '-am', 'more');
      repo.git('checkout', '-q', '-b', 'side', 'HEAD~1');
      repo.write('src/price.ts', longer);
      repo.git('commit', '-q', '-am', 'beside');
      repo.git('checkout', '-q', 'main');
      repo.git('rebase', '-q', 'side');
    });
    // The rebased commit's own file was taken away and written again.
    expect(refreshed.jobs).toMatchObject([
      { status: 'completed', accepted: 25 },
      { status: 'completed', accepted: 27 },
    ]);
    expect(acted).toBe(2);
    expect(semantic).toMatchObject({ state: 'clean', unsettled: [] });
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('R28: its configuration is edited: that run says nothing, and one with the new one follows', async () => {
    const { refreshed, semantic } = await during(() =>
      repo.write('tsconfig.json', shop['tsconfig.json'].replace('true', 'false')),
    );
    expect(refreshed.jobs).toMatchObject([{ status: 'superseded' }, { status: 'completed', accepted: 27 }]);
    expect(semantic).toMatchObject({ state: 'clean', unsettled: [] });
    expect([...processesOf(repo.base), repo.hasJobDirs()]).toEqual([false]);
  });
});

test('T9: a file of two projects that disagree has the references of both, and the worse of their states', async () => {
  const config = (impl: string, options = '') =>
    `{"compilerOptions":{"noEmit":true,"strict":true,"target":"es2022","module":"esnext","moduleResolution":"bundler"${options},"paths":{"#impl":["${impl}"]}},"include":[".","../shared"]}`;
  repo = createSemanticRepo({
    'package.json': '{"name":"shop","version":"1.0.0"}',
    'app/tsconfig.json': config('./impl.ts'),
    'app/impl.ts': 'export const start = (): number => 1;\n',
    'worker/tsconfig.json': config('./impl.ts', ',"lib":["es2022","webworker"]'),
    'worker/impl.ts': 'export const start = (): string => "";\n',
    'shared/use.ts': "import { start } from '#impl';\nexport const begun = start();\n",
  });
  expect((await repo.index()).semantic).toMatchObject({ state: 'clean' });
  const uses = ['shared/use.ts:1:10', 'shared/use.ts:2:22'];
  expect(await repo.refs('app/impl.ts:1:14')).toEqual(['app/impl.ts:1:14', ...uses]);
  expect(await repo.refs('worker/impl.ts:1:14')).toEqual([...uses, 'worker/impl.ts:1:14']);
  repo.write('worker/tsconfig.json', config('./impl.ts'));
  const otherConfig = 'unindexed: was indexed with another configuration or tool';
  expect(await repo.unsettled()).toEqual({ 'shared/use.ts': otherConfig, 'worker/impl.ts': otherConfig });
  // One of the two cannot be read at all: the other one speaks alone.
  repo.write('worker/tsconfig.json', '{');
  const broken = await repo.status();
  expect(broken.contexts).toMatchObject([
    { probe: 'ok' },
    { probe: 'config_error', detail: expect.stringContaining('worker/tsconfig.json') },
  ]);
  expect(broken.unsettled).toEqual([]);
});

test('C8 configurations that lead in a circle, out of the repository or to nothing are answers', async () => {
  repo = createSemanticRepo({
    'package.json': '{"name":"shop","version":"1.0.0"}',
    'circle/tsconfig.json': '{"extends":"./other.json"}',
    'circle/other.json': '{"extends":"./tsconfig.json"}',
    'circle/a.ts': 'export const a = 1;\n',
    'out/tsconfig.json': '{"extends":"../../outside/base.json","include":["."]}',
    'out/b.ts': 'export const b = 1;\n',
    'reach/tsconfig.json':
      '{"compilerOptions":{"noEmit":true},"include":[".","../../outside"],"files":["../../outside/hidden.ts"]}',
    'reach/c.ts': "import { hidden } from '../../outside/hidden';\nexport const c = hidden;\n",
    'nothing/tsconfig.json': '{"extends":"./gone.json","files":["gone.ts"]}',
    'nothing/d.ts': 'export const d = 1;\n',
    'loop/tsconfig.json': '{"references":[{"path":"../loop"},{"path":"../circle"}],"include":["."]}',
    'loop/e.ts': 'export const e = 1;\n',
  });
  repo.write('../outside/base.json', '{"compilerOptions":{"strict":true}}');
  repo.write('../outside/hidden.ts', 'export const hidden = 1;\n');
  const { code, refreshed, semantic } = await repo.index();
  expect(code).toBe(0);
  expect(refreshed.jobs.map(({ status, accepted }) => [status, accepted])).toEqual(Array(3).fill(['completed', 1]));
  expect(semantic.contexts.map(({ key, probe, detail }) => [key, probe, detail])).toEqual([
    ['ts-loose:.', 'ok', null],
    [
      'ts:circle/tsconfig.json',
      'config_error',
      expect.stringMatching('extends "./tsconfig.json", which extends it in turn'),
    ],
    ['ts:loop/tsconfig.json', 'ok', null],
    ['ts:nothing/tsconfig.json', 'config_error', expect.stringMatching('extends "./gone.json", which does not exist')],
    ['ts:out/tsconfig.json', 'config_error', expect.stringMatching('which is outside of the repository')],
    ['ts:reach/tsconfig.json', 'ok', null],
  ]);
  expect(semantic.files.by_freshness).toMatchObject({ clean: 3, unindexed: 0, dirty: 0 });
  const { stdout } = await repo.run('def', 'reach/c.ts:2:18');
  expect(stdout).not.toContain('outside/hidden.ts:');
  expect(repo.git('status', '--porcelain')).toBe('');
});
