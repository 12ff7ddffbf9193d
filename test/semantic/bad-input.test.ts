/**
 * Indexers and configurations that are broken, hostile or overtaken, from the command line to the answer: each ends as an outcome with a
 * name, what was known before is still known, states stay honest, no process and no job directory is left, and nothing is written into the
 * tree. What one part does with such input is shown beside it: `run-indexer.test.ts` (time, memory, output, forks),
 * `read-index.test.ts` (cuts, hostile parts, fields of a newer schema), `import.test.ts`, `refresh.test.ts`.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ScipPart } from '../../src/index/semantic/scip/types.ts';
import { encodeScip } from '../../src/index/semantic/scip/write-index.ts';
import { describeProgram } from '../support/fake-indexer.ts';
import { installPretendIndexer, type PretendIndexer } from '../support/pretend-indexer.ts';
import { byPath, createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

const timeout = 120_000;
const dirty = 'dirty: has other bytes than when it was indexed';

let repo: SemanticRepo;
afterEach(async () => repo.dispose());

/** In the words that the fake of `fake-indexer.ts` reads, so that outputs can be made by hand. */
const plain = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"noEmit":true},"include":["src"]}',
  'src/a.ts': 'export const one: number = 1\n',
  'src/b.ts': "import { one } from './a'\nexport const two: number = one\n",
  'src/c.ts': 'export const three: number = 3\n',
};
const members = ['src/a.ts', 'src/b.ts', 'src/c.ts'];

async function settledRepo(files: Readonly<Record<string, string>>): Promise<PretendIndexer> {
  repo = createSemanticRepo(files);
  const indexer = installPretendIndexer(repo.base);
  indexer.behave({ does: 'real' });
  expect((await repo.index()).semantic).toMatchObject({ state: 'clean' });
  return indexer;
}

/** Processes that were started from the place of the pretended tool, in or out of a sandbox. */
function processesOf(place: string): readonly string[] {
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
    ['writes more than there may be', 'out_of_memory', run('fs.writeFileSync(output, "x"); fs.truncateSync(output, 2**40)')],
    ['writes half an index', 'decode_error', (i) => i.behave({ does: 'write', bytes: cut(wholeIndex()) })],
    ['writes about other files only', 'too_few_documents', (i) => i.behave({ does: 'write', bytes: encodeScip(strangers()) })],
    ['prints without end', 'tool_crashed', run('for (;;) fs.writeSync(1, "y".repeat(65536))')],
  ];

  test('R15 R18 R24 R26: whatever way it fails', { timeout }, async () => {
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
        // Tried again later, and said so.
        contexts: [{ job: 'queued', last_job: { status: 'failed', failure } }],
      });
      expect({ how, left: [...processesOf(repo.base), repo.hasJobDirs()] }).toEqual({ how, left: [false] });
    }
    expect(repo.git('status', '--porcelain')).toBe(' M src/c.ts\n');
    expect(await repo.refs('src/a.ts:1:14')).toEqual(['src/a.ts:1:14', 'src/b.ts:1:10', 'src/b.ts:2:28']);
    // Before its time nobody tries again, which is no success; an edit asks at once.
    expect(await repo.index()).toMatchObject({ refreshed: { jobs: [], waiting: ['ts:tsconfig.json'] } });
    indexer.behave({ does: 'real' });
    repo.write('src/c.ts', 'export const three: number = 33\n');
    expect(await repo.index()).toMatchObject({ code: 0, semantic: { state: 'clean', jobs: { queued: 0, failed: 0 } } });
  });

  test('R26: one that hangs and forks is ended with the question, and its job waits for the next', { timeout }, async () => {
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
      part.kind === 'document' ? { ...part, document: { ...part.document, relativePath: `other/${part.document.relativePath}` } } : part,
    );
  }
});

test('R14 R17 R20: documents of other places and monstrous symbols beside good documents', { timeout }, async () => {
  const indexer = await settledRepo(plain);
  repo.write('../outside.ts', 'export const outside: number = 1\n');
  repo.write('src/c.ts', 'export const three: number = 31\n');
  const parts = describeProgram(repo.root, members);
  const documents = parts.flatMap((part) => (part.kind === 'document' ? [part.document] : []));
  const [first] = documents;
  if (first === undefined) throw new Error('no document');
  const elsewhere = ['../outside.ts', join(repo.base, 'outside.ts'), join(repo.root, 'src/a.ts'), 'src/../../outside.ts']
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
  const said = { documentation: ['```ts\nvar x\0: \ud800\n```'], relationships: [], kind: 999, displayName: '', signature: '' };
  const infos = monsters.map((symbol) => ({ ...said, symbol, enclosingSymbol: symbol }));
  const hostile = documents.map((document): ScipPart => ({
    kind: 'document',
    document:
      document.relativePath === 'src/c.ts' ? { ...document, symbols: [...document.symbols, ...infos] } : document,
  }));
  const externals = infos.map((symbol): ScipPart => ({ kind: 'external', symbol }));
  const metadata = parts.filter(({ kind }) => kind === 'metadata');
  indexer.behave({ does: 'write', bytes: encodeScip([...metadata, ...elsewhere, ...hostile, ...externals]) });
  const { refreshed, semantic } = await repo.index();
  expect(refreshed.jobs).toMatchObject([{ status: 'completed', accepted: 3, rejected: 0 }]);
  expect(semantic).toMatchObject({ state: 'clean', unsettled: [] });
  expect(await repo.refs('src/a.ts:1:14')).toEqual(['src/a.ts:1:14', 'src/b.ts:1:10', 'src/b.ts:2:28']);
  expect((await repo.run('doctor')).stdout).not.toMatch(/damaged|broken/i);
  expect(repo.git('status', '--porcelain')).toBe(' M src/c.ts\n');
});
