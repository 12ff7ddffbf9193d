/**
 * `state/ledger.db`: what cannot be derived again (code-plane.md §4.2). Flushed at every commit, migrated forward, never rebuilt: a
 * ledger that is damaged or of a newer program is left alone and reported. S10: nothing of it lies in `index/` or `cache/`.
 */

import type { DatabaseSync } from 'node:sqlite';
import { assert } from '../../kernel/base/assert.ts';
import { ensureOwnDirectory } from '../../kernel/base/write-file.ts';
import { ledgerMigrations, type Migration } from './ledger-migrations.ts';
import { openDatabase, orRefused, type Refused } from './open-database.ts';
import { guardSqlite, isSqliteError } from './store-failed.ts';

export type LedgerEvent = {
  readonly atMs: number;
  readonly kind: string;
  readonly subject: string | null;
  readonly detail: string | null;
};

export type Ledger = {
  /** Adds one to a counter that is at least `atLeast`, and gives the result: never a number it has given before. */
  advance(counter: string, atLeast: number): number;
  addEvent(event: LedgerEvent): void;
  /** Newest first. */
  listEvents(limit: number): readonly LedgerEvent[];
  close(): void;
};

export type LedgerOutcome =
  | { readonly kind: 'open'; readonly ledger: Ledger }
  | { readonly kind: 'unusable'; readonly detail: string }
  | Refused;

/** Only for the holder of the writer lock. */
export function openLedger(dataDir: string, migrations: readonly Migration[] = ledgerMigrations): LedgerOutcome {
  const opened = openLedgerDatabase(dataDir, migrations);
  return opened.kind === 'open' ? { kind: 'open', ledger: createLedger(opened.db) } : opened;
}

export type LedgerDatabase =
  | { readonly kind: 'open'; readonly db: DatabaseSync }
  | { readonly kind: 'unusable'; readonly detail: string }
  | Refused;

/** For the parts of the store that keep their own tables in it. */
export function openLedgerDatabase(
  dataDir: string,
  migrations: readonly Migration[] = ledgerMigrations,
): LedgerDatabase {
  return orRefused((): LedgerDatabase => {
    ensureOwnDirectory(dataDir);
    ensureOwnDirectory(`${dataDir}/state`);
    let db: DatabaseSync | undefined;
    try {
      db = openDatabase(`${dataDir}/state/ledger.db`, 'create');
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
      const problem = migrate(db, migrations);
      if (problem === undefined) return { kind: 'open', db };
      db.close();
      return { kind: 'unusable', detail: problem };
    } catch (error) {
      db?.close();
      if (!isSqliteError(error)) throw error;
      return { kind: 'unusable', detail: error.message };
    }
  });
}

/** Each step commits with its number, so a crash between two of them is a place to go on from. */
function migrate(db: DatabaseSync, migrations: readonly Migration[]): string | undefined {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  const newest = migrations.at(-1)?.number ?? 0;
  if (version > newest) return `written by a newer version of codegenie (step ${version}, known are ${newest})`;
  for (const [at, { number, sql }] of migrations.entries()) {
    assert(number === at + 1, 'migrations are numbered without gaps');
    if (number <= version) continue;
    db.exec('BEGIN IMMEDIATE');
    try {
      db.exec(`${sql}; PRAGMA user_version = ${number}`);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
  return undefined;
}

function createLedger(db: DatabaseSync): Ledger {
  const advance = db.prepare(
    `INSERT INTO counters(name, value) VALUES ($name, $atLeast + 1)
     ON CONFLICT(name) DO UPDATE SET value = max(value, $atLeast) + 1
     RETURNING value`,
  );
  const addEvent = db.prepare(
    'INSERT INTO events(at_ms, kind, subject, detail) VALUES ($atMs, $kind, $subject, $detail)',
  );
  const listEvents = db.prepare('SELECT at_ms, kind, subject, detail FROM events ORDER BY id DESC LIMIT $limit');
  return {
    advance: (counter, atLeast) =>
      guardSqlite(() => Number(advance.get({ $name: counter, $atLeast: atLeast })?.['value'])),
    addEvent: ({ atMs, kind, subject, detail }) =>
      guardSqlite(() => void addEvent.run({ $atMs: atMs, $kind: kind, $subject: subject, $detail: detail })),
    listEvents: (limit) =>
      guardSqlite(() =>
        listEvents.all({ $limit: limit }).map((row) => ({
          atMs: Number(row['at_ms']),
          kind: String(row['kind']),
          subject: row['subject'] as string | null,
          detail: row['detail'] as string | null,
        })),
      ),
    close: () => db.close(),
  };
}
