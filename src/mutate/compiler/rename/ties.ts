/**
 * Ties by shape: two members of one name, of which one is renamed, meet where the compiler lets an object pass without it. The border
 * finds them; here they are told apart and put into words.
 */

import type { DeclarationPlace } from '../session/messages.ts';
import type { Site } from './doubted-family.ts';

export const tieKinds = ['missed', 'lost', 'gained'] as const;

/**
 * `missed`: a taker of the old name no longer gets what is renamed. `lost`: a taker of the renamed one no longer sees what has the old name.
 * `gained`: a taker of the new name suddenly gets what is renamed.
 */
export type TieKind = (typeof tieKinds)[number];

/** A place where two members meet: the renamed one, and another. */
export type TiedSite = Site & {
  /** Where the other one is declared; null where that cannot be told. */
  readonly others: readonly DeclarationPlace[] | null;
};

export type Ties = Readonly<Record<TieKind, readonly TiedSite[]>>;

/** A place that several programs have is one place, with what each of them knows. */
export function unite(sites: readonly TiedSite[]): readonly TiedSite[] {
  const distinct = new Map<string, TiedSite>();
  for (const site of sites) {
    const known = distinct.get(siteKey(site));
    distinct.set(siteKey(site), known === undefined ? site : { ...site, others: join(known.others, site.others) });
  }
  return [...distinct.values()].sort((a, b) =>
    a.path === b.path ? a.node.getStart() - b.node.getStart() : a.path < b.path ? -1 : 1,
  );
}

function join(one: TiedSite['others'], other: TiedSite['others']): TiedSite['others'] {
  return one === null || other === null ? null : [...one, ...other];
}

export const tieWords: Readonly<Record<TieKind, (oldName: string, newName: string) => string>> = {
  missed: (oldName) => `What is expected here may have \`${oldName}\`, and this would no longer give it`,
  lost: (oldName) => `This fits by a \`${oldName}\` of its own, which would no longer be seen`,
  gained: (_, newName) => `What is expected here may have \`${newName}\`, and this would come to have it`,
};

export function siteKey({ path, node }: Site): string {
  return `${path}\0${node.getStart()}`;
}
