/**
 * Where symbols are written: at places, of a symbol, of a file. Positions are those of the text at `hash_at_index`.
 *
 * The index has the occurrences of a symbol by file id; they are put in the order of paths here, because the store would sort them
 * in a temporary B-tree.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { OccurrenceForm } from './document-facts.ts';
import type { ReadSession } from './read-session.ts';

export type Occurrence = {
  readonly path: string;
  readonly contextId: number;
  readonly symbolId: number;
  /** Bytes, half-open. */
  readonly start: number;
  readonly end: number;
  /** `roleBits`. */
  readonly roles: number;
  readonly form: OccurrenceForm;
  /** 0-based; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
};

/** With the identity it is an occurrence of. */
export type NamedOccurrence = Occurrence & { readonly key: string; readonly name: string; readonly inRepo: boolean };

const columns = `
  o.context_id, o.symbol_id, o.start_byte, o.end_byte, o.roles, o.form, o.line, o.col, o.end_line, o.end_col
`;

// From the places: each is a search of the key of occurrences, per context.
export const definedAtSql = `
  SELECT j.key, o.end_byte - o.start_byte, o.context_id, o.symbol_id, i.context_id, i.signature
  FROM json_each(?) j CROSS JOIN files f ON f.path = j.value ->> 0
  CROSS JOIN file_facts t ON t.file_id = f.id
  CROSS JOIN occurrences o ON o.file_id = t.file_id AND o.context_id = t.context_id AND o.start_byte = j.value ->> 1
  LEFT JOIN symbol_info i ON i.symbol_id = o.symbol_id AND i.file_id = f.id
  WHERE (o.roles & 1) = 1
`;
export const occurrencesStartingSql = `
  SELECT f.path, ${columns}, s.symbol_key, s.name, s.in_repo
  FROM files f CROSS JOIN file_facts t ON t.file_id = f.id
  CROSS JOIN occurrences o ON o.file_id = t.file_id AND o.context_id = t.context_id AND o.start_byte = ?
  JOIN symbols s ON s.id = o.symbol_id WHERE f.path = ?
`;
export const occurrencesOfSql = `
  SELECT f.path, ${columns} FROM occurrences o JOIN files f ON f.id = o.file_id WHERE o.symbol_id = ?
`;
export const definitionsOfSql = `
  SELECT f.path, ${columns} FROM occurrences o JOIN files f ON f.id = o.file_id
  WHERE o.symbol_id = ? AND (o.roles & 1) = 1
`;
export const occurrencesNamedSql = `
  SELECT f.path, ${columns}, s.symbol_key, s.name, s.in_repo
  FROM symbols s JOIN occurrences o ON o.symbol_id = s.id JOIN files f ON f.id = o.file_id
  WHERE s.name_fold = ? AND s.name = ?
`;
export const namedOccurrencesOfSql = `
  SELECT f.path, ${columns}, s.symbol_key, s.name, s.in_repo
  FROM symbols s JOIN occurrences o ON o.symbol_id = s.id JOIN files f ON f.id = o.file_id WHERE s.id = ?
`;
export const occurrencesOfFileSql = `
  SELECT f.path, ${columns}, s.symbol_key, s.name, s.in_repo
  FROM files f JOIN occurrences o ON o.file_id = f.id JOIN symbols s ON s.id = o.symbol_id WHERE f.path = ?
`;
export const occurrencesOfDocumentSql = `
  SELECT f.path, ${columns}, s.symbol_key, s.name, s.in_repo
  FROM files f JOIN occurrences o ON o.file_id = f.id JOIN symbols s ON s.id = o.symbol_id
  WHERE f.path = ? AND o.context_id = ?
`;
export const definingPathsSql = `
  SELECT f.path, o.context_id FROM symbols s JOIN occurrences o ON o.symbol_id = s.id AND (o.roles & 1) = 1
  JOIN files f ON f.id = o.file_id WHERE s.symbol_key = ?
`;

/** What is declared where: for each place the signature of the narrowest definition that begins there; undefined where there is none. */
export function listDefinedAt(
  session: ReadSession,
  places: readonly { readonly path: string; readonly start: number }[],
): readonly ({ readonly signature: string | null } | undefined)[] {
  const statement = session.statement(definedAtSql);
  statement.setReturnArrays(true);
  const wanted = JSON.stringify(places.map(({ path, start }) => [path, start]));
  const best = new Map<number, DefinedRow>();
  for (const row of statement.all(wanted) as unknown as DefinedRow[]) {
    const known = best.get(row[0]);
    if (known === undefined || compareDefined(row, known) < 0) best.set(row[0], row);
  }
  return places.map((_, place) => {
    const row = best.get(place);
    return row === undefined ? undefined : { signature: row[5] };
  });
}

type DefinedRow = readonly [
  place: number,
  width: number,
  contextId: number,
  symbolId: number,
  /** Of who says the signature. */
  saidIn: number | null,
  signature: string | null,
];

function compareDefined(a: DefinedRow, b: DefinedRow): number {
  return a[1] - b[1] || a[2] - b[2] || a[3] - b[3] || (a[4] ?? 0) - (b[4] ?? 0);
}

/** In all contexts of the file, by end, context, symbol. */
export function listOccurrencesStarting(session: ReadSession, path: string, byte: number): readonly NamedOccurrence[] {
  return rowsOf(session, occurrencesStartingSql, [byte, path]).map(namedOccurrence).sort(compareOccurrences);
}

/** By path, start, end, context, symbol. All of them: an answer that shows some counts all. */
export function listOccurrencesOf(session: ReadSession, symbolIds: Iterable<number>): readonly Occurrence[] {
  return listOf(session, occurrencesOfSql, symbolIds);
}

/** Those with the role `definition`, in the same order. */
export function listDefinitionsOf(session: ReadSession, symbolIds: Iterable<number>): readonly Occurrence[] {
  return listOf(session, definitionsOfSql, symbolIds);
}

/** Of these symbols and of all that bear one of the names, each once; in the same order. */
export function listOccurrencesNamed(
  session: ReadSession,
  names: Iterable<string>,
  symbolIds: Iterable<number>,
): readonly NamedOccurrence[] {
  const found: NamedOccurrence[] = [];
  const known = new Set(names);
  for (const name of known)
    for (const row of rowsOf(session, occurrencesNamedSql, [name.toLowerCase(), name]))
      found.push(namedOccurrence(row));
  for (const id of new Set(symbolIds))
    for (const row of rowsOf(session, namedOccurrencesOfSql, [id]))
      if (!known.has(row[12])) found.push(namedOccurrence(row));
  return found.sort(compareOccurrences);
}

/** By start, end, context, symbol; of one context if it is named. */
export function listOccurrencesOfFile(
  session: ReadSession,
  path: string,
  contextId?: number,
): readonly NamedOccurrence[] {
  const rows =
    contextId === undefined
      ? rowsOf(session, occurrencesOfFileSql, [path])
      : rowsOf(session, occurrencesOfDocumentSql, [path, contextId]);
  return rows.map(namedOccurrence).sort(compareOccurrences);
}

/** That a file defines something, as said in a context. */
export type StoredDefinition = { readonly path: string; readonly contextId: number };

/** By key, the files that define it, by path and context; a key without a definition is not in the map. */
export function listDefiningPaths(
  session: ReadSession,
  keys: Iterable<string>,
): ReadonlyMap<string, readonly StoredDefinition[]> {
  const found = new Map<string, readonly StoredDefinition[]>();
  for (const key of keys) {
    const rows = rowsOf(session, definingPathsSql, [key]).map(([path, contextId]) => ({ path, contextId }));
    rows.sort((a, b) => compareCodeUnits(a.path, b.path) || a.contextId - b.contextId);
    const isNew = ({ path, contextId }: StoredDefinition, at: number): boolean =>
      rows[at - 1]?.path !== path || rows[at - 1]?.contextId !== contextId;
    if (rows.length > 0) found.set(key, rows.filter(isNew));
  }
  return found;
}

type Row = readonly [
  path: string,
  contextId: number,
  symbolId: number,
  start: number,
  end: number,
  roles: number,
  form: OccurrenceForm,
  line: number,
  column: number,
  endLine: number,
  endColumn: number,
  key: string,
  name: string,
  inRepo: number,
];

function rowsOf(session: ReadSession, sql: string, values: readonly (string | number)[]): Row[] {
  const statement = session.statement(sql);
  statement.setReturnArrays(true);
  return statement.all(...values) as unknown as Row[];
}

function listOf(session: ReadSession, sql: string, symbolIds: Iterable<number>): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const id of new Set(symbolIds)) for (const row of rowsOf(session, sql, [id])) found.push(occurrence(row));
  return found.sort(compareOccurrences);
}

function compareOccurrences(a: Occurrence, b: Occurrence): number {
  return (
    compareCodeUnits(a.path, b.path) ||
    a.start - b.start ||
    a.end - b.end ||
    a.contextId - b.contextId ||
    a.symbolId - b.symbolId
  );
}

function occurrence(row: Row): Occurrence {
  const [path, contextId, symbolId, start, end, roles, form, line, column, endLine, endColumn] = row;
  return { path, contextId, symbolId, start, end, roles, form, line, column, endLine, endColumn };
}

function namedOccurrence(row: Row): NamedOccurrence {
  return { ...occurrence(row), key: row[11], name: row[12], inRepo: row[13] === 1 };
}
