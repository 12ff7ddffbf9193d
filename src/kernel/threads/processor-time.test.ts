import { expect, test } from 'vitest';
import { whenSpent } from './processor-time.ts';

/** A thread that gets `shareOf` of every millisecond that passes. */
function pretend(shareOf: number) {
  const started = performance.now();
  return { cpuUsage: async () => ({ user: (performance.now() - started) * shareOf * 1000, system: 0 }) };
}

const spentOf = (worker: Parameters<typeof whenSpent>[0], limitMs: number) =>
  new Promise<number>((resolve) => {
    const started = performance.now();
    whenSpent(worker, limitMs, () => resolve((performance.now() - started) / limitMs));
  });

test('G45 a thread that has a processor for itself is ended after its time', async () => {
  expect(await spentOf(pretend(1), 20)).toBeLessThan(50);
});

test('G45 a thread that waits for a processor has its work, not the clock, counted', async () => {
  const alone = await spentOf(pretend(0.1), 20);
  expect(alone).toBeGreaterThan(7);
});

test('G45 one that says nothing is given up all the same, and one that has answered is left alone', async () => {
  await spentOf({ cpuUsage: () => Promise.reject(new Error('gone')) }, 1);
  let ended = false;
  const cancel = whenSpent(pretend(1), 1, () => {
    ended = true;
  });
  cancel();
  await spentOf(pretend(1), 20);
  expect(ended).toBe(false);
});
