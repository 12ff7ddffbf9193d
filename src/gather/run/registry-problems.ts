/**
 * What no list of probes may hold: two that claim the same thing, unknown names, circles. Each refusal names its origins. Generation asks it of
 * ours, a gather of those that a user's configuration adds.
 */

import { type ConfigKey, configKeys } from '../config.ts';
import type { Probe } from '../contract.ts';
import { parseDeclaredInput } from './declared-inputs.ts';
import { requirementName } from './select-probes.ts';

export type RegisteredProbe = { readonly probe: Probe; readonly origin: string };

export function registryProblems(
  registered: readonly RegisteredProbe[],
  known: { readonly catalogs: readonly string[]; readonly tools: readonly string[] },
): readonly string[] {
  const problems: string[] = [];
  problems.push(
    ...duplicates('probe name', registered, (probe) => [probe.name]),
    ...duplicates('section path', registered, (probe) => Object.keys(probe.sections)),
    ...duplicates('fact id', registered, (probe) => [...new Set(probe.facts.map(({ id }) => id))]),
    ...duplicates('index_name', registered, (probe) => (probe.index === undefined ? [] : [probe.index.name])),
    ...overlappingArtifacts(registered),
  );
  const names = new Set(registered.map(({ probe }) => probe.name));
  for (const { probe, origin } of registered) {
    const complain = (message: string) => problems.push(`${message}: ${origin}`);
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(probe.name)) complain(`malformed probe name '${probe.name}'`);
    if (!new RegExp(`/${probe.name.replaceAll('_', '-')}\\.(?:ts|mts|mjs|js)$`).test(origin))
      complain(`probe '${probe.name}' is not in a file of its name`);
    if (!/^\d+\.\d+\.\d+$/.test(probe.version)) complain(`malformed version '${probe.version}'`);
    for (const requirement of probe.requires) {
      if (!names.has(requirementName(requirement)))
        complain(`unknown probe '${requirementName(requirement)}' required by ${probe.name}`);
    }
    for (const key of probe.configKeys as readonly ConfigKey[])
      if (!Object.hasOwn(configKeys, key)) complain(`unknown config key '${key}'`);
    for (const catalog of probe.catalogs)
      if (!known.catalogs.includes(catalog)) complain(`unknown catalog '${catalog}'`);
    for (const tool of probe.tools) if (!known.tools.includes(tool)) complain(`unknown tool '${tool}'`);
    for (const id of [...probe.warningIds, ...probe.errorIds]) {
      if (!/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/.test(id)) complain(`malformed id '${id}'`);
    }
    for (const { id, section } of probe.facts) {
      if (!/^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/.test(id)) complain(`malformed fact id '${id}'`);
      if (!Object.hasOwn(probe.sections, section))
        complain(`fact '${id}' is derived from '${section}' of another probe`);
    }
    for (const pattern of probe.declaredInputs) {
      try {
        parseDeclaredInput(pattern);
      } catch (error) {
        complain((error as Error).message);
      }
    }
  }
  const circle = findCircle(registered.map(({ probe }) => probe));
  if (circle !== undefined) problems.push(`circular requires: ${circle.join(' → ')}`);
  return problems;
}

function duplicates(
  what: string,
  registered: readonly RegisteredProbe[],
  claimsOf: (probe: Probe) => readonly string[],
): string[] {
  const owners = new Map<string, string>();
  const problems: string[] = [];
  for (const { probe, origin } of registered) {
    for (const claim of claimsOf(probe)) {
      const other = owners.get(claim);
      if (other === undefined) owners.set(claim, origin);
      else problems.push(`duplicate ${what} '${claim}': ${other} and ${origin}`);
    }
  }
  return problems;
}

function overlappingArtifacts(registered: readonly RegisteredProbe[]): string[] {
  const claims = registered.flatMap(({ probe, origin }) => probe.artifacts.map((pattern) => ({ pattern, origin })));
  const problems: string[] = [];
  for (const [index, first] of claims.entries()) {
    for (const second of claims.slice(index + 1)) {
      if (overlap(first.pattern, second.pattern)) {
        problems.push(
          `duplicate artifact name '${first.pattern}' and '${second.pattern}': ${first.origin} and ${second.origin}`,
        );
      }
    }
  }
  return problems;
}

/** Could one name fit both patterns? A leaf name, `prefix-*.ext`, or `dir/`. */
function overlap(a: string, b: string): boolean {
  if (a.endsWith('/') || b.endsWith('/')) return a.startsWith(b) || b.startsWith(a);
  const [aHead, aTail] = splitPattern(a);
  const [bHead, bTail] = splitPattern(b);
  if (aTail === undefined && bTail === undefined) return a === b;
  const tails = [aTail ?? a, bTail ?? b] as const;
  return (
    (aHead.startsWith(bHead) || bHead.startsWith(aHead)) && (tails[0].endsWith(tails[1]) || tails[1].endsWith(tails[0]))
  );
}

function splitPattern(pattern: string): [head: string, tail: string | undefined] {
  const star = pattern.indexOf('*');
  return star < 0 ? [pattern, undefined] : [pattern.slice(0, star), pattern.slice(star + 1)];
}

/** One circle of `requires`, as the names along it, the first repeated at the end. */
function findCircle(probes: readonly Probe[]): readonly string[] | undefined {
  const byName = new Map(probes.map((probe) => [probe.name, probe]));
  const finished = new Set<string>();
  const visit = (name: string, trail: readonly string[]): readonly string[] | undefined => {
    const seen = trail.indexOf(name);
    if (seen >= 0) return [...trail.slice(seen), name];
    if (finished.has(name)) return undefined;
    for (const requirement of byName.get(name)?.requires ?? []) {
      const circle = visit(requirementName(requirement), [...trail, name]);
      if (circle !== undefined) return circle;
    }
    finished.add(name);
    return undefined;
  };
  for (const probe of probes) {
    const circle = visit(probe.name, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
