/**
 * LCOV tracefiles as a line state machine: one record per `SF` … `end_of_record`, with its lines, functions and branches.
 *
 * Promises: linear; a known line that cannot be read, a data line outside a record and a record without an end are malformed, so
 * that half a report is never taken for a whole one; unknown lines are noted as `unknown_line`. An empty file is an empty report.
 */

import { limits as programLimits } from '../base/limits.ts';
import { type LcovRecord, lcovReaders, newRecord } from './lcov-record.ts';
import { countTotals, type LcovTotals } from './lcov-totals.ts';
import { malformed, type ParseLimits, type ParseNote, type ParseOutcome, parsed } from './outcome.ts';
import { linesOf, parseText } from './text.ts';

export type LcovFile = {
  /** As written: absolute, or relative to where the tests ran. */
  readonly path: string;
  /** `TN`, empty when the report does not tell tests apart. */
  readonly testName: string;
  readonly lines: readonly { readonly line: number; readonly hits: number }[];
  readonly functions: readonly { readonly name: string; readonly line: number; readonly hits: number }[];
  readonly branches: readonly {
    readonly line: number;
    readonly block: string;
    readonly branch: string;
    readonly hits: number;
  }[];
};

export type LcovReport = { readonly files: readonly LcovFile[]; readonly totals: LcovTotals };

export function parseLcov(bytes: Uint8Array, limits: Pick<ParseLimits, 'maxBytes'>): ParseOutcome<LcovReport> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const records: LcovRecord[] = [];
  const notes: ParseNote[] = [];
  let testName = '';
  let open: { readonly record: LcovRecord; readonly line: number } | null = null;
  for (const [raw, number] of linesOf(text.value)) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    const key = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1);
    if (key === 'TN') {
      testName = value;
    } else if (key === 'SF') {
      if (open !== null) return malformed('lcov: a record is not closed', open.line);
      open = { record: newRecord(value, testName), line: number };
      records.push(open.record);
    } else if (key === 'end_of_record') {
      if (open === null) return malformed('lcov: an end without a record', number);
      open = null;
    } else {
      const read = lcovReaders.get(key);
      if (read === undefined) {
        if (notes.length < programLimits.diagnosticsPerProbe) {
          notes.push({ id: 'unknown_line', line: number, detail: 'unknown line' });
        }
        continue;
      }
      if (open === null) return malformed('lcov: data outside a record', number);
      if (!read(open.record, value)) return malformed('lcov: malformed data', number);
    }
  }
  if (open !== null) return malformed('lcov: a record is not closed', open.line);
  if (records.length === 0 && notes.length > 0) return malformed('lcov: no record', 1);
  const files = records.map(toFile);
  return parsed({ files, totals: countTotals(files, (index) => records[index]?.declared) }, notes);
}

function toFile({ path, testName, lines, functions, functionHits, branches }: LcovRecord): LcovFile {
  return {
    path,
    testName,
    lines,
    functions: functions.map((each) => ({ ...each, hits: functionHits.get(each.name) ?? each.hits })),
    branches,
  };
}
