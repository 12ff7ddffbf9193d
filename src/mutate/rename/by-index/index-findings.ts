/** What a rename without the compiler is asked and what it finds (mutation.md §2, §3.2). Offsets are UTF-16 units, as in `compiler/types.ts`. */

import type { Question } from '../../../index/navigate/question.ts';
import type { Subject } from '../../../index/navigate/subject.ts';
import type { CodeSpan, CompilerItem, Refusal, RenameFindings } from '../../compiler/session/messages.ts';
import type { BrokenPlace } from '../../proof/lexical-proofs.ts';
import type { AliasPolicy, CensusClass } from '../../vocabulary.ts';

export type IndexRename = {
  /** Over a swept view. */
  readonly question: Question;
  readonly subject: Subject;
  readonly newName: string;
  /** `through` where nothing is said. */
  readonly aliasPolicy?: AliasPolicy;
  /** Runs the proofs of §3.2 (the default); without it a plan is faster, and nobody may call it proved. */
  readonly prove?: boolean;
  /** The census has to end now: what is not looked at by then blocks the plan (§3.3). Without it there is no limit. */
  readonly isOver?: () => boolean;
};

/** M6: every token spelled like the old name, with its one class. `why` is a few words for whoever reads it. */
export type TokenAccount = CodeSpan & { readonly class: CensusClass; readonly why: string };

export type ProofState = 'holds' | 'breaks' | 'not_run';

export type IndexFindings = RenameFindings & {
  readonly items: readonly CompilerItem[];
  readonly provenance: 'resolved';
  readonly language: string;
  /** The old name as it is written. */
  readonly oldName: string;
  readonly accounts: readonly TokenAccount[];
  readonly counts: Readonly<Record<CensusClass, number>>;
  /** The gate's set: files that define, use or merely hold the name, and what the first two import. Sorted. */
  readonly affected: readonly string[];
  readonly contexts: readonly string[];
  /** Bound by lexical scope in one file alone: no indexer took part. */
  readonly isLexical: boolean;
  /** The new name is in no file of the language. */
  readonly isFresh: boolean;
  readonly proofs: { readonly parse: ProofState; readonly scope: ProofState; readonly places: readonly BrokenPlace[] };
};

export type NotClean = {
  readonly path: string;
  readonly state: string;
  readonly why: string;
  /** Of the context that would have to look; null where the file is in none. */
  readonly context: string | null;
  /** What a refresh of that context has to look at. */
  readonly scope: string;
};

export type IndexBlocked = {
  readonly kind: 'blocked';
  readonly reason: 'not_fresh' | 'truncated';
  readonly detail: string;
  readonly files: readonly NotClean[];
};

export type IndexUnsupported = {
  readonly kind: 'unsupported';
  readonly reason: 'language' | 'missing_tool';
  readonly detail: string;
};

export type IndexOutcome = IndexFindings | Refusal | IndexBlocked | IndexUnsupported;

export function refuse(reason: Refusal['reason'], detail: string, evidence: Refusal['evidence'] = []): Refusal {
  return { kind: 'refused', reason, detail, evidence };
}
