/** What `semgrep scan --json` says, as far as it is needed. Anything of another shape is no answer. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { singleLine } from '../../../kernel/base/text.ts';
import { parseJsonObject } from '../../../kernel/parse/json.ts';
import { cutText } from '../cut-text.ts';
import { reportedPath } from '../scan/scan-targets.ts';
import type { Finding, Severity } from '../scanner.ts';

export type SemgrepReport = {
  readonly findings: readonly Finding[];
  /** Paths that were looked at. */
  readonly scanned: readonly string[];
  /** Kind and place of what could not be parsed; never the text, which is the repository's. */
  readonly errors: readonly { readonly type: string; readonly level: string; readonly path: string | null }[];
  /** What it says when it gives up, for people. */
  readonly complaint: string;
  readonly skippedRules: number;
};

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
const messageChars = 500;
/** Taint traces nest; nothing else in a report is deep. */
const reportDepth = 128;

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
    path: path === undefined ? null : reportedPath(path),
  };
}

function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' ? value : undefined;
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
}
