/**
 * yarn.lock of yarn 2 and later: YAML with a `__metadata` block, one entry per package, keyed by the descriptors that came to it.
 *
 * Manifests of the repository are entries too (`workspace:`), with their development dependencies among the others: `dev` cannot
 * be told. Peers are not recorded; one is followed only where the lock has a single version of it.
 */

import type { JsonObject } from '../../base/json.ts';
import { objectAt, textAt } from '../../base/json-access.ts';
import { malformed, type ParseLimits, type ParseOutcome, parsed } from '../parse-outcome.ts';
import { parseLockYaml } from './lock-yaml.ts';
import {
  type LockEdge,
  lockOf,
  optionalNames,
  type ResolvedImporter,
  type ResolvedLockfile,
  type ResolvedPackage,
  readEdges,
  sourceOfRange,
  splitDescriptor,
  type TreeEntry,
} from './lockfile.ts';

export function parseYarnBerryLock(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<ResolvedLockfile> {
  const outcome = parseLockYaml(bytes, limits);
  if (!outcome.ok) return outcome;
  const version = textAt(objectAt(outcome.value, '__metadata'), 'version');
  if (version === null) return malformed('yarn lock: no __metadata version');

  const entries = Object.keys(outcome.value).flatMap((key) => readEntry(key, objectAt(outcome.value, key)));
  const find = finder(entries);
  const importers: ResolvedImporter[] = [];
  const packages: ResolvedPackage[] = [];
  const descriptors = new Map<string, string>();
  for (const entry of entries) {
    const dependencies = edgesOf(entry.fields, find);
    if (entry.workspace !== null) {
      importers.push({ path: entry.workspace, dependencies });
      continue;
    }
    packages.push(toPackage(entry, dependencies));
    for (const descriptor of entry.descriptors) descriptors.set(descriptor, entry.version);
  }
  return parsed(lockOf(`yarn-berry-${version}`, packages, importers, descriptors), outcome.notes);
}

type Entry = {
  readonly descriptors: readonly string[];
  readonly name: string;
  readonly version: string;
  /** What follows the name in `resolution`: `npm:1.0.0`. */
  readonly reference: string;
  /** Path of a manifest of the repository. */
  readonly workspace: string | null;
  readonly fields: JsonObject;
};

function readEntry(key: string, fields: JsonObject): Entry[] {
  const resolution = splitDescriptor(textAt(fields, 'resolution') ?? '');
  const version = textAt(fields, 'version');
  if (key === '__metadata' || resolution === null || version === null) return [];
  const { name, range: reference } = resolution;
  const workspace = reference.startsWith('workspace:') ? reference.slice('workspace:'.length) : null;
  return [{ descriptors: key.split(',').map((each) => each.trim()), name, version, reference, workspace, fields }];
}

function finder(entries: readonly Entry[]): (name: string, range: string) => TreeEntry | undefined {
  const byDescriptor = new Map<string, TreeEntry>();
  const byName = new Map<string, Map<string, TreeEntry>>();
  for (const { descriptors, name, version, workspace } of entries) {
    const entry: TreeEntry =
      workspace === null
        ? { target: { kind: 'package', id: `${name}@${version}` }, version }
        : { target: { kind: 'workspace', path: workspace }, version: null };
    for (const descriptor of descriptors) {
      byDescriptor.set(descriptor, entry);
      // `::locator=…` says which manifest a relative path is relative to; dependents do not repeat it.
      const bound = descriptor.indexOf('::');
      if (bound !== -1) byDescriptor.set(descriptor.slice(0, bound), entry);
    }
    const versions = byName.get(name) ?? new Map<string, TreeEntry>();
    byName.set(name, versions.set(version, entry));
  }
  return (name, range) => {
    const found = byDescriptor.get(`${name}@${range}`) ?? byDescriptor.get(`${name}@npm:${range}`);
    if (found !== undefined) return found;
    // A resolution or a patch has replaced the range; with one version in the lock there is no other it could be.
    const versions = byName.get(name);
    return versions?.size === 1 ? versions.values().next().value : undefined;
  };
}

function edgesOf(fields: JsonObject, find: (name: string, range: string) => TreeEntry | undefined): LockEdge[] {
  const optional = optionalNames(fields, 'dependenciesMeta');
  return readEdges(fields, false, find).map(
    (edge): LockEdge => ({
      ...edge,
      range: withoutDefaultProtocol(edge.range),
      kind: edge.kind === 'prod' && optional.has(edge.name) ? 'optional' : edge.kind,
    }),
  );
}

/** Yarn 4 writes `npm:^1.0.0` for the `^1.0.0` of a manifest; `npm:other@^1.0.0` is an alias and stays. */
function withoutDefaultProtocol(range: string): string {
  const rest = range.startsWith('npm:') ? range.slice('npm:'.length) : null;
  return rest === null || splitDescriptor(rest) !== null ? range : rest;
}

function toPackage({ name, version, reference, fields }: Entry, dependencies: readonly LockEdge[]): ResolvedPackage {
  const integrity = textAt(fields, 'checksum');
  const source = sourceOfRange(reference);
  // A package for other platforms may never have been fetched, and then has no checksum.
  const isFetched = integrity !== null || textAt(fields, 'conditions') === null;
  return {
    id: `${name}@${version}`,
    name,
    version,
    integrity,
    source,
    fromRegistry: source === 'registry' && isFetched,
    hasInstallScript: null,
    dependencies,
    optional: false,
    dev: false,
  };
}
