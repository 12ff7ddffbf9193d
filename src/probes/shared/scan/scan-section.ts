/** The section of a scanner that runs rules over source files: one shape for semgrep and ast-grep (probes.md §G). */

import { relative } from 'node:path';
import { namedOnly, type ProbeContext, type ProbeRepo } from '../../../gather/contract.ts';
import type { JsonObject } from '../../../kernel/base/json.ts';
import { z } from '../../../kernel/base/schema.ts';
import { type Finding, finding, findingsShown, type ScannerOutcome, scannerOutcome, sortFindings } from '../scanner.ts';

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

export type Scan = {
  readonly outcome: ScannerOutcome;
  readonly rulesRun: number;
  readonly filesScanned: number;
  readonly findings: readonly Finding[];
  readonly rulePackVersion: string;
};

const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'info', info: 'info' } as const;

export function describeScan(repo: ProbeRepo, ctx: ProbeContext<never>, artifact: string, scan: Scan): JsonObject {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of scan.findings) counts[levels[severity]] += 1;
  return {
    artifact_uri: scan.outcome.kind === 'ran' ? relative(repo.root, `${ctx.outputDir}/raw/${artifact}`) : null,
    outcome: scan.outcome,
    rules_run: scan.rulesRun,
    files_scanned: scan.filesScanned,
    findings_by_severity: counts,
    findings: sortFindings(scan.findings).slice(0, findingsShown),
    findings_total: scan.findings.length,
    rule_pack_version: scan.rulePackVersion,
    scanned_at: ctx.startedAt,
    scanned_commit: repo.gitCommit,
    indexed_inputs: ctx.inputsDigest,
  };
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
