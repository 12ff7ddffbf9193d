/**
 * Inserts of many like rows: positional parameters, eight rows to a statement. 280,000 symbols took 1,000 ms bound by name, 305 ms
 * bound by position, 260 ms in eights, no less in longer statements; SQLite alone, without any binding, takes 140 ms.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

export type RowBatch = {
  /** Values in the order of the columns. */
  add(...values: readonly SQLInputValue[]): void;
  /** Until then rows may be waiting here. */
  flush(): void;
  /** Forgets what is waiting. */
  clear(): void;
};

const rowsPerStatement = 8;

export function createRowBatch(
  db: DatabaseSync,
  table: string,
  columns: readonly string[],
  onConflict: '' | 'ON CONFLICT DO NOTHING' = '',
): RowBatch {
  const insert = (rows: number): string => {
    const row = `(${columns.map(() => '?').join(',')})`;
    return `INSERT INTO ${table}(${columns.join(',')}) VALUES ${Array(rows).fill(row).join(',')} ${onConflict}`;
  };
  const one = db.prepare(insert(1));
  const many = db.prepare(insert(rowsPerStatement));
  const full = rowsPerStatement * columns.length;
  const waiting = new Array<SQLInputValue>(full).fill(null);
  let filled = 0;
  return {
    add(...values) {
      for (let at = 0; at < columns.length; at += 1) waiting[filled + at] = values[at] as SQLInputValue;
      filled += columns.length;
      if (filled < full) return;
      filled = 0;
      many.run(...waiting);
    },
    flush() {
      const end = filled;
      filled = 0;
      for (let at = 0; at < end; at += columns.length) one.run(...waiting.slice(at, at + columns.length));
    },
    clear() {
      filled = 0;
    },
  };
}
