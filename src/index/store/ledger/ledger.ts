/**
 * `state/ledger.db`: what cannot be derived again (code-plane.md §4.2). Flushed at every commit, migrated forward, never rebuilt: a
 * ledger that is damaged or of a newer program is left alone and reported. S10: nothing of it lies in `index/` or `cache/`.
 */

import { DatabaseSync } from 'node:sqlite';
import { assert } from '../../../kernel/base/assert.ts';
import { ensureOwnDirectory } from '../../../kernel/base/write-file.ts';
import { openDatabase, orRefused, type Refused } from '../open-database.ts';
import { guardSqlite, isDamage, isSqliteError } from '../store-failed.ts';

export type Ledger = {
  /** Adds one to a counter that is at least `atLeast`, and gives the result: never a number it has given before. */
  advance(counter: string, atLeast: number): number;
  close(): void;
};

type LedgerOutcome =
  | { readonly kind: 'open'; readonly ledger: Ledger }
  | { readonly kind: 'unusable'; readonly detail: string }
  | Refused;

/** Only for the holder of the writer lock. */
export function openLedger(stateDir: string, migrations: readonly Migration[] = ledgerMigrations): LedgerOutcome {
  const opened = openLedgerDatabase(stateDir, migrations);
  return opened.kind === 'open' ? { kind: 'open', ledger: createLedger(opened.db) } : opened;
}

type LedgerDatabase =
  | { readonly kind: 'open'; readonly db: DatabaseSync }
  | { readonly kind: 'unusable'; readonly detail: string }
  | Refused;

/** For the parts of the store that keep their own tables in it. */
export function openLedgerDatabase(
  stateDir: string,
  migrations: readonly Migration[] = ledgerMigrations,
): LedgerDatabase {
  return orRefused((): LedgerDatabase => {
    ensureOwnDirectory(stateDir);
    ensureOwnDirectory(`${stateDir}/state`);
    let db: DatabaseSync | undefined;
    try {
      db = openDatabase(`${stateDir}/state/ledger.db`, 'create');
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
      const problem = migrate(db, migrations) ?? findForeignStatement(db, migrations);
      if (problem === undefined) return { kind: 'open', db };
      db.close();
      return { kind: 'unusable', detail: problem };
    } catch (error) {
      db?.close();
      if (!isSqliteError(error)) throw error;
      // A full or failing disk says nothing of the ledger itself.
      return { kind: 'unusable', detail: `${isDamage(error) ? 'is damaged' : 'cannot be used'} (${error.message})` };
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

/** P9: a trigger, a view or another table could change what is stored or read; the ledger holds what our steps make, to the statement. */
function findForeignStatement(db: DatabaseSync, migrations: readonly Migration[]): string | undefined {
  const expected = new Set(statementsOf(migrations));
  const found = db.prepare('SELECT type, name, sql FROM sqlite_schema').all();
  const foreign = found.find(({ sql }) => sql !== null && !expected.delete(String(sql)));
  if (foreign !== undefined) return `it holds the ${foreign['type']} ${foreign['name']}, which codegenie did not make`;
  const [missing] = expected;
  return missing === undefined ? undefined : `missing: ${missing.slice(0, missing.indexOf('('))}`;
}

const madeBy = new WeakMap<readonly Migration[], readonly string[]>();

function statementsOf(migrations: readonly Migration[]): readonly string[] {
  const known = madeBy.get(migrations);
  if (known !== undefined) return known;
  const fresh = new DatabaseSync(':memory:');
  try {
    for (const { sql } of migrations) fresh.exec(sql);
    const made = fresh.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
    const statements = made.map(({ sql }) => String(sql));
    madeBy.set(migrations, statements);
    return statements;
  } finally {
    fresh.close();
  }
}

function createLedger(db: DatabaseSync): Ledger {
  const advance = db.prepare(
    `INSERT INTO counters(name, value) VALUES ($name, $atLeast + 1)
     ON CONFLICT(name) DO UPDATE SET value = max(value, $atLeast) + 1
     RETURNING value`,
  );
  return {
    advance: (counter, atLeast) =>
      guardSqlite(() => Number(advance.get({ $name: counter, $atLeast: atLeast })?.['value'])),
    close: () => db.close(),
  };
}

/** The schema, step by step. A released step is never changed; a new one is added at the end (code-plane.md §4.2). */
export type Migration = { readonly number: number; readonly says: string; readonly sql: string };

export const ledgerMigrations: readonly Migration[] = [
  {
    number: 1,
    says: 'counters that must never go back, and what happened',
    sql: `
      -- facts: the number of the last facts file, which is also the block its generations lie in.
      CREATE TABLE counters(
        name TEXT PRIMARY KEY,
        value INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      -- For people: rebuilds and their reasons, recoveries. Nothing decides by it.
      CREATE TABLE events(
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT,
        detail TEXT
      ) STRICT;
    `,
  },
  {
    number: 2,
    says: 'plans, their parts, requests already answered, decisions, and what can be undone (mutation.md §5, §7, §9)',
    sql: `
      -- One row per plan, from its making until seven days after its end. Beyond the columns a status change or a list looks at,
      -- what only a commit reads whole is JSON: the symbol as it was shown; in extra_json moved files, risks of forced edits, census,
      -- notes, and what the shadow proof of another selection is asked with. scope_digest: over path and hash of every file in scope when it was made.
      CREATE TABLE plans(
        id TEXT PRIMARY KEY,
        hash TEXT NOT NULL,
        kind TEXT NOT NULL,
        op_json TEXT NOT NULL,
        root_hash TEXT NOT NULL,
        worktree TEXT NOT NULL,
        session TEXT,
        generation INTEGER NOT NULL,
        context_keys TEXT NOT NULL,
        symbol_key TEXT NOT NULL,
        symbol_json TEXT NOT NULL,
        new_name TEXT NOT NULL,
        provenance TEXT NOT NULL CHECK(provenance IN('proven','resolved','syntactic','text')),
        ambiguity_fp TEXT NOT NULL,
        scope_digest TEXT NOT NULL,
        extra_json TEXT NOT NULL,
        status TEXT NOT NULL
          CHECK(status IN('proving','open','committing','committed','undone','expired','cancelled','conflict')),
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL,
        committed_ms INTEGER,
        result_json TEXT
      ) STRICT;
      CREATE INDEX plans_open ON plans(expires_ms) WHERE status IN('proving','open');
      -- For lists, newest first.
      CREATE INDEX plans_made ON plans(created_ms);
      -- hash, new_hash: BLAKE3 of the whole file; new_hash is known when the plan has been committed.
      CREATE TABLE plan_files(
        plan_id TEXT NOT NULL REFERENCES plans ON DELETE CASCADE,
        path TEXT NOT NULL,
        role TEXT NOT NULL CHECK(role IN('edited','affected')),
        hash TEXT NOT NULL,
        new_hash TEXT,
        mode INTEGER,
        PRIMARY KEY(plan_id, path)
      ) STRICT;
      -- at: the order in which they are shown. anchor_json: as in plan_edits.
      CREATE TABLE plan_items(
        plan_id TEXT NOT NULL REFERENCES plans ON DELETE CASCADE,
        id TEXT NOT NULL,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        path TEXT NOT NULL,
        start_byte INTEGER NOT NULL,
        end_byte INTEGER NOT NULL,
        line INTEGER NOT NULL,
        col INTEGER NOT NULL,
        text TEXT NOT NULL,
        anchor_json TEXT NOT NULL,
        detail TEXT NOT NULL,
        options_json TEXT NOT NULL,
        chosen TEXT,
        PRIMARY KEY(plan_id, id)
      ) STRICT;
      CREATE TABLE plan_groups(
        plan_id TEXT NOT NULL REFERENCES plans ON DELETE CASCADE,
        id TEXT NOT NULL,
        at INTEGER NOT NULL,
        title TEXT NOT NULL,
        provenance TEXT NOT NULL,
        item_id TEXT,
        option TEXT,
        selected INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY(plan_id, id)
      ) STRICT;
      -- line, col: as people see start_byte. anchor_json: [before, text, after, line hash, ordinal], secrets as keyed hashes.
      CREATE TABLE plan_edits(
        plan_id TEXT NOT NULL,
        group_id TEXT NOT NULL,
        path TEXT NOT NULL,
        start_byte INTEGER NOT NULL,
        end_byte INTEGER NOT NULL,
        line INTEGER NOT NULL,
        col INTEGER NOT NULL,
        old_text TEXT NOT NULL,
        new_text TEXT NOT NULL,
        form TEXT NOT NULL,
        anchor_json TEXT NOT NULL,
        PRIMARY KEY(plan_id, group_id, path, start_byte),
        FOREIGN KEY(plan_id, group_id) REFERENCES plan_groups ON DELETE CASCADE
      ) STRICT;
      -- Answers by the id their asker gave; for 24 hours.
      CREATE TABLE requests(
        id TEXT PRIMARY KEY,
        op_hash TEXT NOT NULL,
        answer_json TEXT NOT NULL,
        created_ms INTEGER NOT NULL
      ) STRICT;
      -- What was chosen once (§7): a hint for who is asked the same again. items_json: the ids of all items it was about.
      CREATE TABLE decisions(
        key TEXT PRIMARY KEY,
        op TEXT NOT NULL,
        symbol_key TEXT NOT NULL,
        items_json TEXT NOT NULL,
        chosen_json TEXT NOT NULL,
        file_hashes_json TEXT NOT NULL,
        proof_json TEXT NOT NULL,
        plan_id TEXT NOT NULL,
        created_ms INTEGER NOT NULL
      ) STRICT;
      -- dir: below state/undo/. A plan stays as long as its row here does: the copies are found through it.
      CREATE TABLE undo(
        plan_id TEXT PRIMARY KEY REFERENCES plans ON DELETE CASCADE,
        dir TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        created_ms INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    number: 3,
    says: 'events, which nothing wrote and nothing showed, are gone',
    sql: 'DROP TABLE events',
  },
  {
    number: 4,
    says: 'answers to requests and decisions carry a seal, like plans; those of before have none, and do not count (P9)',
    sql: 'ALTER TABLE requests ADD COLUMN seal TEXT; ALTER TABLE decisions ADD COLUMN seal TEXT',
  },
  {
    number: 5,
    says: 'how large a plan is with all its parts, which bounds them together; those of before count as nothing and end soon',
    sql: 'ALTER TABLE plans ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0',
  },
];
