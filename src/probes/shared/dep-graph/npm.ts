/** npm: package-lock.json and npm-shrinkwrap.json, versions 1 to 3. What is linked is a package of the repository, a member or not. */

import type { LockEdge, ResolvedLockfile } from '../../../kernel/formats/lockfiles/lockfile.ts';
import { parseNpmLock } from '../../../kernel/formats/lockfiles/npm-lock.ts';
import { readParsed } from '../read.ts';
import { graphOfNodeLock, listDeclared } from './node-graph.ts';
import { lockLimits, malformedLock, type NodePackages, type Strategy } from './strategy.ts';

export const readGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parseNpmLock(bytes, lockLimits));
  if (!outcome.ok) return malformedLock;
  const lock = withDeclared(outcome.value, node);
  return { kind: 'graph', graph: graphOfNodeLock(lock, node, findings, { markReach: false }) };
};

/** Version 1 does not say what the root and the members ask for; their manifests do, and it lies in the root's folder. */
function withDeclared(lock: ResolvedLockfile, { root, members }: NodePackages): ResolvedLockfile {
  const { installed } = lock;
  if (installed === undefined) return lock;
  const importers = new Map(lock.importers.map((importer) => [importer.path, importer]));
  for (const { directory, manifest } of [root, ...members]) {
    const recorded = new Map(importers.get(directory)?.dependencies.map((edge) => [edge.name, edge.target]));
    const dependencies = listDeclared(manifest).map(({ name, range, type }): LockEdge => {
      const target = recorded.get(name) ?? installed.get(name) ?? null;
      return { name, range, resolved: null, kind: type, target };
    });
    importers.set(directory, { path: directory, dependencies });
  }
  return { ...lock, importers: [...importers.values()] };
}
