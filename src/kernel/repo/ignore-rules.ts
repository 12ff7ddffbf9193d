/**
 * The gitignore grammar, for `.cplignore` everywhere and for `.gitignore` where there is no git to ask. Two readings of one rule:
 * `judgeIgnore` is `.cplignore`'s, where a line speaks for a directory and all below it and the last matching line wins;
 * `judgeEntry` is git's, where a line speaks for the entry alone and nothing below an ignored directory can come back.
 */

import { type GlobPattern, literalTextOf, matchSegments, parsePattern, splitPath } from './glob-pattern.ts';

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

export type IgnoreVerdict = 'ignored' | 'included' | 'neutral';

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
