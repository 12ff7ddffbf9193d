/** Where statements stand: in the file itself or in a namespace. */

import type { Setting } from './declarations.ts';
import type { Reader, SymbolDraft, Visibility } from './reader.ts';

export type Level = {
  readonly parent: SymbolDraft | null;
  /** 0 for the file. */
  readonly depth: number;
  /** Within `declare`, everything is visible with or without `export`. */
  readonly ambient: boolean;
  /** Names that a clause within a namespace exports. */
  readonly exported: Set<string>;
};

/** Reads the declaration at the cursor if its code is that of one, else answers false. */
export type ReadDeclaration = (reader: Reader, level: Level, kind: number, setting: Setting) => boolean;

/** Who sees a declaration without `export`: at the top level a clause elsewhere may still say so. */
export function unexported(level: Level): Visibility {
  return level.ambient || level.depth === 0 ? 'inherit' : 'never';
}
