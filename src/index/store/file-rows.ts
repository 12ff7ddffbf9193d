/** What is written about one file, ready for the store: bytes, 0-based lines, 0-based UTF-16 columns (code-plane.md §1.5, §4.1). */

import type { DynamicKind, ImportKind, SymbolKind } from '../../languages/facts.ts';
import type { ImportReason } from '../../languages/resolving/resolution.ts';

const skipReasons = ['secret', 'large', 'binary', 'encoding', 'lfs', 'unreadable'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Where a link leads, if not to a file in scope. */
export const aliasReasons = ['directory', 'outside_root', 'forbidden', 'dangling', 'loop', 'out_of_scope'] as const;
export type AliasReason = (typeof aliasReasons)[number];

/** Micro- not nanoseconds: exact in a double, and finer than any file system's clock ticks. The column holds them times 1000. */
export type StatSignature = {
  readonly size: number;
  readonly mtimeUs: number;
  readonly ctimeUs: number;
  readonly ino: number;
};

export type FileRow = {
  readonly path: string;
  readonly pathKey: string;
  readonly kind: 'file' | 'alias';
  readonly canonicalPath: string | null;
  readonly language: string | null;
  readonly presence: 'present' | 'absent';
  /** 64 hex digits of BLAKE3; null for aliases, absent and secret-bearing files, and what could not be read. */
  readonly contentHash: string | null;
  readonly stat: StatSignature | null;
  /** When the bytes were hashed, in the clock that `stat` is judged by. */
  readonly hashedUs: number | null;
  readonly eol: 'lf' | 'crlf' | 'mixed' | 'odd' | 'none' | null;
  readonly bom: boolean;
  readonly lines: number | null;
  readonly generated: boolean;
  readonly vendored: boolean;
  readonly test: boolean;
  readonly conflicted: boolean;
  readonly redacted: boolean;
  readonly skipReason: SkipReason | AliasReason | null;
  readonly parse: 'ok' | 'errors' | 'failed' | 'skipped' | null;
  /** SHA-256 over the interface records; null is unknown, which reads as changed. */
  readonly synIface: string | null;
  readonly ifaceClosed: boolean;
  /** What `synIface` is recomputed from when an import resolves elsewhere: the hash of the records and the imported names they mention. */
  readonly ifaceCore: InterfaceCore | null;
};

export type InterfaceCore = {
  readonly hash: string;
  /** [ordinal of the import, name], sorted. */
  readonly mentions: readonly (readonly [number, string])[];
};

export type SymbolRow = {
  /** Position of the enclosing symbol in the same list; -1 at the top level. */
  readonly parent: number;
  readonly name: string;
  readonly nameFold: string;
  readonly namePath: string;
  readonly overload: number;
  readonly kind: SymbolKind;
  readonly exported: boolean;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
};

export type ImportRow = {
  readonly specifier: string;
  readonly kind: ImportKind;
  readonly literal: boolean;
  readonly typeOnly: boolean;
  readonly names: readonly { readonly name: string; readonly alias: string | null; readonly start: number }[];
  readonly start: number;
  readonly end: number;
};

export type ResolvedImport = {
  readonly targets: readonly string[];
  readonly reason: ImportReason | null;
  readonly external: string | null;
  readonly candidates: readonly string[];
};

export type ExportRow = {
  readonly publicName: string;
  readonly localName: string | null;
  readonly specifier: string | null;
  readonly star: boolean;
  readonly typeOnly: boolean;
};

export type SiteRow = {
  readonly start: number;
  readonly end: number;
  readonly kind: DynamicKind;
  readonly name: string | null;
};

/** Everything about one file. `facts` is null for what is not parsed, `text` for what is not searched. */
export type FileRecord = {
  readonly file: FileRow;
  readonly facts: {
    readonly symbols: readonly SymbolRow[];
    readonly imports: readonly ImportRow[];
    readonly exports: readonly ExportRow[];
    readonly sites: readonly SiteRow[];
    readonly provides: readonly string[];
  } | null;
  readonly text: {
    /** Distinct normalised identifier runs, separated by spaces: the document of `fts_ident`. */
    readonly names: string;
    /** Distinct trigrams, encoded by `trigrams.ts` and separated by spaces: the document of `fts_text`. */
    readonly trigrams: string;
  } | null;
};

const limit = 2 ** 53;

/** Inode numbers as the store keeps them: some file systems use all 64 bits, a number in a row has 53. Compared for equality only. */
export function foldInode(ino: number): number {
  return ino < limit ? ino : ino % limit;
}
