/** What a move asks to be written anew, while it is collected and when it is whole. */

import type { CompilerEdit } from '../compiler/types.ts';
import type { ItemDraft } from '../rename/build-groups.ts';
import type { FileMove } from '../types.ts';
import type { Moves } from './moved-tree.ts';

/** `directory`: moves as a whole, so its own path counts too. */
export type Moving = { readonly moves: Moves; readonly directory: FileMove | null };

export type MoveChanges = {
  readonly edits: readonly CompilerEdit[];
  readonly items: readonly ItemDraft[];
  /** Of every file that was read for its specifiers, or is asked about. */
  readonly texts: Readonly<Record<string, string>>;
  /** Mentions in prose and comments, which stay. */
  readonly mentions: readonly { readonly path: string; readonly start: number }[];
  readonly scanned: number;
  readonly notScanned: readonly { readonly path: string; readonly why: string }[];
};

export type Found = {
  readonly edits: CompilerEdit[];
  readonly items: ItemDraft[];
  readonly mentions: { path: string; start: number }[];
};
