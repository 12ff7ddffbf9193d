import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdle } from './daemon-lifetime.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('no question since the start', () => {
  const onIdle = vi.fn();
  createIdle(1_000, onIdle);
  vi.advanceTimersByTime(999);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledOnce();
});

test('what is open counts, and the time begins anew when the last is over', () => {
  const onIdle = vi.fn();
  const idle = createIdle(1_000, onIdle);
  const ends = [idle.enter(), idle.enter()];
  expect(idle.open).toBe(2);
  vi.advanceTimersByTime(100_000);
  ends[0]?.();
  // Said twice, it is over once.
  ends[0]?.();
  vi.advanceTimersByTime(100_000);
  expect(onIdle).not.toHaveBeenCalled();
  ends[1]?.();
  vi.advanceTimersByTime(999);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledOnce();
});

test('never, where it is to stay or has ended', () => {
  const onIdle = vi.fn();
  createIdle(null, onIdle).enter()();
  const closed = createIdle(1_000, onIdle);
  closed.close();
  closed.enter()();
  vi.advanceTimersByTime(100_000);
  expect(onIdle).not.toHaveBeenCalled();
});
