/**
 * Which of the published facts answer a question (gather.md §15). Pure. A scope that no probe stated is answered from
 * what was stated below or around it where the id says how; otherwise it is `unknown`, never `none` (P2).
 */

import { compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { listNearest } from '../../kernel/base/text.ts';
import { type Fact, type FactRule, isWithin } from './fact.ts';

export type FactsAsk = {
  /** An id, how ids begin (`docker`), or null for all. */
  readonly id: string | null;
  /** Null: wherever it was stated. */
  readonly scope: string | null;
};

/** `asked`: the ids that the question is about, told or not. */
export type FoundFacts =
  | { readonly kind: 'facts'; readonly asked: readonly string[]; readonly facts: readonly Fact[] }
  | UnknownId
  | (UnknownScope & { readonly asked: readonly string[] });
export type UnknownId = { readonly kind: 'unknown_id'; readonly given: string; readonly nearest: readonly string[] };
export type UnknownScope = {
  readonly kind: 'unknown_scope';
  readonly given: string;
  readonly nearest: readonly string[];
};

type RuleHead = Pick<FactRule, 'id' | 'rollup'>;

const nearestShown = 5;

export function findFacts(
  facts: readonly Fact[],
  rules: readonly RuleHead[],
  ask: FactsAsk,
  isInTree: (path: string) => boolean,
): FoundFacts {
  const scope = ask.scope === null ? null : cleanScope(ask.scope);
  const asked = ask.id === null ? rules : rules.filter(({ id }) => fitsId(id, ask.id as string));
  if (asked.length === 0) {
    const given = ask.id ?? '';
    // One word that is no id may be a scope: `codegenie facts src/web`. With these characters it is nothing else.
    if (scope === null && (isScope(given, facts, isInTree) || /[/#]/.test(given)))
      return findFacts(facts, rules, { id: null, scope: given }, isInTree);
    const ids = rules.map(({ id }) => id);
    return { kind: 'unknown_id', given, nearest: listNearest(given, ids, nearestShown) };
  }
  const ids = asked.map(({ id }) => id);
  const stated = facts.filter(({ id }) => ids.includes(id));
  if (scope === null) return { kind: 'facts', asked: ids, facts: stated };
  if (!isScope(scope, facts, isInTree)) {
    // What is asked may follow from a directory around: any place that is known can be meant, first those of the id.
    const scopes = [...new Set([...(ask.id === null ? [] : stated), ...facts].map((fact) => fact.scope))];
    return { kind: 'unknown_scope', asked: ids, given: scope, nearest: listNearest(scope, scopes, nearestShown) };
  }
  const isOneId = asked.length === 1 && asked[0]?.id === ask.id;
  const found = asked.flatMap((rule) => {
    const own = stated.filter((fact) => fact.id === rule.id);
    const answer = own.find((fact) => fact.scope === scope) ?? rollUp(rule, own, scope);
    // Of many ids only what was stated of the place is worth a line; that a list has nothing below it is not.
    if (answer !== undefined) return isOneId || answer.state === 'known' || own.includes(answer) ? [answer] : [];
    const below = own.filter((fact) => isBelow(fact.scope, scope));
    if (below.length > 0 && !isOneId) return below;
    return isOneId ? [notStated(rule.id, scope, own), ...below] : [];
  });
  return { kind: 'facts', asked: ids, facts: found };
}

function fitsId(id: string, given: string): boolean {
  return given === '*' || id === given || id.startsWith(given.endsWith('.') ? given : `${given}.`);
}

export function cleanScope(given: string): string {
  const bare = given.replace(/^\.\//, '').replace(/(?<=.)\/+$/, '');
  return bare === '' ? '.' : bare;
}

function isScope(given: string, facts: readonly Fact[], isInTree: (path: string) => boolean): boolean {
  if (given === '.' || facts.some(({ scope }) => scope === given || isBelow(scope, given))) return true;
  const [path = ''] = given.split('#');
  return path !== '' && !given.includes('#') && isInTree(path);
}

/** `a/b` and `a/b.yml#job` lie below `a`; `a/b.yml#job` below `a/b.yml`. */
function isBelow(scope: string, around: string): boolean {
  return scope !== around && (isWithin(scope, around) || scope.startsWith(`${around}#`));
}

function notStated(id: string, scope: string, own: readonly Fact[]): Fact {
  const blind = own.find((fact) => fact.scope === '.' && fact.state === 'not_looked');
  if (blind !== undefined) return { ...blind, scope };
  const how = `no probe states ${id} of ${scope}`;
  return { id, scope, state: 'unknown', value: null, confidence: null, evidence: [], how };
}

function rollUp({ rollup }: RuleHead, own: readonly Fact[], scope: string): Fact | undefined {
  switch (rollup) {
    case undefined:
      return undefined;
    case 'items':
      return itemsBelow(own, scope);
    case 'above':
      return nearestAround(own, scope);
    case 'only': {
      const below = own.filter((fact) => isBelow(fact.scope, scope) && fact.state === 'known');
      return below.length === 1 && below[0] !== undefined ? { ...below[0], scope } : undefined;
    }
    case 'sum':
    case 'union': {
      const below = own.filter((fact) => isBelow(fact.scope, scope));
      const [first] = below;
      if (first === undefined) return undefined;
      const joined = { ...first, ...together(below), scope };
      if (rollup === 'union') {
        const items = below.flatMap(({ value }) => (Array.isArray(value) ? value : value === null ? [] : [value]));
        const distinct = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
        const whole = withItems(joined, distinct);
        // One thing that is no list where it is stated is none here.
        const isLone = distinct.length === 1 && below.every(({ value }) => !Array.isArray(value));
        return isLone && whole.state === 'known' ? ({ ...whole, value: distinct[0] } as Fact) : whole;
      }
      const total = below.reduce((sum, { value }) => sum + (typeof value === 'number' ? value : 0), 0);
      if (joined.state === 'unknown' || joined.state === 'not_looked')
        return { ...joined, value: null, confidence: null } as Fact;
      return { ...joined, state: 'known', value: total };
    }
  }
}

/** Of the repository's list, what lies below a directory: items are paths, or `path:line`. */
function itemsBelow(own: readonly Fact[], scope: string): Fact | undefined {
  const whole = own.find((fact) => fact.scope === '.');
  if (whole === undefined) return undefined;
  const items = Array.isArray(whole.value) ? whole.value : [];
  const below = items.filter((item) => typeof item === 'string' && isWithin(item, scope));
  const evidence = whole.evidence.filter((place) => isWithin(place, scope));
  return withItems({ ...whole, scope, evidence }, below);
}

function withItems(fact: Fact, items: readonly Json[]): Fact {
  if (fact.state !== 'known' && fact.state !== 'none') return fact;
  return {
    ...fact,
    state: items.length === 0 ? 'none' : 'known',
    value: items.length === 0 ? null : [...items],
  } as Fact;
}

function nearestAround(own: readonly Fact[], scope: string): Fact | undefined {
  const around = own
    .filter((fact) => isWithin(scope, fact.scope) && fact.scope !== scope)
    .sort((a, b) => b.scope.length - a.scope.length || compareCodeUnits(a.scope, b.scope));
  // `.` is shorter than no directory name, and lies around all of them.
  const nearest = around.find((fact) => fact.scope !== '.') ?? around[0];
  return nearest === undefined ? undefined : { ...nearest, scope };
}

const worst = ['low', 'medium', 'high'] as const;

function together(facts: readonly Fact[]): Pick<Fact, 'confidence' | 'evidence' | 'state'> {
  const confidences = facts.flatMap(({ confidence }) => confidence ?? []);
  const state = facts.find((fact) => fact.state === 'unknown' || fact.state === 'not_looked')?.state;
  return {
    state: state ?? (facts.some((fact) => fact.state === 'known') ? 'known' : 'none'),
    confidence: worst.find((level) => confidences.includes(level)) ?? null,
    evidence: [...new Set(facts.flatMap(({ evidence }) => evidence))].slice(0, 20),
  };
}
