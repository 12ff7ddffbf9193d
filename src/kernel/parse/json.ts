/**
 * JSON within caps, for manifests, lockfiles and tool output.
 *
 * Promises: never throws; depth is known before anything is built; `__proto__` is an own property like any other; every number
 * is finite; of duplicate keys the last one wins and each is noted as `duplicate_key`. Empty text is malformed. A BOM is allowed.
 */

import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { limits as programLimits } from '../base/limits.ts';
import { singleLine, truncate } from '../base/text.ts';
import { findJsonFaults } from './json-faults.ts';
import { scanJson } from './json-scan.ts';
import { failedParse, malformed, type ParseLimits, type ParseNote, type ParseOutcome, parsed } from './outcome.ts';
import { lineAt, parseText } from './text.ts';

export function parseJson(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<Json> {
  const text = parseText(bytes, limits);
  return text.ok ? parseJsonText(text.value, limits.maxDepth) : text;
}

export function parseJsonObject(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  return requireObject(parseJson(bytes, limits));
}

export function parseJsonText(text: string, maxDepth: number): ParseOutcome<Json> {
  const scan = scanJson(text, maxDepth);
  if (scan.kind === 'too_deep') return failedParse({ kind: 'depth_cap_exceeded', cap: maxDepth });
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    const { fault } = findJsonFaults(text, 0);
    return fault === null ? malformed('not JSON') : malformed(fault.detail, lineAt(text, fault.offset));
  }
  const kept = countMembers(value);
  if (kept === 'not_finite') return malformed('a number is out of range');
  return parsed(value, kept === scan.members ? [] : noteDuplicates(text));
}

export function requireObject(outcome: ParseOutcome<Json>): ParseOutcome<JsonObject> {
  if (!outcome.ok) return outcome;
  return isJsonObject(outcome.value)
    ? parsed(outcome.value, outcome.notes)
    : malformed('the top level is not an object', 1);
}

/** Members that survived parsing: fewer than were written means that a key was repeated. */
function countMembers(root: Json): number | 'not_finite' {
  let members = 0;
  const pending: Json[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number') {
      if (!Number.isFinite(next)) return 'not_finite';
    } else if (typeof next === 'object' && next !== null) {
      const children = Array.isArray(next) ? (next as readonly Json[]) : Object.values(next);
      if (children !== next) members += children.length;
      for (const child of children) if (typeof child !== 'string') pending.push(child);
    }
  }
  return members;
}

function noteDuplicates(text: string): ParseNote[] {
  const { duplicates } = findJsonFaults(text, programLimits.diagnosticsPerProbe);
  return duplicates.map(({ offset, key }) => ({
    id: 'duplicate_key',
    line: lineAt(text, offset),
    detail: truncate(singleLine(key), programLimits.diagnosticDetailChars),
  }));
}
