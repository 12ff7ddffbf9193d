/** The section `grep_findings`. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { scannerOutcome } from '../shared/scanners.ts';

const grepFinding = z.strictObject({
  pattern_id: z.string(),
  path: namedOnly(z.string()),
  line: z.int(),
  snippet: z.string().max(200),
});
export type GrepFinding = z.output<typeof grepFinding>;

export const grepSection = z.strictObject({
  outcome: scannerOutcome,
  /** The curated ones, then `extra_<n>` for each of `ripgrep.extra_patterns`. */
  patterns: z.array(
    z.strictObject({
      id: z.string(),
      /** Lines, each counted once per pattern. */
      matches: z.int(),
      files: z.int(),
      /** Some file has more matching lines than are told. */
      capped: z.boolean(),
    }),
  ),
  findings: z.array(grepFinding),
  findings_total: z.strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) }),
});
