/**
 * The options of each question as things to choose from (mutation.md §4), and the definitions a name could mean. Every list is closed,
 * capped and says if it was cut.
 */

import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { Candidate, CandidateSet, WitnessFact } from '../answer.ts';
import type { ItemKind } from '../outcome.ts';
import { candidateId } from '../plans/ids.ts';
import type { Item, Plan } from '../types.ts';

export const maxListed = 20;
const textChars = 200;

/** How each kind of question came up, in words for whoever answers it. */
export const itemRules: Readonly<Record<ItemKind, string>> = {
  unaccounted_token: 'a token spelled like the name that nothing binds',
  untyped_access: 'a member of that name on a receiver whose type is not known',
  string_reference: 'a string that equals the name and may be used as one',
  dynamic_access: 'a member is reached by a computed name',
  untyped_boundary: 'data without a type becomes the type that owns the name',
  structural_tie: 'two types fit by the names of their members, and one of them is renamed',
  unresolved_reference: 'a use of the name whose definition was not found',
  multiple_definitions: 'several definitions that nothing ties together',
  uncovered_file: 'code that no project includes',
  unreadable_file: 'a file that could not be read as code holds the name',
  parse_error: 'the name stands in or beside code that does not parse',
  generated_code: 'the edit is in a file that is generated',
  public_api: 'the name can be reached by users of the package',
  dist_boundary: 'the token is bound to a build output',
  indexer_gap: 'the compiler failed on this token',
  unknown_inherited: 'the owner inherits members that cannot be listed',
  convention_name: 'a framework calls this by its name',
  proof_unavailable: 'the compiler could not check the plan to its end',
};

/** One set per item. */
export function listCandidateSets(plan: Plan): { readonly sets: readonly CandidateSet[]; readonly truncated: boolean } {
  return {
    sets: plan.items.slice(0, maxListed).map(toCandidateSet),
    truncated: plan.items.length > maxListed,
  };
}

export function witnessOfItem(item: Item): WitnessFact {
  const { before, text, after } = item.anchor;
  return {
    type: item.kind === 'parse_error' || item.kind === 'proof_unavailable' ? 'diagnostic' : 'token',
    at: { file: item.path, line: item.line, col: item.col },
    text: truncate(singleLine(`${before}${text}${after}`), textChars),
    provenance: 'text',
  };
}

function toCandidateSet(item: Item): CandidateSet {
  const evidence = [witnessOfItem(item)];
  return {
    name: item.kind,
    rule: itemRules[item.kind],
    item: item.id,
    members: item.options.slice(0, maxListed).map(
      ({ id, means, groupId }): Candidate => ({
        id: candidateId(item.id, id),
        means: `${id}: ${means}`,
        ...(groupId === null ? {} : { group: groupId }),
        evidence,
        ...riskOf(item.kind, id),
      }),
    ),
    truncated: item.options.length > maxListed,
  };
}

/** What goes wrong if the option is the wrong one. */
function riskOf(kind: ItemKind, option: string): Pick<Candidate, 'risk' | 'reasons'> {
  if (option === 'stop') return { risk: 'low', reasons: ['nothing is changed'] };
  if (option === 'accept') {
    const isHigh = kind === 'dynamic_access' || kind === 'proof_unavailable' || kind === 'unknown_inherited';
    return { risk: isHigh ? 'high' : 'medium', reasons: ['nothing shows that it is unaffected'] };
  }
  if (kind === 'structural_tie' && option === 'leave')
    return { risk: 'medium', reasons: ['nobody reports that the two no longer meet'] };
  if (option === 'leave') return { risk: 'medium', reasons: ['it fails where it did mean the renamed thing'] };
  if (kind === 'generated_code') return { risk: 'medium', reasons: ['the next generation writes it anew'] };
  if (kind === 'public_api')
    return option === 'keep_alias'
      ? { risk: 'low', reasons: ['users of the package are not affected'] }
      : { risk: 'high', reasons: ['users of the package have to follow'] };
  return { risk: 'medium', reasons: ['it fails where it meant something else'] };
}
