/**
 * Files that define a symbol some ambiguity item touches: by the symbol, or where the item has none by its name within the family of
 * languages. An item with neither could be about anything its own file defines.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';

export const filesWithItemsBySymbolSql = `
  SELECT f.path FROM (SELECT symbol_id FROM ambiguities WHERE symbol_id IS NOT NULL GROUP BY symbol_id) a
  JOIN symbol_info i ON i.symbol_id = a.symbol_id JOIN files f ON f.id = i.file_id
`;
export const namesWithItemsSql = `
  SELECT a.name, c.family FROM ambiguities a JOIN contexts c ON c.id = a.context_id
  WHERE a.name IS NOT NULL AND a.symbol_id IS NULL
`;
export const filesDefiningNameSql = `
  SELECT f.path FROM symbols s JOIN symbol_info i ON i.symbol_id = s.id JOIN files f ON f.id = i.file_id
  WHERE s.name_fold = ? AND s.name = ? AND s.family = ?
`;
export const filesWithItemsOfNobodySql = `
  SELECT f.path FROM ambiguities a JOIN files f ON f.id = a.file_id WHERE a.symbol_id IS NULL AND a.name IS NULL
`;

/** Sorted. */
export function listAmbiguousFiles(session: ReadSession): readonly string[] {
  const paths = new Set<string>();
  const add = (sql: string, ...of: readonly string[]): void => {
    for (const row of session.statement(sql).iterate(...of)) paths.add(String(row['path']));
  };
  add(filesWithItemsBySymbolSql);
  add(filesWithItemsOfNobodySql);
  const names = new Map<string, readonly [name: string, family: string]>();
  for (const row of session.statement(namesWithItemsSql).iterate()) {
    names.set(`${row['family']} ${row['name']}`, [String(row['name']), String(row['family'])]);
  }
  for (const [name, family] of names.values()) add(filesDefiningNameSql, name.toLowerCase(), name, family);
  return [...paths].sort(compareCodeUnits);
}
