/** The dependencies of a manifest-shaped entry, each followed to where it leads. */

import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { optionalNames } from './fields.ts';
import type { LockEdge } from './lockfile.ts';
import type { TreeEntry } from './node-modules-tree.ts';

const sections = [
  ['optionalDependencies', 'optional'],
  ['dependencies', 'prod'],
  ['devDependencies', 'dev'],
  ['peerDependencies', 'peer'],
] as const satisfies readonly (readonly [string, LockEdge['kind']])[];

const none: readonly LockEdge[] = [];

/**
 * A name stands once: optional wins over the plain copy that npm keeps of it, and everything over a peer. Optional peers that
 * nobody provides are left out: nothing is missing. `withDev` is for manifests of the repository; nobody installs those of other
 * packages. Runs for each of ten thousand packages, hence the care about what it allocates.
 */
export function readEdges(
  entry: JsonObject,
  withDev: boolean,
  find: (name: string, range: string) => TreeEntry | undefined,
  optionalPeers: () => ReadonlySet<string> = () => optionalNames(entry, 'peerDependenciesMeta'),
): readonly LockEdge[] {
  let edges: LockEdge[] | undefined;
  let seen: Set<string> | undefined;
  for (const [section, kind] of sections) {
    const ranges = entry[section];
    if (!isJsonObject(ranges) || (kind === 'dev' && !withDev)) continue;
    if (edges !== undefined) seen ??= new Set(edges.map((edge) => edge.name));
    edges ??= [];
    for (const name of Object.keys(ranges)) {
      const range = ranges[name];
      if (typeof range !== 'string' || seen?.has(name)) continue;
      const found = find(name, range);
      if (found === undefined && kind === 'peer' && optionalPeers().has(name)) continue;
      seen?.add(name);
      edges.push({ name, range, resolved: found?.version ?? null, kind, target: found?.target ?? null });
    }
  }
  return edges ?? none;
}
