/** Packages that the files of a repository import: every specifier once, in no order that means anything. */

import type { ReadSession } from '../facts-handle.ts';

export const externalImportsSql = `
  SELECT DISTINCT specifier FROM imports WHERE resolved_path IS NULL AND specifier NOT GLOB '.*'
`;

export function listExternalImports(session: ReadSession): readonly string[] {
  return session
    .statement(externalImportsSql)
    .all()
    .map((row) => String(row['specifier']));
}
