/**
 * An answer about a change for the person who asked: what will change, what proves it, what is asked, and the one next step. Every
 * command that is printed can be pasted.
 */

import type { Answer, ApplyResult, Outcome, PlanView, WitnessFact } from '../../../mutate/answer.ts';
import type { OutcomeKind } from '../../../mutate/vocabulary.ts';
import { plural, shown } from '../../operations/shared/words.ts';
import type { Look } from '../mutation.ts';
import {
  blockedWords,
  censusWords,
  provenanceWords,
  refusedWords,
  riskWords,
  statusWords,
  tierWords,
  unsupportedWords,
} from './outcome-words.ts';
import { renderEdit, renderEdits, renderPlace } from './render-edits.ts';
import { listQuestions, renderQuestions } from './render-questions.ts';

type Of<K extends OutcomeKind> = Extract<Outcome, { kind: K }>;
type Renderers = { readonly [K in OutcomeKind]: (outcome: Of<K>, next: string, look: Look) => readonly string[] };

const shownPlaces = 10;

export function renderChange({ outcome, next }: Answer, look: Look): string {
  const render = renderers[outcome.kind] as (outcome: Outcome, next: string, look: Look) => readonly string[];
  return render(outcome, next, look).join('\n');
}

const renderers: Renderers = {
  ok: ({ state, plan, result }, next, look) => {
    if (state !== 'planned') return renderDone(state, plan, result);
    return [
      ...renderHead(plan, mainGroupOf(plan)),
      '',
      ...renderMain(plan, mainGroupOf(plan), look),
      ...renderGround(plan),
      ...renderNotes(plan.notes),
      '',
      ...nextOfPlan(plan, next),
    ];
  },

  ok_syntactic: ({ state, plan, result, review, binding }, next, look) => {
    if (state !== 'planned') return renderDone(state, plan, result);
    const main = mainGroupOf(plan, review);
    const reviewed = review.slice(0, shownPlaces);
    return [
      ...renderHead(plan, main),
      '',
      ...renderMain(plan, main, look),
      `binding: ${{ proven: provenanceWords.proven, scope_proven: 'every name in scope keeps its declaration', not_proven: 'not proven; what you select is yours to answer for' }[binding]}`,
      ...(review.length === 0 ? [] : ['', `${plural(review.length, 'edit')} to select, one by one`]),
      ...reviewed.flatMap(({ edit, group, tier, risk, reasons, checklist }) => [
        `  ${group}  ${shown(edit.file)}:${edit.line}:${edit.col}  ${risk} risk: ${tierWords[tier].split(';')[0]}${reasons.length === 0 ? '' : `; ${reasons.map((reason) => riskWords[reason]).join(', ')}`}`,
        ...renderEdit(edit, look).map((line) => `    ${line}`),
        ...checklist.map((check) => `    check: ${shown(check)}`),
      ]),
      ...(review.length > reviewed.length ? [`  and ${review.length - reviewed.length} more: see --json`] : []),
      ...renderNotes(plan.notes),
      '',
      ...(plan.status === 'open' ? commitForced(plan, main, review.length > 0) : [nextLine(next)]),
    ];
  },

  blocked: ({ reason, detail, files, jobs, refresh, current, can_force_syntactic, witness }, next) => [
    `blocked (${reason}): ${blockedWords[reason]}`,
    ...detailOf(detail),
    ...cut(files, ({ path, state, why }) => `  ${shown(path)}: ${shown(state)}${why === '' ? '' : ` (${shown(why)})`}`),
    ...cut(
      jobs,
      (job) => `  job ${shown(job.context)}: ${shown(job.status)}${job.detail === '' ? '' : ` · ${shown(job.detail)}`}`,
    ),
    ...cut(refresh, ({ context, scope }) => `  to refresh: ${shown(context)} (${shown(scope)})`),
    ...cut(current ?? [], ({ path, line, text }) => `  now ${shown(path)}:${line} | ${shown(text, 120)}`),
    ...cut(witness.invariants_failed, (failed) => `  ${shown(failed)}`),
    nextLine(next),
    ...canForce(can_force_syntactic, next),
  ],

  needs_decision: (outcome, next, look) => {
    const { plan, remembered } = outcome;
    if (plan === null) return [...listQuestions(outcome, look), nextLine(next)];
    return [
      ...renderHead(plan, mainGroupOf(plan)),
      '',
      ...renderMain(plan, mainGroupOf(plan), look),
      ...renderGround(plan),
      ...renderNotes(plan.notes),
      ...(remembered === undefined
        ? []
        : [
            `remembered: on ${shown(remembered.when)} the answer was ${remembered.chosen.map((id) => shown(id)).join(', ')} (plan ${shown(remembered.plan_id)})`,
          ]),
      '',
      ...renderQuestions(outcome, plan, look),
    ];
  },

  refused: ({ reason, detail, evidence, alternatives }, next, look) => [
    `refused (${reason}): ${refusedWords[reason]}`,
    ...detailOf(detail),
    ...renderEvidence(evidence, look),
    ...cut(alternatives, (alternative) => `  instead: ${shown(alternative)}`),
    nextLine(next),
  ],

  unsupported: ({ reason, detail, install, can_force_syntactic }, next) => [
    `unsupported (${reason}): ${unsupportedWords[reason]}`,
    ...detailOf(detail),
    ...(install === undefined ? [] : [`install: ${shown(install)}`]),
    nextLine(next),
    ...canForce(can_force_syntactic, next),
  ],
};

/** Of a forced plan, what is not to be selected one by one. */
export function mainGroupOf(
  plan: PlanView,
  review: readonly { readonly group: string }[] = [],
): PlanView['groups'][number] | undefined {
  return plan.groups.find(({ id, item }) => item === undefined && review.every(({ group }) => group !== id));
}

type Main = PlanView['groups'][number] | undefined;

function renderHead(plan: PlanView, main: Main): readonly string[] {
  const { name, kind, defined_at: at } = plan.symbol;
  const edits = main === undefined ? 0 : main.edits.length + main.more;
  const files = main === undefined ? 0 : filesOf(plan, main);
  const what =
    plan.kind === 'move_file'
      ? `move ${shown(name)} → ${shown(plan.new_name)}`
      : `${plan.kind.replaceAll('_', ' ')} ${shown(kind)} ${shown(name, 120)} → ${shown(plan.new_name, 120)}`;
  const status = plan.status === 'open' ? '' : ` · ${plan.status}: ${statusWords[plan.status]}`;
  return [
    plan.kind === 'move_file' ? what : `${what}  ${shown(at.file)}:${at.line}:${at.col}`,
    `plan ${plan.id} · ${plural(edits, 'edit')} in ${plural(files, 'file')} · ${plan.provenance}${status}`,
  ];
}

function renderMain(plan: PlanView, main: Main, look: Look): readonly string[] {
  // One that moves alone is what the head says.
  const moved = plan.files.filter(({ path, moved_to: to }) => to !== undefined && path !== plan.symbol.name);
  return [
    ...cut(moved, ({ path, moved_to: to }) => `${shown(path)} → ${shown(to ?? '')}`),
    ...(main === undefined
      ? []
      : renderEdits(main.edits, look, { more: main.more, files: filesOf(plan, main), ...countsOf(plan, main) })),
  ];
}

/** Of a plan whose groups are all shown, how many files the main one edits; else all that are edited. */
function filesOf(plan: PlanView, main: PlanView['groups'][number]): number {
  if (main.more === 0) return new Set(main.edits.map(({ file }) => file)).size;
  return plan.files.filter((file) => file.edits > 0).length;
}

/** Of a plan whose edits are not all shown, how many each file has. */
function countsOf(
  plan: PlanView,
  main: PlanView['groups'][number],
): { readonly editsIn?: ReadonlyMap<string, number> } {
  return main.more === 0 ? {} : { editsIn: new Map(plan.files.map(({ path, edits }) => [path, edits])) };
}

/** What makes it safe, and what was left alone: that was counted before questions were answered, and an answer may have changed it. */
function renderGround(plan: PlanView, isAnswered = false): readonly string[] {
  const { planned: _, ...others } = plan.census;
  const left = Object.entries(others)
    // What nobody binds is asked about below.
    .filter(([kind, count]) => count > 0 && kind !== 'unaccounted' && !isAnswered)
    .map(([kind, count]) => `${count} ${censusWords[kind as keyof typeof censusWords].split(':')[0]}`);
  // What was counted says more than what is always true.
  const counted = plan.notes.find(isProofNote);
  return [
    counted === undefined ? `proof: ${provenanceWords[plan.provenance]}` : shown(counted),
    ...(left.length === 0 ? [] : [`left alone: ${left.join(', ')}`]),
  ];
}

function mayHaveChosen({ groups }: PlanView): boolean {
  return groups.some(({ item }) => item !== undefined);
}

function isProofNote(note: string): boolean {
  return note.startsWith('proven:');
}

function renderNotes(notes: readonly string[]): readonly string[] {
  return cut(
    notes.filter((note) => !isProofNote(note)),
    (note) => `note: ${shown(note)}`,
  );
}

function renderDone(state: 'applied' | 'undone', plan: PlanView, result: ApplyResult | undefined): readonly string[] {
  const files = result?.files ?? [];
  const { name } = plan.symbol;
  const [from, to] = state === 'undone' ? [plan.new_name, name] : [name, plan.new_name];
  const edits = new Map(plan.files.filter((file) => file.edits > 0).map((file) => [file.path, file.edits]));
  return [
    `${state === 'undone' ? 'undone' : plan.kind === 'move_file' ? 'moved' : 'renamed'} ${shown(from, 200)} → ${shown(to, 200)} · ${plural(files.length, 'file')} written`,
    ...cut(
      files,
      ({ path, hash }) =>
        `  ${hash === null ? 'removed ' : ''}${shown(path)}${edits.has(path) ? `  ${plural(edits.get(path) ?? 0, 'edit')}` : ''}`,
      20,
    ),
    ...cut(
      result?.late_writes ?? [],
      ({ path, kept }) =>
        `late write: ${shown(path)} was saved while it was replaced; what was saved is in ${shown(kept)}`,
    ),
    ...(state === 'applied' ? [...renderGround(plan, mayHaveChosen(plan)), ...renderNotes(plan.notes)] : []),
    ...renderNotes(result?.notes ?? []),
    ...(state === 'applied' && result?.undo != null ? [`to take it back: ${shown(result.undo)}`] : []),
  ];
}

function renderEvidence(evidence: readonly WitnessFact[], look: Look): readonly string[] {
  const picked = evidence.slice(0, shownPlaces);
  return [
    ...picked.flatMap(({ at, text }) => [
      `  ${shown(at.file)}:${at.line}:${at.col}  ${shown(text, 200)}`,
      ...renderPlace(at, 1, look)
        .slice(0, 1)
        .map((line) => `    ${line}`),
    ]),
    ...(evidence.length > picked.length ? [`  and ${evidence.length - picked.length} more: see --json`] : []),
  ];
}

function commitForced(plan: PlanView, main: Main, isReviewed: boolean): readonly string[] {
  const select = [...(main === undefined ? [] : [main.id]), ...(isReviewed ? ['<group>,…'] : [])].join(',');
  if (!isReviewed) return ['nothing is written yet; to write it:', `  codegenie plan commit ${plan.id}`];
  return [
    'nothing is written yet; to write it, fill in what you read at the edits you select:',
    `  codegenie plan show ${plan.id} --proof-template > proof.json`,
    `  codegenie plan commit ${plan.id} --select ${select} --proof proof.json`,
  ];
}

function nextOfPlan(plan: PlanView, next: string): readonly string[] {
  if (plan.status !== 'open') return [nextLine(next)];
  if (plan.provenance === 'proven')
    return ['nothing is written yet; to write it:', `  codegenie plan commit ${plan.id}`];
  return [
    `nothing is written yet; to write it, say what you read at the places it names (identity: ${shown(plan.symbol.key)}):`,
    `  codegenie plan show ${plan.id} --proof-template > proof.json`,
    `  codegenie plan commit ${plan.id} --proof proof.json`,
  ];
}

/** Unless the sentence before it says so. */
function canForce(can: boolean, next: string): readonly string[] {
  return can && !next.includes('force_syntactic') ? ['or by scope and spelling alone: --mode force_syntactic'] : [];
}

function nextLine(next: string): string {
  return `next: ${shown(next)}`;
}

function detailOf(detail: string): readonly string[] {
  return detail === '' ? [] : [`  ${shown(detail, 1_000)}`];
}

function cut<T>(items: readonly T[], line: (item: T) => string, limit = shownPlaces): readonly string[] {
  const rest = items.length - limit;
  return [...items.slice(0, limit).map(line), ...(rest > 0 ? [`  and ${rest} more: see --json`] : [])];
}
