/** Facts as rows, and back: the same of every engine. And what an engine says of a job whose workers keep dying. */

import { type Fact, isWithin } from '../../gather/facts/fact.ts';
import type { Failure } from '../fleet-engine.ts';

export type StoredFact = {
  readonly id: string;
  readonly scope: string;
  readonly component: string;
  readonly state: string;
  /** A string as it is, anything else as JSON. */
  readonly value: string | null;
  readonly json: number | null;
  readonly confidence: string | null;
  readonly evidence: string;
};

export function rowsOfFacts(facts: readonly Fact[]): readonly StoredFact[] {
  const components = listComponents(facts);
  return facts.map((fact) =>
    rowOfFact(fact, components.find((dir) => isWithin(fact.scope.split('#')[0] ?? '', dir)) ?? '.'),
  );
}

/** As the fact `components` tells them (`kind directory`), the deepest first. */
function listComponents(facts: readonly Fact[]): readonly string[] {
  const value = facts.find(({ id, scope }) => id === 'components' && scope === '.')?.value;
  const told = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  return told.map((item) => item.slice(item.indexOf(' ') + 1)).sort((one, other) => other.length - one.length);
}

function rowOfFact(fact: Fact, component: string): StoredFact {
  const { id, scope, state, value, confidence, evidence } = fact;
  const isText = typeof value === 'string';
  return {
    id,
    scope,
    component,
    state,
    value: value === null ? null : isText ? value : JSON.stringify(value),
    json: value === null ? null : isText ? 0 : 1,
    confidence,
    evidence: JSON.stringify(evidence),
  };
}

export function valueOfRow({ value, json }: Pick<StoredFact, 'value' | 'json'>): Fact['value'] {
  return value === null || json === 0 ? value : (JSON.parse(value) as Fact['value']);
}

/** Workers that died, or were not heard of again, with the same job: it is not given to another. */
export const maxLostClaims = 3;
export const lostTooOften: Failure = {
  kind: 'worker_lost',
  detail: `${maxLostClaims} workers ended or hung while they worked on it`,
};
