/** One question or one change asked of the façade for a tool: the answer is cut to the budget, and says what to do next in calls. */

import type { Answer } from '../../mutate/answer.ts';
import { fitAnswer } from '../../mutate/plans/fit-answer.ts';
import { type AnyAnswer, type Change, outcomeKindOf, type SourceLines } from '../changes/change.ts';
import type { Changed } from '../changes/run-change.ts';
import type { Operation } from '../operations/operation.ts';
import { markOf, type Position, readToken, writeToken } from '../operations/page.ts';
import type { Answered } from '../operations/run-operation.ts';
import { answerBytes, cutPiece, type ListPath, shrinkTo, sizeOf } from './answer-pages.ts';
import { invalidAnswer, problemAnswer } from './problem-answers.ts';
import { indexingStep, type ToolAnswer, type ToolInput, type ToolWorld } from './tool.ts';
import { dropEmpty, sayForTools, slimOutcome } from './tool-wording.ts';

type ToolQuestion<O> = {
  /** Fields by the operation's own names, without `continue`. */
  readonly input: ToolInput;
  readonly token: unknown;
  /** The tool's fields by the operation's names, where they differ. */
  readonly names?: Readonly<Record<string, string>>;
  /** What may be cut, in the order it is shown. */
  readonly lists: readonly ListPath[];
  readonly next: (answer: Answered<O>) => string;
  /** The answer as it is shown, where not all of it is. */
  readonly show?: (fields: ToolInput) => ToolInput;
};

/** How long a call waits for an index that another process is building. */
const waitMs = 30_000;

const staleToken = 'continue: the token is of other arguments or an older index; call again without it';

export async function askForTool<I, O extends object>(
  operation: Operation<I, O>,
  question: ToolQuestion<O>,
  { workspace, onStep }: ToolWorld,
): Promise<ToolAnswer> {
  const { input, token } = question;
  const from = token === undefined ? undefined : readToken(String(token));
  if (token !== undefined && from === undefined) return invalidAnswer(staleToken);
  const { inner, offset = 0 }: Partial<Position> = from ?? {};
  const outcome = await workspace.ask(
    operation,
    { ...input, ...(inner === undefined ? {} : { continue: inner }) },
    { waitMs, verify: 'named', onProgress: (progress) => onStep(indexingStep(progress)) },
  );
  if (outcome.kind !== 'answered') return problemAnswer(outcome, question.names);
  const { answer } = outcome;
  const mark = (page: string | undefined) => markOf([operation.name, input, page ?? null], answer.repo.generation);
  if (from !== undefined && from.mark !== mark(inner)) return invalidAnswer(staleToken);

  const {
    truncated: wasCut = false,
    continue: following = null,
    ...whole
  } = answer as Readonly<Record<string, unknown>>;
  const fields = question.show?.(whole) ?? whole;
  const nextPage = typeof following === 'string' ? writeToken(mark(following), { inner: following, offset: 0 }) : null;
  const longest = Math.max(nextPage?.length ?? 0, writeToken(mark(inner), { inner, offset: 999_999_999 }).length);
  const next = `${question.next(answer)}${howFresh(answer.freshness)}`;
  const tail = { truncated: false, continue: ' '.repeat(longest), shortened: true, next: `${next}${goOn}` };
  const piece = cutPiece(fields, question.lists, offset, answerBytes - sizeOf(tail));
  const rest = piece.end === null ? nextPage : writeToken(mark(inner), { inner, offset: piece.end });
  const isPart = rest !== null || piece.shortened || wasCut === true;
  const shown = { ...(question.show === undefined ? piece.fields : whole), truncated: isPart, continue: null };
  return {
    outcome: 'ok',
    said: sayForTools((operation.brief ?? operation.render)(shown as unknown as O)),
    ...piece.fields,
    truncated: isPart,
    continue: rest,
    ...(piece.shortened ? { shortened: true } : {}),
    next: rest === null ? next : `${next}${goOn}`,
  };
}

const goOn = ' For the rest call again with the same arguments and `continue`.';

function howFresh({ state }: Answered<object>['freshness']): string {
  if (state === 'clean') return '';
  if (state === 'facts_behind')
    return ' Places with a `state` rest on compiler facts of older bytes: read them before you rely on them.';
  return state === 'dirty'
    ? ' Files named in `freshness` differ from the index: read them before you rely on what is said of them.'
    : ' Not every file could be compared with the disk: treat counts as lower bounds.';
}

/** How long a call waits for another writer to end. */
const changeWaitMs = 10_000;

export async function changeForTool<I, O extends AnyAnswer & Answer>(
  change: Change<I, O>,
  input: ToolInput,
  world: ToolWorld,
  names: Readonly<Record<string, string>> = {},
): Promise<ToolAnswer> {
  const answered = await requestChange(change, input, world, names);
  if ('failed' in answered) return answered.failed;
  const { answer, look } = answered;
  return { ...fitChange(answer), said: sayChange(change, answer, look) };
}

export async function requestChange<I, O extends AnyAnswer>(
  change: Change<I, O>,
  input: ToolInput,
  { workspace, onStep }: ToolWorld,
  names: Readonly<Record<string, string>> = {},
): Promise<{ readonly answer: Changed<O>; readonly look: SourceLines } | { readonly failed: ToolAnswer }> {
  const outcome = await workspace.change(change, input, {
    waitMs: changeWaitMs,
    onStep,
    onProgress: (progress) => onStep(indexingStep(progress)),
  });
  return outcome.kind === 'answered'
    ? { answer: outcome.answer, look: outcome.look }
    : { failed: problemAnswer(outcome, names) };
}

/** M43: a line that a commit has to quote is read where it stands, and not in the answer. */
function withholding({ outcome }: Answer, look: SourceLines): SourceLines {
  const places = 'plan' in outcome ? (outcome.plan?.to_quote ?? []) : [];
  const held = new Set(places.map(({ file, line }) => `${file}\0${line}`));
  return { line: (path, line) => (held.has(`${path}\0${line}`) ? undefined : look.line(path, line)), isBrief: true };
}

/** What to type next, which is said in calls below. No line of code is shown without its number. */
const isCommandLine =
  /^(?:next: |nothing is written yet; to write it:|to answer: |to take it back: | +codegenie plan )/;

/** As on a terminal, with as many questions as fit: the next one is named. */
function sayChange<I, O extends AnyAnswer & Answer>(
  change: Change<I, O>,
  given: Changed<O>,
  look: SourceLines,
): string {
  const fitted = fitAnswer({ outcome: given.outcome, next: given.next }, 2 * answerBytes);
  const following = nextQuestion(fitted.answer);
  const more = following === null ? [] : [moreQuestions(fitted.answer, following)];
  const lines = change.render({ ...given, ...fitted.answer }, withholding(given, look)).split('\n');
  const told = lines.filter((line) => line !== '' && !isCommandLine.test(line));
  const kind = outcomeKindOf(given);
  const [first = '', ...rest] = told;
  const head = first.startsWith(kind) ? first : `${kind}: ${first}`;
  return sayForTools([head, ...rest, ...more].join('\n'));
}

/** Room for `truncated`, `continue` and the sentence about the other questions. */
const tailBytes = 300;

function fitChange(given: Changed<Answer>): ToolAnswer {
  const { outcome, next, ...others } = given;
  // The form to fill in names the same places as `required_proof`.
  const { proof_template: form = null, ...heads } = others as Readonly<Record<string, unknown>>;
  const rest = outcome.kind === 'needs_decision' || form === null ? heads : { ...heads, proof_template: form };
  const answer: Answer = { outcome: slimOutcome(outcome), next: sayForTools(next) };
  const fitted = fitAnswer(answer, answerBytes - tailBytes - sizeOf(rest));
  const following = nextQuestion(fitted.answer);
  const whole = {
    outcome: dropEmpty(fitted.answer.outcome),
    ...rest,
    truncated: fitted.truncated || following !== null || hidesEdits(fitted.answer),
    continue: following,
    next: following === null ? answer.next : `${answer.next} ${moreQuestions(fitted.answer, following)}`,
  };
  const { value, isCut } = shrinkTo(whole, answerBytes);
  if (!isCut) return whole;
  // What names the plan stays whole where anything does; a name that was cut is a name that nothing accepts.
  return value === null
    ? { outcome: { kind: outcome.kind }, truncated: true, continue: null, next: answer.next.slice(0, 2_000) }
    : { ...value, truncated: true };
}

/** The core shows the first edits of a group and counts the others: all are in the plan, and a commit makes all. */
function hidesEdits({ outcome }: Answer): boolean {
  const plan = 'plan' in outcome ? outcome.plan : null;
  return plan?.groups.some(({ more }) => more > 0) === true;
}

/** The number of the first question that is not shown. */
function nextQuestion({ outcome }: Answer): string | null {
  if (outcome.kind !== 'needs_decision' || outcome.plan === null) return null;
  const { questions, questions_from: from, items } = outcome.plan;
  const following = from + items.length;
  return following <= questions ? String(following) : null;
}

function moreQuestions({ outcome }: Answer, following: string): string {
  const id = outcome.kind === 'needs_decision' ? (outcome.plan?.id ?? '') : '';
  return `More questions: commit_plan {op: "show", plan: "${id}", continue: "${following}"}; every one needs an answer.`;
}
