/**
 * What an editor has open, at its very text, and positions of the protocol in such texts. L4: the protocol counts lines by three kinds of line
 * ends and columns in units that are agreed on; answers count lines by `\n` alone and columns in UTF-16 from 1. Both are led over the offset
 * in the one text that they are of.
 */

import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { findLine } from '../../kernel/tree/positions.ts';

export type Encoding = 'utf-16' | 'utf-8';

export type OpenDocument = { readonly uri: string; readonly version: number; readonly text: string };

/** As answers have it: 1-based, the column in UTF-16 units. */
type Place = { readonly line: number; readonly col: number };

/** Lines of the protocol, and those of answers. */
export type Lines = {
  readonly text: string;
  offsetAt(position: Position): number;
  positionAt(offset: number): Position;
  /** Undefined where the text has no such place. */
  offsetOf(place: Place): number | undefined;
  placeAt(offset: number): Place;
};

export function linesOf(text: string, encoding: Encoding): Lines {
  const starts = startsBy(text, /\r\n|\n|\r/g);
  // Nearly always the same lines.
  const own = [...(/\r(?!\n)/.test(text) ? startsBy(text, /\n/g) : starts)];
  // A mark in front is no column of an answer.
  if (text.startsWith('\uFEFF')) own[0] = 1;
  const endOf = (line: number) => {
    const end = starts[line + 1] ?? text.length;
    return text.slice(starts[line], end).replace(/\r?\n$|\r$/, '').length + (starts[line] as number);
  };
  return {
    text,
    offsetAt({ line, character }) {
      const start = starts[line];
      if (start === undefined) return text.length;
      const end = endOf(line);
      // A column behind the end means the end, as the protocol has it.
      if (encoding === 'utf-16') return Math.min(start + character, end);
      return start + unitsOf(text.slice(start, end), character);
    },
    positionAt(offset) {
      const line = findLine(starts, offset);
      const before = text.slice(starts[line], offset);
      return { line, character: encoding === 'utf-16' ? before.length : Buffer.byteLength(before) };
    },
    offsetOf({ line, col }) {
      const start = own[line - 1];
      if (start === undefined) return undefined;
      const offset = start + col - 1;
      return offset <= (own[line] ?? text.length + 1) - 1 ? offset : undefined;
    },
    placeAt(offset) {
      const line = findLine(own, offset);
      return { line: line + 1, col: Math.max(0, offset - (own[line] as number)) + 1 };
    },
  };
}

/** Of the first bytes of a line; a byte within a character means its beginning. */
function unitsOf(line: string, bytes: number): number {
  let units = 0;
  let left = bytes;
  for (const character of line) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    units += character.length;
  }
  return units;
}

function startsBy(text: string, ends: RegExp): readonly number[] {
  return [0, ...[...text.matchAll(ends)].map((end) => end.index + end[0].length)];
}

export type Documents = {
  /** Counts every change of any text: what was asked at another number was asked of other texts. */
  readonly revision: number;
  open(document: OpenDocument): void;
  /** False where it is not open, or a change is none. */
  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): boolean;
  close(uri: string): void;
  find(uri: string): OpenDocument | undefined;
  list(): readonly OpenDocument[];
};

export function createDocuments(encoding: () => Encoding): Documents {
  const known = new Map<string, OpenDocument>();
  let revision = 0;
  return {
    get revision() {
      return revision;
    },
    open(document) {
      revision += 1;
      known.set(document.uri, document);
    },
    change(uri, version, changes) {
      const before = known.get(uri);
      if (before === undefined) return false;
      const text = changes.reduce<string | undefined>(
        (now, change) => (now === undefined ? undefined : applyChange(now, change, encoding())),
        before.text,
      );
      if (text === undefined) return false;
      revision += 1;
      known.set(uri, { uri, version, text });
      return true;
    },
    close(uri) {
      if (known.delete(uri)) revision += 1;
    },
    find: (uri) => known.get(uri),
    list: () => [...known.values()],
  };
}

function applyChange(text: string, change: TextDocumentContentChangeEvent, encoding: Encoding): string | undefined {
  if (typeof change?.text !== 'string') return undefined;
  if (!('range' in change) || change.range === undefined) return change.text;
  if (!isRange(change.range)) return undefined;
  const lines = linesOf(text, encoding);
  const [start, end] = [lines.offsetAt(change.range.start), lines.offsetAt(change.range.end)];
  return start > end ? undefined : `${text.slice(0, start)}${change.text}${text.slice(end)}`;
}

export function isPosition(value: unknown): value is Position {
  const { line, character } = (value ?? {}) as Partial<Position>;
  return [line, character].every((one) => Number.isSafeInteger(one) && (one as number) >= 0);
}

function isRange(value: unknown): value is Range {
  const { start, end } = (value ?? {}) as Partial<Range>;
  return isPosition(start) && isPosition(end);
}
