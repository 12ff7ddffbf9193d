/**
 * How fresh a derived body of facts is (gather.md §10). The union is closed: every reader matches exhaustively at both levels.
 * The constructors below are the only places where a verdict is made, so its limits (files ≤ 50, sorted) hold everywhere.
 */

import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { singleLine } from '../../kernel/base/text.ts';

export type StaleReason =
  | { readonly kind: 'commits_behind'; readonly n: number; readonly last_indexed: string; readonly diverged?: true }
  | { readonly kind: 'digest_mismatch'; readonly expected: string; readonly actual: string }
  | { readonly kind: 'coverage_gap'; readonly files_indexed: number; readonly files_in_repo: number }
  | { readonly kind: 'dirty_worktree'; readonly files: readonly string[]; readonly count: number }
  | { readonly kind: 'never_ran'; readonly reason: string }
  | { readonly kind: 'indexer_error'; readonly message: string };

export type IndexFreshness =
  | { readonly kind: 'fresh'; readonly indexed_at: string }
  | { readonly kind: 'stale'; readonly reason: StaleReason };

export type Observed = {
  readonly outcome: 'ran' | 'skipped' | 'failed' | 'timed_out' | 'not_planned';
  readonly reason: string | null;
  readonly inputsDigest: string | null;
  readonly changedFiles: readonly string[];
  /** Inputs of the probes that this one rests on, at any distance, that are others now. */
  readonly upstreamFiles: readonly string[];
  readonly imageDigest: string | null;
  readonly expected: Readonly<Record<string, string | null>>;
};

/** Pure, total, never throws. A missing slice arrives as `{}`. */
export type FreshnessCheck = (slice: JsonObject, head: string, observed: Observed) => IndexFreshness;

/** A verdict names at most this many files; `count` is exact. */
export const dirtyFilesListed = 50;

/** Fresh at the moment the index recorded. A moment that cannot be read is no proof, and the slice is malformed. */
export function freshAt(index: string, recorded: string | null): IndexFreshness {
  if (recorded === null || parseTimestamp(recorded) === null) return sliceMalformed(index);
  return { kind: 'fresh', indexed_at: recorded };
}

/** `judge-indexes.ts`, which can ask git, fills in `n`. */
export function commitsBehind(lastIndexed: string): IndexFreshness {
  return stale({ kind: 'commits_behind', n: 1, last_indexed: lastIndexed });
}

export function digestMismatch(digests: { readonly expected: string; readonly actual: string }): IndexFreshness {
  return stale({ kind: 'digest_mismatch', expected: digests.expected, actual: digests.actual });
}

export function coverageGap(filesIndexed: number, filesInRepo: number): IndexFreshness {
  return stale({ kind: 'coverage_gap', files_indexed: filesIndexed, files_in_repo: filesInRepo });
}

export function dirtyWorktree(changedFiles: readonly string[]): IndexFreshness {
  const distinct = [...new Set(changedFiles)].sort(compareCodeUnits);
  const files = distinct.slice(0, dirtyFilesListed).map(singleLine);
  return stale({ kind: 'dirty_worktree', files, count: distinct.length });
}

export function neverRan(reason: string): IndexFreshness {
  return stale({ kind: 'never_ran', reason });
}

/** `message` is a stable identifier, not prose. */
export function indexerError(message: string): IndexFreshness {
  return stale({ kind: 'indexer_error', message });
}

export function sliceMalformed(index: string): IndexFreshness {
  return indexerError(`${index}_slice_malformed`);
}

function stale(reason: StaleReason): IndexFreshness {
  return { kind: 'stale', reason };
}

/**
 * The moments that indexes record: ISO 8601 with a zone. A time without a zone is refused, because what it means depends on
 * the machine that reads it.
 */
export const timestampPattern = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since the epoch, or null for anything that names no moment. */
export function parseTimestamp(text: string): number | null {
  const match = timestampPattern.exec(text);
  if (match === null) return null;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  // The engine reads 30 February as 2 March.
  if (new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCDate() !== day) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** The same moment as `2026-05-17T00:00:00Z`: one spelling for every reader, to the second. */
export function renderUtc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
