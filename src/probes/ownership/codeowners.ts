/**
 * CODEOWNERS as GitHub and GitLab read it: a pattern and its owners per line, `#` comments, escaped spaces, and GitLab's sections
 * with default owners. What a forge would skip is a problem here and no entry. Linear, never throws.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { linesOf } from '../../kernel/formats/parse-outcome.ts';
import type { Coverage } from './ownership-section.ts';

type OwnershipEntry = {
  readonly pattern: string;
  readonly owners: readonly string[];
  readonly line: number;
  readonly section: string | null;
  readonly match: PathPattern;
  /** GitLab's `!pattern`: what it matches has no owner in this section, whatever else matches. */
  readonly excludes: boolean;
};

type CodeownersProblem = { readonly kind: 'invalid_pattern' | 'invalid_owner'; readonly line: number };
export type Codeowners = {
  readonly entries: readonly OwnershipEntry[];
  readonly problems: readonly CodeownersProblem[];
};

export type Forge = 'github' | 'gitlab' | 'either';

const sectionHeader = /^\^?\[([^\][]+)\](?:\[\d+\])?(?:\s+(.*))?$/;
const owner = /^@{1,2}[^\s@]+$|^[^\s@]+@[^\s@]+$/;

export function parseCodeowners(text: string, forge: Forge): Codeowners {
  const entries: OwnershipEntry[] = [];
  const problems: CodeownersProblem[] = [];
  // Sections of one name are one section, however its letters are cased.
  const sectionNames = new Map<string, string>();
  let section: string | null = null;
  let defaults: readonly string[] = [];

  const readOwners = (words: readonly string[], line: number): string[] => {
    const valid = words.filter((word) => owner.test(word));
    if (valid.length < words.length) problems.push({ kind: 'invalid_owner', line });
    return [...new Set(valid)];
  };

  for (const [raw, line] of linesOf(text)) {
    const trimmed = raw.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const header = forge === 'github' ? null : sectionHeader.exec(trimmed);
    if (header !== null) {
      const name = (header[1] ?? '').trim();
      const key = name.toLowerCase();
      section = sectionNames.get(key) ?? name;
      sectionNames.set(key, section);
      defaults = readOwners(splitWords(header[2] ?? ''), line);
      continue;
    }
    const [pattern = '', ...words] = splitWords(trimmed);
    const excludes = forge === 'gitlab' && pattern.startsWith('!');
    const match = parsePathPattern(excludes ? pattern.slice(1) : pattern);
    if (match === undefined) {
      problems.push({ kind: 'invalid_pattern', line });
      continue;
    }
    const own = readOwners(words, line);
    const owners = excludes ? [] : own.length > 0 ? own : defaults;
    entries.push({ pattern, owners, line, section, match, excludes });
  }
  return { entries, problems };
}

/** Words at white space that no backslash precedes, up to a comment. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\' && at + 1 < text.length) {
      word += char + text.charAt(at + 1);
      at += 1;
    } else if (char === ' ' || char === '\t') {
      if (word !== '') words.push(word);
      word = '';
    } else if (char === '#' && word === '') return words;
    else word += char;
  }
  if (word !== '') words.push(word);
  return words;
}

// How much of a repository has an owner. In each section the last pattern that matches decides, and a pattern without owners
// takes them away; a file is owned if any section gives it owners.

/** How long the event loop may wait for us. */
const turnMs = 15;

export async function measureCoverage(
  entries: readonly OwnershipEntry[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Coverage> {
  const bySection = new Map<string | null, OwnershipEntry[]>();
  for (const entry of entries) {
    const known = bySection.get(entry.section);
    if (known === undefined) bySection.set(entry.section, [entry]);
    else known.push(entry);
  }
  const sections = [...bySection.values()].map(indexSection);
  const ownedByTop = new Map<string, boolean>();
  let owned = 0;
  let turnStarted = performance.now();
  for (const path of paths) {
    const names = path.split('/');
    const isOwned = sections.some((section) => section.owns(names));
    if (isOwned) owned += 1;
    const [top] = names;
    if (top !== undefined && names.length > 1) ownedByTop.set(top, isOwned || (ownedByTop.get(top) ?? false));
    if (performance.now() - turnStarted > turnMs) {
      await nextTurn();
      signal.throwIfAborted();
      turnStarted = performance.now();
    }
  }
  const unowned = [...ownedByTop].filter(([, isOwned]) => !isOwned).map(([name]) => name);
  return { files: paths.length, owned, unowned_top_dirs: unowned.sort(compareCodeUnits) };
}

type SectionIndex = { owns(names: readonly string[]): boolean };

/**
 * Most lines of a large CODEOWNERS name one directory: those are looked up. Only the others are tried one by one, from the last,
 * and only while they come after what the lookup found.
 */
function indexSection(entries: readonly OwnershipEntry[]): SectionIndex {
  const atPath = new Map<string, number>();
  const belowPath = new Map<string, number>();
  const others: number[] = [];
  const excluding: number[] = [];
  for (const [index, entry] of entries.entries()) {
    const literal = literalPath(entry.match);
    if (entry.excludes) excluding.push(index);
    else if (literal === undefined) others.push(index);
    else {
      belowPath.set(literal.path, index);
      if (literal.itself) atPath.set(literal.path, index);
    }
  }
  others.reverse();
  const matches = (index: number, names: readonly string[]): boolean => {
    const entry = entries[index];
    return entry !== undefined && matchesPath(entry.match, names);
  };
  return {
    owns(names) {
      let best = atPath.get(names.join('/')) ?? -1;
      let directory = '';
      for (const name of names.slice(0, -1)) {
        directory = directory === '' ? name : `${directory}/${name}`;
        best = Math.max(best, belowPath.get(directory) ?? -1);
      }
      for (const index of others) {
        if (index < best) break;
        if (matches(index, names)) best = index;
      }
      const owners = entries[best]?.owners.length ?? 0;
      return owners > 0 && !excluding.some((index) => matches(index, names));
    },
  };
}

// The path patterns of CODEOWNERS: gitignore's, without negation and character ranges. A pattern covers what lies below the
// directory it matches, except that `docs/*` stays within `docs`. Matching never backtracks further than the last star, so that a
// pattern and a path of n and m characters cost at most n × m, also where they are hostile.

const STAR = -1;
const ANY = -2;

/** Code units, `STAR` and `ANY` of one name; `null` stands for any number of directories. */
type Segment = readonly number[] | null;
type PathPattern = { readonly segments: readonly Segment[] };

const star: Segment = [STAR];

/** Undefined for what forges refuse: negation, character ranges. `\x` stands for x. */
export function parsePathPattern(text: string): PathPattern | undefined {
  if (text.startsWith('!') || hasRange(text)) return undefined;
  const body = text.replace(/^\/+/, '').replace(/\/+$/, '');
  const isDirectory = text.endsWith('/');
  const names = body === '' ? [] : body.split(/\/+/);
  const segments: Segment[] = names.map((name) => (name === '**' ? null : readSegment(name)));
  // A slash at the beginning or in the middle anchors the pattern at the root.
  const anchored = text.startsWith('/') || names.length > 1;
  const last = names.at(-1);
  const below: Segment[] = isDirectory || last === '**' ? [null, star] : last === '*' && anchored ? [] : [null];
  return { segments: [...(anchored ? [] : [null]), ...segments, ...below] };
}

export function matchesPath({ segments }: PathPattern, names: readonly string[]): boolean {
  let at = 0;
  let name = 0;
  let retryAt = -1;
  let retryName = 0;
  while (name < names.length) {
    const segment = segments[at];
    if (segment === null) {
      retryAt = at;
      retryName = name;
      at += 1;
    } else if (segment !== undefined && matchesName(segment, names[name] as string)) {
      at += 1;
      name += 1;
    } else if (retryAt >= 0) {
      retryName += 1;
      name = retryName;
      at = retryAt + 1;
    } else return false;
  }
  while (segments[at] === null) at += 1;
  return at === segments.length;
}

/** The names of a pattern without wildcards that covers a file or a whole directory from the root on; else undefined. */
function literalPath({ segments }: PathPattern): { readonly path: string; readonly itself: boolean } | undefined {
  const end = segments.indexOf(null);
  if (end <= 0) return undefined;
  const tail = segments.slice(end + 1);
  if (tail.length > 0 && !(tail.length === 1 && tail[0] === star)) return undefined;
  const names: string[] = [];
  for (const segment of segments.slice(0, end)) {
    if (segment === null || segment.some((unit) => unit < 0)) return undefined;
    names.push(segment.map((unit) => String.fromCharCode(unit)).join(''));
  }
  return { path: names.join('/'), itself: tail.length === 0 };
}

function matchesName(segment: readonly number[], name: string): boolean {
  let at = 0;
  let char = 0;
  let retryAt = -1;
  let retryChar = 0;
  while (char < name.length) {
    const unit = segment[at];
    if (unit === STAR) {
      retryAt = at;
      retryChar = char;
      at += 1;
    } else if (unit !== undefined && (unit === ANY || unit === name.charCodeAt(char))) {
      at += 1;
      char += 1;
    } else if (retryAt >= 0) {
      retryChar += 1;
      char = retryChar;
      at = retryAt + 1;
    } else return false;
  }
  while (segment[at] === STAR) at += 1;
  return at === segment.length;
}

function readSegment(name: string): Segment {
  if (/^\*+$/.test(name)) return star;
  const units: number[] = [];
  for (let at = 0; at < name.length; at += 1) {
    const char = name.charAt(at);
    if (char === '\\' && at + 1 < name.length) {
      at += 1;
      units.push(name.charCodeAt(at));
    } else if (char === '*') {
      if (units.at(-1) !== STAR) units.push(STAR);
    } else units.push(char === '?' ? ANY : name.charCodeAt(at));
  }
  return units;
}

function hasRange(text: string): boolean {
  return /[[\]]/.test(text.replace(/\\./g, ''));
}
