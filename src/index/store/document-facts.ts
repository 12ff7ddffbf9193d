/** What an indexer says about one document, ready for the store (code-plane.md §6–§8): types, and the closed lists that columns hold. */

import type { Family } from '../../languages/projects/context-spec.ts';

export const occurrenceForms = ['name', 'alias', 'keyword', 'string', 'module', 'synthetic'] as const;
/** How the text at an occurrence relates to the symbol's name. The position in the list is its code in `DocumentFacts`. */
export type OccurrenceForm = (typeof occurrenceForms)[number];

const relationKinds = ['implements', 'reference', 'type_definition', 'definition', 'merge'] as const;
export type RelationKind = (typeof relationKinds)[number];

/** The kinds of mutation.md §2.6 that an import can find; the census finds others when it is asked. */
const importItemKinds = ['unresolved_reference', 'multiple_definitions', 'indexer_gap', 'dist_boundary'] as const;
export type ImportItemKind = (typeof importItemKinds)[number];

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
