/**
 * Freshness of what was read out of an image: the bill of materials, and the vulnerabilities found in it. Both speak of one
 * image digest; the second also of one vulnerability database, whose age the observer measures because checks read no clock.
 */

import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { absenceOf, defineCheck, textAt, valueAt } from './define-check.ts';
import {
  digestMismatch,
  type FreshnessCheck,
  freshAt,
  type IndexFreshness,
  indexerError,
  neverRan,
  type Observed,
  sliceMalformed,
} from './freshness.ts';

export const sbomFreshness: FreshnessCheck = imageScan('sbom', 'built_image_digest', () => null);
export const cveFreshness: FreshnessCheck = imageScan('cve', 'scanned_image_digest', judgeDatabase);

function imageScan(
  index: string,
  digestKey: string,
  judgeFurther: (slice: JsonObject, observed: Observed) => IndexFreshness | null,
): FreshnessCheck {
  return defineCheck({
    index,
    missing: (observed) => neverRan(absenceOf(observed)),
    judge: (slice, _head, observed) => {
      const outcome = findOutcome(slice);
      if (outcome === null) return sliceMalformed(index);
      if (outcome !== 'ran') return indexerError(`${index}_${outcome}`);
      // A slice that says it ran does not outweigh a probe that did not come to its end.
      if (observed.outcome !== 'ran') return indexerError(`${index}_${observed.outcome}`);
      const digest = valueAt(slice, digestKey);
      if (digest === null) return indexerError('no_built_image');
      if (typeof digest !== 'string') return sliceMalformed(index);
      const current = observed.imageDigest ?? digest;
      if (digest !== current) return digestMismatch({ expected: current, actual: digest });
      return judgeFurther(slice, observed) ?? freshAt(index, textAt(slice, 'scanned_at'));
    },
  });
}

/** The scanner's own account, null if it gives none that is known. */
function findOutcome(slice: JsonObject): 'ran' | 'skipped' | 'failed' | null {
  const outcome = valueAt(slice, 'outcome');
  const kind = isJsonObject(outcome) ? textAt(outcome, 'kind') : null;
  return kind === 'ran' || kind === 'skipped' || kind === 'failed' ? kind : null;
}

const defaultMaxAgeDays = '7';

function judgeDatabase(slice: JsonObject, observed: Observed): IndexFreshness | null {
  const scanned = textAt(slice, 'db_version');
  if (scanned === null) return indexerError('cve_db_version_missing');
  const installed = textAt(observed.expected, 'db_version');
  if (installed === null) return indexerError('cve_expected_version_unknown');
  if (scanned !== installed) return digestMismatch({ expected: installed, actual: scanned });
  const age = textAt(observed.expected, 'db_age_days');
  const maxAge = textAt(observed.expected, 'max_db_age_days') ?? defaultMaxAgeDays;
  return age !== null && !isYoung(age, maxAge) ? indexerError('cve_db_expired') : null;
}

/** An age that is no number is not shown to be young. */
function isYoung(age: string, maxAge: string): boolean {
  const decimal = /^\d+(\.\d+)?$/;
  return decimal.test(age) && decimal.test(maxAge) && Number(age) <= Number(maxAge);
}
