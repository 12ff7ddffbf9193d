/**
 * Occurrences in the order of the store, each once: by start, end, symbol. Said twice they are one with the roles of both. D8: no two cross;
 * of two that do, the later one is taken out and given back.
 */

import { occurrenceStride as stride } from '../../store/document-facts.ts';

export type SortedOccurrences = {
  readonly sorted: Int32Array;
  readonly crossing: readonly (readonly [start: number, end: number, symbol: number])[];
};

export function sortOccurrences(rows: Int32Array): SortedOccurrences {
  const count = rows.length / stride;
  const order = new Uint32Array(count);
  let isSorted = true;
  for (let at = 0; at < count; at += 1) {
    order[at] = at;
    if (at > 0 && compare(rows, at - 1, at) >= 0) isSorted = false;
  }
  if (!isSorted) order.sort((a, b) => compare(rows, a, b) || a - b);
  const kept = isSorted ? rows : mergeEqual(rows, order);
  return mayCross(kept) ? withoutCrossing(kept) : { sorted: kept, crossing: [] };
}

function compare(rows: Int32Array, a: number, b: number): number {
  const [left, right] = [a * stride, b * stride];
  return (
    (rows[left] as number) - (rows[right] as number) ||
    (rows[left + 1] as number) - (rows[right + 1] as number) ||
    (rows[left + 2] as number) - (rows[right + 2] as number)
  );
}

function mergeEqual(rows: Int32Array, order: Uint32Array): Int32Array {
  const merged = new Int32Array(rows.length);
  let end = 0;
  for (let place = 0; place < order.length; place += 1) {
    const at = order[place] as number;
    if (place > 0 && compare(rows, order[place - 1] as number, at) === 0) {
      merged[end - stride + 3] = (merged[end - stride + 3] as number) | (rows[at * stride + 3] as number);
      continue;
    }
    for (let column = 0; column < stride; column += 1) merged[end + column] = rows[at * stride + column] as number;
    end += stride;
  }
  return end === merged.length ? merged : merged.slice(0, end);
}

/** Anything inside of anything else: rare, so that the exact question is rarely asked. */
function mayCross(rows: Int32Array): boolean {
  let furthest = -1;
  for (let at = 0; at < rows.length; at += stride) {
    const [start, end] = [rows[at] as number, rows[at + 1] as number];
    if (start < furthest && !(at > 0 && start === rows[at - stride] && end === rows[at - stride + 1])) return true;
    if (end > furthest) furthest = end;
  }
  return false;
}

function withoutCrossing(rows: Int32Array): SortedOccurrences {
  const count = rows.length / stride;
  // The wider one first, so that what is open is nested.
  const order = Uint32Array.from({ length: count }, (_, at) => at).sort(
    (a, b) =>
      (rows[a * stride] as number) - (rows[b * stride] as number) ||
      (rows[b * stride + 1] as number) - (rows[a * stride + 1] as number) ||
      a - b,
  );
  const open: { readonly start: number; readonly end: number }[] = [];
  const dropped = new Set<number>();
  const crossing: [number, number, number][] = [];
  for (const at of order) {
    const [start, end] = [rows[at * stride] as number, rows[at * stride + 1] as number];
    while (open.length > 0 && (open.at(-1)?.end as number) <= start) open.pop();
    const around = open.at(-1);
    if (around !== undefined && around.start < start && around.end < end) {
      dropped.add(at);
      crossing.push([start, end, rows[at * stride + 2] as number]);
    } else if (end > start) open.push({ start, end });
  }
  if (dropped.size === 0) return { sorted: rows, crossing };
  const sorted = new Int32Array(rows.length - dropped.size * stride);
  let to = 0;
  for (let at = 0; at < count; at += 1) {
    if (dropped.has(at)) continue;
    sorted.set(rows.subarray(at * stride, (at + 1) * stride), to);
    to += stride;
  }
  return { sorted, crossing };
}
