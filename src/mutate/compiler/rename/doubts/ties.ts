/** What the ways to find a tie by shape have in common: the places where two members meet by their name alone, and what is said of them. */

import type * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { FindPlaces } from '../../declaration-places.ts';
import type { DeclarationPlace } from '../../types.ts';
import type { Site } from './sites.ts';

export const tieKinds = ['missed', 'lost', 'gained'] as const;

/**
 * `missed`: what is renamed is no longer given to who would take the old name. `lost`: what has the old name is no longer seen by who
 * takes the renamed one. `gained`: what is renamed is suddenly given to who takes the new name.
 */
export type TieKind = (typeof tieKinds)[number];

/** A place where two members meet: the renamed one, and another. */
export type TiedSite = Site & {
  /** Where the other one is declared; null where that cannot be told. */
  readonly others: readonly DeclarationPlace[] | null;
};

export type Ties = Readonly<Record<TieKind, readonly TiedSite[]>>;

export const tieWords: Readonly<Record<TieKind, (oldName: string, newName: string) => string>> = {
  missed: (oldName) => `What is expected here may have \`${oldName}\`, and this would no longer give it`,
  lost: (oldName) => `This fits by a \`${oldName}\` of its own, which would no longer be seen`,
  gained: (_, newName) => `What is expected here may have \`${newName}\`, and this would come to have it`,
};

/** All that these symbols are declared by. */
export function placesOf(findPlaces: FindPlaces, symbols: readonly ts.Symbol[]): TiedSite['others'] {
  const each = symbols.map(findPlaces);
  return each.every(({ length }) => length > 0) ? each.flat() : null;
}

export function siteKey({ path, node }: Site): string {
  return `${path}\0${node.getStart()}`;
}
