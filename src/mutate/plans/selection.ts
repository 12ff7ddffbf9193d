/**
 * What a list of selected ids means for a plan (mutation.md §6, step 2): the main group, and exactly one option of every item. An option
 * is named by its candidate id or, where it edits, by its group's id; `<kind>=<option>` answers all questions of a kind that are not
 * answered by themselves. Of a forced plan every edit outside the lexical tier is a
 * group of its own, to be selected or not (M33).
 */

import { quotedPath } from '../../kernel/base/text.ts';
import { candidateId } from './ids.ts';
import type { Edit, Group, Item, Plan, PlanDraft } from './plan.ts';

export type Selection = {
  readonly groups: readonly Group[];
  readonly groupIds: readonly string[];
  /** By item id, the option. */
  readonly options: Readonly<Record<string, string>>;
  readonly stops: boolean;
  /** What is wrong with it, for a person; empty if nothing is. */
  readonly problems: readonly string[];
};

export function readSelection(plan: Plan, selections: readonly string[]): Selection {
  const problems: string[] = [];
  const options = new Map<string, string>();
  const groupIds = new Set<string>();
  const meanings = optionsById(plan);
  const free = new Set(plan.groups.filter(({ itemId }) => itemId === null).map(({ id }) => id));
  const seen = new Set<string>();
  const wholesale: [kind: string, option: string][] = [];
  for (const id of selections) {
    const [kind = '', option] = id.split('=');
    if (option !== undefined) {
      wholesale.push([kind, option]);
      continue;
    }
    if (seen.has(id)) problems.push(`${id} is selected twice`);
    seen.add(id);
    const meaning = meanings.get(id);
    if (meaning !== undefined) {
      const chosen = options.get(meaning.item);
      if (chosen !== undefined && !problems.includes(`${id} is selected twice`))
        problems.push(`item ${meaning.item} has two selections: ${chosen} and ${meaning.option}`);
      options.set(meaning.item, meaning.option);
      if (meaning.group !== null) groupIds.add(meaning.group);
    } else if (free.has(id)) groupIds.add(id);
    else problems.push(`${id} is neither a group nor a candidate of this plan`);
  }
  for (const [kind, option] of wholesale) {
    const asked = plan.items.filter((item) => item.kind === kind);
    if (asked.length === 0) problems.push(`${kind}=${option}: the plan asks nothing of that kind`);
    for (const item of asked) {
      const { id, options: given } = item;
      const chosen = given.find((one) => one.id === option);
      if (chosen === undefined) problems.push(`${describeQuestion(plan, item)} has no option ${option}`);
      else if (!options.has(id)) {
        options.set(id, option);
        if (chosen.groupId !== null) groupIds.add(chosen.groupId);
      }
    }
  }
  const main = findMainGroup(plan);
  if (main !== undefined && !groupIds.has(main.id)) problems.push(`the main group ${main.id} is not selected`);
  for (const item of plan.items)
    if (!options.has(item.id)) problems.push(`${describeQuestion(plan, item)} has no option selected`);
  const stops = [...options.values()].includes('stop');
  if (groupIds.size === 0 && !stops) problems.push('nothing is selected');
  const groups = plan.groups.filter(({ id }) => groupIds.has(id));
  if (isForced(plan) && groups.length > 0 && groups.every(({ edits }) => edits.length === 0))
    problems.push('nothing that is selected edits anything');
  return { groups, groupIds: groups.map(({ id }) => id), options: Object.fromEntries(options), stops, problems };
}

/** By the number it is shown with. */
export function describeQuestion(plan: Pick<Plan, 'items'>, item: Item): string {
  return `question ${plan.items.indexOf(item) + 1} (${item.kind}, ${quotedPath(item.path)}:${item.line}:${item.col})`;
}

/** Of a forced plan the lexical tier; undefined where that is empty. */
export function findMainGroup(plan: Pick<Plan, 'groups' | 'risks'>): Group | undefined {
  const risky = riskyGroups(plan);
  return (
    plan.groups.find(({ id, itemId, edits }) => itemId === null && !risky.has(id) && edits.length > 0) ??
    // A plan that only moves files has a group without edits.
    plan.groups.find(({ id, itemId }) => itemId === null && !risky.has(id))
  );
}

/** Groups outside the lexical tier of a forced plan. */
export function riskyGroups(plan: Pick<Plan, 'risks'>): ReadonlySet<string> {
  return new Set(plan.risks.filter(({ tier }) => tier !== 'lexical').map(({ groupId }) => groupId));
}

export function isForced(plan: Pick<Plan, 'provenance' | 'operation'>): boolean {
  return plan.operation.input['mode'] === 'force_syntactic';
}

type MergedEdits =
  | { readonly kind: 'merged'; readonly edits: readonly Edit[] }
  | { readonly kind: 'overlap'; readonly first: Edit; readonly second: Edit };

/** By path and place; equal edits of two groups are one, others must not meet (E7). */
export function mergeEdits(groups: readonly Group[]): MergedEdits {
  const sorted = groups
    .flatMap(({ edits }) => edits)
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startByte - b.startByte || a.endByte - b.endByte));
  const edits: Edit[] = [];
  for (const edit of sorted) {
    const last = edits.at(-1);
    if (last === undefined || last.path !== edit.path || edit.startByte > last.endByte) {
      edits.push(edit);
      continue;
    }
    const isSame = edit.startByte === last.startByte && edit.endByte === last.endByte;
    if (isSame && edit.newText === last.newText) continue;
    // Two that only touch do not overlap, unless both insert at one place.
    if (edit.startByte === last.endByte && !isSame) edits.push(edit);
    else return { kind: 'overlap', first: last, second: edit };
  }
  return { kind: 'merged', edits };
}

function optionsById(
  plan: Plan,
): ReadonlyMap<string, { readonly item: string; readonly option: string; readonly group: string | null }> {
  return new Map(
    plan.items.flatMap((item) =>
      item.options.flatMap((option) => {
        const meaning = { item: item.id, option: option.id, group: option.groupId };
        const named = [[candidateId(item.id, option.id), meaning] as const];
        return option.groupId === null ? named : [...named, [option.groupId, meaning] as const];
      }),
    ),
  );
}

// Groups that are not selected take no part in the gate (mutation.md §6). Of a forced plan, whose doubtful edits may be in any number of
// files, those not selected may change as they like; a question takes part whichever way it was answered.

type Parts = Pick<PlanDraft, 'groups' | 'items' | 'files' | 'risks'>;

export function selectedPart<T extends Parts>(of: T, selected: ReadonlySet<string>): T {
  const risky = riskyGroups(of);
  const groups = of.groups.filter(({ id }) => !risky.has(id) || selected.has(id));
  if (groups.length === of.groups.length) return of;
  const kept = new Set([...groups.flatMap(({ edits }) => edits), ...of.items].map(({ path }) => path));
  const files = of.files.filter(({ path, role }) => role === 'affected' || kept.has(path));
  return { ...of, groups, files };
}
