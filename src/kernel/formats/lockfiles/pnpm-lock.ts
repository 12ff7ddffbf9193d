/**
 * pnpm-lock.yaml, lockfile versions 5.x, 6.x and 9.x.
 *
 * Importers are the manifests of the repository; before 6 (and in 6 without workspaces) a single one is written at the top.
 * Packages carry what was fetched; from 9 on their dependencies stand apart, under `snapshots`, once per set of peers.
 */

import { posix } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { objectAt, textAt } from '../../base/json-access.ts';
import { malformed, type ParseLimits, type ParseOutcome, parsed } from '../parse-outcome.ts';
import { parseLockYaml } from './lock-yaml.ts';
import {
  isGitAddress,
  isTrue,
  type LockEdge,
  type LockSource,
  markReach,
  mergePackages,
  objectMembers,
  type ResolvedImporter,
  type ResolvedLockfile,
  type ResolvedPackage,
  sourceOfRange,
  type TreeEntry,
  textMembers,
} from './lockfile.ts';

export function parsePnpmLock(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<ResolvedLockfile> {
  const outcome = parseLockYaml(bytes, limits);
  if (!outcome.ok) return outcome;
  const lock = outcome.value;
  const version = textAt(lock, 'lockfileVersion');
  const major = majors.get(version?.split('.', 1)[0] ?? '');
  if (version === null || major === undefined) return malformed('pnpm lock: unknown lockfileVersion');

  const importerPaths = new Set(objectMembers(lock, 'importers').map(([path]) => path));
  const entries = readEntries(lock, major);
  const find = finder(entries, importerPaths, major);
  const listed = entries
    .filter((entry) => !importerPaths.has(entry.directory ?? ''))
    .map((entry) => toPackage(entry, find, major));
  const importers = readImporters(lock, find, major);
  const merged = mergePackages(listed);
  return parsed(
    {
      format: `pnpm-${version}`,
      // Version 9 no longer says what is needed for development only.
      packages: major === 9 ? markReach(merged, importers) : merged,
      importers,
      descriptors: new Map(),
      hasIntegrity: true,
    },
    outcome.notes,
  );
}

const majors: ReadonlyMap<string, PnpmMajor> = new Map([
  ['5', 5],
  ['6', 6],
  ['7', 6],
  ['9', 9],
]);

type Entry = {
  readonly key: string;
  readonly name: string;
  readonly version: string;
  /** What follows the name in the key; the key itself where it has none. */
  readonly reference: string;
  /** What was fetched: `resolution`, `peerDependencies`, `requiresBuild`. */
  readonly fetched: JsonObject;
  /** What it depends on; before version 9 the same object. */
  readonly snapshot: JsonObject;
  /** Of a package that is a directory of the repository. */
  readonly directory: string | null;
};

type Find = (name: string, reference: string, from: string) => TreeEntry | undefined;

function readEntries(lock: JsonObject, major: PnpmMajor): Entry[] {
  const packages = new Map(objectMembers(lock, 'packages'));
  const snapshots = major === 9 ? new Map(objectMembers(lock, 'snapshots')) : packages;
  return [...snapshots].flatMap(([key, snapshot]): Entry[] => {
    const fetched = major === 9 ? (packages.get(withoutPeers(key, major)) ?? {}) : snapshot;
    const named = readPnpmKey(key, major);
    const name = textAt(fetched, 'name') ?? named?.name;
    if (name === undefined) return [];
    const reference = named?.version ?? withoutPeers(key, major);
    // A package without a version of its own is known by where it is.
    const version = textAt(fetched, 'version') ?? reference;
    const directory = textAt(objectAt(fetched, 'resolution'), 'directory');
    return [{ key, name, version, reference, fetched, snapshot, directory }];
  });
}

function finder(entries: readonly Entry[], importerPaths: ReadonlySet<string>, major: PnpmMajor): Find {
  const byKey = new Map<string, TreeEntry>();
  for (const { key, name, version, directory } of entries) {
    // A workspace package that is copied rather than linked still is a workspace package.
    const isWorkspace = directory !== null && importerPaths.has(directory);
    byKey.set(
      key,
      isWorkspace
        ? { target: { kind: 'workspace', path: directory }, version: null }
        : { target: { kind: 'package', id: `${name}@${version}` }, version },
    );
  }
  return (name, reference, from) => {
    if (reference.startsWith('link:')) {
      const path = posix.join(from, reference.slice('link:'.length));
      return { target: { kind: 'workspace', path }, version: null };
    }
    for (const key of candidateKeys(name, reference, major)) {
      const found = byKey.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function toPackage(entry: Entry, find: Find, major: PnpmMajor): ResolvedPackage {
  const { name, version, fetched, snapshot } = entry;
  const resolution = objectAt(fetched, 'resolution');
  const source = sourceOf(resolution, entry.reference);
  const peers = new Set(Object.keys(objectAt(fetched, 'peerDependencies')));
  const edge = (name: string, reference: string, kind: LockEdge['kind']): LockEdge => {
    const found = find(name, reference, '.');
    const range = withoutPeers(reference, major);
    return { name, range, resolved: found?.version ?? null, kind, target: found?.target ?? null };
  };
  return {
    id: `${name}@${version}`,
    name,
    version,
    integrity: textAt(resolution, 'integrity'),
    source,
    fromRegistry: source === 'registry',
    // Version 9 leaves it out for everyone.
    hasInstallScript: isTrue(fetched['requiresBuild']) ? true : major === 9 ? null : false,
    dependencies: [
      ...textMembers(snapshot, 'dependencies').map(([to, at]) => edge(to, at, peers.has(to) ? 'peer' : 'prod')),
      ...textMembers(snapshot, 'optionalDependencies').map(([to, at]) => edge(to, at, 'optional')),
    ],
    optional: isTrue(snapshot['optional']),
    dev: isTrue(snapshot['dev']),
  };
}

function sourceOf(resolution: JsonObject, reference: string): LockSource {
  const tarball = textAt(resolution, 'tarball');
  if (textAt(resolution, 'directory') !== null) return 'file';
  if (textAt(resolution, 'repo') !== null || (tarball !== null && isGitAddress(tarball))) return 'git';
  if (tarball?.startsWith('file:')) return 'file';
  // Another registry than the default one stands before the name, without a protocol.
  return reference.includes(':') ? sourceOfRange(reference) : 'registry';
}

function readImporters(lock: JsonObject, find: Find, major: PnpmMajor): ResolvedImporter[] {
  const importers = objectMembers(lock, 'importers');
  const single: [string, JsonObject][] = [['.', lock]];
  return (importers.length === 0 ? single : importers).map(([path, importer]) => ({
    path,
    dependencies: importerSections.flatMap(([section, kind]) =>
      referencesOf(importer, section).map(({ name, range, reference }): LockEdge => {
        const found = find(name, reference, path);
        return { name, range, resolved: found?.version ?? null, kind, target: found?.target ?? null };
      }),
    ),
  }));

  /** Either `name: {specifier, version}`, or the version alone with the specifiers in a section of their own. */
  function referencesOf(importer: JsonObject, section: string) {
    const specifiers = new Map(textMembers(importer, 'specifiers'));
    const inline = objectMembers(importer, section).map(([name, entry]) => ({
      name,
      range: textAt(entry, 'specifier') ?? '',
      reference: textAt(entry, 'version') ?? '',
    }));
    const apart = textMembers(importer, section).map(([name, reference]) => ({
      name,
      range: specifiers.get(name) ?? withoutPeers(reference, major),
      reference,
    }));
    return [...inline, ...apart];
  }
}

const importerSections = [
  ['dependencies', 'prod'],
  ['optionalDependencies', 'optional'],
  ['devDependencies', 'dev'],
] as const satisfies readonly (readonly [string, LockEdge['kind']])[];

// Keys: the names pnpm gives to packages, which changed with every major version of its lockfile:
// 5 `/name/1.0.0_peers`, 6 `/name@1.0.0(peers)`, 9 `name@1.0.0(peers)`. A dependency is recorded as what follows the name, or as
// the whole key when it is an alias or does not come from the registry.

export type PnpmMajor = 5 | 6 | 9;

export type PnpmKey = {
  readonly name: string;
  /** A version, or the address of what has none: `file:vendor/thing`. */
  readonly version: string;
};

/** Null when the key has no name in it, as `file:vendor/thing` and `github.com/user/repository/commit` before version 9. */
export function readPnpmKey(key: string, major: PnpmMajor): PnpmKey | null {
  if (major !== 9 && !key.startsWith('/')) return null;
  const plain = withoutPeers(major === 9 ? key : key.slice(1), major);
  // A scope begins with `@`, so a name has at least one character before the one that ends it.
  const end = major === 5 ? plain.lastIndexOf('/') : plain.indexOf('@', 1);
  return end < 1 ? null : { name: plain.slice(0, end), version: plain.slice(end + 1) };
}

/** The keys that a dependency on `name`, recorded as `reference`, may stand for; the first that exists is meant. */
export function candidateKeys(name: string, reference: string, major: PnpmMajor): readonly string[] {
  if (major === 9) return [`${name}@${reference}`, reference];
  return [major === 6 ? `/${name}@${reference}` : `/${name}/${reference}`, reference];
}

/** `1.0.0(react@18.2.0)` and `1.0.0_react@18.2.0` → `1.0.0`. */
export function withoutPeers(reference: string, major: PnpmMajor): string {
  if (major !== 5) {
    const open = reference.indexOf('(');
    return open === -1 ? reference : reference.slice(0, open);
  }
  // Versions hold no underscore, names and paths may; peers hold no slash.
  const peers = reference.includes(':') ? -1 : reference.indexOf('_', reference.lastIndexOf('/') + 1);
  return peers === -1 ? reference : reference.slice(0, peers);
}
