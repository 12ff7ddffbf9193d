/** How fresh a derived body of facts is. The union is closed: every reader matches exhaustively at both levels. */

import type { JsonObject } from '../../kernel/base/json.ts';

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
  readonly imageDigest: string | null;
  readonly expected: Readonly<Record<string, string | null>>;
};

/** Pure, total, never throws. A missing slice arrives as `{}`. */
export type FreshnessCheck = (slice: JsonObject, head: string, observed: Observed) => IndexFreshness;
