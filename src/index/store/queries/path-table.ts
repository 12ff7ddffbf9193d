/**
 * Paths by row id, kept for a handle or a pool of them: a common word is in most files, and fetching fifty thousand rows would take longer
 * than searching them. A changed generation fetches the rows that changed since; ids of deleted files stay and are never asked for.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ReadSession } from '../facts-handle.ts';

export type IndexedPath = { readonly path: string; readonly language: string | null };

type PathTable = {
  generation: number;
  readonly byId: Map<number, IndexedPath>;
  /** Ids in the order of their paths; undefined when a path has come since. */
  ordered: Int32Array | undefined;
};

export const pathsSinceSql = 'SELECT id, path, language FROM files WHERE generation > ?';

const tables = new WeakMap<object, PathTable>();

/** The files with these row ids, in the order of their paths. */
export function listPathsOf(session: ReadSession, ids: readonly number[]): readonly IndexedPath[] {
  const table = refresh(session);
  // Few are sorted; many are picked from all in their order.
  if (ids.length * 16 < table.byId.size) {
    return ids.flatMap((id) => table.byId.get(id) ?? []).sort((a, b) => compareCodeUnits(a.path, b.path));
  }
  table.ordered ??= orderIds(table.byId);
  const wanted = new Set(ids);
  const found: IndexedPath[] = [];
  for (const id of table.ordered) if (wanted.has(id)) found.push(table.byId.get(id) as IndexedPath);
  return found;
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
    if (table.byId.get(id)?.path !== path) table.ordered = undefined;
    table.byId.set(id, { path, language });
  }
  table.generation = session.generation;
  return table;
}

function orderIds(byId: ReadonlyMap<number, IndexedPath>): Int32Array {
  const entries = [...byId].sort((a, b) => compareCodeUnits(a[1].path, b[1].path));
  return Int32Array.from(entries, ([id]) => id);
}
