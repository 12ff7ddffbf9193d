/**
 * A refactoring is a value (mutation.md §12): it says what it is about, what must change with it and what may differ afterwards. It
 * cannot write, and it cannot skip the gate or the proof (M35): it is handed a world without plans and without a way to the disk, and
 * everything it returns goes through `plan-change.ts`.
 */

import type { Question } from '../index/navigate/question.ts';
import { z } from '../kernel/base/schema.ts';
import type { Answer, FileStateView, WitnessPacket } from './answer.ts';
import type {
  Clash,
  CompilerEdit,
  CompilerJob,
  FileMove,
  ItemDraft,
  ProofQuestion,
} from './compiler/session/messages.ts';
import type { RiskyDraft } from './plans/groups.ts';
import type { PlanSymbol } from './plans/plan.ts';
import type { CensusClass, PlanKind, Provenance, RefusedReason } from './vocabulary.ts';
import type { MutationWorld } from './world.ts';

/** What a refactoring may look at. */
export type LookingWorld = Omit<MutationWorld, 'plans' | 'session' | 'sweep' | 'refresh'> & {
  readonly question: Question;
};

export type Findings = {
  readonly kind: 'findings';
  readonly symbol: PlanSymbol;
  readonly newName: string;
  /** Of the main group, for people: "rename `a` to `b`". */
  readonly title: string;
  /** Offsets in UTF-16 units of the texts that `texts` names. */
  readonly edits: readonly CompilerEdit[];
  readonly items: readonly ItemDraft[];
  readonly moves: readonly FileMove[];
  readonly clashes: readonly Clash[];
  /** SHA-256 of the text of every file that was looked at; another text on disk, and nothing of this holds. */
  readonly texts: Readonly<Record<string, string>>;
  /** The same of files whose names hold a token, by what each is called instead (`setUnreadableAside`). */
  readonly unnamed?: Readonly<Record<string, string>>;
  readonly contextKeys: readonly string[];
  readonly census: Readonly<Record<CensusClass, number>>;
  readonly notes: readonly string[];
  readonly bounds: WitnessPacket['bounds'];
  /** What may differ afterwards, for the shadow proof; null where there is no compiler to ask. */
  readonly isomorphism: Omit<ProofQuestion, 'kind' | 'edits' | 'moves'> | null;
  /** What is claimed without the shadow proof. */
  readonly provenance: Exclude<Provenance, 'proven'>;
  /** Of forced plans: edits that are chosen one by one. */
  readonly risky: readonly RiskyDraft[];
  /** Stays open for the proof; `draftPlan` closes it. */
  readonly job: CompilerJob | null;
};

/** Facts of an index that are not of the bytes on disk: a refresh can settle it (§2.5). */
export type NotFresh = {
  readonly kind: 'not_fresh';
  readonly detail: string;
  readonly files: readonly (FileStateView & { readonly context: string | null })[];
};

export type FoundOrNot = Findings | NotFresh | { readonly kind: 'answer'; readonly answer: Answer };

export type Refactoring<I> = {
  readonly kind: PlanKind;
  /** What surfaces call it. */
  readonly name: string;
  readonly says: string;
  readonly input: z.ZodType<I>;
  readonly languages: readonly string[];
  readonly find: (world: LookingWorld, input: I) => Promise<FoundOrNot>;
  /** What to do after a refusal, where the sentence that renames have does not fit. */
  readonly nextAfterRefused?: Partial<Record<RefusedReason, string>>;
};

/** How long a refresh of the index may take before the answer is `blocked`. */
export const WaitMs = z.number().int().min(0).max(600_000).default(10_000);

export function defineRefactoring<I>(refactoring: Refactoring<I>): Refactoring<I> {
  return refactoring;
}
