/**
 * A view beside a session that goes on writing: everything was compared with the disk after the question began, then one moment of the
 * store was taken, and all of the answer is read from that.
 */

import { createDiskLook } from '../../kernel/tree/safe-read.ts';
import { findRepoState } from '../store/queries/find-repo-state.ts';
import type { WriterIdentity } from '../store/writer-lock.ts';
import { isPending } from '../sync/config-epoch.ts';
import { noDifferences } from '../sync/find-differences.ts';
import type { IndexSession } from '../sync/index-session.ts';
import { type CodeView, describeStore, readText } from './code-view.ts';
import type { ReaderPool } from './reader-pool.ts';

/** Between two steps of a reconcile that began since there is no moment to take; the next one ends it. */
const tries = 3;

/** Without a look at the disk: for who compares what it is going to name. Undefined between two steps of a reconcile. */
export function openUncomparedView(of: {
  readonly root: string;
  readonly generation: number;
  readonly scopeProblem: string | null;
  readonly readers: ReaderPool;
  readonly writer: WriterIdentity;
  readonly contextProblems: readonly string[];
}): CodeView | undefined {
  const { root, readers } = of;
  const handle = readers.take(of.generation);
  if (isPending(handle.read(findRepoState)?.configEpoch)) {
    readers.giveBack(handle);
    return undefined;
  }
  return {
    ...describeStore(handle),
    root,
    swept: false,
    comparesNamed: true,
    look: createDiskLook(root),
    scopeProblem: of.scopeProblem,
    differences: noDifferences,
    reconciled: null,
    refreshed: null,
    contextProblems: of.contextProblems,
    rebuilt: null,
    writer: of.writer,
    read: (ask) => handle.read(ask),
    readText: (path, guard) => readText(root, path, guard),
    close: async () => readers.giveBack(handle),
  };
}

export async function openPinnedView(of: {
  readonly root: string;
  readonly session: IndexSession;
  readonly readers: ReaderPool;
  /** The process that keeps the session. */
  readonly writer: WriterIdentity;
  readonly settled?: Pick<CodeView, 'refreshed' | 'contextProblems'> | undefined;
  /** What the question has done already, if it has. */
  readonly reconciled?: CodeView['reconciled'] | undefined;
}): Promise<CodeView> {
  const { root, session, readers } = of;
  let reconciled = of.reconciled ?? (await session.reconcile('all'));
  let handle = readers.take(session.facts.writer.generation);
  try {
    const isSettled = () => !isPending(handle.read(findRepoState)?.configEpoch);
    for (let turn = 1; turn < tries && !isSettled(); turn += 1) {
      readers.giveBack(handle);
      reconciled = await session.reconcile('all');
      handle = readers.take(session.facts.writer.generation);
    }
    const { scopeProblem } = session;
    return {
      ...describeStore(handle),
      root,
      swept: scopeProblem === null && isSettled(),
      scopeProblem,
      differences: noDifferences,
      reconciled,
      refreshed: of.settled?.refreshed ?? null,
      contextProblems: of.settled?.contextProblems ?? [],
      rebuilt: null,
      writer: of.writer,
      read: (ask) => handle.read(ask),
      readText: (path, guard) => readText(root, path, guard),
      close: async () => readers.giveBack(handle),
    };
  } catch (error) {
    readers.giveBack(handle);
    throw error;
  }
}
