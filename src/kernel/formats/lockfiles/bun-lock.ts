/**
 * bun.lock, the text format: JSON with trailing commas.
 *
 * `workspaces` are the manifests of the repository by path. `packages` is the tree of `node_modules` folders as paths of names
 * (`is-even/is-odd`), each a tuple that begins with `name@version` and holds an object of dependencies and, at the end, an
 * integrity value. What a workspace needs for itself alone stands below its name.
 */

import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { listAt, objectAt, textAt } from '../../base/json-access.ts';
import { parseJsonc } from '../parse-json.ts';
import { failedParse, malformed, type ParseLimits, type ParseOutcome, parsed } from '../parse-outcome.ts';
import {
  findInTree,
  growTree,
  type LockEdge,
  lockOf,
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

export function parseBunLock(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<ResolvedLockfile> {
  const outcome = parseJsonc(bytes, limits);
  if (!outcome.ok) return outcome;
  const version = outcome.value['lockfileVersion'];
  if (typeof version !== 'number') return malformed('bun lock: no lockfileVersion');

  const tree = newTree();
  const entries: Entry[] = [];
  for (const [path, tuple] of Object.entries(objectAt(outcome.value, 'packages'))) {
    const names = splitNames(path);
    if (names.length > limits.maxDepth) return failedParse({ kind: 'depth_cap_exceeded', cap: limits.maxDepth });
    const entry = readEntry(tuple, growTree(tree, names));
    if (entry !== null) entries.push(entry);
  }

  const descriptors = new Map<string, string>();
  const edgesAt = (node: TreeNode, fields: JsonObject, withDev: boolean): readonly LockEdge[] => {
    const optionalPeers = () => new Set(listAt(fields, 'optionalPeers').filter((item) => typeof item === 'string'));
    const edges = readEdges(fields, withDev, (name) => findInTree(node, name), optionalPeers);
    for (const { name, range, resolved } of edges) {
      const descriptor = `${name}@${range}`;
      if (resolved !== null && !descriptors.has(descriptor)) descriptors.set(descriptor, resolved);
    }
    return edges;
  };
  const importers = objectMembers(outcome.value, 'workspaces').map(([path, fields]): ResolvedImporter => {
    const name = textAt(fields, 'name');
    const node = path === '' || name === null ? tree : (tree.children?.get(name) ?? tree);
    return { path: path === '' ? '.' : path, dependencies: edgesAt(node, fields, true) };
  });
  const packages = entries.flatMap(({ node, found, fields }): ResolvedPackage[] =>
    found === null ? [] : [{ ...found, dependencies: edgesAt(node, fields, false), optional: false, dev: false }],
  );
  return parsed(lockOf(`bun-${version}`, packages, importers, descriptors), outcome.notes);
}

type Entry = {
  readonly node: TreeNode;
  /** Null for a workspace. */
  readonly found: Omit<ResolvedPackage, 'dependencies' | 'optional' | 'dev'> | null;
  readonly fields: JsonObject;
};

/** Puts the entry in the tree; null when the tuple does not begin with `name@version`. */
function readEntry(tuple: Json, node: TreeNode): Entry | null {
  const values: readonly Json[] = Array.isArray(tuple) ? tuple : [];
  const [first] = values;
  const identity = typeof first === 'string' ? splitDescriptor(first) : null;
  if (identity === null) return null;
  const { name, range: version } = identity;
  const fields = values.find((value) => isJsonObject(value)) as JsonObject | undefined;
  const isWorkspace = version.startsWith('workspace:') || version.startsWith('root:');
  if (isWorkspace) {
    const path = version.slice(version.indexOf(':') + 1);
    node.entry = { target: { kind: 'workspace', path: path === '' ? '.' : path }, version: null };
    return { node, found: null, fields: fields ?? {} };
  }
  const id = `${name}@${version}`;
  const last = values.at(-1);
  const integrity = typeof last === 'string' && last.startsWith('sha') ? last : null;
  const source = sourceOfRange(version);
  node.entry = { target: { kind: 'package', id }, version };
  const found = { id, name, version, integrity, source, fromRegistry: source === 'registry', hasInstallScript: null };
  return { node, found, fields: fields ?? {} };
}

/** `a/@b/c/d` → `a`, `@b/c`, `d`. */
function splitNames(path: string): string[] {
  const names: string[] = [];
  for (const part of path.split('/')) {
    const previous = names.at(-1);
    if (previous?.startsWith('@') && !previous.includes('/')) names[names.length - 1] = `${previous}/${part}`;
    else names.push(part);
  }
  return names;
}
