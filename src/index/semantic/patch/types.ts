/**
 * A renaming as the index sees it: which bytes of which files became others, and the name that they spelled. Facts follow a renaming only
 * where nothing has to be guessed; everything else is `Unfit`, and the files wait for an indexer (mutation.md §8 "Facts patch").
 */

/** How a token was written anew. */
export type PatchForm =
  /** One name by the other. */
  | 'plain'
  /** `a` by `b as a` or `a as b`, in an import or export: both names are the symbol's. */
  | 'both'
  /** `{ a }` by `{ a: b }`: the variable has the new name, the property keeps its own. */
  | 'value'
  /** `{ a }` by `{ b: a }`, of an object or a pattern: the property has the new name, the variable keeps its own. */
  | 'property'
  /** Anything of which nobody can say what an indexer would make of it. */
  | 'other';

export type PatchEdit = {
  /** Bytes of the old text. */
  readonly startByte: number;
  readonly endByte: number;
  readonly oldText: string;
  readonly newText: string;
  readonly form: PatchForm;
};

export type PatchedFile = {
  readonly path: string;
  readonly oldHash: string;
  readonly newHash: string;
  /** In order, disjoint. */
  readonly edits: readonly PatchEdit[];
};

export type Renaming = {
  readonly oldName: string;
  readonly newName: string;
  /** A compiler has said that every name means what it meant, also those that are spelled as before. */
  readonly isProven: boolean;
  readonly files: readonly PatchedFile[];
};

/** Why facts cannot follow; thrown inside of a patch, and an answer outside of it. */
export class Unfit extends Error {}
