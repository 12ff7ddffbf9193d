/**
 * One level of the tree: what lies directly in a folder, with the sums of everything below each of it, and the imports that lead from one to
 * another. Counted by the store, so that a folder of fifty thousand files is a few rows.
 */

import type { ReadSession } from './read-session.ts';
import { prefixEnd } from './stored-files.ts';

/** Of files in one language, in one child of the folder; several of a child where it has several languages. */
export type LevelRow = {
  readonly name: string;
  /** 1: there is something below it. */
  readonly folder: number;
  readonly language: string | null;
  readonly files: number;
  /** Of the files whose lines are counted; of others only the name is known. */
  readonly lines: number;
  readonly uncounted: number;
  readonly symbols: number;
  readonly tests: number;
  readonly testLines: number;
  readonly generated: number;
  readonly generatedLines: number;
  /** Imports that lead to no file and yet may mean one. */
  readonly openImports: number;
  /** Files whose imports may not all be known: they could not be read, or not be parsed as a whole. */
  readonly unread: number;
};

/** By what its path begins with after `$at` - 1 characters. */
const childOf = (path: string): string => `substr(${path}, $at, instr(substr(${path}, $at) || '/', '/') - 1)`;

export const levelSql = `
  SELECT ${childOf('f.path')} AS name, instr(substr(f.path, $at), '/') > 0 AS folder, f.language, count(*) AS files,
    coalesce(sum(f.lines), 0) AS lines, sum(f.lines IS NULL) AS uncounted,
    sum((SELECT count(*) FROM syn_symbols s WHERE s.file_id = f.id)) AS symbols,
    sum(f.test) AS tests, coalesce(sum(CASE WHEN f.test = 1 THEN f.lines END), 0) AS testLines,
    sum(f.generated) AS generated, coalesce(sum(CASE WHEN f.generated = 1 THEN f.lines END), 0) AS generatedLines,
    sum((
      SELECT count(*) FROM imports i WHERE i.file_id = f.id AND i.reason IN ('dynamic', 'ambiguous', 'not_found')
    )) AS openImports,
    sum(f.language IS NOT NULL AND (f.skip_reason IS NOT NULL OR coalesce(f.parse, 'ok') <> 'ok')) AS unread
  FROM files f WHERE f.path >= $from AND f.path < $to AND f.kind = 'file' AND f.presence = 'present'
  GROUP BY 1, 2, 3
`;

// An import that means several files of one child is one import of it.
export const levelImportsSql = `
  SELECT source, target, count(*) AS count FROM (
    SELECT i.file_id, i.ordinal, ${childOf('f.path')} AS source, ${childOf('i.resolved_path')} AS target
    FROM files f CROSS JOIN imports i ON i.file_id = f.id
    WHERE f.path >= $from AND f.path < $to AND f.presence = 'present'
      AND i.resolved_path >= $from AND i.resolved_path < $to AND ${childOf('f.path')} <> ${childOf('i.resolved_path')}
    UNION
    SELECT t.file_id, t.ordinal, ${childOf('f.path')} AS source, ${childOf('t.path')} AS target
    FROM files f CROSS JOIN import_targets t ON t.file_id = f.id
    WHERE f.path >= $from AND f.path < $to AND f.presence = 'present'
      AND t.path >= $from AND t.path < $to AND ${childOf('f.path')} <> ${childOf('t.path')}
  ) GROUP BY source, target
`;

/** `prefix`: of the folder, with its slash; empty for the root. */
export function listLevel(session: ReadSession, prefix: string): readonly LevelRow[] {
  const rows = session.statement(levelSql).all(rangeOf(prefix));
  return rows.map((row) => ({ ...(row as unknown as LevelRow) }));
}

export type LevelImport = { readonly source: string; readonly target: string; readonly count: number };

/** Between different children; those of a child with itself are its own affair. */
export function listLevelImports(session: ReadSession, prefix: string): readonly LevelImport[] {
  const rows = session.statement(levelImportsSql).all(rangeOf(prefix));
  return rows.map((row) => ({ ...(row as unknown as LevelImport) }));
}

/** The store counts characters as code points. */
function rangeOf(prefix: string) {
  return { from: prefix, to: prefixEnd(prefix), at: [...prefix].length + 1 };
}
