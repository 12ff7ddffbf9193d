/** Files that may hold a text or an identifier: a superset, to be verified against their bytes (code-plane.md §9). */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { FileRow } from './file-rows.ts';
import { oncePerGeneration, type ReadSession } from './read-session.ts';

type TextCandidate = Pick<FileRow, 'path' | 'language' | 'contentHash' | 'redacted' | 'test' | 'generated'>;

const columns = 'f.path, f.language, f.content_hash AS contentHash, f.redacted, f.test, f.generated';

export const filesMatchingTextSql = 'SELECT group_concat(rowid) AS ids FROM fts_text WHERE fts_text MATCH ?';
export const filesMatchingNamesSql = 'SELECT group_concat(rowid) AS ids FROM fts_ident WHERE fts_ident MATCH ?';
export const filesMatchingNameSql = `
  SELECT ${columns} FROM fts_ident t JOIN files f ON f.id = t.rowid WHERE t.fts_ident MATCH ?
`;
export const filesWithTextSql = `SELECT ${columns} FROM fts_ident_docsize t JOIN files f ON f.id = t.id`;
export const redactedFilesSql = `SELECT ${columns} FROM files f WHERE f.redacted = 1 ORDER BY f.path`;
export const skippedFilesSql = `
  SELECT path, skip_reason AS skipReason FROM files WHERE skip_reason IS NOT NULL ORDER BY skip_reason, path LIMIT ?
`;

/** `query` in the syntax of FTS5 over encoded trigrams: `abcd AND (efgh OR ijkl)`. Sorted by path. */
export function listFilesMatchingText(session: ReadSession, query: string): readonly IndexedPath[] {
  return listPathsOf(session, listIds(session, filesMatchingTextSql, query));
}

/** Files with all of these identifier runs, which are of ASCII, and among them those that match `query`, if there is one. */
export function listFilesWithNames(
  session: ReadSession,
  names: readonly string[],
  query: string | null,
): readonly IndexedPath[] {
  const named = listIds(session, filesMatchingNamesSql, names.map((name) => `"${name}"`).join(' AND '));
  if (query === null || named.length === 0) return listPathsOf(session, named);
  const matching = markIds(listIds(session, filesMatchingTextSql, query));
  return listPathsOf(
    session,
    named.filter((id) => matching[id] === 1),
  );
}

/** One string instead of a row each: a common word is in every file. */
function listIds(session: ReadSession, sql: string, query: string): number[] {
  const text = session.statement(sql).get(query)?.['ids'];
  const ids: number[] = [];
  if (typeof text !== 'string') return ids;
  let id = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== COMMA) id = id * 10 + code - ZERO;
    else {
      ids.push(id);
      id = 0;
    }
  }
  ids.push(id);
  return ids;
}

const COMMA = 0x2c;
const ZERO = 0x30;

/** Files with an identifier run, as the extractor normalises it. Case is not told apart. Sorted by path. */
export function listFilesMatchingName(session: ReadSession, name: string): readonly TextCandidate[] {
  try {
    return listMatches(session, filesMatchingNameSql, `"${name.replaceAll('"', '""')}"`);
  } catch (error) {
    // The tokenizer cuts this name in pieces (`a·b`, a zero-width joiner), and which file has them side by side is not stored:
    // nothing can be ruled out. Only the tokenizer knows where it cuts; its tables are of another Unicode version than ours.
    if (!(error instanceof Error && error.message.includes('phrase queries'))) throw error;
    return sortByPath(session.statement(filesWithTextSql).all().map(textCandidate));
  }
}

/** Their text was changed before it was indexed, so the index cannot rule them out. */
export function listRedactedFiles(session: ReadSession): readonly TextCandidate[] {
  return oncePerGeneration(session, 'redacted', () => session.statement(redactedFilesSql).all().map(textCandidate));
}

export function listSkippedFiles(
  session: ReadSession,
  limit: number,
): readonly { readonly path: string; readonly skipReason: NonNullable<FileRow['skipReason']> }[] {
  const rows = session.statement(skippedFilesSql).all(limit);
  return rows.map((row) => ({ path: String(row['path']), skipReason: row['skipReason'] as 'large' }));
}

function listMatches(session: ReadSession, sql: string, query: string): readonly TextCandidate[] {
  return sortByPath(session.statement(sql).all(query).map(textCandidate));
}

function sortByPath(found: TextCandidate[]): readonly TextCandidate[] {
  return found.sort((a, b) => compareCodeUnits(a.path, b.path));
}

function textCandidate(row: object): TextCandidate {
  const { redacted, test, generated } = row as Record<string, unknown>;
  return {
    ...(row as TextCandidate),
    redacted: redacted === 1,
    test: test === 1,
    generated: generated === 1,
  };
}

// ---- paths by row id, kept for a handle or a pool of them: a common word is in most files, and fetching fifty thousand rows would take
// longer than searching them. A changed generation fetches the rows that changed since; ids of deleted files stay and are never asked for

type IndexedPath = { readonly path: string; readonly language: string | null };

type PathTable = {
  generation: number;
  readonly byId: Map<number, IndexedPath>;
  /** In the order of paths; undefined when one has come or is of another language since. */
  ordered: { readonly ids: Int32Array; readonly paths: readonly IndexedPath[] } | undefined;
};

export const pathsSinceSql = 'SELECT id, path, language FROM files WHERE generation > ?';

const tables = new WeakMap<object, PathTable>();

/** The files with these row ids, in the order of their paths. */
function listPathsOf(session: ReadSession, ids: readonly number[]): readonly IndexedPath[] {
  const table = refresh(session);
  // Few are sorted; many are picked from all in their order.
  if (ids.length * 16 < table.byId.size) {
    return ids.flatMap((id) => table.byId.get(id) ?? []).sort((a, b) => compareCodeUnits(a.path, b.path));
  }
  table.ordered ??= orderIds(table.byId);
  const { ids: inOrder, paths } = table.ordered;
  const wanted = markIds(ids);
  const found: IndexedPath[] = [];
  for (let at = 0; at < inOrder.length; at += 1)
    if (wanted[inOrder[at] as number] === 1) found.push(paths[at] as IndexedPath);
  return found;
}

/** 1 at every id: of tens of thousands, which are dense, a set would take longer to make than to ask. */
function markIds(ids: readonly number[]): Uint8Array {
  let last = 0;
  for (const id of ids) if (id > last) last = id;
  const marks = new Uint8Array(last + 1);
  for (const id of ids) marks[id] = 1;
  return marks;
}

function refresh(session: ReadSession): PathTable {
  const shared = tables.get(session.keeper);
  // A handle that is pinned to an earlier moment than others of its pool has a table of its own.
  const owner = shared !== undefined && shared.generation > session.generation ? session.statement : session.keeper;
  const table = tables.get(owner) ?? { generation: -1, byId: new Map(), ordered: undefined };
  tables.set(owner, table);
  if (table.generation === session.generation) return table;
  const statement = session.statement(pathsSinceSql);
  statement.setReturnArrays(true);
  for (const row of statement.all(table.generation) as unknown as [number, string, string | null][]) {
    const [id, path, language] = row;
    const known = table.byId.get(id);
    if (known?.path === path && known.language === language) continue;
    table.ordered = undefined;
    table.byId.set(id, { path, language });
  }
  table.generation = session.generation;
  return table;
}

function orderIds(byId: ReadonlyMap<number, IndexedPath>): NonNullable<PathTable['ordered']> {
  const entries = [...byId].sort((a, b) => compareCodeUnits(a[1].path, b[1].path));
  return { ids: Int32Array.from(entries, ([id]) => id), paths: entries.map(([, path]) => path) };
}
