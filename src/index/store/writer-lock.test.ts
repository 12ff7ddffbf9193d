import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processStart } from '../../kernel/base/processes.ts';
import { readWriterIdentity, takeWriterLock, type WriterLock, type WriterLockOutcome } from './writer-lock.ts';

let directory: string;
let stateDir: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'lock-')));
  stateDir = join(directory, '.codegenie');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const never = new AbortController().signal;
const take = (waitMs: number): Promise<WriterLockOutcome> => takeWriterLock({ stateDir, waitMs, signal: never });
async function hold(): Promise<WriterLock> {
  const lock = await take(0);
  if (lock.kind !== 'taken') throw new Error(lock.kind);
  return lock;
}

test('R10: the holder of the lock keeps all other processes out and says who it is', async () => {
  const lock = await hold();
  lock.announce('/run/codegenie.sock');
  const second = await take(0);
  expect(second).toEqual({
    kind: 'busy',
    holder: { pid: process.pid, started: processStart(process.pid), nonce: lock.nonce, socket: '/run/codegenie.sock' },
  });
  lock.release();
  lock.release();
  expect(existsSync(`${stateDir}/run/writer.json`)).toBe(false);
  (await hold()).release();
});

test('R10: killing the holder leaves no lock behind', async () => {
  const file = fileURLToPath(new URL('../../../test/support/store-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, 'hold', stateDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const busy = await take(0);
  expect(busy).toMatchObject({ kind: 'busy', holder: { pid: child.pid, socket: '/run/x.sock' } });
  child.kill('SIGKILL');
  await ended;
  // Its file is still there, and is not believed.
  expect(readWriterIdentity(stateDir)).toMatchObject({ pid: child.pid });
  const lock = await take(0);
  expect(lock.kind).toBe('taken');
  expect(readWriterIdentity(stateDir)).toMatchObject({ pid: process.pid });
  if (lock.kind === 'taken') lock.release();
});

test('R10: a waiting process gets the lock when it is released, and the event loop runs meanwhile', async () => {
  const lock = await hold();
  const waiting = take(60_000);
  // If waiting blocked, this would never come.
  setImmediate(() => setImmediate(() => lock.release()));
  const next = await waiting;
  expect(next.kind).toBe('taken');
  if (next.kind === 'taken') next.release();
});

test('of many that ask at once, one at a time holds it', async () => {
  let holders = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const lock = await take(60_000);
      if (lock.kind !== 'taken') throw new Error(lock.kind);
      holders += 1;
      most = Math.max(most, holders);
      await new Promise((resolve) => setImmediate(resolve));
      holders -= 1;
      lock.release();
    }),
  );
  expect(most).toBe(1);
});

test('an abort ends the waiting', async () => {
  const lock = await hold();
  const controller = new AbortController();
  const waiting = takeWriterLock({ stateDir, waitMs: 60_000, signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toThrow('abort');
  lock.release();
});

test('a removed run/ is made anew, and its old lock keeps no one out', async () => {
  const lost = await hold();
  rmSync(`${stateDir}/run`, { recursive: true });
  const lock = await hold();
  lost.release();
  expect(readWriterIdentity(stateDir)?.nonce).toBe(lock.nonce);
  lock.release();
});

test.each(['', 'run', 'run/writer.db', 'run/writer.json'])('a link at .codegenie/%s is refused', async (name) => {
  mkdirSync(`${stateDir}/run`, { recursive: true });
  const path = name === '' ? stateDir : `${stateDir}/${name}`;
  const outside = `${directory}/outside`;
  rmSync(path, { recursive: true, force: true });
  if (name.includes('.')) writeFileSync(outside, '');
  else mkdirSync(outside);
  symlinkSync(outside, path);
  expect(await take(0)).toMatchObject({ kind: 'refused', path });
  // A refusal after the lock was taken gives it back.
  rmSync(path);
  (await hold()).release();
});

test('something that is no lock of ours is refused and left alone', async () => {
  mkdirSync(`${stateDir}/run`, { recursive: true });
  writeFileSync(`${stateDir}/run/writer.db`, 'precious'.repeat(1000));
  expect(await take(0)).toMatchObject({ kind: 'refused', path: `${stateDir}/run/writer.db` });
  expect(readFileSync(`${stateDir}/run/writer.db`, 'utf8')).toBe('precious'.repeat(1000));
});

test.each(['', '{}', 'null', '{"pid":"1","started":"x","nonce":"y","socket":null}', `"${'x'.repeat(5000)}"`])(
  'a writer.json of %j says nothing',
  async (text) => {
    const lock = await hold();
    writeFileSync(`${stateDir}/run/writer.json`, text);
    expect(await take(0)).toEqual({ kind: 'busy', holder: null });
    lock.release();
  },
);

test('the files are private', async () => {
  const lock = await hold();
  expect(statSync(`${stateDir}/run`).mode & 0o777).toBe(0o700);
  for (const name of ['writer.db', 'writer.json']) expect(statSync(`${stateDir}/run/${name}`).mode & 0o777).toBe(0o600);
  lock.release();
});
