/**
 * poetry.lock lists packages with the ranges they ask for; where the graph begins is in pyproject.toml, in the standard tables and in
 * poetry's own. Extras are optional dependencies, groups are for development.
 */

import { posix } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { parseToml } from '../../../kernel/formats/toml.ts';
import { listAt, objectAt, textAt } from '../json-access.ts';
import { pythonName } from '../python-manifest.ts';
import { readParsed } from '../read.ts';
import { createGraphBuilder, type DepNode, type EdgeType, type NodeKind, pushTo } from './dep-graph.ts';
import { lockLimits, malformedLock, manifestLimits, type Strategy } from './strategy.ts';

type Declared = { readonly name: string; readonly range: string; readonly type: EdgeType };

export const readGraph: Strategy = async ({ repo, lockfile }) => {
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
    const node = nodeOf(entry, directory);
    if (node === undefined) return [];
    builder.add(node);
    pushTo(byName, node.name, node);
    return [{ node, entry }];
  });
  const root = rootOf(manifest, directory);
  builder.add(root);
  const connect = (from: string, { name, range, type }: Declared) => {
    const targets = byName.get(name) ?? [];
    // An extra that nobody asked for is not locked.
    if (targets.length === 0 && type !== 'optional') builder.miss(from, name, type, range);
    for (const target of targets) builder.connect(from, target.id, type, range);
  };
  for (const declared of listDeclared(manifest)) connect(root.id, declared);
  for (const { node, entry } of entries)
    for (const declared of poetryTable(objectAt(entry, 'dependencies'), 'prod')) connect(node.id, declared);
  return { kind: 'graph', graph: builder.finish({ markReach: true }) };
};

function nodeOf(entry: Json, directory: string): DepNode | undefined {
  const name = pythonName(textAt(entry, 'name') ?? '');
  const version = textAt(entry, 'version');
  if (name === null || version === null) return undefined;
  const source = objectAt(entry, 'source');
  const kind = kinds[textAt(source, 'type') ?? ''] ?? 'registry';
  const path =
    kind === 'link' || textAt(source, 'type') === 'file'
      ? posix.join(directory, textAt(source, 'url') ?? '.')
      : undefined;
  const integrity = textAt(listAt(entry, 'files')[0], 'hash');
  return {
    id: `${name}@${version}`,
    name,
    version,
    kind,
    ...(path === undefined ? {} : { path }),
    dev: false,
    optional: false,
    ...(integrity === null ? {} : { integrity }),
  };
}

const kinds: Readonly<Record<string, NodeKind>> = { git: 'git', directory: 'link', file: 'file', url: 'file' };

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
