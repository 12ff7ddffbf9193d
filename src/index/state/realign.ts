/**
 * Where the occurrences of an older text lie in the present one (code-plane.md §8, "Stale reads re-align"). For reading only: nothing
 * realigned ever serves a mutation.
 *
 * T11  A realigned position points at the same text as before, or the occurrence is lost. On a matched line the column is kept. In
 *      what lies between matched lines, the names of the present text are paired in order with the old occurrences of that name, if
 *      there are equally many of both. The old text itself is not stored: where it is not known what an occurrence said (aliases,
 *      keywords), only matched lines serve.
 */

import type { TextSpan } from '../../languages/facts.ts';
import { hashLines } from '../semantic/line-hashes.ts';
import { createTextOffsets } from '../text/text-offsets.ts';
import { alignLines } from './align-lines.ts';
import type { SourceText } from './code-view.ts';

/** 0-based lines, 0-based UTF-16 columns. */
export type OldOccurrence = {
  readonly line: number;
  readonly col: number;
  readonly endLine: number;
  readonly endCol: number;
  /** What the text said there, where that is known. */
  readonly text: string | null;
};

export type Realigned =
  | {
      readonly kind: 'realigned';
      /** Bytes. */
      readonly start: number;
      readonly end: number;
      readonly line: number;
      readonly col: number;
      readonly endLine: number;
      readonly endCol: number;
    }
  /** With the old position. */
  | { readonly kind: 'lost'; readonly line: number; readonly col: number };

export type RealignInput = {
  /** `file_facts.line_hashes`. */
  readonly oldLineHashes: Uint8Array;
  readonly present: SourceText;
  /** All of the file, not only those asked about: how often a name occurred decides whether it can be paired. */
  readonly occurrences: readonly OldOccurrence[];
  /** Identifiers of the present text between two UTF-16 indices, in order. Asked once for each changed part. */
  tokens(start: number, end: number): readonly TextSpan[];
};

/** One answer for each occurrence, in their order. */
export function realignOccurrences(input: RealignInput): readonly Realigned[] {
  const { present, occurrences } = input;
  const lines = alignLines(input.oldLineHashes, hashLines(present.bytes));
  const starts = lineStarts(present.text);
  const offsets = createTextOffsets(present.text, present);
  const paired = pairInHunks(input, lines, starts);
  return occurrences.map((occurrence, at) => {
    const span = paired.get(at) ?? onMatchedLines(occurrence);
    if (span === undefined) return { kind: 'lost', line: occurrence.line, col: occurrence.col };
    const from = offsets.toLineColumn(span.start);
    const to = offsets.toLineColumn(span.end);
    return {
      kind: 'realigned',
      start: offsets.toByte(span.start),
      end: offsets.toByte(span.end),
      line: from.line,
      col: from.column,
      endLine: to.line,
      endCol: to.column,
    };
  });

  function onMatchedLines({ line, col, endLine, endCol, text }: OldOccurrence): TextSpan | undefined {
    const first = lines[line] ?? -1;
    for (let next = line; next <= endLine; next += 1) {
      if (first < 0 || lines[next] !== first + next - line) return undefined;
    }
    const start = (starts[first] as number) + col;
    const end = (starts[first + endLine - line] as number) + endCol;
    return text === null || present.text.slice(start, end) === text ? { start, end } : undefined;
  }
}

/** By occurrence whose line is not matched. */
function pairInHunks(
  { present, occurrences, tokens }: RealignInput,
  lines: Int32Array,
  starts: Int32Array,
): ReadonlyMap<number, TextSpan> {
  const paired = new Map<number, TextSpan>();
  for (const [lastMatched, members] of groupByHunk(occurrences, lines)) {
    const from = lastMatched < 0 ? 0 : (lines[lastMatched] as number) + 1;
    let next = lastMatched + 1;
    while (next < lines.length && lines[next] === -1) next += 1;
    const to = lines[next] ?? starts.length;
    if (from >= to) continue;
    const found = new Map<string, TextSpan[]>();
    for (const span of tokens(starts[from] as number, starts[to] ?? present.text.length)) {
      addTo(found, present.text.slice(span.start, span.end), span);
    }
    for (const [text, places] of groupPlaces(occurrences, members)) {
      const spans = found.get(text) ?? [];
      if (spans.length !== places.length) continue;
      places.forEach((place, at) => {
        for (const member of place) paired.set(member, spans[at] as TextSpan);
      });
    }
  }
  return paired;
}

/** Occurrences on lines that are not matched, by the last matched line before them (-1: none). */
function groupByHunk(occurrences: readonly OldOccurrence[], lines: Int32Array): ReadonlyMap<number, readonly number[]> {
  const lastMatched = new Int32Array(lines.length);
  for (let line = 0, last = -1; line < lines.length; line += 1) {
    if (lines[line] !== -1) last = line;
    lastMatched[line] = last;
  }
  const hunks = new Map<number, number[]>();
  occurrences.forEach(({ line, endLine, text }, at) => {
    if (text !== null && line === endLine && lines[line] === -1) addTo(hunks, lastMatched[line] as number, at);
  });
  return hunks;
}

/** By text, the places where it was written, in order; several occurrences at one place (other symbols, other contexts) are one. */
function groupPlaces(
  occurrences: readonly OldOccurrence[],
  members: readonly number[],
): ReadonlyMap<string, readonly (readonly number[])[]> {
  const of = (member: number): OldOccurrence => occurrences[member] as OldOccurrence;
  const ordered = [...members].sort((a, b) => of(a).line - of(b).line || of(a).col - of(b).col);
  const groups = new Map<string, number[][]>();
  for (const member of ordered) {
    const { text, line, col } = of(member);
    const places = groups.get(text as string) ?? [];
    const last = places.at(-1)?.[0];
    if (last !== undefined && of(last).line === line && of(last).col === col) places.at(-1)?.push(member);
    else places.push([member]);
    groups.set(text as string, places);
  }
  return groups;
}

function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [value]);
  else known.push(value);
}

function lineStarts(text: string): Int32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return Int32Array.from(starts);
}
