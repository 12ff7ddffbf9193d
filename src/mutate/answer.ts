/** Answers as every surface gives them (mutation.md §1, §4), in the words of the wire: snake_case, places 1-based. */

import type {
  BlockedReason,
  CensusClass,
  EditForm,
  ImportStep,
  ItemKind,
  Loc,
  PlanKind,
  PlanStatus,
  Provenance,
  RefusedReason,
  RiskReason,
  Tier,
  UnsupportedReason,
} from './vocabulary.ts';

export type AnchorView = {
  readonly before: string;
  readonly text: string;
  readonly after: string;
  readonly line_hash: string;
  readonly ordinal: number;
};

export type EditView = {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly before: string;
  readonly after: string;
  readonly form: EditForm;
  readonly anchor: AnchorView;
};

export type GroupView = {
  readonly id: string;
  readonly title: string;
  readonly provenance: Provenance;
  readonly item?: string;
  readonly option?: string;
  readonly edits: readonly EditView[];
  /** Edits not shown; all are in the plan. */
  readonly more: number;
};

export type ItemView = {
  readonly id: string;
  /** From 1, in the order of the whole plan: `answers` may name it so. */
  readonly number: number;
  readonly kind: ItemKind;
  readonly at: Loc;
  readonly text: string;
  readonly detail: string;
  readonly options: readonly { readonly id: string; readonly means: string; readonly group?: string }[];
};

export type PlanView = {
  readonly id: string;
  readonly hash: string;
  readonly kind: PlanKind;
  readonly status: PlanStatus;
  readonly provenance: Provenance;
  readonly expires_at: string;
  readonly symbol: { readonly key: string; readonly name: string; readonly kind: string; readonly defined_at: Loc };
  readonly new_name: string;
  readonly groups: readonly GroupView[];
  readonly items: readonly ItemView[];
  /** How many there are in all; `plan show --from` shows the others. */
  readonly questions: number;
  /** The number of the first that is shown, from 1. */
  readonly questions_from: number;
  /** Lines that a commit without a whole proof quotes, by the key of `answers`; of the questions that are shown, and not printed. */
  readonly to_quote: readonly (Loc & { readonly key: string })[];
  readonly files: readonly {
    readonly path: string;
    readonly hash: string;
    readonly edits: number;
    readonly moved_to?: string;
  }[];
  readonly census: Readonly<Record<CensusClass, number>>;
  readonly notes: readonly string[];
};

export type WitnessFact = {
  readonly type: 'definition' | 'reference' | 'import' | 'scope' | 'relation' | 'token' | 'diagnostic' | 'job';
  readonly at: Loc;
  readonly text: string;
  readonly provenance: Provenance;
};

export type WitnessPacket = {
  readonly bounds: {
    readonly files_scanned: number;
    readonly files_not_scanned: readonly { readonly path: string; readonly why: string }[];
    readonly contexts: readonly string[];
    readonly budget_ms: number;
    readonly spent_ms: number;
    readonly truncated: boolean;
  };
  readonly facts: readonly WitnessFact[];
  readonly invariants_failed: readonly string[];
  readonly checklist: readonly { readonly question: string; readonly fact_needed: string; readonly how: string }[];
};

export type Candidate = {
  readonly id: string;
  readonly means: string;
  readonly group?: string;
  readonly evidence: readonly WitnessFact[];
  readonly risk: 'low' | 'medium' | 'high';
  readonly reasons: readonly string[];
};

export type CandidateSet = {
  readonly name: string;
  readonly rule: string;
  readonly item: string;
  readonly members: readonly Candidate[];
  readonly truncated: boolean;
};

export const capsuleTypes = [
  'scope_resolution',
  'receiver_resolution',
  'context_membership',
  'import_alias',
  'string_reference',
] as const;

export type DecisionCapsule = {
  readonly type: (typeof capsuleTypes)[number];
  readonly item: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: readonly { readonly id: string; readonly value: string; readonly evidence: readonly Loc[] }[];
  readonly verify_by: string;
  readonly stop_rule: string;
  readonly truncated: boolean;
};

export type RequiredProof = {
  readonly identity: boolean;
  readonly anchors: readonly Loc[];
  readonly lines: readonly Loc[];
};

/** What was answered before at this place and for this reason, whatever was changed then. */
export type Remembered = {
  readonly item: string;
  /** The candidate, and its option. */
  readonly chosen: string;
  readonly option: string;
  /** What was changed then. */
  readonly symbol: string;
  readonly when: string;
  readonly plan_id: string;
  /** No file of that plan has changed since. */
  readonly same_files: boolean;
};

export type RiskyEdit = {
  readonly edit: EditView;
  /** The group to select for it. */
  readonly group: string;
  readonly tier: Tier;
  readonly risk: 'low' | 'medium' | 'high';
  readonly reasons: readonly RiskReason[];
  readonly checklist: readonly string[];
  /** Imports and re-exports by which the file comes to the name, its own first; empty where there are none, or none was followed. */
  readonly import_chain: readonly ImportStep[];
};

export type ReviewCheck = { readonly check: string; readonly groups: readonly string[] };

export type ApplyResult = {
  readonly files: readonly { readonly path: string; readonly hash: string | null }[];
  readonly late_writes: readonly { readonly path: string; readonly kept: string }[];
  readonly notes: readonly string[];
  /** `codegenie plan undo <id>`, while the copies are kept. */
  readonly undo: string | null;
};

export type FileStateView = { readonly path: string; readonly state: string; readonly why: string };

export type Outcome =
  | {
      readonly kind: 'ok';
      readonly state: 'planned' | 'applied' | 'undone';
      readonly plan: PlanView;
      readonly result?: ApplyResult;
    }
  | {
      readonly kind: 'ok_syntactic';
      readonly state: 'planned' | 'applied';
      readonly plan: PlanView;
      readonly result?: ApplyResult;
      readonly review: readonly RiskyEdit[];
      /** What scope alone vouches for, where it was written. */
      readonly auto_applied: readonly Loc[];
      /** Groups of edits that only a reader can vouch for, and that were not written. */
      readonly pending_review: readonly string[];
      /** What to look at before they are, each thing once. */
      readonly review_checklist: readonly ReviewCheck[];
      readonly binding: 'proven' | 'scope_proven' | 'not_proven';
    }
  | {
      readonly kind: 'blocked';
      readonly reason: BlockedReason;
      readonly detail: string;
      readonly files: readonly FileStateView[];
      readonly jobs: readonly { readonly context: string; readonly status: string; readonly detail: string }[];
      readonly retry_after_ms: number | null;
      /** What indexers would have to look at again; `index --scope` and `POST /v1/index` take it as it is. */
      readonly suggested_refresh_scope: readonly { readonly context: string; readonly files: readonly string[] }[];
      readonly witness: WitnessPacket;
      readonly plan_id?: string;
      readonly current?: readonly { readonly path: string; readonly line: number; readonly text: string }[];
      readonly can_force_syntactic: boolean;
    }
  | {
      readonly kind: 'needs_decision';
      readonly plan: PlanView | null;
      readonly candidate_sets: readonly CandidateSet[];
      readonly capsules: readonly DecisionCapsule[];
      readonly witness: WitnessPacket;
      readonly required_proof: RequiredProof;
      /** Of the questions that were answered before. */
      readonly remembered?: readonly Remembered[];
    }
  | {
      readonly kind: 'refused';
      readonly reason: RefusedReason;
      readonly detail: string;
      readonly evidence: readonly WitnessFact[];
      readonly alternatives: readonly string[];
    }
  | {
      readonly kind: 'unsupported';
      readonly reason: UnsupportedReason;
      readonly detail: string;
      readonly install?: string;
      readonly can_force_syntactic: boolean;
    };

/** `outcome` and one sentence about what to do next; the surface adds `repo` and `freshness`. */
export type Answer = { readonly outcome: Outcome; readonly next: string };

export type Proof = {
  readonly identity: string;
  readonly lines: readonly {
    readonly file: string;
    readonly line: number;
    readonly text?: string;
    readonly hash?: string;
    /** Lines that stand beside it, at most three before or after. */
    readonly context?: readonly string[];
  }[];
  readonly anchors: readonly {
    readonly file: string;
    readonly line: number;
    readonly col: number;
    readonly before: string;
    readonly text: string;
    readonly after: string;
  }[];
  readonly reasoning?: string;
};

export type CommitRequest = {
  readonly request_id?: string | undefined;
  readonly plan_id: string;
  /** An id names one plan, which never changes, and a ledger is of one root: both need not be said. */
  readonly plan_hash?: string | undefined;
  readonly root_hash?: string | undefined;
  /** Group ids and candidate ids: the main group and exactly one option of every item. */
  readonly selections?: readonly string[] | undefined;
  /** Instead, or beside: options by the number, id or kind of the question, with the line that was read there behind a colon. */
  readonly answers?: Readonly<Record<string, string>> | undefined;
  /** Without it the lines that `answers` quotes are the proof. */
  readonly proof?: Proof | undefined;
};
