/**
 * What one file says about itself (code-plane.md §3.2). An extractor makes `RawFacts` from a tree, in UTF-16 indices of the decoded
 * text; `describe-file.ts` turns them into bytes, lines, name paths and hashes. Invariant S1: nothing here depends on any other file.
 */

import type { Node } from './parsing/syntax-node.ts';

export const symbolKinds = [
  'class',
  'interface',
  'type',
  'enum',
  'enum_member',
  'struct',
  'union',
  'trait',
  'impl',
  'record',
  'namespace',
  'package',
  'function',
  'method',
  'constructor',
  'getter',
  'setter',
  'property',
  'field',
  'variable',
  'constant',
  'macro',
  'event',
  'delegate',
] as const;
export type SymbolKind = (typeof symbolKinds)[number];

/** A half-open span of the decoded text, in UTF-16 units. A BOM is not part of the decoded text. */
export type TextSpan = { readonly start: number; readonly end: number };

export type RawSymbol = {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Position of the enclosing symbol in the same list, which always comes earlier; -1 at the top level. */
  readonly parent: number;
  readonly exported: boolean;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** The whole declaration with its modifiers and decorators. */
  readonly start: number;
  readonly end: number;
};

/** How a file asks for another. `mod` is Rust's `mod x;`, `include` C's `#include`, `use` PHP's, C#'s and Rust's. */
export const importKinds = [
  'import',
  'require',
  'dynamic',
  'reexport',
  'side_effect',
  'reference',
  'from',
  'use',
  'mod',
  'include',
  'include_system',
  'require_relative',
  'autoload',
  'package',
] as const;
export type ImportKind = (typeof importKinds)[number];

export type ImportedName = {
  /** `*` for all, `default` for the default export. */
  readonly name: string;
  readonly alias: string | null;
  /** Where the name (not the alias) is written. */
  readonly start: number;
};

export type RawImport = {
  /** As the language means it, without quotes; the source text of the expression where it is not a literal. */
  readonly specifier: string;
  readonly kind: ImportKind;
  readonly literal: boolean;
  readonly typeOnly: boolean;
  readonly names: readonly ImportedName[];
  /** The whole statement or call. */
  readonly start: number;
  readonly end: number;
};

export type RawExport = {
  /** `default` for the default export, `*` for `export *`, `=` for `export =`. */
  readonly publicName: string;
  readonly localName: string | null;
  /** Set where the export comes from another file. */
  readonly specifier: string | null;
  readonly star: boolean;
  readonly typeOnly: boolean;
};

const dynamicKinds = [
  'computed_member',
  'eval',
  'getattr',
  'send',
  'reflection',
  'dynamic_import',
  'star_import',
] as const;
export type DynamicKind = (typeof dynamicKinds)[number];

export type DynamicSite = TextSpan & {
  readonly kind: DynamicKind;
  /** The literal name it reaches for, where there is one (`getattr(x, "name")`). */
  readonly name: string | null;
};

/**
 * One observable fact of a file, for its interface hash (§3.3). `text` is asked for only if the record is public or mentioned by one
 * that is, and must already be free of whitespace and comments, bodies left out.
 */
export type InterfaceRecord = {
  /** Names by which other records of this file mention it: usually one, none for statements such as `export *`. */
  readonly names: readonly string[];
  readonly isPublic: boolean;
  /** A type was inferred from a body or an initialiser, whose tokens are then part of the text. */
  readonly inferred: boolean;
  readonly text: () => string;
};

export type RawFacts = {
  readonly symbols: readonly RawSymbol[];
  readonly imports: readonly RawImport[];
  readonly exports: readonly RawExport[];
  readonly dynamicSites: readonly DynamicSite[];
  /** `null`: unknown, because a parse error lies in an exported declaration. */
  readonly interfaceRecords: readonly InterfaceRecord[] | null;
  /** False where the language never lets an interface be closed (Ruby, PHP). */
  readonly canClose: boolean;
  /** Names under which other files may ask for this one where paths do not say it: `java:com.acme.Order`, `csharp:Acme.Orders`. */
  readonly provides: readonly string[];
};

/** What an extractor is given. Nothing of `root` may be kept: its memory is freed when the extractor returns. */
export type SourceTree = {
  readonly root: Node;
  readonly text: string;
  readonly path: string;
  readonly hasErrors: boolean;
};

export type Extract = (source: SourceTree) => RawFacts;
