/**
 * The verdict on every registered index, from what is known now (gather.md §10, rules 1 and 3 to 6). `index_health` asks at the
 * end of a gather; `status` and `report` ask again at question time. Promises: every index given appears in the answer, one
 * check that throws costs its own entry only, and `commits_behind` has a true count or says with a warning that it has none.
 */

import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import type { Confidence, SettledIndex } from '../contract.ts';
import { type CommitDistance, isCommitId } from './commit-distance.ts';
import { confidenceOf } from './confidence.ts';
import { type IndexFreshness, indexerError } from './freshness.ts';
import { indexFreshnessSchema } from './index-freshness-schema.ts';

export type IndexHealthEntry = {
  readonly freshness: IndexFreshness;
  readonly confidence: Confidence;
  readonly current_commit: string;
  readonly last_indexed_at: string | null;
  readonly detail: JsonObject;
};

export const indexHealthWarnings = [
  'index_health.commits_behind_count_unknown',
  'index_health.head_unresolvable',
  'index_health.no_sources_registered',
] as const;
export type IndexHealthWarning = (typeof indexHealthWarnings)[number];

export type JudgedIndexes = {
  /** By index name, sorted. */
  readonly entries: Readonly<Record<string, IndexHealthEntry>>;
  readonly warnings: readonly IndexHealthWarning[];
  readonly confidence: Confidence;
};

export type Judgement = {
  readonly indexes: readonly SettledIndex[];
  /** Null: no repository, or a branch without a commit. */
  readonly head: string | null;
  /** Null: one of the two is unknown here, or git could not answer. */
  readonly countCommits: (last: string, head: string) => Promise<CommitDistance | null>;
};

export async function judgeIndexes({ indexes, head, countCommits }: Judgement): Promise<JudgedIndexes> {
  const warnings = new Set<IndexHealthWarning>();
  if (indexes.length === 0) warnings.add('index_health.no_sources_registered');
  if (head === null) warnings.add('index_health.head_unresolvable');

  const entries: [string, IndexHealthEntry][] = [];
  // Without HEAD nothing was judged, and absence of data is never high.
  const confidences: Confidence[] = head === null ? ['low'] : [];
  const countOnce = memoised(countCommits);
  for (const index of [...indexes].sort((a, b) => compareCodeUnits(a.name, b.name))) {
    const freshness =
      head === null ? indexerError('repo_not_a_git_workdir') : await judge(index, head, countOnce, warnings);
    const confidence = confidenceOf(freshness);
    if (index.selected) confidences.push(confidence);
    const entry = {
      freshness,
      confidence,
      current_commit: head ?? '',
      last_indexed_at: freshness.kind === 'fresh' ? freshness.indexed_at : null,
      detail: index.detail,
    };
    entries.push([index.name, entry]);
  }
  return {
    entries: Object.fromEntries(entries),
    warnings: [...warnings].sort(compareCodeUnits),
    confidence: lowest(confidences),
  };
}

async function judge(
  index: SettledIndex,
  head: string,
  countCommits: Judgement['countCommits'],
  warnings: Set<IndexHealthWarning>,
): Promise<IndexFreshness> {
  const freshness = checkInIsolation(index, head);
  if (freshness.kind === 'fresh' || freshness.reason.kind !== 'commits_behind') return freshness;
  const last = freshness.reason.last_indexed;
  const distance = isCommitId(last) ? await countCommits(last, head) : null;
  if (distance !== null && distance.right >= 1) return behind(last, distance.right);
  if (distance !== null && distance.left >= 1) return behind(last, distance.left, true);
  warnings.add('index_health.commits_behind_count_unknown');
  return behind(last, 1);
}

/** Rule 3. A check is code of its probe: what it throws, or returns beside its type, must not cost the other indexes theirs. */
function checkInIsolation(index: SettledIndex, head: string): IndexFreshness {
  let errorName: string;
  try {
    const parsed = indexFreshnessSchema.safeParse(index.check(index.slice, head, index.observed));
    if (parsed.success) return parsed.data;
    errorName = 'InvalidFreshness';
  } catch (error) {
    errorName = error instanceof Error ? error.name : typeof error;
  }
  const identifier = String(errorName)
    .replace(/[^A-Za-z0-9_]/g, '')
    .slice(0, 64);
  return indexerError(`freshness_construction_failed_${index.name}_${identifier}`);
}

function behind(lastIndexed: string, n: number, diverged = false): IndexFreshness {
  const reason = { kind: 'commits_behind', n, last_indexed: lastIndexed } as const;
  return { kind: 'stale', reason: diverged ? { ...reason, diverged } : reason };
}

/** Indexes of one gather share their commit: git is asked once for each. */
function memoised(countCommits: Judgement['countCommits']): Judgement['countCommits'] {
  const answers = new Map<string, Promise<CommitDistance | null>>();
  return (last, head) => {
    const answer = answers.get(last) ?? countCommits(last, head);
    answers.set(last, answer);
    return answer;
  };
}

function lowest(confidences: readonly Confidence[]): Confidence {
  return (['low', 'medium'] as const).find((level) => confidences.includes(level)) ?? 'high';
}
