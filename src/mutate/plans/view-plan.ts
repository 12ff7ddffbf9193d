/**
 * A plan as it is shown: everything that names it, and as many of its edits and questions as fit (M21). What is left out is counted;
 * all of it is in the plan.
 */

import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { AnchorView, EditView, GroupView, ItemView, Outcome, PlanView, RiskyEdit } from '../answer.ts';
import type { RiskReason } from '../vocabulary.ts';
import type { Anchor, Edit, Group, Item, Plan } from './plan.ts';

const shownEdits = 20;
const shownItems = 20;
const shownFiles = 50;
const shownGroups = 40;
const detailChars = 400;

type ViewBounds = {
  readonly edits: number;
  readonly items: number;
  readonly files: number;
  readonly groups: number;
};

export const fullView: ViewBounds = { edits: shownEdits, items: shownItems, files: shownFiles, groups: shownGroups };

export function viewPlan(plan: Plan, bounds: ViewBounds = fullView): PlanView {
  const moved = new Map(plan.moves.map(({ from, to }) => [from, to]));
  const editCounts = countEdits(plan);
  const { edited, isMain } = listEdited(plan, moved);
  const items = plan.items.slice(0, bounds.items);
  const shown = new Set(items.map(({ id }) => id));
  // A group whose question is not shown is not either: neither could be answered from here.
  const groups = plan.groups.filter(({ itemId }) => itemId === null || shown.has(itemId)).slice(0, bounds.groups);
  const notes = [...plan.notes];
  if (items.length < plan.items.length) notes.push(`${plan.items.length - items.length} more questions are not shown`);
  const hiddenGroups = plan.groups.length - groups.length;
  if (hiddenGroups > 0) notes.push(`${hiddenGroups} more groups are not shown`);
  const hidden = edited.slice(bounds.files);
  if (hidden.length > 0) {
    const whose = hidden.some(isMain) ? '' : ', which only answers to questions would edit,';
    notes.push(`${hidden.length} more files${whose} are not shown`);
  }
  return {
    id: plan.id,
    hash: plan.hash,
    kind: plan.operation.kind,
    status: plan.status,
    provenance: plan.provenance,
    expires_at: new Date(plan.expiresMs).toISOString(),
    symbol: { key: plan.symbol.key, name: plan.symbol.name, kind: plan.symbol.kind, defined_at: plan.symbol.definedAt },
    new_name: plan.newName,
    groups: groups.map((group) => viewGroup(group, bounds.edits)),
    items: items.map(viewItem),
    questions: plan.items.length,
    questions_from: 1,
    files: edited.slice(0, bounds.files).map(({ path, hash }) => {
      const to = moved.get(path);
      const file = { path, hash, edits: editCounts.get(path) ?? 0 };
      return to === undefined ? file : { ...file, moved_to: to };
    }),
    census: plan.census,
    notes,
  };
}

/** What is changed whatever is answered comes first. */
function listEdited(plan: Plan, moved: ReadonlyMap<string, string>) {
  const main = new Set(
    plan.groups.flatMap(({ itemId, edits }) => (itemId === null ? edits.map(({ path }) => path) : [])),
  );
  const isMain = ({ path }: { readonly path: string }) => main.has(path) || moved.has(path);
  const all = plan.files.filter(({ path, role }) => role === 'edited' || moved.has(path));
  return { edited: [...all.filter(isMain), ...all.filter((file) => !isMain(file))], isMain };
}

function viewEdit(edit: Edit): EditView {
  const { path: file, line, col, oldText, newText, form, anchor } = edit;
  return { file, line, col, before: oldText, after: newText, form, anchor: viewAnchor(anchor) };
}

function viewAnchor({ before, text, after, lineHash, ordinal }: Anchor): AnchorView {
  return { before, text, after, line_hash: lineHash, ordinal };
}

function viewGroup(group: Group, edits: number): GroupView {
  return {
    id: group.id,
    title: group.title,
    provenance: group.provenance,
    ...(group.itemId === null ? {} : { item: group.itemId }),
    ...(group.option === null ? {} : { option: group.option }),
    edits: group.edits.slice(0, edits).map(viewEdit),
    more: Math.max(0, group.edits.length - edits),
  };
}

function viewItem(item: Item): ItemView {
  return {
    id: item.id,
    kind: item.kind,
    at: { file: item.path, line: item.line, col: item.col },
    text: truncate(singleLine(item.text), detailChars),
    detail: truncate(singleLine(item.detail), detailChars),
    options: item.options.map(({ id, means, groupId }) => ({
      id,
      means,
      ...(groupId === null ? {} : { group: groupId }),
    })),
  };
}

/** Of the edits that some selection makes, each once. */
function countEdits(plan: Plan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (const { path, startByte } of plan.groups.flatMap(({ edits }) => edits)) {
    const place = `${path}\0${startByte}`;
    if (seen.has(place)) continue;
    seen.add(place);
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

// The edits of a forced plan that nothing but a reader can vouch for (mutation.md §10), each with what to look at.

const lookAt: Readonly<Record<RiskReason, string>> = {
  shadowing: 'an inner declaration of the same name may be the one meant',
  multiple_definitions: 'several definitions have this name: which is meant here?',
  dynamic_import: 'the module is loaded by a computed name',
  metaprogramming: 'code here makes or reaches names at run time',
  member_without_type: 'the receiver’s type is not known: can it be the owner?',
  string: 'a string: is it used as the name?',
  comment: 'a comment: does it speak of the symbol?',
  prose: 'data or prose: is it read as the name, or does it speak of the symbol?',
  other_language: 'code of another language: does it reach the symbol under this name?',
  generated: 'a generated file: is it written anew?',
  parse_error: 'the code around it does not parse',
  star_import: 'the name may come from a star import',
  stale_facts: 'what is known of the file is older than the file',
  exported: 'the name can be used from elsewhere',
};

type ForcedView = Pick<
  Extract<Outcome, { kind: 'ok_syntactic' }>,
  'review' | 'auto_applied' | 'pending_review' | 'review_checklist'
>;

/** Of a forced plan: what is left to a reader, and, where groups were written, what scope vouched for. */
export function forcedView(plan: Plan, written: ReadonlySet<string> = new Set()): ForcedView {
  const risky = new Set(plan.risks.flatMap(({ groupId, tier }) => (tier === 'lexical' ? [] : [groupId])));
  const byScope = plan.groups.filter(({ id, itemId }) => written.has(id) && itemId === null && !risky.has(id));
  const pending = reviewOf(plan).filter(({ group }) => !written.has(group));
  const checks = Map.groupBy(
    pending.flatMap(({ group, checklist }) => checklist.map((check) => ({ check, group }))),
    ({ check }) => check,
  );
  const review = written.size === 0 ? pending : reviewOf(plan, written);
  return {
    review: review.slice(0, listed),
    auto_applied: byScope
      .flatMap(({ edits }) => edits.map(({ path: file, line, col }) => ({ file, line, col })))
      .slice(0, listed),
    pending_review: [...new Set(pending.map(({ group }) => group))].slice(0, listed),
    review_checklist: [...checks].map(([check, of]) => ({
      check,
      groups: of.map(({ group }) => group).slice(0, listed),
    })),
  };
}

const listed = 20;

/** `selected`: only of these groups. */
function reviewOf(plan: Plan, selected?: ReadonlySet<string>): readonly RiskyEdit[] {
  const groups = new Map(plan.groups.map((group) => [group.id, group]));
  return plan.risks.flatMap(({ groupId, tier, risk, reasons, importChain = [] }) => {
    if (tier === 'lexical' || (selected !== undefined && !selected.has(groupId))) return [];
    const checklist = reasons.map((reason) => lookAt[reason]);
    const edits = groups.get(groupId)?.edits ?? [];
    const judged = { group: groupId, tier, risk, reasons, checklist, import_chain: importChain };
    return edits.map((edit) => ({ edit: viewEdit(edit), ...judged }));
  });
}
