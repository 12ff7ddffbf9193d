/** Reasons to doubt an answer about a symbol, a name or a file (mutation.md §2.6), as imports found them. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { ImportItemKind } from './document-facts.ts';
import type { ReadSession } from './read-session.ts';

export type StoredItem = {
  readonly path: string;
  readonly contextId: number;
  readonly symbolId: number | null;
  readonly name: string | null;
  readonly kind: ImportItemKind;
  readonly start: number;
  readonly end: number;
  readonly detail: string;
};

const itemColumns = `
  f.path, a.context_id AS contextId, a.symbol_id AS symbolId, a.name, a.kind, a.start_byte AS start, a.end_byte AS end, a.detail
`;

export const itemsOfSymbolSql = `
  SELECT ${itemColumns} FROM ambiguities a JOIN files f ON f.id = a.file_id WHERE a.symbol_id = ?
`;
export const itemsOfFileSql = `
  SELECT ${itemColumns} FROM files f JOIN ambiguities a ON a.file_id = f.id WHERE f.path = ?
`;

/** By path, start, end, kind, context, detail; so are the others. */
export function listItemsOfSymbol(session: ReadSession, symbolId: number): readonly StoredItem[] {
  return listItems(session, itemsOfSymbolSql, symbolId);
}

export function listItemsOfFile(session: ReadSession, path: string): readonly StoredItem[] {
  return listItems(session, itemsOfFileSql, path);
}

function listItems(session: ReadSession, sql: string, of: string | number): readonly StoredItem[] {
  const rows = session.statement(sql).all(of);
  return rows.map((row) => ({ ...(row as unknown as StoredItem) })).sort(compareItems);
}

function compareItems(a: StoredItem, b: StoredItem): number {
  return (
    compareCodeUnits(a.path, b.path) ||
    a.start - b.start ||
    a.end - b.end ||
    compareCodeUnits(a.kind, b.kind) ||
    a.contextId - b.contextId ||
    compareCodeUnits(a.detail, b.detail)
  );
}

export const settledReferencesSql = `
  SELECT DISTINCT a.context_id AS contextId, f.path FROM ambiguities a JOIN files f ON f.id = a.file_id
  WHERE a.symbol_id IS NOT NULL AND a.kind = 'unresolved_reference'
    AND EXISTS(SELECT 1 FROM occurrences o WHERE o.symbol_id = a.symbol_id AND (o.roles & 1) = 1)
`;

/**
 * Files with references that led nowhere when they were indexed and lead somewhere by now, because another context was indexed since: what
 * such a file says of them is not what it would say today. By context id, paths sorted.
 */
export function listSettledReferences(session: ReadSession): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const row of session.statement(settledReferencesSql).iterate()) {
    const contextId = Number(row['contextId']);
    const paths = found.get(contextId);
    if (paths === undefined) found.set(contextId, [String(row['path'])]);
    else paths.push(String(row['path']));
  }
  for (const paths of found.values()) paths.sort(compareCodeUnits);
  return found;
}
