/**
 * Freshness of indexes that are a function of their input bytes alone: import_graph, dep_graph, facts_store, external_docs_index.
 * Nothing else vouches for them, so bytes that cannot be known now are no freshness (P1).
 */

import { absenceOf, changedSince, compareBytes, countAt, defineCheck, textAt, valueAt } from './define-check.ts';
import { coverageGap, type FreshnessCheck, freshAt, indexerError, neverRan, sliceMalformed } from './freshness.ts';

export function byteIndexFreshness(index: string): FreshnessCheck {
  return defineCheck({
    index,
    missing: (observed) => neverRan(absenceOf(observed)),
    judge: (slice, head, observed) => {
      if (textAt(slice, 'indexed_inputs') === null) return sliceMalformed(index);
      const bytes = compareBytes(slice, observed);
      if (bytes === 'different') return changedSince(slice, head, observed);
      if (bytes === 'unknown') return indexerError(`${index}_inputs_unknown`);
      // Not every byte index parses files one by one; those that do count the ones they could not read.
      const failed = valueAt(slice, 'failed_files') === undefined ? 0 : countAt(slice, 'failed_files');
      if (failed === null) return sliceMalformed(index);
      if (failed > 0) {
        const parsed = countAt(slice, 'parsed_files');
        return parsed === null ? sliceMalformed(index) : coverageGap(parsed, parsed + failed);
      }
      return freshAt(index, textAt(slice, 'indexed_at'));
    },
  });
}
