/** The statements by which files are written, prepared once per connection, and the order of their values. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { foldInode } from './inode.ts';
import { createRowBatch } from './row-batch.ts';
import type { FileRow, StatSignature } from './rows.ts';

/** In the order of `fileColumns`. */
export function fileValues(file: FileRow, generation: number, targetsDigest: string | null): SQLInputValue[] {
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

export function statValues(stat: StatSignature | null): SQLInputValue[] {
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

export function prepareStatements(db: DatabaseSync) {
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
      'parse_errors',
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

export function prepareBatches(db: DatabaseSync) {
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
    errors: createRowBatch(db, 'parse_errors', ['file_id', 'start_byte', 'end_byte'], 'ON CONFLICT DO NOTHING'),
    provides: createRowBatch(db, 'provides', ['file_id', 'name'], 'ON CONFLICT DO NOTHING'),
  };
}
