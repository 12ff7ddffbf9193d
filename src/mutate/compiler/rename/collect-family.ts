/**
 * Which declarations must change together (mutation.md §2.2): the closure of the target's declarations over all tokens of the old name.
 * A token that stands for several declarations at once ties them (M3); what an override is of is tied by `overrides`. The closure is of
 * places, not of symbols, so that programs which share a file agree without knowing of each other (M5).
 */

import type { AliasPolicy } from '../../outcome.ts';
import { type BoundToken, placeKey } from '../in-job.ts';
import type { DeclarationPlace } from '../types.ts';
import { readSides, type Side, type Sides, tiesOf } from './read-sides.ts';

export type SidedToken = BoundToken & { readonly sides: Sides };

/** How a place came into the family: through which token, from which place. Start places have no step. */
export type Step = { readonly via: SidedToken | null; readonly from: string };

export type Family = {
  readonly places: ReadonlyMap<string, DeclarationPlace>;
  readonly steps: ReadonlyMap<string, Step>;
};

export type FamilyRules = {
  readonly policy: AliasPolicy;
  /** Declarations that name each other by inheritance, in both directions. Asked for members only. */
  readonly overridesOf: (place: string) => readonly DeclarationPlace[];
  /** Export specifiers whose public name stays, whatever the policy (`public_names: keep`). */
  readonly keepsPublic: (token: BoundToken) => boolean;
  /** Import specifiers whose local name stays: their file has the new name already. */
  readonly keepsLocal: (token: BoundToken) => boolean;
};

export function withSides(tokens: readonly BoundToken[]): readonly SidedToken[] {
  return tokens.map((token) => ({ ...token, sides: readSides(token) }));
}

/** What a rename at this token is about: the variable of `{ a }`, the local of `const { a } = o`, the public name of `export { a }`. */
export function startSide({ shape }: Sides, policy: AliasPolicy): Side {
  return shape === 'export' && policy === 'keep_local' ? 'second' : 'first';
}

export function collectFamily(
  tokens: readonly SidedToken[],
  start: readonly DeclarationPlace[],
  rules: FamilyRules,
): Family {
  const byPlace = indexByPlace(tokens);
  const places = new Map<string, DeclarationPlace>();
  const steps = new Map<string, Step>();
  const queue: string[] = [];
  const add = (place: DeclarationPlace, step: Step | null): void => {
    const key = placeKey(place);
    if (places.has(key)) return;
    places.set(key, place);
    if (step !== null) steps.set(key, step);
    queue.push(key);
  };
  for (const place of start) add(place, null);
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const place of rules.overridesOf(key)) add(place, { via: null, from: key });
    for (const { token, side } of byPlace.get(key) ?? []) {
      const step = { via: token, from: key };
      for (const place of token.sides[side]) add(place, step);
      const ties = tiesOf(token.sides.shape, rules.policy);
      if (side === 'first' && ties.forward && !rules.keepsPublic(token)) {
        for (const place of token.sides.second) add(place, step);
      }
      if (side === 'second' && ties.back && !(token.sides.shape === 'import' && rules.keepsLocal(token))) {
        for (const place of token.sides.first) add(place, step);
      }
    }
  }
  return { places, steps };
}

export function touches(family: Family, places: readonly DeclarationPlace[]): boolean {
  return places.some((place) => family.places.has(placeKey(place)));
}

type SideOf = { readonly token: SidedToken; readonly side: Side };

function indexByPlace(tokens: readonly SidedToken[]): ReadonlyMap<string, readonly SideOf[]> {
  const byPlace = new Map<string, SideOf[]>();
  for (const token of tokens) {
    for (const side of ['first', 'second'] as const) {
      for (const place of token.sides[side]) {
        const key = placeKey(place);
        const known = byPlace.get(key);
        if (known === undefined) byPlace.set(key, [{ token, side }]);
        else known.push({ token, side });
      }
    }
  }
  return byPlace;
}
