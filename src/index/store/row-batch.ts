/**
 * Inserts of many like rows: positional parameters, eight rows to a statement. 280,000 symbols took 1,000 ms bound by name, 305 ms
 * bound by position, 260 ms in eights, no less in longer statements; SQLite alone, without any binding, takes 140 ms.
 *
 * `OR FAIL`: a statement that may have to undo its first rows keeps a copy of every page it touches. A million occurrences with two
 * indexes took 5,700 ms with that and take 2,200 ms without; a failure undoes the whole transaction.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

type RowBatch = {
  /** Values in the order of the columns. */
  add(...values: readonly SQLInputValue[]): void;
  /** Room for one row in `values`, from the position it returns: for a million rows that need not be lists first. */
  reserve(): number;
  readonly values: SQLInputValue[];
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
    return `INSERT OR FAIL INTO ${table}(${columns.join(',')}) VALUES ${Array(rows).fill(row).join(',')} ${onConflict}`;
  };
  const one = db.prepare(insert(1));
  const many = db.prepare(insert(rowsPerStatement));
  const full = rowsPerStatement * columns.length;
  const waiting = new Array<SQLInputValue>(full).fill(null);
  let filled = 0;
  const reserve = (): number => {
    if (filled === full) {
      filled = 0;
      many.run(...waiting);
    }
    filled += columns.length;
    return filled - columns.length;
  };
  return {
    values: waiting,
    reserve,
    add(...values) {
      const first = reserve();
      for (let at = 0; at < columns.length; at += 1) waiting[first + at] = values[at] as SQLInputValue;
    },
    flush() {
      const end = filled;
      filled = 0;
      if (end === full) many.run(...waiting);
      else for (let at = 0; at < end; at += columns.length) one.run(...waiting.slice(at, at + columns.length));
    },
    clear() {
      filled = 0;
    },
  };
}

// ---- row ids

/**
 * Row ids of texts that are stored once and named often, found or made. An import asks for the same ones again and again, so ids are
 * kept for as long as a transaction lasts: after a rollback or a sweep they would lead nowhere.
 *
 * What is most likely new is written first and looked for only if it was there. 200,000 identities took 2,100 ms one by one with
 * RETURNING, and take 1,000 ms in eights.
 */
export type RowIds<T> = {
  /** Ids in the order of the items. */
  intern(items: readonly T[]): Int32Array;
  forget(): void;
};

type RowIdTable<T> = {
  readonly table: string;
  /** Of the unique text. */
  readonly key: string;
  /** The others, in the order of `valuesOf`. */
  readonly columns: readonly string[];
  keyOf(item: T): string;
  valuesOf(item: T): readonly SQLInputValue[];
  isLikelyNew(item: T): boolean;
};

export function createRowIds<T>(db: DatabaseSync, of: RowIdTable<T>): RowIds<T> {
  const { table, key, keyOf } = of;
  const columns = ['id', key, ...of.columns];
  const row = `(${columns.map(() => '?').join(',')})`;
  const insert = (rows: number) =>
    db.prepare(
      `INSERT OR FAIL INTO ${table}(${columns.join(',')}) VALUES ${Array(rows).fill(row).join(',')} ON CONFLICT DO NOTHING`,
    );
  const one = insert(1);
  const many = insert(rowsPerStatement);
  const find = db.prepare(`SELECT id FROM ${table} WHERE ${key} = ?`);
  const findLast = db.prepare(`SELECT max(id) AS id FROM ${table}`);

  const known = new Map<string, number>();
  const waiting: T[] = [];
  /** 0: nothing was asked for in this transaction yet. */
  let nextId = 0;
  let wasEmpty = false;

  const findId = (text: string): number | undefined => find.get(text)?.['id'] as number | undefined;
  const valuesOf = (item: T, id: number): SQLInputValue[] => [id, keyOf(item), ...of.valuesOf(item)];

  /** Ids are given as if all were new; what was there already keeps its own. */
  function write(): void {
    const first = nextId;
    nextId += waiting.length;
    let changes = 0;
    if (waiting.length === rowsPerStatement) {
      changes = Number(many.run(...waiting.flatMap((item, at) => valuesOf(item, first + at))).changes);
    } else {
      for (const [at, item] of waiting.entries()) changes += Number(one.run(...valuesOf(item, first + at)).changes);
    }
    for (const [at, item] of waiting.entries()) {
      const text = keyOf(item);
      known.set(text, changes === waiting.length ? first + at : (findId(text) as number));
    }
    waiting.length = 0;
  }

  function begin(): void {
    const last = Number(findLast.get()?.['id'] ?? 0);
    nextId = last + 1;
    wasEmpty = last === 0;
  }

  function prepare(text: string, item: T): void {
    const found = wasEmpty || of.isLikelyNew(item) ? undefined : findId(text);
    // Zero: it is waiting, and not to be written twice in one statement.
    known.set(text, found ?? 0);
    if (found === undefined && waiting.push(item) === rowsPerStatement) write();
  }

  return {
    intern(items) {
      if (nextId === 0) begin();
      const ids = new Int32Array(items.length);
      const later: number[] = [];
      for (let at = 0; at < items.length; at += 1) {
        const item = items[at] as T;
        const text = keyOf(item);
        const id = known.get(text);
        if (id === undefined) prepare(text, item);
        if (id === undefined || id === 0) later.push(at);
        else ids[at] = id;
      }
      if (waiting.length > 0) write();
      for (const at of later) ids[at] = known.get(keyOf(items[at] as T)) as number;
      return ids;
    },
    forget() {
      known.clear();
      waiting.length = 0;
      nextId = 0;
    },
  };
}
