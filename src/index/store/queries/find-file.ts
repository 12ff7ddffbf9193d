/** A file's row, by its path or by the beginning of it. */

import type { SQLOutputValue } from 'node:sqlite';
import type { ReadSession } from '../facts-handle.ts';
import type { FileRow, InterfaceCore } from '../rows.ts';
import { prefixEnd } from './prefix-end.ts';

export type StoredFile = FileRow & {
  /** In which the file's facts last changed. */
  readonly generation: number;
};

const columns = `
  path, path_key AS pathKey, kind, canonical_path AS canonicalPath, language, presence, content_hash AS contentHash, size,
  mtime_ns / 1000 AS mtimeUs, ctime_ns / 1000 AS ctimeUs, ino, hashed_ns / 1000 AS hashedUs, eol, bom, lines, generated, vendored,
  test, conflicted, redacted, skip_reason AS skipReason, parse, syn_iface AS synIface, iface_closed AS ifaceClosed,
  iface_core AS ifaceCore, generation
`;

export const fileByPathSql = `SELECT ${columns} FROM files WHERE path = ?`;
export const filesByPrefixSql = `SELECT ${columns} FROM files WHERE path >= ? AND path < ? ORDER BY path LIMIT ?`;

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
