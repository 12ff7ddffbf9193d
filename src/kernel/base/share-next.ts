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
