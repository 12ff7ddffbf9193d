/**
 * What is asked of the compiler job and what it answers (mutation.md §3.1): one process, one question after another, over its standard
 * streams. With `open-compiler.ts` this is all that code outside `compiler/` may import of it. Offsets are UTF-16 units of the file's text without BOM handling: position 0 is the first unit that TypeScript sees, which is
 * the unit after a byte order mark. Paths are relative to the root, with `/`; files outside it are absolute.
 */

import type { AliasPolicy, EditForm, ItemKind, RefusedReason } from '../../vocabulary.ts';

/** A program to open: a configuration file, or loose files that no configuration covers. */
export type ProgramSpec =
  | { readonly key: string; readonly config: string }
  | { readonly key: string; readonly config: null; readonly files: readonly string[] };

/** A file that moves: its edits are those of `from`. */
export type FileMove = { readonly from: string; readonly to: string };

export type CodeSpan = { readonly path: string; readonly start: number; readonly end: number };

/** Where something is declared: the offset of its name (of the declaration, where it has none). */
export type DeclarationPlace = { readonly path: string; readonly start: number; readonly outside: boolean };

export type RenameQuestion = {
  readonly kind: 'rename';
  readonly path: string;
  readonly offset: number;
  readonly newName: string;
  readonly aliasPolicy: AliasPolicy;
  /**
   * Exports reachable from a package's entry: renamed through, or kept by an alias at the outermost export. `ask`: renamed, and told which
   * they are; where nobody asks they are not looked for.
   */
  readonly publicNames: 'ask' | 'rename' | 'keep';
  /** Tokens of the old name in TypeScript and JavaScript files, as the census found them: each is accounted for in the answer. */
  readonly census: readonly CodeSpan[];
};

/** For the reasons to doubt the same rename: they may take longer than all the rest. */
export type DoubtQuestion = Omit<RenameQuestion, 'kind'> & { readonly kind: 'doubt' };
export type DoubtList = { readonly kind: 'doubts'; readonly items: readonly ItemDraft[] };

export type CompilerEdit = CodeSpan & {
  /** The text between start and end, as it stands. */
  readonly oldText: string;
  readonly newText: string;
  readonly form: EditForm;
};

/** A doubt before it has an id: what may be chosen, and what each choice edits. */
export type ItemDraft = CodeSpan & {
  readonly kind: ItemKind;
  readonly detail: string;
  /** By option, what it edits; options without edits are left out. */
  readonly edits: Readonly<Record<string, readonly CompilerEdit[]>>;
  /** Where they are not all of the kind's own. */
  readonly options?: readonly string[];
};

/** Who else has the new name there. */
export type Clash = CodeSpan & {
  readonly reason: Extract<RefusedReason, 'collision' | 'capture' | 'export_clash' | 'reserved_name' | 'invalid_name'>;
  readonly detail: string;
  readonly other: DeclarationPlace | null;
};

export type CensusAccount = CodeSpan & {
  /**
   * `uncovered`: in no program. `unbound`: a program has the file, and its compiler gives the name no symbol. `no_name`: the compiler reads
   * the file without a syntax error, and what stands there is no name: a comment, a string, a word of the language.
   */
  readonly account: 'planned' | 'other_symbol' | 'unbound' | 'no_name' | 'failed' | 'uncovered';
  readonly detail: string | null;
  /** Of `no_name`, where the compiler's tree says it: then nothing else has to read the file. */
  readonly inside?: 'comment' | 'string';
  /** Of another symbol: the other files that declare what it is bound to. Absent for an import that leads nowhere, and for its uses. */
  readonly declaredIn?: readonly string[];
};

export type RenameFindings = {
  readonly kind: 'findings';
  readonly symbol: {
    readonly name: string;
    /** `Class/method`, as name paths of the index are written. */
    readonly namePath: string;
    readonly kind: string;
    readonly definedAt: DeclarationPlace;
  };
  /** `file`: the language confines the binding to its file. */
  readonly reach: 'file' | 'repo';
  readonly isMember: boolean;
  /** Declarations of all family members. */
  readonly family: readonly DeclarationPlace[];
  readonly edits: readonly CompilerEdit[];
  readonly clashes: readonly Clash[];
  readonly census: readonly CensusAccount[];
  /** Exported names of the family that a package's entry shows, if any; not looked for where they are renamed whatever they are. */
  readonly publicAt: readonly CodeSpan[];
  /** SHA-256 hex of the text (UTF-8) of every file that takes part, as the compiler read it. */
  readonly texts: Readonly<Record<string, string>>;
  /** All files of the programs below the root, where the name can be seen outside its own. */
  readonly files?: readonly string[];
  /** The reference set of the compiler's own search against the planned one. */
  readonly references: {
    readonly agrees: boolean;
    readonly onlyThere: readonly CodeSpan[];
    readonly onlyHere: readonly CodeSpan[];
  };
  readonly notes: readonly string[];
};

export type Refusal = {
  readonly kind: 'refused';
  readonly reason: RefusedReason;
  readonly detail: string;
  readonly evidence: readonly (CodeSpan & { readonly says: string })[];
};

/** Edits, and what they are to be held against. */
export type ProofSubject = {
  readonly kind: 'prove';
  readonly oldName: string;
  readonly newName: string;
  readonly edits: readonly CompilerEdit[];
  /** Moved files: the program sees the new path instead of the old. */
  readonly moves: readonly FileMove[];
  /** `file`: the tokens of the edited files; `repo`: those of all programs. */
  readonly reach: 'file' | 'repo';
  readonly family: readonly DeclarationPlace[];
  readonly isMember: boolean;
};

/** Two jobs can share the work (`proveTogether`), each answering for a part; absent: all of it. */
export type ProofQuestion = ProofSubject & {
  readonly part?: 'names' | 'diagnostics';
  /** Of names, those of the edited and every second other file, or of the rest. */
  readonly half?: 'first' | 'second';
};

/** For all of it, if little has to be asked, or of few files; otherwise the session may share the work. */
export type SmallProofQuestion = ProofSubject & { readonly part: 'if small'; readonly files: number };
export type NotSmall = { readonly kind: 'not_small' };

/** For the diagnostics of one side; the session compares the two. */
export type SideQuestion = ProofSubject & { readonly part: 'before' | 'after' };

export type ProofPlace = { readonly at: CodeSpan; readonly before: string; readonly after: string };

export type ProofReport =
  | {
      readonly kind: 'proven';
      readonly tokens: number;
      readonly files: number;
      readonly programs: number;
      readonly diagnostics: number;
      readonly ms: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'disproved';
      readonly reason: 'bindings_change' | 'new_diagnostics';
      /** At most 20. */
      readonly places: readonly ProofPlace[];
      readonly more: number;
    }
  /** M18: a token whose binding request failed never counts as equal. At most 20 are told. */
  | { readonly kind: 'gaps'; readonly places: readonly ProofPlace[]; readonly more: number };

/** One side's diagnostics: equal keys are the same diagnostic, before and after. */
export type DiagnosticList = {
  readonly kind: 'listed';
  readonly diagnostics: readonly { readonly key: string; readonly at: CodeSpan; readonly says: string }[];
  readonly ms: Readonly<Record<string, number>>;
};

export type CompilerQuestion = RenameQuestion | DoubtQuestion | ProofQuestion | SmallProofQuestion | SideQuestion;
export type CompilerAnswer = RenameFindings | DoubtList | Refusal | ProofReport | NotSmall | DiagnosticList;

/** The question itself could not be answered: the job died, ran out of time or memory, or the interface failed. */
export type CompilerFailure = { readonly kind: 'failed'; readonly detail: string };

/** There is no job to ask. */
export type CompilerUnavailable = {
  readonly kind: 'unavailable';
  readonly reason: 'missing_tool' | 'sandbox_missing' | 'failed';
  readonly detail: string;
};

/** An open job, as its caller sees it. */
export type CompilerJob = {
  readonly kind: 'open';
  ask(question: RenameQuestion): Promise<RenameFindings | Refusal | CompilerFailure>;
  ask(question: DoubtQuestion): Promise<DoubtList | Refusal | CompilerFailure>;
  ask(question: ProofQuestion): Promise<ProofReport | CompilerFailure>;
  ask(question: SmallProofQuestion): Promise<ProofReport | NotSmall | CompilerFailure>;
  ask(question: SideQuestion): Promise<DiagnosticList | ProofReport | CompilerFailure>;
  ask(question: CompilerQuestion): Promise<CompilerAnswer | CompilerFailure>;
  /** What will be asked, after something else: other processes may begin with it. */
  expect?(question: ProofQuestion): void;
  /** Ends the process; nothing of it is left when this resolves. */
  close(): Promise<void>;
};

/** One line from the session to its job. */
export type JobLine =
  | {
      readonly kind: 'open';
      readonly root: string;
      readonly programs: readonly ProgramSpec[];
      /** It will be asked in other requests too. */
      readonly stays: boolean;
      /** By path from the root, what stands in for files on disk (`kernel/tree/unsaved-texts.ts`). */
      readonly unsaved?: Readonly<Record<string, string>> | undefined;
    }
  | CompilerQuestion;

/** One line back. */
export type JobReply =
  | { readonly kind: 'opened'; readonly programs: readonly { readonly key: string; readonly files: number }[] }
  | CompilerAnswer
  | CompilerFailure;

export function refuse(reason: Refusal['reason'], detail: string, evidence: Refusal['evidence'] = []): Refusal {
  return { kind: 'refused', reason, detail, evidence };
}

/** Whether a proof is expected or asked for, the question is the same. */
export function proofQuestion(
  isomorphism: Omit<ProofQuestion, 'kind' | 'edits' | 'moves'>,
  edits: readonly CompilerEdit[],
  moves: readonly FileMove[],
): ProofQuestion {
  return { kind: 'prove', ...isomorphism, edits, moves };
}

/** A tie by shape whose other side cannot be renamed along: `why` is said, and only leaving it is offered. */
export function cannotFollow<T extends ItemDraft>(item: T, why: string): T {
  const detail = `${item.detail} The other side cannot be renamed along: ${why}.`;
  return { ...item, detail, edits: {}, options: ['leave', 'stop'] };
}

/** What came and what went, as multisets of keys. The job compares its own two sides; a session compares those of two jobs. */
export function compareDiagnostics(
  was: DiagnosticList['diagnostics'],
  is: DiagnosticList['diagnostics'],
): { readonly diagnostics: number; readonly changed: readonly ProofPlace[] } {
  const left = new Map<string, DiagnosticList['diagnostics'][number][]>();
  for (const found of was) {
    const same = left.get(found.key);
    if (same === undefined) left.set(found.key, [found]);
    else same.push(found);
  }
  const fresh = is.filter(({ key }) => left.get(key)?.pop() === undefined);
  const gone = [...left.values()].flat();
  return {
    diagnostics: is.length,
    changed: [
      ...fresh.map(({ at, says }) => ({ at, before: '', after: says })),
      ...gone.map(({ at, says }) => ({ at, before: says, after: '' })),
    ],
  };
}
