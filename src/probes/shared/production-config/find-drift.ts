/**
 * Settings in which environments differ: missing in some, with another literal, or from another kind of source. Secrets and
 * references are equal as far as anybody here can know. `environments` are those that have the setting.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { ConfigValue } from './config-value.ts';

export type Environment = { readonly name: string; readonly path: string; readonly keys: readonly ConfigValue[] };
export type Drift = { readonly key: string; readonly environments: readonly string[] };

export function findDrift(environments: readonly Environment[]): Drift[] {
  if (environments.length < 2) return [];
  const seen = new Map<string, { readonly environments: string[]; readonly forms: Set<string> }>();
  for (const environment of environments) {
    for (const { name, kind, value_digest } of environment.keys) {
      const known = seen.get(name) ?? { environments: [], forms: new Set<string>() };
      known.environments.push(environment.name);
      known.forms.add(`${kind} ${value_digest}`);
      seen.set(name, known);
    }
  }
  return [...seen]
    .filter(([, { environments: having, forms }]) => having.length < environments.length || forms.size > 1)
    .map(([key, { environments: having }]) => ({ key, environments: having.sort(compareCodeUnits) }))
    .sort((a, b) => compareCodeUnits(a.key, b.key));
}
