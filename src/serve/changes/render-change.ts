/**
 * An answer about a change for the person who asked: what will change, what proves it, what is asked, and the one next step. Every
 * command that is printed can be pasted.
 */

import type {
  Answer,
  ApplyResult,
  EditView,
  Outcome,
  PlanView,
  Remembered,
  ReviewCheck,
  WitnessFact,
} from '../../mutate/answer.ts';
import type { OutcomeKind } from '../../mutate/vocabulary.ts';
import { plural, quotedPath, shown } from '../operations/answer-words.ts';
import type { SourceLines } from './change.ts';
import {
  blockedWords,
  censusWords,
  itemWords,
  provenanceWords,
  refusedWords,
  riskWords,
  statusWords,
  tierWords,
  unsupportedWords,
} from './outcome-words.ts';

type Of<K extends OutcomeKind> = Extract<Outcome, { kind: K }>;
type Renderers = {
  readonly [K in OutcomeKind]: (outcome: Of<K>, next: string, look: SourceLines) => readonly string[];
};

const shownPlaces = 10;

export function renderChange({ outcome, next }: Answer, look: SourceLines): string {
  const render = renderers[outcome.kind] as (outcome: Outcome, next: string, look: SourceLines) => readonly string[];
  return render(outcome, next, look).join('\n');
}

const renderers: Renderers = {
  ok: ({ state, plan, result }, next, look) => {
    if (state !== 'planned') return renderDone(state, plan, result);
    return [...renderPlan(plan, look), '', ...nextOfPlan(plan, next)];
  },

  ok_syntactic: ({ state, plan, result, review, pending_review, review_checklist, binding }, next, look) => {
    if (state !== 'planned')
      return [...renderDone(state, plan, result), ...renderPending(pending_review, review_checklist)];
    const main = mainGroupOf(plan, review);
    const reviewed = review.slice(0, shownPlaces);
    return [
      ...renderHead(plan, main),
      '',
      ...renderMain(plan, main, look),
      `binding: ${{ proven: provenanceWords.proven, scope_proven: 'every name in scope keeps its declaration', not_proven: 'not proven; what you select is yours to answer for' }[binding]}`,
      ...(review.length === 0 ? [] : ['', `${plural(review.length, 'edit')} to select, one by one`]),
      ...reviewed.flatMap(({ edit, group, tier, risk, reasons, checklist, import_chain: chain }) => [
        `  ${group}  ${quotedPath(edit.file)}:${edit.line}:${edit.col}  ${risk} risk: ${tierWords[tier].split(';')[0]}${reasons.length === 0 ? '' : `; ${reasons.map((reason) => riskWords[reason]).join(', ')}`}`,
        ...renderEdit(edit, look).map((line) => `    ${line}`),
        ...chain.map(
          (step) => `    via ${quotedPath(step.file)}:${step.line}:${step.col}  '${shown(step.specifier, 120)}'`,
        ),
        ...checklist.map((check) => `    check: ${shown(check)}`),
      ]),
      ...(review.length > reviewed.length ? [`  and ${review.length - reviewed.length} more: see --json`] : []),
      ...renderNotes(plan.notes),
      '',
      ...(plan.status === 'open' ? commitForced(plan, main, review.length > 0) : [nextLine(next)]),
    ];
  },

  blocked: (
    { reason, detail, files, jobs, suggested_refresh_scope: scopes, current, can_force_syntactic, witness },
    next,
  ) => [
    `blocked (${reason}): ${blockedWords[reason]}`,
    ...detailOf(detail),
    ...cut(
      files,
      ({ path, state, why }) => `  ${quotedPath(path)}: ${shown(state)}${why === '' ? '' : ` (${shown(why)})`}`,
    ),
    ...cut(
      jobs,
      (job) => `  job ${shown(job.context)}: ${shown(job.status)}${job.detail === '' ? '' : ` · ${shown(job.detail)}`}`,
    ),
    ...cut(scopes, ({ context, files: of }) => `  to refresh: ${shown(context)} (${plural(of.length, 'file')})`),
    ...cut(current ?? [], ({ path, line, text }) => `  now ${quotedPath(path)}:${line} | ${shown(text, 120)}`),
    ...cut(witness.invariants_failed, (failed) => `  ${shown(failed)}`),
    nextLine(next),
    ...canForce(can_force_syntactic, next),
  ],

  needs_decision: (outcome, next, look) => {
    const { plan } = outcome;
    if (plan === null) return [...listQuestions(outcome, look), nextLine(next)];
    return [...renderPlan(plan, look), '', ...renderQuestions(outcome, plan, look)];
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
function mainGroupOf(
  plan: PlanView,
  review: readonly { readonly group: string }[] = [],
): PlanView['groups'][number] | undefined {
  return plan.groups.find(({ id, item }) => item === undefined && review.every(({ group }) => group !== id));
}

/** What is going to be written, without the way to write it: for a person who is asked next. */
export function renderPlanned(plan: PlanView, look: SourceLines): string {
  return renderPlan(plan, look).join('\n');
}

type Main = PlanView['groups'][number] | undefined;

function renderPlan(plan: PlanView, look: SourceLines): readonly string[] {
  const main = mainGroupOf(plan);
  return [
    ...renderHead(plan, main),
    '',
    ...renderMain(plan, main, look),
    ...renderGround(plan),
    ...renderNotes(plan.notes),
  ];
}

function renderHead(plan: PlanView, main: Main): readonly string[] {
  const { name, kind, defined_at: at } = plan.symbol;
  const edits = main === undefined ? 0 : main.edits.length + main.more;
  const files = main === undefined ? 0 : filesOf(plan, main);
  const what =
    plan.kind === 'move_file'
      ? `move ${quotedPath(name)} → ${quotedPath(plan.new_name)}`
      : `${plan.kind.replaceAll('_', ' ')} ${shown(kind)} ${shown(name, 120)} → ${shown(plan.new_name, 120)}`;
  const status = plan.status === 'open' ? '' : ` · ${plan.status}: ${statusWords[plan.status]}`;
  return [
    plan.kind === 'move_file' ? what : `${what}  ${quotedPath(at.file)}:${at.line}:${at.col}`,
    `plan ${plan.id} · ${plural(edits, 'edit')} in ${plural(files, 'file')} · ${groundWord(plan)}${status}`,
  ];
}

/** `proven` is said of both halves of the claim; with a question, or with trust, one of them is. */
function groundWord({ provenance, questions, notes }: PlanView): string {
  const isHalf = questions > 0 || notes.some((note) => note.startsWith('trusted:'));
  return provenance === 'proven' && isHalf ? 'bindings proven' : provenance;
}

function renderMain(plan: PlanView, main: Main, look: SourceLines): readonly string[] {
  // One that moves alone is what the head says.
  const moved = plan.files.filter(({ path, moved_to: to }) => to !== undefined && path !== plan.symbol.name);
  return [
    ...cut(moved, ({ path, moved_to: to }) => `${quotedPath(path)} → ${quotedPath(to ?? '')}`),
    ...(main === undefined
      ? []
      : renderEdits(main.edits, look, {
          names: [plan.symbol.name, plan.new_name],
          more: main.more,
          files: filesOf(plan, main),
          ...countsOf(plan, main),
        })),
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
function renderGround(plan: PlanView, isDone = false): readonly string[] {
  const { planned: _, ...others } = plan.census;
  const left = Object.entries(others)
    // What is unresolved is asked about below.
    .filter(([kind, count]) => count > 0 && kind !== 'unaccounted' && !(isDone && mayHaveChosen(plan)))
    .map(([kind, count]) => `${count} ${censusWords[kind as keyof typeof censusWords].split(':')[0]}`);
  // What was counted says more than what is always true.
  const counted = plan.notes.find(isProofNote);
  return [
    counted === undefined ? `proof: ${provenanceWords[plan.provenance]}` : shown(counted),
    ...(counted === undefined ? [] : [dataWords(plan, isDone)]),
    ...(left.length === 0 ? [] : [`left alone: ${left.join(', ')}`]),
  ];
}

/** The other half of the claim: the compiler knows what names stand for, and not where they are read as text. */
function dataWords({ questions, notes }: PlanView, isAnswered: boolean): string {
  const reasons = [...new Set(notes.flatMap((note) => /^trusted: (\w+)/.exec(note)?.[1] ?? []))];
  const trusted = reasons.length === 0 ? '' : `trusted: ${reasons.join(', ')}, by your configuration (rename.trust)`;
  if (trusted !== '')
    return questions === 0 || isAnswered
      ? `data: ${trusted}`
      : `data: ${trusted}; ${plural(questions, 'question')} below`;
  if (questions === 0) return 'data: no place was found where the name is a value, a key, a path or a convention';
  return isAnswered ? 'data: as you answered' : `data: ${plural(questions, 'question')} below`;
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

/** What a forced change left alone, and what each of it wants to be looked at for. */
function renderPending(groups: readonly string[], checks: readonly ReviewCheck[]): readonly string[] {
  if (groups.length === 0) return [];
  return [
    `${plural(groups.length, 'edit')} not written, for a reader to judge:`,
    ...checks.map(({ check, groups: of }) => `  ${shown(check)} (${plural(of.length, 'place')})`),
  ];
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
        `  ${hash === null ? 'removed ' : ''}${quotedPath(path)}${edits.has(path) ? `  ${plural(edits.get(path) ?? 0, 'edit')}` : ''}`,
      20,
    ),
    ...cut(
      result?.late_writes ?? [],
      ({ path, kept }) =>
        `late write: ${quotedPath(path)} was saved while it was replaced; what was saved is in ${quotedPath(kept)}`,
    ),
    ...(state === 'applied' ? [...renderGround(plan, true), ...renderNotes(plan.notes)] : []),
    ...renderNotes(result?.notes ?? []),
    ...(state === 'applied' && result?.undo != null ? [`to take it back: ${shown(result.undo)}`] : []),
  ];
}

function renderEvidence(evidence: readonly WitnessFact[], look: SourceLines): readonly string[] {
  const picked = evidence.slice(0, shownPlaces);
  return [
    ...picked.flatMap(({ at, text }) => [
      `  ${quotedPath(at.file)}:${at.line}:${at.col}  ${shown(text, 200)}`,
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
    'nothing is written yet; to write it, say what you read at its definition:',
    `  codegenie plan commit ${[plan.id, ...plan.to_quote.map(definitionWord)].join(' ')}`,
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

type Asked = Extract<Outcome, { kind: 'needs_decision' }>;

const shownQuestions = 20;

/**
 * What a plan asks: each question with its place, its line of code and its options, and the command that answers all of them.
 */
function renderQuestions(asked: Asked, plan: PlanView, look: SourceLines): readonly string[] {
  const { items } = plan;
  const picked = items.slice(0, shownQuestions);
  const isWhole = picked.length === plan.questions;
  return [
    isWhole
      ? plural(plan.questions, 'question')
      : `${plural(plan.questions, 'question')}, ${picked.length} of them here; others: codegenie plan show ${plan.id} --from <n>`,
    ...picked.flatMap((item) => [
      '',
      `${item.number}. ${quotedPath(item.at.file)}:${item.at.line}:${item.at.col}  ${itemWords[item.kind]} (${item.kind})`,
      ...renderPlace(item.at, Math.max(1, item.text.length), look).map((line) => `   ${line}`),
      ...(item.detail === '' ? [] : [`   ${shown(item.detail)}`]),
      ...alignOptions(optionsOf(asked, item)),
      ...(asked.remembered ?? []).filter((one) => one.item === item.id).map(rememberedLine),
    ]),
    '',
    `to answer: an option of each by its number, or \`<kind>=<option>\` for all of a kind (--accept <kind>: go on with all of it)`,
    `  codegenie plan commit ${plan.id} ${choices(asked, plan, picked).join(' ')}`,
  ];
}

function choices({ remembered = [] }: Asked, plan: PlanView, items: PlanView['items']): readonly string[] {
  const definition = plan.to_quote.filter(({ key }) => key === 'definition').map(definitionWord);
  const options = (item: PlanView['items'][number]) => `<${item.options.map(({ id }) => id).join('|')}>`;
  if (plan.questions > 5) {
    const byKind = [...Map.groupBy(items, ({ kind }) => kind)];
    return [...definition, ...byKind.map(([kind, [first]]) => `${kind}=${first === undefined ? '' : options(first)}`)];
  }
  const each = items.map((item) => {
    const before = remembered.find((one) => one.item === item.id)?.option;
    return `${item.number}=${before ?? options(item)}`;
  });
  return [...definition, ...each];
}

function definitionWord({ file, line }: { readonly file: string; readonly line: number }): string {
  return `'definition=<the line at ${quotedPath(file)}:${line}>'`;
}

function rememberedLine({ option, symbol, when, plan_id: plan, same_files: isSame }: Remembered): string {
  const then = isSame ? 'no file of that plan has changed since' : 'files have changed since';
  return `   answered before: ${shown(option)}, on ${shown(when.slice(0, 10))} for ${shown(symbol)} (plan ${shown(plan)}; ${then})`;
}

/** A name of several things: which is meant? */
function listQuestions({ candidate_sets: sets }: Asked, look: SourceLines): readonly string[] {
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

/** By the names that a commit takes. */
function optionsOf(asked: Asked, item: PlanView['items'][number]): readonly Option[] {
  const members = asked.candidate_sets.find((candidates) => candidates.item === item.id)?.members ?? [];
  return item.options.map(({ id, means }, index) => {
    const risk = members[index]?.risk;
    return { id, means, risk: risk === undefined || risk === 'low' ? undefined : `${risk} risk` };
  });
}

function alignOptions(options: readonly Option[]): readonly string[] {
  const width = Math.max(0, ...options.map(({ id }) => id.length));
  return options.map(
    ({ id, means, risk }) => `   ${shown(id).padEnd(width)}  ${shown(means)}${risk === undefined ? '' : ` (${risk})`}`,
  );
}

/** Lines of code shown for one plan, and of one file of many. */
const shownLines = { all: 24, ofFile: 4 } as const;
const lineWidth = 110;
/** What is kept before the first edit of a line that is too long. */
const leadWidth = 40;

/**
 * `more`: edits of the plan that the answer does not carry, in files that may be among these; `files`: how many files there are;
 * `editsIn`: how many edits a file has, where the answer carries only some of them.
 */
function renderEdits(
  edits: readonly EditView[],
  look: SourceLines,
  plan: {
    readonly names: readonly [old: string, new: string];
    readonly more: number;
    readonly files: number;
    readonly editsIn?: ReadonlyMap<string, number>;
  },
): readonly string[] {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const perFile = byFile.size === 1 ? shownLines.all : shownLines.ofFile;
  const lines: string[] = look.isBrief === true && edits.length > 0 ? ['lines as they will be:'] : [];
  let changedLines = 0;
  let shownEdits = 0;
  let shownFiles = 0;
  for (const [file, ofFile] of byFile) {
    if (changedLines >= shownLines.all) break;
    const byLine = [...Map.groupBy(ofFile, ({ line }) => line)].sort(([a], [b]) => a - b);
    const picked = byLine.slice(0, Math.min(perFile, shownLines.all - changedLines));
    const width = String(picked.at(-1)?.[0] ?? 0).length;
    const count = plan.editsIn?.get(file) ?? ofFile.length;
    const isWhole = picked.length === byLine.length && count === ofFile.length;
    lines.push(`${quotedPath(file)}${look.isBrief === true && isWhole ? '' : `  ${plural(count, 'edit')}`}`);
    for (const [line, ones] of picked) {
      const [before, after] = lineBeforeAndAfter(ones, look);
      if (look.isBrief === true) lines.push(`${line} ${lineAfter(ones, look, plan.names)}`);
      else lines.push(`  ${String(line).padStart(width)} - ${before}`, `  ${''.padStart(width)} + ${after}`);
      shownEdits += ones.length;
    }
    changedLines += picked.length;
    shownFiles += 1;
  }
  const hidden = edits.length - shownEdits + plan.more;
  const hiddenFiles = Math.max(0, Math.max(plan.files, byFile.size) - shownFiles);
  const where = hiddenFiles === 0 ? '' : `, also in ${plural(hiddenFiles, 'file that is', 'files that are')} not shown`;
  return hidden === 0 ? lines : [...lines, `and ${plural(hidden, 'more edit')}${where}`];
}

/** One edit as one line: its place and what it does. */
function renderEdit(edit: EditView, look: SourceLines): readonly string[] {
  const [before, after] = lineBeforeAndAfter([edit], look);
  return [`- ${before}`, `+ ${after}`];
}

/** The code at a place with a mark under it. */
function renderPlace(
  { file, line, col }: { readonly file: string; readonly line: number; readonly col: number },
  length: number,
  look: SourceLines,
): readonly string[] {
  const text = look.line(file, line);
  if (text === undefined || text.trim() === '') return [];
  const { view, offset } = windowOf(text, col - 1);
  const number = String(line);
  const at = col - 1 - offset;
  const mark =
    look.isBrief === true || at < 0 || at > view.length
      ? ''
      : `${' '.repeat(at)}${'^'.repeat(Math.max(1, Math.min(length, view.length - at)))}`;
  return [`${number} | ${shown(view)}`, ...(mark === '' ? [] : [`${' '.repeat(number.length)} | ${mark}`])];
}

/** Edits as a reader wants them: the line before and after, file by file, not more than fit on a screen. */
function lineBeforeAndAfter(edits: readonly EditView[], look: SourceLines): readonly [before: string, after: string] {
  const sorted = [...edits].sort((a, b) => a.col - b.col);
  const [first] = sorted;
  if (first === undefined) return ['', ''];
  const text = look.line(first.file, first.line);
  const isAsPlanned = sorted.every(({ col, before }) => text?.startsWith(before, col - 1) === true);
  // A file that changed meanwhile, or has been written already: what the plan remembers of the place.
  if (text === undefined || !isAsPlanned) {
    const { before, text: token, after } = first.anchor;
    const around = (middle: string) => shown(`${before.trimStart()}${middle}${after}`);
    return [around(token), around(first.after)];
  }
  const { view, offset, isCutBefore, isCutAfter } = windowOf(text, first.col - 1);
  let after = '';
  let from = 0;
  for (const edit of sorted) {
    const at = edit.col - 1 - offset;
    if (at < from || at + edit.before.length > view.length) continue;
    after += view.slice(from, at) + edit.after;
    from = at + edit.before.length;
  }
  const marked = (line: string) => shown(`${isCutBefore ? '…' : ''}${line}${isCutAfter ? '…' : ''}`);
  return [marked(view), marked(after + view.slice(from))];
}

const briefWidth = 64;
const briefLead = 24;

/**
 * The line as it will be. What is more than the new name in the place of the old one, or stands beside a new name that was there before, is
 * marked as `«before→after»`: else nobody could tell what changes.
 */
function lineAfter(
  edits: readonly EditView[],
  look: SourceLines,
  [oldName, newName]: readonly [old: string, new: string],
): string {
  const sorted = [...edits].sort((a, b) => a.col - b.col);
  const [first] = sorted;
  if (first === undefined) return '';
  const text = look.line(first.file, first.line);
  const marked = ({ before, after }: EditView) => `«${before}→${after}»`;
  // A line that is withheld, or is not as it was planned: the edits alone.
  if (text === undefined || !sorted.every(({ col, before }) => text.startsWith(before, col - 1)))
    return shown(sorted.map(marked).join(' … '));
  const isPlain = (edit: EditView) => edit.before === oldName && edit.after === newName && !text.includes(newName);
  let line = '';
  let [at, from] = [0, 0];
  for (const edit of sorted) {
    line += text.slice(from, edit.col - 1);
    if (edit === first) at = line.length;
    line += isPlain(edit) ? edit.after : marked(edit);
    from = edit.col - 1 + edit.before.length;
  }
  line += text.slice(from);
  const { view, isCutBefore, isCutAfter } = windowOf(line, at, briefWidth, briefLead);
  return shown(`${isCutBefore ? '…' : ''}${view}${isCutAfter ? '…' : ''}`);
}

type Window = {
  readonly view: string;
  readonly offset: number;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
};

/** Without indentation; of a long line, the part around `at`. */
function windowOf(text: string, at: number, width: number = lineWidth, lead: number = leadWidth): Window {
  const indent = text.length - text.trimStart().length;
  const offset = text.length - indent <= width ? indent : Math.max(indent, at - lead);
  const isCutAfter = offset + width < text.length;
  return { view: text.slice(offset, offset + width).trimEnd(), offset, isCutBefore: offset > indent, isCutAfter };
}
