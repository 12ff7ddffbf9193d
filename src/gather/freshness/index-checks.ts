/**
 * The freshness checks, by what an index rests on: its input bytes, versions of rules, commits and coverage, an image. A check made here is
 * total: it answers for any JSON in its three positions, and never throws.
 */

import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { member, textAt } from '../../kernel/base/json-access.ts';
import {
  commitsBehind,
  coverageGap,
  digestMismatch,
  dirtyWorktree,
  type FreshnessCheck,
  freshAt,
  type IndexFreshness,
  indexerError,
  neverRan,
  type Observed,
  sliceMalformed,
} from './index-freshness.ts';

type CheckRules = {
  readonly index: string;
  /** The verdict when there is no slice. */
  readonly missing: (observed: Observed) => IndexFreshness;
  /** The rules in their order; the slice has at least one key. */
  readonly judge: (slice: JsonObject, head: string, observed: Observed) => IndexFreshness;
};

function defineCheck(rules: CheckRules): FreshnessCheck {
  return (slice, head, observed) => {
    if (!isJsonObject(slice)) return sliceMalformed(rules.index);
    const seen = readObserved(observed);
    if (Object.keys(slice).length === 0) return rules.missing(seen);
    return rules.judge(slice, head, seen);
  };
}

/** Why an index has no slice: the skip reason, else what happened to its probe. */
function absenceOf(observed: Observed): string {
  return observed.reason ?? observed.outcome;
}

// The sum of two counts stays an exact integer.
const largestCount = 2 ** 52;

/** A non-negative integer of the object's own, else null. A boolean is not one. */
function countAt(object: JsonObject, key: string): number | null {
  const value = member(object, key);
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= largestCount
    ? (value as number)
    : null;
}

/**
 * Are the bytes that were indexed the bytes on disk now? Without a digest of now, files known to have changed still prove
 * a difference; nothing but two equal digests proves equality.
 */
function compareBytes(slice: JsonObject, observed: Observed): 'equal' | 'different' | 'unknown' {
  const indexed = textAt(slice, 'indexed_inputs');
  if (indexed === null) return 'unknown';
  if (observed.inputsDigest === null) return observed.changedFiles.length > 0 ? 'different' : 'unknown';
  return indexed === observed.inputsDigest ? 'equal' : 'different';
}

/** The verdict on changed bytes: another commit explains them if one was recorded, else they are uncommitted. */
function changedSince(slice: JsonObject, head: string, observed: Observed): IndexFreshness {
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
  const expected = member(object, 'expected');
  const texts = (key: string): string[] => {
    const list = member(object, key);
    return Array.isArray(list) ? list.filter((path) => typeof path === 'string') : [];
  };
  return {
    outcome: outcomes.find((outcome) => outcome === object['outcome']) ?? 'not_planned',
    reason: textAt(object, 'reason'),
    inputsDigest: textAt(object, 'inputsDigest'),
    changedFiles: texts('changedFiles'),
    upstreamFiles: texts('upstreamFiles'),
    imageDigest: textAt(object, 'imageDigest'),
    expected: isJsonObject(expected) ? (expected as Observed['expected']) : {},
  };
}

/**
 * Freshness of indexes that are a function of their input bytes alone: import_graph, dep_graph, facts_store, external_docs_index.
 * Nothing else vouches for them, so bytes that cannot be known now are no freshness (P1).
 */
export function byteIndexFreshness(index: string): FreshnessCheck {
  return defineCheck({
    index,
    missing: (observed) => neverRan(absenceOf(observed)),
    judge: (slice, head, observed) => {
      if (textAt(slice, 'indexed_inputs') === null) {
        // An index that says why it does not know its bytes is whole, and not fresh.
        const unfinished = member(slice, 'indexed_inputs') === null ? textAt(slice, 'unfinished') : null;
        return unfinished === null ? sliceMalformed(index) : indexerError(`${index}_${unfinished}`);
      }
      const bytes = compareBytes(slice, observed);
      if (bytes === 'different') return changedSince(slice, head, observed);
      if (bytes === 'unknown') return indexerError(`${index}_inputs_unknown`);
      // Not every byte index parses files one by one; those that do count the ones they could not read.
      const failed = member(slice, 'failed_files') === undefined ? 0 : countAt(slice, 'failed_files');
      if (failed === null) return sliceMalformed(index);
      if (failed > 0) {
        const parsed = countAt(slice, 'parsed_files');
        return parsed === null ? sliceMalformed(index) : coverageGap(parsed, parsed + failed);
      }
      return freshAt(index, textAt(slice, 'indexed_at'));
    },
  });
}

type VersionPair = {
  /** `semgrep`, `ast_grep`, `gitleaks`, `conventions`, `skills`. */
  readonly index: string;
  readonly versionKey: 'rule_pack_version' | 'catalog_version';
};

/**
 * Freshness of indexes that are as good as the rules they were made with: what was recorded is compared with what is installed
 * and configured now. A version that is not known on either side is never taken for equal.
 */
export function versionPairFreshness({ index, versionKey }: VersionPair): FreshnessCheck {
  return defineCheck({
    index,
    missing: (observed) => neverRan(absenceOf(observed)),
    judge: (slice, head, observed) => {
      const outcome = member(slice, 'outcome');
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

const scipIndex = 'scip';

/**
 * Freshness of the SCIP index. Errors come before coverage, because an indexer that failed has no coverage to speak of, and
 * bytes come before commits: an index of the same bytes stays fresh across commits that do not touch its inputs.
 */
export const scipFreshness = defineCheck({
  index: scipIndex,
  missing: () => indexerError('upstream_scip_unavailable'),
  judge: (slice, head, observed) => {
    const commit = textAt(slice, 'last_indexed_commit');
    const indexedAt = textAt(slice, 'last_indexed_at');
    const filesIndexed = countAt(slice, 'files_indexed');
    const filesInRepo = countAt(slice, 'files_in_repo');
    const errors = countAt(slice, 'indexer_errors');
    if (commit === null || indexedAt === null || filesIndexed === null || filesInRepo === null || errors === null) {
      return sliceMalformed(scipIndex);
    }
    if (errors > 0) return indexerError(`indexer_reported_${errors}_errors`);
    const bytes = compareBytes(slice, observed);
    if (commit !== head && bytes !== 'equal') return commitsBehind(commit);
    if (bytes === 'different') return dirtyWorktree(observed.changedFiles);
    if (filesIndexed < filesInRepo) return coverageGap(filesIndexed, filesInRepo);
    return freshAt(scipIndex, indexedAt);
  },
});

/** What was made of an image is as old as what the image was built from: the files of the tree, its own inputs among them. */
function treeSince({ changedFiles, upstreamFiles }: Observed): IndexFreshness | null {
  const files = [...changedFiles, ...upstreamFiles];
  return files.length === 0 ? null : dirtyWorktree(files);
}

/**
 * Freshness of what was read out of an image: the bill of materials, and the vulnerabilities found in it. Both speak of one
 * image digest; the second also of one vulnerability database, whose age the observer measures because checks read no clock.
 */
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
      const digest = member(slice, digestKey);
      if (outcome === 'skipped' && digest === null) return indexerError('no_built_image');
      if (outcome !== 'ran') return indexerError(`${index}_${outcome}`);
      // A slice that says it ran does not outweigh a probe that did not come to its end.
      if (observed.outcome !== 'ran') return indexerError(`${index}_${observed.outcome}`);
      if (digest === null) return indexerError('no_built_image');
      if (typeof digest !== 'string') return sliceMalformed(index);
      const current = observed.imageDigest ?? digest;
      if (digest !== current) return digestMismatch({ expected: current, actual: digest });
      return judgeFurther(slice, observed) ?? treeSince(observed) ?? freshAt(index, textAt(slice, 'scanned_at'));
    },
  });
}

/** The scanner's own account, null if it gives none that is known. */
function findOutcome(slice: JsonObject): 'ran' | 'skipped' | 'failed' | null {
  const outcome = member(slice, 'outcome');
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

const traceIndex = 'runtime_trace';

/**
 * Freshness of the runtime trace: it speaks of one image. The current image is the one the engine has now, if it could be
 * asked, so that a rebuild after the gather shows as drift.
 */
export const runtimeTraceFreshness = defineCheck({
  index: traceIndex,
  missing: () => indexerError('upstream_runtime_trace_unavailable'),
  judge: (slice, _head, observed) => {
    const built = member(slice, 'built_image_digest');
    const traced = member(slice, 'last_traced_image_digest');
    const tracedAt = textAt(slice, 'last_traced_at');
    if (!isDigest(built) || !isDigest(traced)) return sliceMalformed(traceIndex);
    // Before the coverage: a trace without an image, or without a run, has none, and this is why.
    if (built === null) return indexerError('no_built_image');
    if (traced === null) return indexerError('no_trace_recorded');
    if (member(slice, 'trace_coverage_confidence') === 'unavailable') {
      return indexerError('upstream_runtime_trace_unavailable');
    }
    if (tracedAt === null) return sliceMalformed(traceIndex);
    const current = observed.imageDigest ?? built;
    if (traced !== current) return digestMismatch({ expected: current, actual: traced });
    return treeSince(observed) ?? freshAt(traceIndex, tracedAt);
  },
});

function isDigest(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
