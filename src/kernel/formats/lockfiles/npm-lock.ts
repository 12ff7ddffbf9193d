/**
 * package-lock.json and npm-shrinkwrap.json, versions 1, 2 and 3.
 *
 * Versions 2 and 3 list every folder of `node_modules` under `packages`, with manifests of the repository beside them and links to
 * those; version 1 is the same tree as nested `dependencies`, without the root's own ranges. All become one tree in which
 * dependencies are found as node finds them.
 */

import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { textAt } from '../../base/json-access.ts';
import { parseJsonObject } from '../parse-json.ts';
import { failedParse, malformed, type ParseLimits, type ParseOutcome, parsed } from '../parse-outcome.ts';
import {
  findInTree,
  growTree,
  isTrue,
  type LockTarget,
  mergePackages,
  newTree,
  objectMembers,
  type ResolvedImporter,
  type ResolvedLockfile,
  type ResolvedPackage,
  readEdges,
  sourceOfRange,
  splitDescriptor,
  type TreeNode,
} from './lockfile.ts';

export function parseNpmLock(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<ResolvedLockfile> {
  const outcome = parseJsonObject(bytes, limits);
  if (!outcome.ok) return outcome;
  const lock = outcome.value;
  const version = lock['lockfileVersion'];
  if (version !== 1 && version !== 2 && version !== 3) return malformed('npm lock: unknown lockfileVersion');
  const isTree = isJsonObject(lock['packages']);
  if (!isTree && lock['packages'] !== undefined) return malformed('npm lock: packages is not an object');
  if (!isTree && lock['dependencies'] !== undefined && !isJsonObject(lock['dependencies'])) {
    return malformed('npm lock: dependencies is not an object');
  }
  const places = isTree ? listFolders(lock) : listNested(lock);
  if (places.some(({ names }) => names.length > limits.maxDepth)) {
    return failedParse({ kind: 'depth_cap_exceeded', cap: limits.maxDepth });
  }
  return parsed(
    { format: `npm-${version}`, ...resolve(places, version), descriptors: new Map(), hasIntegrity: true },
    outcome.notes,
  );
}

/** One folder: below which manifest of the repository, and through which `node_modules` names. None: that manifest itself. */
type Place = { readonly root: string; readonly names: readonly string[]; readonly entry: JsonObject };

const folder = 'node_modules/';

function listFolders(lock: JsonObject): Place[] {
  return objectMembers(lock, 'packages').map(([path, entry]) => {
    const top = path.startsWith(folder) && !path.includes(folder, 1);
    if (top) return { root: '', names: [path.slice(folder.length)], entry };
    const [root = '', ...names] = `/${path}`.split(`/${folder}`);
    return { root: root.slice(1), names, entry };
  });
}

/** Version 1: nested entries, and `file:` versions for what later versions write as a link and a manifest. */
function listNested(lock: JsonObject): Place[] {
  const places: Place[] = [];
  const pending: Place[] = [{ root: '', names: [], entry: lock }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [name, entry] of objectMembers(next.entry, 'dependencies')) {
      const place: Place = { root: '', names: [...next.names, name], entry: fromVersion1(name, entry) };
      const directory = textAt(place.entry, 'resolved');
      places.push(place);
      if (isTrue(place.entry['link']) && directory !== null) {
        places.push({ root: directory, names: [], entry: { dependencies: entry['requires'] ?? {} } });
      }
      pending.push({ ...place, entry });
    }
  }
  return places;
}

/** The same entry as a later version would have written it. */
function fromVersion1(name: string, entry: JsonObject): JsonObject {
  const version = textAt(entry, 'version') ?? '';
  if (version.startsWith('file:') && !version.endsWith('.tgz'))
    return { link: true, resolved: version.slice('file:'.length) };
  const alias = version.startsWith('npm:') ? splitDescriptor(version.slice('npm:'.length)) : null;
  return {
    ...entry,
    name: alias?.name ?? name,
    version: alias?.range ?? version,
    resolved: entry['resolved'] ?? (sourceOfRange(version) === 'registry' ? null : version),
    dependencies: entry['requires'] ?? {},
    inBundle: entry['bundled'] ?? false,
  };
}

function resolve(
  places: readonly Place[],
  version: 1 | 2 | 3,
): Pick<ResolvedLockfile, 'packages' | 'importers' | 'installed'> {
  const tree = newTree();
  // A manifest of the repository looks in its own folder first, then in the root's.
  const roots = new Map<string, TreeNode>([['', tree]]);
  const nodeOf = ({ root, names }: Place): TreeNode => {
    const start = roots.get(root) ?? newTree(tree);
    roots.set(root, start);
    return growTree(start, names);
  };

  const identities: (Identity | null)[] = [];
  const nodes = places.map((place) => {
    const node = nodeOf(place);
    const identity = place.names.length === 0 ? null : identify(place);
    if (identity?.kind === 'link') {
      node.entry = { target: { kind: 'workspace', path: identity.path }, version: null };
    } else if (identity?.kind === 'package') {
      node.entry = { target: { kind: 'package', id: identity.id }, version: identity.version };
    }
    identities.push(identity);
    return node;
  });

  const packages: ResolvedPackage[] = [];
  const importers: ResolvedImporter[] = [];
  for (const [index, { root, names, entry }] of places.entries()) {
    const identity = identities[index];
    const find = (name: string) => findInTree(nodes[index] ?? tree, name);
    if (names.length === 0) {
      importers.push({ path: root === '' ? '.' : root, dependencies: readEdges(entry, true, find) });
    } else if (identity?.kind === 'package') {
      const resolved = textAt(entry, 'resolved');
      const source = resolved === null || resolved.startsWith('http') ? 'registry' : sourceOfRange(resolved);
      packages.push({
        id: identity.id,
        name: identity.name,
        version: identity.version,
        integrity: textAt(entry, 'integrity'),
        source,
        // A bundled package travels inside the archive of the one that bundles it.
        fromRegistry: source === 'registry' && !isTrue(entry['inBundle']),
        hasInstallScript: version === 1 ? null : isTrue(entry['hasInstallScript']),
        dependencies: readEdges(entry, false, find),
        optional: isTrue(entry['optional']),
        dev: isTrue(entry['dev']),
      });
    }
  }
  const resolved = { packages: mergePackages(packages), importers };
  return version === 1 ? { ...resolved, installed: listInstalled(tree) } : resolved;
}

function listInstalled({ children }: TreeNode): ReadonlyMap<string, LockTarget> {
  const named = [...(children ?? [])];
  return new Map(named.flatMap(([name, { entry }]) => (entry === null ? [] : [[name, entry.target] as const])));
}

type Identity =
  | { readonly kind: 'package'; readonly id: string; readonly name: string; readonly version: string }
  | { readonly kind: 'link'; readonly path: string };

function identify({ names, entry }: Place): Identity | null {
  const name = textAt(entry, 'name') ?? names.at(-1) ?? '';
  const resolved = textAt(entry, 'resolved');
  if (isTrue(entry['link'])) return resolved === null ? null : { kind: 'link', path: resolved === '' ? '.' : resolved };
  const version = textAt(entry, 'version') ?? resolved;
  if (version === null || version === '' || name === '') return null;
  return { kind: 'package', id: `${name}@${version}`, name, version };
}
