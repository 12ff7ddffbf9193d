/**
 * What a job is really about: the asked scope widened to what its indexer can do at once (code-plane.md §7). R23: never narrower
 * than asked. The job row keeps the asked scope; this is worked out anew at every claim.
 */

import type { Granularity, RefreshScope } from '../../semantic/types.ts';

export type WidenedScope = {
  readonly granularity: Granularity;
  /** `null` where all members are meant. */
  readonly scope: RefreshScope;
  /** The members whose facts the job is to replace, sorted. */
  readonly members: readonly string[];
};

export type WidenWorld = {
  readonly granularity: Granularity;
  /** Of the context, sorted. */
  readonly members: readonly string[];
  /** Files of this context that were indexed against one. */
  readonly dependentsOf: (path: string) => readonly string[];
};

export function widenScope(scope: RefreshScope, world: WidenWorld): WidenedScope {
  const { granularity, members } = world;
  if (scope === null || granularity === 'project') return { granularity, scope: null, members };
  const files = granularity === 'file' ? withDependents(scope.files, world.dependentsOf) : new Set(scope.files);
  const packages = new Set(scope.packages);
  if (granularity === 'package') {
    // A file that is no member names whoever depends on it.
    for (const path of withDependents(scope.files, world.dependentsOf)) packages.add(packageOf(path));
  }
  const chosen = members.filter((path) => files.has(path) || packages.has(packageOf(path)));
  if (chosen.length === members.length) return { granularity, scope: null, members };
  return { granularity, scope: { files: chosen, packages: [] }, members: chosen };
}

/** Is everything of `asked` in `given`? Both widened over the same members. */
export function isWithin(asked: WidenedScope, given: WidenedScope): boolean {
  if (given.scope === null) return true;
  const all = new Set(given.members);
  return asked.members.every((path) => all.has(path));
}

/** The directory: what Go, Java and Python call a package. */
function packageOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function withDependents(files: readonly string[], dependentsOf: WidenWorld['dependentsOf']): Set<string> {
  const found = new Set(files);
  for (const path of found) for (const dependent of dependentsOf(path)) found.add(dependent);
  return found;
}
