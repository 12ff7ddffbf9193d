/** The user's tree as the rest of the program sees it. */

import type { FileStat } from './safe-read.ts';

export type ScopeFile = {
  /** Root-relative, `/`-separated. */
  readonly path: string;
  /** `link` is any symbolic link; it is listed by name and never followed. */
  readonly kind: 'file' | 'link';
  readonly size: number;
  readonly tracked: boolean;
  readonly stat: FileStat;
};

/** Every file in scope at one moment (code-plane.md §1.1), sorted by path. */
export interface FileScope {
  readonly files: readonly ScopeFile[];
  find(path: string): ScopeFile | undefined;
  /** Files that match any of the globs (anchored at the root, case-sensitive, `**`, `*`, `?`, `{a,b}`, `[..]`), sorted. */
  match(globs: readonly string[]): readonly ScopeFile[];
  /** Is there any entry at this literal path, in scope or git-ignored? Looks at the disk, follows nothing. */
  exists(path: string): boolean;
  /** Names that are not UTF-8 and directories that could not be read: what this listing does not know. */
  readonly gaps: readonly { readonly path: string; readonly reason: string }[];
}
