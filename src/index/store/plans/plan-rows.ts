/** Rows of the ledger's plan tables (migration 2), as the store hands them out: what a column means is said where it is created. */

export type PlanRow = {
  readonly id: string;
  readonly hash: string;
  readonly kind: string;
  readonly opJson: string;
  readonly rootHash: string;
  readonly worktree: string;
  readonly generation: number;
  readonly contextKeys: string;
  readonly symbolKey: string;
  readonly symbolJson: string;
  readonly newName: string;
  readonly provenance: string;
  readonly ambiguityFp: string;
  readonly scopeDigest: string;
  readonly extraJson: string;
  readonly status: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly committedMs: number | null;
};

export type PlanFileRow = {
  readonly path: string;
  readonly role: string;
  readonly hash: string;
  readonly newHash: string | null;
  readonly mode: number | null;
};

export type PlanItemRow = {
  readonly id: string;
  readonly kind: string;
  readonly path: string;
  readonly startByte: number;
  readonly endByte: number;
  readonly line: number;
  readonly col: number;
  readonly text: string;
  readonly anchorJson: string;
  readonly detail: string;
  readonly optionsJson: string;
  readonly chosen: string | null;
};

export type PlanGroupRow = {
  readonly id: string;
  readonly title: string;
  readonly provenance: string;
  readonly itemId: string | null;
  readonly option: string | null;
};

export type PlanEditRow = {
  readonly groupId: string;
  readonly path: string;
  readonly startByte: number;
  readonly endByte: number;
  readonly line: number;
  readonly col: number;
  readonly oldText: string;
  readonly newText: string;
  readonly form: string;
  readonly anchorJson: string;
};

export type StoredPlan = {
  readonly plan: PlanRow;
  readonly files: readonly PlanFileRow[];
  readonly items: readonly PlanItemRow[];
  readonly groups: readonly PlanGroupRow[];
  readonly edits: readonly PlanEditRow[];
};

export type DecisionRecord = {
  readonly key: string;
  readonly op: string;
  readonly symbolKey: string;
  readonly itemsJson: string;
  readonly chosenJson: string;
  readonly fileHashesJson: string;
  readonly proofJson: string;
  readonly planId: string;
  readonly createdMs: number;
};

export type UndoRecord = {
  readonly planId: string;
  readonly dir: string;
  readonly bytes: number;
  readonly createdMs: number;
};
