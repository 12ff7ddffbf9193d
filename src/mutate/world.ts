/** What every part of a change is given: one root, its open session, its plans, and the ways to look further. */

import type { RunSummary } from '../index/refresh/refresher.ts';
import type { IndexSession, SessionSettings } from '../index/sync/index-session.ts';
import type { CodeView } from '../index/view/code-view.ts';
import type { Answer } from './answer.ts';
import type { CompilerJob, CompilerUnavailable, ProgramSpec } from './compiler/session/messages.ts';
import type { Edit } from './plans/plan.ts';
import type { PlanStore } from './plans/plan-store.ts';

export type MutationWorld = {
  /** Holds the writer lock. */
  readonly session: IndexSession;
  /** Every file in scope compared with the disk after the request began. */
  readonly view: CodeView;
  /** Compares again; what was read before stays valid for bytes that did not change. */
  readonly sweep: () => Promise<CodeView>;
  readonly settings: SessionSettings;
  readonly root: string;
  /** The user's: what is sealed is sealed with a key that lies there. */
  readonly home?: string | undefined;
  readonly stateDir: string;
  readonly rootHash: string;
  readonly worktree: string;
  readonly plans: PlanStore;
  readonly nowMs: () => number;
  /** 64 random bits, as hex. */
  readonly random: () => string;
  readonly signal: AbortSignal;
  /** How long to wait for another user's change of the same tree. */
  readonly lockWaitMs?: number | undefined;
  readonly openCompiler: (programs: readonly ProgramSpec[]) => Promise<CompilerJob | CompilerUnavailable>;
  /** Runs the indexers of these contexts over these files, at most so long; undefined where none may be run. */
  readonly refresh?:
    | ((
        asks: readonly { readonly context: string; readonly files: readonly string[] }[],
        waitMs: number,
      ) => Promise<RunSummary>)
    | undefined;
  /** Reasons that the user trusts in this project, and is not asked about (`rename.trust`). */
  readonly trusted?: ReadonlySet<string> | undefined;
  /** How long a plan lives from its last use (`plans.life_hours`); a day where nothing is said. */
  readonly planLifeMs?: number | undefined;
  /** Where a proof may outlast its request; without it the caller waits. */
  readonly longProofs?: LongProofs | undefined;
  /**
   * Where the texts are not those of the disk (`kernel/tree/unsaved-texts.ts`): a commit makes all its checks, then hands its edits to the one who
   * has the texts, and writes nothing.
   */
  readonly handOver?: ((edits: readonly Edit[]) => void) | undefined;
  /** One line for the waiting caller. */
  readonly onProgress: (says: string) => void;
};

/** A place where a request may go on after it was answered: a daemon. */
export type LongProofs = {
  /** How long the caller waits. */
  readonly waitMs: number;
  /** Answered now; the request goes on. `operation`: what it is about, in one word. */
  readonly detach: (of: { readonly planId: string; readonly operation: string; readonly answer: Answer }) => void;
  /** This process is at it. */
  readonly isRunning: (planId: string) => boolean;
  /** The plan of an earlier request for the same whose proof outlasted it. */
  readonly earlier: (operation: string) => string | undefined;
};
