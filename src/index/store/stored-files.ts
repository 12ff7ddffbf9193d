/** Rows of files: by path, by the beginning of a path, all at once by columns; and the one row about the repository as a whole. */

import type { SQLOutputValue } from 'node:sqlite';
import type { FileRow, InterfaceCore, SiteRow, SkipReason } from './file-rows.ts';
import type { ReadSession } from './read-session.ts';

export type StoredFile = FileRow & {
  /** In which the file's facts last changed. */
  readonly generation: number;
};

const fileColumns = `
  path, path_key AS pathKey, kind, canonical_path AS canonicalPath, language, presence, content_hash AS contentHash, size,
  mtime_ns / 1000 AS mtimeUs, ctime_ns / 1000 AS ctimeUs, ino, hashed_ns / 1000 AS hashedUs, eol, bom, lines, generated, vendored,
  test, conflicted, redacted, skip_reason AS skipReason, parse, syn_iface AS synIface, iface_closed AS ifaceClosed,
  iface_core AS ifaceCore, generation
`;

export const fileByPathSql = `SELECT ${fileColumns} FROM files WHERE path = ?`;
export const filesByPrefixSql = `SELECT ${fileColumns} FROM files WHERE path >= ? AND path < ? ORDER BY path LIMIT ?`;

export function findFile(session: ReadSession, path: string): StoredFile | undefined {
  const row = session.statement(fileByPathSql).get(path);
  return row === undefined ? undefined : storedFile(row);
}

/** Files whose path begins with the text, in path order: `src/` for a directory, the empty text for all. */
export function listFilesBelow(session: ReadSession, prefix: string, limit: number): readonly StoredFile[] {
  return session.statement(filesByPrefixSql).all(prefix, prefixEnd(prefix), limit).map(storedFile);
}

type Row = Record<string, SQLOutputValue>;

function storedFile(row: Row): StoredFile {
  const { size, mtimeUs, ctimeUs, ino, ifaceCore, ...rest } = row;
  const isSet = (name: string): boolean => row[name] === 1;
  const stat = size === null ? null : { size, mtimeUs, ctimeUs, ino };
  return {
    ...(rest as unknown as StoredFile),
    stat: stat as StoredFile['stat'],
    bom: isSet('bom'),
    generated: isSet('generated'),
    vendored: isSet('vendored'),
    test: isSet('test'),
    conflicted: isSet('conflicted'),
    redacted: isSet('redacted'),
    ifaceClosed: isSet('ifaceClosed'),
    ifaceCore: ifaceCore === null ? null : (JSON.parse(String(ifaceCore)) as InterfaceCore),
  };
}

export const allPathsSql = 'SELECT path FROM files ORDER BY path';

/** For a question whose path is not known as it is written: no index finds the end of a path. */
export function listAllPaths(session: ReadSession): readonly string[] {
  return session
    .statement(allPathsSql)
    .all()
    .map((row) => String(row['path']));
}

/** Files that were written after this moment, as the index saw them last. */
export function listFilesChangedSince(session: ReadSession, sinceMs: number): readonly string[] {
  return session
    .statement('SELECT path FROM files WHERE mtime_ns / 1000000 > ? ORDER BY path')
    .all(Math.floor(sinceMs))
    .map((row) => String(row['path']));
}

// ---- files that a text search reads when no literal narrows it down, and those it cannot read at all (code-plane.md §9)

type SearchableFile = Pick<FileRow, 'path' | 'language'>;

export const searchableFilesSql = `
  SELECT path, language FROM files
  WHERE kind = 'file' AND presence = 'present' AND skip_reason IS NULL ORDER BY path
`;
export const unsearchableFilesSql = `
  SELECT path, language, skip_reason AS reason FROM files
  WHERE skip_reason IS NOT NULL AND kind = 'file' AND presence = 'present' ORDER BY skip_reason, path
`;

export function listSearchableFiles(session: ReadSession): readonly SearchableFile[] {
  return session
    .statement(searchableFilesSql)
    .all()
    .map((row) => ({ ...(row as unknown as SearchableFile) }));
}

/** A link is no file of its own: its text is searched where it leads. */
export function listUnsearchableFiles(
  session: ReadSession,
): readonly (SearchableFile & { readonly reason: SkipReason })[] {
  const rows = session.statement(unsearchableFilesSql).all();
  return rows.map((row) => ({ ...(row as unknown as SearchableFile & { readonly reason: SkipReason }) }));
}

// ---- all files at once

/** By columns, because fifty thousand objects of thirteen fields cost more than the query. */
type FileStates = {
  readonly count: number;
  /** In the order of the store: by UTF-8 bytes. */
  readonly path: readonly string[];
  readonly id: readonly number[];
  readonly kind: readonly FileRow['kind'][];
  readonly presence: readonly FileRow['presence'][];
  readonly contentHash: readonly (string | null)[];
  readonly size: readonly (number | null)[];
  readonly mtimeUs: readonly (number | null)[];
  readonly ctimeUs: readonly (number | null)[];
  /** Folded (`foldInode`). */
  readonly ino: readonly (number | null)[];
  readonly hashedUs: readonly (number | null)[];
  readonly skipReason: readonly FileRow['skipReason'][];
  readonly conflicted: readonly boolean[];
  readonly canonicalPath: readonly (string | null)[];
  readonly language: readonly (string | null)[];
};

export const fileStatesSql = `
  SELECT path, id, kind, presence, content_hash, size, mtime_ns / 1000, ctime_ns / 1000, ino, hashed_ns / 1000, skip_reason,
    conflicted, canonical_path, language
  FROM files ORDER BY path
`;

export function loadFileStates(session: ReadSession): FileStates {
  const statement = session.statement(fileStatesSql);
  statement.setReturnArrays(true);
  const rows = statement.all() as unknown as (string & number)[][];
  const column = <T>(at: number): T[] => {
    const values = new Array<T>(rows.length);
    for (let row = 0; row < rows.length; row += 1) values[row] = (rows[row] as unknown as T[])[at] as T;
    return values;
  };
  return {
    count: rows.length,
    path: column(0),
    id: column(1),
    kind: column(2),
    presence: column(3),
    contentHash: column(4),
    size: column(5),
    mtimeUs: column(6),
    ctimeUs: column(7),
    ino: column(8),
    hashedUs: column(9),
    skipReason: column(10),
    conflicted: column<number>(11).map((flag) => flag === 1),
    canonicalPath: column(12),
    language: column(13),
  };
}

// ---- places where names are reached in ways no reader can see

export const sitesOfFileSql = `
  SELECT d.start_byte AS start, d.end_byte AS end, d.kind, d.name FROM files f JOIN dynamic_sites d ON d.file_id = f.id
  WHERE f.path = ? ORDER BY d.start_byte, d.end_byte, d.kind
`;

export function listSitesOfFile(session: ReadSession, path: string): readonly SiteRow[] {
  return session
    .statement(sitesOfFileSql)
    .all(path)
    .map((row) => ({ ...(row as unknown as SiteRow) }));
}

// ---- the repository

/** What the last reconcile saw of it as a whole; the tripwire compares it (code-plane.md §2). */
export type RepoState = {
  /** A commit id, `unborn` or `none`. */
  readonly head: string;
  readonly gitIndexSig: string | null;
  readonly ignoreEpoch: string;
  readonly configEpoch: string;
  readonly watch: 'ok' | 'degraded' | 'off';
  readonly reconciledMs: number | null;
};

export const repoStateSql = `
  SELECT head, git_index_sig AS gitIndexSig, ignore_epoch AS ignoreEpoch, config_epoch AS configEpoch, watch,
    reconciled_ms AS reconciledMs
  FROM repo_state WHERE id = 1
`;

/** `undefined` before the first reconcile. */
export function findRepoState(session: ReadSession): RepoState | undefined {
  const row = session.statement(repoStateSql).get() as RepoState | undefined;
  return row === undefined ? undefined : { ...row };
}

// ---- ranges of texts that begin with a prefix, in the order of the store (UTF-8 bytes, which is code points)

/** The smallest text above them all; where there is none, an empty blob, which SQLite sorts after every text. */
export function prefixEnd(prefix: string): string | Uint8Array {
  const kept = prefix.replace(/\u{10ffff}+$/u, '');
  const last = [...kept.slice(-2)].at(-1);
  if (last === undefined) return new Uint8Array(0);
  const point = last.codePointAt(0) as number;
  // There are no texts with lone surrogates in a store.
  const next = point === 0xd7ff ? 0xe000 : point + 1;
  return kept.slice(0, -last.length) + String.fromCodePoint(next);
}
