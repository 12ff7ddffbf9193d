/**
 * A case of the behaviour corpus: a small project, one rename or move, and a command whose output is the oracle (the corpus's README says
 * what each field is). A verdict compares what the command printed before and after, and knows nothing of how a plan was made.
 */

import { readFileSync } from 'node:fs';

export type BehaviourCase = {
  readonly id: string;
  readonly area: string;
  readonly class: string;
  readonly kind: 'rename' | 'move';
  readonly args: readonly [string, string];
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly run: string;
  /** What it printed, exit status first. */
  readonly before: string;
  readonly expect: 'ask_or_refuse' | 'apply';
  readonly judge: 'run' | 'text';
};

/** What the program did, and what the command printed around it. */
export type Observed = {
  /** `applied`, another outcome, or why there is none. */
  readonly outcome: string;
  /** Of what was not applied: why, or every question. */
  readonly reasons: readonly string[];
  readonly before: string;
  /** Undefined: nothing was applied, so nothing ran again. */
  readonly after: string | undefined;
};

/**
 * `wrong`: applied, and the command prints something else. `in_vain`: asked or refused where the change is right. `failed`: neither applied
 * nor asked nor refused. `unusable`: the command prints something else on this machine even before.
 */
export const verdicts = ['wrong', 'met', 'in_vain', 'failed', 'unusable'] as const;
export type Verdict = (typeof verdicts)[number];

const answersThatHold: ReadonlySet<string> = new Set(['needs_decision', 'refused', 'blocked']);

export function judge(asked: Pick<BehaviourCase, 'expect' | 'before'>, observed: Observed): Verdict {
  const { outcome, before, after } = observed;
  if (!isSame(asked.before, before)) return 'unusable';
  if (outcome === 'applied') return after === before ? 'met' : 'wrong';
  if (!answersThatHold.has(outcome)) return 'failed';
  return asked.expect === 'apply' ? 'in_vain' : 'met';
}

/** The corpus keeps the first part of a long output. */
function isSame(recorded: string, printed: string): boolean {
  return recorded.length < 500 ? recorded === printed : printed.startsWith(recorded.slice(0, 200));
}

export type Filter = { readonly class?: string | undefined; readonly id?: string | undefined };

export function readBehaviourCases(path: string, filter: Filter = {}): readonly BehaviourCase[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BehaviourCase)
    .filter((one) => filter.class === undefined || one.class.includes(filter.class))
    .filter((one) => filter.id === undefined || one.id.includes(filter.id));
}
