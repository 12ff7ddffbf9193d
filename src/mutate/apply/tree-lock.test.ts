import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeHolder } from '../../kernel/base/processes.ts';
import type { Answer } from '../answer.ts';
import { removeGoneLock, withTreeLock } from './tree-lock.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'codegenie-tree-lock-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const done = { outcome: { kind: 'ok' }, next: '' } as unknown as Answer;
const lock = () => join(root, '.codegenie.lock');
const never = new AbortController().signal;
const take = (act: () => Promise<Answer>, lockWaitMs = 0, signal = never) =>
  withTreeLock({ root, signal, lockWaitMs }, act);
const isFree = async () => (await take(async () => done)) === done;

test('M41 one at a time; released, nothing is left, also where the act throws', async () => {
  const inside = await take(async () => {
    expect(lstatSync(lock()).isSymbolicLink()).toBe(true);
    return take(async () => done);
  });
  expect(inside.outcome).toMatchObject({ kind: 'blocked', reason: 'tree_busy', retry_after_ms: 1_000 });
  expect(inside.outcome).toMatchObject({ detail: expect.stringContaining('.codegenie.lock') });
  expect(readdirSync(root)).toEqual([]);
  await expect(
    take(async () => {
      throw new Error('bug');
    }),
  ).rejects.toThrow('bug');
  expect(readdirSync(root)).toEqual([]);
});

test('M41 a second one waits, and is next', async () => {
  const order: string[] = [];
  const first = take(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    order.push('first');
    return done;
  });
  const next = async () => {
    order.push('second');
    return done;
  };
  const second = take(next, 60_000);
  expect(await Promise.all([first, second])).toEqual([done, done]);
  expect(order).toEqual(['first', 'second']);
});

test('M41 a waiting commit can be stopped', async () => {
  symlinkSync(describeHolder(), lock());
  const stop = new AbortController();
  const waiting = take(async () => done, 60_000, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow();
});

const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
const gone = 2 ** 22 + 1;
test.each([
  ['a process that ended', JSON.stringify({ pid: gone, boot, started: '1', nonce: 'x' })],
  ['a process whose number another has now', JSON.stringify({ pid: process.pid, boot, started: '1', nonce: 'x' })],
  ['another boot', JSON.stringify({ ...JSON.parse(describeHolder()), boot: 'other' })],
  ['the author of the tree', '/etc/passwd'],
  ['no text', '{}'],
])('M41 P9 a lock of %s is taken over, and where it leads is not looked at', async (_, says) => {
  symlinkSync(says, lock());
  expect(await isFree()).toBe(true);
  expect(readdirSync(root)).toEqual([]);
});

test('M41 the lock of a living process is left alone', async () => {
  symlinkSync(describeHolder(), lock());
  expect(await isFree()).toBe(false);
  expect(readdirSync(root)).toEqual(['.codegenie.lock']);
});

test.each([
  ['a file', () => writeFileSync(lock(), describeHolder())],
  ['a directory', () => mkdirSync(lock())],
])('M41 P9 %s of that name is refused by name and stays', async (_, plant) => {
  plant();
  const answer = await take(async () => done);
  expect(answer).toMatchObject({
    outcome: { kind: 'refused', reason: 'lock_in_the_way', detail: expect.stringContaining('.codegenie.lock') },
    next: expect.stringContaining('move it away'),
  });
  expect(readdirSync(root)).toEqual(['.codegenie.lock']);
});

test('M41 where nothing can be made in the root, there is no lock to be had, and no user to keep out', async () => {
  rmSync(root, { recursive: true });
  expect(await isFree()).toBe(true);
});

test('M41 what a killed process left is removed at the next start; a link that tells of no process stays', () => {
  symlinkSync('{"pid":1,"boot":"another","started":"1","nonce":"x"}', lock());
  removeGoneLock(root);
  expect(readdirSync(root)).toEqual([]);
  symlinkSync('somewhere', lock());
  removeGoneLock(root);
  expect(readdirSync(root)).toEqual(['.codegenie.lock']);
  rmSync(lock());
  symlinkSync(describeHolder(), lock());
  removeGoneLock(root);
  expect(readdirSync(root)).toEqual(['.codegenie.lock']);
});
