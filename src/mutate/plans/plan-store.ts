/** Plans, requests, decisions and undo rows as the rest of the room sees them. The SQL is in `index/store`. */

import type { PlanStatus } from '../outcome.ts';
import type { Plan } from '../types.ts';

export type UndoRow = {
  readonly planId: string;
  readonly dir: string;
  readonly bytes: number;
  readonly createdMs: number;
};

export type DecisionRow = {
  readonly key: string;
  readonly op: string;
  readonly symbolKey: string;
  /** Item ids and the option of each that was chosen. */
  readonly chosen: Readonly<Record<string, string>>;
  /** Plan-time hashes of all edited and affected files. */
  readonly fileHashes: Readonly<Record<string, string>>;
  readonly planId: string;
  readonly createdMs: number;
};

export type CommitResult = {
  readonly files: readonly { readonly path: string; readonly hash: string | null }[];
  readonly lateWrites: readonly { readonly path: string; readonly kept: string }[];
  readonly notes: readonly string[];
};

export interface PlanStore {
  add(plan: Plan): void;
  /** In the place of the one of its id that is `proving`: false if that is not there any more. */
  replaceProving(plan: Plan): boolean;
  find(id: string): Plan | undefined;
  /** Newest first, without groups' edits being cut. */
  list(limit: number): readonly Plan[];
  result(id: string): CommitResult | undefined;
  setExpiry(id: string, expiresMs: number): void;
  /** Compare and set: false if the status was none of `from`. */
  setStatus(id: string, from: readonly PlanStatus[], to: PlanStatus): boolean;
  /** A plan whose recovery stopped before somebody else's edit: nothing else is written until it is settled. */
  findConflict(): string | undefined;
  /** A plan that is `committing`; after a recovery that has no journal, one that never began. */
  findCommitting(): string | undefined;
  /** To `committed` with all that belongs to it, in one transaction; again for the same plan: no effect. */
  finish(
    id: string,
    about: {
      readonly nowMs: number;
      readonly result: CommitResult;
      readonly selections: readonly string[];
      readonly proofJson: string;
      readonly decision: DecisionRow | null;
      readonly undo: UndoRow | null;
    },
  ): void;
  findRequest(id: string): { readonly opHash: string; readonly answerJson: string } | undefined;
  putRequest(id: string, opHash: string, answerJson: string, nowMs: number): void;
  findDecision(key: string): DecisionRow | undefined;
  dropDecision(key: string): void;
  /** Newest first. */
  listUndo(): readonly UndoRow[];
  dropUndo(planId: string): void;
  /** Expired plans become `expired`; ended ones go after 7 days, requests after 24 hours. */
  tidy(nowMs: number): void;
  close(): void;
}
