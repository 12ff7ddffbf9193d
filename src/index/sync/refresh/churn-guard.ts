/**
 * When may the next job of a context start (code-plane.md §7 "Churn guard")? Whoever types is left alone for two seconds, an
 * expensive context is not run back to back, and nobody waits longer than a minute. Pure.
 */

export const churnLimits = { quietMs: 2_000, minGapMs: 5_000, maxWaitMs: 60_000 } as const;

export type ContextActivity = {
  readonly firstChangeMs: number;
  readonly lastChangeMs: number;
  /** Of the last run that started an indexer; null: there was none. */
  readonly lastStartMs: number | null;
  readonly lastDurationMs: number;
};

export function earliestStartMs(activity: ContextActivity): number {
  const { firstChangeMs, lastChangeMs, lastStartMs, lastDurationMs } = activity;
  const afterQuiet = lastChangeMs + churnLimits.quietMs;
  const afterLast = lastStartMs === null ? 0 : lastStartMs + Math.max(churnLimits.minGapMs, lastDurationMs / 2);
  return Math.min(Math.max(afterQuiet, afterLast), firstChangeMs + churnLimits.maxWaitMs);
}
