import { resolveLink } from '../../kernel/tree/links.ts';
import type { AliasReason } from '../store/rows.ts';

export type AliasEnd = { readonly canonicalPath: string | null; readonly reason: AliasReason | null };

/** F6: another name of a file in scope, or a name with the reason why it is none. */
export function findAliasEnd(root: string, path: string, isInScope: (path: string) => boolean): AliasEnd {
  const end = resolveLink(root, path);
  if (end.kind !== 'file') return { canonicalPath: null, reason: end.kind };
  return isInScope(end.path)
    ? { canonicalPath: end.path, reason: null }
    : { canonicalPath: null, reason: 'out_of_scope' };
}
