/** Symbols by name. Every question but the two about parts of names is a range of `syn_by_name`. */

import type { ReadSession } from '../facts-handle.ts';
import { prefixEnd } from './prefix-end.ts';
import { hitColumns, type SymbolHit, symbolHit } from './symbol-rows.ts';

const hits = `SELECT ${hitColumns} FROM syn_symbols s JOIN files f ON f.id = s.file_id`;

export const symbolsNamedSql = `${hits} WHERE s.name_fold = ? AND s.name = ? LIMIT ?`;
export const symbolsFoldedSql = `${hits} WHERE s.name_fold = ? LIMIT ?`;
export const symbolsWithPrefixSql = `${hits} WHERE s.name_fold >= ? AND s.name_fold < ? LIMIT ?`;
export const symbolsAtTopPathSql = `${hits} WHERE s.name_fold = ? AND s.name = ? AND s.name_path = ? LIMIT ?`;
export const symbolsAtPathEndSql = `
  ${hits} WHERE s.name_fold = ? AND s.name = ? AND (s.name_path = ? OR substr(s.name_path, -length(?)) = ?) LIMIT ?
`;

// From the names: each is a search of the index.
export const symbolsOfNamesSql = `
  SELECT ${hitColumns} FROM json_each(?) j CROSS JOIN syn_symbols s ON s.name_fold = j.value ->> 0 AND s.name = j.value ->> 1
  JOIN files f ON f.id = s.file_id LIMIT ?
`;

export type SymbolName = { readonly name: string; readonly nameFold: string };

/** Whoever must know whether there are more asks for one more than it wants: which ones come first is not defined. */
export function listSymbolsNamed(session: ReadSession, of: SymbolName, limit: number): readonly SymbolHit[] {
  return session.statement(symbolsNamedSql).all(of.nameFold, of.name, limit).map(symbolHit);
}

/** Of many names at once. */
export function listSymbolsOfNames(
  session: ReadSession,
  names: readonly SymbolName[],
  limit: number,
): readonly SymbolHit[] {
  if (names.length === 0) return [];
  const wanted = JSON.stringify(names.map(({ nameFold, name }) => [nameFold, name]));
  return session.statement(symbolsOfNamesSql).all(wanted, limit).map(symbolHit);
}

export function listSymbolsFolded(session: ReadSession, nameFold: string, limit: number): readonly SymbolHit[] {
  return session.statement(symbolsFoldedSql).all(nameFold, limit).map(symbolHit);
}

export function listSymbolsWithPrefix(session: ReadSession, nameFold: string, limit: number): readonly SymbolHit[] {
  return session.statement(symbolsWithPrefixSql).all(nameFold, prefixEnd(nameFold), limit).map(symbolHit);
}

/** `A/b` is any `b` directly in an `A`, wherever that lies; `/A/b` only from the top level of a file. `of` names the last part. */
export function listSymbolsAtNamePath(
  session: ReadSession,
  of: SymbolName & { readonly namePath: string },
  limit: number,
): readonly SymbolHit[] {
  const { nameFold, name, namePath } = of;
  if (namePath.startsWith('/')) {
    return session.statement(symbolsAtTopPathSql).all(nameFold, name, namePath.slice(1), limit).map(symbolHit);
  }
  const end = `/${namePath}`;
  return session.statement(symbolsAtPathEndSql).all(nameFold, name, namePath, end, end, limit).map(symbolHit);
}
