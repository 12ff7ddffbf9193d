/**
 * Answers of a fleet, which count what they do not know (fleet.md section 4). Pure. Promises:
 * - `eq` only where every repository is fresh and was told about every id that the question is about;
 * - `gte` only of a question that more knowledge can only add to, and only repositories that are fresh are counted in it;
 * - anything else is `partial`; in each case the repositories that are behind or unknown are counted and named.
 */

import { canonicalJson, compareCodeUnits, type Json } from '../kernel/base/json.ts';
import type { FactRow, Now, Repository } from './fleet-engine.ts';
import { judgeStanding } from './standing.ts';

export type NamedReason = { readonly name: string; readonly reason: string };

export type Coverage = {
  /** Not fresh, but with facts of an earlier commit or program. */
  readonly behind: readonly NamedReason[];
  /** Never gathered, failed since, or fresh and without knowledge of what is asked. */
  readonly unknown: readonly NamedReason[];
  /** When the head that was seen longest ago was seen, of those that are fresh; null: none is. */
  readonly headsSeenMs: number | null;
};

export type Relation = 'eq' | 'gte' | 'partial';

/** Repositories in which a fact of that id `has` the value (any known one where none is given), or `lacks` it. */
export type FactsQuestion = {
  readonly id: string;
  readonly where: { readonly kind: 'has' | 'lacks'; readonly value: string } | null;
};

export type FactsAnswer = {
  readonly value: number;
  readonly relation: Relation;
  readonly of: number;
  readonly coverage: Coverage;
  /** Of repositories that are fresh: those that are counted, with the facts for which they are. */
  readonly counted: readonly { readonly name: string; readonly facts: readonly FactRow[] }[];
  /** Those behind or failed whose last facts fit: not counted. */
  readonly before: readonly string[];
  /** How many fresh repositories have each value, the most frequent first; one with several counts in each. */
  readonly values: readonly { readonly value: Json; readonly repositories: number }[];
};

/** `dark`: fresh repositories, by number, that cannot tell of what is asked. */
export function coverageOf(
  repositories: readonly Repository[],
  now: Now,
  dark: ReadonlyMap<number, string> = new Map(),
): Coverage {
  const behind: NamedReason[] = [];
  const unknown: NamedReason[] = [];
  let headsSeenMs: number | null = null;
  for (const repository of repositories) {
    const { name } = repository;
    const { state, reason } = judgeStanding(repository, now);
    const darkness = dark.get(repository.id);
    if (state === 'behind') behind.push({ name, reason });
    else if (state === 'unknown') unknown.push({ name, reason });
    else if (darkness !== undefined) unknown.push({ name, reason: darkness });
    else headsSeenMs = Math.min(headsSeenMs ?? Number.POSITIVE_INFINITY, repository.headSeenMs as number);
  }
  return { behind, unknown, headsSeenMs };
}

export function isWhole({ behind, unknown }: Coverage): boolean {
  return behind.length === 0 && unknown.length === 0;
}

/** Whether a fact has a value: it is it, one item of it is, or its JSON reads like that. */
function hasValue(fact: Pick<FactRow, 'state' | 'value'>, value: string): boolean {
  if (fact.state === 'none') return value === 'none';
  if (fact.state !== 'known') return false;
  const items = Array.isArray(fact.value) ? [...fact.value, fact.value] : [fact.value];
  return items.some((item) => (typeof item === 'string' ? item : canonicalJson(item as Json)) === value);
}

export function answerFactsQuestion(
  { id, where }: FactsQuestion,
  repositories: readonly Repository[],
  rows: readonly FactRow[],
  now: Now,
): FactsAnswer {
  const byRepository = Map.groupBy(
    rows.filter((row) => row.id === id),
    ({ repository }) => repository,
  );
  const fits = (row: FactRow): boolean => (where === null ? row.state === 'known' : hasValue(row, where.value));
  const dark = new Map<number, string>();
  const counted: { name: string; facts: readonly FactRow[] }[] = [];
  const before: string[] = [];
  const values = new Map<string, { value: Json; names: Set<number> }>();
  for (const repository of repositories) {
    const own = byRepository.get(repository.id) ?? [];
    const fitting = own.filter(fits);
    const isFresh = judgeStanding(repository, now).state === 'fresh';
    const darkOne = own.find(({ state }) => state === 'unknown' || state === 'not_looked');
    const lacks = where?.kind === 'lacks';
    // One that has it has it, whatever else is not known of it; that one lacks it takes knowing all of it.
    const isKnown = darkOne === undefined || (fitting.length > 0 && where !== null);
    const counts = lacks ? fitting.length === 0 && darkOne === undefined : fitting.length > 0;
    if (!isFresh) {
      if (counts && repository.commit !== null) before.push(repository.name);
      continue;
    }
    if (!isKnown) dark.set(repository.id, darkOne.state);
    // What it has is counted even where something else of it is dark: more knowledge would not take it away.
    if (counts) counted.push({ name: repository.name, facts: lacks ? [] : fitting });
    for (const row of own) {
      if (row.state !== 'known') continue;
      const key = canonicalJson(row.value as Json);
      const entry = values.get(key) ?? { value: row.value as Json, names: new Set() };
      entry.names.add(repository.id);
      values.set(key, entry);
    }
  }
  const coverage = coverageOf(repositories, now, dark);
  return {
    value: counted.length,
    relation: isWhole(coverage) ? 'eq' : where?.kind === 'lacks' ? 'partial' : 'gte',
    of: repositories.length,
    coverage,
    counted,
    before,
    values: [...values.entries()]
      .sort(([one, a], [other, b]) => b.names.size - a.names.size || compareCodeUnits(one, other))
      .map(([, { value, names }]) => ({ value, repositories: names.size })),
  };
}

/** Fresh repositories that a free query over these ids (null: all) cannot know whole. */
export function darkFor(rows: readonly Pick<FactRow, 'repository' | 'id' | 'state'>[]): ReadonlyMap<number, string> {
  const dark = new Map<number, string>();
  for (const { repository, state, id } of rows) dark.set(repository, `${id} ${state}`);
  return dark;
}
