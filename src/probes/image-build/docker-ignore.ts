/**
 * Which files of a build context are left out, by the rules of `.dockerignore`: Go's patterns, matched from the root of the context,
 * where `**` is any number of directories, a pattern speaks for all that is below what it matches, and the last line that matches
 * decides. The repository writes these patterns, so no regular expressions: a path costs at most its length times the pattern's.
 */

import { posix } from 'node:path';

/** The rules that are read; the rest is left out. */
const maxRules = 10_000;

type Rule = { readonly includes: boolean; readonly matches: (path: string) => boolean };

export function compileDockerIgnore(text: string): (path: string) => boolean {
  const rules = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .slice(0, maxRules)
    .flatMap(readRule)
    .reverse();
  return (path) => {
    const decides = rules.find((rule) => rule.matches(path));
    return decides !== undefined && !decides.includes;
  };
}

function readRule(line: string): readonly Rule[] {
  if (line.startsWith('#')) return [];
  const trimmed = line.trim();
  const includes = trimmed.startsWith('!');
  const pattern = (includes ? trimmed.slice(1) : trimmed).trim();
  if (pattern === '') return [];
  const cleaned = posix.normalize(pattern).replace(/(?<=.)\/$/, '');
  const anchored = cleaned.length > 1 && cleaned.startsWith('/') ? cleaned.slice(1) : cleaned;
  return [{ includes, matches: compilePattern(anchored) }];
}

function compilePattern(pattern: string): Rule['matches'] {
  if (!/[*?[\]\\]/.test(pattern)) {
    const below = `${pattern}/`;
    return (path) => path === pattern || path.startsWith(below);
  }
  const steps = readSteps(pattern);
  return (path) => runSteps(steps, path);
}

/** `skip` may be left out with the `inside` after it: together they are any number of directories. */
type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' | 'star' | 'skip' | 'inside' | 'rest' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };

function readSteps(pattern: string): readonly Step[] {
  const chars = [...pattern];
  const steps: Step[] = [];
  for (let index = 0; index < chars.length; index += 1) {
    const char = chars[index] as string;
    if (char === '*' && chars[index + 1] === '*') {
      index += 1;
      if (chars[index + 1] === '/') index += 1;
      if (index + 1 >= chars.length) steps.push({ kind: 'rest' });
      else steps.push({ kind: 'skip' }, { kind: 'inside' });
    } else if (char === '*') steps.push({ kind: 'star' });
    else if (char === '?') steps.push({ kind: 'any' });
    else if (char === '\\' && index + 1 < chars.length) {
      index += 1;
      steps.push({ kind: 'char', char: chars[index] as string });
    } else if (char === '[') {
      const read = readClass(chars, index);
      if (read === undefined) steps.push({ kind: 'char', char });
      else {
        steps.push(read.step);
        index = read.end;
      }
    } else steps.push({ kind: 'char', char });
  }
  return steps;
}

function readClass(chars: readonly string[], open: number): { readonly step: Step; readonly end: number } | undefined {
  const negated = chars[open + 1] === '^';
  const ranges: (readonly [string, string])[] = [];
  let at = open + (negated ? 2 : 1);
  while (at < chars.length && chars[at] !== ']') {
    if (chars[at] === '\\') at += 1;
    const low = chars[at];
    const high = chars[at + 1] === '-' && chars[at + 2] !== ']' ? chars[at + 2] : low;
    if (low === undefined || high === undefined) return undefined;
    ranges.push([low, high]);
    at += high === low ? 1 : 3;
  }
  return at < chars.length && ranges.length > 0 ? { step: { kind: 'class', negated, ranges }, end: at } : undefined;
}

/** All the steps one can be at, character by character. Having come to the end where a name ends is a match. */
function runSteps(steps: readonly Step[], path: string): boolean {
  let at = new Set<number>();
  enter(steps, 0, at);
  for (const char of path) {
    if (char === '/' && at.has(steps.length)) return true;
    const next = new Set<number>();
    for (const index of at) {
      const step = steps[index];
      if (step === undefined) continue;
      if (step.kind === 'star' || step.kind === 'rest') {
        if (char !== '/' || step.kind === 'rest') enter(steps, index, next);
      } else if (step.kind === 'inside') {
        next.add(index);
        if (char === '/') enter(steps, index + 1, next);
      } else if (accepts(step, char)) enter(steps, index + 1, next);
    }
    if (next.size === 0) return false;
    at = next;
  }
  return at.has(steps.length);
}

/** Adds a step and those that may follow without a character. */
function enter(steps: readonly Step[], index: number, into: Set<number>): void {
  for (let at = index; !into.has(at); ) {
    into.add(at);
    const kind = steps[at]?.kind;
    if (kind === 'star' || kind === 'rest') at += 1;
    else if (kind === 'skip') {
      into.add(at + 1);
      at += 2;
    } else return;
  }
}

function accepts(step: Step, char: string): boolean {
  if (step.kind === 'char') return step.char === char;
  if (char === '/') return false;
  if (step.kind === 'any') return true;
  return step.kind === 'class' && step.ranges.some(([low, high]) => low <= char && char <= high) !== step.negated;
}
