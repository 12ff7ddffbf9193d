/** Files a text search reads when no literal narrows it down, and those it cannot read at all (code-plane.md §9). */

import type { ReadSession } from '../facts-handle.ts';
import type { FileRow, SkipReason } from '../rows.ts';

export type SearchableFile = Pick<FileRow, 'path' | 'language'>;

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
