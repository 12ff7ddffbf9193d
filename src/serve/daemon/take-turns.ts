/** One after the other, in the order of asking; who waits too long, or goes away, leaves the line. */

export type Turns = {
  /** Undefined: the time was up before the turn came. */
  take<T>(
    wait: { readonly waitMs: number; readonly signal: AbortSignal },
    act: () => Promise<T>,
  ): Promise<T | undefined>;
};

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async take(wait, act) {
      const before = last;
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      last = before.then(() => ended);
      try {
        if (!(await within(before, wait))) return undefined;
        return await act();
      } finally {
        end();
      }
    },
  };
}

/** Whether it happened in time. Rejects when the signal ends the waiting. */
export async function within(
  happens: Promise<unknown>,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.min(waitMs, 2 ** 31 - 1));
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  happens.then(() => resolve(true), reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

/** The same value, unless the signal comes first. What was begun goes on for whoever else waits for it. */
export async function orAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([value, promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
