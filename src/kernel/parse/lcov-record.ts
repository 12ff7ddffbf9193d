/** The data lines of an LCOV record: one reader each, which answers whether the value could be read. */

export type LcovRecord = {
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

export function newRecord(path: string, testName: string): LcovRecord {
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

export const lcovReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
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
