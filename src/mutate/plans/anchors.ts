/**
 * Where an edit or a question is, in words that a reader of the file can check (mutation.md §4): the exact text, what stands beside it
 * on its line, the line's hash, and which of the equal places of the file it is. Offsets are UTF-16 units of the decoded text.
 * Linear in the text for all spans of a call together, however long its lines are.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { isLowSurrogate } from '../../kernel/base/text.ts';
import { findLine, lineStarts } from '../../kernel/tree/positions.ts';
import type { Anchor } from './plan.ts';

export type TextSpan = { readonly start: number; readonly end: number };

const sideUnits = 16;
const lineHashDigits = 16;

/** In the order of the spans. */
export function anchorsOf(text: string, spans: readonly TextSpan[]): readonly Anchor[] {
  const lines = createLines(text);
  const ordinals = new Map<string, ReadonlyMap<number, number>>();
  return spans.map(({ start, end }) => {
    const quote = quoteAt(text, start, end);
    const known = ordinals.get(quote.text) ?? countEqual(text, quote.text);
    ordinals.set(quote.text, known);
    return { ...quote, lineHash: lines.hashOf(lines.lineOf(start)) ?? '', ordinal: known.get(start) ?? 0 };
  });
}

/** What stands at a place, and beside it on its line. */
export function quoteAt(text: string, start: number, end: number): Pick<Anchor, 'before' | 'text' | 'after'> {
  const { before, after } = sidesOf(text, start, end);
  return { before, text: text.slice(start, end), after };
}

/** As much of a side as a caller has to quote; less where the line has less. */
const leastSide = 10;

/** Whether a caller read this place: its text, and on each side what stands next to it, up to as much as an anchor keeps. */
export function isQuoteOf(found: Quote, said: Quote): boolean {
  const { before, after } = said;
  const isBefore = found.before.endsWith(before) && before.length >= Math.min(leastSide, found.before.length);
  const isAfter = found.after.startsWith(after) && after.length >= Math.min(leastSide, found.after.length);
  return found.text === said.text && isBefore && isAfter;
}

type Quote = Pick<Anchor, 'before' | 'text' | 'after'>;

export function equalText(
  a: Pick<Anchor, 'before' | 'text' | 'after'>,
  b: Pick<Anchor, 'before' | 'text' | 'after'>,
): boolean {
  return a.before === b.before && a.text === b.text && a.after === b.after;
}

/** The hash of a line, as anchors have it or with more of its digits. */
export function isHashOf(line: string, hash: string): boolean {
  return hash.length >= lineHashDigits && sha256Hex(line).startsWith(hash.toLowerCase());
}

function lineHash(line: string): string {
  return sha256Hex(line).slice(0, lineHashDigits);
}

export type Lines = {
  readonly count: number;
  /** Without its line end; 0-based. */
  line(index: number): string | undefined;
  lineOf(offset: number): number;
  /** Undefined where there is no such line. Worked out once for each. */
  hashOf(index: number): string | undefined;
  /** Undefined where the text has no such place. 0-based. */
  offsetOf(line: number, column: number): number | undefined;
};

export function createLines(text: string): Lines {
  const starts = lineStarts(text);
  const hashes = new Map<number, string>();
  const bounds = (index: number): TextSpan | undefined => {
    const start = starts[index];
    if (start === undefined) return undefined;
    const next = starts[index + 1];
    if (next === undefined) return { start, end: text.length };
    return { start, end: next - 2 >= start && text[next - 2] === '\r' ? next - 2 : next - 1 };
  };
  const line = (index: number) => {
    const found = bounds(index);
    return found === undefined ? undefined : text.slice(found.start, found.end);
  };
  return {
    count: starts.length,
    line,
    lineOf: (offset) => findLine(starts, offset),
    hashOf(index) {
      const content = line(index);
      if (content === undefined) return undefined;
      const hash = hashes.get(index) ?? lineHash(content);
      hashes.set(index, hash);
      return hash;
    },
    offsetOf(index, column) {
      const found = bounds(index);
      if (found === undefined || column < 0 || column > found.end - found.start) return undefined;
      return found.start + column;
    },
  };
}

/** For each place of `inside`, how many places before it look the same. */
function countEqual(text: string, inside: string): ReadonlyMap<number, number> {
  const ordinals = new Map<number, number>();
  if (inside === '') return ordinals;
  const seen = new Map<string, number>();
  for (let at = text.indexOf(inside); at >= 0; at = text.indexOf(inside, at + 1)) {
    const { before, after } = sidesOf(text, at, at + inside.length);
    // A line feed is in neither.
    const looks = `${before}\n${after}`;
    const count = seen.get(looks) ?? 0;
    ordinals.set(at, count);
    seen.set(looks, count + 1);
  }
  return ordinals;
}

function sidesOf(text: string, start: number, end: number): { readonly before: string; readonly after: string } {
  let from = Math.max(0, start - sideUnits);
  const left = text.slice(from, start);
  from += left.lastIndexOf('\n') + 1;
  // Never half a character.
  if (isLowSurrogate(text, from) && from < start) from += 1;
  let to = Math.min(text.length, end + sideUnits);
  const feed = text.slice(end, to + 1).indexOf('\n');
  if (feed >= 0 && end + feed <= to) {
    to = end + feed;
    if (to > end && text[to - 1] === '\r') to -= 1;
  }
  if (to > end && to < text.length && isLowSurrogate(text, to)) to -= 1;
  return { before: text.slice(from, start), after: text.slice(end, to) };
}
