/**
 * The verdict on every registered index, from what is known now (gather.md §10, rules 1 and 3 to 6). `index_health` asks at the
 * end of a gather; `status` and `report` ask again at question time. Promises: every index given appears in the answer, one
 * check that throws costs its own entry only, and `commits_behind` has a true count or says with a warning that it has none.
 */

import { unreachable } from '../../kernel/base/assert.ts';
import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { textAt } from '../../kernel/base/json-access.ts';
import { z } from '../../kernel/base/schema.ts';
import type { Exec, ExecOutcome } from '../../kernel/exec/exec.ts';
import { type Confidence, namedOnly, type SettledIndex } from '../contract.ts';
import {
  dirtyFilesListed,
  type IndexFreshness,
  indexerError,
  parseTimestamp,
  type StaleReason,
  timestampPattern,
} from './index-freshness.ts';

type IndexHealthEntry = {
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
type IndexHealthWarning = (typeof indexHealthWarnings)[number];

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
    if (index.selected && !isAboutNothing(freshness)) confidences.push(confidence);
    const entry = {
      freshness,
      confidence,
      current_commit: head ?? '',
      last_indexed_at: lastIndexedAt(freshness, index.slice),
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

/** Without an image there is nothing that a trace, or a scan of it, could be wrong about. */
function isAboutNothing(freshness: IndexFreshness): boolean {
  if (freshness.kind === 'fresh') return false;
  return freshness.reason.kind === 'indexer_error' && freshness.reason.message === 'no_built_image';
}

/** As the index recorded it. One that never ran, or failed, has nothing that was made at any time. */
function lastIndexedAt(freshness: IndexFreshness, slice: JsonObject): string | null {
  if (freshness.kind === 'fresh') return freshness.indexed_at;
  if (freshness.reason.kind === 'never_ran' || freshness.reason.kind === 'indexer_error') return null;
  const names = ['last_indexed_at', 'last_traced_at', 'scanned_at', 'indexed_at'];
  return (
    names.map((name) => textAt(slice, name)).find((text) => text !== null && parseTimestamp(text) !== null) ?? null
  );
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

const count = z.int().min(0);
const timestamp = z.string().regex(timestampPattern);

const staleReasonSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('commits_behind'),
    n: z.int().min(1),
    last_indexed: namedOnly(z.string()),
    diverged: z.literal(true).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('digest_mismatch'),
    expected: namedOnly(z.string()),
    actual: namedOnly(z.string()),
  }),
  z.strictObject({ kind: z.literal('coverage_gap'), files_indexed: count, files_in_repo: count }),
  z.strictObject({
    kind: z.literal('dirty_worktree'),
    files: z.array(namedOnly(z.string())).max(dirtyFilesListed),
    count,
  }),
  z.strictObject({ kind: z.literal('never_ran'), reason: z.string() }),
  z.strictObject({ kind: z.literal('indexer_error'), message: z.string() }),
]) satisfies z.ZodType<StaleReason>;

/**
 * The verdicts as they stand in the published context: what a reader of a stored one may rely on, and nothing more.
 */
export const indexFreshnessSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fresh'), indexed_at: timestamp }),
  z.strictObject({ kind: z.literal('stale'), reason: staleReasonSchema }),
]) satisfies z.ZodType<IndexFreshness>;

export const indexHealthEntrySchema = z.strictObject({
  freshness: indexFreshnessSchema,
  confidence: z.enum(['high', 'medium', 'low'] as const satisfies readonly Confidence[]),
  /** Empty when HEAD could not be resolved. */
  current_commit: namedOnly(z.string()),
  /** When what is there was made, fresh or not; null where nothing was. */
  last_indexed_at: timestamp.nullable(),
  detail: z.record(z.string(), z.json()),
});

/** How far a verdict lets the facts behind it be trusted. */
export function confidenceOf(freshness: IndexFreshness): Confidence {
  switch (freshness.kind) {
    case 'fresh':
      return 'high';
    case 'stale':
      return confidenceWhenStale(freshness.reason);
    default:
      return unreachable(freshness);
  }
}

function confidenceWhenStale(reason: StaleReason): Confidence {
  switch (reason.kind) {
    case 'commits_behind':
    case 'dirty_worktree':
    case 'digest_mismatch':
      return 'medium';
    case 'coverage_gap':
      // indexed / total ≥ 0.90, in integers.
      return reason.files_indexed * 10 >= reason.files_in_repo * 9 ? 'medium' : 'low';
    case 'never_ran':
    case 'indexer_error':
      return 'low';
    default:
      return unreachable(reason);
  }
}

/** Commits only the first side has, commits only the second side has. */
type CommitDistance = { readonly left: number; readonly right: number };

type Git = Pick<Exec, 'git'>;

/** Only a git that works: one that sleeps without a word is given up earlier (`gitStallMs`). */
const timeoutS = 60;

/** The commit HEAD points at; null outside a repository, on an unborn branch, or when git cannot answer. */
export async function readHead(exec: Git): Promise<string | null> {
  const text = exitedText(await exec.git(['rev-parse', '--verify', 'HEAD'], { timeoutS }))?.trim();
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null;
}

/** Null when one of the two is no known commit, or git cannot answer. */
export async function countCommits(exec: Git, last: string, head: string): Promise<CommitDistance | null> {
  if (!isCommitId(last) || !isCommitId(head)) return null;
  const args = ['rev-list', '--left-right', '--count', `${last}...${head}`, '--'];
  return parseCommitDistance(exitedText(await exec.git(args, { timeoutS })) ?? '');
}

/** `3\t5\n` → left 3, right 5. */
export function parseCommitDistance(stdout: string): CommitDistance | null {
  const match = /^(\d{1,15})\t(\d{1,15})\n?$/.exec(stdout);
  return match === null ? null : { left: Number(match[1]), right: Number(match[2]) };
}

/** Recorded commits come from files: what is no commit id never reaches git's command line, where it could be an option. */
export function isCommitId(text: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(text);
}

function exitedText(outcome: ExecOutcome): string | undefined {
  return outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.toString('utf8') : undefined;
}
