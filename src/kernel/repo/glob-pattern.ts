/**
 * One brace-free pattern as a list of segments, and the match. `glob.ts` and `ignore-rules.ts` are its two grammars.
 * Promise: no recursion and no backtracking beyond the last star. A name of n characters costs at most n² steps and a path of
 * s segments at most s² names, whatever the pattern is and however long it is.
 */

import { type CharClass, readCharClass } from './char-class.ts';

/** `any_depth` is `**` before a slash: no or more directories. `rest` is `**` at the end: one or more names. */
export type GlobSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'affix'; readonly prefix: string; readonly suffix: string }
  | { readonly kind: 'wild'; readonly units: readonly Unit[] }
  | { readonly kind: 'any_depth' | 'rest' | 'never' };

export type GlobPattern = readonly GlobSegment[];

/** A UTF-16 code unit that stands for itself, or what can stand in its place. */
type Unit = number | typeof anyUnit | typeof star | CharClass;
const anyUnit = -1;
const star = -2;

/** What an open bracket or a lone backslash at the end means: its own text (globs), or a pattern that matches nothing (git). */
export type Malformed = 'literal' | 'never';

const neverMatches: GlobPattern = [{ kind: 'never' }];

export function parsePattern(pattern: string, malformed: Malformed): GlobPattern {
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
export function literalTextOf(pattern: GlobPattern): string | undefined {
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
