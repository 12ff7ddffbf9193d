/**
 * What a job's result depends on, as one id (code-plane.md §7 "Identity"): the configuration, the tool, its surroundings, and the
 * bytes of every file that can be read on the way. Equal fingerprints mean equal results; HEAD is no part of it (R25).
 */

import { sha256Hex } from '../../../kernel/base/hash.ts';
import { canonicalJson, compareCodeUnits, type Json } from '../../../kernel/base/json.ts';
import type { StoredContext } from '../../store/queries/list-contexts.ts';

/** The first 32 hex digits of a SHA-256 over canonical JSON. */
export function idOf(value: Json): string {
  return sha256Hex(canonicalJson(value)).slice(0, 32);
}

export type FingerprintInputs = {
  readonly context: Pick<StoredContext, 'configHash' | 'envHash' | 'toolId'>;
  /** Of the widened scope. */
  readonly members: readonly string[];
  /** Files that `members` can see, themselves aside. */
  readonly dependencies: Iterable<string>;
  /** `null` for a file without a hash, or none at all. */
  readonly hashOf: (path: string) => string | null;
};

export function computeFingerprint({ context, members, dependencies, hashOf }: FingerprintInputs): string {
  const describe = (paths: readonly string[]): Json => paths.map((path) => [path, hashOf(path)]);
  return idOf({
    config: context.configHash,
    environment: context.envHash,
    tool: context.toolId,
    members: describe(members),
    dependencies: describe([...dependencies].sort(compareCodeUnits)),
  });
}

/**
 * Everything in the repository that the members reach, by what their text imports and by what the last run found them to use.
 * All of it, not the next step alone: a re-export is read through.
 */
export function collectDependencies(
  members: readonly string[],
  targetsOf: (path: string) => readonly string[],
): ReadonlySet<string> {
  const own = new Set(members);
  const reached = new Set<string>();
  for (const path of own) for (const target of targetsOf(path)) if (!own.has(target)) reached.add(target);
  for (const path of reached) for (const target of targetsOf(path)) if (!own.has(target)) reached.add(target);
  return reached;
}
