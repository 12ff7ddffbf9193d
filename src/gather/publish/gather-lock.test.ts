import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processStart } from '../../kernel/base/processes.ts';
import { acquireGatherLock, type LockOutcome } from './gather-lock.ts';

let dataDir: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'codegenie-lock-'));
  mkdirSync(join(dataDir, 'run'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

const lock = () => join(dataDir, 'run/gather.lock');
const never = new AbortController().signal;
const acquire = (waitS = 0, signal = never) => acquireGatherLock(dataDir, waitS, signal);
const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
const plant = (owner: unknown) => writeFileSync(lock(), typeof owner === 'string' ? owner : JSON.stringify(owner));

function held(outcome: LockOutcome): Extract<LockOutcome, { kind: 'held' }> {
  if (outcome.kind !== 'held') throw new Error(outcome.kind);
  return outcome;
}

test('G27 one holder at a time; released, nothing is left', async () => {
  const first = held(await acquire());
  expect(await acquire()).toMatchObject({ kind: 'busy' });
  first.release();
  held(await acquire()).release();
  expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
});

test('G27 a second one waits until the first lets go', async () => {
  const first = held(await acquire());
  const second = acquire(30);
  first.release();
  held(await second).release();
});

test.each([
  ['of a process that is gone', { pid: 2 ** 22 + 1, boot, started: '1', nonce: '' }],
  ['of a process whose number another one has now', { pid: process.pid, boot, started: '1', nonce: '' }],
  [
    'from before the machine was started again',
    { pid: process.pid, boot: 'other', started: processStart(process.pid), nonce: '' },
  ],
  ['that is no lock of ours', 'rubbish'],
  ['that is empty', ''],
  ['without a number', { boot, started: '1' }],
])('G27 a lock %s is taken over', async (_, owner) => {
  plant(owner);
  held(await acquire()).release();
  expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
});

test('G27 a living owner is respected, and named', async () => {
  const owner = { pid: process.pid, boot, started: processStart(process.pid), nonce: 'x' };
  plant(owner);
  expect(await acquire()).toEqual({ kind: 'busy', owner: JSON.stringify(owner) });
  expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual(owner);
});

test('G27 a zombie holds nothing', async () => {
  // The shell starts a child that ends at once and never asks after it.
  child = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = await new Promise<number>((resolve) =>
    child?.stdout?.once('data', (text: Buffer) => resolve(Number(text))),
  );
  plant({ pid, boot, started: 'any', nonce: '' });
  await expect.poll(() => processStart(pid), { timeout: 300_000 }).toBe('gone');
  held(await acquire()).release();
});

test('G27 release leaves the lock of another process alone', async () => {
  const first = held(await acquire());
  plant({ pid: process.pid, boot, started: processStart(process.pid), nonce: 'other' });
  first.release();
  expect(existsSync(lock())).toBe(true);
});

test('waiting ends when the signal does, and leaves nothing', async () => {
  const first = held(await acquire());
  const controller = new AbortController();
  const waiting = acquire(30, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  first.release();
  expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
});

test('G27 of many at once exactly one holds it', async () => {
  plant({ pid: 2 ** 22 + 1, boot, started: '1', nonce: '' });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => acquire()));
  expect(outcomes.filter((outcome) => outcome.kind === 'held')).toHaveLength(1);
});
