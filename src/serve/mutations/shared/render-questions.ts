/** What a plan asks: each question with its place, its line of code and its options, and the command that answers all of them. */

import type { Outcome, PlanView } from '../../../mutate/answer.ts';
import { candidateId } from '../../../mutate/plans/ids.ts';
import { plural, shown } from '../../operations/shared/words.ts';
import type { Look } from '../mutation.ts';
import { itemWords } from './outcome-words.ts';
import { renderPlace } from './render-edits.ts';

type Asked = Extract<Outcome, { kind: 'needs_decision' }>;

const shownQuestions = 20;

export function renderQuestions(asked: Asked, plan: PlanView, look: Look): readonly string[] {
  const { items } = plan;
  const picked = items.slice(0, shownQuestions);
  const main = plan.groups.find(({ item }) => item === undefined);
  const byKind = Map.groupBy(items, ({ kind }) => kind);
  const many = [...byKind].filter(([, ones]) => ones.length > 2);
  const isWhole = picked.length === plan.questions;
  return [
    isWhole
      ? plural(plan.questions, 'question')
      : `${plural(plan.questions, 'question')}, ${picked.length} of them here; others: codegenie plan show ${plan.id} --from <n>`,
    ...picked.flatMap((item, index) => [
      '',
      `${plan.questions_from + index}. ${shown(item.at.file)}:${item.at.line}:${item.at.col}  ${itemWords[item.kind]} (${item.kind})`,
      ...renderPlace(item.at, Math.max(1, item.text.length), look).map((line) => `   ${line}`),
      ...(item.detail === '' ? [] : [`   ${shown(item.detail)}`]),
      ...alignOptions(optionsOf(asked, item)),
    ]),
    '',
    `to answer: choose one option of each, and say what you read at the places the plan names (identity: ${shown(plan.symbol.key)})`,
    `  codegenie plan show ${plan.id} --proof-template > proof.json`,
    `  codegenie plan commit ${plan.id} --select ${[...(main === undefined ? [] : [main.id]), ...choices(plan, picked.length)].join(',')} --proof proof.json`,
    ...many.map(
      ([kind, ones]) =>
        `  (${kind}=${ones[0]?.options.map(({ id }) => id).join(`, ${kind}=`)} in --select answers all of that kind at once)`,
    ),
  ];
}

function choices({ questions }: PlanView, shownHere: number): readonly string[] {
  if (questions > 5) return ['<an option of each>'];
  return Array.from({ length: shownHere }, (_, index) => `<option of ${index + 1}>`);
}

/** A name of several things: which is meant? */
export function listQuestions({ candidate_sets: sets }: Asked, look: Look): readonly string[] {
  return sets.flatMap(({ name, rule, members, truncated }) => [
    `${shown(name)}: ${shown(rule)}`,
    ...members.flatMap(({ means, evidence }) => [
      `  ${shown(means)}`,
      ...evidence.slice(0, 1).flatMap(({ at }) =>
        renderPlace(at, 1, look)
          .slice(0, 1)
          .map((line) => `    ${line}`),
      ),
    ]),
    ...(truncated ? ['  and more'] : []),
  ]);
}

type Option = { readonly id: string; readonly means: string; readonly risk: string | undefined };

/** By the ids that a commit takes: candidates where there are any. */
function optionsOf(asked: Asked, item: PlanView['items'][number]): readonly Option[] {
  const set = asked.candidate_sets.find((candidates) => candidates.item === item.id);
  if (set === undefined)
    return item.options.map(({ id, means }) => ({ id: candidateId(item.id, id), means, risk: undefined }));
  return set.members.map(({ id, means, risk }) => ({ id, means, risk: risk === 'low' ? undefined : `${risk} risk` }));
}

function alignOptions(options: readonly Option[]): readonly string[] {
  const width = Math.max(0, ...options.map(({ id }) => id.length));
  return options.map(
    ({ id, means, risk }) => `   ${shown(id).padEnd(width)}  ${shown(means)}${risk === undefined ? '' : ` (${risk})`}`,
  );
}
