/**
 * Answers and the one sentence that says what to do now (mutation.md §1): for every outcome and every reason there is one, with the exact
 * command where there is one to run; and a plan as an answer shows it.
 */

import type { Question } from '../../index/navigate/question.ts';
import type { NotAnswered } from '../../index/view/not-answered.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import type {
  AnchorView,
  Answer,
  ApplyResult,
  CandidateSet,
  DecisionCapsule,
  EditView,
  FileStateView,
  GroupView,
  ItemView,
  Outcome,
  PlanView,
  Remembered,
  RiskyEdit,
  WitnessFact,
  WitnessPacket,
} from '../answer.ts';
import type { Clash, CodeSpan, Refusal } from '../compiler/session/messages.ts';
import { emptyWitness, listCandidateSets, makeWitness, witnessOfPlan } from '../questions/candidates.ts';
import { requiredProofOf } from '../questions/required-proof.ts';
import type { BlockedReason, Loc, RefusedReason, RiskReason, UnsupportedReason } from '../vocabulary.ts';
import type { Anchor, Edit, Group, Item, Plan } from './plan.ts';
import { findMainGroup } from './selection.ts';
import { howToQuote, lineKey, placesToQuote, unsaidLines } from './short-answers.ts';

const detailChars = 600;
const listed = 20;

type Blocked = Extract<Outcome, { kind: 'blocked' }>;
type Binding = Extract<Outcome, { kind: 'ok_syntactic' }>['binding'];

export function plannedAnswer(plan: Plan): Answer {
  return { outcome: { kind: 'ok', state: 'planned', plan: viewPlan(plan) }, next: howToCommit(plan) };
}

export function plannedSyntactic(plan: Plan): Answer {
  const forced = forcedView(plan);
  const outcome: Outcome = {
    kind: 'ok_syntactic',
    state: 'planned',
    plan: viewPlan(plan),
    ...forced,
    binding: bindingOf(plan),
  };
  const main = findMainGroup(plan);
  if (main === undefined) {
    const next = `Nothing is written yet: no edit is proven by scope alone. Check the edits of \`review\`, fill in \`codegenie plan show ${plan.id} --proof-template\`, and run \`codegenie plan commit ${plan.id} --select <groups> --proof <file>\`.`;
    return { outcome, next };
  }
  const doubtful =
    forced.review.length === 0
      ? ''
      : ` To write edits of \`review\` too, check them and run \`codegenie plan commit ${plan.id} --select ${main.id},<groups> --proof <file>\`.`;
  return { outcome, next: `${howToCommit(plan)}${doubtful}` };
}

/** Of the main group: the scope proof covers the lexical tier, and nothing covers what is selected beside it. */
function bindingOf(plan: Plan): 'scope_proven' | 'not_proven' {
  const main = findMainGroup(plan);
  return main !== undefined && main.edits.length > 0 ? 'scope_proven' : 'not_proven';
}

export function appliedAnswer(
  plan: Plan,
  result: ApplyResult,
  syntactic: { readonly binding: Binding; readonly written: ReadonlySet<string> } | null,
): Answer {
  const next =
    result.undo === null
      ? 'Reload the changed files where they are open.'
      : `Reload the changed files where they are open; \`${result.undo}\` takes the change back.`;
  if (syntactic === null) return { outcome: { kind: 'ok', state: 'applied', plan: viewPlan(plan), result }, next };
  const { binding, written } = syntactic;
  const outcome: Outcome = {
    kind: 'ok_syntactic',
    state: 'applied',
    plan: viewPlan(plan),
    result,
    ...forcedView(plan, written),
    binding,
  };
  return {
    outcome,
    next: binding === 'proven' ? next : `${next} Nothing but your selection vouches for it: build and test.`,
  };
}

export function undoneAnswer(plan: Plan, result: ApplyResult): Answer {
  const next = 'The files are as they were before the commit; plan again to do it anew.';
  return { outcome: { kind: 'ok', state: 'undone', plan: viewPlan(plan), result }, next };
}

export function decideAnswer(
  plan: Plan,
  about: {
    readonly capsules?: readonly DecisionCapsule[];
    readonly bounds?: WitnessPacket['bounds'];
    readonly remembered?: readonly Remembered[];
    /** Where `plan` has only some of its questions. */
    readonly whole?: Plan;
    /** What a commit found that the plan did not have. */
    readonly isNewOf?: { readonly plan: Plan } | undefined;
  } = {},
): Answer {
  const { whole = plan } = about;
  const { sets } = listCandidateSets(plan, whole);
  const outcome: Outcome = {
    kind: 'needs_decision',
    plan: viewPlan(plan, { ...fullView, edits: 5 }, whole),
    candidate_sets: sets,
    capsules: (about.capsules ?? []).slice(0, listed),
    witness: witnessOfPlan(plan, about.bounds, whole),
    required_proof: requiredProofOf(plan),
    ...((about.remembered ?? []).length === 0 ? {} : { remembered: about.remembered }),
  };
  const what = howToAnswer(whole);
  if (about.isNewOf === undefined) return { outcome, next: what };
  return { outcome, next: `The code has changed since plan ${about.isNewOf.plan.id}: this is a new plan. ${what}` };
}

/** A name with several definitions: there is no plan yet. */
function chooseTargetAnswer(set: CandidateSet): Answer {
  return {
    outcome: {
      kind: 'needs_decision',
      plan: null,
      candidate_sets: [set],
      capsules: [],
      witness: { ...emptyWitness, bounds: { ...emptyWitness.bounds, truncated: set.truncated } },
      required_proof: { identity: false, anchors: [], lines: [] },
    },
    next: 'Ask again with the file:line:col of the definition you mean.',
  };
}

export function blockedAnswer(
  reason: BlockedReason,
  detail: string,
  about: Partial<Omit<Blocked, 'kind' | 'reason' | 'detail'>> & { readonly more?: string } = {},
): Answer {
  const { more, ...given } = about;
  const outcome: Blocked = {
    kind: 'blocked',
    reason,
    detail: tidy(detail),
    files: [],
    jobs: [],
    retry_after_ms: null,
    suggested_refresh_scope: [],
    witness: makeWitness({
      bounds: {
        ...emptyWitness.bounds,
        files_not_scanned: (given.files ?? []).map(({ path, state, why }) => ({ path, why: `${state}: ${why}` })),
        truncated: reason === 'truncated',
      },
      invariantsFailed: [invariantOf[reason]],
    }),
    can_force_syntactic: false,
    ...given,
  };
  return { outcome, next: more ?? afterBlocked[reason](outcome) };
}

/** What had to hold, with its number in the specification. */
export const invariantOf: Readonly<Record<BlockedReason, string>> = {
  not_fresh: 'M8 every file in reach that holds the name in code is indexed as it is on disk',
  refresh_failed: 'M18 whatever binds names has answered for all of them',
  proof_running: 'M15 every name keeps its binding',
  files_changed: 'M28 no byte of an edited or affected file has changed since it was planned',
  recovery_conflict: 'E2 an interrupted change is finished or taken back',
  tree_busy: 'E2 one change is applied to a tree at a time',
  truncated: 'M21 everything in reach was looked at',
};

export function refusedAnswer(
  reason: RefusedReason,
  detail: string,
  about: { readonly evidence?: readonly WitnessFact[]; readonly alternatives?: readonly string[] } = {},
): Answer {
  const evidence = (about.evidence ?? []).slice(0, listed);
  const alternatives = about.alternatives ?? [];
  const outcome: Outcome = { kind: 'refused', reason, detail: tidy(detail), evidence, alternatives };
  return { outcome, next: afterRefused[reason] };
}

/** For what these files are like; the evidence names each of them. */
export function refusedFiles(refusal: {
  readonly reason: RefusedReason;
  readonly detail: string;
  readonly paths: readonly string[];
}): Answer {
  const { reason, detail, paths } = refusal;
  const where = paths.length === 0 ? '' : `: ${paths.slice(0, 5).join(', ')}`;
  const evidence = paths.map((file): WitnessFact => {
    return { type: 'diagnostic', at: { file, line: 1, col: 1 }, text: detail, provenance: 'text' };
  });
  return refusedAnswer(reason, `${detail}${where}`, { evidence });
}

export function unsupportedAnswer(
  reason: UnsupportedReason,
  detail: string,
  about: { readonly install?: string; readonly can_force_syntactic: boolean },
): Answer {
  const outcome: Outcome = { kind: 'unsupported', reason, detail: tidy(detail), ...about };
  const force = about.can_force_syntactic ? ', or plan with `--mode force_syntactic` and review each edit' : '';
  const missing = reason === 'missing_tool' ? 'Install what is missing, see detail' : 'Make the change by hand';
  const how = about.install === undefined ? missing : `Install it (\`${about.install}\`)`;
  return { outcome, next: `${how}${force}.` };
}

export function fileStates(paths: Iterable<string>, state: string, why: string): readonly FileStateView[] {
  return [...new Set(paths)]
    .sort(compareCodeUnits)
    .slice(0, listed)
    .map((path) => ({ path, state, why }));
}

/** A proven plan by its id; another one with the line of its definition, as its reader found it. */
function howToCommit(plan: Plan): string {
  const quotes = placesToQuote(plan).map((place) => ` '${howToQuote(place)}'`);
  return `Nothing is written yet: run \`codegenie plan commit ${plan.id}${quotes.join('')}\`.`;
}

const spelledOut = 5;

function howToAnswer(plan: Plan): string {
  const { items } = plan;
  const each = items.length === 1 ? 'the question' : `each of the ${items.length} questions`;
  const shown = items.slice(0, items.length > spelledOut ? 1 : spelledOut).map((_, at) => ` ${at + 1}=<option>`);
  const rest = items.length > spelledOut ? ' …' : '';
  const what = `Answer ${each} by its number, or all of a kind by \`<kind>=<option>\`: \`codegenie plan commit ${plan.id}${shown.join('')}${rest}\`.`;
  const places = placesToQuote(plan);
  if (places.length === 0) return what;
  const named = places.slice(0, spelledOut).map((place) => `\`${howToQuote(place)}\``);
  const more = places.length > named.length ? ` and ${places.length - named.length} more of these kinds` : '';
  return `${what} Read these lines, which are not printed here, and quote them: ${named.join(', ')}${more}.`;
}

const planAgain = 'Plan again.';

/** By reason, for the reference: what is known of a request is left out. */
export function nextAfter(kind: 'blocked' | 'refused', reason: string): string {
  return kind === 'refused' ? afterRefused[reason as RefusedReason] : blockedAnswer(reason as BlockedReason, '').next;
}

const afterBlocked: Readonly<Record<BlockedReason, (outcome: Blocked) => string>> = {
  not_fresh: ({ retry_after_ms }) =>
    retry_after_ms === null
      ? 'Run `codegenie index --semantic`, then ask again.'
      : `Ask again in ${Math.ceil(retry_after_ms / 1000)} s, or with a longer \`--wait\`.`,
  refresh_failed: ({ jobs }) =>
    jobs.length === 0
      ? 'See why with `codegenie status`, repair it, then ask again.'
      : 'Repair what the indexer says (`codegenie status` has all of it), run `codegenie index --semantic --again`, then ask again.',
  proof_running: ({ plan_id }) =>
    plan_id === undefined
      ? 'Ask again: the proof goes on.'
      : `Ask again with \`codegenie plan show ${plan_id}\`: the proof goes on.`,
  files_changed: () => 'Files are not what they were when the plan was made: plan again.',
  recovery_conflict: ({ plan_id }) =>
    plan_id === undefined
      ? 'Run `codegenie doctor` to see the files in conflict.'
      : `Decide first: \`codegenie plan undo ${plan_id}\` restores what it can, \`codegenie plan commit ${plan_id}\` finishes what it can; \`codegenie doctor\` shows the files.`,
  tree_busy: () => 'Another process changes this tree: ask again when it has ended.',
  truncated: () =>
    'The search was cut short by its limits: narrow the target, or ask again when the machine is less busy.',
};

const afterRefused: Readonly<Record<RefusedReason, string>> = {
  no_symbol: 'Point at an identifier (file:line:col), or look for it with `codegenie symbols`.',
  not_renamable: 'Point at a name that this code declares.',
  external_symbol: 'It is declared outside this repository: rename it there, or import it under another name.',
  external_family:
    'It overrides or implements something outside this repository: keep the name, or change the relation first.',
  vendored: 'Vendored code is not edited: change it at its source.',
  divergence: 'Two projects see different symbols here: make their configurations agree, then plan again.',
  invalid_name: 'Choose a name that is an identifier of the language.',
  reserved_name: 'Choose a name that the language does not reserve.',
  same_name: 'It has this name already: there is nothing to do.',
  collision: 'Choose a name that is free at the places shown, or rename the other one first.',
  capture: 'Choose a name that no scope between the declaration and its uses has.',
  export_clash: 'Choose a name that the module does not export, or rename the other export first.',
  case_clash: 'Choose a name that differs in more than case.',
  file_name_coupled: 'The language ties the file’s name to the symbol: rename both by hand.',
  bindings_change:
    'Some name would mean something else afterwards, see evidence: choose another name or another selection.',
  new_diagnostics: 'The code would not compile as before, see evidence: choose another name or another selection.',
  parse_breaks: 'The edited code would not parse as before: choose another name or another selection.',
  overlap: 'Two selected groups edit the same place: select one of them.',
  read_only: 'Make the file and its directory writable, then ask again.',
  hard_linked: 'The file has another name in this repository: part the two first.',
  odd_lines: 'Bring the file’s line ends into order first.',
  encoding: 'Convert the file to UTF-8 first.',
  conflicted: 'Resolve the merge conflict first.',
  plan_not_found: 'List the plans with `codegenie plan list`, or plan again.',
  plan_expired: planAgain,
  plan_used: 'A plan commits once: plan again for another change, or see `codegenie plan show`.',
  plan_cancelled: planAgain,
  plan_mismatch: 'Send the hash that the plan was shown with, and a request id for each operation of its own.',
  wrong_worktree: 'Run the command in the worktree that the plan was made in, with its root hash.',
  selection_invalid: 'Answer every question with exactly one of its options.',
  proof_incomplete: 'Read the places listed as missing and send what stands there.',
  proof_mismatch: 'Read the places again and send exactly the text found there.',
  undo_conflict:
    'The listed files have changed since the commit: take the change back by hand, or with your version control.',
  no_space: 'Make room on the volume, then ask again: nothing is lost.',
  unsafe_volume: 'This volume cannot replace files safely: make the change elsewhere.',
  lock_in_the_way: 'Look at what is there and move it away, then ask again; it is not removed by itself.',
};

function tidy(detail: string): string {
  return truncate(singleLine(detail), detailChars);
}

// Answers made of what navigation and the compiler say: nothing there, several things, a refusal with its places, names that clash.

const shownCandidates = 20;
const namedCandidates = 3;

/** As one of the things that a step can come to. */
export function asAnswer(answer: Answer): { readonly kind: 'answer'; readonly answer: Answer } {
  return { kind: 'answer', answer };
}

/** What was asked about is not there, or is several things (§2.1). */
export function notFound({ outcome, message, candidates }: NotAnswered): Answer {
  if (outcome !== 'ambiguous') {
    // Alternatives are shown apart, and not everywhere: the sentence names the first of them itself.
    const near = candidates.slice(0, namedCandidates).join(', ');
    const said = message.replace(/; near it are$/, near === '' ? '' : `; near it are ${near}`);
    return refusedAnswer('no_symbol', said, { alternatives: candidates });
  }
  return chooseTargetAnswer({
    name: 'target',
    rule: message.replace(/^target: /, ''),
    item: 'target',
    members: candidates
      .slice(0, shownCandidates)
      .map((means) => ({ id: means.split(' ')[0] ?? means, means, evidence: [], risk: 'low', reasons: [] })),
    truncated: candidates.length > shownCandidates,
  });
}

export function refusedBy({ reason, detail, evidence }: Refusal, question: Question): Answer {
  return refusedAnswer(reason, shortenPaths(detail), {
    // What lies outside has no place that could be shown; the detail names it.
    evidence: evidence
      .filter(({ path }) => !path.startsWith('/'))
      .map(({ says, ...span }) => ({
        type: 'definition',
        at: placeOf(question, span),
        text: shortenPaths(says),
        provenance: 'resolved',
      })),
  });
}

/** The most specific comes first and gives the reason; all of them are evidence. */
export function refusedByClashes(clashes: readonly Clash[], question: Question): Answer | undefined {
  const [first] = clashes;
  if (first === undefined) return undefined;
  const evidence = clashes.flatMap((clash): WitnessFact[] => [
    { type: 'token', at: placeOf(question, clash), text: shortenPaths(clash.detail), provenance: 'resolved' },
    ...(clash.other === null || clash.other.path.startsWith('/')
      ? []
      : [
          {
            type: 'definition' as const,
            at: placeOf(question, clash.other),
            text: lineOf(question, clash.other),
            provenance: 'resolved' as const,
          },
        ]),
  ]);
  return refusedAnswer(first.reason, shortenPaths(first.detail), { evidence });
}

/** Hides where this program is installed: paths begin at the package's name, or are the name of the library file. */
function shortenPaths(text: string): string {
  return text
    .replace(/\/[^\s`'"]*\/node_modules\/@typescript\/[^/\s]+\/lib\/(lib\.[\w.]+)/g, '$1')
    .replace(/\/[^\s`'"]*\/node_modules\//g, 'node_modules/');
}

export function placeOf(question: Question, { path, start }: Pick<CodeSpan, 'path' | 'start'>): Loc {
  const text = path.startsWith('/') ? '' : (question.source(path)?.text ?? '');
  const before = text.slice(0, start);
  return { file: path, line: before.split('\n').length, col: before.length - before.lastIndexOf('\n') };
}

export function lineOf(question: Question, { path, start }: Pick<CodeSpan, 'path' | 'start'>): string {
  const text = path.startsWith('/') ? '' : (question.source(path)?.text ?? '');
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const end = text.indexOf('\n', start);
  return text
    .slice(from, end < 0 ? undefined : end)
    .trim()
    .slice(0, 200);
}

// A plan as it is shown: everything that names it, and as many of its edits and questions as fit (M21). What is left out is counted; all of
// it is in the plan.

const shownEdits = 20;
const shownItems = 20;
const shownFiles = 50;
const shownGroups = 40;
const itemChars = 400;

type ViewBounds = {
  readonly edits: number;
  readonly items: number;
  readonly files: number;
  readonly groups: number;
};

const fullView: ViewBounds = { edits: shownEdits, items: shownItems, files: shownFiles, groups: shownGroups };

/** `whole`: the plan, where `plan` has only some of its questions. */
export function viewPlan(plan: Plan, bounds: ViewBounds = fullView, whole: Plan = plan): PlanView {
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
  const toQuote = plan.status === 'open' ? placesToQuote(whole) : [];
  const unsaid = unsaidLines(whole);
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
    groups: groups.map((group) => viewGroup(group, bounds.edits, unsaid)),
    items: items.map((item, index) => viewItem(item, index + 1)),
    questions: plan.items.length,
    questions_from: 1,
    to_quote: toQuote.flatMap(({ item, ...place }) => (item === null || shown.has(item) ? [place] : [])),
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

/** `unsaid`: lines that a commit has to quote, which are not printed. */
function viewGroup(group: Group, edits: number, unsaid: ReadonlySet<string>): GroupView {
  return {
    id: group.id,
    title: group.title,
    provenance: group.provenance,
    ...(group.itemId === null ? {} : { item: group.itemId }),
    ...(group.option === null ? {} : { option: group.option }),
    edits: group.edits
      .slice(0, edits)
      .map(viewEdit)
      .map((edit) =>
        unsaid.has(lineKey(edit))
          ? { ...edit, anchor: { ...edit.anchor, before: '', after: '', line_hash: '' } }
          : edit,
      ),
    more: Math.max(0, group.edits.length - edits),
  };
}

function viewItem(item: Item, number: number): ItemView {
  return {
    id: item.id,
    number,
    kind: item.kind,
    at: { file: item.path, line: item.line, col: item.col },
    text: truncate(singleLine(item.text), itemChars),
    detail: truncate(singleLine(item.detail), itemChars),
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
function forcedView(plan: Plan, written: ReadonlySet<string> = new Set()): ForcedView {
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
