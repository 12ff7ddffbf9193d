/**
 * A look at every file beside a session that cannot reconcile, because its store is lent (`store-hold.ts`): what differs from the disk is
 * named instead of written, as a process without the writer lock does it. Questions that were asked before a look began share it.
 */

import { shareNext } from '../../kernel/base/turns.ts';
import type { TreeLister } from '../../kernel/tree/list-tree.ts';
import { oncePerGeneration } from '../store/once-per-generation.ts';
import { findRepoState } from '../store/queries/find-repo-state.ts';
import type { WriterIdentity } from '../store/writer-lock.ts';
import { isPending } from '../sync/config-epoch.ts';
import { loadFileTable } from '../sync/file-table.ts';
import { findDifferences } from '../sync/find-differences.ts';
import { type CodeView, describeStore, readText } from './code-view.ts';
import type { ReaderPool } from './reader-pool.ts';

export type LookBeside = {
  /** Undefined: the store has been written since it was compared with the disk, so whoever had it is done. */
  open(generation: number): Promise<CodeView | undefined>;
};

type Place = {
  readonly root: string;
  readonly readers: ReaderPool;
  readonly lister: TreeLister;
  /** The process that keeps the session. */
  readonly writer: WriterIdentity;
  readonly contextProblems: () => readonly string[];
  readonly signal: AbortSignal;
};

type Look = Awaited<ReturnType<typeof findDifferences>> & { readonly generation: number };

export function createLookBeside({ root, readers, lister, writer, contextProblems, signal }: Place): LookBeside {
  const look = shareNext(async (generation: number): Promise<Look> => {
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
      const { listing, generation: taken, ...differences } = await look.ask(generation);
      const handle = readers.take(taken);
      if (handle.read((session) => session.generation) !== taken) {
        readers.giveBack(handle);
        return undefined;
      }
      const isSettled = !isPending(handle.read(findRepoState)?.configEpoch);
      return {
        ...describeStore(handle),
        root,
        // Of the disk, not of whenever it was last reconciled.
        head: listing.head,
        swept: isSettled && listing.problem === null,
        scopeProblem: listing.problem,
        differences,
        reconciled: null,
        refreshed: null,
        contextProblems: contextProblems(),
        rebuilt: null,
        writer,
        read: (ask) => handle.read(ask),
        readText: (path, guard) => readText(root, path, guard),
        close: async () => readers.giveBack(handle),
      };
    },
  };
}
