/**
 * A plan on a terminal (mutation.md §6.2): what would be written, then its questions, each answered with one key, then whether to write it. What
 * is sent is what was shown. Until the last key nothing is written, and to stop, or Ctrl-C, leaves the plan as it was, for another day.
 */

import { singleLine } from '../kernel/base/text.ts';
import type { Outcome, PlanView } from '../mutate/answer.ts';
import type { AnyAnswer, Change, SourceLines } from '../serve/changes/change.ts';
import { itemWords } from '../serve/changes/outcome-words.ts';
import { planCommit, planShow } from '../serve/changes/plan-requests.ts';
import { renderPlanned } from '../serve/changes/render-change.ts';
import {
  type AskedTogether,
  answersOf,
  askTogether,
  listShownPlaces,
  type ShownPlace,
  shownDefinition,
  textsOnDisk,
} from '../serve/changes/shown-places.ts';
import { plural, quotedPath, shown } from '../serve/operations/answer-words.ts';
import type { ChangeOutcome, Workspace } from '../serve/workspace/workspace.ts';
import { endChange, requestChange, say } from './ask.ts';
import type { Invocation, Keyboard } from './command.ts';
import type { Ending } from './exit-codes.ts';
import { ctrlC } from './keyboard.ts';

/** Where a person sits at it and there is something to decide; else the answer as it is. */
export async function endOrAsk<I, O extends AnyAnswer>(
  invocation: Invocation,
  workspace: Workspace,
  change: Change<I, O>,
  outcome: ChangeOutcome<O>,
): Promise<Ending> {
  const { globals, terminal } = invocation;
  const plan = outcome.kind === 'answered' ? openPlanOf(outcome.answer.outcome as Outcome) : undefined;
  if (
    plan === undefined ||
    outcome.kind !== 'answered' ||
    terminal.keyboard === undefined ||
    globals.json ||
    globals.quiet
  )
    return endChange(invocation, change, outcome);
  const { look } = outcome;
  const asked = outcome.answer.outcome as Outcome;
  say(invocation, renderPlanned(plan, look));
  const texts = textsOnDisk(workspace.root);
  const places = await listShownPlaces(texts, asked, async (from) => {
    const page = await requestChange(invocation, workspace, planShow, { plan_id: plan.id, from });
    return page.kind === 'answered' ? page.answer.outcome : undefined;
  });
  const definition = shownDefinition(texts, plan);
  const asking: Asking = { say: (text) => say(invocation, text), look, keyboard: await terminal.keyboard() };
  let decided: Decided;
  try {
    decided = await decide(asking, places, definition);
  } finally {
    asking.keyboard.close();
  }
  if (decided.kind === 'stopped') {
    say(invocation, `\nnothing was written; the plan stays: codegenie plan commit ${plan.id}`);
    if (decided.isInterrupt) return 'interrupted';
    return asked.kind === 'needs_decision' || invocation.flags['apply'] === true ? 'needs_decision' : 'ok';
  }
  const input = { plan_id: plan.id, plan_hash: plan.hash, answers: decided.answers };
  return endChange(invocation, planCommit, await requestChange(invocation, workspace, planCommit, input));
}

/** A plan that keys can commit. Edits that only a selection writes are left to the command line. */
function openPlanOf(outcome: Outcome): PlanView | undefined {
  if (outcome.kind === 'needs_decision') return outcome.plan ?? undefined;
  if (outcome.kind === 'ok_syntactic')
    return outcome.state === 'planned' && outcome.review.length === 0 ? outcome.plan : undefined;
  return outcome.kind === 'ok' && outcome.state === 'planned' && outcome.plan.status === 'open'
    ? outcome.plan
    : undefined;
}

type Asking = { readonly say: (text: string) => void; readonly look: SourceLines; readonly keyboard: Keyboard };

type Stopped = { readonly kind: 'stopped'; readonly isInterrupt: boolean };
type Decided = Stopped | { readonly kind: 'decided'; readonly answers: Readonly<Record<string, string>> };

async function decide(
  asking: Asking,
  places: readonly ShownPlace[],
  definition: ReturnType<typeof shownDefinition>,
): Promise<Decided> {
  const chosen = new Map<number, string>();
  const together = askTogether(places);
  for (const [index, group] of together.entries()) {
    asking.say(`\nquestion ${index + 1} of ${together.length} · ${headOf(group)}`);
    const answered = await askGroup(asking, group);
    if (answered.kind === 'stopped') return answered;
    for (const [number, option] of answered.options) chosen.set(number, option);
  }
  if (definition !== undefined)
    asking.say(
      `\nno compiler proves this plan; read its definition:\n${codeAt(definition.at, 1, 3, asking.look).join('\n')}`,
    );
  asking.say('\nwrite it?  [y] yes  [n] not now');
  const key = await nextKey(asking.keyboard, ['y', 'n', 's', 'q']);
  if (key !== 'y') return stopped(key);
  const quoted = definition === undefined ? {} : { [definition.key]: definition.quote };
  return { kind: 'decided', answers: { ...quoted, ...answersOf(places, chosen) } };
}

function headOf({ kind, places }: AskedTogether): string {
  const count = places.length === 1 ? '' : `${plural(places.length, 'place')}: `;
  return `${count}${itemWords[kind]} (${kind})`;
}

/** Places that are listed before a key is awaited, and with each key for more. */
const listedAtOnce = 10;

type Answered = { readonly kind: 'answered'; readonly options: ReadonlyMap<number, string> };

async function askGroup(asking: Asking, group: AskedTogether): Promise<Answered | Stopped> {
  const { places, options } = group;
  const keys = keysOf(options);
  let listed = list(asking, places, 0);
  let isWide = false;
  for (;;) {
    const all = places.length === 1 ? '' : ` all ${places.length}`;
    const said = [
      ...[...keys].map(([key, { id, means }]) => `[${key}] ${id}${all}: ${shown(means, 200)}`),
      ...(places.length === 1 ? [] : ['[p] place by place']),
      ...(listed < places.length || !isWide ? ['[m] show more'] : []),
      '[s] stop',
    ];
    asking.say(said.join('\n'));
    const key = await nextKey(asking.keyboard, [...keys.keys(), ...(places.length === 1 ? [] : ['p']), 'm', 's', 'q']);
    const option = key === undefined ? undefined : keys.get(key);
    if (option !== undefined && listed === places.length)
      return { kind: 'answered', options: new Map(places.map(({ number }) => [number, option.id])) };
    if (option !== undefined) {
      // A yes is to what was shown.
      listed = list(asking, places, listed, places.length);
      asking.say('these are the others');
    } else if (key === 'p') return askEach(asking, group);
    else if (key === 'm') {
      if (listed < places.length) listed = list(asking, places, listed);
      else for (const place of places) asking.say(wide(asking, place));
      isWide = listed === places.length;
    } else return stopped(key);
  }
}

async function askEach(asking: Asking, { places, options }: AskedTogether): Promise<Answered | Stopped> {
  const keys = keysOf(options);
  const chosen = new Map<number, string>();
  for (const [index, place] of places.entries()) {
    asking.say(`\nplace ${index + 1} of ${places.length}\n${wide(asking, place)}`);
    asking.say([...[...keys].map(([key, { id }]) => `[${key}] ${id}`), '[s] stop'].join('  '));
    const key = await nextKey(asking.keyboard, [...keys.keys(), 's', 'q']);
    const option = key === undefined ? undefined : keys.get(key);
    if (option === undefined) return stopped(key);
    chosen.set(place.number, option.id);
  }
  return { kind: 'answered', options: chosen };
}

/** `y` where there is one way to go on; else the first letter of each. To give up is the same key everywhere, and keeps the plan. */
function keysOf(options: AskedTogether['options']): ReadonlyMap<string, AskedTogether['options'][number]> {
  const goingOn = options.filter(({ id }) => id !== 'stop');
  const [only] = goingOn;
  if (only !== undefined && goingOn.length === 1) return new Map([['y', only]]);
  return new Map(goingOn.map((option, index) => [option.id[0] ?? String(index), option]));
}

function list(asking: Asking, places: readonly ShownPlace[], from: number, to = from + listedAtOnce): number {
  const picked = places.slice(from, to);
  const details = new Set(places.map(({ detail }) => detail));
  // What is said of all of them is said once.
  const own = (detail: string) => (details.size === 1 || detail === '' ? [] : [`      ${shown(detail)}`]);
  for (const { at, detail, remembered } of picked) {
    const code = shown(singleLine(asking.look.line(at.file, at.line)?.trim() ?? ''), 160);
    const before = remembered === undefined ? '' : `  (answered before: ${shown(remembered)})`;
    asking.say([`  ${quotedPath(at.file)}:${at.line}:${at.col}  ${code}${before}`, ...own(detail)].join('\n'));
  }
  const left = places.length - from - picked.length;
  if (left > 0) asking.say(`  and ${left} more`);
  const [detail = ''] = details;
  if (details.size === 1 && detail !== '' && from === 0) asking.say(`  ${shown(detail)}`);
  return from + picked.length;
}

function wide({ look }: Asking, { at, length, detail }: ShownPlace): string {
  return [
    `  ${quotedPath(at.file)}:${at.line}:${at.col}${detail === '' ? '' : `  ${shown(detail)}`}`,
    ...codeAt(at, length, 3, look),
  ].join('\n');
}

/** A place with lines around it. */
function codeAt(at: ShownPlace['at'], length: number, around: number, look: SourceLines): readonly string[] {
  const width = String(at.line + around).length;
  return Array.from({ length: 2 * around + 1 }, (_, index) => at.line - around + index).flatMap((line) => {
    const text = line < 1 ? undefined : look.line(at.file, line);
    if (text === undefined) return [];
    const number = String(line).padStart(width);
    const code = `    ${number} | ${shown(text, 160)}`;
    const isMarked = line === at.line && at.col + length <= 160;
    return isMarked ? [code, `    ${' '.repeat(width)} | ${' '.repeat(at.col - 1)}${'^'.repeat(length)}`] : [code];
  });
}

/** Another key than these is no answer. */
async function nextKey(keyboard: Keyboard, known: readonly string[]): Promise<string | undefined> {
  keyboard.forget();
  for (;;) {
    const key = (await keyboard.next())?.toLowerCase();
    if (key === undefined || key === ctrlC || key === '\x04' || known.includes(key)) return key;
  }
}

function stopped(key: string | undefined): Stopped {
  return { kind: 'stopped', isInterrupt: key === ctrlC };
}
