/**
 * Freshness of indexes that are as good as the rules they were made with: what was recorded is compared with what is installed
 * and configured now. A version that is not known on either side is never taken for equal.
 */

import { isJsonObject } from '../../kernel/base/json.ts';
import { absenceOf, changedSince, compareBytes, defineCheck, textAt, valueAt } from './define-check.ts';
import { digestMismatch, type FreshnessCheck, freshAt, indexerError, neverRan, sliceMalformed } from './freshness.ts';

export type VersionPair = {
  /** `semgrep`, `ast_grep`, `gitleaks`, `conventions`, `skills`. */
  readonly index: string;
  readonly versionKey: 'rule_pack_version' | 'catalog_version';
};

export function versionPairFreshness({ index, versionKey }: VersionPair): FreshnessCheck {
  return defineCheck({
    index,
    missing: (observed) => neverRan(absenceOf(observed)),
    judge: (slice, head, observed) => {
      const outcome = valueAt(slice, 'outcome');
      const kind = isJsonObject(outcome) ? textAt(outcome, 'kind') : null;
      if (isJsonObject(outcome) && kind === 'skipped') {
        return neverRan(textAt(outcome, 'reason') ?? observed.reason ?? 'skipped');
      }
      if (kind === 'failed') return indexerError(`${index}_failed`);
      const recorded = textAt(slice, versionKey);
      const scannedAt = textAt(slice, 'scanned_at');
      const outcomeIsKnown = outcome === undefined || kind === 'ran';
      if (!outcomeIsKnown || recorded === null || scannedAt === null) return sliceMalformed(index);
      const now = textAt(observed.expected, `expected_${versionKey}`);
      if (now === null) return indexerError(`${index}_expected_version_unknown`);
      if (now !== recorded) return digestMismatch({ expected: now, actual: recorded });
      const bytes = compareBytes(slice, observed);
      const commit = textAt(slice, 'indexed_inputs') === null ? null : textAt(slice, 'scanned_commit');
      // Another commit may have brought other bytes; only equal ones show that it did not (P1, as for scip).
      const unproven = bytes === 'unknown' && commit !== null && commit !== head;
      if (bytes === 'different' || unproven) return changedSince(slice, head, observed);
      return freshAt(index, scannedAt);
    },
  });
}
