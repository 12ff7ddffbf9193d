/**
 * Files of JavaScript and TypeScript that may say something about what other files declare, without being imported by anybody:
 * declaration files, files that hold `declare` together with `global` or `module`, and scripts, whose top level is everybody's. By the
 * names in the text, so it is a superset.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';

export type AugmentingFile = {
  readonly path: string;
  /** Not only a script. */
  readonly declares: boolean;
};

const declares = `(f.path GLOB '*.d.*ts' OR f.path GLOB '*.d.ts'
    OR f.id IN (SELECT rowid FROM fts_ident WHERE fts_ident MATCH 'declare AND (global OR module)'))`;
// `export {}` leaves no row: such a file is taken for a script.
const augments = `f.kind = 'file' AND f.presence = 'present' AND f.language IN ('typescript', 'javascript') AND (${declares}
    OR NOT (EXISTS(SELECT 1 FROM imports i WHERE i.file_id = f.id) OR EXISTS(SELECT 1 FROM exports e WHERE e.file_id = f.id)))`;

export const augmentingMembersSql = `
  SELECT f.path, ${declares} AS declares FROM context_members m JOIN files f ON f.path = m.path
  WHERE m.context_id = ? AND ${augments}
`;
export const augmentingAmongSql = `
  SELECT f.path FROM json_each(?) j JOIN files f ON f.path = j.value WHERE ${augments}
`;

export const augmentingFilesSql = `SELECT f.path FROM files f WHERE ${augments}`;

/** In no order. */
export function listAugmentingFiles(session: ReadSession): readonly string[] {
  return session.statement(augmentingFilesSql).all().map(pathOf);
}

const pathOf = (row: Readonly<Record<string, unknown>>): string => String(row['path']);

/** Members of a context, by path. */
export function listAugmentingMembers(session: ReadSession, contextId: number): readonly AugmentingFile[] {
  const rows = session.statement(augmentingMembersSql).all(contextId);
  return rows
    .map((row) => ({ path: pathOf(row), declares: row['declares'] === 1 }))
    .sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** Which of these files. */
export function listAugmentingAmong(session: ReadSession, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return session.statement(augmentingAmongSql).all(JSON.stringify(paths)).map(pathOf);
}
