-- facts.db: what is known about the files of one root (code-plane.md §4.1). Everything here is derived and can be built again.
--
-- Reading rules
--   * A statement ends where a line ends in `;`. `store-schema.ts` splits the file there: tables first, secondary indexes when a new
--     store has been filled. So no comment line may end in a semicolon.
--   * Paths are root-relative and `/`-separated. `*_byte`, `name_start`, `name_end` count bytes of the raw file (a BOM is three).
--     `line` and `col` are 0-based, `col` in UTF-16 units without the BOM. Intervals are half-open.
--   * Row ids are assigned by the writer and never leave the store: a rebuilt store has other ids and the same canonical dump.
--   * Flags are 0 or 1. Words (`kind`, `reason`, …) are the unions of file-rows.ts; only those another layer branches on have a CHECK,
--     because a CHECK is paid for on every one of 300,000 rows.
--   * STRICT everywhere: a wrong type is an error, not a conversion.

-- One row per key: root_hash (whose files), extractor (whose facts), generation (last write transaction), structure (the last one that
-- wrote more than columns of files that had a row: states are then computed anew, else of what changed), nonce (must equal the one
-- in index/CURRENT), clean (1: the last writer closed in peace, so the file need not be checked from end to end).
CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What the tripwire compares (§2). One row, absent before the first reconcile has finished.
CREATE TABLE repo_state(
  id INTEGER PRIMARY KEY CHECK(id = 1),
  head TEXT NOT NULL,                  -- commit id, `unborn` or `none`
  git_index_sig TEXT,                  -- stat signature of the git index, NULL where there is none
  ignore_epoch TEXT NOT NULL,          -- hash over the rules of every .cplignore seen
  config_epoch TEXT NOT NULL,          -- hash over every configuration file seen
  watch TEXT NOT NULL CHECK(watch IN ('ok','degraded','off')),
  reconciled_ms INTEGER                -- end of the last full reconcile, Unix milliseconds
) STRICT;

---------------------------------------------------------------------------------------------------------------- syntactic facts

-- A file, link, or tracked file that is not on disk. A link is an `alias` and owns nothing: no hash, facts or text (D1).
-- The row is written by the last statement that stores a file, so a hash is never there without its facts (R2).
CREATE TABLE files(
  id INTEGER PRIMARY KEY,              -- also the rowid of its documents in fts_ident and fts_text
  path TEXT NOT NULL UNIQUE,           -- lookup by path; range over a directory
  path_key TEXT NOT NULL UNIQUE,       -- NFC and case fold where the volume does the same, else the path (F14)
  kind TEXT NOT NULL CHECK(kind IN ('file','alias')),
  canonical_path TEXT,                 -- alias: the file that answers for it
  language TEXT,
  presence TEXT NOT NULL DEFAULT 'present' CHECK(presence IN ('present','absent')),
  content_hash TEXT,                   -- BLAKE3 of the raw bytes, 64 hex digits
  size INTEGER,                        -- bytes; with the next three the stat signature of the screen (§2)
  mtime_ns INTEGER,                    -- nanoseconds since 1970, written from microseconds: beyond 2^53, so read it as mtime_ns/1000
  ctime_ns INTEGER,
  ino INTEGER,                         -- inode modulo 2^53
  hashed_ns INTEGER,                   -- when the bytes were hashed, in the clock of mtime_ns
  eol TEXT CHECK(eol IN ('lf','crlf','mixed','odd','none')),
  bom INTEGER NOT NULL DEFAULT 0,
  lines INTEGER,
  generated INTEGER NOT NULL DEFAULT 0,
  vendored INTEGER NOT NULL DEFAULT 0,
  test INTEGER NOT NULL DEFAULT 0,
  conflicted INTEGER NOT NULL DEFAULT 0,
  redacted INTEGER NOT NULL DEFAULT 0, -- secret-shaped strings were replaced: a text search must always look at the bytes
  skip_reason TEXT,                    -- why there are no facts; an alias: where it leads instead of to a file in scope
  parse TEXT CHECK(parse IN ('ok','errors','failed','skipped')),
  syn_iface TEXT,                      -- SHA-256 of the interface (§3.3); NULL is unknown, which reads as changed
  iface_closed INTEGER NOT NULL DEFAULT 0,
  iface_core TEXT,                     -- JSON of InterfaceCore: from it syn_iface is recomputed when an import resolves elsewhere
  targets_digest TEXT,                 -- of where its imports lead, in order; NULL without facts
  line_hashes BLOB,                    -- 8 bytes per line, line end excluded; NULL until the semantic layer asks for it
  generation INTEGER NOT NULL          -- of the write transaction that last changed facts of this file
) STRICT;
-- What has changed since a generation.
CREATE INDEX files_by_generation ON files(generation);
-- Always candidates of a text search: `redacted` files.
CREATE INDEX files_redacted ON files(path) WHERE redacted = 1;
-- `not_searched` and the counts of `status`, without reading the others.
CREATE INDEX files_skipped ON files(skip_reason, path) WHERE skip_reason IS NOT NULL;

-- A declaration. Ids of one file are consecutive and in the extractor's order, in which a parent precedes its children.
-- parent_id has no foreign key on purpose: SQLite would scan the table for children of every deleted row. It always lies in the
-- same file, whose rows are deleted together (D10).
CREATE TABLE syn_symbols(
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  parent_id INTEGER,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,             -- lower case, for search
  name_path TEXT NOT NULL,             -- A/b/c from the file's top level
  overload INTEGER NOT NULL DEFAULT 0, -- position among equal name paths of the file
  kind TEXT NOT NULL,
  exported INTEGER NOT NULL,
  name_start INTEGER NOT NULL,
  name_end INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,         -- the whole declaration with modifiers and decorators
  end_byte INTEGER NOT NULL,
  line INTEGER NOT NULL,               -- of the name
  col INTEGER NOT NULL,
  sig_hash TEXT
) STRICT;
-- Outline of a file; symbols around a position.
CREATE INDEX syn_by_file ON syn_symbols(file_id, start_byte);
-- Exact name, folded name, prefix; substring and word parts scan it, because it holds the names and little else.
CREATE INDEX syn_by_name ON syn_symbols(name_fold, name);

-- Everything a file asks for (§3.4). It leads to a file or it has a reason, never both and never neither (S4).
CREATE TABLE imports(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,            -- order in the text
  specifier TEXT NOT NULL,
  kind TEXT NOT NULL,
  literal INTEGER NOT NULL,            -- 0: specifier is the source text of an expression
  type_only INTEGER NOT NULL,
  names TEXT NOT NULL,                 -- JSON [{name, alias, start}]
  resolved_path TEXT,                  -- the first target; all of them in import_targets if there are several
  external TEXT,                       -- package, module or header outside this repository
  reason TEXT,                         -- why it leads nowhere here
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  PRIMARY KEY(file_id, ordinal),
  CHECK((resolved_path IS NULL) <> (reason IS NULL))
) STRICT, WITHOUT ROWID;
-- Importers of a path, together with targets_by_path.
CREATE INDEX imports_by_target ON imports(resolved_path) WHERE resolved_path IS NOT NULL;
-- Imports that lead nowhere and yet could mean a file here: what a count of importers cannot rule out.
CREATE INDEX imports_by_reason ON imports(reason) WHERE reason IS NOT NULL;

-- Targets of an import that means several files (a Go package, a Java wildcard), the first included as rank 0. An import with one
-- target has no row here.
CREATE TABLE import_targets(
  file_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  rank INTEGER NOT NULL,               -- the language's order
  path TEXT NOT NULL,
  PRIMARY KEY(file_id, ordinal, rank),
  FOREIGN KEY(file_id, ordinal) REFERENCES imports ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX targets_by_path ON import_targets(path);

-- What was or would have been tried, in order, up to the hit: a path, `dir/` where any file in it counts, or a provided name.
CREATE TABLE import_candidates(
  file_id INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY(file_id, ordinal, rank),
  FOREIGN KEY(file_id, ordinal) REFERENCES imports ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
-- Whom to ask again when a path or name appears or goes (R5).
CREATE INDEX candidates_by_path ON import_candidates(path);

-- Names under which other files ask for this one where paths do not say it: `java:com.acme.Order`.
CREATE TABLE provides(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY(file_id, name)
) STRICT, WITHOUT ROWID;

-- What a file offers to others by name.
CREATE TABLE exports(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  public_name TEXT NOT NULL,           -- `default`, `*` and `=` as facts.ts says
  local_name TEXT,
  specifier TEXT,                      -- set where the export comes from another file
  star INTEGER NOT NULL,
  type_only INTEGER NOT NULL,
  PRIMARY KEY(file_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Where a name is reached that no reader can see: `x[y]`, eval, reflection. end_byte is part of the key: `a[b][c]` is two sites
-- that begin at one byte.
CREATE TABLE dynamic_sites(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT,                           -- the literal it reaches for, where there is one
  PRIMARY KEY(file_id, start_byte, end_byte, kind)
) STRICT, WITHOUT ROWID;

----------------------------------------------------------------------------------------------------------------- semantic facts

-- One indexer project (§5).
CREATE TABLE contexts(
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,            -- 'ts:packages/api/tsconfig.json'
  family TEXT NOT NULL,
  root TEXT NOT NULL,
  config_path TEXT,
  indexer TEXT NOT NULL,
  granularity TEXT NOT NULL CHECK(granularity IN ('project','package','file')),
  config_json TEXT NOT NULL,
  config_hash TEXT NOT NULL,           -- a change makes every fact of the context unindexed, as do tool_id and env_hash
  tool_path TEXT,
  tool_id TEXT,
  env_hash TEXT NOT NULL,
  probe TEXT NOT NULL,                 -- ok, missing_tool, bad_version, …
  probe_detail TEXT,
  enabled INTEGER NOT NULL
) STRICT;

-- Which files an indexer project covers; a file may be in several. A member has a row in files (D7).
CREATE TABLE context_members(
  context_id INTEGER NOT NULL REFERENCES contexts ON DELETE CASCADE,
  path TEXT NOT NULL,
  tried TEXT,                          -- fingerprint of what a run read that did not settle it: the same again would not either
  PRIMARY KEY(context_id, path)
) STRICT, WITHOUT ROWID;
-- Contexts of a file.
CREATE INDEX members_by_path ON context_members(path);

-- Files outside of a context's members that say something about all of them without being imported: declarations of packages, files that
-- git ignores. What a tool of granularity file needs besides the files it is asked about.
CREATE TABLE context_globals(
  context_id INTEGER PRIMARY KEY REFERENCES contexts ON DELETE CASCADE,
  made_of TEXT NOT NULL,               -- fingerprint of what they follow from: others now are not known
  paths TEXT NOT NULL                  -- JSON, absolute
) STRICT;

-- That a file was indexed in a context, at which bytes, with which configuration and tool. Everything else that a context says about
-- a file hangs on this row and goes with it: with the file, with the context, or when the file is no member any more. So a fact
-- without it cannot be (D3), and a context goes without a scan of the million occurrences of the others.
CREATE TABLE file_facts(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  context_id INTEGER NOT NULL REFERENCES contexts ON DELETE CASCADE,
  hash_at_index TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  tool_id TEXT NOT NULL,
  sem_iface TEXT,                      -- NULL: the tool gives no signatures
  own_iface TEXT,                      -- the same before the interfaces of others are part of it
  origin TEXT NOT NULL CHECK(origin IN ('indexer','patched')),
  job_id INTEGER,
  targets_digest TEXT,                 -- files.targets_digest then: another one now says that an import leads elsewhere (§8)
  digest TEXT NOT NULL,                -- of everything that hangs on this row but its dependencies: equal is not written again
  deps_digest TEXT NOT NULL,           -- of its dependencies
  line_hashes BLOB NOT NULL,           -- of the bytes at hash_at_index, to realign when the file has moved on
  PRIMARY KEY(file_id, context_id)
) STRICT;
-- Facts of a context.
CREATE INDEX facts_by_context ON file_facts(context_id);

-- What an indexer of TypeScript said of a file, in its own format and without secrets: the index that a gather publishes is written from
-- these. Facts that were made from older ones (origin 'patched') have none.
CREATE TABLE scip_documents(
  file_id INTEGER NOT NULL,
  context_id INTEGER NOT NULL,
  bytes BLOB NOT NULL,                 -- one part of an index, compressed
  PRIMARY KEY(file_id, context_id),
  FOREIGN KEY(file_id, context_id) REFERENCES file_facts ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

-- Identity of a symbol (§6.2). Owned by no file: replacing a file's facts never deletes it, a sweep removes unreferenced ones.
CREATE TABLE symbols(
  id INTEGER PRIMARY KEY,
  symbol_key TEXT NOT NULL UNIQUE,
  family TEXT NOT NULL,
  package TEXT NOT NULL,
  in_repo INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL
) STRICT;
CREATE INDEX symbols_by_name ON symbols(name_fold, name);

-- What one defining document says about a symbol. Rows of a document lie together, here and below: it is written and replaced as one.
CREATE TABLE symbol_info(
  file_id INTEGER NOT NULL,
  context_id INTEGER NOT NULL,
  symbol_id INTEGER NOT NULL REFERENCES symbols DEFERRABLE INITIALLY DEFERRED,
  raw_symbol TEXT NOT NULL,            -- the indexer's own spelling
  kind TEXT,
  signature TEXT,
  sig_hash TEXT,
  PRIMARY KEY(file_id, context_id, symbol_id),
  FOREIGN KEY(file_id, context_id) REFERENCES file_facts ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE INDEX info_by_symbol ON symbol_info(symbol_id);

-- from_id implements, … to_id, as said by file_id.
CREATE TABLE symbol_rel(
  file_id INTEGER NOT NULL,
  context_id INTEGER NOT NULL,
  from_id INTEGER NOT NULL REFERENCES symbols DEFERRABLE INITIALLY DEFERRED,
  to_id INTEGER NOT NULL REFERENCES symbols DEFERRABLE INITIALLY DEFERRED,
  kind TEXT NOT NULL CHECK(kind IN ('implements','reference','type_definition','definition','merge')),
  PRIMARY KEY(file_id, context_id, from_id, to_id, kind),
  FOREIGN KEY(file_id, context_id) REFERENCES file_facts ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
-- The family step in both directions over all contexts; also what keeps the removal of an identity row from scanning.
CREATE INDEX rel_forth ON symbol_rel(from_id, kind, to_id);
CREATE INDEX rel_back ON symbol_rel(to_id, kind, from_id);

-- A place where a symbol is written, in the bytes of file_facts.hash_at_index.
CREATE TABLE occurrences(
  file_id INTEGER NOT NULL,
  context_id INTEGER NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  symbol_id INTEGER NOT NULL REFERENCES symbols DEFERRABLE INITIALLY DEFERRED,
  roles INTEGER NOT NULL,              -- SCIP bits: 1 definition, 2 import, 4 write, 8 read, …
  -- The first comparison settles most rows: one list of six took a third of the time of a million inserts.
  form TEXT NOT NULL CHECK(form = 'name' OR form IN ('alias','keyword','string','module','synthetic')),
  line INTEGER NOT NULL,
  col INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  end_col INTEGER NOT NULL,
  PRIMARY KEY(file_id, context_id, start_byte, end_byte, symbol_id),
  FOREIGN KEY(file_id, context_id) REFERENCES file_facts ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
-- References of a symbol.
CREATE INDEX occ_by_symbol ON occurrences(symbol_id, file_id, start_byte);
-- Its definitions among a million references.
CREATE INDEX defs_by_symbol ON occurrences(symbol_id, file_id, start_byte) WHERE (roles & 1) = 1;

-- Paths and interface hashes that dependencies name, each once. Half a million dependencies of 180 bytes would be 90 MB to read for
-- the state of every file; as numbers they are 10.
CREATE TABLE dep_texts(
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

-- A dependency and its interface hashes at index time; NULL reads as unknown. By its path and not by its row: it must outlive the
-- dependency's deletion, which is what makes the dependents stale (T3). syn_id and sem_id lead to dep_texts without a foreign key,
-- which would need an index each (D14).
CREATE TABLE file_deps(
  file_id INTEGER NOT NULL,
  context_id INTEGER NOT NULL,
  path_id INTEGER NOT NULL REFERENCES dep_texts DEFERRABLE INITIALLY DEFERRED,
  syn_id INTEGER,
  sem_id INTEGER,
  PRIMARY KEY(file_id, context_id, path_id),
  FOREIGN KEY(file_id, context_id) REFERENCES file_facts ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
-- Dependents of a file in a context.
CREATE INDEX deps_back ON file_deps(path_id, context_id);

-- What makes an answer about a symbol uncertain (mutation.md §2.6).
CREATE TABLE ambiguities(
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  context_id INTEGER NOT NULL,
  symbol_id INTEGER REFERENCES symbols DEFERRABLE INITIALLY DEFERRED,
  name TEXT,
  kind TEXT NOT NULL,
  start_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  detail TEXT NOT NULL DEFAULT '',
  FOREIGN KEY(file_id, context_id) REFERENCES file_facts ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX amb_by_symbol ON ambiguities(symbol_id) WHERE symbol_id IS NOT NULL;
CREATE INDEX amb_by_file ON ambiguities(file_id, context_id);

-- Refresh jobs (§7). scope NULL means the whole context.
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY,
  context_id INTEGER NOT NULL REFERENCES contexts ON DELETE CASCADE,
  status TEXT NOT NULL CHECK(status IN ('queued','running','completed','failed','superseded','cancelled')),
  scope TEXT,                          -- canonical JSON
  trigger TEXT NOT NULL,
  priority INTEGER NOT NULL DEFAULT 0,
  fingerprint TEXT,
  head TEXT,                           -- for people; decides nothing
  not_before_ms INTEGER NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  lease_owner TEXT,
  lease_until_ms INTEGER,
  pgid INTEGER,
  pg_start TEXT,
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  finished_ms INTEGER,
  output_hash TEXT,
  accepted INTEGER,
  rejected INTEGER,
  failure TEXT,
  detail TEXT,
  successor_id INTEGER REFERENCES jobs
) STRICT;
-- At most one of each per context (R21), and how the next job is found.
CREATE UNIQUE INDEX one_queued ON jobs(context_id) WHERE status = 'queued';
CREATE UNIQUE INDEX one_running ON jobs(context_id) WHERE status = 'running';
CREATE INDEX jobs_history ON jobs(context_id, id);
-- What keeps the removal of a job from scanning for those it followed.
CREATE INDEX jobs_by_successor ON jobs(successor_id) WHERE successor_id IS NOT NULL;

----------------------------------------------------------------------------------------------------------------------- full text
-- Contentless: the index holds sets of tokens, not text, and no offsets (detail=none); rowid = files.id. Files that are not
-- searched have no row. Deletions are tombstones (contentless_delete), so the old document need not be given again.

-- Distinct identifier runs of the whole text. Case is folded, so an answer is a superset of the files with that very name.
CREATE VIRTUAL TABLE fts_ident USING fts5(names, content='', contentless_delete=1, detail=none,
  tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc Pc' tokenchars '$'");
-- Distinct trigrams of the folded text, each encoded as one four-letter word by trigrams.ts: four times as fast to write as the
-- built-in trigram tokenizer over whole texts, and the ascii tokenizer has nothing to decide.
CREATE VIRTUAL TABLE fts_text USING fts5(body, content='', contentless_delete=1, detail=none, tokenize='ascii');
