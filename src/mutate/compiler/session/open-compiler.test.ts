import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readMarkedEdits } from '../../../../test/support/marked-edits.ts';
import { closePrograms, renderConfig, writeTree } from '../../../../test/support/open-programs.ts';
import { listDescendants } from '../../../kernel/base/processes.ts';
import type { CompilerJob, ProofQuestion } from './messages.ts';
import { type CompilerSettings, openCompiler } from './open-compiler.ts';

const jobs: CompilerJob[] = [];

afterEach(async () => {
  for (const job of jobs.splice(0)) await job.close();
  closePrograms();
});

function makeRoot(): string {
  return writeTree({
    'tsconfig.json': renderConfig(),
    'a.ts': 'export const one = 1;\n',
    'b.ts': "import { one } from './a.js';\nexport const two = one + 1;\n",
  });
}

async function open(root: string, settings: Partial<CompilerSettings> = {}) {
  const job = await openCompiler({
    root,
    programs: [{ key: 'ts:tsconfig.json', config: 'tsconfig.json' }],
    environment: process.env,
    signal: new AbortController().signal,
    ...settings,
  });
  if (job.kind === 'open') jobs.push(job);
  return job;
}

async function mustOpen(root: string, settings: Partial<CompilerSettings> = {}): Promise<CompilerJob> {
  const job = await open(root, settings);
  if (job.kind !== 'open') throw new Error(job.detail);
  return job;
}

const renameOne: ProofQuestion = {
  kind: 'prove',
  oldName: 'one',
  newName: 'uno',
  edits: [
    { path: 'a.ts', start: 13, end: 16, oldText: 'one', newText: 'uno', form: 'plain' },
    { path: 'b.ts', start: 9, end: 12, oldText: 'one', newText: 'uno', form: 'plain' },
    { path: 'b.ts', start: 49, end: 52, oldText: 'one', newText: 'uno', form: 'plain' },
  ],
  moves: [],
  reach: 'repo',
  family: [
    { path: 'a.ts', start: 13, outside: false },
    { path: 'b.ts', start: 9, outside: false },
  ],
  isMember: false,
};

/** Compilers that this process, or what it started, has running. */
function listCompilers(): readonly number[] {
  return listDescendants(process.pid)
    .map(({ pid }) => pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('\0--api\0');
      } catch {
        return false;
      }
    });
}

test('M15 a job opens programs, proves a rename, and leaves nothing behind', async () => {
  const temporary = writeTree({});
  const job = await mustOpen(makeRoot(), { environment: { ...process.env, TMPDIR: temporary } });
  expect(readdirSync(temporary)).toHaveLength(1);
  expect(listCompilers().length).toBeGreaterThan(0);
  expect(await job.ask(renameOne)).toMatchObject({ kind: 'proven', files: 2, programs: 1 });
  // One question after another, in the same process.
  const half = { ...renameOne, edits: renameOne.edits.slice(0, 1) };
  expect(await job.ask(half)).toMatchObject({ kind: 'disproved' });
  await job.close();
  expect(listCompilers()).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
  expect(await job.ask(renameOne)).toMatchObject({ kind: 'failed', detail: expect.stringContaining('closed') });
});

/** A member is asked about everywhere, which is worth sharing. */
const members = readMarkedEdits({
  'c.ts': 'export interface Own { ‹one→uno›: 1; two: 2 }\n',
  'd.ts': "import type { Own } from './c.js';\nexport const get = (own: Own) => own.«one→uno»;\n",
  'e.ts': "import { get } from './d.js';\nexport const got: 2 = get({} as never);\n",
});
const renameMember: ProofQuestion = {
  ...renameOne,
  edits: members.edits,
  family: members.family,
  isMember: true,
};

function makeMembers(): string {
  return writeTree({ 'tsconfig.json': renderConfig(), ...members.files });
}

test('M15 a proof that two processes share is the same proof, and leaves nothing behind', async () => {
  const root = makeMembers();
  const alone = await (await mustOpen(root)).ask(renameMember);
  expect(alone).toMatchObject({ kind: 'proven', files: 3, diagnostics: 1 });
  const job = await mustOpen(root, { limits: { sharedFiles: 1, fewFiles: 0 } });
  const running = listCompilers().length;
  expect(await job.ask(renameMember)).toEqual({ ...alone, ms: expect.anything() });
  const half = { ...renameMember, edits: renameMember.edits.slice(0, 1) };
  expect(await job.ask(half)).toMatchObject({ kind: 'disproved', reason: 'bindings_change' });
  expect(listCompilers()).toHaveLength(running);
});

test('M15 a proof that is expected is begun, and is the one that was asked for', async () => {
  const root = makeMembers();
  const job = await mustOpen(root, { limits: { sharedFiles: 1, fewFiles: 0 } });
  const running = listCompilers().length;
  const { edits } = renameMember;
  job.expect?.({ ...renameMember, edits: edits.slice(1) });
  expect(await job.ask(renameMember)).toMatchObject({ kind: 'proven', files: 3, diagnostics: 1 });
  expect(listCompilers()).toHaveLength(running);
  job.expect?.(renameMember);
  await expect.poll(() => listCompilers().length, { timeout: 300_000 }).toBeGreaterThan(running);
  expect(await job.ask(renameMember)).toMatchObject({ kind: 'proven', files: 3, diagnostics: 1 });
  job.expect?.(renameMember);
  await job.close();
  expect(listCompilers()).toHaveLength(0);
});

test('M15 without a sandbox it is the same job', async () => {
  const job = await mustOpen(makeRoot(), { environment: { PATH: '/nowhere' } });
  expect(await job.ask(renameOne)).toMatchObject({ kind: 'proven' });
  await job.close();
  expect(listCompilers()).toEqual([]);
});

test('a rename is answered from the disk of now', async () => {
  const job = await mustOpen(makeRoot());
  const findings = await job.ask({
    kind: 'rename',
    path: 'a.ts',
    offset: 13,
    newName: 'uno',
    aliasPolicy: 'through',
    publicNames: 'rename',
    census: [],
  });
  expect(findings).toMatchObject({ kind: 'findings', symbol: { name: 'one' } });
  expect(findings.kind === 'findings' && findings.edits.map(({ path, start }) => `${path}:${start}`).sort()).toEqual([
    'a.ts:13',
    'b.ts:49',
    'b.ts:9',
  ]);
});

test('M14 a signal ends the job and the question with it', async () => {
  const stop = new AbortController();
  const job = await mustOpen(makeRoot(), { signal: stop.signal });
  const answer = job.ask(renameOne);
  stop.abort();
  expect(await answer).toMatchObject({ kind: 'failed', detail: expect.stringContaining('cancelled') });
  await job.close();
  expect(listCompilers()).toEqual([]);
});

test('M14 a compiler that dies makes the question fail, not hang', async () => {
  const job = await mustOpen(makeRoot());
  for (const pid of listCompilers()) process.kill(pid, 'SIGKILL');
  expect(await job.ask(renameOne)).toMatchObject({ kind: 'failed' });
});

// A quick machine opens a small project before the first look at its memory.
test('M14 memory is limited, whatever was answered until then', async () => {
  expect(await askToTheEnd({ memoryMb: 16 })).toContain('memory');
  expect(listCompilers()).toEqual([]);
});

test('M14 time is limited, whatever was answered until then', async () => {
  expect(await askToTheEnd({ timeoutS: 0.5 })).toContain('time');
  expect(listCompilers()).toEqual([]);
});

/** What a job that asks for ever says when it is ended. */
async function askToTheEnd(limits: { readonly memoryMb?: number; readonly timeoutS?: number }): Promise<string> {
  const job = await open(makeRoot(), { limits });
  let last: { readonly kind: string; readonly detail?: string } = job;
  while (job.kind === 'open' && last.kind !== 'failed') last = await job.ask(renameOne);
  return last.detail ?? '';
}

test('a question that cannot be read is a failure, and the next one is answered', async () => {
  const job = await mustOpen(makeRoot());
  expect(await job.ask({ kind: 'prove' } as ProofQuestion)).toMatchObject({ kind: 'failed' });
  expect(await job.ask(renameOne)).toMatchObject({ kind: 'proven' });
});

test('a root that is not there', async () => {
  expect(await open(join(makeRoot(), 'nowhere'))).toMatchObject({ kind: 'unavailable', reason: 'failed' });
});
