/**
 * A renaming as the index sees it: which bytes of which files became others, and the name that they spelled. Facts follow a renaming only
 * where nothing has to be guessed; everything else is `Unfit`, and the files wait for an indexer (mutation.md §8 "Facts patch").
 */

import { createSourceText, type PositionEncoding, type SourceText } from './source-text.ts';

/** How a token was written anew. */
export type PatchForm =
  /** One name by the other. */
  | 'plain'
  /** `a` by `b as a` or `a as b`, in an import or export: both names are the symbol's. */
  | 'both'
  /** `{ a }` by `{ a: b }`: the variable has the new name, the property keeps its own. */
  | 'value'
  /** `{ a }` by `{ b: a }`, of an object or a pattern: the property has the new name, the variable keeps its own. */
  | 'property'
  /** Anything else: what an indexer would make of it is not known. */
  | 'other';

export type PatchEdit = {
  /** Bytes of the old text. */
  readonly startByte: number;
  readonly endByte: number;
  readonly oldText: string;
  readonly newText: string;
  readonly form: PatchForm;
};

type PatchedFile = {
  readonly path: string;
  readonly oldHash: string;
  readonly newHash: string;
  /** In order, disjoint. */
  readonly edits: readonly PatchEdit[];
};

export type Renaming = {
  readonly oldName: string;
  readonly newName: string;
  /** A compiler has said that every name means what it meant, also those that are spelled as before. */
  readonly isProven: boolean;
  readonly files: readonly PatchedFile[];
};

/** Why facts cannot follow; thrown inside of a patch, and an answer outside of it. */
export class Unfit extends Error {}

// ---- ranges of an index after edits that add and remove no line: columns move by what the edits before them on their line have made the
// line longer, in the units of the document.

export type LineEdit = {
  readonly edit: PatchEdit;
  readonly start: number;
  readonly end: number;
  /** By how much longer. */
  readonly growth: number;
};

export type Shift = {
  readonly source: SourceText;
  /** The edit whose token this is, in quotes or without. */
  find(range: readonly number[]): LineEdit | undefined;
  move(range: readonly number[]): readonly number[];
};

export function createShift(oldBytes: Uint8Array, edits: readonly PatchEdit[], encoding: PositionEncoding): Shift {
  const source = createSourceText(oldBytes);
  const byLine = new Map<number, LineEdit[]>();
  for (const edit of edits) {
    if (/[\n\r]/.test(edit.oldText + edit.newText) || edit.oldText === '') throw new Unfit('an edit changes lines');
    const line = lineOfByte(oldBytes, edit.startByte);
    if (line === 0 && source.hasBom) throw new Unfit('an edit on a line with a byte order mark');
    const before = Buffer.from(oldBytes.subarray(startOfLine(oldBytes, edit.startByte), edit.startByte)).toString();
    const start = unitsOf(before, encoding);
    const [old, now] = [unitsOf(edit.oldText, encoding), unitsOf(edit.newText, encoding)];
    const own = byLine.get(line) ?? [];
    own.push({ edit, start, end: start + old, growth: now - old });
    byLine.set(line, own);
  }
  const moveColumn = (line: number, column: number): number => {
    let moved = column;
    for (const { start, end, growth } of byLine.get(line) ?? []) {
      if (column > start && column < end) throw new Unfit('a range ends inside of an edit');
      if (column >= end) moved += growth;
    }
    return moved;
  };
  return {
    source,
    find(range) {
      if (range.length !== 3) return undefined;
      const [line, from, to] = range as [number, number, number];
      return byLine
        .get(line)
        ?.find(({ start, end }) => start - from === to - end && (start === from || start === from + 1));
    },
    move(range) {
      const [line = 0, from = 0] = range;
      if (range.length === 3) return [line, moveColumn(line, from), moveColumn(line, range[2] as number)];
      if (range.length !== 4) return range;
      const endLine = range[2] as number;
      return [line, moveColumn(line, from), endLine, moveColumn(endLine, range[3] as number)];
    },
  };
}

export function unitsOf(text: string, encoding: PositionEncoding): number {
  if (encoding === 2) return text.length;
  return encoding === 1 ? Buffer.byteLength(text) : [...text].length;
}

/** The bytes before the edits; undefined: these edits did not make the new bytes. */
export function takeBack(newBytes: Uint8Array, edits: readonly PatchEdit[]): Buffer | undefined {
  const source = Buffer.from(newBytes.buffer, newBytes.byteOffset, newBytes.byteLength);
  const parts: Buffer[] = [];
  let [at, growth] = [0, 0];
  for (const { startByte, endByte, oldText, newText } of edits) {
    const written = Buffer.from(newText);
    const start = startByte + growth;
    if (start < at || !source.subarray(start, start + written.length).equals(written)) return undefined;
    parts.push(source.subarray(at, start), Buffer.from(oldText));
    at = start + written.length;
    growth += written.length - (endByte - startByte);
  }
  parts.push(source.subarray(at));
  return Buffer.concat(parts);
}

function lineOfByte(bytes: Uint8Array, at: number): number {
  let line = 0;
  for (let next = bytes.indexOf(10); next >= 0 && next < at; next = bytes.indexOf(10, next + 1)) line += 1;
  return line;
}

function startOfLine(bytes: Uint8Array, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1;
}
