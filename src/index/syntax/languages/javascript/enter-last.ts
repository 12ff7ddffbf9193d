/** Into the heart of a statement: exports and `declare` end with what they are about. */

import { code } from './node-codes.ts';
import type { Reader } from './reader.ts';

/** Moves to the last child that is more than a sign or a comment, and answers its code; `undefined` if there is none. */
export function enterLast(reader: Reader): number | undefined {
  const { cursor, codes } = reader;
  if (!cursor.gotoLastChild()) return undefined;
  for (;;) {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (kind !== code.token && kind !== code.semicolon && kind !== code.comment) return kind;
    if (!cursor.gotoPreviousSibling()) {
      cursor.gotoParent();
      return undefined;
    }
  }
}
