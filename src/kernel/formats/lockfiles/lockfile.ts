/** One shape for the lockfiles of npm, pnpm, yarn classic, yarn berry and bun, and what their readers share. */

import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { objectAt } from '../../base/json-access.ts';

export type LockPackage = {
  readonly name: string;
  readonly version: string;
  readonly integrity: string | null;
  /** Comes from a registry and was fetched, so an integrity value is expected where the format has them. */
  readonly fromRegistry: boolean;
  /** `hasInstallScript` (npm), `requiresBuild` (pnpm); null where the format does not say. */
  readonly hasInstallScript: boolean | null;
  readonly dependencies: readonly { readonly name: string; readonly range: string }[];
  readonly optional: boolean;
  readonly dev: boolean;
};

export type LockImporter = {
  /** Root-relative directory of the manifest, `.` for the root. */
  readonly path: string;
  readonly dependencies: readonly {
    readonly name: string;
    readonly range: string;
    /** The version the lock settled on; null when the lock has no answer or it is a link into the workspace. */
    readonly resolved: string | null;
    readonly kind: 'prod' | 'dev' | 'optional' | 'peer';
  }[];
};

export type Lockfile = {
  /** `npm-3`, `pnpm-9.0`, `yarn-classic-1`, `yarn-berry-8`, `bun-1`. */
  readonly format: string;
  readonly packages: readonly LockPackage[];
  /** Empty where the format does not record them (yarn classic). */
  readonly importers: readonly LockImporter[];
  /** Yarn and bun: `name@range` → version; empty for the others. */
  readonly descriptors: ReadonlyMap<string, string>;
  readonly hasIntegrity: boolean;
};

/** Where the bytes of a package come from: a tarball or directory that no registry names is `file`. */
export type LockSource = 'registry' | 'git' | 'file';

/** Where a dependency leads: an entry of `packages`, or the directory of a manifest that the repository holds itself. */
export type LockTarget =
  | { readonly kind: 'package'; readonly id: string }
  | { readonly kind: 'workspace'; readonly path: string };

export type LockEdge = {
  /** As the dependent calls it; an alias differs from the name of the package it leads to. */
  readonly name: string;
  /** As the manifest asked; pnpm records only what a package's own ranges came to. */
  readonly range: string;
  /** Version of the target; null when there is none or it is a workspace. */
  readonly resolved: string | null;
  readonly kind: 'prod' | 'dev' | 'optional' | 'peer';
  /** Null when the lock has no answer: optional packages of other platforms, peers that no package provides. */
  readonly target: LockTarget | null;
};

export type ResolvedPackage = Omit<LockPackage, 'dependencies'> & {
  /** `name@version`, unique in `packages`: entries that differ only in place or peers are one, with all their dependencies. */
  readonly id: string;
  readonly source: LockSource;
  readonly dependencies: readonly LockEdge[];
};

export type ResolvedImporter = { readonly path: string; readonly dependencies: readonly LockEdge[] };

/** What every parser gives: a `Lockfile`, and usable as one, whose dependencies have been followed to the entries they lead to. */
export type ResolvedLockfile = Omit<Lockfile, 'packages' | 'importers'> & {
  readonly packages: readonly ResolvedPackage[];
  readonly importers: readonly ResolvedImporter[];
  /** What lies in the root's own `node_modules`, by name: of use where a lock does not say what the root asked for (npm's version 1). */
  readonly installed?: ReadonlyMap<string, LockTarget>;
};

const sections = [
  ['optionalDependencies', 'optional'],
  ['dependencies', 'prod'],
  ['devDependencies', 'dev'],
  ['peerDependencies', 'peer'],
] as const satisfies readonly (readonly [string, LockEdge['kind']])[];

const none: readonly LockEdge[] = [];

/**
 * The dependencies of a manifest-shaped entry, each followed to where it leads. A name stands once: optional wins over the plain copy
 * that npm keeps of it, and everything over a peer. Optional peers that no package provides are left out: nothing is missing. `withDev`
 * is for manifests of the repository; npm does not install those of other packages. Runs for each of ten thousand packages, hence the
 * care about what it allocates.
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

export type TreeEntry = { readonly target: LockTarget; readonly version: string | null };

/**
 * The tree of `node_modules` folders that npm and bun lockfiles describe. A dependency is found in the folder of the dependent itself, then
 * in each folder above.
 */
export type TreeNode = {
  readonly parent: TreeNode | null;
  /** Null while there are none, as for nearly every package. */
  children: Map<string, TreeNode> | null;
  /** What is installed here; null for a folder that only leads to others, and for a manifest of the repository. */
  entry: TreeEntry | null;
};

export function newTree(parent: TreeNode | null = null): TreeNode {
  return { parent, children: null, entry: null };
}

/** The node at the end of `names`, made where it is missing. */
export function growTree(from: TreeNode, names: readonly string[]): TreeNode {
  let node = from;
  for (const name of names) {
    node.children ??= new Map();
    let child = node.children.get(name);
    if (child === undefined) {
      child = newTree(node);
      node.children.set(name, child);
    }
    node = child;
  }
  return node;
}

/** Undefined when no folder from `from` upwards has it. */
export function findInTree(from: TreeNode, name: string): TreeEntry | undefined {
  for (let node: TreeNode | null = from; node !== null; node = node.parent) {
    const entry = node.children?.get(name)?.entry;
    if (entry) return entry;
  }
  return undefined;
}

/**
 * One entry per `name@version`, in order of first appearance. npm repeats a package per place, pnpm per set of peers; what differs between
 * the copies is where their dependencies lead, so the merged entry has all of them. It is `dev` or `optional` only if every copy is.
 */
export function mergePackages(packages: readonly ResolvedPackage[]): ResolvedPackage[] {
  const unique = new Map<string, ResolvedPackage>();
  const repeated = new Map<string, ResolvedPackage[]>();
  for (const each of packages) {
    const first = unique.get(each.id);
    if (first === undefined) {
      unique.set(each.id, each);
    } else {
      const copies = repeated.get(each.id);
      if (copies === undefined) repeated.set(each.id, [first, each]);
      else copies.push(each);
    }
  }
  for (const [id, copies] of repeated) unique.set(id, merge(copies));
  return [...unique.values()];
}

function merge(copies: readonly ResolvedPackage[]): ResolvedPackage {
  const first = copies[0] as ResolvedPackage;
  const edges = new Map<string, LockEdge>();
  for (const copy of copies) for (const edge of copy.dependencies) edges.set(edgeKey(edge), edge);
  return {
    ...first,
    integrity: copies.find((copy) => copy.integrity !== null)?.integrity ?? null,
    fromRegistry: copies.some((copy) => copy.fromRegistry),
    hasInstallScript: copies.some((copy) => copy.hasInstallScript) ? true : first.hasInstallScript,
    dependencies: [...edges.values()],
    optional: copies.every((copy) => copy.optional),
    dev: copies.every((copy) => copy.dev),
  };
}

function edgeKey({ name, range, kind, target }: LockEdge): string {
  const place = target === null ? '' : target.kind === 'package' ? target.id : `./${target.path}`;
  return JSON.stringify([name, range, kind, place]);
}

/** Of a format that says neither `dev` nor `optional`, and records a hash for each package. */
export function lockOf(
  format: string,
  packages: readonly ResolvedPackage[],
  importers: readonly ResolvedImporter[],
  descriptors: ReadonlyMap<string, string>,
): ResolvedLockfile {
  const marked = markReach(mergePackages(packages), importers);
  return { format, packages: marked, importers, descriptors, hasIntegrity: true };
}

/**
 * `dev` and `optional` for formats that do not record them, from how a package is reached: `dev` when every way begins with a
 * development dependency of a manifest, `optional` when every way passes an optional one.
 */
export function markReach(
  packages: readonly ResolvedPackage[],
  importers: readonly ResolvedImporter[],
): readonly ResolvedPackage[] {
  const byId = new Map(packages.map((each) => [each.id, each]));
  const reach = (follows: (edge: LockEdge) => boolean): ReadonlySet<string> => {
    const reached = new Set<string>();
    const pending = importers.flatMap((importer) => importer.dependencies.filter(follows));
    for (let edge = pending.pop(); edge !== undefined; edge = pending.pop()) {
      if (edge.target?.kind !== 'package' || reached.has(edge.target.id)) continue;
      reached.add(edge.target.id);
      for (const next of byId.get(edge.target.id)?.dependencies ?? []) if (follows(next)) pending.push(next);
    }
    return reached;
  };
  const anyhow = reach(() => true);
  const inProduction = reach((edge) => edge.kind !== 'dev');
  const surely = reach((edge) => edge.kind !== 'optional');
  return packages.map((each) => ({
    ...each,
    dev: anyhow.has(each.id) && !inProduction.has(each.id),
    optional: each.optional || (anyhow.has(each.id) && !surely.has(each.id)),
  }));
}

/** Which kind of place a range, a reference or a `resolved` address points to. */
export function sourceOfRange(range: string): LockSource {
  if (fileProtocols.some((protocol) => range.startsWith(protocol))) return 'file';
  if (gitProtocols.some((protocol) => range.startsWith(protocol))) return 'git';
  if (range.startsWith('https://') || range.startsWith('http://')) return isGitAddress(range) ? 'git' : 'file';
  // `user/repository` is a GitHub shorthand; ranges hold no slash, aliases begin with `npm:`.
  return range.includes('/') && !range.startsWith('npm:') && !range.startsWith('patch:') ? 'git' : 'registry';
}

const fileProtocols = ['file:', 'link:', 'portal:', './', '../', '/', '~/'];
const gitProtocols = ['git:', 'git+', 'git@', 'ssh:', 'github:', 'gitlab:', 'bitbucket:', 'gist:'];

/** Repositories end in `.git`; the forges serve archives of a commit from hosts and paths of their own. */
export function isGitAddress(address: string): boolean {
  const end = address.indexOf('#');
  const place = end === -1 ? address : address.slice(0, end);
  return (
    place.endsWith('.git') ||
    place.startsWith('https://codeload.github.com/') ||
    place.startsWith('https://bitbucket.org/') ||
    place.startsWith('https://gitlab.com/api/')
  );
}

// Fields of parsed lockfiles: one that is not what it should be is absent, never a crash.

/** The members that are objects. */
export function objectMembers(object: JsonObject, key: string): [string, JsonObject][] {
  return Object.entries(objectAt(object, key)).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

/** The members that are strings: a map of names to ranges. */
export function textMembers(object: JsonObject, key: string): [string, string][] {
  return Object.entries(objectAt(object, key)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** Names whose member says `optional: true`, as `peerDependenciesMeta` and `dependenciesMeta` do. */
export function optionalNames(object: JsonObject, key: string): ReadonlySet<string> {
  return new Set(objectMembers(object, key).flatMap(([name, meta]) => (isTrue(meta['optional']) ? [name] : [])));
}

/** Lockfiles read as strings say `true` in words. */
export function isTrue(value: Json | undefined): boolean {
  return value === true || value === 'true';
}

/** `name@range` and `@scope/name@range`; null without a name or an `@`. */
export function splitDescriptor(descriptor: string): { readonly name: string; readonly range: string } | null {
  const at = descriptor.indexOf('@', 1);
  return at === -1 ? null : { name: descriptor.slice(0, at), range: descriptor.slice(at + 1) };
}
