/** A report of gitleaks, and the bytes it says it scanned. */

import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { singleLine } from '../../../kernel/base/text.ts';
import { parseJson } from '../../../kernel/parse/json.ts';
import { cutText } from '../cut-text.ts';
import { reportedPath } from '../scan/scan-targets.ts';

export type Leak = {
  readonly rule: string;
  readonly description: string;
  readonly path: string;
  readonly line: number;
  readonly commit: string | null;
};

/** Undefined where it is not a report. Author, message and whatever else it tells of a commit is left behind. */
export function parseGitleaksReport(bytes: Uint8Array): readonly Leak[] | undefined {
  const parsed = parseJson(bytes, { maxBytes: limits.toolOutputBytes, maxDepth: limits.parseDepthSmall });
  // It writes `null` for no findings in some versions.
  if (parsed.ok && parsed.value === null) return [];
  if (!parsed.ok || !Array.isArray(parsed.value)) return undefined;
  const leaks = (parsed.value as readonly Json[]).map(readLeak);
  return leaks.every((leak) => leak !== undefined) ? leaks : undefined;
}

function readLeak(row: Json): Leak | undefined {
  if (!isJsonObject(row)) return undefined;
  const { RuleID: rule, Description: description, File: path, StartLine: line, Commit: commit } = row;
  if (typeof rule !== 'string' || typeof description !== 'string' || typeof path !== 'string') return undefined;
  if (!Number.isInteger(line) || typeof commit !== 'string') return undefined;
  return {
    rule: singleLine(rule),
    description: cutText(singleLine(description), 200),
    path: reportedPath(path),
    line: line as number,
    commit: /^[0-9a-f]{40,64}$/.test(commit) ? commit : null,
  };
}

/** `scanned ~284 bytes (284 bytes) in 10.3ms`; undefined where it does not say. */
export function scannedBytes(stderr: string): number | undefined {
  const bytes = /scanned ~(\d{1,18}) bytes/.exec(stderr)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}
