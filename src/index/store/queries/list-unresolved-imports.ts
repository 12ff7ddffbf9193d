/** Imports that lead to no file and yet may mean one: whoever counts importers cannot rule them out (P2). */

import type { ImportReason } from '../../resolve/types.ts';
import type { ReadSession } from '../facts-handle.ts';

export type UnresolvedImport = {
  readonly path: string;
  readonly language: string | null;
  readonly specifier: string;
  readonly reason: ImportReason;
};

// What is external or outside the root is resolved: it is not here.
export const unresolvedImportsSql = `
  SELECT f.path, f.language, i.specifier, i.reason FROM imports i JOIN files f ON f.id = i.file_id
  WHERE i.reason IN ('dynamic', 'ambiguous', 'not_found')
`;

export function listUnresolvedImports(session: ReadSession): readonly UnresolvedImport[] {
  return session
    .statement(unresolvedImportsSql)
    .all()
    .map((row) => ({ ...(row as unknown as UnresolvedImport) }));
}
