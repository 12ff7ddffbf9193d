/** The verdicts as they stand in the published context: what a reader of a stored one may rely on, and nothing more. */

import { z } from '../../kernel/base/schema.ts';
import { type Confidence, namedOnly } from '../contract.ts';
import { dirtyFilesListed, type IndexFreshness, type StaleReason } from './freshness.ts';
import { timestampPattern } from './timestamp.ts';

const count = z.int().min(0);
const timestamp = z.string().regex(timestampPattern);

export const staleReasonSchema = z.discriminatedUnion('kind', [
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

export const indexFreshnessSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fresh'), indexed_at: timestamp }),
  z.strictObject({ kind: z.literal('stale'), reason: staleReasonSchema }),
]) satisfies z.ZodType<IndexFreshness>;

export const indexHealthEntrySchema = z.strictObject({
  freshness: indexFreshnessSchema,
  confidence: z.enum(['high', 'medium', 'low'] as const satisfies readonly Confidence[]),
  /** Empty when HEAD could not be resolved. */
  current_commit: namedOnly(z.string()),
  /** Null unless fresh. */
  last_indexed_at: timestamp.nullable(),
  detail: z.record(z.string(), z.json()),
});
