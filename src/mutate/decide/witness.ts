/**
 * What was looked at and what is still open (mutation.md §4): the bounds of the search, the facts it rests on, and for each question the
 * single fact that would settle it. M21: a search that was cut short says so, and never leads to `ok`.
 */

import type { WitnessFact, WitnessPacket } from '../answer.ts';
import type { ItemKind } from '../outcome.ts';
import type { Item, Plan } from '../types.ts';
import { maxListed, witnessOfItem } from './candidates.ts';

export const noBounds: WitnessPacket['bounds'] = {
  files_scanned: 0,
  files_not_scanned: [],
  contexts: [],
  budget_ms: 0,
  spent_ms: 0,
  truncated: false,
};

export const emptyWitness: WitnessPacket = { bounds: noBounds, facts: [], invariants_failed: [], checklist: [] };

export type WitnessParts = {
  readonly bounds?: WitnessPacket['bounds'];
  readonly facts?: readonly WitnessFact[];
  readonly invariantsFailed?: readonly string[];
  readonly items?: readonly Item[];
};

/** Lists longer than 20 are cut, and the packet is then truncated. */
export function makeWitness(parts: WitnessParts): WitnessPacket {
  const bounds = parts.bounds ?? noBounds;
  const facts = parts.facts ?? [];
  const items = parts.items ?? [];
  const invariants = parts.invariantsFailed ?? [];
  const lists = [facts, items, invariants, bounds.files_not_scanned, bounds.contexts];
  return {
    bounds: {
      ...bounds,
      files_not_scanned: bounds.files_not_scanned.slice(0, maxListed),
      contexts: bounds.contexts.slice(0, maxListed),
      truncated: bounds.truncated || lists.some(({ length }) => length > maxListed),
    },
    facts: facts.slice(0, maxListed),
    invariants_failed: invariants.slice(0, maxListed),
    checklist: items.slice(0, maxListed).map(settleBy),
  };
}

export function witnessOfPlan(plan: Plan, bounds: WitnessPacket['bounds'] = noBounds): WitnessPacket {
  const { symbol } = plan;
  const definition: WitnessFact = {
    type: 'definition',
    at: symbol.definedAt,
    text: `${symbol.kind} ${symbol.namePath}`,
    provenance: plan.provenance,
  };
  // The definition is one of the facts, so there is room for one item less before the list is cut.
  return makeWitness({
    bounds,
    facts: [definition, ...plan.items.slice(0, maxListed - 1).map(witnessOfItem)],
    items: plan.items,
  });
}

type Settling = { readonly question: string; readonly fact: string; readonly how: string };

/** For each kind the one fact that decides it, and where to find that. */
const settlings: Readonly<Record<ItemKind, Settling>> = {
  unaccounted_token: {
    question: 'does this token name the symbol?',
    fact: 'the declaration that the token refers to',
    how: 'read the scope around it and the imports of its file',
  },
  untyped_access: {
    question: 'can this receiver be the owner of the symbol?',
    fact: 'one value that reaches the receiver',
    how: 'follow the receiver back to where it is made',
  },
  string_reference: {
    question: 'is this string used as the name of the symbol?',
    fact: 'what its consumer does with it',
    how: 'read the call or property it is given to',
  },
  dynamic_access: {
    question: 'can the computed name be the old one?',
    fact: 'the values the name can take',
    how: 'follow the expression back to its sources',
  },
  untyped_boundary: {
    question: 'does data from outside carry the old name?',
    fact: 'the keys of the data where it enters',
    how: 'look at the producer, or at a sample of the data',
  },
  structural_tie: {
    question: 'are the two members meant to be one?',
    fact: 'who reads the name from what is passed on here',
    how: 'follow the value from here to where the member is read',
  },
  unresolved_reference: {
    question: 'does this use mean the symbol?',
    fact: 'the file its import leads to',
    how: 'resolve the import by hand',
  },
  multiple_definitions: {
    question: 'which definition is meant?',
    fact: 'the definition that is in force where it is used',
    how: 'compare the places of the definitions',
  },
  uncovered_file: {
    question: 'is this code built with the symbol?',
    fact: 'the project that includes the file',
    how: 'look for a configuration that names it, or add one and refresh',
  },
  unreadable_file: {
    question: 'does this file use the symbol?',
    fact: 'what the bytes around the name are',
    how: 'open the file in a program that reads its format',
  },
  parse_error: {
    question: 'does the broken code use the symbol?',
    fact: 'what the code was meant to be',
    how: 'repair it and plan again',
  },
  generated_code: {
    question: 'is this file written again before it is used?',
    fact: 'the step that generates it',
    how: 'look for its generator in the build',
  },
  public_api: {
    question: 'may users of the package have to follow?',
    fact: 'whether the package has users outside this repository',
    how: 'ask whoever publishes it',
  },
  dist_boundary: {
    question: 'is the build output made from the symbol?',
    fact: 'the source that the output is built from',
    how: 'build with maps, or build again after the rename',
  },
  indexer_gap: {
    question: 'does this token name the symbol?',
    fact: 'the declaration that the token refers to',
    how: 'read the scope around it; the compiler failed here',
  },
  unknown_inherited: {
    question: 'does the base type have a member of the new name?',
    fact: 'the members of the base type',
    how: 'read its declaration or install its types',
  },
  convention_name: {
    question: 'does the framework call this by its name here?',
    fact: 'whether the file is one the framework loads',
    how: 'read the conventions of the framework for this path',
  },
  proof_unavailable: {
    question: 'is the plan right without the compiler’s check?',
    fact: 'a build and test run after the commit',
    how: 'commit, build, and undo if it fails',
  },
};

function settleBy(item: Item): WitnessPacket['checklist'][number] {
  const { question, fact, how } = settlings[item.kind];
  return { question: `${item.path}:${item.line}:${item.col}: ${question}`, fact_needed: fact, how };
}
