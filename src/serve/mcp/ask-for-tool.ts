/** One question to the façade for a tool: asked, cut to the budget, and with what to do next. */

import type { Operation } from '../operations/operation.ts';
import type { Answered } from '../run-operation.ts';
import { answerBytes, sizeOf } from './answer-budget.ts';
import { cutPiece, type ListPath, markOf, type Position, readToken, writeToken } from './page-answer.ts';
import { invalidAnswer, problemAnswer } from './problem-answers.ts';
import { indexingStep, type ToolAnswer, type ToolInput, type ToolWorld } from './tool.ts';

export type ToolQuestion<O> = {
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
export const waitMs = 30_000;

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
  return {
    outcome: 'ok',
    ...piece.fields,
    truncated: rest !== null || piece.shortened || wasCut === true,
    continue: rest,
    ...(piece.shortened ? { shortened: true } : {}),
    next: rest === null ? next : `${next}${goOn}`,
  };
}

const goOn = ' For the rest call again with the same arguments and `continue`.';

function howFresh({ state }: Answered<object>['freshness']): string {
  if (state === 'clean') return '';
  return state === 'dirty'
    ? ' Files named in `freshness` differ from the index: read them before you rely on what is said of them.'
    : ' Not every file could be compared with the disk: treat counts as lower bounds.';
}
