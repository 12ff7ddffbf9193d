/**
 * What an indexer said about a file that has changed since, moved to where the same text stands now (code-plane.md §8). For reading:
 * such places are labelled, and no count rests on them.
 */

import { createTextOffsets, lineStarts } from '../../kernel/tree/positions.ts';
import type { TextSpan } from '../../languages/facts.ts';
import type { Token } from '../../languages/tokens.ts';
import { findLineHashes, listFactsOfFile } from '../store/stored-facts.ts';
import { listOccurrencesOfFile } from '../store/stored-occurrences.ts';
import { hashLines, lineHashBytes } from '../text/line-hashes.ts';
import type { SourceText } from '../view/code-view.ts';
import type { Question } from './question.ts';
import type { Said } from './semantic-layer.ts';

export type RealignedFile = {
  /** By the first byte in the present text. */
  readonly at: ReadonlyMap<number, readonly Said[]>;
  /** Symbols of places that are there no more, once for each place. */
  readonly lost: readonly number[];
};

export async function realignFile(question: Question, path: string): Promise<RealignedFile> {
  const { isLive } = question.semantic();
  const at = new Map<number, Said[]>();
  const lost: number[] = [];
  const present = question.source(path);
  if (present === undefined) return { at, lost };
  const facts = await question.facts(path);
  const tokens = facts?.tokens ?? [];
  for (const { contextId } of question.ask((session) => listFactsOfFile(session, path)).filter(isLive)) {
    const { hashes, rows } = question.ask((session) => ({
      hashes: findLineHashes(session, path, contextId),
      rows: listOccurrencesOfFile(session, path, contextId).filter(({ form }) => form !== 'synthetic'),
    }));
    if (hashes === undefined) continue;
    const moved = realignOccurrences({
      oldLineHashes: hashes,
      present,
      occurrences: rows.map((row) => ({
        line: row.line,
        col: row.column,
        endLine: row.endLine,
        endCol: row.endColumn,
        text: row.form === 'name' ? row.name : null,
      })),
      tokens: (start, end) => listBetween(tokens, start, end),
    });
    for (const [index, row] of rows.entries()) {
      const place = moved[index];
      if (place === undefined || row.form === 'module') continue;
      if (place.kind === 'lost') {
        lost.push(row.symbolId);
        continue;
      }
      const said = { ...row, start: place.start, end: place.end };
      const known = at.get(said.start);
      if (known === undefined) at.set(said.start, [said]);
      else known.push(said);
    }
  }
  return { at, lost };
}

/** Tokens are in order: from the first that begins there. */
function listBetween(tokens: readonly Token[], start: number, end: number): readonly Token[] {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle] as Token).start < start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < tokens.length && (tokens[last] as Token).end <= end) last += 1;
  return tokens.slice(low, last);
}

// ---- occurrences of an older text in the present one. For reading only: nothing realigned ever serves a mutation.
//
// T11  A realigned position points at the same text as before, or the occurrence is lost. On a matched line the column is kept. In
// what lies between matched lines, the names of the present text are paired in order with the old occurrences of that name, if
// there are equally many of both. The old text itself is not stored: where it is not known what an occurrence said (aliases,
// keywords), only matched lines serve.

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

type RealignInput = {
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

// ---- lines of an older text in the present one, by their hashes: patience diff. Common ends are matched first, then lines that both texts
// have exactly once, in the longest order they agree on, then the same again between those. Where no line is single, little is compared in
// full, and of much the lines count that both sides have equally often.
//
// Matches never cross and matched lines have equal hashes. The work is bounded: a hostile text leaves lines unmatched, no more.

/** By old line: the present line, or -1. */
export function alignLines(oldHashes: Uint8Array, presentHashes: Uint8Array): Int32Array {
  const { before, now, distinct } = numberLines(oldHashes, presentHashes);
  const found = new Int32Array(before.length).fill(-1);
  const tally = { before: new Int32Array(distinct), now: new Int32Array(distinct) };
  let budget = workPerLine * (before.length + now.length) + fullCells;
  const gaps: Gap[] = [{ o0: 0, o1: before.length, n0: 0, n1: now.length }];
  for (let gap = gaps.pop(); gap !== undefined; gap = gaps.pop()) {
    let { o0, o1, n0, n1 } = gap;
    while (o0 < o1 && n0 < n1 && before[o0] === now[n0]) found[o0++] = n0++;
    while (o0 < o1 && n0 < n1 && before[o1 - 1] === now[n1 - 1]) found[--o1] = --n1;
    if (o0 === o1 || n0 === n1) continue;
    const rest = { o0, o1, n0, n1 };
    budget -= o1 - o0 + (n1 - n0);
    if (budget < 0) continue;
    const cells = (o1 - o0) * (n1 - n0);
    const single = findAnchors(before, now, rest, tally, 'single');
    if (single.length === 0 && cells <= Math.min(fullCells, budget)) {
      budget -= cells;
      compareInFull(before, now, rest, found);
      continue;
    }
    const anchors = single.length > 0 ? single : findAnchors(before, now, rest, tally, 'even');
    if (anchors.length === 0) continue;
    let [o, n] = [o0, n0];
    for (const [oldLine, line] of anchors) {
      found[oldLine] = line;
      gaps.push({ o0: o, o1: oldLine, n0: n, n1: line });
      [o, n] = [oldLine + 1, line + 1];
    }
    gaps.push({ o0: o, o1, n0: n, n1 });
  }
  return found;
}

/** Old lines `o0` up to `o1` against present lines `n0` up to `n1`. */
type Gap = { readonly o0: number; readonly o1: number; readonly n0: number; readonly n1: number };
type Pair = readonly [oldLine: number, line: number];

const workPerLine = 64;
const fullCells = 250_000;

/** Small numbers for equal hashes. */
function numberLines(oldHashes: Uint8Array, presentHashes: Uint8Array) {
  const numbers = new Map<bigint, number>();
  const number = (hashes: Uint8Array): Int32Array => {
    const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
    const lines = new Int32Array(Math.floor(hashes.length / lineHashBytes));
    for (let line = 0; line < lines.length; line += 1) {
      const hash = view.getBigUint64(line * lineHashBytes);
      let known = numbers.get(hash);
      if (known === undefined) {
        known = numbers.size;
        numbers.set(hash, known);
      }
      lines[line] = known;
    }
    return lines;
  };
  const before = number(oldHashes);
  const now = number(presentHashes);
  return { before, now, distinct: numbers.size };
}

function findAnchors(
  before: Int32Array,
  now: Int32Array,
  { o0, o1, n0, n1 }: Gap,
  tally: { readonly before: Int32Array; readonly now: Int32Array },
  which: 'single' | 'even',
): readonly Pair[] {
  const add = (counts: Int32Array, lines: Int32Array, from: number, to: number, by: number): void => {
    for (let line = from; line < to; line += 1) {
      const at = lines[line] as number;
      counts[at] = by === 0 ? 0 : (counts[at] as number) + by;
    }
  };
  add(tally.before, before, o0, o1, 1);
  add(tally.now, now, n0, n1, 1);
  const pairs = pairLines(before, now, { o0, o1, n0, n1 }, (line) =>
    which === 'single' ? tally.before[line] === 1 && tally.now[line] === 1 : tally.before[line] === tally.now[line],
  );
  add(tally.before, before, o0, o1, 0);
  add(tally.now, now, n0, n1, 0);
  return longestRising(pairs);
}

/** The n-th of a kind with the n-th, in the order of the old lines. */
function pairLines(
  before: Int32Array,
  now: Int32Array,
  { o0, o1, n0, n1 }: Gap,
  counts: (line: number) => boolean,
): readonly Pair[] {
  const places = new Map<number, number[]>();
  for (let line = n1 - 1; line >= n0; line -= 1) {
    const kind = now[line] as number;
    if (!counts(kind)) continue;
    const known = places.get(kind);
    if (known === undefined) places.set(kind, [line]);
    else known.push(line);
  }
  const pairs: Pair[] = [];
  for (let line = o0; line < o1; line += 1) {
    const place = places.get(before[line] as number)?.pop();
    if (place !== undefined) pairs.push([line, place]);
  }
  return pairs;
}

/** The longest selection in which present lines rise with old ones. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  /** By length: the pair with the lowest end of such a selection; by pair: the one before it. */
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length);
  pairs.forEach(([, line], at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as Pair)[1] < line) low = middle + 1;
      else high = middle;
    }
    previous[at] = low === 0 ? -1 : (ends[low - 1] as number);
    ends[low] = at;
  });
  const chosen: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] as number) chosen.push(pairs[at] as Pair);
  return chosen.reverse();
}

/** Longest common subsequence. */
function compareInFull(before: Int32Array, now: Int32Array, { o0, o1, n0, n1 }: Gap, found: Int32Array): void {
  const width = n1 - n0 + 1;
  const best = new Int32Array((o1 - o0 + 1) * width);
  const at = (o: number, n: number): number => best[(o - o0) * width + (n - n0)] as number;
  for (let o = o1 - 1; o >= o0; o -= 1) {
    for (let n = n1 - 1; n >= n0; n -= 1) {
      best[(o - o0) * width + (n - n0)] =
        before[o] === now[n] ? at(o + 1, n + 1) + 1 : Math.max(at(o + 1, n), at(o, n + 1));
    }
  }
  for (let o = o0, n = n0; o < o1 && n < n1; ) {
    if (before[o] === now[n]) found[o++] = n++;
    else if (at(o + 1, n) >= at(o, n + 1)) o += 1;
    else n += 1;
  }
}
