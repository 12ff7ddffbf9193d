/**
 * An open facts file, for questions. One answer is one read transaction with one generation; statements are prepared once per
 * handle. S14: before a question, `isCurrent` says whether this file is still the live one.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assert } from '../../kernel/base/assert.ts';
import { guardSqlite } from './store-failed.ts';

/** What every query takes: a moment of the store. Good until `read` returns. */
export type ReadSession = {
  readonly generation: number;
  /** Of the facts file. */
  readonly path: string;
  /** Keeps what was worked out about a generation: a handle's own, or that of all handles of a pool. */
  readonly keeper: object;
  /** Prepared at its first use. Rows are objects. */
  statement(sql: string): StatementSync;
};

export type FactsHandle = {
  read<T>(ask: (session: ReadSession) => T): T;
  isCurrent(): boolean;
  /** From now on, until it is closed, every answer is of this moment, whatever others write. Not for a writer. */
  pin(): void;
  /** Of a pinned handle: the next pin may be of another moment. */
  unpin(): void;
  close(): void;
};

const findGeneration = "SELECT value FROM meta WHERE key = 'generation'";

export function createReader(db: DatabaseSync, keeper: object = {}): FactsHandle['read'] {
  const statements = new Map<string, StatementSync>();
  const path = db.location() ?? '';
  const statement = (sql: string): StatementSync => {
    let prepared = statements.get(sql);
    if (prepared === undefined) {
      prepared = db.prepare(sql);
      statements.set(sql, prepared);
    }
    return prepared;
  };
  const answer = <T>(ask: (session: ReadSession) => T): T => {
    const generation = Number(statement(findGeneration).get()?.['value']);
    const result = ask({ generation, path, keeper, statement });
    assert(!(result instanceof Promise), 'an answer is read in one go');
    return result;
  };
  return (ask) =>
    guardSqlite(() => {
      // Inside a write transaction of the same connection that one is the moment.
      if (db.isTransaction) return answer(ask);
      db.exec('BEGIN');
      try {
        return answer(ask);
      } finally {
        if (db.isTransaction) db.exec('COMMIT');
      }
    });
}

type Known = {
  readonly path: string;
  readonly generation: number;
  readonly values: Map<string, unknown>;
  /** What can be brought up to date, with the generation that it is of: the newest of each name. */
  readonly carried: Map<string, { readonly generation: number; readonly value: unknown }>;
};

/** By keeper: what was worked out goes with it. */
const known = new WeakMap<object, Known>();

/**
 * What follows from the facts of one generation alone and costs a look at every file, worked out once for a handle, or a pool of them,
 * that answers many questions. Not for what jobs or stats decide: those change within a generation.
 *
 * `update` makes it from the value of an earlier generation, which it leaves as it is; undefined: that cannot be done.
 */
export function oncePerGeneration<T extends object>(
  session: ReadSession,
  name: string,
  compute: (session: ReadSession) => T,
  update?: (before: T, generation: number) => T | undefined,
): T {
  let of = known.get(session.keeper);
  if (of?.generation !== session.generation || of.path !== session.path) {
    const carried: Known['carried'] = of?.path === session.path ? of.carried : new Map();
    of = { path: session.path, generation: session.generation, values: new Map(), carried };
    known.set(session.keeper, of);
  }
  const before = of.values.get(name);
  if (before !== undefined) return before as T;
  const earlier = of.carried.get(name);
  const isEarlier = earlier !== undefined && earlier.generation <= session.generation;
  const updated = isEarlier ? update?.(earlier.value as T, earlier.generation) : undefined;
  const value = updated ?? compute(session);
  of.values.set(name, value);
  if (update !== undefined && (earlier === undefined || isEarlier)) {
    of.carried.set(name, { generation: session.generation, value });
  }
  return value;
}
