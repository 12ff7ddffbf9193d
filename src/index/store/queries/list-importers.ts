/** Who imports a file, and who would be asked again if a path or a name appeared or went. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';
import type { ImportRow } from '../rows.ts';

export type Importer = {
  readonly path: string;
  readonly ordinal: number;
  readonly specifier: string;
  readonly kind: ImportRow['kind'];
  readonly typeOnly: boolean;
};

const columns = 'f.path, i.ordinal, i.specifier, i.kind, i.type_only AS typeOnly';

export const importersSql = `
  SELECT ${columns} FROM imports i JOIN files f ON f.id = i.file_id WHERE i.resolved_path = ?
`;
// The first of several targets is found by the other statement.
export const importersAmongSeveralSql = `
  SELECT ${columns} FROM import_targets t JOIN imports i ON i.file_id = t.file_id AND i.ordinal = t.ordinal
  JOIN files f ON f.id = t.file_id WHERE t.path = ? AND t.rank > 0
`;
export const waitingSql = `
  SELECT f.path FROM import_candidates c JOIN files f ON f.id = c.file_id WHERE c.path = ?
`;

/** By path, then by the order in the file. */
export function listImportersOf(session: ReadSession, path: string): readonly Importer[] {
  const rows = [importersSql, importersAmongSeveralSql].flatMap((sql) => session.statement(sql).all(path));
  return rows
    .map((row) => ({ ...(row as unknown as Importer), typeOnly: row['typeOnly'] === 1 }))
    .sort((a, b) => compareCodeUnits(a.path, b.path) || a.ordinal - b.ordinal);
}

/** Files whose imports name one of these as a candidate: a path, `dir/`, or a provided name. Sorted, each once (R5). */
export function listImportersWaitingFor(session: ReadSession, tokens: Iterable<string>): readonly string[] {
  const statement = session.statement(waitingSql);
  const paths = new Set<string>();
  for (const token of new Set(tokens)) for (const row of statement.all(token)) paths.add(String(row['path']));
  return [...paths].sort(compareCodeUnits);
}
