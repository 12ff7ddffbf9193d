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
];
