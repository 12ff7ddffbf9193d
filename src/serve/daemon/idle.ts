/** Ends a daemon that nobody has asked for a while. What is open counts as asking. */

export type Idle = {
  /** The answer says that it is over. */
  enter(): () => void;
  readonly open: number;
  close(): void;
};

export function createIdle(afterMs: number | null, onIdle: () => void): Idle {
  let open = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(timer);
    if (afterMs !== null && open === 0) timer = setTimeout(onIdle, afterMs).unref();
  };
  wait();
  return {
    enter() {
      open += 1;
      clearTimeout(timer);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        open -= 1;
        wait();
      };
    },
    get open() {
      return open;
    },
    close: () => {
      afterMs = null;
      clearTimeout(timer);
    },
  };
}
