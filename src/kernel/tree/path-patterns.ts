/**
 * Patterns over paths, of two grammars: globs and ignore files. Hand-written, because repositories write both: picomatch compiles them
 * to backtracking regular expressions, and here a match has a bound (`matchSegments`).
 *
 * Globs over root-relative POSIX paths: anchored, case-sensitive, leading dots match like any other character.
 * `**` any number of directories · `*` and `?` within one name · `{a,b}` alternatives · `[abc]`, `[!a-z]`, `[[:digit:]]` classes ·
 * `\x` literally x. A malformed glob (an open bracket or brace) matches its own text.
 */

const maxAlternatives = 256;

export function isGlob(pattern: string): boolean {
  return /[*?[\]{}\\]/.test(pattern);
}

export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.flatMap(expandBraces).map(compileGlob);
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return only;
  return (path) => tests.some((test) => test(path));
}

/** One brace-free glob. The shapes probes ask in are single string comparisons. */
export function compileGlob(glob: string): (path: string) => boolean {
  const pattern = parsePattern(glob, 'literal');
  const literal = literalTextOf(pattern);
  if (literal !== undefined) return (path) => path === literal;
  return compileCommonShape(pattern) ?? compileGeneral(pattern);
}

// `**/name`, `**/*.ext`, `*.ext` and `folder/**`.
function compileCommonShape(pattern: GlobPattern): ((path: string) => boolean) | undefined {
  const [first, second] = pattern;
  const last = pattern.at(-1);
  if (pattern.length === 2 && first?.kind === 'any_depth' && second?.kind === 'literal') {
    const { text } = second;
    const below = `/${text}`;
    return (path) => path.endsWith(below) || path === text;
  }
  if (pattern.length === 2 && first?.kind === 'any_depth' && second?.kind === 'affix' && second.prefix === '') {
    const { suffix } = second;
    return (path) => path.endsWith(suffix);
  }
  if (pattern.length === 1 && first?.kind === 'affix' && first.prefix === '') {
    const { suffix } = first;
    return (path) => path.endsWith(suffix) && !path.includes('/');
  }
  const folder = literalTextOf(pattern.slice(0, -1));
  if (last?.kind === 'rest' && folder !== undefined) {
    const below = `${folder}/`;
    return (path) => path.startsWith(below) && path.length > below.length;
  }
  return undefined;
}

/** What must stand at both ends is compared first: it turns most paths away before they are split. */
function compileGeneral(pattern: GlobPattern): (path: string) => boolean {
  const wild = pattern.findIndex((segment) => segment.kind !== 'literal');
  const leading = literalTextOf(pattern.slice(0, wild));
  const start = leading === undefined ? '' : `${leading}/`;
  const last = pattern.at(-1);
  const end = last?.kind === 'literal' ? last.text : last?.kind === 'affix' ? last.suffix : '';
  return (path) => path.startsWith(start) && path.endsWith(end) && matchSegments(pattern, splitPath(path));
}

/** `a.{ts,{m,c}ts}` → the plain globs it stands for. More than 256 alternatives: the pattern is taken literally. */
export function expandBraces(glob: string): string[] {
  if (!glob.includes('{')) return [glob];
  const done: string[] = [];
  const pending = [glob];
  while (pending.length > 0) {
    const next = pending.pop() as string;
    const group = findBraceGroup(next);
    if (group === undefined) done.push(next);
    else if (done.length + pending.length + group.choices.length > maxAlternatives)
      return [glob.replace(/[{}]/g, '\\$&')];
    else for (const choice of group.choices) pending.push(next.slice(0, group.start) + choice + next.slice(group.end));
  }
  return done.reverse();
}

type BraceGroup = { readonly start: number; readonly end: number; readonly choices: readonly string[] };

/** The leftmost group that is closed and has a comma, found in one pass: of those that close, the one that opened first. */
function findBraceGroup(glob: string): BraceGroup | undefined {
  const open: { readonly start: number; readonly cuts: number[] }[] = [];
  let found: { readonly start: number; readonly end: number; readonly cuts: readonly number[] } | undefined;
  for (let index = 0; index < glob.length; index += 1) {
    const char = glob[index];
    if (char === '\\') index += 1;
    else if (char === '{') open.push({ start: index, cuts: [] });
    else if (char === ',') open.at(-1)?.cuts.push(index);
    else if (char === '}') {
      const group = open.pop();
      if (group !== undefined && group.cuts.length > 0 && (found === undefined || group.start < found.start))
        found = { ...group, end: index };
    }
  }
  if (found === undefined) return undefined;
  const cuts = [found.start, ...found.cuts, found.end];
  const choices = cuts.slice(1).map((cut, index) => glob.slice((cuts[index] as number) + 1, cut));
  return { start: found.start, end: found.end + 1, choices };
}

// Ignore files: the gitignore grammar, for `.cplignore` everywhere and for `.gitignore` where there is no git to ask. Two readings of one
// rule: `judgeIgnore` is `.cplignore`'s, where a line speaks for a directory and all below it and the last matching line wins;
// `judgeEntry` is git's, where a line speaks for the entry alone and nothing below an ignored directory can come back.

/** No path is longer, and a pattern that long is not written by people. */
const maxLineChars = 4096;

export type IgnoreRule = {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** The folder of the ignore file, as names; the pattern is matched below it. */
  readonly base: readonly string[];
  readonly pattern: GlobPattern;
  /** Longest leading directory without a wildcard, root-relative, `''` for none: where a negation can reach into a pruned tree. */
  readonly literalDirectory: string;
};

type IgnoreVerdict = 'ignored' | 'included' | 'neutral';

/** `directory` is the root-relative folder of the ignore file, `''` for the root. */
export function parseIgnoreFile(text: string, directory: string): readonly IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const line of text.split('\n')) {
    const rule = parseIgnoreLine(line.endsWith('\r') ? line.slice(0, -1) : line, directory);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

/** Files pass their path, directories their path plus `/`. A rule also matches what lies below a directory it matches. */
export function judgeIgnore(rules: readonly IgnoreRule[], path: string): IgnoreVerdict {
  if (rules.length === 0) return 'neutral';
  const { names, isDirectory } = readEntry(path);
  return lastVerdict(rules, (rule) => {
    const to = rule.directoryOnly && !isDirectory ? names.length - 1 : names.length;
    return (
      isBelow(rule.base, names) && matchSegments(rule.pattern, names, { from: rule.base.length, to, prefix: true })
    );
  });
}

/** The verdict on this entry alone, as git asks it on the way down: the caller does not ask about what is below an ignored directory. */
export function judgeEntry(rules: readonly IgnoreRule[], path: string): IgnoreVerdict {
  if (rules.length === 0) return 'neutral';
  const { names, isDirectory } = readEntry(path);
  return lastVerdict(
    rules,
    (rule) =>
      (isDirectory || !rule.directoryOnly) &&
      isBelow(rule.base, names) &&
      matchSegments(rule.pattern, names, { from: rule.base.length }),
  );
}

function lastVerdict(rules: readonly IgnoreRule[], matches: (rule: IgnoreRule) => boolean): IgnoreVerdict {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index] as IgnoreRule;
    if (matches(rule)) return rule.negated ? 'included' : 'ignored';
  }
  return 'neutral';
}

function readEntry(path: string): { readonly names: readonly string[]; readonly isDirectory: boolean } {
  const isDirectory = path.endsWith('/');
  return { names: splitPath(isDirectory ? path.slice(0, -1) : path), isDirectory };
}

function isBelow(base: readonly string[], names: readonly string[]): boolean {
  if (names.length <= base.length) return false;
  for (let index = 0; index < base.length; index += 1) if (base[index] !== names[index]) return false;
  return true;
}

function parseIgnoreLine(line: string, directory: string): IgnoreRule | undefined {
  if (line.length > maxLineChars || line.startsWith('#')) return undefined;
  let pattern = trimUnescapedSpaces(line);
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const directoryOnly = pattern.endsWith('/');
  if (directoryOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  if (pattern === '') return undefined;
  const parsed = parsePattern(pattern, 'never');
  return {
    negated,
    directoryOnly,
    base: directory === '' ? [] : splitPath(directory),
    // A pattern without a slash matches at any depth; one of two stars alone is then the same as one star.
    pattern: anchored ? parsed : [{ kind: 'any_depth' }, ...parsed],
    literalDirectory: anchored ? literalDirectory(directory, parsed) : '',
  };
}

function literalDirectory(directory: string, pattern: GlobPattern): string {
  const wild = pattern.findIndex((segment) => segment.kind !== 'literal');
  const leading = literalTextOf(pattern.slice(0, wild < 0 ? -1 : wild));
  return [directory, leading ?? ''].filter((part) => part !== '').join('/');
}

/** As git trims: a space after a backslash stays. */
function trimUnescapedSpaces(line: string): string {
  let end = 0;
  for (let index = 0; index < line.length; index += 1) {
    if (line[index] === ' ') continue;
    if (line[index] === '\\') index += 1;
    end = index + 1;
  }
  return line.slice(0, end);
}

// What both grammars become: one brace-free pattern as a list of segments, and the match.
// Promise: no recursion and no backtracking beyond the last star. A name of n characters costs at most n² steps and a path of
// s segments at most s² names, whatever the pattern is and however long it is.

/** `any_depth` is `**` before a slash: no or more directories. `rest` is `**` at the end: one or more names. */
type GlobSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'affix'; readonly prefix: string; readonly suffix: string }
  | { readonly kind: 'wild'; readonly units: readonly Unit[] }
  | { readonly kind: 'any_depth' | 'rest' | 'never' };

type GlobPattern = readonly GlobSegment[];

/** A UTF-16 code unit that stands for itself, or what can stand in its place. */
type Unit = number | typeof anyUnit | typeof star | CharClass;
const anyUnit = -1;
const star = -2;

/** What an open bracket or a lone backslash at the end means: its own text (globs), or a pattern that matches nothing (git). */
type Malformed = 'literal' | 'never';

const neverMatches: GlobPattern = [{ kind: 'never' }];

function parsePattern(pattern: string, malformed: Malformed): GlobPattern {
  const segments: GlobSegment[] = [];
  let units: Unit[] = [];
  let stars = 0;
  let bracketsMeanThemselves = false;
  const endSegment = (isLast: boolean) => {
    if (stars < 2 || units.length > 1) segments.push(segmentOf(units));
    else if (isLast) segments.push({ kind: 'rest' });
    // `**/**` says nothing more than `**`.
    else if (segments.at(-1)?.kind !== 'any_depth') segments.push({ kind: 'any_depth' });
    units = [];
    stars = 0;
  };
  for (let index = 0; index < pattern.length; index += 1) {
    let char = pattern[index] as string;
    const isEscape = char === '\\';
    if (isEscape && index + 1 < pattern.length) {
      index += 1;
      char = pattern[index] as string;
    } else if (isEscape && malformed === 'never') return neverMatches;
    if (char === '/') endSegment(false);
    else if (isEscape) units.push(char.charCodeAt(0));
    else if (char === '*') {
      if (units.at(-1) !== star) units.push(star);
      stars += 1;
    } else if (char === '?') units.push(anyUnit);
    else if (char === '[' && !bracketsMeanThemselves) {
      const read = readCharClass(pattern, index);
      if (read === undefined && malformed === 'never') return neverMatches;
      if (read === undefined || (read.hasEmptyRange && malformed === 'literal')) {
        // From here on, so that a row of open brackets is not searched to the end for each of them.
        bracketsMeanThemselves = true;
        units.push(char.charCodeAt(0));
      } else {
        units.push(read.charClass);
        index = read.end - 1;
      }
    } else units.push(char.charCodeAt(0));
  }
  endSegment(true);
  return segments;
}

/** The text of a pattern without wildcards; `undefined` for any other, and for no segments at all. */
function literalTextOf(pattern: GlobPattern): string | undefined {
  const texts: string[] = [];
  for (const segment of pattern) {
    if (segment.kind !== 'literal') return undefined;
    texts.push(segment.text);
  }
  return texts.length === 0 ? undefined : texts.join('/');
}

export function splitPath(path: string): readonly string[] {
  return path.split('/');
}

/** Does the pattern match names `from` up to `to`, all of them; or, with `prefix`, one or more of them from the left? */
export function matchSegments(
  pattern: GlobPattern,
  names: readonly string[],
  { from = 0, to = names.length, prefix = false }: { from?: number; to?: number; prefix?: boolean } = {},
): boolean {
  let at = from;
  let index = 0;
  // Where to take up again after the last `**`, giving it one name more.
  let retryIndex = -1;
  let retryAt = 0;
  for (;;) {
    const segment = pattern[index];
    if (segment === undefined) {
      if (at === to || (prefix && at > from)) return true;
    } else if (segment.kind === 'any_depth') {
      index += 1;
      retryIndex = index;
      retryAt = at;
      continue;
    } else if (segment.kind === 'rest') return at < to;
    else if (at < to && matchName(segment, names[at] as string)) {
      index += 1;
      at += 1;
      continue;
    }
    if (retryIndex < 0 || retryAt >= to) return false;
    retryAt += 1;
    at = retryAt;
    index = retryIndex;
  }
}

function matchName(segment: GlobSegment, name: string): boolean {
  switch (segment.kind) {
    case 'literal':
      return name === segment.text;
    case 'affix':
      return (
        name.length >= segment.prefix.length + segment.suffix.length &&
        name.startsWith(segment.prefix) &&
        name.endsWith(segment.suffix)
      );
    case 'wild':
      return matchUnits(segment.units, name);
    case 'any_depth':
    case 'rest':
      return true;
    case 'never':
      return false;
  }
}

function segmentOf(units: readonly Unit[]): GlobSegment {
  const stars = units.filter((unit) => unit === star).length;
  if (stars > 1 || units.some((unit) => unit === anyUnit || typeof unit !== 'number')) return { kind: 'wild', units };
  const at = units.indexOf(star);
  const textOf = (part: readonly Unit[]) => part.map((unit) => String.fromCharCode(unit as number)).join('');
  if (at < 0) return { kind: 'literal', text: textOf(units) };
  return { kind: 'affix', prefix: textOf(units.slice(0, at)), suffix: textOf(units.slice(at + 1)) };
}

/** The two-pointer wildcard match: on a mismatch only the last star takes one character more. */
function matchUnits(units: readonly Unit[], name: string): boolean {
  let index = 0;
  let at = 0;
  let retryIndex = -1;
  let retryAt = 0;
  while (at < name.length || index < units.length) {
    const unit = units[index];
    if (unit === star) {
      index += 1;
      retryIndex = index;
      retryAt = at;
    } else if (unit !== undefined && at < name.length && matchUnit(unit, name.charCodeAt(at))) {
      index += 1;
      at += 1;
    } else {
      if (retryIndex < 0 || retryAt >= name.length) return false;
      retryAt += 1;
      at = retryAt;
      index = retryIndex;
    }
  }
  return true;
}

function matchUnit(unit: Unit, code: number): boolean {
  return typeof unit === 'number' ? unit === anyUnit || unit === code : unit.has(code);
}

// Bracket expressions as git's wildmatch reads them: ranges, `!` or `^`, backslash escapes, `[:name:]`. Never matches a slash.

type CharClass = {
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
function readCharClass(
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
