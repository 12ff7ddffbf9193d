import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { closePrograms, renderConfig, writeTree } from '../../../../test/support/open-programs.ts';
import { listDescendants } from '../../../kernel/base/processes.ts';
import { createKeptCompilers, type KeptCompilers } from './kept-compilers.ts';
import type { CompilerJob, RenameQuestion } from './messages.ts';
import { type CompilerSettings, openCompiler, startCompiler } from './open-compiler.ts';

const all: KeptCompilers[] = [];

afterEach(async () => {
  for (const one of all.splice(0)) await one.close();
  closePrograms();
});

function keep(...about: Parameters<typeof createKeptCompilers>): KeptCompilers {
  const kept = createKeptCompilers({ mostMb: 100_000, share: 1, ...about[0] }, about[1]);
  all.push(kept);
  return kept;
}

function makeRoot(): string {
  return writeTree({ 'tsconfig.json': renderConfig(), 'a.ts': 'export const one = 1;\n' });
}

async function open(root: string, settings: Partial<CompilerSettings>): Promise<CompilerJob> {
  const job = await openCompiler({
    root,
    programs: [{ key: 'ts:tsconfig.json', config: 'tsconfig.json' }],
    environment: process.env,
    signal: new AbortController().signal,
    ...settings,
  });
  if (job.kind !== 'open') throw new Error(job.detail);
  return job;
}

const rename: RenameQuestion = {
  kind: 'rename',
  path: 'a.ts',
  offset: 13,
  newName: 'uno',
  aliasPolicy: 'through',
  publicNames: 'rename',
  census: [],
};

/** Jobs and compilers that this process, or what it started, has running. */
function listRunning(): readonly number[] {
  return listDescendants(process.pid).map(({ pid }) => pid);
}

test('M14 the next request is lent the same process, and is answered from the disk of now', async () => {
  const root = makeRoot();
  const kept = keep();
  const first = await open(root, { kept });
  expect(await first.ask(rename)).toMatchObject({ kind: 'findings', symbol: { name: 'one' } });
  const running = listRunning();
  await first.close();
  expect(listRunning()).toEqual(running);
  writeFileSync(join(root, 'a.ts'), 'export const eins = 1;\n');
  const second = await open(root, { kept });
  expect(await second.ask(rename)).toMatchObject({ kind: 'findings', symbol: { name: 'eins' } });
  expect(listRunning()).toEqual(expect.arrayContaining(running.slice(0, 1)));
  await second.close();
  await kept.close();
  expect(listRunning()).toEqual([]);
});

test('M14 what is lent to one request is not lent to another, and one of the two is kept', async () => {
  const root = makeRoot();
  const kept = keep();
  const jobs = [await open(root, { kept }), await open(root, { kept })];
  for (const job of jobs) expect(await job.ask(rename)).toMatchObject({ kind: 'findings' });
  const both = listRunning().length;
  for (const job of jobs) await job.close();
  expect(listRunning()).toHaveLength(both / 2);
});

test('M14 the end of a request ends what it still asks, and the next begins anew', async () => {
  const root = makeRoot();
  const kept = keep();
  const stop = new AbortController();
  const job = await open(root, { kept, signal: stop.signal });
  const answer = job.ask(rename);
  stop.abort();
  expect(await answer).toMatchObject({ kind: 'failed', detail: expect.stringContaining('cancelled') });
  await job.close();
  expect(listRunning()).toEqual([]);
  expect(await (await open(root, { kept })).ask(rename)).toMatchObject({ kind: 'findings' });
});

/** Those that it started end with a parent that is killed before them. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

test('M14 one that failed is not kept, and one that died while it was idle is not missed', async () => {
  const root = makeRoot();
  const kept = keep();
  const failing = await open(root, { kept });
  expect(await failing.ask({ kind: 'prove' } as never)).toMatchObject({ kind: 'failed' });
  await failing.close();
  expect(listRunning()).toEqual([]);
  await (await open(root, { kept })).close();
  for (const { pid } of listDescendants(process.pid)) killIfThere(pid);
  expect(await (await open(root, { kept })).ask(rename)).toMatchObject({ kind: 'findings' });
});

test.each([
  ['too large', { mostMb: 1 }],
  ['too large for what is free', { share: 0.000_001 }],
  ['idle', { idleMs: 0 }],
])('M14 it is ended: %s', async (_, limits) => {
  const kept = keep(limits);
  await (await open(makeRoot(), { kept })).close();
  await expect.poll(listRunning, { timeout: 60_000 }).toEqual([]);
});

test('M14 one that is too old is ended when it is next asked for', async () => {
  const root = makeRoot();
  let now = 0;
  const kept = keep({ lifeMs: 1_000 }, () => now);
  await (await open(root, { kept })).close();
  const before = listRunning();
  now = 2_000;
  const next = startCompiler({ root, environment: process.env, signal: new AbortController().signal, kept });
  await expect.poll(() => listRunning().filter((pid) => before.includes(pid)), { timeout: 60_000 }).toEqual([]);
  await next.close();
});
