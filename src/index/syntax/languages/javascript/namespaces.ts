/** The names of namespaces, and how what is in them becomes part of them. */

import { pushNamed, type Setting } from './declarations.ts';
import { code } from './node-codes.ts';
import type { Reader, RecordDraft, SymbolDraft } from './reader.ts';
import { appendPieces, type Piece } from './squeeze-tokens.ts';

export type NamespaceName = { readonly start: number; readonly end: number; readonly isQuoted: boolean };

/** The cursor is on the namespace, or on the block of a `declare global` that begins at `start`. */
export function namespaceName(reader: Reader, isGlobal: boolean, start: number): NamespaceName {
  const { text, cursor, codes } = reader;
  if (isGlobal) {
    const at = text.slice(start, cursor.startIndex).lastIndexOf('global');
    return { start: at < 0 ? -1 : start + at, end: at < 0 ? -1 : start + at + 6, isQuoted: false };
  }
  let found: NamespaceName = { start: -1, end: -1, isQuoted: false };
  if (!cursor.gotoFirstChild()) return found;
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (kind === code.identifier || kind === code.nestedName || kind === code.stringName) {
      found = { start: cursor.startIndex, end: cursor.endIndex, isQuoted: kind === code.stringName };
      break;
    }
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return found;
}

/** `namespace A.B` is `B` in `A`. Answers the outermost; the innermost is the last symbol then. */
export function pushNamespace(reader: Reader, setting: Setting, name: NamespaceName): SymbolDraft | undefined {
  if (name.start < 0) return undefined;
  if (name.isQuoted) {
    return pushNamed(reader, setting, 'namespace', name.start + 1, name.end - 1);
  }
  if (!reader.text.slice(name.start, name.end).includes('.')) {
    return pushNamed(reader, setting, 'namespace', name.start, name.end);
  }
  let top: SymbolDraft | undefined;
  let inner = setting;
  for (const part of reader.text.slice(name.start, name.end).matchAll(/[^\s.]+/g)) {
    const start = name.start + part.index;
    const symbol = pushNamed(reader, inner, 'namespace', start, start + part[0].length);
    top ??= symbol;
    inner = { ...setting, parent: symbol, visibility: 'inherit' };
  }
  return top;
}

/** A namespace is observed as one thing: its members are part of its record. */
export function mergeRecords(records: readonly RecordDraft[]): {
  readonly pieces: Piece[];
  readonly inferred: boolean;
} {
  const pieces: Piece[] = [];
  let inferred = false;
  for (const record of records) {
    appendPieces(pieces, record.pieces);
    pieces.push(';');
    inferred ||= record.inferred;
  }
  return { pieces, inferred };
}
