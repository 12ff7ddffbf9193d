/**
 * Freshness of the SCIP index. Errors come before coverage, because an indexer that failed has no coverage to speak of, and
 * bytes come before commits: an index of the same bytes stays fresh across commits that do not touch its inputs.
 */

import { compareBytes, countAt, defineCheck, textAt } from './define-check.ts';
import { commitsBehind, coverageGap, dirtyWorktree, freshAt, indexerError, sliceMalformed } from './freshness.ts';

const index = 'scip';

export const scipFreshness = defineCheck({
  index,
  missing: () => indexerError('upstream_scip_unavailable'),
  judge: (slice, head, observed) => {
    const commit = textAt(slice, 'last_indexed_commit');
    const indexedAt = textAt(slice, 'last_indexed_at');
    const filesIndexed = countAt(slice, 'files_indexed');
    const filesInRepo = countAt(slice, 'files_in_repo');
    const errors = countAt(slice, 'indexer_errors');
    if (commit === null || indexedAt === null || filesIndexed === null || filesInRepo === null || errors === null) {
      return sliceMalformed(index);
    }
    if (errors > 0) return indexerError(`indexer_reported_${errors}_errors`);
    const bytes = compareBytes(slice, observed);
    if (commit !== head && bytes !== 'equal') return commitsBehind(commit);
    if (bytes === 'different') return dirtyWorktree(observed.changedFiles);
    if (filesIndexed < filesInRepo) return coverageGap(filesIndexed, filesInRepo);
    return freshAt(index, indexedAt);
  },
});
