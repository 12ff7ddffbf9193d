import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTurns, mapBounded, orAborted, shareNext, within } from './turns.ts';

test('callers during a run share the next run; a failure reaches its own callers alone', async () => {
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

const stay = new AbortController().signal;
const patient = { waitMs: 60_000, signal: stay };

afterEach(() => {
  vi.useRealTimers();
});

describe('turns', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  test('one after the other, in the order of asking, whatever becomes of each', async () => {
    const turns = createTurns();
    const said: string[] = [];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = turns.take(patient, async () => {
      said.push('first begins');
      await gates[0]?.promise;
      said.push('first ends');
      throw new Error('no');
    });
    const second = turns.take(patient, async () => {
      said.push('second begins');
      await gates[1]?.promise;
      return 2;
    });
    const third = turns.take(patient, async () => void said.push('third'));
    gates[1]?.resolve();
    await vi.waitFor(() => expect(said).toEqual(['first begins']));
    gates[0]?.resolve();
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe(2);
    await third;
    expect(said).toEqual(['first begins', 'first ends', 'second begins', 'third']);
  });

  test('waiters time out or abort, and those behind them are served', async () => {
    const turns = createTurns();
    const gate = Promise.withResolvers<void>();
    const gone = new AbortController();
    const act = vi.fn(async () => 'acted');
    const first = turns.take(patient, () => gate.promise);
    const late = turns.take({ waitMs: 100, signal: stay }, act);
    const leaving = turns.take({ waitMs: 60_000, signal: gone.signal }, act);
    const last = turns.take(patient, async () => 'last');
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toBeUndefined();
    gone.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    gate.resolve();
    await first;
    expect(await last).toBe('last');
    expect(act).not.toHaveBeenCalled();
  });
});

test('waiting ends with what is waited for, the time, or the signal', async () => {
  vi.useFakeTimers();
  expect(await within(Promise.resolve(), { waitMs: 0, signal: stay })).toBe(true);
  const never = new Promise<void>(() => {});
  const waiting = within(never, { waitMs: 50, signal: stay });
  await vi.advanceTimersByTimeAsync(50);
  expect(await waiting).toBe(false);
  await expect(within(Promise.reject(new Error('no')), patient)).rejects.toThrow('no');
  await expect(within(never, { waitMs: 1, signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  const gone = new AbortController();
  const raced = orAborted(never, gone.signal);
  gone.abort(new Error('gone'));
  await expect(raced).rejects.toThrow('gone');
  expect(await orAborted(Promise.resolve(1), stay)).toBe(1);
});

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
