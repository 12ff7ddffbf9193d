/**
 * Views beside a session that goes on writing, for a daemon. Pinned: everything was compared with the disk after the question began, then
 * one moment of the store was taken, and all of the answer is read from that. Uncompared: only the files that the answer names are verified
 * afterwards. While the store is lent: what differs from the disk is named instead of reconciled.
 */

import { shareNext } from '../../kernel/base/turns.ts';
import type { TreeLister } from '../../kernel/tree/list-tree.ts';
import { createDiskLook } from '../../kernel/tree/safe-read.ts';
import { type FactsPlace, openFactsForRead } from '../store/facts-file.ts';
import { type FactsHandle, oncePerGeneration } from '../store/read-session.ts';
import { StoreFailed } from '../store/store-failed.ts';
import { findRepoState } from '../store/stored-files.ts';
import { listTargetsOfFiles } from '../store/stored-imports.ts';
import type { WriterIdentity } from '../store/writer-lock.ts';
import { isPending } from '../sync/config-epoch.ts';
import { type FileState, loadFileTable, screenFile, screenStat } from '../sync/file-table.ts';
import { findDifferences } from '../sync/find-differences.ts';
import type { IndexSession } from '../sync/index-session.ts';
import { type CodeView, viewOf } from './code-view.ts';

/** Between two steps of a reconcile that began since there is no moment to take; the next one ends it. */
const tries = 3;

/** Without a look at the disk: for a caller that compares the files it is going to name. Undefined between two steps of a reconcile. */
export function openUncomparedView(of: {
  readonly root: string;
  readonly generation: number;
  readonly scopeProblem: string | null;
  readonly readers: ReaderPool;
  readonly writer: WriterIdentity;
  readonly contextProblems: readonly string[];
  readonly indexesItself: boolean;
}): CodeView | undefined {
  const { root, readers } = of;
  const handle = readers.take(of.generation);
  if (isPending(handle.read(findRepoState)?.configEpoch)) {
    readers.giveBack(handle);
    return undefined;
  }
  return viewOf(root, handle, {
    swept: false,
    comparesNamed: true,
    look: createDiskLook(root),
    scopeProblem: of.scopeProblem,
    contextProblems: of.contextProblems,
    indexesItself: of.indexesItself,
    writer: of.writer,
    close: async () => readers.giveBack(handle),
  });
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
  readonly indexesItself: boolean;
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
    return viewOf(root, handle, {
      swept: scopeProblem === null && isSettled(),
      scopeProblem,
      reconciled,
      ...of.settled,
      indexesItself: of.indexesItself,
      writer: of.writer,
      close: async () => readers.giveBack(handle),
    });
  } catch (error) {
    readers.giveBack(handle);
    throw error;
  }
}

// ---- while the store is lent (`store-turns.ts`): what differs from the disk is named instead of written, as a process without the writer
// lock does it. Questions that were asked before a comparison began share it.

export type LentComparison = {
  /** Undefined: the store has been written since it was compared with the disk, so it is not lent any more. */
  open(generation: number): Promise<CodeView | undefined>;
};

type Place = {
  readonly root: string;
  readonly readers: ReaderPool;
  readonly lister: TreeLister;
  /** The process that keeps the session. */
  readonly writer: WriterIdentity;
  readonly contextProblems: () => readonly string[];
  readonly indexesItself: boolean;
  readonly signal: AbortSignal;
};

type Comparison = Awaited<ReturnType<typeof findDifferences>> & { readonly generation: number };

export function createLentComparison({
  root,
  readers,
  lister,
  writer,
  contextProblems,
  indexesItself,
  signal,
}: Place): LentComparison {
  const comparing = shareNext(async (generation: number): Promise<Comparison> => {
    const handle = readers.take(generation);
    try {
      const { table, taken } = handle.read((session) => ({
        table: oncePerGeneration(session, 'file table', loadFileTable),
        taken: session.generation,
      }));
      return { ...(await findDifferences(root, lister, table, signal)), generation: taken };
    } finally {
      readers.giveBack(handle);
    }
  });
  return {
    async open(generation) {
      const { listing, generation: taken, ...differences } = await comparing.ask(generation);
      const handle = readers.take(taken);
      if (handle.read((session) => session.generation) !== taken) {
        readers.giveBack(handle);
        return undefined;
      }
      const isSettled = !isPending(handle.read(findRepoState)?.configEpoch);
      return viewOf(root, handle, {
        // Of the disk, not of whenever it was last reconciled.
        head: listing.head,
        swept: isSettled && listing.problem === null,
        scopeProblem: listing.problem,
        differences,
        contextProblems: contextProblems(),
        indexesItself,
        writer,
        close: async () => readers.giveBack(handle),
      });
    },
  };
}

// ---- verification of what an answer touches (code-plane.md §2): every file it names, and what those import, is as the store has it. Of
// all other files nothing is said.

/** Comparing more than these takes as long as comparing all. */
const maxFiles = 2_000;

/**
 * False also where nothing is named: that there is nothing is not known from the files that were found. `find`: how the moment that was
 * answered from knows a file.
 */
export function isAsOnDisk(view: CodeView, find: (path: string) => FileState | undefined, answer: unknown): boolean {
  const touched = new Map<string, FileState | undefined>();
  addNamed(answer, find, touched);
  if (touched.size === 0 || touched.size > maxFiles) return false;
  for (const path of view.read((moment) => listTargetsOfFiles(moment, touched.keys())))
    if (!touched.has(path)) touched.set(path, find(path));
  if (touched.size > maxFiles) return false;
  const { guard, stats } = view.look ?? createDiskLook(view.root);
  for (const [path, known] of touched) {
    // A link owns no facts, and leads to a file that does.
    if (known?.kind === 'alias') continue;
    const stat = stats.get(path);
    const seen = stat === undefined ? screenFile(view.root, path, known, guard) : screenStat(stat, known);
    if (seen.kind !== 'unchanged') return false;
  }
  return true;
}

function addNamed(
  value: unknown,
  find: (path: string) => FileState | undefined,
  named: Map<string, FileState | undefined>,
): void {
  if (typeof value === 'string') {
    const known = find(value);
    if (known !== undefined) named.set(value, known);
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) addNamed(inner, find, named);
  }
}

// ---- read-only handles of the live store, for many questions beside the session that writes it. A handle is pinned to one moment, so that
// all of an answer is of one generation (S14: and of the live file). Questions that come together share a moment, and all handles share
// what any of them has worked out about a generation; both are given up after a while without a question.

export type ReaderPool = {
  /** Pinned to a moment of this generation or a later one. To be given back. */
  take(generation: number): FactsHandle;
  giveBack(handle: FactsHandle): void;
  close(): void;
};

/** Each open handle holds a cache of its own. */
const keptHandles = 2;
/** Working out the states of a large tree takes longer than all else that a question needs. */
const restAfterMs = 5 * 60_000;
/** Jobs and the like change within a generation: a moment is not shared for longer than this. */
const sharedMs = 20;

type Lease = { readonly handle: FactsHandle; readonly generation: number; readonly pinnedMs: number; users: number };

export function createReaderPool(place: FactsPlace, nowMs: () => number = () => performance.now()): ReaderPool {
  const idle: FactsHandle[] = [];
  const leases = new Map<FactsHandle, Lease>();
  let latest: Lease | undefined;
  let closed = false;
  let keeper = {};
  let resting: NodeJS.Timeout | undefined;
  const rest = () => {
    clearTimeout(resting);
    keeper = {};
    for (const handle of idle.splice(0)) handle.close();
  };
  const open = (): FactsHandle => {
    for (let known = idle.pop(); known !== undefined; known = idle.pop()) {
      if (known.isCurrent()) return known;
      known.close();
      // Another file may count its generations anew.
      rest();
    }
    const opened = openFactsForRead(place, keeper);
    if (opened.kind === 'open') return opened.facts;
    throw new StoreFailed(opened.kind === 'refused' ? opened.why : opened.detail, false);
  };
  return {
    take(generation) {
      const isFresh = latest !== undefined && latest.generation === generation && nowMs() - latest.pinnedMs < sharedMs;
      if (latest !== undefined && isFresh && latest.handle.isCurrent()) {
        latest.users += 1;
        return latest.handle;
      }
      const handle = open();
      handle.pin();
      latest = { handle, generation: handle.read((moment) => moment.generation), pinnedMs: nowMs(), users: 1 };
      leases.set(handle, latest);
      return handle;
    },
    giveBack(handle) {
      const lease = leases.get(handle);
      if (lease === undefined) return;
      lease.users -= 1;
      if (lease.users > 0) return;
      leases.delete(handle);
      if (latest === lease) latest = undefined;
      if (closed || idle.length >= keptHandles) handle.close();
      else {
        handle.unpin();
        idle.push(handle);
        clearTimeout(resting);
        resting = setTimeout(rest, restAfterMs);
        resting.unref();
      }
    },
    close() {
      closed = true;
      rest();
    },
  };
}
