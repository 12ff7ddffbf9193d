/**
 * Interface records while a tree is being read. A draft holds pieces of text and spans of the source, never nodes, so that its text
 * can be made after the tree is gone, and only for the records that count.
 */

import type { DynamicSite, InterfaceRecord, RawFacts, RawImport, RawSymbol, SourceTree, TextSpan } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import { hasMark } from '../parsing/walk-tree.ts';
import { joinCode } from './source-tokens.ts';

export type RecordPart = string | TextSpan;

export type RecordDraft = {
  readonly names: readonly string[];
  isPublic: boolean;
  inferred: boolean;
  readonly parts: RecordPart[];
  /** The declaration, to tell where a parse error lies. */
  readonly start: number;
  readonly end: number;
};

export function finishRecord(draft: RecordDraft, normalise: (span: TextSpan) => string): InterfaceRecord {
  const { names, isPublic, inferred, parts } = draft;
  return {
    names,
    isPublic,
    inferred,
    text: () => parts.map((part) => (typeof part === 'string' ? part : normalise(part))).join(''),
  };
}

/**
 * Is there a parse error that may have changed or hidden something public? Only one inside a declaration that is known to be private
 * is harmless: broken text elsewhere may have been a declaration.
 */
export function mayHidePublic(root: Node, records: readonly RecordDraft[]): boolean {
  if (root.isError) return true;
  const privateStarts = new Set(records.filter((record) => !record.isPublic).map((record) => record.start));
  const publicStarts = records
    .filter((record) => record.isPublic)
    .map((record) => record.start)
    .sort((a, b) => a - b);
  return root.children.some(
    (child) =>
      child.hasError &&
      (!privateStarts.has(child.startIndex) || hasMark(publicStarts, child.startIndex, child.endIndex)),
  );
}

/** What is written of a language whose interface is never closed (Ruby, PHP): more names may come to be when the program runs. */
export type OpenSheet = {
  readonly symbols: { -readonly [Key in keyof RawSymbol]: RawSymbol[Key] }[];
  readonly imports: RawImport[];
  readonly dynamicSites: DynamicSite[];
  readonly records: RecordDraft[];
  readonly provides: Set<string>;
};

export function startOpenSheet(): OpenSheet {
  return { symbols: [], imports: [], dynamicSites: [], records: [], provides: new Set() };
}

/** Spans are taken as they are written, without the comments that the extractor cut out; any parse error makes the interface unknown. */
export function finishOpenSheet({ records, provides, ...rest }: OpenSheet, { text, hasErrors }: SourceTree): RawFacts {
  const interfaceRecords = records.map((record) => {
    const finished = finishRecord(record, ({ start, end }) => text.slice(start, end));
    return { ...finished, text: () => joinCode(finished.text()) };
  });
  return {
    ...rest,
    exports: [],
    interfaceRecords: hasErrors ? null : interfaceRecords,
    canClose: false,
    provides: [...provides],
  };
}
