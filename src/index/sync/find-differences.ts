/**
 * The disk against a store that another process writes (code-plane.md §2): which files are not as the store has them. Decides by bytes,
 * like a reconcile, and writes nothing. Also what both comparisons share: listings with a problem, and where links end.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { isSecretBearing } from '../../kernel/tree/content-kind.ts';
import { resolveLink } from '../../kernel/tree/links.ts';
import type { TreeEntry, TreeLister, TreeListing } from '../../kernel/tree/list-tree.ts';
import { createDirectoryGuard, hashSource, readSource } from '../../kernel/tree/safe-read.ts';
import type { AliasReason } from '../store/file-rows.ts';
import { type FileTable, type Seen, screenFiles } from './file-table.ts';

export type Differences = {
  /** In the store with other bytes, or as something else. */
  readonly changed: ReadonlySet<string>;
  /** In scope and not in the store. */
  readonly added: ReadonlySet<string>;
  /** In the store and not there, or no longer in scope. */
  readonly gone: ReadonlySet<string>;
  /** Those of the first two that may add to the declarations of files that do not import them. */
  readonly augmenting?: ReadonlySet<string>;
};

const augmentingLanguages = /\.[cm]?[jt]sx?$/i;
const declarationFile = /\.d\.(?:.+\.)?[cm]?ts$/i;

export const noDifferences: Differences = { changed: new Set(), added: new Set(), gone: new Set() };

export function countDifferences({ changed, added, gone }: Differences): number {
  return changed.size + added.size + gone.size;
}

export async function findDifferences(
  root: string,
  lister: TreeLister,
  table: FileTable,
  signal: AbortSignal,
): Promise<Differences & { readonly listing: TreeListing }> {
  const seen = new Map<string, Seen>();
  const note = (path: string, found: Seen) => void seen.set(path, found);
  const look = (paths: Iterable<string>) => screenFiles(root, paths, (path) => table.get(path), note, signal);
  const pending = lister.list();
  pending.catch(() => {});
  await look([...table.keys()]);
  const listing = keepRows(await pending, table);
  const fresh = listing.entries.flatMap((entry) => (table.has(entry.path) ? [] : [entry.path]));
  await look(fresh);
  const changed = new Set<string>();
  const added = new Set<string>();
  const gone = new Set<string>();
  const guard = createDirectoryGuard(root);
  for (const path of table.keys()) if (!listing.byPath.has(path)) gone.add(path);
  for (const entry of listing.entries) {
    const found = seen.get(entry.path);
    const state = table.get(entry.path);
    if (state !== undefined && state.conflicted !== entry.conflicted) changed.add(entry.path);
    if (entry.unnamed === true) {
      if (state === undefined) added.add(entry.path);
      continue;
    }
    if (found === undefined) continue;
    if (found.kind === 'gone') {
      if (entry.absent ? state?.presence === 'present' : state !== undefined) gone.add(entry.path);
    } else if (state === undefined) added.add(entry.path);
    else if (found.kind === 'link') {
      const end = findAliasEnd(root, entry.path, (target) => listing.byPath.has(target));
      const isSameEnd = state.canonicalPath === end.canonicalPath && state.skipReason === end.reason;
      if (state.kind !== 'alias' || !isSameEnd) changed.add(entry.path);
    } else if (found.kind === 'unknown') {
      if (state.skipReason !== 'unreadable') changed.add(entry.path);
    } else if (found.kind === 'file' && !isSame(entry.path)) changed.add(entry.path);
  }
  const augmenting = new Set([...changed, ...added].filter(mayAugment));
  return { changed, added, gone, augmenting, listing };

  function mayAugment(path: string): boolean {
    if (!augmentingLanguages.test(path)) return false;
    const read = readSource(root, path, textLimits.textBytes, guard);
    if (read.kind !== 'read' || declarationFile.test(path)) return true;
    const text = Buffer.from(read.bytes).toString('utf8');
    return (
      !/\b(?:import|export|require)\b/.test(text) || (/\bdeclare\b/.test(text) && /\b(?:global|module)\b/.test(text))
    );
  }

  function isSame(path: string): boolean {
    const state = table.get(path);
    if (state?.kind !== 'file' || state.presence !== 'present') return false;
    if (state.skipReason === 'secret') return isSecretBearing(path, false);
    const read = readSource(root, path, textLimits.textBytes, guard);
    if (read.kind === 'read') return blake3Hex(read.bytes) === state.contentHash;
    if (read.kind === 'unreadable') return state.skipReason === 'unreadable';
    if (read.kind !== 'too_large' || state.skipReason !== 'large') return false;
    if (state.contentHash === null) return true;
    return hashSource(root, path, textLimits.hashedBytes, guard)?.hash === state.contentHash;
  }
}

/**
 * A listing with a problem may lack what git tracks or brings back. It says nothing of what it does not name: each row of the store
 * stays in scope, and only the disk can take it away (F4, R4). Without a problem, the listing itself.
 */
export function keepRows(listing: TreeListing, table: FileTable): TreeListing {
  if (listing.problem === null) return listing;
  const byPath = new Map<string, TreeEntry>(listing.byPath);
  for (const [path, state] of table) {
    const entry = byPath.get(path);
    // What only git's index knows of a file is what it said last.
    const { conflicted } = state;
    const absent = state.presence === 'absent';
    if (entry?.unnamed === true) continue;
    byPath.set(path, { path, tracked: entry?.tracked ?? true, absent: entry?.absent ?? absent, conflicted });
  }
  const entries = [...byPath.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
  return { ...listing, entries, byPath };
}

export type AliasEnd = { readonly canonicalPath: string | null; readonly reason: AliasReason | null };

/** F6: another name of a file in scope, or a name with the reason why it is none. */
export function findAliasEnd(root: string, path: string, isInScope: (path: string) => boolean): AliasEnd {
  const end = resolveLink(root, path);
  if (end.kind !== 'file') return { canonicalPath: null, reason: end.kind };
  return isInScope(end.path)
    ? { canonicalPath: end.path, reason: null }
    : { canonicalPath: null, reason: 'out_of_scope' };
}
