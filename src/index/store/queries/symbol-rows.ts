/** Columns and mapping that the questions about syntactic symbols share. */

import type { SQLOutputValue } from 'node:sqlite';
import type { SymbolRow } from '../rows.ts';

/** A symbol with the file it is declared in. */
export type SymbolHit = Omit<SymbolRow, 'parent'> & {
  readonly path: string;
  readonly language: string | null;
  readonly test: boolean;
  readonly generated: boolean;
  readonly vendored: boolean;
};

export const symbolColumns = `
  s.name, s.name_fold AS nameFold, s.name_path AS namePath, s.overload, s.kind, s.exported, s.name_start AS nameStart,
  s.name_end AS nameEnd, s.start_byte AS start, s.end_byte AS end, s.line, s.col AS column
`;
export const hitColumns = `${symbolColumns}, f.path, f.language, f.test, f.generated, f.vendored`;

type Row = Record<string, SQLOutputValue>;

export function symbolHit(row: Row): SymbolHit {
  return {
    ...(row as unknown as SymbolHit),
    exported: row['exported'] === 1,
    test: row['test'] === 1,
    generated: row['generated'] === 1,
    vendored: row['vendored'] === 1,
  };
}

/** Rows with `id` and `parentId`, whose parents become positions in the same list; -1 for a parent that is not in it. */
export function symbolRows(rows: readonly Row[]): readonly SymbolRow[] {
  const positions = new Map(rows.map((row, at) => [row['id'], at]));
  return rows.map(({ id: _, parentId, ...row }) => ({
    ...(row as unknown as SymbolRow),
    parent: parentId === null ? -1 : (positions.get(parentId) ?? -1),
    exported: row['exported'] === 1,
  }));
}
