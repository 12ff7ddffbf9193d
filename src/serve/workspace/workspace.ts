/**
 * The façade: what a person, an editor or an agent can ask of one work tree. Command line, HTTP and MCP are thin clients of it and
 * contain no decisions. It is implemented in this process (`local-workspace.ts`), in the daemon (`daemon/session-workspace.ts`)
 * and for clients of a daemon (`remote-workspace.ts`); one suite holds them equal (`test/serve/contract.test.ts`).
 */

import type { ConfigProblem } from '../../gather/config.ts';
import type { Probe } from '../../gather/contract.ts';
import type { FactsAnswer as AnsweredFacts } from '../../gather/facts/answer-facts.ts';
import type { FactsAsk as FactsQuestion } from '../../gather/facts/find-facts.ts';
import type { Since } from '../../gather/freshness/since.ts';
import type { GatherOutcome } from '../../gather/gather.ts';
import type { AuditOutcome } from '../../gather/publish/audit.ts';
import type { Explanation, UnknownField } from '../../gather/report/explain.ts';
import type { LentIndexers } from '../../gather/run/code-documents.ts';
import type { AskedRoot, CacheMode, Progress } from '../../gather/run/open-world.ts';
import type { AskedScope } from '../../index/refresh/asked-scope.ts';
import type { RefreshEvent } from '../../index/refresh/refresher.ts';
import type { IndexPool } from '../../index/sync/index-pool.ts';
import type { IndexProgress } from '../../index/sync/reconcile.ts';
import type { OwnDirs } from '../../kernel/base/own-dirs.ts';
import type { MutationWorld } from '../../mutate/world.ts';
import type { AnyAnswer, Change } from '../changes/change.ts';
import type { RanChange } from '../changes/run-change.ts';
import type { Operation } from '../operations/operation.ts';
import type { OperationOutcome } from '../operations/run-operation.ts';
import type { DoctorReport } from './doctor.ts';

/** What a workspace of this process is made of. */
export type LocalSettings = AskedRoot & {
  readonly cliVersion: string;
  /** Describing threads that are lent; without them each question has its own. */
  readonly pool?: IndexPool | undefined;
  /** In a daemon: its indexers, for gathers. */
  readonly lentIndexers?: LentIndexers | undefined;
  /** With directories of its own, because what it reads is not what is on disk, and nothing is written to the tree (`serve/unsaved`). */
  readonly apart?: { readonly dirs: OwnDirs; readonly handOver: MutationWorld['handOver'] } | undefined;
  /** Other probes than the registered ones: for tests of the engine. */
  readonly probes?: readonly Probe[];
};

export type RepoFacts = {
  readonly root: string;
  /** Stable name of this root, for headers and locks: SHA-256 of its real path, 16 hex digits. */
  readonly root_hash: string;
  readonly worktree: string;
  readonly head: string | null;
  readonly generation: number | null;
};

export type GatherAsk = {
  readonly task: string | null;
  readonly only: readonly string[] | null;
  readonly skip: readonly string[];
  /** Only this directory of the tree, and what governs it from above. */
  readonly component?: string | undefined;
  readonly mode: CacheMode;
  readonly maxConcurrency: number | null;
  readonly onProgress: (progress: Progress) => void;
};

export type NoContext = { readonly kind: 'no_context'; readonly path: string };
export type BrokenContext = { readonly kind: 'broken_context'; readonly path: string; readonly why: string };

export type ReportAnswer =
  | {
      readonly kind: 'report';
      readonly markdown: string;
      readonly envelope: unknown;
      readonly freshnessNow: unknown;
      /** What has changed since the gather; null: nothing that it was made from. */
      readonly since: Since | null;
    }
  | { readonly kind: 'config_invalid'; readonly problems: readonly ConfigProblem[] }
  | NoContext
  | BrokenContext;

export type ExplainAnswer =
  | {
      readonly kind: 'explained';
      readonly text: string;
      readonly explanation: Explanation;
      readonly since: Since | null;
    }
  | { readonly kind: 'unknown_field'; readonly field: UnknownField; readonly text: string }
  | ConfigInvalid
  | NoContext
  | BrokenContext;

/** `explain`: with what each id means, and the lines of its evidence as they are now. */
type FactsAsk = FactsQuestion & { readonly explain: boolean };
export type FactsAnswer = AnsweredFacts | ConfigInvalid | NoContext | BrokenContext;

export type AskOptions = {
  readonly onProgress: (progress: IndexProgress) => void;
  /** How long to wait for an index that another process is building. */
  readonly waitMs: number;
  /** Run indexers until nothing is left to do, or this long; `again`: also for what is up to date; `scopes`: for these alone. */
  readonly refresh?:
    | {
        readonly waitMs: number | null;
        readonly again?: boolean | undefined;
        readonly scopes?: readonly AskedScope[] | undefined;
      }
    | undefined;
  readonly onRefresh?: ((event: RefreshEvent) => void) | undefined;
  /**
   * `named`: in a large tree it is enough to compare the files that the answer names with the disk; the answer says so, and its counts are
   * lower bounds. A process that opens the index for the question compares all files.
   */
  readonly verify?: 'all' | 'named' | undefined;
};

export type ConfigInvalid = { readonly kind: 'config_invalid'; readonly problems: readonly ConfigProblem[] };
export type AskOutcome<O> = OperationOutcome<O> | ConfigInvalid;

type ChangeOptions = Pick<AskOptions, 'onProgress' | 'waitMs'> & {
  /** One line for the caller who waits. */
  readonly onStep: (says: string) => void;
};
export type ChangeOutcome<O> = RanChange<O> | ConfigInvalid;

export interface Workspace {
  readonly root: string;
  repo(): RepoFacts;
  gather(ask: GatherAsk): Promise<GatherOutcome>;
  /** The report of the last gather, with index freshness judged again from disk where it differs. */
  report(): Promise<ReportAnswer>;
  explain(fieldPath: string): Promise<ExplainAnswer>;
  /** Facts of the last gather by id and scope, and whether the tree has changed since. Runs no probe. */
  facts(ask: FactsAsk): Promise<FactsAnswer>;
  audit(): Promise<AuditOutcome>;
  doctor(): Promise<DoctorReport>;
  /** Asks the code index, which is brought up to date with the disk first unless another process does so. */
  ask<I, O extends object>(operation: Operation<I, O>, input: unknown, options: AskOptions): Promise<AskOutcome<O>>;
  /** Plans, shows, commits, cancels or undoes a change. Only a commit and an undo write to the tree (M2). */
  change<I, O extends AnyAnswer>(
    change: Change<I, O>,
    input: unknown,
    options: ChangeOptions,
  ): Promise<ChangeOutcome<O>>;
}
