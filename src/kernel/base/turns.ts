/** Asynchronous work in order: one at a time, shared by callers, or so many at once. */

type SharedNext<A extends readonly unknown[], T> = {
  /** The next run takes the arguments of its first caller. */
  ask(...about: A): Promise<T>;
  /** The last run that was asked for and has not ended. */
  readonly pending: Promise<T> | undefined;
};

/** One run at a time. Callers during a run share the next run, which begins after they asked. */
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

const lastTurnOf = new WeakMap<object, Promise<unknown>>();

/** Acts of one object run one after the other, in the order of asking, however long they wait. */
export function inTurn<T>(of: object, act: () => Promise<T>): Promise<T> {
  const before = lastTurnOf.get(of) ?? Promise.resolve();
  const turn = before.then(act, act);
  lastTurnOf.set(
    of,
    turn.catch(() => {}),
  );
  return turn;
}

export type Turns = {
  /** Undefined: the time was up before the turn came. */
  take<T>(
    wait: { readonly waitMs: number; readonly signal: AbortSignal },
    act: () => Promise<T>,
  ): Promise<T | undefined>;
};

/** One after the other, in the order of asking. Waiters time out or abort, and those behind them are served. */
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

/** The same value, unless the signal comes first. The work goes on for its other callers. */
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

/** `Promise.all` over a list with at most so many at once; answers in the order of the list. The first failure ends it. */
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
