/**
 * What all freshness checks share: the guard in front of the rules, and reading a slice that may be any JSON at all.
 * A check made here is total: whatever stands in the three positions, it answers and never throws.
 */

import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import {
  commitsBehind,
  dirtyWorktree,
  type FreshnessCheck,
  type IndexFreshness,
  type Observed,
  sliceMalformed,
} from './freshness.ts';

export type CheckRules = {
  readonly index: string;
  /** The verdict when there is no slice. */
  readonly missing: (observed: Observed) => IndexFreshness;
  /** The rules in their order; the slice has at least one key. */
  readonly judge: (slice: JsonObject, head: string, observed: Observed) => IndexFreshness;
};

export function defineCheck(rules: CheckRules): FreshnessCheck {
  return (slice, head, observed) => {
    if (!isJsonObject(slice)) return sliceMalformed(rules.index);
    const seen = readObserved(observed);
    if (Object.keys(slice).length === 0) return rules.missing(seen);
    return rules.judge(slice, head, seen);
  };
}

/** Why an index has no slice: the skip reason, else what happened to its probe. */
export function absenceOf(observed: Observed): string {
  return observed.reason ?? observed.outcome;
}

/** A string of the object's own, else null. */
export function textAt(object: JsonObject, key: string): string | null {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : null;
}

// The sum of two counts stays an exact integer.
const largestCount = 2 ** 52;

/** A non-negative integer of the object's own, else null. A boolean is not one. */
export function countAt(object: JsonObject, key: string): number | null {
  const value = valueAt(object, key);
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= largestCount
    ? (value as number)
    : null;
}

/** Undefined when the key is not the object's own: `constructor` and its like are not data. */
export function valueAt(object: JsonObject, key: string): JsonObject[string] | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Are the bytes that were indexed the bytes on disk now? Without a digest of now, files known to have changed still prove
 * a difference; nothing but two equal digests proves equality.
 */
export function compareBytes(slice: JsonObject, observed: Observed): 'equal' | 'different' | 'unknown' {
  const indexed = textAt(slice, 'indexed_inputs');
  if (indexed === null) return 'unknown';
  if (observed.inputsDigest === null) return observed.changedFiles.length > 0 ? 'different' : 'unknown';
  return indexed === observed.inputsDigest ? 'equal' : 'different';
}

/** The verdict on changed bytes: another commit explains them if one was recorded, else they are uncommitted. */
export function changedSince(slice: JsonObject, head: string, observed: Observed): IndexFreshness {
  const recorded = textAt(slice, 'scanned_commit') ?? textAt(slice, 'last_indexed_commit');
  return recorded === null || recorded === head ? dirtyWorktree(observed.changedFiles) : commitsBehind(recorded);
}

const outcomes = [
  'ran',
  'skipped',
  'failed',
  'timed_out',
  'not_planned',
] as const satisfies readonly Observed['outcome'][];

/** Total over any value; what is not there is unknown, never assumed. */
function readObserved(value: unknown): Observed {
  const object = isJsonObject(value) ? value : {};
  const expected = valueAt(object, 'expected');
  const changedFiles = valueAt(object, 'changedFiles');
  return {
    outcome: outcomes.find((outcome) => outcome === object['outcome']) ?? 'not_planned',
    reason: textAt(object, 'reason'),
    inputsDigest: textAt(object, 'inputsDigest'),
    changedFiles: Array.isArray(changedFiles) ? changedFiles.filter((path) => typeof path === 'string') : [],
    imageDigest: textAt(object, 'imageDigest'),
    expected: isJsonObject(expected) ? (expected as Observed['expected']) : {},
  };
}
