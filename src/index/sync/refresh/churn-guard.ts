/**
 * When may the next job of a context start (code-plane.md §7 "Churn guard")? Whoever types is left alone for two seconds, an
 * expensive context is not run back to back, and nobody waits longer than a minute. A job about single files costs a second and has
 * shorter ones: a saved file is to be clean again before somebody asks. Pure.
 */

import type { Granularity } from '../../../languages/context-spec.ts';

export const churnLimits = { quietMs: 2_000, minGapMs: 5_000, maxWaitMs: 60_000 } as const;
export const churnLimitsByFile = { quietMs: 300, minGapMs: 1_000, maxWaitMs: 10_000 } as const;

export type ContextActivity = {
  readonly firstChangeMs: number;
  readonly lastChangeMs: number;
  /** Of the last run that started an indexer; null: there was none. */
  readonly lastStartMs: number | null;
  readonly lastDurationMs: number;
};

export function earliestStartMs(activity: ContextActivity, granularity: Granularity = 'project'): number {
  const { firstChangeMs, lastChangeMs, lastStartMs, lastDurationMs } = activity;
  const { quietMs, minGapMs, maxWaitMs } = granularity === 'file' ? churnLimitsByFile : churnLimits;
  const afterQuiet = lastChangeMs + quietMs;
  const afterLast = lastStartMs === null ? 0 : lastStartMs + Math.max(minGapMs, lastDurationMs / 2);
  return Math.min(Math.max(afterQuiet, afterLast), firstChangeMs + maxWaitMs);
}
