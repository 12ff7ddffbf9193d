/**
 * From a resolved Node lockfile and the manifests of the repository to a graph. The lock says where dependencies lead; the manifests
 * say what the repository's own packages are called, and which of their dependencies are for development or peers, where the lock
 * does not.
 */

import { posix } from 'node:path';
import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { parseBunLock } from '../../kernel/formats/lockfiles/bun-lock.ts';
import {
  type LockEdge,
  type LockTarget,
  type ResolvedImporter,
  type ResolvedLockfile,
  type ResolvedPackage,
  splitDescriptor,
} from '../../kernel/formats/lockfiles/lockfile.ts';
import { parseNpmLock } from '../../kernel/formats/lockfiles/npm-lock.ts';
import { parsePnpmLock } from '../../kernel/formats/lockfiles/pnpm-lock.ts';
import { parseYarnBerryLock } from '../../kernel/formats/lockfiles/yarn-berry-lock.ts';
import { parseYarnClassicLock } from '../../kernel/formats/lockfiles/yarn-classic-lock.ts';
import { type Findings, readParsed } from '../shared/probe-reading.ts';
import {
  createGraphBuilder,
  type DepGraph,
  type DepNode,
  type EdgeType,
  lockLimits,
  malformedLock,
  type NodePackages,
  pushTo,
  type Strategy,
} from './graph-builder.ts';

export function graphOfNodeLock(
  lock: ResolvedLockfile,
  packages: NodePackages,
  findings: Findings,
  options: { readonly markReach: boolean },
): DepGraph {
  const builder = createGraphBuilder();
  const packageIds = new Set(lock.packages.map(({ id }) => id));
  const own = createOwnNodes(packages, packageIds, findings);

  for (const each of lock.packages) builder.add(nodeOf(each));
  const importers = mergeImporters(lock.importers, packages);
  for (const { path } of importers) builder.add(own.nodeAt(path, path));

  const connectAll = (from: string, edges: readonly LockEdge[], manifest: JsonObject | null) => {
    for (const edge of edges) {
      const type = manifest === null ? edge.kind : declaredType(manifest, edge);
      if (edge.target === null) builder.miss(from, edge.name, type, edge.range);
      else if (edge.target.kind === 'package') {
        if (packageIds.has(edge.target.id)) builder.connect(from, edge.target.id, type, edge.range);
        else builder.miss(from, edge.name, type, edge.range);
      } else {
        const node = own.nodeAt(normal(edge.target.path), edge.name);
        builder.add(node);
        builder.connect(from, node.id, type, edge.range);
      }
    }
  };
  for (const { path, dependencies } of importers)
    connectAll(own.nodeAt(path, path).id, dependencies, packages.manifestAt(path));
  for (const { id, dependencies } of lock.packages) connectAll(id, dependencies, null);
  return builder.finish(options);
}

/** Without a lock: the repository's own packages, and what they ask for as they ask for it. */
export function graphOfManifests(packages: NodePackages, findings: Findings): DepGraph {
  const builder = createGraphBuilder();
  const own = createOwnNodes(packages, new Set(), findings);
  const all = [packages.root, ...packages.members];
  const pathByName = new Map(
    all.flatMap(({ directory, manifest }) => {
      const name = manifest['name'];
      return typeof name === 'string' ? [[name, directory] as const] : [];
    }),
  );
  for (const { directory } of all) builder.add(own.nodeAt(directory, directory));
  for (const { directory, manifest } of all) {
    const from = own.nodeAt(directory, directory).id;
    for (const { name, range, type } of listDeclared(manifest)) {
      const path = pathByName.get(name);
      if (path !== undefined) {
        builder.connect(from, own.nodeAt(path, name).id, type, range);
        continue;
      }
      const id = `${name}@${range}`;
      builder.add({ id, name, version: range, kind: 'registry', dev: false, optional: false });
      builder.connect(from, id, type, range);
      builder.miss(from, name, type, range);
    }
  }
  return builder.finish({ markReach: true });
}

const sections = [
  ['dependencies', 'prod'],
  ['optionalDependencies', 'optional'],
  ['devDependencies', 'dev'],
  ['peerDependencies', 'peer'],
] as const satisfies readonly (readonly [string, EdgeType])[];

/** Each name once: npm lists optional dependencies among the plain ones, and a peer is often a development dependency too. */
export function listDeclared(manifest: JsonObject): { name: string; range: string; type: EdgeType }[] {
  const declared = new Map<string, { name: string; range: string; type: EdgeType }>();
  for (const [section, type] of sections) {
    const ranges = manifest[section];
    if (!isJsonObject(ranges)) continue;
    for (const [name, range] of Object.entries(ranges)) {
      if (typeof range === 'string' && (type === 'optional' || !declared.has(name)))
        declared.set(name, { name, range, type });
    }
  }
  return [...declared.values()];
}

/** What the manifest calls it, if it speaks of it at all. */
function declaredType(manifest: JsonObject, edge: LockEdge): EdgeType {
  if (edge.kind !== 'prod') return edge.kind;
  const has = (section: string) => {
    const ranges = manifest[section];
    return isJsonObject(ranges) && Object.hasOwn(ranges, edge.name);
  };
  if (has('optionalDependencies')) return 'optional';
  if (has('dependencies')) return 'prod';
  return has('devDependencies') ? 'dev' : has('peerDependencies') ? 'peer' : 'prod';
}

/** Every importer once, the root and members without an entry included: a lock may be older than a member. */
function mergeImporters(importers: readonly ResolvedImporter[], packages: NodePackages): readonly ResolvedImporter[] {
  const byPath = new Map(importers.map((each) => [normal(each.path), { ...each, path: normal(each.path) }]));
  for (const { directory } of [packages.root, ...packages.members])
    if (!byPath.has(directory)) byPath.set(directory, { path: directory, dependencies: [] });
  return [...byPath.values()];
}

function normal(path: string): string {
  const clean = posix.normalize(path.replaceAll('\\', '/')).replace(/\/$/, '');
  return clean === '' ? '.' : clean;
}

function nodeOf(each: ResolvedPackage): DepNode {
  const { id, name, version, source, dev, optional, integrity } = each;
  const path = version.startsWith('file:') ? normal(version.slice('file:'.length)) : null;
  return {
    id,
    name,
    version,
    kind: source,
    ...(path === null ? {} : { path }),
    dev,
    optional,
    ...(integrity === null ? {} : { integrity }),
  };
}

function createOwnNodes(packages: NodePackages, taken: ReadonlySet<string>, findings: Findings) {
  const members = new Set([packages.root, ...packages.members].map(({ directory }) => directory));
  const made = new Map<string, DepNode>();
  const ids = new Set(taken);
  return {
    /** The node of a directory; `fallback` is what it is called where its manifest has no name or cannot be read. */
    nodeAt(path: string, fallback: string): DepNode {
      const known = made.get(path);
      if (known !== undefined) return known;
      if (path === '..' || path.startsWith('../') || path.startsWith('/'))
        findings.warn('dep_graph.workspace_outside_repo', { path: path.slice(0, 200) });
      const manifest = packages.manifestAt(path);
      const name = typeof manifest?.['name'] === 'string' && manifest['name'] !== '' ? manifest['name'] : fallback;
      const version =
        typeof manifest?.['version'] === 'string' && manifest['version'] !== '' ? manifest['version'] : null;
      const kind = members.has(path) ? 'workspace' : 'link';
      const plain = `${name}@${version}`;
      const id = version === null || ids.has(plain) ? `${name}@${kind}:${path}` : plain;
      const node: DepNode = {
        id,
        name,
        version: version ?? `${kind}:${path}`,
        kind,
        path,
        dev: false,
        optional: false,
      };
      made.set(path, node);
      ids.add(id);
      return node;
    },
  };
}

// npm: package-lock.json and npm-shrinkwrap.json, versions 1 to 3. What is linked is a package of the repository, a member or not.

export const readNpmGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
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

// pnpm: pnpm-lock.yaml, versions 5, 6 and 9. Importers are the manifests of the repository; ranges inside other packages are not recorded.

export const readPnpmGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parsePnpmLock(bytes, lockLimits));
  if (!outcome.ok) return malformedLock;
  return { kind: 'graph', graph: graphOfNodeLock(outcome.value, node, findings, { markReach: false }) };
};

// bun: bun.lock, the text form. The binary form cannot be read without bun.

export const readBunGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parseBunLock(bytes, lockLimits));
  if (!outcome.ok) return malformedLock;
  return { kind: 'graph', graph: graphOfNodeLock(outcome.value, node, findings, { markReach: false }) };
};

// yarn 2 and later: the lock lists development dependencies of workspaces among the others, so the manifests tell them apart.

export const readYarnBerryGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) =>
    parseYarnBerryLock(bytes, lockLimits),
  );
  if (!outcome.ok) return malformedLock;
  return { kind: 'graph', graph: graphOfNodeLock(outcome.value, node, findings, { markReach: true }) };
};

// yarn 1: the lock knows packages by what was asked for (`name@range`) and nothing of the repository itself; its manifests say where
// the graph begins. A range that a member of the workspace satisfies means the member and is not in the lock.

export const readYarnClassicGraph: Strategy = async ({ repo, lockfile, node, findings }) => {
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
