/**
 * The record of a gather, and whether what lies on disk is still what that run wrote (gather.md §8.4). `audit verify` re-hashes what the
 * newest record names; a folder without a record is an error, not a pass.
 */

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { readOwnTextIfThere } from '../../kernel/base/if-there.ts';
import { canonicalJson, type Json, type JsonObject } from '../../kernel/base/json.ts';
import type { Logger } from '../../kernel/base/log.ts';
import { z } from '../../kernel/base/schema.ts';
import { ensureOwnDirectory, writeAtomically } from '../../kernel/base/write-file.ts';
import type { CacheStore } from '../cache/cache-store.ts';
import type { Execution } from '../run/execution.ts';
import { sweepTemporaries } from '../run/scratch.ts';
import { effectiveVersion } from './assemble-envelope.ts';
import { cacheStates, probeStatuses } from './envelope.ts';
import { digestsOf, type RedactedArtifact } from './redact.ts';

type AuditFinding = {
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

/** What this user's program last published of the tree: digests that no clone or archive can bring along. */
type ContextNote = { readonly yaml: readonly string[]; readonly record: string | null };

/**
 * To be called before a new document is put in the place of the old one; the function it gives, when its run record is written. A crash in
 * between leaves the old document or the new one, and either is known.
 */
export function noteContext(stateDir: string, yaml: string): (record: string) => void {
  const before = readNote(stateDir);
  const write = (note: ContextNote) => {
    ensureOwnDirectory(`${stateDir}/state`);
    sweepTemporaries(`${stateDir}/state`);
    writeAtomically(notePath(stateDir), `${JSON.stringify(note)}\n`, { durable: true });
  };
  write({ yaml: [yaml, ...(before?.yaml ?? [])].slice(0, 2), record: before?.record ?? null });
  return (record) => write({ yaml: [yaml], record });
}

/** P9: whether these bytes are what this user's program published of this tree. */
export function isOurContext(stateDir: string, yaml: Uint8Array): boolean {
  return readNote(stateDir)?.yaml.includes(sha256Hex(yaml)) === true;
}

function notePath(stateDir: string): string {
  return `${stateDir}/state/context.json`;
}

const noteSchema = z.strictObject({ yaml: z.array(z.string()), record: z.string().nullable() });

function readNote(stateDir: string): ContextNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(readOwnTextIfThere(notePath(stateDir)) ?? ''));
  } catch {
    return undefined; // None was published yet, or its note is gone: then nothing is ours.
  }
}

export function verifyAudit(
  { dataDir, stateDir }: { readonly dataDir: string; readonly stateDir: string },
  cache: CacheStore,
  logger: Logger,
): AuditOutcome {
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
  compare(`runs/${newest}`, readNote(stateDir)?.record ?? 'none was published here', sha256Hex);
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
    return runRecordSchema.parse(JSON.parse(readOwnTextIfThere(path) ?? ''));
  } catch {
    return undefined;
  }
}

function readPlain(path: string): Buffer | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : undefined;
}

export type RunFacts = {
  readonly runId: string;
  readonly startedAt: string;
  readonly cliVersion: string;
  readonly gitCommit: string | null;
  readonly dirtyDigest: string;
  readonly task: { readonly type: string; readonly options: JsonObject };
  readonly config: Json;
};

const runRecordSchema = z.strictObject({
  run_id: z.string(),
  started_at: z.string(),
  cli_version: z.string(),
  node_version: z.string(),
  platform_sha256: z.string(),
  repo: z.strictObject({ git_commit: z.string().nullable(), dirty_digest: z.string() }),
  task: z.strictObject({ type: z.string(), options: z.record(z.string(), z.json()) }),
  config_sha256: z.string(),
  tool_versions: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  yaml_sha256: z.string(),
  report_sha256: z.string().nullable(),
  html_sha256: z.string().nullable(),
  artifacts: z.array(z.strictObject({ name: z.string(), sha256: z.string(), blake3: z.string(), size: z.int() })),
  probes: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      status: z.enum(probeStatuses),
      cache: z.strictObject({ state: z.enum(cacheStates), key: z.string().nullable() }),
      output_sha256: z.string().nullable(),
      duration_ms: z.number(),
    }),
  ),
});
type RunRecord = z.output<typeof runRecordSchema>;

export function buildRunRecord(
  of: RunFacts & {
    readonly yamlSha256: string;
    readonly reportSha256: string | null;
    readonly htmlSha256: string | null;
    readonly artifacts: readonly RedactedArtifact[];
    readonly executions: readonly Execution[];
  },
): RunRecord {
  const tools = new Map(
    of.executions.flatMap((execution) => execution.toolVersions.map((tool) => [tool.name, tool.version])),
  );
  return {
    run_id: of.runId,
    started_at: of.startedAt,
    cli_version: of.cliVersion,
    node_version: process.version,
    platform_sha256: sha256Hex(`${platform()}-${arch()}-${release()}`),
    repo: { git_commit: of.gitCommit, dirty_digest: of.dirtyDigest },
    task: { type: of.task.type, options: of.task.options as Record<string, never> },
    config_sha256: sha256Hex(canonicalJson(of.config)),
    tool_versions: [...tools].map(([name, version]) => ({ name, version })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    yaml_sha256: of.yamlSha256,
    report_sha256: of.reportSha256,
    html_sha256: of.htmlSha256,
    artifacts: of.artifacts.map((artifact) => {
      const { sha256, blake3 } = digestsOf(artifact);
      return { name: artifact.name, sha256, blake3, size: artifact.bytes.length };
    }),
    probes: of.executions.map((execution) => ({
      name: execution.probe.name,
      version: effectiveVersion(execution),
      status: execution.status,
      cache: { state: execution.cache.state, key: execution.cache.key },
      output_sha256: execution.outputSha256,
      duration_ms: execution.durationMs,
    })),
  };
}
