import { expect, test } from 'vitest';
import { shareNext } from './turns.ts';

test('who asks while one is under way gets the next, and shares it; a failure is that of its askers alone', async () => {
  const begun: string[] = [];
  const ends: ((fails: boolean) => void)[] = [];
  const shared = shareNext(async (about: string) => {
    begun.push(about);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    ends.push((fails) => (fails ? reject(new Error(about)) : resolve(about)));
    return promise;
  });
  const first = shared.ask('first');
  expect(shared.ask('too early to be another')).toBe(first);
  expect(shared.pending).toBe(first);
  await Promise.resolve().then(() => {});
  await Promise.resolve();
  expect(begun).toEqual(['first']);
  const second = shared.ask('second');
  expect(second).not.toBe(first);
  expect(shared.ask('shares the second')).toBe(second);
  expect(shared.pending).toBe(second);
  expect(begun).toEqual(['first']);
  ends[0]?.(true);
  await expect(first).rejects.toThrow('first');
  await Promise.resolve().then(() => {});
  await Promise.resolve();
  expect(begun).toEqual(['first', 'second']);
  ends[1]?.(false);
  expect(await second).toBe('second');
  expect(shared.pending).toBeUndefined();
});
