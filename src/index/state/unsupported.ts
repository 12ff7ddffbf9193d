/**
 * Why no indexer speaks about a file (code-plane.md §8, first row of the first table). Being vendored or generated is no reason: such
 * files hold occurrences that reference answers must have (F11).
 */

import { hasIndexer, isIndexedBy, type ProbeState } from '../../languages/context-spec.ts';
import type { StoredContext } from '../store/queries/list-contexts.ts';
import { isLive, type StateColumns } from '../store/queries/load-state-columns.ts';
import type { AliasReason, SkipReason } from '../store/rows.ts';

export type UnsupportedReason =
  | SkipReason
  | AliasReason
  /** Tracked, and not on disk. */
  | 'absent'
  /** No indexer for its language. */
  | 'no_adapter'
  /** There are indexers for its language, but no project covers it. */
  | 'no_context'
  /** The projects that cover it cannot be indexed here. */
  | Exclude<ProbeState, 'ok'>
  /** Not a file in scope. */
  | 'unknown_file';

export type Unsupported = { readonly reason: UnsupportedReason; readonly detail: string | null };

/** `listed` are the contexts that have the file as a member, by position; none of them speaks about it. */
export function explainUnsupported(columns: StateColumns, file: number, listed: readonly number[]): Unsupported {
  const skipped = columns.files.skipReason[file] ?? null;
  if (skipped !== null) return { reason: skipped, detail: null };
  const language = columns.files.language[file] ?? null;
  if (!hasIndexer(language)) return { reason: 'no_adapter', detail: null };
  const able = listed.flatMap((position) => {
    const context = columns.contexts[position];
    return context !== undefined && isIndexedBy(context.family, language) ? [context] : [];
  });
  const [first] = able;
  return first === undefined ? { reason: 'no_context', detail: null } : whyContextIsSilent(first);
}

/** Of a context that is not live. */
function whyContextIsSilent(context: StoredContext): Unsupported {
  const { probe, enabled, probeDetail } = context;
  return { reason: enabled && probe !== 'ok' ? probe : 'disabled', detail: probeDetail };
}

/** If the context is live, would its indexer read this file? */
export function canBeIndexed(columns: StateColumns, file: number, context: StoredContext | undefined): boolean {
  const { isFile, skipReason, language } = columns.files;
  if (context === undefined || !isLive(context) || isFile[file] === 0 || skipReason[file] !== null) return false;
  return isIndexedBy(context.family, language[file] ?? null);
}
