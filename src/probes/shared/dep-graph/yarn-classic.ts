/**
 * yarn 1: the lock knows packages by what was asked for (`name@range`) and nothing of the repository itself; its manifests say where
 * the graph begins. A range that a member of the workspace satisfies means the member and is not in the lock.
 */

import { posix } from 'node:path';
import {
  type LockEdge,
  type LockTarget,
  type ResolvedImporter,
  type ResolvedLockfile,
  splitDescriptor,
} from '../../../kernel/formats/lockfiles/lockfile.ts';
import { parseYarnClassicLock } from '../../../kernel/formats/lockfiles/yarn-classic-lock.ts';
import { readParsed } from '../read.ts';
import { pushTo } from './dep-graph.ts';
import { graphOfNodeLock, listDeclared } from './node-graph.ts';
import { lockLimits, malformedLock, type NodePackages, type Strategy } from './strategy.ts';

export const readGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) =>
    parseYarnClassicLock(bytes, lockLimits),
  );
  if (!outcome.ok) return malformedLock;
  const lock = { ...outcome.value, importers: readImporters(outcome.value, node) };
  return { kind: 'graph', graph: graphOfNodeLock(lock, node, findings, { markReach: true }) };
};

function readImporters(lock: ResolvedLockfile, packages: NodePackages): readonly ResolvedImporter[] {
  const versionsOf = new Map<string, string[]>();
  for (const { name, id } of lock.packages) pushTo(versionsOf, name, id);
  const pathByName = new Map(
    packages.members.flatMap(({ directory, manifest }) =>
      typeof manifest['name'] === 'string' ? [[manifest['name'], directory] as const] : [],
    ),
  );
  const find = (from: string, name: string, range: string): LockTarget | null => {
    const version = lock.descriptors.get(`${name}@${range}`);
    if (version !== undefined) return { kind: 'package', id: `${realName(name, range)}@${version}` };
    if (range.startsWith('link:')) return { kind: 'workspace', path: posix.join(from, range.slice('link:'.length)) };
    const path = pathByName.get(name);
    if (path !== undefined) return { kind: 'workspace', path };
    // `resolutions` have replaced the range; with one version in the lock there is no other it could be.
    const ids = versionsOf.get(name) ?? [];
    return ids.length === 1 ? { kind: 'package', id: ids[0] as string } : null;
  };
  return [packages.root, ...packages.members].map(({ directory, manifest }) => ({
    path: directory,
    dependencies: listDeclared(manifest)
      .map(({ name, range, type }): LockEdge => {
        const target = find(directory, name, range);
        return { name, range, resolved: null, kind: type, target };
      })
      // A peer of the repository's own packages is for others to provide.
      .filter(({ kind, target }) => kind !== 'peer' || target !== null),
  }));
}

function realName(name: string, range: string): string {
  if (!range.startsWith('npm:')) return name;
  const alias = range.slice('npm:'.length);
  return splitDescriptor(alias)?.name ?? alias;
}
