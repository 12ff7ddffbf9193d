/**
 * uv.lock: packages with their dependencies, extras and groups; members of the workspace say their own ranges under `metadata`.
 * Extras are optional dependencies, groups are for development.
 */

import { posix } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { parseToml } from '../../kernel/formats/toml.ts';
import { pythonName } from '../shared/manifest-facts.ts';
import { readParsed } from '../shared/probe-reading.ts';
import {
  createGraphBuilder,
  type DepNode,
  type EdgeType,
  lockedNode,
  lockLimits,
  malformedLock,
  manifestLimits,
  type NodeKind,
  pushTo,
  type Strategy,
} from './graph-builder.ts';

type LockedPackage = { readonly node: DepNode; readonly entry: Json };

export const readUvGraph: Strategy = async ({ repo, lockfile, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parseToml(bytes, lockLimits));
  if (!outcome.ok || typeof outcome.value['version'] !== 'number') return malformedLock;
  const base = posix.dirname(lockfile);
  const members = new Set(listAt(outcome.value, 'manifest', 'members'));
  const builder = createGraphBuilder();
  const byName = new Map<string, LockedPackage[]>();
  for (const entry of listAt(outcome.value, 'package')) {
    const node = uvNode(entry, base, members);
    if (node === undefined) continue;
    if (node.path !== undefined && (node.path.startsWith('..') || node.path.startsWith('/')))
      findings.warn('dep_graph.workspace_outside_repo', { path: node.path.slice(0, 200) });
    builder.add(node);
    pushTo(byName, node.name, { node, entry });
  }
  for (const { node, entry } of [...byName.values()].flat()) {
    const connect = (dependency: Json, type: EdgeType, declared: ReadonlyMap<string, string>) => {
      const name = textAt(dependency, 'name');
      if (name === null) return;
      const version = textAt(dependency, 'version');
      const targets = (byName.get(name) ?? []).filter((each) => version === null || each.node.version === version);
      const range = declared.get(name);
      if (targets.length === 0) builder.miss(node.id, name, type, range ?? '');
      for (const target of targets) builder.connect(node.id, target.node.id, type, range ?? target.node.version);
    };
    const requires = rangesOf(listAt(entry, 'metadata', 'requires-dist'));
    for (const each of listAt(entry, 'dependencies')) connect(each, 'prod', requires);
    for (const extra of Object.values(objectAt(entry, 'optional-dependencies')))
      for (const each of Array.isArray(extra) ? (extra as readonly Json[]) : []) connect(each, 'optional', requires);
    for (const group of Object.keys(objectAt(entry, 'dev-dependencies'))) {
      const requiresDev = rangesOf(listAt(entry, 'metadata', 'requires-dev', group));
      for (const each of listAt(entry, 'dev-dependencies', group)) connect(each, 'dev', requiresDev);
    }
  }
  return { kind: 'graph', graph: builder.finish({ markReach: true }) };
};

/** What a project asked for, by name; `*` where nothing was asked but the name. */
function rangesOf(declared: readonly Json[]): ReadonlyMap<string, string> {
  return new Map(declared.map((each) => [textAt(each, 'name') ?? '', textAt(each, 'specifier') ?? '*']));
}

function uvNode(entry: Json, base: string, members: ReadonlySet<Json>): DepNode | undefined {
  const name = textAt(entry, 'name');
  if (name === null) return undefined;
  const source = objectAt(entry, 'source');
  const place = ['virtual', 'editable', 'directory', 'path']
    .map((key) => textAt(source, key))
    .find((each) => each !== null);
  const path = place === undefined || place === null ? undefined : posix.normalize(posix.join(base, place));
  const isOwn = path !== undefined && (members.has(name) || place === '.');
  const kind: NodeKind = isOwn
    ? 'workspace'
    : textAt(source, 'git') !== null
      ? 'git'
      : path !== undefined
        ? textAt(source, 'path') === null
          ? 'link'
          : 'file'
        : textAt(source, 'url') === null
          ? 'registry'
          : 'file';
  const version = textAt(entry, 'version') ?? `${kind}:${path ?? '.'}`;
  const integrity = textAt(member(entry, 'sdist'), 'hash') ?? textAt(listAt(entry, 'wheels')[0], 'hash');
  return lockedNode({ name, version, kind, path, integrity });
}

// poetry.lock lists packages with the ranges they ask for; where the graph begins is in pyproject.toml, in the standard tables and in
// poetry's own. Extras are optional dependencies, groups are for development.

type Declared = { readonly name: string; readonly range: string; readonly type: EdgeType };

export const readPoetryGraph: Strategy = async ({ repo, lockfile }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parseToml(bytes, lockLimits));
  if (!outcome.ok || !isJsonObject(outcome.value['metadata'])) return malformedLock;
  const directory = posix.dirname(lockfile);
  const project = await readParsed(repo, posix.join(directory, 'pyproject.toml'), manifestLimits.maxBytes, (bytes) =>
    parseToml(bytes, manifestLimits),
  );
  const manifest = project.ok ? project.value : {};

  const builder = createGraphBuilder();
  const byName = new Map<string, DepNode[]>();
  const entries = listAt(outcome.value, 'package').flatMap((entry) => {
    const node = poetryNode(entry, directory);
    if (node === undefined) return [];
    builder.add(node);
    pushTo(byName, node.name, node);
    return [{ node, entry }];
  });
  const root = rootOf(manifest, directory);
  builder.add(root);
  const connect = (from: string, { name, range, type }: Declared) => {
    const targets = byName.get(name) ?? [];
    // An extra that was not asked for is not locked.
    if (targets.length === 0 && type !== 'optional') builder.miss(from, name, type, range);
    for (const target of targets) builder.connect(from, target.id, type, range);
  };
  for (const declared of listDeclared(manifest)) connect(root.id, declared);
  for (const { node, entry } of entries)
    for (const declared of poetryTable(objectAt(entry, 'dependencies'), 'prod')) connect(node.id, declared);
  return { kind: 'graph', graph: builder.finish({ markReach: true }) };
};

function poetryNode(entry: Json, directory: string): DepNode | undefined {
  const name = pythonName(textAt(entry, 'name') ?? '');
  const version = textAt(entry, 'version');
  if (name === null || version === null) return undefined;
  const source = objectAt(entry, 'source');
  const kind = poetryKinds[textAt(source, 'type') ?? ''] ?? 'registry';
  const path =
    kind === 'link' || textAt(source, 'type') === 'file'
      ? posix.join(directory, textAt(source, 'url') ?? '.')
      : undefined;
  const integrity = textAt(listAt(entry, 'files')[0], 'hash');
  return lockedNode({ name, version, kind, path, integrity });
}

const poetryKinds: Readonly<Record<string, NodeKind>> = { git: 'git', directory: 'link', file: 'file', url: 'file' };

function rootOf(manifest: JsonObject, directory: string): DepNode {
  const project = objectAt(manifest, 'project');
  const poetry = objectAt(manifest, 'tool', 'poetry');
  const name = pythonName(textAt(project, 'name') ?? textAt(poetry, 'name') ?? '') ?? directory;
  const version = textAt(project, 'version') ?? textAt(poetry, 'version') ?? `workspace:${directory}`;
  return { id: `${name}@${version}`, name, version, kind: 'workspace', path: directory, dev: false, optional: false };
}

function listDeclared(manifest: JsonObject): readonly Declared[] {
  const project = objectAt(manifest, 'project');
  const poetry = objectAt(manifest, 'tool', 'poetry');
  const groups = Object.values(objectAt(poetry, 'group'));
  return [
    ...requirements(project['dependencies'], 'prod'),
    ...Object.values(objectAt(project, 'optional-dependencies')).flatMap((list) => requirements(list, 'optional')),
    ...Object.values(objectAt(manifest, 'dependency-groups')).flatMap((list) => requirements(list, 'dev')),
    ...poetryTable(objectAt(poetry, 'dependencies'), 'prod'),
    ...poetryTable(objectAt(poetry, 'dev-dependencies'), 'dev'),
    ...groups.flatMap((group) => poetryTable(objectAt(group, 'dependencies'), 'dev')),
  ];
}

/** `httpx[http2] (>=0.27) ; marker` → `>=0.27`. */
function requirements(list: Json | undefined, type: EdgeType): Declared[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).flatMap((item) => {
    const name = typeof item === 'string' ? pythonName(item) : null;
    if (name === null || typeof item !== 'string') return [];
    const [, range = ''] = /^[\w.-]+\s*(?:\[[^\]]*\])?\s*\(?([^;)]*)/.exec(item.trim()) ?? [];
    return [{ name, range: range.trim() === '' ? '*' : range.trim(), type }];
  });
}

/** `name = "^1"`, `name = {version = "^1", optional = true}`, or a list of those for different platforms. */
function poetryTable(table: JsonObject, type: EdgeType): Declared[] {
  return Object.entries(table).flatMap(([key, value]): Declared[] => {
    const name = pythonName(key);
    if (name === null || name === 'python') return [];
    const specs = Array.isArray(value) ? (value as readonly Json[]) : [value];
    return specs.map((spec) => ({
      name,
      range: typeof spec === 'string' ? spec : (textAt(spec, 'version') ?? '*'),
      type: isJsonObject(spec) && spec['optional'] === true ? 'optional' : type,
    }));
  });
}
