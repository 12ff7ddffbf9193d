/**
 * codegenie for programs: what `import { openWorkspace } from 'codegenie'` gives, in types alone, because the package ships this file as its
 * declarations (`dist/library.d.ts`). `library.ts` is held to it by the compiler. Answers have more fields than are named here: the JSON
 * Schemas in `schemas/` have all of them; what is named here is kept as COMPATIBILITY.md says.
 */

export type OpenOptions = {
  /** Ends every call that is under way. */
  readonly signal?: AbortSignal;
  /** Where `.codegenie/config.yaml` of the user lies; the home directory otherwise. */
  readonly home?: string;
  /** Instead of this process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** How long to wait for another process that builds the index, or writes; 60 s. */
  readonly waitMs?: number;
  /** One line about what takes its time. */
  readonly onStep?: (says: string) => void;
};

/**
 * The work tree around a path, or of the current directory. Joins the daemon of the tree where one runs; else every call opens the index for
 * itself and leaves nothing running. Throws where there is no directory, or this Node is too old.
 */
export type OpenWorkspace = (path?: string, options?: OpenOptions) => Promise<Workspace>;

export type Workspace = {
  readonly root: string;

  /** Runs the probes and publishes the context, as `codegenie gather` does. */
  gather(ask?: { readonly task?: string; readonly component?: string }): Promise<Gathered>;
  /** Facts of the last gather by id, or how ids begin, and scope; runs nothing. */
  facts(ask?: { readonly id?: string; readonly scope?: string; readonly explain?: boolean }): Promise<Facts | Problem>;

  search(ask: SearchAsk): Promise<Answered<FoundLines> | Problem>;
  symbols(ask: SymbolsAsk): Promise<Answered<FoundSymbols> | Problem>;
  outline(ask: { readonly path: string }): Promise<Answered<Outline> | Problem>;
  /** These three ask the compiler for what is not indexed yet, unless `as_indexed`. */
  def(ask: TargetAsk): Promise<Answered<Definitions> | Problem>;
  refs(ask: TargetAsk): Promise<Answered<References> | Problem>;
  implementations(ask: TargetAsk): Promise<Answered<Implementations> | Problem>;
  deps(ask: { readonly path: string; readonly reverse?: boolean } & Page): Promise<Answered<object> | Problem>;
  slice(ask: {
    readonly target: string;
    readonly kind: 'def-use' | 'imports' | 'dependency-chain';
  }): Promise<Answered<object> | Problem>;
  status(): Promise<Answered<object> | Problem>;

  /** Plans and writes nothing; `apply` commits at once what is one proven group without a question. */
  rename(ask: RenameAsk): Promise<Changed | Problem>;
  move(ask: { readonly file: string; readonly to: string; readonly apply?: boolean }): Promise<Changed | Problem>;
  /** Writes all files of a plan or none. `answers`: an option by the number of each question, or by its kind. */
  commit(ask: {
    readonly plan_id: string;
    readonly answers?: Readonly<Record<string, string>>;
    readonly request_id?: string;
  }): Promise<Changed | Problem>;
  showPlan(ask: { readonly plan_id: string; readonly from?: number }): Promise<Changed | Problem>;
  undo(ask: { readonly plan_id: string }): Promise<Changed | Problem>;
  cancel(ask: { readonly plan_id: string }): Promise<Changed | Problem>;
  plans(): Promise<{ readonly outcome: 'ok'; readonly plans: readonly object[] } | Problem>;

  /** Ends what is under way; nothing can be asked afterwards. */
  close(): void;
};

/** There is no answer, and why. */
export type Problem = {
  readonly outcome:
    | 'not_found'
    | 'ambiguous'
    | 'invalid'
    | 'busy'
    | 'output_refused'
    | 'config_invalid'
    | 'no_context'
    | 'unknown_id'
    | 'unknown_scope';
  readonly message: string;
  /** What could have been meant. */
  readonly candidates: readonly string[];
};

export type Answered<T> = T & { readonly outcome: 'ok'; readonly repo: Repo; readonly freshness: Freshness };

export type Repo = {
  readonly root: string;
  readonly root_hash: string;
  readonly head: string | null;
  readonly generation: number | null;
};

export type Freshness = {
  readonly state: 'clean' | 'facts_behind' | 'dirty' | 'unverified';
  readonly files: readonly { readonly path: string; readonly state: string }[];
  /** Files that the compiler was asked about for this answer. */
  readonly compiled?: number | undefined;
  /** Compiler facts that are not there yet. */
  readonly missing?: { readonly files: number; readonly about_s: number; readonly under_way: boolean } | undefined;
};

/** `value` is null where nothing is known yet; `unresolved` says why it is a lower bound. */
export type Count = {
  readonly value: number | null;
  readonly relation: 'eq' | 'gte';
  readonly unresolved: readonly string[];
};

export type Page = { readonly limit?: number; readonly continue?: string };
type Paged = { readonly count: Count; readonly truncated: boolean; readonly continue: string | null };

/** `path:line:col`, `path#name` or a name path (`Class/method`). */
export type TargetAsk = { readonly target: string; readonly as_indexed?: boolean } & Page;
export type SearchAsk = {
  readonly query: string;
  readonly regex?: boolean;
  readonly ignore_case?: boolean;
  readonly word?: boolean;
  readonly path?: readonly string[];
  readonly lang?: readonly string[];
} & Page;
export type SymbolsAsk = {
  readonly query: string;
  readonly kind?: readonly string[];
  readonly path?: readonly string[];
  readonly exact?: boolean;
} & Page;
export type RenameAsk = {
  readonly target: string;
  readonly new_name: string;
  readonly apply?: boolean;
  readonly mode?: 'semantic' | 'force_syntactic';
  readonly public_names?: 'ask' | 'rename' | 'keep';
  readonly request_id?: string;
};

/** 1-based; the column in UTF-16 units. */
export type Place = { readonly path: string; readonly line: number; readonly col: number };
type Hit = { readonly line: number; readonly col: number; readonly end_col: number; readonly text: string };
type Provenance = 'resolved' | 'syntactic' | 'text';

export type References = Paged & {
  readonly target: Place & { readonly name: string };
  readonly files: readonly {
    readonly path: string;
    readonly hits: readonly (Hit & { readonly role: string; readonly provenance: Provenance })[];
  }[];
  /** Places that could mean it. */
  readonly unresolved: readonly { readonly path: string; readonly hits: readonly (Hit & { readonly why: string })[] }[];
  readonly certainty: 'certain' | 'ambiguous' | 'unknown';
};
type Declared = Hit & {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly name_path: string | null;
  readonly provenance: Provenance;
};
export type Definitions = Paged & {
  readonly definitions: readonly Declared[];
  readonly modules: readonly string[];
  readonly outside: readonly { readonly specifier: string; readonly name: string }[];
};
export type Implementations = Paged & {
  readonly target: Place & { readonly name: string };
  readonly implementations: readonly Declared[];
};
export type FoundLines = Paged & {
  readonly files: readonly { readonly path: string; readonly hits: readonly Hit[] }[];
};
export type FoundSymbols = Paged & {
  readonly symbols: readonly (Place & { readonly name: string; readonly name_path: string; readonly kind: string })[];
};
export type Outline = {
  readonly symbols: readonly { readonly name: string; readonly kind: string; readonly line: number }[];
};

export type Fact = {
  readonly id: string;
  readonly scope: string;
  readonly state: 'known' | 'none' | 'unknown' | 'not_looked';
  readonly value: unknown;
  readonly confidence: 'high' | 'medium' | 'low' | null;
  /** `path:line` */
  readonly evidence: readonly string[];
  readonly how: string;
};
export type Facts = {
  /** `stale`: what they were made from has changed since; gather again. */
  readonly outcome: 'ok' | 'stale';
  readonly facts: readonly Fact[];
  readonly gathered_at: string | null;
};
/** `published`: the context is written. Any other: nothing was, or not all. */
export type Gathered = { readonly outcome: string; readonly message: string | null };

/** What a change came to, in one of six outcomes; `next` says what to do. */
export type Changed = {
  readonly outcome: {
    readonly kind: 'ok' | 'ok_syntactic' | 'blocked' | 'needs_decision' | 'refused' | 'unsupported';
    readonly state?: 'planned' | 'applied' | 'undone' | 'cancelled';
    readonly plan?: Plan | null;
    readonly reason?: string;
    readonly detail?: string;
  };
  readonly next: string;
};
export type Plan = {
  readonly id: string;
  readonly hash: string;
  readonly status: string;
  readonly provenance: string;
  readonly new_name: string;
  readonly expires_at: string;
  readonly groups: readonly {
    readonly id: string;
    readonly edits: readonly {
      readonly file: string;
      readonly line: number;
      readonly col: number;
      readonly after: string;
    }[];
    /** Edits that are not listed; a commit makes all. */
    readonly more: number;
  }[];
  readonly items: readonly {
    readonly number: number;
    readonly kind: string;
    readonly at: { readonly file: string; readonly line: number; readonly col: number };
    readonly detail: string;
    readonly options: readonly { readonly id: string; readonly means: string }[];
  }[];
  /** How many questions there are in all. */
  readonly questions: number;
  readonly files: readonly { readonly path: string; readonly edits: number }[];
  readonly notes: readonly string[];
};
