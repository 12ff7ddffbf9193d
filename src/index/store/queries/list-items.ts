/** Reasons to doubt an answer about a symbol, a name or a file (mutation.md §2.6), as imports found them. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ImportItemKind } from '../document-facts.ts';
import type { ReadSession } from '../facts-handle.ts';

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

const columns = `
  f.path, a.context_id AS contextId, a.symbol_id AS symbolId, a.name, a.kind, a.start_byte AS start, a.end_byte AS end, a.detail
`;

export const itemsOfSymbolSql = `
  SELECT ${columns} FROM ambiguities a JOIN files f ON f.id = a.file_id WHERE a.symbol_id = ?
`;
export const itemsOfNameSql = `
  SELECT ${columns} FROM ambiguities a JOIN files f ON f.id = a.file_id WHERE a.name = ?
`;
export const itemsOfFileSql = `
  SELECT ${columns} FROM files f JOIN ambiguities a ON a.file_id = f.id WHERE f.path = ?
`;

/** By path, start, end, kind, context, detail; so are the others. */
export function listItemsOfSymbol(session: ReadSession, symbolId: number): readonly StoredItem[] {
  return listItems(session, itemsOfSymbolSql, symbolId);
}

export function listItemsOfName(session: ReadSession, name: string): readonly StoredItem[] {
  return listItems(session, itemsOfNameSql, name);
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
