/**
 * The words of the semantic layer (code-plane.md §5–§8): contexts, scopes, failures, and what one indexed document says. Types and
 * closed lists only; every room below `index` that speaks of compiler facts uses these.
 */

import type { JsonObject } from '../../kernel/base/json.ts';

export const families = ['typescript', 'python', 'go', 'rust', 'java', 'csharp', 'c'] as const;
/** A group of languages that one kind of indexer understands; the first word of every symbol key. */
export type Family = (typeof families)[number];

export const indexerIds = [
  'scip-typescript',
  'tsgo',
  'scip-python',
  'scip-go',
  'scip-java',
  'rust-analyzer',
  'scip-clang',
  'scip-dotnet',
] as const;
export type IndexerId = (typeof indexerIds)[number];

/** Those that read TypeScript and JavaScript; the first one does where nobody chose (decision 0027). */
export const typeScriptIndexers = ['tsgo', 'scip-typescript'] as const satisfies readonly IndexerId[];
export type TypeScriptIndexer = (typeof typeScriptIndexers)[number];

/** What a refresh scope is widened to. */
export type Granularity = 'project' | 'package' | 'file';

export const probeStates = [
  'ok',
  'missing_tool',
  'bad_version',
  'sandbox_missing',
  'config_error',
  'disabled',
] as const;
/** Can the indexer of a context run here? */
export type ProbeState = (typeof probeStates)[number];

/** One indexer project as discovery found it: a pure function of configuration files, paths and resolved imports. */
export type ContextSpec = {
  /** `ts:packages/api/tsconfig.json`, `ts-loose:packages/x`, `python:services/a`, `go:go.work`; unique. */
  readonly key: string;
  readonly family: Family;
  /** Directory, root-relative; `''` is the root. */
  readonly root: string;
  readonly configPath: string | null;
  readonly indexer: IndexerId;
  /** Files in scope, sorted by code unit. */
  readonly members: readonly string[];
  /** What the adapter needs to plan its run, and nothing else; stored as `config_json`. */
  readonly config: JsonObject;
  /** Everything that decides what the program means, besides its members' bytes; `config_hash` is an id over it. */
  readonly configInputs: JsonObject;
  /** Why the configuration cannot be used; the context then has probe `config_error`. */
  readonly problem: string | null;
  /** Why a compiler that is given the configuration as it is does not come to an end. */
  readonly endless?: string;
  readonly enabled: boolean;
};

/** A context as the store has it. */
export type StoredContext = Omit<ContextSpec, 'members' | 'configInputs' | 'problem' | 'endless'> & {
  readonly id: number;
  readonly granularity: Granularity;
  readonly configHash: string;
  readonly toolPath: string | null;
  readonly toolId: string | null;
  readonly envHash: string;
  readonly probe: ProbeState;
  readonly probeDetail: string | null;
};

/** `null`: the whole context. Lists are sorted and distinct; both empty means nothing and is never stored. */
export type RefreshScope = { readonly files: readonly string[]; readonly packages: readonly string[] } | null;

export const failures = [
  'missing_tool',
  'bad_version',
  'sandbox_missing',
  'config_error',
  'tool_crashed',
  'tool_timeout',
  'out_of_memory',
  'no_output',
  'decode_error',
  'too_few_documents',
  'io_error',
  'internal_error',
] as const;
/** Every way a refresh job can fail. */
export type Failure = (typeof failures)[number];

export const occurrenceForms = ['name', 'alias', 'keyword', 'string', 'module', 'synthetic'] as const;
/** How the text at an occurrence relates to the symbol's name. The position in the list is its code in `DocumentFacts`. */
export type OccurrenceForm = (typeof occurrenceForms)[number];

export const relationKinds = ['implements', 'reference', 'type_definition', 'definition', 'merge'] as const;
export type RelationKind = (typeof relationKinds)[number];

/** The kinds of mutation.md §2.6 that an import can find; the census finds others when it is asked. */
export const importItemKinds = [
  'unresolved_reference',
  'multiple_definitions',
  'indexer_gap',
  'dist_boundary',
] as const;
export type ImportItemKind = (typeof importItemKinds)[number];

/** SCIP's own bits. */
export const roleBits = { definition: 1, import: 2, write: 4, read: 8, generated: 16, test: 32, forward: 64 } as const;

export type SymbolIdentity = {
  /** `family SP package SP descriptors`; `local <path> <content hash prefix> N` for locals. */
  readonly key: string;
  readonly family: Family;
  readonly package: string;
  readonly inRepo: boolean;
  readonly name: string;
};

/** Ints per occurrence: start, end (bytes), symbol (index in `symbols`), roles, form (index), line, col, end line, end col. */
export const occurrenceStride = 9;

/** What one accepted document says, ready for the store: bytes, 0-based lines, 0-based UTF-16 columns. */
export type DocumentFacts = {
  readonly path: string;
  /** Of the bytes that ranges were checked against. */
  readonly contentHash: string;
  /** Identities this document speaks of; objects are shared between documents of one import. */
  readonly symbols: readonly SymbolIdentity[];
  /** `occurrenceStride` ints each, sorted by start, end, symbol; no two equal in those three. */
  readonly occurrences: Int32Array;
  /** What this document defines. */
  readonly infos: readonly {
    readonly symbol: number;
    readonly raw: string;
    readonly kind: string | null;
    readonly signature: string | null;
    readonly sigHash: string | null;
  }[];
  readonly relations: readonly { readonly from: number; readonly to: number; readonly kind: RelationKind }[];
  readonly items: readonly {
    readonly symbol: number | null;
    readonly name: string | null;
    readonly kind: ImportItemKind;
    readonly start: number;
    readonly end: number;
    readonly detail: string;
  }[];
  /** 8 bytes per line, line end excluded. */
  readonly lineHashes: Uint8Array;
  readonly semIface: string | null;
};

/** `sem` of a dependency of which the tool said nothing, although it is a member. */
export const noDocument = 'no document';

/** A dependency of a file with its interface at index time; `null` reads as unknown. */
export type DependencySnapshot = { readonly path: string; readonly syn: string | null; readonly sem: string | null };
