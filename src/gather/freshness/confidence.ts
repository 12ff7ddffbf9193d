/** How far a verdict lets the facts behind it be trusted. */

import { unreachable } from '../../kernel/base/assert.ts';
import type { Confidence } from '../contract.ts';
import type { IndexFreshness, StaleReason } from './freshness.ts';

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
