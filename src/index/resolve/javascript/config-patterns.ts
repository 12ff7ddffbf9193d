/**
 * `include` and `exclude` patterns as the compiler reads them: `**` skips dotted directories and package folders, a leading `*` skips
 * dotted names, no `*` reaches over `.min.js`, a last component without `.`, `*` or `?` is a directory with all it holds, and an
 * exclusion covers everything below what it names. Matching is a walk over states held in one number, never a regular expression:
 * no pattern can make it slow, and a tree is matched directory by directory.
 */

import { isWithin } from '../shared/root-paths.ts';

export type PatternUsage = 'include' | 'exclude';
export type ConfigPattern = {
  /** What stands before the first wildcard: nothing outside of it can match. */
  readonly base: string;
  readonly components: readonly Component[];
  readonly usage: PatternUsage;
};
type Component = { readonly kind: 'literal' | 'wildcard' | 'any' | 'recursive'; readonly text: string };

/** Bit n: the first n components have matched. 0: nothing below here can match. */
export type PatternStates = number;
/** Of a directory above a pattern's base. */
export const waiting: PatternStates = -1;

const componentsMax = 30;
/** No file system has longer names. */
const componentLengthMax = 1_024;

/** `path` is normalised, `''` the root. `undefined`: it never matches anything. */
export function compilePattern(path: string, usage: PatternUsage): ConfigPattern | undefined {
  const components = path === '' ? [] : path.split('/');
  const last = components.at(-1);
  if (usage === 'include' && last === '**') return undefined;
  if (last === undefined || !/[.*?]/.test(last)) components.push('**', '*');
  // An exclusion covers what is below anyway: `x/**` is `x`, be that a directory or a file.
  while (components.length > 1 && components.at(-1) === '**') components.pop();
  const literal = components.slice(0, -1).findIndex((component) => /[*?]/.test(component));
  const base = components.slice(0, literal === -1 ? components.length - 1 : literal);
  if (components.length - base.length > componentsMax) return undefined;
  if (components.some((component) => component.length > componentLengthMax)) return undefined;
  return { base: base.join('/'), components: components.slice(base.length).map(compileComponent), usage };
}

function compileComponent(text: string): Component {
  if (text === '**') return { kind: 'recursive', text };
  if (text === '*') return { kind: 'any', text };
  return { kind: /[*?]/.test(text) ? 'wildcard' : 'literal', text };
}

/** Root-relative; a directory is written with what stands for all it holds. */
export function renderPattern({ base, components }: ConfigPattern): string {
  return [...(base === '' ? [] : [base]), ...components.map(({ text }) => text)].join('/');
}

/** The states at a directory: what its entries are matched against. */
export function statesAt(pattern: ConfigPattern, directory: string): PatternStates {
  const { base } = pattern;
  if (!isWithin(directory, base)) return isWithin(base, directory) ? waiting : 0;
  let states = closeOver(pattern, 1);
  for (const segment of segmentsBelow(directory, base)) states = step(pattern, states, segment, false);
  return states;
}

/** From a directory to one of its own. `path` is the child's. */
export function enter(pattern: ConfigPattern, states: PatternStates, path: string, name: string): PatternStates {
  return states === waiting ? statesAt(pattern, path) : step(pattern, states, name, false);
}

export function matchesFile(pattern: ConfigPattern, states: PatternStates, name: string): boolean {
  return states > 0 && isThrough(pattern, step(pattern, states, name, true));
}

/** An exclusion that is through at a directory excludes all of it. */
export function isThrough(pattern: ConfigPattern, states: PatternStates): boolean {
  return states > 0 && (states & (1 << pattern.components.length)) !== 0;
}

export function matchesPath(pattern: ConfigPattern, path: string): boolean {
  if (!isWithin(path, pattern.base) || path.length === pattern.base.length) return false;
  let states = closeOver(pattern, 1);
  const segments = segmentsBelow(path, pattern.base);
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    states = step(pattern, states, segment, isLast);
    if (states === 0) return false;
    if ((isLast || pattern.usage === 'exclude') && isThrough(pattern, states)) return true;
  }
  return false;
}

function segmentsBelow(path: string, base: string): readonly string[] {
  const rest = base === '' ? path : path.slice(base.length + 1);
  return rest === '' ? [] : rest.split('/');
}

function step(pattern: ConfigPattern, states: PatternStates, segment: string, isLast: boolean): PatternStates {
  const { components, usage } = pattern;
  // Through is for good: whatever lies below an excluded directory is excluded.
  let next = usage === 'exclude' && isThrough(pattern, states) ? 1 << components.length : 0;
  for (let at = 0; at < components.length; at += 1) {
    if ((states & (1 << at)) === 0) continue;
    const component = components[at] as Component;
    if (component.kind === 'recursive') {
      if (usage === 'exclude' || !isSkipped(segment)) next |= 1 << at;
    } else if (matchesSegment(component, segment, usage, isLast)) next |= 1 << (at + 1);
  }
  return next === 0 ? 0 : closeOver(pattern, next);
}

/** `**` may stand for nothing. */
function closeOver({ components }: ConfigPattern, states: PatternStates): PatternStates {
  let closed = states;
  for (let at = 0; at < components.length; at += 1) {
    if (components[at]?.kind === 'recursive' && (closed & (1 << at)) !== 0) closed |= 1 << (at + 1);
  }
  return closed;
}

export const packageFolders: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'jspm_packages']);

function isSkipped(directory: string): boolean {
  return directory.startsWith('.') || packageFolders.has(directory);
}

const minified = '.min.js';

function matchesSegment({ kind, text }: Component, segment: string, usage: PatternUsage, isLast: boolean): boolean {
  if (kind === 'literal') return text === segment;
  if (usage === 'exclude') return kind === 'any' || matchesFreely(text, segment);
  if (packageFolders.has(segment)) return false;
  const barrier = isLast && segment.endsWith(minified) ? segment.length - minified.length : -1;
  if (kind === 'any') return barrier === -1 && !segment.startsWith('.');
  if (!segment.startsWith('.') || !/^[*?]/.test(text)) return matchesWildcards(text, segment, barrier);
  // A leading `*` may stand for nothing before the dot, but never for the dot; a leading `?` stands for neither.
  return text.startsWith('*') && matchesWildcards(text.slice(1), segment, barrier);
}

function matchesWildcards(pattern: string, text: string, barrier: number): boolean {
  return barrier === -1 ? matchesFreely(pattern, text) : matchesAround(pattern, text, barrier);
}

/** The classic two-pointer match. */
function matchesFreely(pattern: string, text: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[p] === '*') {
      star = p;
      p += 1;
      resume = at;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[at])) {
      p += 1;
      at += 1;
    } else if (star !== -1) {
      p = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** No `*` may take the character at `barrier`, so the shortest match of an earlier `*` need not be the best: all are followed. */
function matchesAround(pattern: string, text: string, barrier: number): boolean {
  let open = new Set<number>();
  const add = (states: Set<number>, from: number) => {
    let p = from;
    for (states.add(p); pattern[p] === '*'; states.add(p)) p += 1;
  };
  add(open, 0);
  for (let at = 0; at < text.length && open.size > 0; at += 1) {
    const next = new Set<number>();
    for (const p of open) {
      if (pattern[p] === '*') {
        if (at !== barrier) add(next, p);
      } else if (pattern[p] === '?' || pattern[p] === text[at]) add(next, p + 1);
    }
    open = next;
  }
  return open.has(pattern.length);
}
