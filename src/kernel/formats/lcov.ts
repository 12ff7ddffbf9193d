/**
 * LCOV tracefiles as a line state machine: one record per `SF` … `end_of_record`, with its lines, functions and branches. Hand-written:
 * the format is a dozen kinds of lines, and half a report must not pass for a whole one.
 *
 * Promises: linear; a known line that cannot be read, a data line outside a record and a record without an end are malformed, so
 * that half a report is never taken for a whole one; unknown lines are noted as `unknown_line`. An empty file is an empty report.
 */

import { limits as programLimits } from '../base/limits.ts';
import {
  linesOf,
  malformed,
  type ParseLimits,
  type ParseNote,
  type ParseOutcome,
  parsed,
  parseText,
} from './parse-outcome.ts';

type LcovFile = {
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

type LcovReport = { readonly files: readonly LcovFile[]; readonly totals: LcovTotals };

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

type LcovRecord = {
  readonly path: string;
  readonly testName: string;
  readonly lines: { readonly line: number; readonly hits: number }[];
  readonly functions: { readonly name: string; readonly line: number; readonly hits: number }[];
  /** Hits may come before or after the function they belong to. */
  readonly functionHits: Map<string, number>;
  /** LCOV 2: `FNL` gives an index its line, `FNA` its name and hits. */
  readonly functionLines: Map<string, number>;
  readonly branches: {
    readonly line: number;
    readonly block: string;
    readonly branch: string;
    readonly hits: number;
  }[];
  /** `LF`, `LH`, `FNF`, `FNH`, `BRF`, `BRH`. */
  readonly declared: Map<string, number>;
};

type Reader = (record: LcovRecord, value: string) => boolean;

function newRecord(path: string, testName: string): LcovRecord {
  return {
    path,
    testName,
    lines: [],
    functions: [],
    functionHits: new Map(),
    functionLines: new Map(),
    branches: [],
    declared: new Map(),
  };
}

/** The data lines of a record: one reader each, which answers whether the value could be read. */
const lcovReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['DA', readLine],
  ['FN', readFunction],
  ['FNDA', readFunctionHits],
  ['FNL', readFunctionLine],
  ['FNA', readFunctionAlias],
  ['BRDA', readBranch],
  ...['LF', 'LH', 'FNF', 'FNH', 'BRF', 'BRH'].map((key): [string, Reader] => [
    key,
    (record, value) => {
      const count = readCount(value);
      if (count !== undefined) record.declared.set(key, count);
      return count !== undefined;
    },
  ]),
]);

/** `<line>,<hits>[,<checksum>]` */
function readLine(record: LcovRecord, value: string): boolean {
  const [line, rest] = cut(value);
  const number = readCount(line);
  const hits = readCount(cut(rest)[0]);
  if (number === undefined || hits === undefined) return false;
  record.lines.push({ line: number, hits });
  return true;
}

/** `<line>[,<end line>],<name>`; a name may hold commas. */
function readFunction(record: LcovRecord, value: string): boolean {
  const [start, rest] = cut(value);
  const line = readCount(start);
  if (line === undefined || rest === '') return false;
  const [end, name] = cut(rest);
  record.functions.push({ name: name !== '' && readCount(end) !== undefined ? name : rest, line, hits: 0 });
  return true;
}

/** `<hits>,<name>` */
function readFunctionHits(record: LcovRecord, value: string): boolean {
  const [count, name] = cut(value);
  const hits = readCount(count);
  if (hits === undefined) return false;
  record.functionHits.set(name, (record.functionHits.get(name) ?? 0) + hits);
  return true;
}

/** `<index>,<line>[,<end line>]` */
function readFunctionLine(record: LcovRecord, value: string): boolean {
  const [index, rest] = cut(value);
  const line = readCount(cut(rest)[0]);
  if (line === undefined) return false;
  record.functionLines.set(index, line);
  return true;
}

/** `<index>,<hits>,<name>` */
function readFunctionAlias(record: LcovRecord, value: string): boolean {
  const [index, rest] = cut(value);
  const [count, name] = cut(rest);
  const hits = readCount(count);
  const line = record.functionLines.get(index);
  if (hits === undefined || line === undefined) return false;
  record.functions.push({ name, line, hits });
  return true;
}

/** `<line>,<block>,<branch>,<hits or ->`; the branch of LCOV 2 is an expression and may hold commas. */
function readBranch(record: LcovRecord, value: string): boolean {
  const [start, rest] = cut(value);
  const [block, branchAndHits] = cut(rest);
  const last = branchAndHits.lastIndexOf(',');
  const line = readCount(start);
  const taken = branchAndHits.slice(last + 1);
  const hits = taken === '-' ? 0 : readCount(taken);
  if (line === undefined || hits === undefined || last === -1) return false;
  record.branches.push({ line, block, branch: branchAndHits.slice(0, last), hits });
  return true;
}

/** Before and after the first comma. */
function cut(value: string): readonly [string, string] {
  const comma = value.indexOf(',');
  return comma === -1 ? [value, ''] : [value.slice(0, comma), value.slice(comma + 1)];
}

/** A decimal number that fits; nothing else is a count. */
function readCount(word: string): number | undefined {
  if (word.length === 0 || word.length > 15) return undefined;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return undefined;
  }
  return Number(word);
}

type LcovTotal = { readonly found: number; readonly hit: number };
type LcovTotals = { readonly lines: LcovTotal; readonly functions: LcovTotal; readonly branches: LcovTotal };

/**
 * Totals of a report, counted from its data: each file once, even when several tests report it, and hit when any of them hit it. What a
 * record declares (`LF`, `LH` and their kin) is used only where it has no data of its own.
 */
function countTotals(
  files: readonly LcovFile[],
  declaredBy: (index: number) => ReadonlyMap<string, number> | undefined,
): LcovTotals {
  const reports = new Map<string, number>();
  for (const { path } of files) reports.set(path, (reports.get(path) ?? 0) + 1);

  function count<T extends { readonly hits: number }>(
    itemsOf: (file: LcovFile) => readonly T[],
    keyOf: (item: T) => string,
    [foundKey, hitKey]: readonly [string, string],
  ): LcovTotal {
    const united = new Map<string, Map<string, boolean>>();
    let found = 0;
    let hit = 0;
    for (const [index, file] of files.entries()) {
      const items = itemsOf(file);
      if (items.length === 0) {
        found += declaredBy(index)?.get(foundKey) ?? 0;
        hit += declaredBy(index)?.get(hitKey) ?? 0;
      } else if (reports.get(file.path) === 1) {
        found += items.length;
        for (const item of items) if (item.hits > 0) hit += 1;
      } else {
        const seen = united.get(file.path) ?? new Map<string, boolean>();
        united.set(file.path, seen);
        for (const item of items) seen.set(keyOf(item), item.hits > 0 || seen.get(keyOf(item)) === true);
      }
    }
    for (const seen of united.values()) {
      found += seen.size;
      for (const isHit of seen.values()) if (isHit) hit += 1;
    }
    return { found, hit };
  }

  return {
    lines: count(
      (file) => file.lines,
      (each) => String(each.line),
      ['LF', 'LH'],
    ),
    functions: count(
      (file) => file.functions,
      (each) => `${each.line} ${each.name}`,
      ['FNF', 'FNH'],
    ),
    branches: count(
      (file) => file.branches,
      (each) => `${each.line} ${each.block} ${each.branch}`,
      ['BRF', 'BRH'],
    ),
  };
}
