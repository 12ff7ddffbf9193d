/**
 * What indexers are asked to look at again, as a request says it and as `blocked` answers suggest it (mutation.md §2.5): files, packages, or
 * what changed since a moment, in one context or in every one that has them. A moment becomes the files of now, so that scopes merge by union.
 */

import { posix } from 'node:path';
import { strictInput, z } from '../../kernel/base/schema.ts';
import type { ReadSession } from '../store/read-session.ts';
import { listContexts, listMembers } from '../store/stored-contexts.ts';
import { listFilesChangedSince } from '../store/stored-files.ts';
import { isEmptyScope, makeScope, type RefreshScope, unionScopes } from '../store/stored-jobs.ts';

const Path = z.string().min(1).max(4_096);

export const AskedScope = strictInput({
  /** Its key, as `status` names it; without it every context that has one of the files. */
  context: z.string().min(1).max(4_096).optional(),
  /** From the root. */
  files: z.array(Path).max(10_000).optional(),
  /** Directories. */
  packages: z.array(Path).max(1_000).optional(),
  /** As `2026-01-31T12:00:00Z`, or in seconds since 1970: files that were written after it. */
  changed_since: z.union([z.iso.datetime({ offset: true }), z.number().min(0).max(1e11)]).optional(),
});
export type AskedScope = z.infer<typeof AskedScope>;

/** One, or several that are merged. */
export const AskedScopes = z
  .union([AskedScope, z.array(AskedScope).max(200)])
  .transform((given) => (Array.isArray(given) ? given : [given]));

/** By context; one that is named alone is asked for whole. `problems`: what means nothing here. */
export function readAskedScopes(
  session: ReadSession,
  asked: readonly AskedScope[],
): { readonly scopes: ReadonlyMap<string, RefreshScope>; readonly problems: readonly string[] } {
  const contexts = listContexts(session);
  const scopes = new Map<string, RefreshScope>();
  const problems: string[] = [];
  for (const one of asked) {
    const { context: key, files = [], packages = [], changed_since: since } = one;
    const meant = key === undefined ? contexts : contexts.filter((context) => context.key === key);
    if (meant.length === 0) problems.push(`scope: there is no context ${key ?? 'here'}`);
    const isWhole = key !== undefined && Object.keys(one).length === 1;
    const named = new Set([...files, ...(since === undefined ? [] : listFilesChangedSince(session, momentMs(since)))]);
    for (const context of meant) {
      const members = listMembers(session, context.id);
      const isPackage = (path: string) => packages.includes(posix.dirname(path));
      // An indexer that looks at files one by one knows no packages.
      const isByFile = context.granularity === 'file';
      const scope = isWhole
        ? null
        : makeScope(
            members.filter((path) => named.has(path) || (isByFile && isPackage(path))),
            isByFile ? [] : packages.filter((name) => members.some((path) => posix.dirname(path) === name)),
          );
      if (isEmptyScope(scope)) continue;
      scopes.set(context.key, scopes.has(context.key) ? unionScopes(scopes.get(context.key) ?? null, scope) : scope);
    }
  }
  return { scopes, problems };
}

function momentMs(since: string | number): number {
  return typeof since === 'number' ? since * 1_000 : Date.parse(since);
}
