/**
 * What a decider is shown (mutation.md §4): the options of each question as candidates, and the witness, which says what was looked at, the
 * facts it rests on, and for each question the single fact that would settle it. Every list is closed, capped and says if it was cut. M21: a
 * search that was cut short says so, and never leads to `ok`.
 */

import { quotedPath, singleLine, truncate } from '../../kernel/base/text.ts';
import type { Candidate, CandidateSet, WitnessFact, WitnessPacket } from '../answer.ts';
import { candidateId } from '../plans/ids.ts';
import type { Item, Plan } from '../plans/plan.ts';
import { lineKey, unsaidLines } from '../plans/short-answers.ts';
import { highRiskKinds, type ItemKind } from '../vocabulary.ts';

export const maxListed = 20;
const textChars = 200;

/** How each kind of question came up, in words for the reader. */
export const itemRules: Readonly<Record<ItemKind, string>> = {
  unaccounted_token: 'a token spelled like the name that nothing binds',
  untyped_access: 'a member of that name on a receiver whose type is not known',
  string_reference: 'a string that equals the name and may be used as one',
  dynamic_access: 'a member is reached by a computed name',
  untyped_boundary: 'data without a type becomes the type that owns the name',
  untyped_exit: 'a value that has the name goes to code that may read names as data',
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
  convention_name: 'a framework or a tool finds this by its name',
  protocol_name: 'the language or the platform finds a member of the old or the new name',
  ambient_name: 'only declared here; something else defines it',
  text_reference: 'text that the compiler does not read names it',
  name_as_data: 'the program reads the name of the function, class or member as a value',
  proof_unavailable: 'the compiler could not check the plan to its end',
  computed_path: 'a path is made at run time, and can be that of what moves',
  file_listing: 'files are found by their directory or by a pattern, and what moves is found by one of its two places',
  own_path: 'what moves makes something of its own path',
  module_system: 'the packages on both sides read the file differently',
  module_shadow: 'an import of something else can come to mean what moves',
  companion_file: 'a file that belongs to what moves by its name stays behind',
  file_convention: 'a tool finds files by their path, and sees the two places differently',
};

/** One set per item. `whole`: the plan, where `plan` has only some of its questions. */
export function listCandidateSets(
  plan: Plan,
  whole: Plan = plan,
): { readonly sets: readonly CandidateSet[]; readonly truncated: boolean } {
  const unsaid = unsaidLines(whole);
  return {
    sets: plan.items.slice(0, maxListed).map((item) => toCandidateSet(item, unsaid)),
    truncated: plan.items.length > maxListed,
  };
}

function witnessOfItem(item: Item, unsaid: ReadonlySet<string>): WitnessFact {
  const at = { file: item.path, line: item.line, col: item.col };
  const { before, text, after } = item.anchor;
  return {
    type: item.kind === 'parse_error' || item.kind === 'proof_unavailable' ? 'diagnostic' : 'token',
    at,
    text: truncate(singleLine(unsaid.has(lineKey(at)) ? text : `${before}${text}${after}`), textChars),
    provenance: 'text',
  };
}

function toCandidateSet(item: Item, unsaid: ReadonlySet<string>): CandidateSet {
  const evidence = [witnessOfItem(item, unsaid)];
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
    return { risk: highRiskKinds.has(kind) ? 'high' : 'medium', reasons: ['nothing shows that it is unaffected'] };
  }
  if (kind === 'structural_tie' && option === 'leave')
    return { risk: 'medium', reasons: ['no compiler reports that the two no longer meet'] };
  if (option === 'leave') return { risk: 'medium', reasons: ['it fails where it did mean the renamed thing'] };
  if (kind === 'generated_code') return { risk: 'medium', reasons: ['the next generation writes it anew'] };
  if (kind === 'public_api')
    return option === 'keep_alias'
      ? { risk: 'low', reasons: ['users of the package are not affected'] }
      : { risk: 'high', reasons: ['users of the package have to follow'] };
  return { risk: 'medium', reasons: ['it fails where it meant something else'] };
}

const noBounds: WitnessPacket['bounds'] = {
  files_scanned: 0,
  files_not_scanned: [],
  contexts: [],
  budget_ms: 0,
  spent_ms: 0,
  truncated: false,
};

export const emptyWitness: WitnessPacket = { bounds: noBounds, facts: [], invariants_failed: [], checklist: [] };

type WitnessParts = {
  readonly bounds?: WitnessPacket['bounds'];
  readonly facts?: readonly WitnessFact[];
  readonly invariantsFailed?: readonly string[];
  readonly items?: readonly Item[];
  readonly checklist?: WitnessPacket['checklist'];
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
    checklist: [...items.slice(0, maxListed).map(settleBy), ...(parts.checklist ?? [])].slice(0, maxListed),
  };
}

export function witnessOfPlan(
  plan: Plan,
  bounds: WitnessPacket['bounds'] = noBounds,
  whole: Plan = plan,
): WitnessPacket {
  const { symbol } = plan;
  const unsaid = unsaidLines(whole);
  const definition: WitnessFact = {
    type: 'definition',
    at: symbol.definedAt,
    text: `${symbol.kind} ${symbol.namePath}`,
    provenance: plan.provenance,
  };
  // The definition is one of the facts, so there is room for one item less before the list is cut.
  return makeWitness({
    bounds,
    facts: [definition, ...plan.items.slice(0, maxListed - 1).map((item) => witnessOfItem(item, unsaid))],
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
  untyped_exit: {
    question: 'does anything read the old name, or the new one, from this value?',
    fact: 'what is done with the value after this place',
    how: 'follow the value: is it printed, stored, sent, compared, or looked up by a string?',
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
    how: 'ask its publisher',
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
  protocol_name: {
    question: 'is a value with this member ever given to what looks for the name?',
    fact: 'one conversion, loop, `await` or registration that it reaches',
    how: 'look for the uses of its owner',
  },
  ambient_name: {
    question: 'what defines this when the program runs?',
    fact: 'the definition, and whether it is renamed as well',
    how: 'look for it in the build, the environment, the package or the file beside the declaration',
  },
  name_as_data: {
    question: 'does anything depend on what the name is?',
    fact: 'where the value goes that is made of the name',
    how: 'follow it from the place that reads it',
  },
  text_reference: {
    question: 'does this text mean the symbol?',
    fact: 'what reads the text',
    how: 'read the lines; edit them by hand where they mean it',
  },
  proof_unavailable: {
    question: 'is the plan right without the compiler’s check?',
    fact: 'a build and test run after the commit',
    how: 'commit, build, and undo if it fails',
  },
  computed_path: {
    question: 'does this path lead to what moves?',
    fact: 'the values that its parts can take',
    how: 'follow the parts back to where they are written',
  },
  file_listing: {
    question: 'must the file be among those that are found here?',
    fact: 'what is done with the files that are found',
    how: 'read what follows the listing, or what the tool does with the directory',
  },
  own_path: {
    question: 'what does the file look for from its own place?',
    fact: 'the files that its path leads to',
    how: 'follow the path to where it is used',
  },
  module_system: {
    question: 'does the file run the same in its new package?',
    fact: 'the `type` and the dependencies of both packages',
    how: 'read the package.json on both sides',
  },
  module_shadow: {
    question: 'which of the two files is this import to mean?',
    fact: 'the order in which its tool tries endings',
    how: 'write the ending out, and plan again',
  },
  companion_file: {
    question: 'must the other file be moved along?',
    fact: 'which tool finds it by its name',
    how: 'move it too, or delete it if it is written anew',
  },
  file_convention: {
    question: 'does the tool find the file by its path here?',
    fact: 'the patterns that the tool is run with',
    how: 'read its configuration and the command that starts it',
  },
};

function settleBy(item: Item): WitnessPacket['checklist'][number] {
  const { question, fact, how } = settlings[item.kind];
  return { question: `${quotedPath(item.path)}:${item.line}:${item.col}: ${question}`, fact_needed: fact, how };
}
