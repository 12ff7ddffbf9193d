import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTurns, orAborted, within } from './turns.ts';

const stay = new AbortController().signal;
const patient = { waitMs: 60_000, signal: stay };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('turns', () => {
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

  test('who has waited too long, or goes away, leaves the line; who stood behind is served', async () => {
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
