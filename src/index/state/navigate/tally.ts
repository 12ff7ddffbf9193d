/** What a census (`take-census.ts`) has counted so far, what it counts by, and what a name that an indexer has bound means to it. */

import type { Family, FamilyHit } from './collect-family.ts';
import type { Question } from './question.ts';
import { isPlainKey, type SemanticFamily } from './semantic-family.ts';
import type { Said, SemanticLayer } from './semantic-layer.ts';

/** Why lexical scope does not say what a token means. */
export const siteReasons = ['member', 'unbound', 'import', 'merge', 'error', 'unparsed', 'code_in_text'] as const;
export type SiteReason = (typeof siteReasons)[number];

export type Site = { readonly path: string; readonly start: number; readonly end: number; readonly why: SiteReason };

/** `resolved`: an indexer binds it there. `state`: what it knew is not known to hold any more. */
export type CensusHit = FamilyHit & {
  readonly path: string;
  readonly provenance: 'resolved' | 'syntactic';
  readonly state?: HitState;
};
export const hitStates = ['realigned', 'stale', 'pending_check'] as const;
export type HitState = (typeof hitStates)[number];

/** What indexers know of the subject, and of everything else. */
export type Semantics = {
  readonly layer: SemanticLayer;
  /** Undefined: they know nothing of the subject. */
  readonly family: SemanticFamily | undefined;
  /** Files in which they have seen it. */
  readonly paths: ReadonlySet<string>;
};

export type Tally = {
  readonly question: Question;
  family: Family;
  readonly semantics: Semantics;
  /** Of the family, by either layer. */
  readonly names: ReadonlySet<string>;
  readonly hits: CensusHit[];
  readonly sites: Site[];
  readonly doubts: Set<string>;
  others: number;
  /** Of the others, those that a union, or an object that fits both, may join to the subject. */
  alike: number;
  mentions: number;
  foreign: number;
  /** Under which other names files that were told of pass it on. */
  readonly aliases: Set<string>;
  /** It is also passed on without a name: as a default, or as all of a module. */
  isNameless: boolean;
};

/**
 * Does it certainly mean something else? Members and locals may be one with others by structure, which no symbol says; and what nobody
 * defines (a linked folder, a build output) may be anything.
 */
export function isAnother({ semantics: { family, layer } }: Tally, ones: readonly Said[]): boolean {
  if (family?.isPlain !== true || ones.length === 0) return false;
  return ones.every((one) => isPlainKey(one.key) && layer.isSettled(one));
}

/** Is this occurrence one of the subject's? Who asks for a class does not ask for the word `constructor`. */
export function isMeant(tally: Tally, said: Said): boolean {
  const { family } = tally.semantics;
  return family?.isAlias === false && family.ids.has(said.symbolId) && !isKeywordOf(tally, said);
}

/** A word of the language that stands for the subject here, which was not asked for at such a word. */
export function isKeywordOf({ semantics: { family } }: Tally, { symbolId, form }: Said): boolean {
  return form === 'keyword' && family?.isKeyword === false && family.ids.has(symbolId);
}
