/**
 * Finds given texts in another one, also where it breaks off in the middle of one: compilers cut long types, `"postgres://app:hun..."`, and
 * the half of a secret is a secret too. The time does not grow with how many are looked for, but by a logarithm: a repository may hold
 * thousands.
 */

export type KnownSpan = {
  readonly start: number;
  readonly end: number;
  /** The text that is there, or that begins there. */
  readonly known: string;
};

export type FindKnown = (text: string) => readonly KnownSpan[];

/** All are at least so long. */
export const knownCharsMin = 4;

export function createFindKnown(texts: Iterable<string>): FindKnown {
  const sorted = [...new Set(texts)].filter((text) => text.length >= knownCharsMin).sort(byCodeUnits);
  if (sorted.length === 0) return () => [];
  const beginnings = new Set(sorted.map((text) => text.slice(0, knownCharsMin)));
  const firsts = new Uint8Array(0x10000);
  for (const text of sorted) firsts[text.charCodeAt(0)] = 1;
  const shorter = linkPrefixes(sorted);

  /** The longest that is at this place, whole or broken off. */
  const matchAt = (text: string, start: number): KnownSpan | undefined => {
    const next = lowerBound(sorted, text, start);
    let broken: KnownSpan | undefined;
    // What shares most with the text stands right before or right behind the place that the text would have among them.
    for (const at of [next, next - 1]) {
      const known = sorted[at];
      if (known === undefined) continue;
      const shared = countShared(known, text, start);
      if (shared === known.length) return { start, end: start + shared, known };
      const isCut = shared >= knownCharsMin && isBreak(text, start + shared);
      if (isCut && (broken === undefined || start + shared > broken.end))
        broken = { start, end: start + shared, known };
    }
    if (broken !== undefined) return broken;
    for (let at = shorter[next - 1] ?? -1; at >= 0; at = shorter[at] ?? -1) {
      const known = sorted[at] as string;
      if (text.startsWith(known, start)) return { start, end: start + known.length, known };
    }
    return undefined;
  };

  return (text) => {
    const spans: KnownSpan[] = [];
    for (let at = 0; at + knownCharsMin <= text.length; at += 1) {
      if (firsts[text.charCodeAt(at)] === 0 || !beginnings.has(text.slice(at, at + knownCharsMin))) continue;
      const span = matchAt(text, at);
      if (span === undefined) continue;
      spans.push(span);
      at = span.end - 1;
    }
    return spans;
  };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Of each, the position of the longest other that it begins with, or -1. */
function linkPrefixes(sorted: readonly string[]): Int32Array {
  const links = new Int32Array(sorted.length).fill(-1);
  const open: number[] = [];
  sorted.forEach((text, at) => {
    while (open.length > 0 && !text.startsWith(sorted[open.at(-1) as number] as string)) open.pop();
    links[at] = open.at(-1) ?? -1;
    open.push(at);
  });
  return links;
}

/** Position of the first that does not come before the rest of the text. */
function lowerBound(sorted: readonly string[], text: string, start: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const known = sorted[middle] as string;
    const shared = countShared(known, text, start);
    // One that the text begins with comes before it.
    const isBefore =
      shared === known.length
        ? start + shared < text.length
        : known.charCodeAt(shared) < text.charCodeAt(start + shared);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countShared(known: string, text: string, start: number): number {
  const end = Math.min(known.length, text.length - start);
  let count = 0;
  while (count < end && known.charCodeAt(count) === text.charCodeAt(start + count)) count += 1;
  return count;
}

function isBreak(text: string, at: number): boolean {
  return text.startsWith('...', at) || text.startsWith('…', at);
}
