/**
 * The frame of a scan that runs rules over source files: how semgrep and ast-grep answer, whether they ran, failed or could not be started.
 * Loaded when one of them runs.
 */

import { relative } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import { findTool } from '../../kernel/exec/tools.ts';
import { type Findings, jsonBytes } from './probe-reading.ts';
import {
  type Finding,
  findingsShown,
  type ScannerOutcome,
  type ScannerSkip,
  skippedFor,
  sortFindings,
} from './scanners.ts';

type Scan = {
  readonly outcome: ScannerOutcome;
  readonly rulesRun: number;
  readonly filesScanned: number;
  readonly findings: readonly Finding[];
};

type RuleScan = {
  /** The answer where the tool cannot be run as it must be. */
  skip(reason: ScannerSkip): ProbeOutput;
  /** `beside`: what the artifact holds beside the findings. `isPartial`: something was not looked at. */
  finish(scan: Scan, said: Findings, more: { readonly beside: JsonObject; readonly isPartial: boolean }): ProbeOutput;
};

export function openRuleScan(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  of: {
    readonly tool: string;
    readonly probe: string;
    readonly section: string;
    readonly artifact: string;
    readonly rulePackVersion: string;
  },
): RuleScan {
  const answer = (scan: Scan) => ({ [of.section]: describeScan(repo, ctx, of, scan) });
  return {
    skip(why) {
      const reason = why === 'tool_missing' ? 'tool_missing' : 'tool_unhealthy';
      return {
        kind: 'skipped',
        reason,
        detail: findTool(of.tool)?.install ?? '',
        slice: answer({ outcome: skippedFor(reason), rulesRun: 0, filesScanned: 0, findings: [] }),
        warnings: reason === 'tool_missing' ? [`${of.probe}.tool_missing`] : [],
      };
    },
    finish(scan, said, { beside, isPartial }) {
      const ran = scan.outcome.kind === 'ran';
      if (scan.outcome.kind === 'failed') said.fail(`${of.probe}.scan_failed`);
      const artifact = { findings: sortFindings(scan.findings), ...beside };
      return {
        kind: 'ran',
        slice: answer({ ...scan, rulesRun: ran ? scan.rulesRun : 0 }),
        rawArtifacts: ran ? [{ name: of.artifact, kind: 'json', from: jsonBytes(artifact) }] : [],
        confidence: !ran ? 'low' : isPartial ? 'medium' : 'high',
        ...said.report(),
      };
    },
  };
}

const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'info', info: 'info' } as const;

function describeScan(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  of: { readonly artifact: string; readonly rulePackVersion: string },
  scan: Scan,
): JsonObject {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of scan.findings) counts[levels[severity]] += 1;
  return {
    artifact_uri: scan.outcome.kind === 'ran' ? relative(repo.root, `${ctx.outputDir}/raw/${of.artifact}`) : null,
    outcome: scan.outcome,
    rules_run: scan.rulesRun,
    files_scanned: scan.filesScanned,
    findings_by_severity: counts,
    findings: sortFindings(scan.findings).slice(0, findingsShown),
    findings_total: scan.findings.length,
    rule_pack_version: of.rulePackVersion,
    scanned_at: ctx.startedAt,
    scanned_commit: repo.gitCommit,
    indexed_inputs: ctx.inputsDigest,
  };
}
