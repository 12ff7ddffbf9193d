/**
 * Writes what is known about files. One transaction is one generation; everything of a file is replaced together.
 *
 * R2  Hashes are the last thing a transaction writes. Until then the rows of its files have none, so whatever ends a transaction
 *     early cannot leave a hash beside facts or text that are not there.
 * S7  Full-text rows, facts and hash commit together or not at all.
 * S8  A file keeps its id when it is replaced, so what the semantic layer knows of it and of others is not touched.
 *
 * Full text is written at the end of the transaction, by ascending id. SQLite tells virtual tables of every savepoint, and each
 * statement that may fail halfway is one: written between them, FTS5 empties its buffer each time and takes six times as long.
 */

import { hash } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { assert } from '../../kernel/base/assert.ts';
import {
  type FileRecord,
  type FileRow,
  foldInode,
  type ImportRow,
  type ResolvedImport,
  type StatSignature,
} from './file-rows.ts';
import { createRowBatch } from './row-batch.ts';
import { guardSqlite } from './store-failed.ts';
import type { RepoState } from './stored-files.ts';

export type FactsWriter = {
  /** Of the last committed transaction; inside one, its own. */
  readonly generation: number;
  /** One write transaction; undone if `change` throws. `change` must be synchronous. */
  transaction<T>(change: () => T): T;
  /**
   * A write transaction for what is no fact: `touchStat`, jobs, the sweep of identities. No fact changes, so the generation stays, and
   * with it every answer that carries it.
   */
  remember<T>(change: () => T): T;
  /**
   * Replaces everything syntactic about a path. `resolutions` are those of `record.facts.imports`, in order. In a batch: deletions
   * first, because path keys are unique. Text and hash are there when the transaction has ended, the rest at once.
   */
  putFile(record: FileRecord, resolutions: readonly ResolvedImport[]): void;
  /** False: there was no such row. */
  deleteFile(path: string): boolean;
  /** The bytes are the same, their stat is not. */
  touchStat(path: string, stat: StatSignature, hashedUs: number): void;
  setConflicted(path: string, conflicted: boolean): void;
  /** The same imports lead elsewhere; nothing was parsed. */
  setResolutions(path: string, resolutions: readonly ResolvedImport[], synIface: string | null): void;
  putRepoState(state: RepoState): void;
  /**
   * Another number whenever a row of a file, what is said of its imports, or its text may be another. Imports of indexers leave it: they come
   * one after the other by the dozen, and what follows from files alone stays as it was.
   */
  filesVersion(): number;
  /** Another connection of this process has written, while this one was kept from it: what was counted here is read again. */
  catchUp(): void;
};

/** Generations of one facts file lie in a block of their own, so that a later file never repeats one (code-plane.md §4.3). */
export const generationsPerFile = 1_000_000_000;

/** What the one who fills a new store needs besides. */
type BulkWriter = FactsWriter &
  WriteSession & {
    /** Writes the rows that are waiting, for reading. */
    settle(): void;
    /** Writes everything that is waiting. */
    finish(): void;
  };

type WaitingText = {
  /** There may be an older document. */
  readonly isKnown: boolean;
  readonly text: FileRecord['text'];
  readonly contentHash: string | null;
};

/** Enough for one large segment of full text; more only costs memory. */
const bulkWaitingChars = 16 * 1024 * 1024;

/**
 * `bulk`: the caller holds one transaction around everything, no other connection sees the file, and `finish` writes what is still waiting.
 */
export function createFactsWriter(db: DatabaseSync, mode: 'bulk' | 'live'): BulkWriter {
  const statements = prepareFileStatements(db);
  const batches = prepareFileBatches(db);
  let [generation, nextFileId, nextSymbolId] = readCounters(db);
  let markedUnclean = mode === 'bulk';
  let inside: 'facts' | 'quiet' | undefined;
  /** The transaction has written more than columns of files that had a row (`structure` in schema.sql). */
  let isStructural = false;
  const endings: (() => void)[] = [];
  let filesVersion = 0;
  /** Since the last transaction has ended. */
  let hasTouchedFiles = false;

  /** By file id: what the end of the transaction still has to do. */
  const waiting = new Map<number, WaitingText>();
  let waitingChars = 0;

  const findId = (path: string): number | undefined => statements.findId.get(path)?.['id'] as number | undefined;
  const getId = (path: string): number => {
    const id = findId(path);
    assert(id !== undefined, `no row for ${path}`);
    return id;
  };
  const mustBeInside = (kind: 'facts' | 'any' = 'facts'): void => {
    assert(inside !== undefined, 'a write outside of a transaction');
    assert(inside === 'facts' || kind === 'any', 'a fact is written in a transaction with a generation of its own');
  };

  function touchFiles(): void {
    mustBeInside();
    hasTouchedFiles = true;
    filesVersion += 1;
  }

  function run<T>(change: () => T): T {
    generation += 1;
    inside = 'facts';
    isStructural = false;
    try {
      const result = change();
      assert(!(result instanceof Promise), 'a transaction cannot wait');
      if (mode === 'live' || waitingChars > bulkWaitingChars) finish();
      statements.setMeta.run(String(generation), 'generation');
      if (isStructural) statements.setMeta.run(String(generation), 'structure');
      return result;
    } finally {
      leave();
    }
  }

  function runQuietly<T>(change: () => T): T {
    inside = 'quiet';
    try {
      const result = change();
      assert(!(result instanceof Promise), 'a transaction cannot wait');
      return result;
    } finally {
      leave();
    }
  }

  /** Also at the end: text and hashes are written there, or nothing is. */
  function leave(): void {
    inside = undefined;
    if (hasTouchedFiles) filesVersion += 1;
    hasTouchedFiles = false;
    for (const forget of endings) forget();
  }

  function runLive<T>(change: () => T, enter: (change: () => T) => T = run): T {
    const before = generation;
    db.exec('BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON');
    try {
      if (!markedUnclean) statements.setMeta.run('0', 'clean');
      const result = enter(change);
      db.exec('COMMIT');
      markedUnclean = true;
      return result;
    } catch (error) {
      generation = before;
      for (const batch of Object.values(batches)) batch.clear();
      waiting.clear();
      waitingChars = 0;
      // SQLite has already rolled back by itself after some failures of the disk.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  /** In bulk mode rows may wait for those of the next file; a look at them or a removal must not miss any. */
  function settle(): void {
    for (const batch of Object.values(batches)) batch.flush();
  }

  function finish(): void {
    settle();
    const entries = [...waiting].sort(([a], [b]) => a - b);
    waiting.clear();
    waitingChars = 0;
    // All removals before the first document: a removal empties the buffer too.
    for (const [id, { isKnown }] of entries)
      if (isKnown) for (const statement of statements.removeText) statement.run(id);
    for (const [id, { text }] of entries) {
      if (text === null) continue;
      statements.putNames.run(id, text.names);
      statements.putText.run(id, text.trigrams);
    }
    for (const [id, { contentHash }] of entries) if (contentHash !== null) statements.setHash.run(contentHash, id);
  }

  function removeFacts(id: number): void {
    settle();
    for (const statement of statements.removeFacts) statement.run(id);
  }

  function putImport(id: number, ordinal: number, row: ImportRow, to: ResolvedImport): void {
    const names = row.names.length === 0 ? '[]' : JSON.stringify(row.names);
    const literal = Number(row.literal);
    const typeOnly = Number(row.typeOnly);
    const [first = null] = to.targets;
    // biome-ignore format: in the order of the columns
    batches.imports.add(id, ordinal, row.specifier, row.kind, literal, typeOnly, names, first, to.external, to.reason, row.start, row.end);
    putTargets(id, ordinal, to);
  }

  function putTargets(id: number, ordinal: number, to: ResolvedImport): void {
    if (to.targets.length > 1) {
      for (const [rank, path] of to.targets.entries()) batches.importTargets.add(id, ordinal, rank, path);
    }
    for (const [rank, path] of to.candidates.entries()) batches.importCandidates.add(id, ordinal, rank, path);
  }

  function putFacts(id: number, facts: NonNullable<FileRecord['facts']>, resolutions: readonly ResolvedImport[]): void {
    const firstSymbolId = nextSymbolId;
    nextSymbolId += facts.symbols.length;
    facts.symbols.forEach((row, at) => {
      assert(row.parent < at, 'a symbol comes after its parent');
      const parentId = row.parent < 0 ? null : firstSymbolId + row.parent;
      const exported = Number(row.exported);
      // biome-ignore format: in the order of the columns
      batches.symbols.add(firstSymbolId + at, id, parentId, row.name, row.nameFold, row.namePath, row.overload, row.kind, exported, row.nameStart, row.nameEnd, row.start, row.end, row.line, row.column);
    });
    assert(facts.imports.length === resolutions.length, 'as many resolutions as imports');
    for (const [at, row] of facts.imports.entries()) putImport(id, at, row, resolutions[at] as ResolvedImport);
    facts.exports.forEach((row, at) => {
      // biome-ignore format: in the order of the columns
      batches.exports.add(id, at, row.publicName, row.localName, row.specifier, Number(row.star), Number(row.typeOnly));
    });
    for (const row of facts.sites) batches.sites.add(id, row.start, row.end, row.kind, row.name);
    for (const name of facts.provides) batches.provides.add(id, name);
    if (mode === 'live') settle();
  }

  return {
    get generation() {
      return generation;
    },
    // Other writers of facts are structural, whatever they write: a reader of less than all of it must not miss any.
    mustBeInside(kind) {
      mustBeInside(kind);
      isStructural ||= kind === 'facts';
    },
    onEnd(forget) {
      endings.push(forget);
    },
    settle,
    finish,
    filesVersion: () => filesVersion,
    catchUp() {
      filesVersion += 1;
      assert(inside === undefined, 'no other connection writes inside a transaction');
      [generation, nextFileId, nextSymbolId] = guardSqlite(() => readCounters(db));
    },
    remember(change) {
      assert(inside === undefined, 'a transaction inside a transaction');
      return guardSqlite(() => (mode === 'bulk' ? runQuietly(change) : runLive(change, runQuietly)));
    },
    transaction(change) {
      assert(inside === undefined, 'a transaction inside a transaction');
      return guardSqlite(() => (mode === 'bulk' ? run(change) : runLive(change)));
    },
    putFile(record, resolutions) {
      touchFiles();
      const known = findId(record.file.path);
      const id = known ?? nextFileId++;
      if (known !== undefined) removeFacts(id);
      isStructural ||= known === undefined || !isIndexable(record.file);
      if (known !== undefined && !isIndexable(record.file)) statements.removeSemanticFacts.run(id);
      if (record.facts !== null) putFacts(id, record.facts, resolutions);
      const values = fileValues(record.file, generation, record.facts === null ? null : digestTargets(resolutions));
      if (known === undefined) statements.insertFile.run(id, record.file.path, ...values);
      else statements.updateFile.run(record.file.contentHash, ...values, id);
      const { text, file } = record;
      waiting.set(id, { isKnown: known !== undefined, text, contentHash: file.contentHash });
      waitingChars += text === null ? 0 : text.names.length + text.trigrams.length;
    },
    deleteFile(path) {
      touchFiles();
      const id = findId(path);
      if (id === undefined) return false;
      isStructural = true;
      removeFacts(id);
      statements.removeMember.run(path);
      statements.removeFile.run(id);
      waiting.set(id, { isKnown: true, text: null, contentHash: null });
      return true;
    },
    touchStat(path, stat, hashedUs) {
      mustBeInside('any');
      statements.touchStat.run(...statValues(stat), hashedUs, getId(path));
    },
    setConflicted(path, conflicted) {
      touchFiles();
      statements.setConflicted.run(Number(conflicted), generation, getId(path));
    },
    setResolutions(path, resolutions, synIface) {
      touchFiles();
      const id = getId(path);
      settle();
      statements.removeTargets.run(id);
      statements.removeCandidates.run(id);
      resolutions.forEach((to, ordinal) => {
        const { changes } = statements.resolve.run(to.targets[0] ?? null, to.external, to.reason, id, ordinal);
        assert(changes === 1, 'as many resolutions as imports');
        putTargets(id, ordinal, to);
      });
      settle();
      const imports = statements.countImports.get(id)?.['n'];
      assert(imports === resolutions.length, 'as many resolutions as imports');
      statements.setInterface.run(synIface, digestTargets(resolutions), generation, id);
    },
    putRepoState(state) {
      mustBeInside();
      // biome-ignore format: in the order of the columns
      statements.putRepoState.run(state.head, state.gitIndexSig, state.ignoreEpoch, state.configEpoch, state.watch, state.reconciledMs);
    },
  };
}

function digestTargets(resolutions: readonly ResolvedImport[]): string {
  return hash('sha256', resolutions.map(({ targets }) => targets.join('\0')).join('\n')).slice(0, 32);
}

/** A link, or a file that is skipped or not there, owns nothing that an indexer said about what was at its path before (D4, D9). */
function isIndexable({ kind, contentHash, skipReason }: FileRow): boolean {
  return kind === 'file' && contentHash !== null && skipReason === null;
}

function readCounters(db: DatabaseSync): [number, number, number] {
  return [
    readNumber(db, "SELECT value AS n FROM meta WHERE key = 'generation'"),
    readNumber(db, 'SELECT max(id) AS n FROM files') + 1,
    readNumber(db, 'SELECT max(id) AS n FROM syn_symbols') + 1,
  ];
}

function readNumber(db: DatabaseSync, sql: string): number {
  return Number(db.prepare(sql).get()?.['n'] ?? 0);
}

/** What the writers of one connection share: whether a transaction is open, of which kind, and when it ends. */
export type WriteSession = {
  /** Throws outside of a transaction; with `facts` also inside one that keeps the generation. */
  mustBeInside(kind: 'facts' | 'any'): void;
  /** Called when the work of a transaction is done or has failed, before its end is known. */
  onEnd(forget: () => void): void;
};

// ---- statements, prepared once per connection, and the order of their values

/** In the order of `fileColumns`. */
function fileValues(file: FileRow, generation: number, targetsDigest: string | null): SQLInputValue[] {
  return [
    file.pathKey,
    file.kind,
    file.canonicalPath,
    file.language,
    file.presence,
    ...statValues(file.stat),
    file.hashedUs,
    file.eol,
    Number(file.bom),
    file.lines,
    Number(file.generated),
    Number(file.vendored),
    Number(file.test),
    Number(file.conflicted),
    Number(file.redacted),
    file.skipReason,
    file.parse,
    file.synIface,
    Number(file.ifaceClosed),
    file.ifaceCore === null ? null : JSON.stringify(file.ifaceCore),
    targetsDigest,
    generation,
  ];
}

function statValues(stat: StatSignature | null): SQLInputValue[] {
  return stat === null ? [null, null, null, null] : [stat.size, stat.mtimeUs, stat.ctimeUs, foldInode(stat.ino)];
}

// A number is bound as a double; times a thousand it would lose its last digits, so it becomes an integer first.
const nanoseconds = 'CAST(? AS INTEGER) * 1000';
const statColumns: readonly (readonly [column: string, value: string])[] = [
  ['size', '?'],
  ['mtime_ns', nanoseconds],
  ['ctime_ns', nanoseconds],
  ['ino', '?'],
  ['hashed_ns', nanoseconds],
];
/** All but id, path and hash. */
const fileColumns: readonly (readonly [column: string, value: string])[] = [
  ...['path_key', 'kind', 'canonical_path', 'language', 'presence'].map((name) => [name, '?'] as const),
  ...statColumns,
  ...['eol', 'bom', 'lines', 'generated', 'vendored', 'test', 'conflicted', 'redacted', 'skip_reason', 'parse'].map(
    (name) => [name, '?'] as const,
  ),
  ...['syn_iface', 'iface_closed', 'iface_core', 'targets_digest', 'generation'].map((name) => [name, '?'] as const),
];
const setList = (columns: readonly (readonly [string, string])[]): string =>
  columns.map(([name, value]) => `${name} = ${value}`).join(', ');

function prepareFileStatements(db: DatabaseSync) {
  const names = fileColumns.map(([name]) => name).join(', ');
  const values = fileColumns.map(([, value]) => value).join(', ');
  return {
    findId: db.prepare('SELECT id FROM files WHERE path = ?'),
    insertFile: db.prepare(`INSERT INTO files(id, path, ${names}) VALUES (?, ?, ${values})`),
    // Line hashes are of the bytes they were made from, and go when the bytes change.
    updateFile: db.prepare(
      `UPDATE files SET line_hashes = CASE WHEN content_hash IS ? THEN line_hashes END, content_hash = NULL,
         ${setList(fileColumns)} WHERE id = ?`,
    ),
    setHash: db.prepare('UPDATE files SET content_hash = ? WHERE id = ?'),
    removeFile: db.prepare('DELETE FROM files WHERE id = ?'),
    // A path that is gone is no member either, until discovery says so again (D7).
    removeMember: db.prepare('DELETE FROM context_members WHERE path = ?'),
    // Said in full and not left to cascades, because a replaced file keeps its row. Imports come after what refers to them.
    removeFacts: [
      'syn_symbols',
      'import_targets',
      'import_candidates',
      'imports',
      'provides',
      'exports',
      'dynamic_sites',
    ].map((table) => db.prepare(`DELETE FROM ${table} WHERE file_id = ?`)),
    // With everything that hangs on it.
    removeSemanticFacts: db.prepare('DELETE FROM file_facts WHERE file_id = ?'),
    removeText: ['fts_ident', 'fts_text'].map((table) => db.prepare(`DELETE FROM ${table} WHERE rowid = ?`)),
    removeTargets: db.prepare('DELETE FROM import_targets WHERE file_id = ?'),
    removeCandidates: db.prepare('DELETE FROM import_candidates WHERE file_id = ?'),
    resolve: db.prepare(
      'UPDATE imports SET resolved_path = ?, external = ?, reason = ? WHERE file_id = ? AND ordinal = ?',
    ),
    countImports: db.prepare('SELECT count(*) AS n FROM imports WHERE file_id = ?'),
    setInterface: db.prepare('UPDATE files SET syn_iface = ?, targets_digest = ?, generation = ? WHERE id = ?'),
    touchStat: db.prepare(`UPDATE files SET ${setList(statColumns)} WHERE id = ?`),
    setConflicted: db.prepare('UPDATE files SET conflicted = ?, generation = ? WHERE id = ?'),
    putNames: db.prepare('INSERT INTO fts_ident(rowid, names) VALUES (?, ?)'),
    putText: db.prepare('INSERT INTO fts_text(rowid, body) VALUES (?, ?)'),
    setMeta: db.prepare('UPDATE meta SET value = ? WHERE key = ?'),
    putRepoState: db.prepare(
      `INSERT OR REPLACE INTO repo_state(id, head, git_index_sig, ignore_epoch, config_epoch, watch, reconciled_ms)
       VALUES (1, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}

function prepareFileBatches(db: DatabaseSync) {
  const place = ['file_id', 'ordinal', 'rank', 'path'];
  // In the order in which they are written: an import before its targets and candidates.
  return {
    // biome-ignore format: in the order of the values
    symbols: createRowBatch(db, 'syn_symbols', ['id', 'file_id', 'parent_id', 'name', 'name_fold', 'name_path', 'overload', 'kind', 'exported', 'name_start', 'name_end', 'start_byte', 'end_byte', 'line', 'col']),
    // biome-ignore format: in the order of the values
    imports: createRowBatch(db, 'imports', ['file_id', 'ordinal', 'specifier', 'kind', 'literal', 'type_only', 'names', 'resolved_path', 'external', 'reason', 'start_byte', 'end_byte']),
    importTargets: createRowBatch(db, 'import_targets', place),
    importCandidates: createRowBatch(db, 'import_candidates', place),
    // biome-ignore format: in the order of the values
    exports: createRowBatch(db, 'exports', ['file_id', 'ordinal', 'public_name', 'local_name', 'specifier', 'star', 'type_only']),
    // Sets: what an extractor says twice is one row.
    // biome-ignore format: in the order of the values
    sites: createRowBatch(db, 'dynamic_sites', ['file_id', 'start_byte', 'end_byte', 'kind', 'name'], 'ON CONFLICT DO NOTHING'),
    provides: createRowBatch(db, 'provides', ['file_id', 'name'], 'ON CONFLICT DO NOTHING'),
  };
}
