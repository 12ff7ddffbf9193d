/**
 * Which line of a text is which line of an older one, by their hashes: patience diff. Common ends are matched first, then lines that
 * both texts have exactly once, in the longest order they agree on, then the same again between those. Where no line is single, little
 * is compared in full, and of much the lines count that both sides have equally often.
 *
 * Matches never cross and matched lines have equal hashes. The work is bounded: a hostile text leaves lines unmatched, no more.
 */

import { lineHashBytes } from '../semantic/line-hashes.ts';

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
