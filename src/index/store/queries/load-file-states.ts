/**
 * What the reconciler compares with the disk, of all files at once. By columns, because fifty thousand objects of thirteen fields
 * cost more than the query.
 */

import type { ReadSession } from '../facts-handle.ts';
import type { FileRow } from '../rows.ts';

export type FileStates = {
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
