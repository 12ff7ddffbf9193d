/**
 * Symbols: the declarations that a parser found, by name and by file, and the identities that indexers speak of, with what documents say
 * about them and how they relate.
 */

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import type { RelationKind } from './document-facts.ts';
import type { SymbolRow } from './file-rows.ts';
import type { ReadSession } from './read-session.ts';
import { prefixEnd } from './stored-files.ts';

/** A symbol with the file it is declared in. */
export type SymbolHit = Omit<SymbolRow, 'parent'> & {
  readonly path: string;
  readonly language: string | null;
  readonly test: boolean;
  readonly generated: boolean;
  readonly vendored: boolean;
};

const symbolColumns = `
  s.name, s.name_fold AS nameFold, s.name_path AS namePath, s.overload, s.kind, s.exported, s.name_start AS nameStart,
  s.name_end AS nameEnd, s.start_byte AS start, s.end_byte AS end, s.line, s.col AS column
`;
const hitColumns = `${symbolColumns}, f.path, f.language, f.test, f.generated, f.vendored`;

type Row = Record<string, SQLOutputValue>;

/** From rows as arrays: objects of SQLite are slow to read and to copy, and a question about a part of a name fetches thousands. */
function listHits(session: ReadSession, sql: string, ...values: readonly SQLInputValue[]): readonly SymbolHit[] {
  const statement = session.statement(sql);
  statement.setReturnArrays(true);
  return (statement.all(...values) as unknown as readonly HitRow[]).map(symbolHit);
}

/** In the order of `hitColumns`. */
type HitRow = readonly [
  name: string,
  nameFold: string,
  namePath: string,
  overload: number,
  kind: SymbolHit['kind'],
  exported: number,
  nameStart: number,
  nameEnd: number,
  start: number,
  end: number,
  line: number,
  column: number,
  path: string,
  language: string | null,
  test: number,
  generated: number,
  vendored: number,
];

function symbolHit(row: HitRow): SymbolHit {
  return {
    name: row[0],
    nameFold: row[1],
    namePath: row[2],
    overload: row[3],
    kind: row[4],
    exported: row[5] === 1,
    nameStart: row[6],
    nameEnd: row[7],
    start: row[8],
    end: row[9],
    line: row[10],
    column: row[11],
    path: row[12],
    language: row[13],
    test: row[14] === 1,
    generated: row[15] === 1,
    vendored: row[16] === 1,
  };
}

/** Rows with `id` and `parentId`, whose parents become positions in the same list; -1 for a parent that is not in it. */
function symbolRows(rows: readonly Row[]): readonly SymbolRow[] {
  const positions = new Map(rows.map((row, at) => [row['id'], at]));
  return rows.map(({ id: _, parentId, ...row }) => ({
    ...(row as unknown as SymbolRow),
    parent: parentId === null ? -1 : (positions.get(parentId) ?? -1),
    exported: row['exported'] === 1,
  }));
}

// ---- declarations by name: every question but the two about parts of names is a range of `syn_by_name`

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

/** Which ones come first is not defined. A caller that must know whether there are more asks for one more than it wants. */
export function listSymbolsNamed(session: ReadSession, of: SymbolName, limit: number): readonly SymbolHit[] {
  return listHits(session, symbolsNamedSql, of.nameFold, of.name, limit);
}

/** Of many names at once. */
export function listSymbolsOfNames(
  session: ReadSession,
  names: readonly SymbolName[],
  limit: number,
): readonly SymbolHit[] {
  if (names.length === 0) return [];
  const wanted = JSON.stringify(names.map(({ nameFold, name }) => [nameFold, name]));
  return listHits(session, symbolsOfNamesSql, wanted, limit);
}

export function listSymbolsFolded(session: ReadSession, nameFold: string, limit: number): readonly SymbolHit[] {
  return listHits(session, symbolsFoldedSql, nameFold, limit);
}

export function listSymbolsWithPrefix(session: ReadSession, nameFold: string, limit: number): readonly SymbolHit[] {
  return listHits(session, symbolsWithPrefixSql, nameFold, prefixEnd(nameFold), limit);
}

/** `A/b` is any `b` directly in an `A`, wherever that lies; `/A/b` only from the top level of a file. `of` names the last part. */
export function listSymbolsAtNamePath(
  session: ReadSession,
  of: SymbolName & { readonly namePath: string },
  limit: number,
): readonly SymbolHit[] {
  const { nameFold, name, namePath } = of;
  if (namePath.startsWith('/')) {
    return listHits(session, symbolsAtTopPathSql, nameFold, name, namePath.slice(1), limit);
  }
  const end = `/${namePath}`;
  return listHits(session, symbolsAtPathEndSql, nameFold, name, namePath, end, end, limit);
}

// ---- declarations of one file

const symbols = `
  SELECT s.id, s.parent_id AS parentId, ${symbolColumns} FROM files f JOIN syn_symbols s ON s.file_id = f.id WHERE f.path = ?
`;

export const symbolsOfFileSql = `${symbols} ORDER BY s.start_byte, s.id`;

/** By their beginning, outer ones before inner ones that begin at the same byte. `parent` is a position in this list. */
export function listSymbolsOfFile(session: ReadSession, path: string): readonly SymbolRow[] {
  return symbolRows(session.statement(symbolsOfFileSql).all(path));
}

// ---- distinct names: no index finds the middle of a word, so a question about parts of names looks through all of them

// As one text: a row for each would take longer than all else.
export const distinctNamesSql = `
  SELECT json_group_array(name) AS names FROM (SELECT name FROM syn_symbols GROUP BY name_fold, name ORDER BY name_fold, name)
`;

/** By folded name, then by name, in the order of the store. */
export function listNames({ statement }: ReadSession): readonly string[] {
  return JSON.parse(String(statement(distinctNamesSql).get()?.['names'])) as readonly string[];
}

// ---- identities

export type StoredSymbol = {
  readonly id: number;
  readonly key: string;
  readonly family: Family;
  readonly package: string;
  readonly inRepo: boolean;
  readonly name: string;
};

/** One per defining document and context. */
type StoredInfo = {
  readonly symbolId: number;
  readonly contextId: number;
  readonly path: string;
  readonly raw: string;
  readonly kind: string | null;
  readonly signature: string | null;
  readonly sigHash: string | null;
};

type StoredRelation = {
  /** The symbol at the other end. */
  readonly symbolId: number;
  readonly kind: RelationKind;
  readonly contextId: number;
  /** The document that says so. */
  readonly path: string;
};

const identityColumns = 's.id, s.symbol_key AS key, s.family, s.package, s.in_repo AS inRepo, s.name';
// The key of a local begins with this word, which is no family.
const noLocal = "s.symbol_key NOT GLOB 'local *'";

export const symbolByKeySql = `SELECT ${identityColumns} FROM symbols s WHERE s.symbol_key = ?`;
export const symbolByIdSql = `SELECT ${identityColumns} FROM symbols s WHERE s.id = ?`;
export const semanticSymbolsNamedSql = `
  SELECT ${identityColumns} FROM symbols s WHERE s.name_fold = ? AND s.name = ? AND ${noLocal} LIMIT ?
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

/** Exact name. Locals of files are left out. Which ones come first is not defined. */
export function listSemanticSymbolsNamed(
  session: ReadSession,
  of: { readonly name: string; readonly nameFold: string },
  limit: number,
): readonly StoredSymbol[] {
  return session.statement(semanticSymbolsNamedSql).all(of.nameFold, of.name, limit).map(storedSymbol);
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
