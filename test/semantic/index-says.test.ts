/** What `status` and `index` say to a person whose contexts are not what they meant, whose files got no document, or who pressed Ctrl-C. */

import { afterEach, expect, test } from 'vitest';
import type { Terminal } from '../../src/cli/command.ts';
import { runCommandLine } from '../../src/cli/main.ts';
import { encodeScip } from '../../src/kernel/formats/write-scip.ts';
import { describeProgram } from '../support/fake-indexer.ts';
import { installPretendIndexer } from '../support/pretend-indexer.ts';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';
import { sharedPool } from '../support/shared-pool.ts';

let repo: SemanticRepo;
afterEach(async () => repo.dispose());

const sources = Object.fromEntries(
  Array.from({ length: 11 }, (_, n) => [`src/m${n}.ts`, `export const m${n}: number = ${n}\n`]),
);
const files = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"noEmit":true,"lib":["esnext"]},"include":["src"]}',
  ...sources,
};

test('what is wrong with contexts.json is in every answer about contexts', async () => {
  repo = createSemanticRepo(files);
  const said = '.codegenie/contexts.json: there is no context "ts:tsconfg.json"';
  repo.write('.codegenie/contexts.json', '{"version":1,"contexts":[{"key":"ts:tsconfg.json","disabled":true}]}');
  expect(await repo.status()).toMatchObject({ problems: [said] });
  expect((await repo.run('status')).stdout).toContain(`\n${said}\n`);
  expect((await repo.run('index')).stdout).toContain(`\n${said}`);
  repo.write('.codegenie/contexts.json', '{"version":1');
  expect((await repo.run('status')).stdout).toMatch(/^\.codegenie\/contexts\.json cannot be read/m);
  repo.remove('.codegenie/contexts.json');
  expect(await repo.status()).toMatchObject({ problems: [] });
});

test('R24 a file that the last run gave no document for is said to be one, until it changes', async () => {
  repo = createSemanticRepo(files);
  const indexer = installPretendIndexer(repo.base);
  const given = Object.keys(sources).filter((path) => path !== 'src/m3.ts');
  indexer.behave({ does: 'write', bytes: encodeScip(describeProgram(repo.root, given)) });
  expect(await repo.unsettled()).toMatchObject({ 'src/m3.ts': 'unindexed: has not been indexed' });
  await repo.index();
  expect(await repo.unsettled()).toEqual({
    'src/m3.ts': 'unindexed: has not been indexed: the last run gave no document for it that fits',
  });
  expect((await repo.run('status')).stdout).toContain('the last run gave no document for it that fits');
  repo.write('src/m3.ts', 'export const m3: number = 33\n');
  expect(await repo.unsettled()).toEqual({ 'src/m3.ts': 'unindexed: has not been indexed' });
});

test('R24 a document that was not taken over is named with its reason', async () => {
  repo = createSemanticRepo(files);
  const indexer = installPretendIndexer(repo.base);
  const parts = describeProgram(repo.root, Object.keys(sources)).map((part) => {
    if (part.kind !== 'document' || part.document.relativePath !== 'src/m3.ts') return part;
    const occurrences = part.document.occurrences.map((occurrence) => ({ ...occurrence, range: [99, 0, 1] }));
    return { ...part, document: { ...part.document, occurrences } };
  });
  indexer.behave({ does: 'write', bytes: encodeScip(parts) });
  await repo.index();
  expect(await repo.unsettled()).toEqual({
    'src/m3.ts': expect.stringMatching(
      /^unindexed: has not been indexed: what the last run gave for it did not fit \(.+\)$/,
    ),
  });
});

test.each([[[]], [['--json']]])('Ctrl-C during index --semantic %j: one line, and no report', async (flags) => {
  repo = createSemanticRepo(files);
  installPretendIndexer(repo.base).behave({ does: 'real', waitsFirst: true });
  const interrupt = new AbortController();
  const said = { stdout: '', stderr: '' };
  const terminal: Terminal = {
    cwd: repo.root,
    home: repo.base,
    environment: { PATH: process.env['PATH'], HOME: repo.base },
    stdout: {
      write(text: string) {
        said.stdout += text;
      },
    },
    stderr: {
      isTTY: true,
      write(text: string) {
        said.stderr += text;
        // The line that is drawn when a job starts.
        if (text.includes('indexing with compilers')) interrupt.abort(new Error('interrupted'));
      },
    },
    signal: interrupt.signal,
    nowMs: Date.now,
    pool: sharedPool(),
  };
  expect(await runCommandLine(['index', '--semantic', ...flags], terminal)).toBe('interrupted');
  const message = 'stopped; what was queued goes on with the next `index --semantic`';
  if (flags.length > 0) {
    expect(JSON.parse(said.stdout)).toEqual({ outcome: 'interrupted', message });
  } else {
    expect(said.stdout).toBe('');
    expect(said.stderr.split('\n').filter((line) => line !== '')).toEqual([
      expect.stringMatching(/codegenie: stopped; what was queued goes on with the next `index --semantic`$/),
    ]);
  }
  expect(repo.hasJobDirs()).toBe(false);
  expect(await repo.status()).toMatchObject({ jobs: { queued: 1, running: 0 } });
});
