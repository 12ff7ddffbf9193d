/** What an engine's command said, for those who only need its text: what failed has none. */

import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { decodeLenient } from '../base/text.ts';
import type { ExecOutcome } from '../exec/types.ts';

/** How much of an engine's last words is kept. */
export const tailBytes = 4096;

/** Standard output of a command that ended with 0, trimmed; null for any other end. */
export function textOf(outcome: ExecOutcome): string | null {
  return outcome.kind === 'exited' && outcome.code === 0 ? decodeLenient(outcome.stdout).trim() : null;
}

export function linesOf(outcome: ExecOutcome): readonly string[] {
  return (textOf(outcome) ?? '').split('\n').filter((line) => line !== '');
}

/** Engines print an object, or a list of one. */
export function objectOf(outcome: ExecOutcome): JsonObject | null {
  const text = textOf(outcome);
  if (text === null) return null;
  try {
    const parsed = JSON.parse(text) as Json;
    const found = Array.isArray(parsed) ? (parsed as readonly Json[])[0] : parsed;
    return found !== undefined && isJsonObject(found) ? found : null;
  } catch {
    return null;
  }
}

/** The last words of a command that failed, or how it ended if it had none. */
export function complaintOf(outcome: ExecOutcome): string {
  switch (outcome.kind) {
    case 'exited':
    case 'signalled':
      return tailOf(outcome.stderr) || tailOf(outcome.stdout);
    case 'timed_out':
      return outcome.stderrTail || 'timed out';
    case 'tool_missing':
      return outcome.install;
    default:
      return outcome.kind;
  }
}

function tailOf(bytes: Uint8Array): string {
  return decodeLenient(bytes).slice(-tailBytes);
}
