/**
 * The questions of a plan as messages of an editor, each with its choices: those of one kind and one reason are one question, and every
 * place of it is listed before it can be answered (mutation.md §6.2). Without an answer nothing is changed.
 */

import { redactString } from '../../kernel/secrets/redact-string.ts';
import type { Outcome, PlanView } from '../../mutate/answer.ts';
import type { Loc } from '../../mutate/vocabulary.ts';
import { itemWords } from '../changes/outcome-words.ts';
import {
  type AskedTogether,
  answersOf,
  askTogether,
  listShownPlaces,
  shownDefinition,
} from '../changes/shown-places.ts';
import { plural, quotedPath, shown } from '../operations/answer-words.ts';

export type AskUser = (message: string, choices: readonly string[]) => Promise<string | undefined>;

export type Asking = {
  readonly askUser: AskUser;
  readonly textOf: (path: string) => string | undefined;
  /** The plan with its questions from this number on. */
  readonly show: (planId: string, from: number) => Promise<Outcome | undefined>;
};

export type Answers = Readonly<Record<string, string>>;

const listedAtOnce = 10;
const goOn = 'show more';

/** Undefined where the user gave up. */
export async function askInEditor(asking: Asking, outcome: Outcome, plan: PlanView): Promise<Answers | undefined> {
  const places = await listShownPlaces(asking.textOf, outcome, (from) => asking.show(plan.id, from));
  const chosen = new Map<number, string>();
  const together = askTogether(places);
  for (const [index, group] of together.entries()) {
    const head = together.length === 1 ? '' : `question ${index + 1} of ${together.length} · `;
    const option = await askGroup(asking, group, head);
    if (option === undefined || option === 'stop') return undefined;
    for (const { number } of group.places) chosen.set(number, option);
  }
  const definition = shownDefinition(asking.textOf, plan);
  if (definition === undefined) return answersOf(places, chosen);
  const message = `no compiler proves this plan; its definition reads ${lineAt(asking, definition.at)}`;
  if ((await asking.askUser(message, ['rename it', 'stop'])) !== 'rename it') return undefined;
  return { [definition.key]: definition.quote, ...answersOf(places, chosen) };
}

async function askGroup(asking: Asking, group: AskedTogether, head: string): Promise<string | undefined> {
  const { kind, places, options } = group;
  const what = `${head}${places.length === 1 ? '' : `${plural(places.length, 'place')}: `}${itemWords[kind]} (${kind})`;
  // Flags of the command line mean nothing here.
  const means = options.map(({ id, means: says }) => `${id}: ${shown(says.replace(/ \(`--[^)]*\)/, ''), 200)}`);
  for (let from = 0; ; from += listedAtOnce) {
    const page = places.slice(from, from + listedAtOnce);
    const listed = page.map(({ at, detail, remembered }) => {
      const before = remembered === undefined ? '' : ` (answered before: ${shown(remembered)})`;
      return `${lineAt(asking, at)}${detail === '' ? '' : ` · ${shown(detail)}`}${before}`;
    });
    const left = places.length - from - page.length;
    const more = left > 0 ? [`and ${left} more`] : means;
    // A yes is to what was shown.
    const choices = left > 0 ? [goOn, 'stop'] : [...new Set([...options.map(({ id }) => id), 'stop'])];
    const answer = await asking.askUser([what, ...listed, ...more].join('\n'), choices);
    if (answer !== goOn || left <= 0) return choices.includes(answer ?? '') ? answer : undefined;
  }
}

function lineAt({ textOf }: Asking, { file, line, col }: Loc): string {
  const text = textOf(file)?.split('\n')[line - 1]?.trim() ?? '';
  return `${quotedPath(file)}:${line}:${col}  ${shown(redactString(text, { entropy: false }).text, 160)}`;
}
