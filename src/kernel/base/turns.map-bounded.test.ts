import { expect, test } from 'vitest';
import { mapBounded } from './turns.ts';

test('answers keep the order of the list and no more than the bound run at once', async () => {
  let running = 0;
  let most = 0;
  const doubled = await mapBounded([1, 2, 3, 4, 5, 6, 7], 3, async (n) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return n * 2;
  });
  expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(most).toBe(3);
});

test('a failure rejects', async () => {
  await expect(
    mapBounded([1, 2, 3], 2, (n) => (n === 2 ? Promise.reject(new Error('two')) : Promise.resolve(n))),
  ).rejects.toThrow('two');
  expect(await mapBounded([], 2, async () => 1)).toEqual([]);
});
