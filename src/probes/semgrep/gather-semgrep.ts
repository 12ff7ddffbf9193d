/**
 * One run of semgrep over the files in scope, offline, with our rules and the user's. Exit 0 and 1 mean that it ran. It is only
 * believed when its report has the shape of one and names files that it looked at: a tool that read nothing found nothing.
 */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine } from '../../kernel/base/text.ts';
import type { ExecOutcome } from '../../kernel/exec/exec.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { createFindings, cutText } from '../shared/probe-reading.ts';
import { openRuleScan } from '../shared/rule-scan.ts';
import {
  batchArguments,
  dropMinified,
  inputOf,
  listLeftOut,
  listScanTargets,
  reportedPath,
  separatePlainCopies,
} from '../shared/scan-files.ts';
import {
  type Finding,
  failedWith,
  isSource,
  outcomeOfProcess,
  ran,
  rulePackVersion,
  type ScannerOutcome,
  type Severity,
} from '../shared/scanners.ts';
import { endingFor, isForBuiltin, listSemgrepRules, writeSemgrepRules } from './semgrep-rules.ts';

type SemgrepReport = {
  readonly findings: readonly Finding[];
  /** Paths that were looked at. */
  readonly scanned: readonly string[];
  /** Kind and place of what could not be parsed; never the text, which is the repository's. */
  readonly errors: readonly { readonly type: string; readonly level: string; readonly path: string | null }[];
  /** What it says when it gives up, for people. */
  readonly complaint: string;
  readonly skippedRules: number;
};

const maxTargetBytes = 2_000_000;

const messageChars = 500;
/** Taint traces nest; nothing else in a report is deep. */
const reportDepth = 128;

const severities: Readonly<Record<string, Severity>> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  ERROR: 'high',
  MEDIUM: 'medium',
  WARNING: 'medium',
  LOW: 'low',
  INFO: 'info',
  INVENTORY: 'info',
  EXPERIMENT: 'info',
};

export async function gatherSemgrep(
  repo: ProbeRepo,
  ctx: ProbeContext<'semgrep.config'>,
  leftS: () => number,
): Promise<ProbeOutput> {
  const { version } = await ctx.exec.toolVersion('semgrep');
  const frame = openRuleScan(repo, ctx, {
    tool: 'semgrep',
    probe: 'semgrep',
    section: 'semgrep_findings',
    artifact: 'semgrep-findings.json',
    rulePackVersion: rulePackVersion(version, listSemgrepRules(repo)),
  });
  if (version === 'absent') return frame.skip('tool_missing');

  const said = createFindings();
  const rules = await writeSemgrepRules(repo, ctx.workspace);
  for (const entry of rules.refused)
    said.warn('semgrep.not_configured', { detail: `${entry}: registry packs need the network` });
  for (const name of rules.unreadable) said.warn('semgrep.not_configured', { detail: `${name}: cannot be read` });
  const targets = await dropMinified(repo, listScanTargets(repo, maxTargetBytes));
  const isTarget = (path: string): boolean => !rules.isBuiltinOnly || isForBuiltin(path);
  const paths = targets.paths.filter(isTarget);
  const unread = targets.tooLarge.filter((path) => isSource(path) && isTarget(path));
  if (paths.length + targets.minified.length + unread.length === 0) {
    return { kind: 'skipped', reason: 'not_applicable', detail: 'no file in a language that the rules are for' };
  }
  const reports: SemgrepReport[] = [];
  let outcome: ScannerOutcome = ran;
  const endsAt = performance.now() + leftS() * 1000;
  const places = await separatePlainCopies(repo, ctx.workspace, paths, { maxBytes: maxTargetBytes, endingFor });
  const batches = places.flatMap((place) => batchArguments(place.names).map((targets) => ({ ...place, targets })));
  for (const batch of batches) {
    const left = Math.max(0.5, (endsAt - performance.now()) / 1000);
    const ended = await runSemgrep(ctx, rules.directories, batch, left);
    ctx.signal.throwIfAborted();
    const read = readReport(ended);
    if ('kind' in read) {
      if (read.kind === 'skipped') return frame.skip(read.reason);
      outcome = read;
      break;
    }
    reports.push(renamed(read, batch.pathOf));
  }
  const scanned = new Set(reports.flatMap((report) => report.scanned));
  if (outcome.kind === 'ran' && scanned.size === 0) outcome = failedWith(0, '', 'nothing_scanned');
  // A batch that failed leaves the others' findings without their meaning.
  const findings =
    outcome.kind === 'ran'
      ? reports.flatMap((report) => report.findings).filter(({ path }) => repo.inputs.has(inputOf(path)))
      : [];
  const errors = outcome.kind === 'ran' ? reports.flatMap((report) => report.errors) : [];
  const leftOut = await listLeftOut(repo, unread, targets.minified);
  for (const place of leftOut) said.warn('semgrep.partial_parse', place);
  for (const { type, path } of errors)
    said.warn('semgrep.partial_parse', path === null ? { detail: type } : { path, detail: type });
  const skippedRules = Math.max(0, ...reports.map((report) => report.skippedRules));
  const rulesRun = rules.rules - skippedRules;
  return frame.finish({ outcome, rulesRun, filesScanned: scanned.size, findings }, said, {
    beside: {
      errors,
      files_scanned: [...scanned].sort(),
      files_too_large: targets.tooLarge,
      files_minified: targets.minified,
    },
    isPartial: errors.length + leftOut.length > 0,
  });
}

/** Undefined where the report is not one. */
export function parseSemgrepReport(bytes: Uint8Array): SemgrepReport | undefined {
  const parsed = parseJsonObject(bytes, { maxBytes: limits.toolOutputBytes, maxDepth: reportDepth });
  if (!parsed.ok) return undefined;
  const { results, errors, paths, skipped_rules: skippedRules } = parsed.value;
  const scanned = isJsonObject(paths) ? paths['scanned'] : undefined;
  if (!Array.isArray(results) || !Array.isArray(errors) || !isTexts(scanned)) return undefined;
  const findings = (results as readonly Json[]).map(readFinding);
  if (findings.some((found) => found === undefined)) return undefined;
  const complaints = (errors as readonly Json[]).filter(isJsonObject);
  return {
    findings: findings as Finding[],
    scanned: scanned.map(reportedPath),
    errors: complaints.map(readError),
    complaint: complaints.map((error) => textAt(error, 'message') ?? '').join('\n'),
    skippedRules: Array.isArray(skippedRules) ? skippedRules.length : 0,
  };
}

/** With the names that files have in the repository. */
function renamed(report: SemgrepReport, pathOf: (name: string) => string): SemgrepReport {
  return {
    ...report,
    findings: report.findings.map((finding) => ({ ...finding, path: pathOf(finding.path) })),
    scanned: report.scanned.map(pathOf),
    errors: report.errors.map((error) => ({ ...error, path: error.path === null ? null : pathOf(error.path) })),
  };
}

/**
 * The repository has no say: files are named one by one, which no `.semgrepignore` overrules, and comments that switch rules off
 * are not heeded.
 */
function runSemgrep(
  ctx: ProbeContext<never>,
  rules: readonly string[],
  { cwd, targets }: { readonly cwd: string; readonly targets: readonly string[] },
  timeoutS: number,
): Promise<ExecOutcome> {
  return ctx.exec.runExternalCli(
    [
      ...['semgrep', 'scan'],
      ...rules.flatMap((directory) => ['--config', directory]),
      ...['--json', '--metrics=off', '--disable-version-check', '--quiet', '--no-git-ignore', '--disable-nosem'],
      ...['--no-rewrite-rule-ids', '--timeout', '30', '--max-target-bytes', String(maxTargetBytes)],
      ...['--exclude', '.codegenie', '--', ...targets],
    ],
    {
      cwd,
      timeoutS,
      envExtra: { SEMGREP_ENABLE_VERSION_CHECK: '0' },
      readable: [ctx.workspace],
      masked: ['.semgrepignore'],
    },
  );
}

function readReport(ended: ExecOutcome): SemgrepReport | Exclude<ScannerOutcome, { kind: 'ran' }> {
  const otherwise = outcomeOfProcess(ended);
  if (otherwise !== null && otherwise.kind !== 'ran') return otherwise;
  if (ended.kind !== 'exited') return failedWith(-1, '');
  const report = parseSemgrepReport(ended.stdout);
  if (ended.code > 1) return failedWith(ended.code, ended.stderr.length > 0 ? ended.stderr : (report?.complaint ?? ''));
  return report ?? failedWith(ended.code, ended.stderr, 'invalid_json');
}

function readFinding(result: Json): Finding | undefined {
  if (!isJsonObject(result)) return undefined;
  const { check_id: rule, path, start, extra } = result;
  const line = isJsonObject(start) ? start['line'] : undefined;
  const message = isJsonObject(extra) ? extra['message'] : undefined;
  const severity = isJsonObject(extra) ? extra['severity'] : undefined;
  if (typeof rule !== 'string' || typeof path !== 'string' || typeof message !== 'string') return undefined;
  if (typeof severity !== 'string' || !Number.isInteger(line)) return undefined;
  return {
    rule_id: singleLine(rule),
    severity: severities[severity.toUpperCase()] ?? 'medium',
    path: reportedPath(path),
    line: line as number,
    message: cutText(singleLine(message), messageChars),
  };
}

function readError(error: JsonObject): SemgrepReport['errors'][number] {
  const { type } = error;
  // Newer ones have a variant with its arguments: `["PartialParsing", [...]]`.
  const name = Array.isArray(type) ? (type as readonly Json[])[0] : type;
  const path = textAt(error, 'path');
  return {
    type: typeof name === 'string' ? singleLine(name) : 'unknown',
    level: textAt(error, 'level') ?? 'unknown',
    path: path === null ? null : reportedPath(path),
  };
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
}
