/** The repository's own packages and how they depend on each other; null where there is but one. */

import { findCycles } from '../../../kernel/base/find-cycles.ts';
import { compareCodeUnits, type JsonObject } from '../../../kernel/base/json.ts';
import { listOutputArtifacts } from '../output-artifacts.ts';
import type { DepGraph } from './dep-graph.ts';

export type BuildModule = {
  readonly name: string;
  readonly path: string;
  readonly depends_on: readonly string[];
  readonly depended_on_by: readonly string[];
  readonly build_outputs: readonly string[];
};
export type BuildGraph = {
  readonly build_system: string;
  readonly modules: readonly BuildModule[];
  readonly cycles: readonly (readonly string[])[];
};

export function buildGraphOf(
  { nodes, edges }: DepGraph,
  buildSystem: string,
  manifestAt: (directory: string) => JsonObject | null,
): BuildGraph | null {
  const own = nodes.filter(({ kind }) => kind === 'workspace');
  if (own.length < 2) return null;
  const timesNamed = new Map<string, number>();
  for (const { name } of own) timesNamed.set(name, (timesNamed.get(name) ?? 0) + 1);
  const names = new Map(own.map(({ id, name, path }) => [id, timesNamed.get(name) === 1 ? name : (path ?? id)]));

  const targets = new Map<string, Set<string>>([...names.values()].map((name) => [name, new Set()]));
  const sources = new Map<string, Set<string>>([...names.values()].map((name) => [name, new Set()]));
  for (const { from, to } of edges) {
    const source = names.get(from);
    const target = names.get(to);
    if (source === undefined || target === undefined) continue;
    targets.get(source)?.add(target);
    sources.get(target)?.add(source);
  }
  const sorted = (set: ReadonlySet<string> | undefined) => [...(set ?? [])].sort(compareCodeUnits);
  const modules = own.map(({ id, path = '.' }): BuildModule => {
    const name = names.get(id) as string;
    const manifest = manifestAt(path);
    return {
      name,
      path,
      depends_on: sorted(targets.get(name)),
      depended_on_by: sorted(sources.get(name)),
      build_outputs: manifest === null ? [] : listOutputArtifacts([{ directory: path, manifest }], {}),
    };
  });
  return {
    build_system: buildSystem,
    modules: modules.sort((a, b) => compareCodeUnits(a.name, b.name)),
    cycles: findCycles(sorted(new Set(names.values())), (name) => targets.get(name) ?? []),
  };
}
