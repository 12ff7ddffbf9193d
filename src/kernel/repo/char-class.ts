/** Bracket expressions as git's wildmatch reads them: ranges, `!` or `^`, backslash escapes, `[:name:]`. Never matches a slash. */

export type CharClass = {
  /** Asked with a UTF-16 code unit. */
  readonly has: (code: number) => boolean;
};

type Range = readonly [low: number, high: number];

const slash = 0x2f;

const namedRanges: Readonly<Record<string, readonly Range[]>> = {
  alnum: rangesOf('09AZaz'),
  alpha: rangesOf('AZaz'),
  blank: rangesOf('  \t\t'),
  cntrl: rangesOf('\0\x1f\x7f\x7f'),
  digit: rangesOf('09'),
  graph: rangesOf('!~'),
  lower: rangesOf('az'),
  print: rangesOf(' ~'),
  punct: rangesOf('!/:@[`{~'),
  space: rangesOf('\t\r  '),
  upper: rangesOf('AZ'),
  xdigit: rangesOf('09AFaf'),
};

/** The class that begins at `start`, where the bracket is; `undefined` if it does not close or names no known class. */
export function readCharClass(
  pattern: string,
  start: number,
): { readonly charClass: CharClass; readonly end: number; readonly hasEmptyRange: boolean } | undefined {
  const negated = pattern[start + 1] === '!' || pattern[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const ranges: Range[] = [];
  let hasEmptyRange = false;
  /** What a `-` would make a range from. */
  let low: number | undefined;
  for (let index = first; index < pattern.length; index += 1) {
    let char = pattern[index] as string;
    // A bracket in first place is a member.
    if (char === ']' && index > first) return { charClass: classOf(ranges, negated), end: index + 1, hasEmptyRange };
    const name = char === '[' && pattern[index + 1] === ':' ? readName(pattern, index + 2) : undefined;
    const isRange = char === '-' && low !== undefined && index + 1 < pattern.length && pattern[index + 1] !== ']';
    if (name !== undefined) {
      const named = Object.hasOwn(namedRanges, name.text) ? namedRanges[name.text] : undefined;
      if (named === undefined) return undefined;
      ranges.push(...named);
      index = name.end - 1;
      low = undefined;
      continue;
    }
    if (isRange) {
      index += 1;
      char = pattern[index] as string;
    }
    if (char === '\\') {
      index += 1;
      if (index >= pattern.length) return undefined;
      char = pattern[index] as string;
    }
    const code = char.charCodeAt(0);
    const from = isRange ? (low as number) : code;
    if (from > code) hasEmptyRange = true;
    ranges.push([from, code]);
    low = isRange ? undefined : code;
  }
  return undefined;
}

/** The name in `[:name:]`, from after its colon; `undefined` where the brackets mean themselves. */
function readName(pattern: string, start: number): { readonly text: string; readonly end: number } | undefined {
  const close = pattern.indexOf(']', start);
  if (close <= start || pattern[close - 1] !== ':') return undefined;
  return { text: pattern.slice(start, close - 1), end: close + 1 };
}

function classOf(members: readonly Range[], negated: boolean): CharClass {
  const ranges = mergeRanges(members);
  return { has: (code) => code !== slash && isInside(ranges, code) !== negated };
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: [low: number, high: number][] = [];
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (high < low) continue;
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

/** By halving: a class may be as long as its line. */
function isInside(ranges: readonly Range[], code: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle] as Range;
    if (code < from) high = middle;
    else if (code > to) low = middle + 1;
    else return true;
  }
  return false;
}

function rangesOf(ends: string): readonly Range[] {
  const ranges: Range[] = [];
  for (let index = 0; index + 1 < ends.length; index += 2) {
    ranges.push([ends.charCodeAt(index), ends.charCodeAt(index + 1)]);
  }
  return ranges;
}
