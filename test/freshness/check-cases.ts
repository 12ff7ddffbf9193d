/**
 * The tables of gather.md §10 as data: one case or more per row, in the spec's order. `runCases` tells which rows a check gets
 * wrong, so that the same tables can be held against checks that are wrong on purpose.
 */

import { isDeepStrictEqual } from 'node:util';
import {
  byteIndexFreshness,
  cveFreshness,
  runtimeTraceFreshness,
  sbomFreshness,
  scipFreshness,
  versionPairFreshness,
} from '../../src/gather/freshness/index-checks.ts';
import type {
  FreshnessCheck,
  IndexFreshness,
  Observed,
  StaleReason,
} from '../../src/gather/freshness/index-freshness.ts';
import type { Json, JsonObject } from '../../src/kernel/base/json.ts';

export type Case = {
  readonly row: string;
  readonly slice: JsonObject;
  readonly observed: Observed;
  readonly gives: IndexFreshness;
};
export type CheckTable = { readonly index: string; readonly check: FreshnessCheck; readonly cases: readonly Case[] };

export const head = 'a'.repeat(40);
const older = 'b'.repeat(40);
const at = '2026-05-17T08:00:00Z';
const imageNow = `sha256:${'1'.repeat(64)}`;
const imageThen = `sha256:${'2'.repeat(64)}`;
const bytesNow = 'blake3:now';
const bytesThen = 'blake3:then';

export const ran: Observed = {
  outcome: 'ran',
  reason: null,
  inputsDigest: bytesNow,
  changedFiles: [],
  upstreamFiles: [],
  imageDigest: null,
  expected: {},
};

/** The rows that the check gets wrong; one that throws is wrong too. */
export function runCases(check: FreshnessCheck, cases: readonly Case[]): readonly string[] {
  return cases
    .filter(({ slice, observed, gives }) => {
      try {
        return !isDeepStrictEqual(check(slice, head, observed), gives);
      } catch {
        return true;
      }
    })
    .map(({ row }) => row);
}

const fresh: IndexFreshness = { kind: 'fresh', indexed_at: at };
const stale = (reason: StaleReason): IndexFreshness => ({ kind: 'stale', reason });
const error = (message: string) => stale({ kind: 'indexer_error', message });
const neverRan = (reason: string) => stale({ kind: 'never_ran', reason });
const behind = stale({ kind: 'commits_behind', n: 1, last_indexed: older });
const dirty = (...files: string[]) => stale({ kind: 'dirty_worktree', files, count: files.length });

/** Builds cases that differ from a healthy slice in a few fields; `undefined` takes a field away. */
function tableOf(index: string, check: FreshnessCheck, healthy: JsonObject, observedWhenHealthy: Observed) {
  const cases: Case[] = [];
  const add = (
    row: string,
    gives: IndexFreshness,
    change: Readonly<Record<string, Json | undefined>> = {},
    observed: Partial<Observed> = {},
  ) => {
    const fields = Object.entries({ ...healthy, ...change }).filter(
      (field): field is [string, Json] => field[1] !== undefined,
    );
    cases.push({ row, slice: Object.fromEntries(fields), observed: { ...observedWhenHealthy, ...observed }, gives });
  };
  const addMissing = (row: string, gives: IndexFreshness, observed: Partial<Observed> = {}) =>
    void cases.push({ row, slice: {}, observed: { ...observedWhenHealthy, ...observed }, gives });
  return { table: { index, check, cases } satisfies CheckTable, add, addMissing };
}

function scipTable(): CheckTable {
  const healthy = {
    last_indexed_commit: head,
    last_indexed_at: at,
    files_indexed: 4,
    files_in_repo: 4,
    indexer_errors: 0,
    indexed_inputs: bytesNow,
  };
  const { table, add, addMissing } = tableOf('scip', scipFreshness, healthy, ran);
  const malformed = error('scip_slice_malformed');
  addMissing('a: no slice', error('upstream_scip_unavailable'));
  addMissing('a: no slice, whatever the reason', error('upstream_scip_unavailable'), {
    outcome: 'skipped',
    reason: 'x',
  });
  for (const key of ['last_indexed_commit', 'last_indexed_at', 'files_indexed', 'files_in_repo', 'indexer_errors']) {
    add(`f: ${key} missing`, malformed, { [key]: undefined });
    add(`f: ${key} null`, malformed, { [key]: null });
    add(`f: ${key} a boolean`, malformed, { [key]: true });
    add(`f: ${key} a list`, malformed, { [key]: [] });
  }
  for (const key of ['last_indexed_commit', 'last_indexed_at']) add(`f: ${key} a number`, malformed, { [key]: 1 });
  for (const key of ['files_indexed', 'files_in_repo', 'indexer_errors']) {
    add(`f: ${key} a string`, malformed, { [key]: '1' });
    add(`f: ${key} a fraction`, malformed, { [key]: 1.5 });
    add(`f: ${key} negative`, malformed, { [key]: -1 });
  }
  add('f before e', malformed, { indexer_errors: 2, files_in_repo: true });
  add('e: errors', error('indexer_reported_3_errors'), { indexer_errors: 3 });
  add('e before c and d', error('indexer_reported_1_errors'), {
    indexer_errors: 1,
    last_indexed_commit: older,
    indexed_inputs: bytesThen,
    files_indexed: 0,
  });
  add('c: another commit, other bytes', behind, { last_indexed_commit: older, indexed_inputs: bytesThen });
  add('c: another commit, bytes not recorded', behind, { last_indexed_commit: older, indexed_inputs: undefined });
  add('c: another commit, bytes not known now', behind, { last_indexed_commit: older }, { inputsDigest: null });
  add('c before d', behind, { last_indexed_commit: older, indexed_inputs: bytesThen, files_indexed: 1 });
  add('c: another commit, equal bytes stay fresh', fresh, { last_indexed_commit: older });
  add(
    'x: this commit, other bytes',
    dirty('a.ts', 'b.ts'),
    { indexed_inputs: bytesThen },
    { changedFiles: ['b.ts', 'a.ts'] },
  );
  add('x: other bytes, files not known', dirty(), { indexed_inputs: bytesThen });
  add(
    'x: files known to have changed, no digest of now',
    dirty('a.ts'),
    {},
    { inputsDigest: null, changedFiles: ['a.ts'] },
  );
  add('x before d', dirty('a.ts'), { indexed_inputs: bytesThen, files_indexed: 1 }, { changedFiles: ['a.ts'] });
  add('d: fewer files than the repository has', stale({ kind: 'coverage_gap', files_indexed: 3, files_in_repo: 4 }), {
    files_indexed: 3,
  });
  add('b: fresh', fresh);
  add('b: bytes not known now, same commit', fresh, {}, { inputsDigest: null });
  add('b: zero files of zero', fresh, { files_indexed: 0, files_in_repo: 0 });
  add('b: no time', malformed, { last_indexed_at: 'yesterday' });
  add('b: time without a zone', malformed, { last_indexed_at: '2026-05-17T08:00:00' });
  return table;
}

function runtimeTraceTable(): CheckTable {
  const healthy = {
    trace_coverage_confidence: 'high',
    built_image_digest: imageNow,
    last_traced_image_digest: imageNow,
    last_traced_at: at,
  };
  const { table, add, addMissing } = tableOf('runtime_trace', runtimeTraceFreshness, healthy, ran);
  const unavailable = error('upstream_runtime_trace_unavailable');
  const malformed = error('runtime_trace_slice_malformed');
  addMissing('a: no slice', unavailable);
  add('b: unavailable', unavailable, { trace_coverage_confidence: 'unavailable' });
  add('b before c', unavailable, { trace_coverage_confidence: 'unavailable', last_traced_at: 1 });
  for (const key of ['built_image_digest', 'last_traced_image_digest', 'last_traced_at']) {
    add(`c: ${key} missing`, malformed, { [key]: undefined });
    add(`c: ${key} a number`, malformed, { [key]: 123 });
    add(`c: ${key} a boolean`, malformed, { [key]: false });
  }
  add('c: last_traced_at null', malformed, { last_traced_at: null });
  add('c before d', malformed, { built_image_digest: null, last_traced_image_digest: 1 });
  add('d: no image', error('no_built_image'), { built_image_digest: null });
  add('d before e', error('no_built_image'), { built_image_digest: null, last_traced_image_digest: null });
  add('e: no trace', error('no_trace_recorded'), { last_traced_image_digest: null });
  const untraced = { trace_coverage_confidence: 'unavailable', last_traced_image_digest: null, last_traced_at: null };
  add('d before b: as the probe tells that there is no image', error('no_built_image'), {
    ...untraced,
    built_image_digest: null,
  });
  add('e before b: as the probe tells that nothing ran', error('no_trace_recorded'), untraced);
  add('c before f', malformed, { last_traced_image_digest: imageThen, last_traced_at: null });
  add('f: another image was traced', stale({ kind: 'digest_mismatch', expected: imageNow, actual: imageThen }), {
    last_traced_image_digest: imageThen,
  });
  add(
    'f: rebuilt after the gather',
    stale({ kind: 'digest_mismatch', expected: imageThen, actual: imageNow }),
    {},
    { imageDigest: imageThen },
  );
  add('f before g', stale({ kind: 'digest_mismatch', expected: imageNow, actual: imageThen }), {
    last_traced_image_digest: imageThen,
    last_traced_at: 'never',
  });
  add(
    'g: the tree has changed',
    dirty('Dockerfile', 'src/a.ts'),
    {},
    { changedFiles: ['Dockerfile'], upstreamFiles: ['src/a.ts'] },
  );
  add('g: fresh', fresh);
  add('g: fresh by the engine', fresh, { built_image_digest: imageThen }, { imageDigest: imageNow });
  add('g: no time', malformed, { last_traced_at: 'not-a-timestamp' });
  return table;
}

function imageScanTable(index: 'sbom' | 'cve', check: FreshnessCheck, digestKey: string): CheckTable {
  const healthy = { outcome: { kind: 'ran' }, [digestKey]: imageNow, db_version: '6.1', scanned_at: at };
  const expected = { db_version: '6.1', db_age_days: '2' };
  const { table, add, addMissing } = tableOf(index, check, healthy, { ...ran, imageDigest: imageNow, expected });
  const malformed = error(`${index}_slice_malformed`);
  const mismatch = stale({ kind: 'digest_mismatch', expected: imageNow, actual: imageThen });
  addMissing('no slice, with a reason', neverRan('tool_missing'), { outcome: 'skipped', reason: 'tool_missing' });
  addMissing('no slice, without a reason', neverRan('timed_out'), { outcome: 'timed_out' });
  add('outcome skipped', error(`${index}_skipped`), { outcome: { kind: 'skipped', reason: 'tool_missing' } });
  add('outcome failed', error(`${index}_failed`), { outcome: { kind: 'failed', exit_code: 2 } });
  add('outcome unknown', malformed, { outcome: { kind: '<script>' } });
  add('outcome missing', malformed, { outcome: undefined });
  add('the probe timed out', error(`${index}_timed_out`), {}, { outcome: 'timed_out' });
  add('the probe was skipped', error(`${index}_skipped`), {}, { outcome: 'skipped', reason: 'db_unavailable' });
  add('outcome before digest', error(`${index}_failed`), { outcome: { kind: 'failed' }, [digestKey]: null });
  add('no image', error('no_built_image'), { [digestKey]: null });
  add('no image, as the probe tells it', error('no_built_image'), {
    outcome: { kind: 'skipped', reason: 'upstream_unavailable' },
    [digestKey]: null,
  });
  add('the tree has changed', dirty('src/a.ts'), {}, { upstreamFiles: ['src/a.ts'] });
  add('digest missing', malformed, { [digestKey]: undefined });
  add('digest a number', malformed, { [digestKey]: 1 });
  add('another image', mismatch, { [digestKey]: imageThen });
  add('another image before the database', mismatch, { [digestKey]: imageThen, db_version: null });
  add('fresh', fresh);
  add('fresh, image not known now', fresh, {}, { imageDigest: null });
  add('no time', malformed, { scanned_at: 'now' });
  add('time missing', malformed, { scanned_at: undefined });
  if (index === 'sbom') {
    add('no database needed', fresh, { db_version: undefined }, { expected: {} });
    return table;
  }
  add('database version missing', error('cve_db_version_missing'), { db_version: undefined });
  add('database version null', error('cve_db_version_missing'), { db_version: null });
  add('installed version not known', error('cve_expected_version_unknown'), {}, { expected: { db_version: null } });
  add('another database', stale({ kind: 'digest_mismatch', expected: '6.1', actual: '6.0' }), { db_version: '6.0' });
  add(
    'another database before its age',
    stale({ kind: 'digest_mismatch', expected: '6.1', actual: '6.0' }),
    { db_version: '6.0' },
    {
      expected: { db_version: '6.1', db_age_days: '9' },
    },
  );
  const aged = (days: string | null, more: Record<string, string> = {}) => ({
    expected: { db_version: '6.1', db_age_days: days, ...more },
  });
  add('seven days', fresh, {}, aged('7'));
  add('more than seven days', error('cve_db_expired'), {}, aged('7.1'));
  add('ten days, which is more as a number alone', error('cve_db_expired'), {}, aged('10'));
  add('older than configured', error('cve_db_expired'), {}, aged('3', { max_db_age_days: '2' }));
  add('younger than configured', fresh, {}, aged('9', { max_db_age_days: '30' }));
  add('age is no number', error('cve_db_expired'), {}, aged('old'));
  add('age not known', fresh, {}, aged(null));
  return table;
}

function versionPairTable(index: string, versionKey: 'rule_pack_version' | 'catalog_version'): CheckTable {
  const healthy = { outcome: { kind: 'ran' }, [versionKey]: '2.0+blake3:new', scanned_at: at };
  const observed = { ...ran, expected: { [`expected_${versionKey}`]: '2.0+blake3:new' } };
  const check = versionPairFreshness({ index, versionKey });
  const { table, add, addMissing } = tableOf(index, check, healthy, observed);
  const malformed = error(`${index}_slice_malformed`);
  addMissing('a: no slice, with a reason', neverRan('not_configured'), {
    outcome: 'skipped',
    reason: 'not_configured',
  });
  addMissing('a: no slice, without a reason', neverRan('not_planned'), { outcome: 'not_planned' });
  add('b: skipped', neverRan('tool_missing'), { outcome: { kind: 'skipped', reason: 'tool_missing' } });
  add(
    'b: skipped, the reason is the observer’s',
    neverRan('db_unavailable'),
    { outcome: { kind: 'skipped' } },
    {
      reason: 'db_unavailable',
    },
  );
  add('b: skipped without any reason', neverRan('skipped'), { outcome: { kind: 'skipped' } });
  add('b: failed', error(`${index}_failed`), { outcome: { kind: 'failed', exit_code: 2 } });
  add('b before c', error(`${index}_failed`), { outcome: { kind: 'failed' }, scanned_at: undefined });
  for (const key of [versionKey, 'scanned_at']) {
    add(`c: ${key} missing`, malformed, { [key]: undefined });
    add(`c: ${key} null`, malformed, { [key]: null });
    add(`c: ${key} a number`, malformed, { [key]: 2 });
  }
  add('c: outcome unknown', malformed, { outcome: { kind: 'exploded' } });
  add('c: outcome a string', malformed, { outcome: 'ran' });
  add('c before d', malformed, { scanned_at: null }, { expected: {} });
  add(
    'd: expected null',
    error(`${index}_expected_version_unknown`),
    {},
    { expected: { [`expected_${versionKey}`]: null } },
  );
  add('d: expected missing', error(`${index}_expected_version_unknown`), {}, { expected: {} });
  add('e: another version', stale({ kind: 'digest_mismatch', expected: '2.0+blake3:new', actual: '1.9+blake3:old' }), {
    [versionKey]: '1.9+blake3:old',
  });
  add('e before f', stale({ kind: 'digest_mismatch', expected: '2.0+blake3:new', actual: '1' }), {
    [versionKey]: '1',
    indexed_inputs: bytesThen,
  });
  add('f: other bytes, another commit', behind, { indexed_inputs: bytesThen, scanned_commit: older });
  add(
    'f: other bytes, this commit',
    dirty('a.ts'),
    { indexed_inputs: bytesThen, scanned_commit: head },
    { changedFiles: ['a.ts'] },
  );
  add('f: other bytes, no commit recorded', dirty('a.ts'), { indexed_inputs: bytesThen }, { changedFiles: ['a.ts'] });
  add('g: equal bytes, another commit', fresh, { indexed_inputs: bytesNow, scanned_commit: older });
  const recordedAt = (commit: string) => ({ indexed_inputs: bytesNow, scanned_commit: commit });
  add('f: bytes not known now, another commit', behind, recordedAt(older), { inputsDigest: null });
  add('g: bytes not known now, this commit', fresh, recordedAt(head), { inputsDigest: null });
  add('g: bytes not recorded, another commit', fresh, { scanned_commit: older }, { inputsDigest: null });
  add('g: bytes not recorded', fresh, {}, { changedFiles: ['a.ts'] });
  add('g: outcome not recorded', fresh, { outcome: undefined });
  add('g: fresh', fresh);
  add('g: no time', malformed, { scanned_at: '17 May' });
  return table;
}

function byteIndexTable(index: string): CheckTable {
  const healthy = { indexed_inputs: bytesNow, indexed_at: at, parsed_files: 9, failed_files: 0 };
  const { table, add, addMissing } = tableOf(index, byteIndexFreshness(index), healthy, ran);
  const malformed = error(`${index}_slice_malformed`);
  addMissing('no slice, with a reason', neverRan('language_mismatch'), {
    outcome: 'skipped',
    reason: 'language_mismatch',
  });
  addMissing('no slice, without a reason', neverRan('failed'), { outcome: 'failed' });
  add('inputs missing', malformed, { indexed_inputs: undefined });
  add('inputs null', malformed, { indexed_inputs: null });
  add('unfinished, and says why', error(`${index}_time_ran_out`), {
    indexed_inputs: null,
    unfinished: 'time_ran_out',
  });
  add('unfinished, inputs missing', malformed, { indexed_inputs: undefined, unfinished: 'time_ran_out' });
  add('fresh, nothing unfinished', fresh, { unfinished: null });
  add('other bytes', dirty('a.ts', 'b.ts'), { indexed_inputs: bytesThen }, { changedFiles: ['b.ts', 'a.ts', 'b.ts'] });
  add('other bytes, another commit', behind, { indexed_inputs: bytesThen, last_indexed_commit: older });
  add('other bytes, this commit', dirty(), { indexed_inputs: bytesThen, last_indexed_commit: head });
  add(
    'files known to have changed, no digest of now',
    dirty('a.ts'),
    {},
    { inputsDigest: null, changedFiles: ['a.ts'] },
  );
  add('other bytes before failed files', dirty(), { indexed_inputs: bytesThen, failed_files: 1 });
  add('failed files', stale({ kind: 'coverage_gap', files_indexed: 9, files_in_repo: 10 }), { failed_files: 1 });
  add('failed files, none parsed', stale({ kind: 'coverage_gap', files_indexed: 0, files_in_repo: 2 }), {
    parsed_files: 0,
    failed_files: 2,
  });
  add('failed files, parsed missing', malformed, { parsed_files: undefined, failed_files: 1 });
  add('failed files a boolean', malformed, { failed_files: true });
  add('fresh', fresh);
  add('fresh, no files counted', fresh, { parsed_files: undefined, failed_files: undefined });
  add('bytes not known now', error(`${index}_inputs_unknown`), {}, { inputsDigest: null });
  add(
    'bytes not known now, before failed files',
    error(`${index}_inputs_unknown`),
    { failed_files: 1 },
    { inputsDigest: null },
  );
  add('no time', malformed, { indexed_at: '' });
  add('time missing', malformed, { indexed_at: undefined });
  return table;
}

export const tables: readonly CheckTable[] = [
  scipTable(),
  runtimeTraceTable(),
  imageScanTable('sbom', sbomFreshness, 'built_image_digest'),
  imageScanTable('cve', cveFreshness, 'scanned_image_digest'),
  ...['semgrep', 'ast_grep', 'gitleaks'].map((index) => versionPairTable(index, 'rule_pack_version')),
  ...['conventions', 'skills'].map((index) => versionPairTable(index, 'catalog_version')),
  ...['import_graph', 'dep_graph', 'facts_store', 'external_docs_index'].map(byteIndexTable),
];
