/** One at a time: who asks while one is under way gets the next, which begins after they asked, together with everybody else who does. */

export type SharedNext<A extends readonly unknown[], T> = {
  /** The next takes what the first of those who wait for it said. */
  ask(...about: A): Promise<T>;
  /** What was asked for last and has not ended. */
  readonly pending: Promise<T> | undefined;
};

export function shareNext<A extends readonly unknown[], T>(act: (...about: A) => Promise<T>): SharedNext<A, T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  return {
    ask(...about) {
      next ??= (running ?? Promise.resolve())
        .catch(() => {})
        .then(async () => {
          running = next;
          next = undefined;
          try {
            return await act(...about);
          } finally {
            running = undefined;
          }
        });
      return next;
    },
    get pending() {
      return next ?? running;
    },
  };
}

// What changes a plan or the tree runs one after the other in a process; between processes the writer lock sees to it.

const last = new WeakMap<object, Promise<unknown>>();

export function inTurn<T>(of: object, act: () => Promise<T>): Promise<T> {
  const before = last.get(of) ?? Promise.resolve();
  const turn = before.then(act, act);
  last.set(
    of,
    turn.catch(() => {}),
  );
  return turn;
}

// One after the other, in the order of asking; who waits too long, or goes away, leaves the line.

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

// `Promise.all` over a list with at most so many at once; the answers are in the order of the list. The first failure ends it.

export async function mapBounded<T, R>(
  items: readonly T[],
  atOnce: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await map(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
