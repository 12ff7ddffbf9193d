/**
 * What a job is really about: the asked scope widened to what its indexer can do at once (code-plane.md §7). R23: never narrower
 * than asked. The job row keeps the asked scope; this is worked out anew at every claim.
 *
 * An indexer that can describe single files is asked for those that are not clean when the job begins, whoever asked: what was asked
 * for and is clean by then is done, and whoever uses what changed is not clean (§8), so that one run settles all of them. A file whose
 * users see the same interface as before takes nobody along (early cutoff). Where many use what changed, what changed comes first, and the
 * many are the next job.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import type { Granularity } from '../../../languages/context-spec.ts';
import type { RefreshScope } from '../../semantic/scope.ts';

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
  /** Members that are not clean and that a run may settle. */
  readonly unsettled: () => readonly string[];
  /** Those of them that one run is to begin with. */
  readonly first: (unsettled: readonly string[]) => readonly string[];
  /** Members that are clean by a patch of ours, which an indexer is to confirm where it is asked to. */
  readonly unconfirmed: () => readonly string[];
  /** A try after one that was too much: what is asked for, and no more. What is left is asked for when it has ended. */
  readonly isRetry?: boolean;
};

export function widenScope(scope: RefreshScope, world: WidenWorld): WidenedScope {
  const { granularity, members } = world;
  if (scope === null || granularity === 'project') return { granularity, scope: null, members };
  const chosen = granularity === 'file' ? chooseUnsettled(scope, world) : choosePackages(scope, world);
  if (chosen.length === members.length) return { granularity, scope: null, members };
  return { granularity, scope: { files: chosen, packages: [] }, members: chosen };
}

/** Is everything of `asked` in `given`? Both widened over the same members. */
export function isWithin(asked: WidenedScope, given: WidenedScope): boolean {
  if (given.scope === null) return true;
  const all = new Set(given.members);
  return asked.members.every((path) => all.has(path));
}

function chooseUnsettled(scope: NonNullable<RefreshScope>, world: WidenWorld): string[] {
  const all = new Set(world.members);
  const asked = new Set(scope.files);
  const unsettled = world.unsettled();
  const first = world.isRetry === true ? [] : world.first(unsettled);
  const named = [...unsettled, ...world.unconfirmed()].filter((path) => asked.has(path));
  const chosen = new Set([...first, ...named]);
  return [...chosen].filter((path) => all.has(path)).sort(compareCodeUnits);
}

function choosePackages(scope: NonNullable<RefreshScope>, { members, dependentsOf }: WidenWorld): readonly string[] {
  const packages = new Set(scope.packages);
  // A file that is no member names whoever depends on it. A set that grows is walked to its end.
  const files = new Set(scope.files);
  for (const path of files) for (const dependent of dependentsOf(path)) files.add(dependent);
  for (const path of files) packages.add(packageOf(path));
  return members.filter((path) => packages.has(packageOf(path)));
}

/** The directory: what Go, Java and Python call a package. */
function packageOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
