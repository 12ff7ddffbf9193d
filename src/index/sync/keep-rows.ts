/**
 * A listing with a problem may lack what git tracks or brings back. It says nothing of what it does not name: each row of the store
 * stays in scope, and only the disk can take it away (F4, R4).
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { TreeEntry, TreeListing } from '../../kernel/tree/list-tree.ts';
import type { FileTable } from './file-table.ts';

/** The listing itself where there is no problem with it. */
export function keepRows(listing: TreeListing, table: FileTable): TreeListing {
  if (listing.problem === null) return listing;
  const byPath = new Map<string, TreeEntry>(listing.byPath);
  for (const [path, state] of table) {
    const entry = byPath.get(path);
    // What only git's index knows of a file is what it said last.
    const { conflicted } = state;
    const absent = state.presence === 'absent';
    byPath.set(path, { path, tracked: entry?.tracked ?? true, absent: entry?.absent ?? absent, conflicted });
  }
  const entries = [...byPath.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
  return { ...listing, entries, byPath };
}
