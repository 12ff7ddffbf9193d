/** Identities of symbols: by key, by id, by name; what documents say about them, and how they relate. */

import type { SQLOutputValue } from 'node:sqlite';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { Family } from '../../../languages/context-spec.ts';
import type { RelationKind } from '../document-facts.ts';
import type { ReadSession } from '../facts-handle.ts';
import { prefixEnd } from './prefix-end.ts';

export type StoredSymbol = {
  readonly id: number;
  readonly key: string;
  readonly family: Family;
  readonly package: string;
  readonly inRepo: boolean;
  readonly name: string;
};

/** One per defining document and context. */
export type StoredInfo = {
  readonly symbolId: number;
  readonly contextId: number;
  readonly path: string;
  readonly raw: string;
  readonly kind: string | null;
  readonly signature: string | null;
  readonly sigHash: string | null;
};

export type StoredRelation = {
  /** The symbol at the other end. */
  readonly symbolId: number;
  readonly kind: RelationKind;
  readonly contextId: number;
  /** The document that says so. */
  readonly path: string;
};

const columns = 's.id, s.symbol_key AS key, s.family, s.package, s.in_repo AS inRepo, s.name';
// The key of a local begins with this word, which is no family.
const noLocal = "s.symbol_key NOT GLOB 'local *'";

export const symbolByKeySql = `SELECT ${columns} FROM symbols s WHERE s.symbol_key = ?`;
export const symbolByIdSql = `SELECT ${columns} FROM symbols s WHERE s.id = ?`;
export const semanticSymbolsNamedSql = `
  SELECT ${columns} FROM symbols s WHERE s.name_fold = ? AND s.name = ? AND ${noLocal} LIMIT ?
`;
export const semanticSymbolsFoldedSql = `
  SELECT ${columns} FROM symbols s WHERE s.name_fold = ? AND ${noLocal} LIMIT ?
`;
export const semanticSymbolsWithPrefixSql = `
  SELECT ${columns} FROM symbols s WHERE s.name_fold >= ? AND s.name_fold < ? AND ${noLocal} LIMIT ?
`;
export const infosOfSql = `
  SELECT i.symbol_id AS symbolId, i.context_id AS contextId, f.path, i.raw_symbol AS raw, i.kind, i.signature,
    i.sig_hash AS sigHash
  FROM symbol_info i JOIN files f ON f.id = i.file_id WHERE i.symbol_id = ?
`;
export const relationsFromSql = `
  SELECT r.to_id AS symbolId, r.kind, r.context_id AS contextId, f.path
  FROM symbol_rel r JOIN files f ON f.id = r.file_id WHERE r.from_id = ?
`;
export const relationsToSql = `
  SELECT r.from_id AS symbolId, r.kind, r.context_id AS contextId, f.path
  FROM symbol_rel r JOIN files f ON f.id = r.file_id WHERE r.to_id = ?
`;

export function findSymbolByKey(session: ReadSession, key: string): StoredSymbol | undefined {
  const row = session.statement(symbolByKeySql).get(key);
  return row === undefined ? undefined : storedSymbol(row);
}

export function findSymbolById(session: ReadSession, id: number): StoredSymbol | undefined {
  const row = session.statement(symbolByIdSql).get(id);
  return row === undefined ? undefined : storedSymbol(row);
}

/** Exact name. Locals of files are left out here and below. Which ones come first is not defined. */
export function listSemanticSymbolsNamed(
  session: ReadSession,
  of: { readonly name: string; readonly nameFold: string },
  limit: number,
): readonly StoredSymbol[] {
  return session.statement(semanticSymbolsNamedSql).all(of.nameFold, of.name, limit).map(storedSymbol);
}

/** Equal after folding. */
export function listSemanticSymbolsFolded(
  session: ReadSession,
  nameFold: string,
  limit: number,
): readonly StoredSymbol[] {
  return session.statement(semanticSymbolsFoldedSql).all(nameFold, limit).map(storedSymbol);
}

/** Folded prefix. */
export function listSemanticSymbolsWithPrefix(
  session: ReadSession,
  nameFold: string,
  limit: number,
): readonly StoredSymbol[] {
  return session.statement(semanticSymbolsWithPrefixSql).all(nameFold, prefixEnd(nameFold), limit).map(storedSymbol);
}

/** By path, context. */
export function listInfosOf(session: ReadSession, symbolId: number): readonly StoredInfo[] {
  const rows = session.statement(infosOfSql).all(symbolId);
  return rows
    .map((row) => ({ ...(row as unknown as StoredInfo) }))
    .sort((a, b) => compareCodeUnits(a.path, b.path) || a.contextId - b.contextId);
}

/** `from`: what this symbol implements, …; `to`: what implements, … it. By kind, symbol, context, path. */
export function listRelations(
  session: ReadSession,
  symbolId: number,
  direction: 'from' | 'to',
): readonly StoredRelation[] {
  const rows = session.statement(direction === 'from' ? relationsFromSql : relationsToSql).all(symbolId);
  return rows
    .map((row) => ({ ...(row as unknown as StoredRelation) }))
    .sort(
      (a, b) =>
        compareCodeUnits(a.kind, b.kind) ||
        a.symbolId - b.symbolId ||
        a.contextId - b.contextId ||
        compareCodeUnits(a.path, b.path),
    );
}

function storedSymbol(row: Record<string, SQLOutputValue>): StoredSymbol {
  return { ...(row as unknown as StoredSymbol), inRepo: row['inRepo'] === 1 };
}
