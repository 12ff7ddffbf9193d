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
  /** In the order of paths; undefined when one has come or is of another language since. */
  ordered: { readonly ids: Int32Array; readonly paths: readonly IndexedPath[] } | undefined;
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
  const { ids: inOrder, paths } = table.ordered;
  const wanted = markIds(ids);
  const found: IndexedPath[] = [];
  for (let at = 0; at < inOrder.length; at += 1)
    if (wanted[inOrder[at] as number] === 1) found.push(paths[at] as IndexedPath);
  return found;
}

/** 1 at every id: of tens of thousands, which are dense, a set would take longer to make than to ask. */
export function markIds(ids: readonly number[]): Uint8Array {
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
