/** `audit verify`: re-hashes what the newest run record says was written. An empty folder is an error, not a pass. */

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { sha256Hex } from '../kernel/base/hash.ts';
import type { Logger } from '../kernel/base/log.ts';
import type { CacheStore } from './cache-store.ts';
import { type RunRecord, runRecordSchema } from './run-record.ts';

export type AuditFinding = {
  readonly file: string;
  readonly problem: 'mismatch' | 'missing' | 'malformed';
  readonly expected: string;
  readonly actual: string;
};
export type AuditOutcome =
  | { readonly kind: 'no_record'; readonly directory: string }
  | {
      readonly kind: 'audited';
      readonly record: string;
      readonly runId: string;
      readonly checked: readonly string[];
      readonly olderRecords: number;
      readonly findings: readonly AuditFinding[];
    };

export function verifyAudit(dataDir: string, cache: CacheStore, logger: Logger): AuditOutcome {
  const context = `${dataDir}/context`;
  const names = listRecords(`${context}/runs`);
  const newest = names.at(-1);
  if (newest === undefined) return { kind: 'no_record', directory: `${context}/runs` };
  const findings: AuditFinding[] = [];
  const checked: string[] = [];
  for (const name of names.slice(0, -1)) {
    if (readRecord(`${context}/runs/${name}`) === undefined) {
      findings.push({ file: `runs/${name}`, problem: 'malformed', expected: 'a run record', actual: 'unreadable' });
    }
  }
  const record = readRecord(`${context}/runs/${newest}`);
  if (record === undefined) {
    findings.push({ file: `runs/${newest}`, problem: 'malformed', expected: 'a run record', actual: 'unreadable' });
    return { kind: 'audited', record: newest, runId: '', checked, olderRecords: names.length - 1, findings };
  }
  const compare = (file: string, expected: string | null, hash: (bytes: Buffer) => string): void => {
    if (expected === null) return;
    const bytes = readPlain(`${context}/${file}`);
    const actual = bytes === undefined ? 'missing' : hash(bytes);
    checked.push(file);
    if (actual === expected) return;
    findings.push({ file, problem: bytes === undefined ? 'missing' : 'mismatch', expected, actual });
  };
  compare('repo-context.yaml', record.yaml_sha256, sha256Hex);
  if (findings.some((finding) => finding.file === 'repo-context.yaml'))
    logger.event('audit.verify.yaml_mismatch', { record: newest });
  compare('CONTEXT_REPORT.md', record.report_sha256, sha256Hex);
  compare('CONTEXT_REPORT.html', record.html_sha256, sha256Hex);
  for (const artifact of record.artifacts) compare(`raw/${artifact.name}`, artifact.sha256, sha256Hex);
  checkBlobs(record, cache, checked, findings, logger);
  logger.event(findings.length === 0 ? 'audit.verify.ok' : 'audit.verify.mismatch', {
    record: newest,
    checked: checked.length,
  });
  return { kind: 'audited', record: newest, runId: record.run_id, checked, olderRecords: names.length - 1, findings };
}

/** A collected entry is no finding: the cache may forget. A present one must hold what its name says. */
function checkBlobs(
  record: RunRecord,
  cache: CacheStore,
  checked: string[],
  findings: AuditFinding[],
  logger: Logger,
): void {
  for (const probe of record.probes) {
    const entry = probe.status === 'ok' && probe.cache.key !== null ? cache.findEntry(probe.cache.key) : undefined;
    // An entry that another run wrote since says nothing about this one.
    if (entry === undefined || entry.output_sha256 !== probe.output_sha256) continue;
    for (const hash of [entry.output, ...entry.artifacts.map((artifact) => artifact.blake3)]) {
      const bytes = cache.readBlob(hash);
      const file = `cache of ${probe.name}`;
      checked.push(file);
      if (bytes === undefined) {
        logger.event('audit.verify.missing_blob', { probe: probe.name, blob: hash });
        findings.push({ file, problem: 'missing', expected: hash, actual: 'missing or other bytes' });
      } else if (hash === entry.output && probe.output_sha256 !== null && sha256Hex(bytes) !== probe.output_sha256) {
        findings.push({ file, problem: 'mismatch', expected: probe.output_sha256, actual: sha256Hex(bytes) });
      }
    }
  }
}

function listRecords(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}

function readRecord(path: string): RunRecord | undefined {
  try {
    return runRecordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

function readPlain(path: string): Buffer | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : undefined;
}
