import { expect, test } from 'vitest';
import { createProcessGroups, runProcess } from '../exec/run-process.ts';
import { listDescendants, measureTree, residentBytes } from './processes.ts';

const onLinux = process.platform === 'linux';
const megabytes = 300;

test.skipIf(!onLinux)(
  'R26: all below a process are found, also those in sessions of their own (needs Linux)',
  async () => {
    const cancel = new AbortController();
    const pids: number[] = [];
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    let leader = 0;
    const running = runProcess({
      file: '/bin/sh',
      args: ['-c', "setsid sh -c 'echo $$; sleep 1000; true' & sh -c 'echo $$; sleep 1000; true' & wait"],
      cwd: '/',
      environment: { PATH: '/usr/bin:/bin' },
      timeoutS: 60,
      maxStdoutBytes: 1024,
      signal: cancel.signal,
      groups: createProcessGroups(),
      onStart: ({ id }) => {
        leader = id;
      },
      onLine: (line) => {
        pids.push(Number(line));
        if (pids.length === 2) resolve();
      },
    });
    await ready;
    const found = listDescendants(leader);
    expect(found.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
    expect(found.every(({ start }) => /^\d+$/.test(start))).toBe(true);
    expect(residentBytes(leader)).toBeGreaterThan(residentBytes(pids[0] ?? 0));
    // They have been started, and sleep.
    const { ticks } = measureTree(leader);
    expect(measureTree(leader).ticks).toBe(ticks);
    expect(measureTree(process.pid).ticks).toBeGreaterThan(ticks);
    cancel.abort();
    await running;
    expect(listDescendants(leader)).toEqual([]);
    expect(residentBytes(leader)).toBe(0);
  },
);

test.skipIf(!onLinux)('R26: what a thread has started is measured with its process (needs Linux)', async () => {
  const heavy = `globalThis.kept = Buffer.alloc(${megabytes} * 2 ** 20, 1); console.log('up'); setTimeout(() => {}, 100_000)`;
  const start = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(heavy)}], { stdio: 'inherit' })`;
  const cancel = new AbortController();
  const { promise: ready, resolve } = Promise.withResolvers<number>();
  let leader = 0;
  const running = runProcess({
    file: process.execPath,
    args: ['-e', `new (require('node:worker_threads').Worker)(${JSON.stringify(start)}, { eval: true })`],
    cwd: '/',
    environment: {},
    timeoutS: 60,
    maxStdoutBytes: 1024,
    signal: cancel.signal,
    groups: createProcessGroups(),
    onStart: ({ id }) => {
      leader = id;
    },
    onLine: () => resolve(residentBytes(leader)),
  });
  expect(await ready).toBeGreaterThan(megabytes * 2 ** 20);
  cancel.abort();
  await running;
});

test('a process that is not there has none below it', () => {
  expect(listDescendants(2 ** 22 + 1)).toEqual([]);
});
