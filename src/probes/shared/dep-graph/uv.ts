/**
 * uv.lock: packages with their dependencies, extras and groups; members of the workspace say their own ranges under `metadata`.
 * Extras are optional dependencies, groups are for development.
 */

import { posix } from 'node:path';
import type { Json } from '../../../kernel/base/json.ts';
import { parseToml } from '../../../kernel/formats/toml.ts';
import { listAt, member, objectAt, textAt } from '../json-access.ts';
import { readParsed } from '../read.ts';
import { createGraphBuilder, type DepNode, type EdgeType, type NodeKind, pushTo } from './dep-graph.ts';
import { lockLimits, malformedLock, type Strategy } from './strategy.ts';

type LockedPackage = { readonly node: DepNode; readonly entry: Json };

export const readGraph: Strategy = async ({ repo, lockfile, findings }) => {
  const outcome = await readParsed(repo, lockfile, lockLimits.maxBytes, (bytes) => parseToml(bytes, lockLimits));
  if (!outcome.ok || typeof outcome.value['version'] !== 'number') return malformedLock;
  const base = posix.dirname(lockfile);
  const members = new Set(listAt(outcome.value, 'manifest', 'members'));
  const builder = createGraphBuilder();
  const byName = new Map<string, LockedPackage[]>();
  for (const entry of listAt(outcome.value, 'package')) {
    const node = nodeOf(entry, base, members);
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

function nodeOf(entry: Json, base: string, members: ReadonlySet<Json>): DepNode | undefined {
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
