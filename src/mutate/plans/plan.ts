/**
 * A change on its way from a request to the disk. Offsets are bytes of the hashed file unless a name says otherwise; `Loc` is what
 * people see: 1-based, the column in UTF-16 units. Nothing here knows how a plan was made.
 */

import type { Answer, WitnessPacket } from '../answer.ts';
import type { FileMove, ProofQuestion } from '../compiler/session/messages.ts';
import type {
  CensusClass,
  EditForm,
  ImportStep,
  ItemKind,
  Loc,
  PlanKind,
  PlanStatus,
  Provenance,
  RiskReason,
  Tier,
} from '../vocabulary.ts';

/** From the hashed bytes (§4): at most 16 UTF-16 units on each side, within the line. */
export type Anchor = {
  readonly before: string;
  readonly text: string;
  readonly after: string;
  /** SHA-256, its first 16 hex digits, of the line without its line end. */
  readonly lineHash: string;
  /** Which of the equal (before, text, after) of the file, from 0. */
  readonly ordinal: number;
};

export type Edit = {
  readonly path: string;
  readonly startByte: number;
  readonly endByte: number;
  readonly oldText: string;
  readonly newText: string;
  readonly form: EditForm;
  readonly line: number;
  readonly col: number;
  readonly anchor: Anchor;
};

/** All edits of a group stand or fall together. The main group has no item. */
export type Group = {
  readonly id: string;
  readonly title: string;
  readonly provenance: Provenance;
  readonly itemId: string | null;
  readonly option: string | null;
  readonly edits: readonly Edit[];
  /** It was written. */
  readonly isSelected?: true;
};

export type ItemOption = { readonly id: string; readonly means: string; readonly groupId: string | null };

export type Item = {
  readonly id: string;
  readonly kind: ItemKind;
  readonly path: string;
  readonly startByte: number;
  readonly endByte: number;
  readonly line: number;
  readonly col: number;
  /** The token, and its line as an anchor. */
  readonly text: string;
  readonly anchor: Anchor;
  readonly detail: string;
  readonly options: readonly ItemOption[];
  readonly chosen: string | null;
};

/** `hash`, `newHash`: BLAKE3 hex of the whole file (`blake3Hex`), as the index has it. Only edited files have the latter two. */
export type PlanFile = {
  /** What it is called instead, where its name holds a token: then `hash` begins with `unnamedHash` and is of its text. */
  readonly path: string;
  readonly role: 'edited' | 'affected';
  readonly hash: string;
  readonly newHash: string | null;
  readonly mode: number | null;
};

export const unnamedHash = 'unnamed:';

export type PlanSymbol = {
  /** What `Proof.identity` may name, besides the name path: stable for equal facts. */
  readonly key: string;
  readonly name: string;
  readonly namePath: string;
  readonly kind: string;
  readonly definedAt: Loc;
};

/** What was asked, enough to plan it again. `input` is the refactoring's own request, as canonical JSON. */
export type PlanOperation = {
  readonly kind: PlanKind;
  readonly input: Readonly<Record<string, unknown>>;
};

export type Plan = {
  readonly id: string;
  readonly hash: string;
  readonly operation: PlanOperation;
  readonly rootHash: string;
  readonly worktree: string;
  readonly generation: number;
  readonly contextKeys: readonly string[];
  readonly symbol: PlanSymbol;
  readonly newName: string;
  readonly provenance: Provenance;
  readonly ambiguityFp: string;
  readonly status: PlanStatus;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly committedMs: number | null;
  readonly groups: readonly Group[];
  readonly items: readonly Item[];
  readonly files: readonly PlanFile[];
  readonly moves: readonly FileMove[];
  /** Over path and hash of every file in scope when it was made: equal at commit, and no question can have a new answer. */
  readonly scopeDigest: string;
  /** Of forced plans, why each group outside the lexical tier is doubtful; empty otherwise. */
  readonly risks: readonly PlanRisk[];
  readonly census: Readonly<Record<CensusClass, number>>;
  readonly notes: readonly string[];
  /** What may differ afterwards: for the shadow proof of another selection than the one proven. Null where no compiler can be asked. */
  readonly isomorphism?: Isomorphism | null;
};

export type Isomorphism = Omit<ProofQuestion, 'kind' | 'edits' | 'moves'>;

/** One edit of a forced plan (§10). */
export type PlanRisk = {
  readonly groupId: string;
  readonly tier: Tier;
  readonly risk: 'low' | 'medium' | 'high';
  readonly reasons: readonly RiskReason[];
  readonly importChain?: readonly ImportStep[];
};

/** What a plan is before it is kept: no identity, no life. */
export type PlanDraft = Omit<
  Plan,
  'id' | 'hash' | 'ambiguityFp' | 'status' | 'createdMs' | 'expiresMs' | 'committedMs' | 'rootHash' | 'worktree'
>;

/** One thing a writer does to the tree. Bytes are whole files. */
export type FileChange =
  | { readonly kind: 'replace'; readonly path: string; readonly oldHash: string; readonly newBytes: Uint8Array }
  | {
      readonly kind: 'create';
      readonly path: string;
      readonly newBytes: Uint8Array;
      readonly mode: number;
      /** Of a file that was moved here; where it is not said, the writer's. */
      readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
    }
  | { readonly kind: 'remove'; readonly path: string; readonly oldHash: string };

/** A draft, or the answer that there is none. */
export type Drafted =
  | { readonly kind: 'draft'; readonly draft: PlanDraft; readonly bounds: WitnessPacket['bounds'] }
  | { readonly kind: 'answer'; readonly answer: Answer };
