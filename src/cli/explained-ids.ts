/**
 * Every word of a closed list that the program says and a person may want explained: exit codes, outcomes, reasons, questions, states, warnings.
 * Made from the tables in which each is declared with its meaning; `codegenie explain`, completion and the reference read it.
 */

import { failureWords } from '../fleet/fleet-engine.ts';
import { standingWords } from '../fleet/standing.ts';
import { reasons as factReasons } from '../gather/facts/fact.ts';
import {
  coordinatorDiagnostics,
  coordinatorErrors,
  gatherWarnings,
  skipWords,
  staleWords,
  wordsOf,
} from '../gather/id-words.ts';
import { riskRules } from '../gather/report/risks.ts';
import type { Freshness } from '../index/freshness/compute-states.ts';
import type { Failure } from '../languages/projects/context-spec.ts';
import { nextAfter, unsupportedAnswer } from '../mutate/plans/answers.ts';
import {
  blockedReasons,
  highRiskKinds,
  itemKinds,
  refusedReasons,
  trustableKinds,
  unsupportedReasons,
} from '../mutate/vocabulary.ts';
import { probes } from '../probes/registry.gen.ts';
import {
  blockedWords,
  censusWords,
  itemWords,
  outcomeWords,
  provenanceWords,
  refusedWords,
  riskWords,
  statusWords,
  tierWords,
  unsupportedWords,
} from '../serve/changes/outcome-words.ts';
import { problemAnswer } from '../serve/mcp/problem-answers.ts';
import { exitCodes } from './exit-codes.ts';

export type ExplainedId = {
  readonly id: string;
  /** What it is said of: `exit code 7`, `reason of refused`, `warning of ci`. */
  readonly of: string;
  readonly means: string;
  /** Empty where nothing is to be done. */
  readonly remedy: string;
};

export function listExplained(): readonly ExplainedId[] {
  return [...endings(), ...problems, ...changes(), ...gathering(), ...ofProbes(), ...indexing(), ...ofFleets()];
}

/** One of an id by its spelling, or an exit code by its number. */
export function explainId(given: string): readonly ExplainedId[] {
  const number = `exit code ${given}`;
  return listExplained().filter(({ id, of }) => id === given || of === number);
}

function endings(): readonly ExplainedId[] {
  return Object.entries(exitCodes).map(([id, { code, when, remedy }]) => ({
    ...{ id, of: `exit code ${code}`, means: when, remedy },
  }));
}

const unanswered = (outcome: 'invalid' | 'not_found' | 'ambiguous') =>
  problemAnswer({ kind: 'not_answered', problem: { outcome, message: '', candidates: [] } }).next;

/** As tools and routes say it; a sentence of the answer itself comes first. */
export const problems: readonly ExplainedId[] = (
  [
    ['invalid', 'a field is missing, unknown or not what it should be', unanswered('invalid')],
    ['not_found', 'nothing has this name, or stands at this place', unanswered('not_found')],
    ['ambiguous', 'several things have this name', unanswered('ambiguous')],
    [
      'busy',
      'another process writes, or the index is still being built',
      problemAnswer({ kind: 'busy', message: '' }).next,
    ],
    [
      'output_refused',
      'the index or the output cannot be written where it should be',
      problemAnswer({ kind: 'refused', message: '' }).next,
    ],
    [
      'config_invalid',
      'a configuration file is not understood',
      problemAnswer({ kind: 'config_invalid', problems: [] }).next,
    ],
  ] as const
).map(([id, means, remedy]) => ({ id, of: 'outcome of a tool or a request', means, remedy }));

function changes(): readonly ExplainedId[] {
  const spoken = (of: string, words: Readonly<Record<string, string>>, remedy = ''): readonly ExplainedId[] =>
    Object.entries(words).map(([id, means]) => ({ id, of, means, remedy }));
  return [
    ...spoken('outcome of a change', outcomeWords),
    ...blockedReasons.map((id) => ({
      ...{ id, of: 'reason of blocked', means: blockedWords[id], remedy: nextAfter('blocked', id) },
    })),
    ...refusedReasons.map((id) => ({
      ...{ id, of: 'reason of refused', means: refusedWords[id], remedy: nextAfter('refused', id) },
    })),
    ...unsupportedReasons.map((id) => ({
      ...{ id, of: 'reason of unsupported', means: unsupportedWords[id] },
      remedy: unsupportedAnswer(id, '', { can_force_syntactic: true }).next,
    })),
    ...Object.entries(itemKinds).map(([id, options]) => ({
      ...{ id, of: 'kind of question', means: itemWords[id as keyof typeof itemKinds] },
      remedy: howToAnswer(id, options),
    })),
    ...spoken('status of a plan', statusWords),
    ...spoken('how a fact or an edit is known', provenanceWords),
    ...spoken('place of a name in the census', censusWords),
    ...spoken('tier of a forced edit', tierWords),
    ...spoken('doubt about a forced edit', riskWords, 'read the edit before you select it'),
  ];
}

function howToAnswer(kind: string, options: readonly string[]): string {
  if (options.length === 0) return 'no option goes on: see the places';
  const quoted = highRiskKinds.has(kind) ? '; who goes on quotes the line at the place' : '';
  const trust = trustableKinds.has(kind) ? '; `rename.trust` in the configuration answers it for a project' : '';
  return `answer with one of ${options.join(', ')}${quoted}${trust}`;
}

function gathering(): readonly ExplainedId[] {
  const tables = [
    ['warning of a gather', gatherWarnings],
    ['error of any probe', coordinatorErrors],
    ['diagnostic of any probe', coordinatorDiagnostics],
    ['why a probe was skipped', skipWords],
    ['why an index is stale', staleWords],
  ] as const;
  return [
    ...tables.flatMap(([of, words]) => Object.entries(words).map(([id, said]) => ({ id, of, ...said }))),
    ...Object.entries(factReasons).map(([id, { confidence, says }]) => ({
      ...{ id, of: 'why a fact is as sure as it is', means: `${says}: confidence ${confidence}`, remedy: '' },
    })),
    ...riskRules.map(({ id, title, says, severity }) => ({
      ...{ id, of: `risk, ${severity}`, means: `${title}: ${says}`, remedy: '`codegenie report` shows its places' },
    })),
  ];
}

function ofProbes(): readonly ExplainedId[] {
  return probes.flatMap(({ name, warningIds, errorIds }) => [
    ...warningIds.map((id) => ofProbe(id, `warning of ${name}`)),
    ...errorIds.map((id) => ofProbe(id, `error of ${name}`)),
  ]);
}

function ofProbe(id: string, of: string): ExplainedId {
  const words = wordsOf(id);
  if (words === undefined) throw new Error(`id-words.ts: no words for ${id}, ${of}`);
  return { id, of, ...words };
}

const jobFailures: Readonly<Record<Failure, readonly [means: string, remedy: string]>> = {
  missing_tool: ['the indexer is not installed', '`codegenie doctor` says how to get it'],
  bad_version: ['the indexer is of a version that is not understood', '`codegenie doctor` says how to get another'],
  sandbox_missing: ['the indexer would run code of the repository, and there is no sandbox', 'install bubblewrap'],
  config_error: ['a configuration of the project does not parse', 'repair the file that `codegenie status` names'],
  tool_crashed: [
    'the indexer ended with an error',
    'see its words in `codegenie status`, then `codegenie index --semantic --again`',
  ],
  tool_timeout: [
    'the indexer did not end in its time',
    'run `codegenie index --semantic` when the machine is less busy',
  ],
  out_of_memory: [
    'the indexer needed more memory than it gets',
    'split the project, or leave generated files out of it',
  ],
  no_output: ['the indexer wrote nothing', 'see whether the project includes the sources'],
  decode_error: ['what the indexer wrote cannot be read', 'update the indexer, or report it'],
  too_few_documents: ['the indexer left out many files of the project', 'see its words in `codegenie status`'],
  io_error: ['something could not be read or written', 'look for space and permissions, then ask again'],
  internal_error: ['a bug of codegenie', 'report it'],
};

const fileStates: Readonly<Record<Freshness, readonly [means: string, remedy: string]>> = {
  clean: ['a compiler has seen the file, and all it depends on, as they are now', ''],
  pending_check: ['something that the file depends on is not known yet', '`codegenie index --semantic`'],
  stale: ['a file that it depends on has another interface now', '`codegenie index --semantic`'],
  dirty: ['the file has changed since a compiler saw it', '`codegenie index --semantic`'],
  unindexed: ['no compiler has seen the file yet', '`codegenie index --semantic`'],
  unsupported: ['no indexer here reads the language of the file', '`codegenie status` says which is missing'],
};

function indexing(): readonly ExplainedId[] {
  const tables = [
    ['why an indexer failed', jobFailures],
    ['state of a file', fileStates],
  ] as const;
  return tables.flatMap(([of, words]) =>
    Object.entries(words).map(([id, [means, remedy]]) => ({ id, of, means, remedy })),
  );
}

/** Why a repository of a fleet is not fresh. */
function ofFleets(): readonly ExplainedId[] {
  const of = (what: string, words: Readonly<Record<string, readonly [string, string]>>): readonly ExplainedId[] =>
    Object.entries(words).map(([id, [means, remedy]]) => ({ id, of: what, means, remedy }));
  return [
    ...of('failure of a fleet’s repository', failureWords),
    ...of('standing of a fleet’s repository', standingWords),
  ];
}
