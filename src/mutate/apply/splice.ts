/**
 * Edits as byte splices on the hashed bytes.
 * E1: exactly the given spans change, every other byte stays. E7: overlapping edits are refused, equal ones are applied once.
 */

import type { Edit } from '../types.ts';

export type Splice = Pick<Edit, 'startByte' | 'endByte' | 'oldText' | 'newText'>;

export type Spliced =
  | { readonly kind: 'spliced'; readonly bytes: Buffer }
  | { readonly kind: 'overlap'; readonly first: Splice; readonly second: Splice }
  /** The bytes at the span are not what the edit was made for. */
  | { readonly kind: 'mismatch'; readonly splice: Splice };

export function splice(bytes: Uint8Array, edits: readonly Splice[]): Spliced {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ordered = [...edits].sort((a, b) => a.startByte - b.startByte || a.endByte - b.endByte);
  const distinct: Splice[] = [];
  for (const edit of ordered) {
    const last = distinct.at(-1);
    if (last !== undefined && isEqual(last, edit)) continue;
    if (last !== undefined && touches(last, edit)) return { kind: 'overlap', first: last, second: edit };
    const { startByte: start, endByte: end } = edit;
    const isInside = start >= 0 && start <= end && end <= source.length;
    if (!isInside || !source.subarray(start, end).equals(Buffer.from(edit.oldText))) {
      return { kind: 'mismatch', splice: edit };
    }
    distinct.push(edit);
  }
  // From the highest offset down, so that every offset means the hashed bytes.
  const parts: Buffer[] = [];
  let end = source.length;
  for (const edit of distinct.toReversed()) {
    parts.push(source.subarray(edit.endByte, end), Buffer.from(edit.newText));
    end = edit.startByte;
  }
  parts.push(source.subarray(0, end));
  return { kind: 'spliced', bytes: Buffer.concat(parts.reverse()) };
}

function isEqual(a: Splice, b: Splice): boolean {
  return a.startByte === b.startByte && a.endByte === b.endByte && a.newText === b.newText;
}

/** Two insertions at one place have no order of their own, so they overlap too. */
function touches(a: Splice, b: Splice): boolean {
  return b.startByte < a.endByte || b.startByte === a.startByte;
}
