/**
 * What the refresh machinery is made of besides itself: discovery, indexers, the import. Given as functions, because everything that
 * decides when a job runs, is stopped or is tried again can then be shown without starting an indexer.
 */

import type { Failure, IndexerId } from '../../../languages/context-spec.ts';
import type { ResolveWorld } from '../../resolve/types.ts';
import type { Discovery } from '../../semantic/contexts/discover-contexts.ts';
import type { CommitOutcome } from '../../semantic/import/commit-import.ts';
import type {
  IndexerAdapter,
  IndexerContext,
  IndexerProbe,
  IndexerRun,
  ProgramRoots,
} from '../../semantic/indexers/adapter.ts';
import type { WritableFacts } from '../../store/open-facts.ts';
import type { StoredContext } from '../../store/queries/list-contexts.ts';
import type { FileInterface } from '../../store/queries/load-interfaces.ts';
import type { StoreHold } from '../store-hold.ts';
import type { CommitAsk } from './import-output.ts';

/** What `.codegenie/contexts.json` and the tree say; see `discover-contexts.ts`. */
export type RefreshDiscovery = {
  readonly resolve: ResolveWorld;
  languageOf(path: string): string | null;
  targetsOf(path: string): readonly string[];
  readonly pinned: Uint8Array | undefined;
};

export type IndexerPlace = {
  readonly jobDir: string;
  readonly probe: IndexerProbe;
  /** Members whose documents are wanted; null: all. */
  readonly scope: readonly string[] | null;
  /** Files that are enough for them; null: all. */
  readonly roots: ProgramRoots | null;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  /** The process group, with what tells it from a later one of the same number. */
  readonly onStart: (pgid: number, startTime: string) => void;
};

export type ImportAsk = {
  readonly outputPath: string;
  readonly documentBase: string;
  readonly context: StoredContext;
  /** Whose documents are taken. */
  readonly members: ReadonlySet<string>;
  /** They are not all members of the context. */
  readonly isPart: boolean;
  readonly adapter: IndexerAdapter;
  readonly resolve: ResolveWorld;
  readonly pre: ReadonlyMap<string, FileInterface>;
  readonly canonicalOf: (path: string) => string;
  readonly facts: WritableFacts;
  readonly hold: StoreHold;
  readonly signal: AbortSignal;
};

export type ImportFailed = { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string };

export type Committed =
  | (CommitOutcome & {
      /** What nothing refers to any more is gone as well. */
      readonly isSwept?: boolean;
    })
  | ImportFailed;

/** What is ready to be committed; only `commit` looks inside. */
export type ReadyImport = {
  readonly kind: 'ready';
  /** `take` is called when nobody else writes any more, and looks at everything a last time; undefined: it is not to be committed. */
  commit(take: () => CommitAsk | undefined): Promise<Committed>;
  /** Writes a copy without what the sources keep secret; false: there is none. */
  redactOutput(to: string): Promise<boolean>;
  /** To be called in the end, whatever became of it. */
  close(): Promise<void>;
};

export type RefreshParts = {
  discover(world: RefreshDiscovery): Discovery;
  findAdapter(id: IndexerId): IndexerAdapter | undefined;
  /** `directory` of the context, root-relative. */
  probe(adapter: IndexerAdapter, directory: string): Promise<IndexerProbe>;
  /** Resolves only when nothing of the process group is left (R26). */
  runIndexer(adapter: IndexerAdapter, context: IndexerContext, place: IndexerPlace): Promise<IndexerRun>;
  /** Called when an indexer is at work: what its output will be imported with can be got ready meanwhile. */
  expectImport?(context: StoredContext, facts: WritableFacts, signal: AbortSignal): void;
  /** `cancelled` only after the signal. */
  prepareImport(ask: ImportAsk): Promise<ReadyImport | ImportFailed | { readonly kind: 'cancelled' }>;
  makeJobDir(name: string): string;
  removeJobDir(path: string): void;
  /** What earlier processes left. */
  sweepJobDirs(): void;
};
