/**
 * Freshness of the runtime trace: it speaks of one image. The current image is the one the engine has now, if it could be
 * asked, so that a rebuild after the gather shows as drift.
 */

import { defineCheck, textAt, valueAt } from './define-check.ts';
import { digestMismatch, freshAt, indexerError, sliceMalformed } from './freshness.ts';

const index = 'runtime_trace';

export const runtimeTraceFreshness = defineCheck({
  index,
  missing: () => indexerError('upstream_runtime_trace_unavailable'),
  judge: (slice, _head, observed) => {
    if (valueAt(slice, 'trace_coverage_confidence') === 'unavailable') {
      return indexerError('upstream_runtime_trace_unavailable');
    }
    const built = valueAt(slice, 'built_image_digest');
    const traced = valueAt(slice, 'last_traced_image_digest');
    const tracedAt = textAt(slice, 'last_traced_at');
    if (!isDigest(built) || !isDigest(traced) || tracedAt === null) return sliceMalformed(index);
    if (built === null) return indexerError('no_built_image');
    if (traced === null) return indexerError('no_trace_recorded');
    const current = observed.imageDigest ?? built;
    if (traced !== current) return digestMismatch({ expected: current, actual: traced });
    return freshAt(index, tracedAt);
  },
});

function isDigest(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
