/** What a file exports, and which files export a name. */

import type { SQLOutputValue } from 'node:sqlite';
import type { ReadSession } from '../facts-handle.ts';
import type { ExportRow } from '../rows.ts';

const columns = 'e.public_name AS publicName, e.local_name AS localName, e.specifier, e.star, e.type_only AS typeOnly';

export const exportsOfFileSql = `
  SELECT ${columns} FROM files f JOIN exports e ON e.file_id = f.id WHERE f.path = ? ORDER BY e.ordinal
`;
export const exportsNamedSql = `
  SELECT ${columns}, f.path FROM exports e JOIN files f ON f.id = e.file_id WHERE e.public_name = ? LIMIT ?
`;

export function listExportsOfFile(session: ReadSession, path: string): readonly ExportRow[] {
  return session.statement(exportsOfFileSql).all(path).map(exportRow);
}

export function listExportsNamed(
  session: ReadSession,
  publicName: string,
  limit: number,
): readonly (ExportRow & { readonly path: string })[] {
  const rows = session.statement(exportsNamedSql).all(publicName, limit);
  return rows.map((row) => ({ ...exportRow(row), path: String(row['path']) }));
}

function exportRow(row: Record<string, SQLOutputValue>): ExportRow {
  return { ...(row as unknown as ExportRow), star: row['star'] === 1, typeOnly: row['typeOnly'] === 1 };
}
