/**
 * What every scanner answers: how it ended, and its findings, in one shape (probes.md, head); and what semgrep, ast-grep, gitleaks and
 * ripgrep have in common: section, version of the rules, whether there is code, time. Light: every start loads it.
 */

import { stripVTControlCharacters } from 'node:util';
import { namedOnly, type ProbeRepo, type RepoSnapshot } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { decodeLenient, stripControls } from '../../kernel/base/text.ts';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import { dataLanguages, languageOf } from '../../languages/file-language.ts';

/** The slice shows this many findings; all of them are in the raw artifact. */
export const findingsShown = 2000;

const stderrTailBytes = 4096;

/** What a timeout exits with, by convention. */
const timeoutExitCode = 124;

const scannerSkips = [
  'tool_missing',
  'tool_unhealthy',
  'upstream_unavailable',
  'not_configured',
  'db_unavailable',
] as const;
export type ScannerSkip = (typeof scannerSkips)[number];
const scannerFailures = ['invalid_json', 'truncated', 'timeout', 'nothing_scanned'] as const;
type ScannerFailure = (typeof scannerFailures)[number];

export const scannerOutcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ran') }),
  z.strictObject({ kind: z.literal('skipped'), reason: z.enum(scannerSkips) }),
  z.strictObject({
    kind: z.literal('failed'),
    exit_code: z.int(),
    stderr_tail: z.string().max(stderrTailBytes),
    reason: z.enum(scannerFailures).nullable(),
  }),
]);
export type ScannerOutcome = z.output<typeof scannerOutcome>;

const severities = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];
const finding = z.strictObject({
  rule_id: z.string(),
  severity: z.enum(severities),
  path: z.string(),
  line: z.int(),
  message: z.string(),
});
export type Finding = z.output<typeof finding>;

/** The section of a scanner that runs rules over source files: one shape for semgrep and ast-grep (probes.md §G). */
export const scanSection = z.strictObject({
  /** All findings; null where the tool did not run. */
  artifact_uri: namedOnly(z.string()).nullable(),
  outcome: scannerOutcome,
  rules_run: z.int(),
  /** Files that the tool says it looked at. */
  files_scanned: z.int(),
  findings_by_severity: z.strictObject({ error: z.int(), warning: z.int(), info: z.int() }),
  findings: z.array(finding),
  findings_total: z.int(),
  rule_pack_version: namedOnly(z.string()),
  scanned_at: z.string(),
  scanned_commit: namedOnly(z.string()).nullable(),
  indexed_inputs: namedOnly(z.string()),
});

/** A name that does not depend on the machine, and the hash of what the file holds. */
export type RuleFile = { readonly name: string; readonly hash: string };

export const ran: ScannerOutcome = { kind: 'ran' };
export const skippedFor = (reason: ScannerSkip): ScannerOutcome => ({ kind: 'skipped', reason });

export function failedWith(
  exitCode: number,
  stderr: Uint8Array | string,
  reason: ScannerFailure | null = null,
): Extract<ScannerOutcome, { kind: 'failed' }> {
  return { kind: 'failed', exit_code: exitCode, stderr_tail: tailOf(stderr), reason };
}

/** The last characters that a slice may hold, without the colours and cursor movements that tools write. */
export function tailOf(stderr: Uint8Array | string): string {
  const text = typeof stderr === 'string' ? stderr : decodeLenient(stderr);
  return stripControls(stripVTControlCharacters(text)).slice(-stderrTailBytes);
}

/** An end that is no exit, as an outcome; null where the tool has exited and its code says the rest. */
export function outcomeOfProcess(outcome: ExecOutcome): ScannerOutcome | null {
  if (outcome.kind === 'exited') {
    return outcome.truncated.stdout ? failedWith(outcome.code, outcome.stderr, 'truncated') : null;
  }
  if (outcome.kind === 'timed_out') return failedWith(timeoutExitCode, outcome.stderrTail, 'timeout');
  if (outcome.kind === 'signalled') return failedWith(-1, outcome.stderr);
  if (outcome.kind === 'tool_missing') return skippedFor('tool_missing');
  return skippedFor('tool_unhealthy');
}

type Placed = { readonly path: string; readonly line: number; readonly rule_id: string };

export function sortFindings<F extends Placed>(findings: readonly F[]): F[] {
  return [...findings].sort(
    (a, b) => compareCodeUnits(a.path, b.path) || a.line - b.line || compareCodeUnits(a.rule_id, b.rule_id),
  );
}

/** What `index_health` shows of such an index. */
export function scanDetail(slice: JsonObject): JsonObject {
  return {
    rule_pack_version: slice['rule_pack_version'] ?? null,
    rules_run: slice['rules_run'] ?? 0,
    files_scanned: slice['files_scanned'] ?? 0,
    findings_total: slice['findings_total'] ?? 0,
  };
}

/**
 * The version of a set of rules: the tool that understands them, and a hash over their bytes in path order (gather.md §10):
 * `<tool version>+blake3:<16 hex>`.
 */
export function rulePackVersion(toolVersion: string, files: readonly RuleFile[]): string {
  const entries = [...files].sort((a, b) => compareCodeUnits(a.name, b.name)).map(({ name, hash }) => [name, hash]);
  return `${toolVersion}+blake3:${blake3Hex(JSON.stringify(entries)).slice(0, 16)}`;
}

/** Null where the tool is missing or does not say which one it is. */
export function expectedRulePackVersion(toolVersion: string, files: readonly RuleFile[]): string | null {
  return toolVersion === 'absent' || toolVersion === 'unknown' ? null : rulePackVersion(toolVersion, files);
}

/** Data and prose alone have no code to scan. */
export function hasSource({ detectedLanguages }: RepoSnapshot): boolean {
  return Object.entries(detectedLanguages).some(([language, files]) => files > 0 && !dataLanguages.has(language));
}

/** Is it code, by its name? */
export function isSource(path: string): boolean {
  const language = languageOf(path);
  return language !== null && !dataLanguages.has(language);
}

/**
 * How long a tool may take when it is started, so that its probe can end it and answer within its own time (configured, or that of its
 * definition): what the probe did before is spent, and on a busy machine ending a tool takes seconds.
 */
export function createToolClock(repo: ProbeRepo, probe: string, defaultSeconds: number): () => number {
  const startedMs = performance.now();
  const seconds = repo.config['probes.timeouts'][probe] ?? defaultSeconds;
  const endingS = Math.max(1, Math.min(30, seconds / 5));
  return () => Math.max(0.5, seconds - endingS - (performance.now() - startedMs) / 1000);
}
