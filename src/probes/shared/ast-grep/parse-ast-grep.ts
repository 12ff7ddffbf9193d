/** Lines of `ast-grep scan --json=stream`, and the counts that `--inspect summary` writes beside them. */

import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { singleLine } from '../../../kernel/base/text.ts';
import { cutText } from '../cut-text.ts';
import { reportedPath } from '../scan/scan-targets.ts';
import type { Finding, Severity } from '../scanner.ts';

const severities: Readonly<Record<string, Severity>> = { error: 'high', warning: 'medium', info: 'info', hint: 'info' };
const messageChars = 500;

/** Undefined for a line that is no finding. */
export function parseAstGrepLine(line: string): Finding | undefined {
  let match: Json;
  try {
    match = JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
  if (!isJsonObject(match)) return undefined;
  const { file, ruleId, severity, message, range } = match;
  const start = isJsonObject(range) && isJsonObject(range['start']) ? range['start']['line'] : undefined;
  if (typeof file !== 'string' || typeof ruleId !== 'string' || typeof severity !== 'string') return undefined;
  if (typeof message !== 'string' || !Number.isInteger(start)) return undefined;
  return {
    // Our own rules are written once and expanded to one per grammar.
    rule_id: singleLine(ruleId).replace(/^((?:script|python|go)-[a-z-]+)\.[A-Z][A-Za-z]*$/, '$1'),
    severity: severities[severity] ?? 'medium',
    path: reportedPath(file),
    line: (start as number) + 1,
    message: cutText(singleLine(message), messageChars),
  };
}

export type ScanSummary = {
  readonly files: number;
  /** Of the files, those that it could not read. */
  readonly unread: number;
  readonly rules: number;
};

/** Undefined where it wrote no summary: then it did not get as far as scanning. */
export function parseSummary(stderr: string): ScanSummary | undefined {
  const [, files, unread] =
    /^sg: summary\|file: scannedFileCount=(\d{1,9})(?:,skippedFileCount=(\d{1,9}))?/m.exec(stderr) ?? [];
  const rules = /^sg: summary\|rule: effectiveRuleCount=(\d{1,9})/m.exec(stderr)?.[1];
  return files === undefined
    ? undefined
    : {
        files: Math.max(0, Number(files) - Number(unread ?? 0)),
        unread: Number(unread ?? 0),
        rules: Number(rules ?? 0),
      };
}
