/**
 * Interface records while a tree is being read. A draft holds pieces of text and spans of the source, never nodes, so that its text
 * can be made after the tree is gone, and only for the records that count.
 */

import type { Node } from 'web-tree-sitter';
import type { InterfaceRecord, TextSpan } from '../facts.ts';
import { hasMark } from '../parsing/walk-tree.ts';

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
