/**
 * The tables of a fleet in SQLite. They are private, and a free query may not name them: what it sees are the views of `fleet-views.ts`, which
 * stay as they are while these change.
 */

export const schemaVersion = 1;

export const schema = `
-- What was added. A failure stands until the next success; the facts of the last publication stay beside it.
CREATE TABLE fleet_repositories(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL,
  added_ms INTEGER NOT NULL,
  head TEXT, branch TEXT, head_seen_ms INTEGER,
  commit_id TEXT, program TEXT, published_ms INTEGER,
  failure TEXT, failure_detail TEXT, failed_ms INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  look_after_ms INTEGER NOT NULL DEFAULT 0,
  CHECK ((commit_id IS NULL) = (published_ms IS NULL)),
  CHECK ((failure IS NULL) = (failed_ms IS NULL))
) STRICT;

-- At most one a repository. A token: somebody works on it, until the lease ends or the holder is gone.
CREATE TABLE fleet_jobs(
  repository INTEGER PRIMARY KEY REFERENCES fleet_repositories(id) ON DELETE CASCADE,
  host TEXT NOT NULL,
  priority INTEGER NOT NULL,
  not_before_ms INTEGER NOT NULL,
  token TEXT, holder TEXT, lease_until_ms INTEGER,
  lost_claims INTEGER NOT NULL DEFAULT 0,
  CHECK ((token IS NULL) = (holder IS NULL) AND (token IS NULL) = (lease_until_ms IS NULL))
) STRICT;
CREATE INDEX fleet_jobs_due ON fleet_jobs(host, priority, not_before_ms) WHERE token IS NULL;
CREATE INDEX fleet_jobs_held ON fleet_jobs(host) WHERE token IS NOT NULL;

CREATE TABLE fleet_hosts(host TEXT PRIMARY KEY, held_until_ms INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

-- Of the last publication of each. By id first: a question is about few ids and all repositories.
-- A value that is a string is kept as it is (json 0), any other as JSON (json 1); without a value both are null.
CREATE TABLE fleet_facts(
  id TEXT NOT NULL,
  repository INTEGER NOT NULL REFERENCES fleet_repositories(id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  component TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('known', 'none', 'unknown', 'not_looked')),
  value TEXT, json INTEGER,
  confidence TEXT,
  evidence TEXT NOT NULL,
  PRIMARY KEY (id, repository, scope)
) STRICT, WITHOUT ROWID;
CREATE INDEX fleet_facts_of ON fleet_facts(repository);
-- What an answer has to name: few rows of many.
CREATE INDEX fleet_facts_dark ON fleet_facts(repository, id, state) WHERE state IN ('unknown', 'not_looked');

-- Every publication there was; its facts by content, compressed, so that a publication that changed nothing costs a row.
CREATE TABLE fleet_publications(
  repository INTEGER NOT NULL REFERENCES fleet_repositories(id) ON DELETE CASCADE,
  commit_id TEXT NOT NULL,
  program TEXT NOT NULL,
  published_ms INTEGER NOT NULL,
  document TEXT,
  facts TEXT NOT NULL REFERENCES fleet_fact_sets(content),
  PRIMARY KEY (repository, commit_id, program)
) STRICT, WITHOUT ROWID;
CREATE INDEX fleet_publications_facts ON fleet_publications(facts);
CREATE TABLE fleet_fact_sets(content TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA user_version = ${schemaVersion};
`;
