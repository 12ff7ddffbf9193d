import { expect, test } from 'vitest';
import { createInterrupt } from './main.ts';

/** A clock that a test moves on by hand. */
function createRig(owes: () => boolean = () => false) {
  const waiting: { readonly atMs: number; readonly act: () => void }[] = [];
  let nowMs = 0;
  const exits: number[] = [];
  const interrupt = createInterrupt({
    exit: () => void exits.push(nowMs),
    later: (ms, act) => void waiting.push({ atMs: nowMs + ms, act }),
    owes,
  });
  const passTo = (ms: number) => {
    for (; nowMs < ms; nowMs += 100)
      for (const one of waiting.splice(0)) {
        if (one.atMs <= nowMs) one.act();
        else waiting.push(one);
      }
  };
  return { ...interrupt, exits, passTo };
}

test('a signal stops the work, and ends the process within a second if the work does not stop', () => {
  const { signal, onSignal, exits, passTo } = createRig();
  passTo(5_000);
  expect([signal.aborted, exits]).toEqual([false, []]);
  onSignal();
  expect(signal.aborted).toBe(true);
  passTo(5_500);
  expect(exits).toEqual([]);
  passTo(6_000);
  expect(exits).toEqual([5_600]);
});

test('a second signal ends it at once', () => {
  const { onSignal, exits } = createRig();
  onSignal();
  onSignal();
  expect(exits).toEqual([0]);
});

test('what would outlive the process is waited for, but not for ever', () => {
  let isLeft = true;
  const some = createRig(() => isLeft);
  some.onSignal();
  some.passTo(3_000);
  expect(some.exits).toEqual([]);
  isLeft = false;
  some.passTo(4_000);
  expect(some.exits).toHaveLength(1);

  const always = createRig(() => true);
  always.onSignal();
  always.passTo(12_000);
  expect(always.exits).toHaveLength(1);
});
