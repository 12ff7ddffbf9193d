/** The file rows of a store, by path. */

import type { ReadSession } from '../../src/index/store/read-session.ts';
import { findFile, loadFileStates, type StoredFile } from '../../src/index/store/stored-files.ts';
import type { IndexedTree } from './indexed-tree.ts';

export type Rows = Readonly<Record<string, StoredFile>>;

/** In the order of their paths. */
export function listRows(session: ReadSession): Rows {
  const rows: Record<string, StoredFile> = {};
  for (const path of loadFileStates(session).path) rows[path] = findFile(session, path) as StoredFile;
  return rows;
}

export function rowOf(rows: Rows, path: string): StoredFile {
  const row = rows[path];
  if (row === undefined) throw new Error(`no row for ${path}`);
  return row;
}

/** The rows after a full reconcile. */
export async function rowsOf(tree: IndexedTree): Promise<Rows> {
  const session = await tree.session();
  await session.reconcile('all');
  return session.facts.read(listRows);
}
