/** Places where a test stops, kills or disturbs a writer. Nothing else uses them. */

export type ApplyHooks = {
  /** `before K3`, `after K3`, `before K7 src/a.ts`, `after K7 src/a.ts`, `before restore src/a.ts`, … */
  readonly at: (step: string) => void;
  /** Waits; blocks the thread, because nothing may come between a check and what it was made for. */
  readonly pause: (ms: number) => void;
};

export const noHooks: ApplyHooks = {
  at: () => {},
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};
