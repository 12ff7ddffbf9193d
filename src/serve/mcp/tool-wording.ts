/**
 * Answers for a reader who pays for every word: repetitions, zeros and what only programs use are left out; what an agent decides by, or
 * has to send back, never is. Sentences that name commands are said in calls of tools.
 */

import { isJsonObject } from '../../kernel/base/json.ts';
import type { EditView, Outcome, PlanView, WitnessPacket } from '../../mutate/answer.ts';
import type { ToolAnswer } from './tool.ts';

/** What stands above every answer. */
export function slimHeads(answer: ToolAnswer): ToolAnswer {
  const { repo, freshness } = answer as Readonly<Record<string, unknown>>;
  return {
    ...answer,
    ...(isJsonObject(repo) && repo['worktree'] === repo['root'] ? { repo: without(repo, ['worktree']) } : {}),
    ...(isJsonObject(freshness) && freshness['state'] === 'clean' ? { freshness: { state: 'clean' } } : {}),
  };
}

/** Counts of nothing, lists of nothing and what is unknown: what is not named is not there. */
export function dropNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNothing);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).map(([name, held]) => [name, dropNothing(held)] as const);
  return Object.fromEntries(kept.filter(([, held]) => !isNothing(held)));
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === 0 || value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

export function slimOutcome(outcome: Outcome): Outcome {
  if (outcome.kind === 'needs_decision') {
    const { plan } = outcome;
    return {
      ...outcome,
      // The options of a question are its candidates, which have the names to answer with.
      plan: plan === null ? null : { ...slimPlan(plan), items: plan.items.map((item) => without(item, ['options'])) },
      candidate_sets: outcome.candidate_sets.map(({ members, ...set }) => ({
        ...(set.truncated ? set : without(set, ['truncated'])),
        members: members.map(sayMeaning),
      })),
    } as unknown as Outcome;
  }
  if (outcome.kind !== 'ok' && outcome.kind !== 'ok_syntactic') return outcome;
  if (outcome.state === 'planned')
    return outcome.kind === 'ok' ? { ...outcome, plan: slimPlan(outcome.plan) } : slimReview(outcome);
  // It is done: which files, and not once more what.
  const done = { ...slimPlan(outcome.plan), groups: [], items: [] };
  const { result } = outcome;
  if (result === undefined) return { ...outcome, plan: done };
  const files = result.files.map(({ path }) => ({ path }));
  return { ...outcome, plan: done, result: { ...without(result, ['undo']), files } } as unknown as Outcome;
}

/** An edit that has to be looked at is shown where it is judged. */
function slimReview(outcome: Extract<Outcome, { kind: 'ok_syntactic' }>): Outcome {
  const { plan, review } = outcome;
  const judged = new Set(review.map(({ group }) => group));
  return {
    ...outcome,
    plan: slimPlan({ ...plan, groups: plan.groups.filter(({ id }) => !judged.has(id)) }),
    review: review.map((one) => ({ ...one, edit: slimEdit(one.edit) })),
  } as unknown as Outcome;
}

/** After all else: what has nothing in it. What an agent looks for to send something back stays, also when it is empty. */
export function dropEmpty(outcome: Outcome): Outcome {
  const kept = Object.entries(outcome).flatMap(([name, held]): [string, unknown][] => {
    if (name === 'witness') {
      const witness = dropNothing(without(held as WitnessPacket, ['bounds']));
      return isNothing(witness) ? [] : [[name, held]];
    }
    return optional.has(name) && isNothing(held) ? [] : [[name, held]];
  });
  return Object.fromEntries(kept) as unknown as Outcome;
}

const optional: ReadonlySet<string> = new Set([
  'capsules',
  'evidence',
  'alternatives',
  'files',
  'jobs',
  'suggested_refresh_scope',
  'retry_after_ms',
]);

/** Hashes are for programs that compare bytes, and a line says more than the parts of an anchor. */
function slimPlan(plan: PlanView): PlanView {
  return {
    // `next` names them.
    ...without(plan, ['to_quote']),
    groups: plan.groups.map(({ title, provenance, ...group }) => ({
      // What belongs to a question is explained there.
      ...(group.item === undefined ? { title, provenance } : {}),
      ...group,
      edits: group.edits.map(slimEdit),
    })),
    files: plan.files.map((file) => without(file, ['hash'])),
    notes: plan.notes.map(sayForTools),
  } as unknown as PlanView;
}

function slimEdit({ anchor, ...edit }: EditView): object {
  return { ...edit, context: `${anchor.before}${anchor.text}${anchor.after}` };
}

/** Choices name flags of the command line. */
function sayMeaning<T extends { readonly means: string }>(choice: T): T {
  return { ...choice, means: sayForTools(choice.means) };
}

function without<T extends object, K extends keyof T>(value: T, names: readonly K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;
}

/** Each command with the call that does the same. What stays a command has no tool. */
const calls: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/`codegenie plan commit ([^\s`]+)([^`]*)`/g, (_, id = '', words = '') => commitCall(id, words)],
  [/`(<kind>|definition|\d+)=([^`]*)`/g, (_, key, option) => `"${key}": "${option}"`],
  [/`codegenie plan (undo|show|cancel) (\S+)`/g, (_, op, id) => `commit_plan {op: "${op}", plan: "${id}"}`],
  [/`codegenie (move|rename)`/g, (_, kind) => `plan_refactor {kind: "${kind}"}`],
  [/`codegenie plan (list|show)`/g, (_, op) => `commit_plan {op: "${op}"}`],
  [/`codegenie (status|symbols|search)`/g, (_, name) => `the tool ${name}`],
  [/`--mode force_syntactic`/g, () => 'mode "force_syntactic"'],
  [/`--public-names (\w+)`/g, (_, policy) => `public_names "${policy}"`],
  [/`--wait`/g, () => 'wait_ms'],
  [/\brun commit_plan\b/g, () => 'call commit_plan'],
  [/\bplan_show\b/g, () => 'commit_plan {op: "show"}'],
  [/`(codegenie (?:index|doctor)[^`]*)`/g, (_, command) => `\`${command}\` in a shell`],
];

/** What to do next, for a caller with tools and no command line. */
export function sayForTools(next: string): string {
  return calls.reduce((text, [pattern, say]) => text.replace(pattern, say), next);
}

/** The words of the command line after the plan's id, as the fields of the tool. */
function commitCall(id: string, words: string): string {
  const [, select] = /--select (\S+)/.exec(words) ?? [];
  if (select !== undefined)
    return `commit_plan {plan: "${id}", selections: ${listOf(select)}${words.includes('--proof') ? ', proof' : ''}}`;
  const answers = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare = '']) => {
    const [key = '', ...option] = (quoted ?? bare).split('=');
    return option.length === 0 ? key : `"${key}": "${option.join('=')}"`;
  });
  return `commit_plan {plan: "${id}"${answers.length === 0 ? '' : `, answers: {${answers.join(', ')}}`}}`;
}

function listOf(select: string): string {
  const ids = select.split(',').map((id) => (id.startsWith('<') ? id : `"${id}"`));
  return `[${ids.join(', ')}]`;
}
