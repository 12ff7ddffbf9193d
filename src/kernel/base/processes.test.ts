import { expect, test } from 'vitest';
import { createProcessGroups, runProcess } from '../exec/run-process.ts';
import { listDescendants, measureTree, residentBytes } from './processes.ts';

const onLinux = process.platform === 'linux';

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

test('a process that is not there has none below it', () => {
  expect(listDescendants(2 ** 22 + 1)).toEqual([]);
});
