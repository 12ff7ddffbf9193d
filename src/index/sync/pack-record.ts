/**
 * A file's record on its way from a worker to the writer. Symbols are by far the most numerous rows; as objects they would cost more
 * to copy between threads than to extract, so they travel as one string and one array of numbers.
 */

import { type SymbolKind, symbolKinds } from '../../languages/facts.ts';
import type { FileRecord, FileRow, SymbolRow } from '../store/file-rows.ts';
import { joinNamePath } from '../text/file-record.ts';

export type PackedRecord = {
  readonly file: FileRow;
  readonly names: string;
  readonly numbers: Int32Array | null;
  /** Imports, exports, sites, errors and provided names, as JSON. */
  readonly rest: string;
  readonly text: FileRecord['text'];
};

const numbersPerSymbol = 10;
const kindNumbers = new Map<SymbolKind, number>(symbolKinds.map((kind, index) => [kind, index]));

export function packRecord(record: FileRecord): PackedRecord {
  const { facts } = record;
  if (facts === null) return { file: record.file, names: '', numbers: null, rest: '', text: record.text };
  const { symbols, ...rest } = facts;
  return {
    file: record.file,
    names: symbols.map((symbol) => symbol.name).join('\0'),
    numbers: packNumbers(symbols),
    rest: JSON.stringify(rest),
    text: record.text,
  };
}

function packNumbers(symbols: readonly SymbolRow[]): Int32Array {
  const numbers = new Int32Array(symbols.length * numbersPerSymbol);
  for (let index = 0; index < symbols.length; index += 1) {
    putSymbol(numbers, index * numbersPerSymbol, symbols[index] as SymbolRow);
  }
  return numbers;
}

function putSymbol(numbers: Int32Array, at: number, symbol: SymbolRow): void {
  numbers[at] = symbol.parent;
  numbers[at + 1] = kindNumbers.get(symbol.kind) as number;
  numbers[at + 2] = symbol.exported ? 1 : 0;
  numbers[at + 3] = symbol.overload;
  numbers[at + 4] = symbol.nameStart;
  numbers[at + 5] = symbol.nameEnd;
  numbers[at + 6] = symbol.start;
  numbers[at + 7] = symbol.end;
  numbers[at + 8] = symbol.line;
  numbers[at + 9] = symbol.column;
}

export function unpackRecord(packed: PackedRecord): FileRecord {
  const { file, numbers, text } = packed;
  if (numbers === null) return { file, facts: null, text };
  const symbols: SymbolRow[] = [];
  const names = numbers.length === 0 ? [] : packed.names.split('\0');
  for (let index = 0; index < names.length; index += 1) {
    const at = index * numbersPerSymbol;
    const name = names[index] as string;
    const parent = numbers[at] as number;
    symbols.push({
      parent,
      name,
      nameFold: name.toLowerCase(),
      namePath: parent < 0 ? name : joinNamePath((symbols[parent] as SymbolRow).namePath, name),
      kind: symbolKinds[numbers[at + 1] as number] as SymbolKind,
      exported: numbers[at + 2] === 1,
      overload: numbers[at + 3] as number,
      nameStart: numbers[at + 4] as number,
      nameEnd: numbers[at + 5] as number,
      start: numbers[at + 6] as number,
      end: numbers[at + 7] as number,
      line: numbers[at + 8] as number,
      column: numbers[at + 9] as number,
    });
  }
  const rest = JSON.parse(packed.rest) as Omit<NonNullable<FileRecord['facts']>, 'symbols'>;
  return { file, facts: { symbols, ...rest }, text };
}
