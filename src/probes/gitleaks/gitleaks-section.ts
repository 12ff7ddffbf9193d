/** The section of the search for secrets: places and fingerprints, never the secrets (probes.md §G). */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { scannerOutcome } from '../shared/scanners.ts';
import { standings } from './judge-secret.ts';

const secretPlace = z.strictObject({
  /** A class of the redactor's, or `gitleaks.<rule>` where it has none for it. */
  rule_id: z.string(),
  path: namedOnly(z.string()),
  line: z.int(),
  description: z.string(),
  /** Equal for equal secrets; all zero where a short secret could be guessed back from it, or it could not be read again. */
  match_fingerprint: namedOnly(z.string().regex(/^[0-9a-f]{8}$/)),
  /** Only what is `probable` is an alarm; the others say what it was taken for. */
  standing: z.enum(standings),
  /** Set for what was found in the history. */
  commit: namedOnly(z.string()).nullable(),
});
export type SecretPlace = z.output<typeof secretPlace>;

export const gitleaksSection = z.strictObject({
  scanner: z.enum(['gitleaks', 'builtin']),
  outcome: scannerOutcome,
  history_scanned: z.boolean(),
  findings_count: z.int(),
  /** How many of them are probably real credentials, in a place that ships or runs. */
  alarms_count: z.int(),
  /** The first 2 000, alarms before the others. */
  findings: z.array(secretPlace),
  /** Findings that a comment in place or `.gitleaksignore` would have hidden. */
  suppressed_by_repo: z.int(),
  files_scanned: z.int(),
  rule_pack_version: namedOnly(z.string()),
  scanned_at: z.string(),
  scanned_commit: namedOnly(z.string()).nullable(),
  indexed_inputs: namedOnly(z.string()),
});
