/** The ledger's schema, step by step. A step that has been released is never changed; a new one is added at the end (§4.2). */

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
];
