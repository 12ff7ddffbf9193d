/**
 * Istanbul's `coverage-final.json`: statements and functions with their places and the times they ran. A line is covered when a
 * statement that begins on it was, as istanbul computes it.
 */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { parseJsonObject } from '../../../kernel/formats/parse-json.ts';
import { malformed, type ParseLimits, type ParseOutcome, parsed } from '../../../kernel/formats/parse-outcome.ts';
import { member, objectAt, textAt } from '../json-access.ts';
import type { FunctionHits, LineHits, MeasuredFile } from './measured-file.ts';

/** `summary`: a report of totals, which has no lines. */
export function parseIstanbul(
  bytes: Uint8Array,
  limits: ParseLimits,
): ParseOutcome<readonly MeasuredFile[] | 'summary'> {
  const outcome = parseJsonObject(bytes, limits);
  if (!outcome.ok) return outcome;
  if (isJsonObject(member(outcome.value, 'total', 'lines'))) return parsed('summary');
  const files: MeasuredFile[] = [];
  for (const [key, file] of Object.entries(outcome.value)) {
    if (!isJsonObject(member(file, 'statementMap')) || !isJsonObject(member(file, 's'))) {
      return malformed('istanbul: a file without statements');
    }
    files.push({ path: textAt(file, 'path') ?? key, testName: '', lines: linesOf(file), functions: functionsOf(file) });
  }
  return parsed(files);
}

function linesOf(file: Json): LineHits[] {
  const counts = objectAt(file, 's');
  const hitsByLine = new Map<number, number>();
  for (const [id, place] of Object.entries(objectAt(file, 'statementMap'))) {
    const line = lineOf(place);
    if (line !== undefined) hitsByLine.set(line, Math.max(hitsByLine.get(line) ?? 0, countAt(counts, id)));
  }
  return [...hitsByLine].map(([line, hits]) => ({ line, hits }));
}

function functionsOf(file: Json): FunctionHits[] {
  const counts = objectAt(file, 'f');
  return Object.entries(objectAt(file, 'fnMap')).flatMap(([id, entry]) => {
    const line = lineOf(member(entry, 'decl')) ?? lineOf(member(entry, 'loc'));
    return line === undefined ? [] : [{ name: textAt(entry, 'name') ?? '', line, hits: countAt(counts, id) }];
  });
}

function lineOf(place: Json | undefined): number | undefined {
  const line = member(place, 'start', 'line');
  return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : undefined;
}

function countAt(counts: JsonObject, id: string): number {
  const value = Object.hasOwn(counts, id) ? counts[id] : 0;
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
