/**
 * Row ids of texts that are stored once and named often, found or made. An import asks for the same ones again and again, so ids are
 * kept for as long as a transaction lasts: after a rollback or a sweep they would lead nowhere.
 *
 * What is most likely new is written first and looked for only if it was there. 200,000 identities took 2,100 ms one by one with
 * RETURNING, and take 1,000 ms in eights.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

export type RowIds<T> = {
  /** Ids in the order of the items. */
  intern(items: readonly T[]): Int32Array;
  forget(): void;
};

export type RowIdTable<T> = {
  readonly table: string;
  /** Of the unique text. */
  readonly key: string;
  /** The others, in the order of `valuesOf`. */
  readonly columns: readonly string[];
  keyOf(item: T): string;
  valuesOf(item: T): readonly SQLInputValue[];
  isLikelyNew(item: T): boolean;
};

const rowsPerStatement = 8;

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
