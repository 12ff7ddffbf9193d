/** What every scanner answers: how it ended, and its findings, in one shape (probes.md, head). */

import { stripVTControlCharacters } from 'node:util';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { decodeLenient, stripControls } from '../../kernel/base/text.ts';
import type { ExecOutcome } from '../../kernel/exec/types.ts';

export const stderrTailBytes = 4096;
/** The slice shows this many findings; all of them are in the raw artifact. */
export const findingsShown = 2000;
/** What a timeout exits with, by convention. */
export const timeoutExitCode = 124;

export const scannerSkips = [
  'tool_missing',
  'tool_unhealthy',
  'upstream_unavailable',
  'not_configured',
  'db_unavailable',
] as const;
export type ScannerSkip = (typeof scannerSkips)[number];
export const scannerFailures = ['invalid_json', 'truncated', 'timeout', 'nothing_scanned'] as const;
export type ScannerFailure = (typeof scannerFailures)[number];

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

export const severities = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];
export const finding = z.strictObject({
  rule_id: z.string(),
  severity: z.enum(severities),
  path: z.string(),
  line: z.int(),
  message: z.string(),
});
export type Finding = z.output<typeof finding>;

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
