/**
 * Answers of which only the files they name are compared with the disk (code-plane.md §2 "Touched"): in a large tree, where comparing
 * everything would take longer than the question. They say so (`comparesNamed`). Undefined where what is named is not as the index has
 * it, or nothing is: then everything has to be compared first.
 */

import { countRows } from '../../index/store/store-counts.ts';
import { StoreFailed } from '../../index/store/store-failed.ts';
import { findFile } from '../../index/store/stored-files.ts';
import { type FileState, stateOf } from '../../index/sync/file-table.ts';
import { type CodeView, compilerLimits } from '../../index/view/code-view.ts';
import { isAsOnDisk, openUncomparedView } from '../../index/view/pinned-view.ts';
import type { Operation } from '../operations/operation.ts';
import { answerOnce, listAskable, type OperationOutcome } from '../operations/run-operation.ts';
import type { DaemonCore, EarlyReads } from './daemon-core.ts';

type NamedAsk<I, O extends object> = {
  readonly operation: Operation<I, O>;
  readonly input: I;
  readonly root: string;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** In smaller trees comparing everything is not noticed, and says more. */
  readonly largeTreeFiles: number;
  /** Compilers may be asked for it. */
  readonly mayAsk: boolean;
};

/** Whether it is about some files: what is about all of them has to compare all. */
export function isAboutNamed<I>({ sweeps }: Pick<Operation<I, unknown>, 'sweeps'>, input: I): boolean {
  return typeof sweeps === 'function' ? !sweeps(input) : sweeps !== true;
}

export async function answerNamed<I, O extends object>(
  ask: NamedAsk<I, O>,
  core: DaemonCore,
): Promise<OperationOutcome<O> | undefined> {
  const { facts, scopeProblem, reconciler } = core.session;
  if (reconciler.table.size < ask.largeTreeFiles) return undefined;
  const view = openUncomparedView({
    root: ask.root,
    readers: core.readers,
    writer: core.identity,
    generation: facts.writer.generation,
    scopeProblem,
    contextProblems: core.contextProblems(),
    indexesItself: core.indexesItself,
  });
  if (view === undefined) return undefined;
  const { table } = reconciler;
  const outcome = await answerAndCompare(ask, view, (path) => table.get(path));
  // The table is of now; were it ahead of the moment that was answered from, the comparison would be of something else.
  const isOfMoment = ask.operation.tellsOf === 'index' || facts.writer.generation === view.generation;
  return isOfMoment ? outcome : undefined;
}

/**
 * From the store as the last writer left it, while this one still compares all of it. Not for what needs compiler facts: a configuration
 * that has changed meanwhile is not among the files that an answer names.
 */
export async function answerEarly<I, O extends object>(
  ask: NamedAsk<I, O>,
  { readers, identity, generation }: EarlyReads,
): Promise<OperationOutcome<O> | undefined> {
  if (ask.operation.semantic === true) return undefined;
  try {
    const place = { root: ask.root, readers, writer: identity, generation: generation() };
    const stored = openUncomparedView({ ...place, scopeProblem: null, contextProblems: [], indexesItself: false });
    if (stored === undefined) return undefined;
    if (stored.read(countRows) < ask.largeTreeFiles) {
      await stored.close();
      return undefined;
    }
    // What the last writer noted of its watcher and of HEAD was of then.
    const view: CodeView = { ...stored, watch: 'off' };
    const outcome = await answerAndCompare(ask, view, (path) => findStored(view, path));
    if (outcome?.kind !== 'answered') return undefined;
    const { answer } = outcome;
    return { ...outcome, answer: { ...answer, repo: { ...answer.repo, head: null } } };
  } catch (error) {
    // Opening it says what is wrong with it.
    if (error instanceof StoreFailed) return undefined;
    throw error;
  }
}

async function answerAndCompare<I, O extends object>(
  { operation, input, mayAsk, ...world }: NamedAsk<I, O>,
  view: CodeView,
  find: (path: string) => FileState | undefined,
): Promise<OperationOutcome<O> | undefined> {
  try {
    const { outcome, lacking } = await answerOnce(operation, input, view, world, 0);
    if (outcome.kind !== 'answered') return undefined;
    const isSoon = lacking !== undefined && lacking.aboutMs <= compilerLimits.daemon.aboutMs;
    if (mayAsk && isSoon && listAskable(operation, input, lacking) !== undefined) return undefined;
    return operation.tellsOf === 'index' || isAsOnDisk(view, find, outcome.answer) ? outcome : undefined;
  } finally {
    await view.close();
  }
}

function findStored(view: CodeView, path: string): FileState | undefined {
  const row = view.read((moment) => findFile(moment, path));
  return row === undefined ? undefined : stateOf(row);
}
