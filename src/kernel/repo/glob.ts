/**
 * Globs over root-relative POSIX paths: anchored, case-sensitive, leading dots match like any other character.
 * `**` any number of directories · `*` and `?` within one name · `{a,b}` alternatives · `[abc]`, `[!a-z]`, `[[:digit:]]` classes ·
 * `\x` literally x. A malformed glob (an open bracket or brace) matches its own text.
 * Repositories write globs too, so no regular expressions: `glob-pattern.ts` says what a match can cost at most.
 */

import { type GlobPattern, literalTextOf, matchSegments, parsePattern, splitPath } from './glob-pattern.ts';

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
