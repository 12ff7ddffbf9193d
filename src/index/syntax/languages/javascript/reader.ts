/**
 * What is gathered while one file is read. Symbols and interface records are drafts until the whole file is known, because an
 * `export { x }` at the end makes public what was declared at the beginning.
 */

import type { TreeCursor } from 'web-tree-sitter';
import type { DynamicSite, RawExport, RawImport, SymbolKind, TextSpan } from '../../facts.ts';
import { identifierValue, stringValue } from './lex.ts';
import type { Piece } from './squeeze-tokens.ts';

/** `own` by its own `export`; `inherit` as its container is; `never` not at all (private members, locals). */
export type Visibility = 'own' | 'inherit' | 'never';

/** A symbol of which `parent` and `exported` are not yet known. It becomes one in place: copies of all would cost as much again. */
export type SymbolDraft = {
  readonly name: string;
  readonly kind: SymbolKind;
  parent: number;
  exported: boolean;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
  /** The enclosing symbol; `undefined` where it follows from the spans; `null` at the top level. */
  readonly container: SymbolDraft | null | undefined;
  visibility: Visibility;
  /** Names of one pattern share a span, so none of them encloses anything. */
  encloses: boolean;
  /** Its place in the list of symbols, once that is in order. */
  position: number;
};

export type RecordDraft = {
  readonly names: readonly string[];
  readonly isPublic: boolean;
  readonly inferred: boolean;
  readonly pieces: readonly Piece[];
};

export type Reader = {
  readonly text: string;
  readonly cursor: TreeCursor;
  readonly codes: Uint8Array;
  /** JavaScript proper: no types, CommonJS counts. */
  readonly untyped: boolean;
  readonly symbols: SymbolDraft[];
  readonly records: RecordDraft[];
  readonly imports: RawImport[];
  readonly exports: RawExport[];
  readonly sites: DynamicSite[];
  readonly provides: string[];
  /** Local names that an export clause of this file makes public. */
  readonly exportedLocals: Set<string>;
  /** Where each function or class that already gave a symbol begins, and where its own name does. */
  readonly seen: Set<number>;
  /** Ranges of code, as pairs of numbers in order: expressions and nested declarations are looked for here. */
  readonly codeRanges: number[];
  /** Ranges that hold types only. */
  readonly typeRanges: number[];
  readonly hasErrors: boolean;
  /** The grammar has JSX and the text seems to use it. */
  readonly jsx: boolean;
  /** Where JSX text looks like the beginning of a comment. */
  readonly notComments: Set<number>;
  /** The statement being read has errors: what its text seems to say must be asked of the tree. */
  isBroken: boolean;
  /** Statements of the file that have errors, in order. */
  readonly broken: (TextSpan & { readonly isError: boolean })[];
  hasEffects: boolean;
  /** There are symbols whose container follows from the spans. */
  hasNested: boolean;
  isModule: boolean;
};

export function createReader(
  from: Pick<Reader, 'cursor' | 'text' | 'codes' | 'untyped' | 'hasErrors' | 'jsx'>,
): Reader {
  return {
    text: from.text,
    cursor: from.cursor,
    codes: from.codes,
    untyped: from.untyped,
    hasErrors: from.hasErrors,
    jsx: from.jsx,
    symbols: [],
    records: [],
    imports: [],
    exports: [],
    sites: [],
    provides: [],
    exportedLocals: new Set(),
    seen: new Set(),
    codeRanges: [],
    typeRanges: [],
    broken: [],
    notComments: new Set(),
    isBroken: false,
    hasEffects: false,
    hasNested: false,
    isModule: false,
  };
}

/** What a written name means: an identifier, a string or number, or a computed name in brackets. */
export function nameOf(text: string, start: number, end: number): string {
  const unit = text.charCodeAt(start);
  const raw = text.slice(start, end);
  return (unit === 34 || unit === 39) && raw.length > 2 ? stringValue(raw) : identifierValue(raw);
}

/** Overloads are one export, however many signatures there are. */
export function pushExport(reader: Reader, publicName: string, localName: string | null, typeOnly = false): void {
  const last = reader.exports.at(-1);
  if (last?.publicName === publicName && last.localName === localName && last.typeOnly === typeOnly) return;
  reader.exports.push({ publicName, localName, specifier: null, star: false, typeOnly });
}

export function pushSymbol(
  reader: Reader,
  container: SymbolDraft | null | undefined,
  kind: SymbolKind,
  name: string,
  nameStart: number,
  nameEnd: number,
  start: number,
  end: number,
  visibility: Visibility,
): SymbolDraft {
  const symbol: SymbolDraft = {
    name,
    kind,
    parent: -1,
    exported: false,
    nameStart,
    nameEnd,
    start,
    end,
    container,
    visibility,
    encloses: true,
    position: -1,
  };
  reader.symbols.push(symbol);
  if (container === undefined) reader.hasNested = true;
  return symbol;
}
