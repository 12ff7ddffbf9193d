/**
 * The questions of a plan as a person is asked them (mutation.md §6.2): those of one kind and one reason are one question with its places. The
 * line at each place is read once, when it is shown, and goes with the answer where a line has to be quoted: what is sent as read is what its
 * reader saw, and a file that was written in between refuses the commit (M43).
 */

import { readText } from '../../index/view/code-view.ts';
import type { Outcome, PlanView } from '../../mutate/answer.ts';
import type { ItemKind, Loc } from '../../mutate/vocabulary.ts';

/** What a plan was made of: the disk, or what an editor shows. */
type TextOf = (path: string) => string | undefined;

export function textsOnDisk(root: string): TextOf {
  return (path) => readText(root, path)?.text;
}

export type ShownPlace = {
  /** Of its question in the plan. */
  readonly number: number;
  readonly kind: ItemKind;
  readonly at: Loc;
  /** Of what stands there. */
  readonly length: number;
  readonly detail: string;
  readonly options: readonly { readonly id: string; readonly means: string }[];
  /** What was answered here before. */
  readonly remembered: string | undefined;
  /** As it is to be quoted; undefined where nothing has to be. */
  readonly quote: string | undefined;
};

export type AskedTogether = {
  readonly kind: ItemKind;
  readonly options: ShownPlace['options'];
  readonly places: readonly ShownPlace[];
};

/** `show`: the plan with its questions from this number on. */
export async function listShownPlaces(
  textOf: TextOf,
  first: Outcome,
  show: (from: number) => Promise<Outcome | undefined>,
): Promise<readonly ShownPlace[]> {
  const lines = openLines(textOf);
  const places: ShownPlace[] = [];
  let outcome: Outcome | undefined = first;
  while (outcome?.kind === 'needs_decision' && outcome.plan !== null) {
    const { plan, remembered = [] }: Extract<Outcome, { kind: 'needs_decision' }> = outcome;
    for (const { id, number, kind, at, text, detail, options } of plan?.items ?? [])
      places.push({
        ...{ number, kind, at, length: Math.max(1, text.length), detail, options },
        remembered: remembered.find(({ item }) => item === id)?.option,
        quote: plan?.to_quote.some(({ key }) => key === String(number)) === true ? lines.quote(at) : undefined,
      });
    if (plan === null || plan.items.length === 0 || places.length >= plan.questions) break;
    outcome = await show(places.length + 1);
  }
  return places;
}

/** In the order of their first places. */
export function askTogether(places: readonly ShownPlace[]): readonly AskedTogether[] {
  const groups = Map.groupBy(places, ({ kind, detail, options }) =>
    [kind, reasonOf(detail), ...options.map(({ id }) => id)].join('\0'),
  );
  return [...groups.values()].flatMap((ones) => {
    const [first] = ones;
    return first === undefined ? [] : [{ kind: first.kind, options: first.options, places: ones }];
  });
}

/** What is the same of places that differ in the names they have. */
function reasonOf(detail: string): string {
  return detail.replace(/`[^`]*`/g, '``').replace(/\d+/g, '0');
}

/** `chosen`: by number, the option. */
export function answersOf(
  places: readonly ShownPlace[],
  chosen: ReadonlyMap<number, string>,
): Readonly<Record<string, string>> {
  const quotes = new Map(places.map(({ number, quote }) => [number, quote]));
  return Object.fromEntries(
    [...chosen].map(([number, option]) => {
      const quote = quotes.get(number);
      return [String(number), quote === undefined ? option : `${option}: ${quote}`];
    }),
  );
}

/** Of a plan that is not proven, the place that vouches for what was read, and its line. */
export function shownDefinition(
  textOf: TextOf,
  plan: PlanView,
): { readonly at: Loc; readonly key: string; readonly quote: string } | undefined {
  const [at] = plan.to_quote.filter(({ key }) => !/^\d+$/.test(key));
  return at === undefined ? undefined : { at, key: at.key, quote: openLines(textOf).quote(at) };
}

const longest = 1_000;
const aroundLong = 200;

/** With whatever they hold: they are compared and not printed. */
function openLines(textOf: TextOf) {
  const known = new Map<string, readonly string[]>();
  return {
    quote({ file, line, col }: Loc): string {
      const lines = known.get(file) ?? textOf(file)?.split('\n') ?? [];
      known.set(file, lines);
      const text = lines[line - 1] ?? '';
      return text.length <= longest ? text : text.slice(Math.max(0, col - 1 - aroundLong), col - 1 + aroundLong);
    },
  };
}
