/**
 * M4: a family that reaches outside the repository is refused with the chain that reaches it. What is declared only outside is not ours
 * to rename at all.
 */

import { placeKey } from '../in-job.ts';
import type { CodeSpan, DeclarationPlace, Refusal, RenameQuestion } from '../types.ts';
import type { Family } from './collect-family.ts';

export function explainExternal(
  family: Family,
  start: readonly DeclarationPlace[],
  question: RenameQuestion,
): Refusal | undefined {
  const outside = [...family.places.values()].find((place) => place.outside);
  if (outside === undefined) return undefined;
  const isOwn = start.every((place) => place.outside);
  const detail = isOwn
    ? `declared outside the repository, in ${outside.path}`
    : `must change together with a declaration outside the repository, in ${outside.path}`;
  const at = { path: question.path, start: question.offset, end: question.offset };
  return {
    kind: 'refused',
    reason: isOwn ? 'external_symbol' : 'external_family',
    detail,
    evidence: isOwn ? [{ ...at, says: detail }] : chainTo(family, outside),
  };
}

/** From the target to the place, one entry per declaration on the way. */
function chainTo(family: Family, place: DeclarationPlace): readonly (CodeSpan & { readonly says: string })[] {
  const chain: (CodeSpan & { readonly says: string })[] = [];
  for (let key: string | undefined = placeKey(place); key !== undefined; ) {
    const at = family.places.get(key);
    const step = family.steps.get(key);
    if (at !== undefined) chain.unshift({ path: at.path, start: at.start, end: at.start, says: says(step) });
    if (step?.via) {
      const { path, start, end } = step.via.token;
      chain.unshift({ path, start, end, says: 'this name stands for both' });
    }
    key = step?.from;
  }
  return chain;
}

function says(step: { readonly via: unknown } | undefined): string {
  if (step === undefined) return 'what is renamed';
  return step.via === null ? 'inherits from it, or is inherited by it' : 'declared here';
}
