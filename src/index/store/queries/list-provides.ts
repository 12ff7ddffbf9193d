/** Names under which files may be asked for where paths do not say it. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';

export type Provided = { readonly name: string; readonly path: string };

export const filesProvidingSql = 'SELECT f.path FROM provides p JOIN files f ON f.id = p.file_id WHERE p.name = ?';
export const allProvidesSql = 'SELECT p.name, f.path FROM provides p JOIN files f ON f.id = p.file_id';

/** Sorted. */
export function listFilesProviding(session: ReadSession, name: string): readonly string[] {
  const rows = session.statement(filesProvidingSql).all(name);
  return rows.map((row) => String(row['path'])).sort(compareCodeUnits);
}

/** Sorted by name, then by path. */
export function allProvides(session: ReadSession): readonly Provided[] {
  const rows = session.statement(allProvidesSql).all() as unknown as Provided[];
  return rows
    .map(({ name, path }) => ({ name, path }))
    .sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.path, b.path));
}
