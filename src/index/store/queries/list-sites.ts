/** Where names are reached in ways no reader can see, and where the parser gave up. */

import type { ReadSession } from '../facts-handle.ts';
import type { SiteRow } from '../rows.ts';

const columns = 'd.start_byte AS start, d.end_byte AS end, d.kind, d.name';

export const sitesOfFileSql = `
  SELECT ${columns} FROM files f JOIN dynamic_sites d ON d.file_id = f.id
  WHERE f.path = ? ORDER BY d.start_byte, d.end_byte, d.kind
`;
export const sitesNamedSql = `
  SELECT ${columns}, f.path FROM dynamic_sites d JOIN files f ON f.id = d.file_id WHERE d.name = ? LIMIT ?
`;
export const errorsOfFileSql = `
  SELECT e.start_byte AS start, e.end_byte AS end FROM files f JOIN parse_errors e ON e.file_id = f.id
  WHERE f.path = ? ORDER BY e.start_byte, e.end_byte
`;

export function listSitesOfFile(session: ReadSession, path: string): readonly SiteRow[] {
  return session
    .statement(sitesOfFileSql)
    .all(path)
    .map((row) => ({ ...(row as unknown as SiteRow) }));
}

/** Sites that reach for this very name. */
export function listSitesNamed(
  session: ReadSession,
  name: string,
  limit: number,
): readonly (SiteRow & { readonly path: string })[] {
  const rows = session.statement(sitesNamedSql).all(name, limit);
  return rows.map((row) => ({ ...(row as unknown as SiteRow & { readonly path: string }) }));
}

export function listErrorsOfFile(
  session: ReadSession,
  path: string,
): readonly { readonly start: number; readonly end: number }[] {
  const rows = session.statement(errorsOfFileSql).all(path);
  return rows.map((row) => ({ start: Number(row['start']), end: Number(row['end']) }));
}
