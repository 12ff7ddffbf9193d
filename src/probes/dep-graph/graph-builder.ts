/** What a dependency graph is, for every ecosystem, how one is put together (each node and edge once, in order), and what reads one. */

import type { ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { ParseLimits } from '../../kernel/formats/parse-outcome.ts';
import type { PackageMember } from '../shared/node-packages.ts';
import type { Findings } from '../shared/probe-reading.ts';
import type { DepGraphReason } from './dep-graph-section.ts';

export type NodeKind = 'registry' | 'workspace' | 'git' | 'file' | 'link';
export type EdgeType = 'prod' | 'dev' | 'peer' | 'optional';

export type DepNode = {
  /** `name@version`; `name@workspace:path` where a package of the repository has no version or shares it with one that was fetched. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly kind: NodeKind;
  /** Root-relative, of what the repository holds itself. */
  readonly path?: string;
  /** Every way to it begins with a development dependency. */
  readonly dev: boolean;
  /** Every way to it passes an optional dependency. */
  readonly optional: boolean;
  readonly integrity?: string;
};
type DepEdge = {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  /** As declared; where the lock does not record that, the version it came to. */
  readonly range: string;
};
/** A dependency that the lock has no answer for. */
type UnresolvedDep = {
  readonly from: string;
  readonly name: string;
  readonly type: EdgeType;
  readonly range: string;
};

export type DepGraph = {
  readonly nodes: readonly DepNode[];
  readonly edges: readonly DepEdge[];
  readonly unresolved: readonly UnresolvedDep[];
  /** False where the files say only part of it (go.mod). */
  readonly complete: boolean;
};

interface GraphBuilder {
  add(node: DepNode): void;
  has(id: string): boolean;
  connect(from: string, to: string, type: EdgeType, range: string): void;
  miss(from: string, name: string, type: EdgeType, range: string): void;
  finish(options?: { readonly complete?: boolean; readonly markReach?: boolean }): DepGraph;
}

export const emptyGraph: DepGraph = { nodes: [], edges: [], unresolved: [], complete: true };

/** Longer than any name, version or range that a person wrote. */
const textMax = 500;
const clip = (text: string): string => truncate(singleLine(text), textMax);

export function createGraphBuilder(): GraphBuilder {
  const nodes = new Map<string, DepNode>();
  const edges = new Map<string, DepEdge>();
  const unresolved = new Map<string, UnresolvedDep>();
  return {
    add(node) {
      const id = clip(node.id);
      if (!nodes.has(id)) nodes.set(id, { ...node, id, name: clip(node.name), version: clip(node.version) });
    },
    has: (id) => nodes.has(clip(id)),
    connect(from, to, type, range) {
      const edge = { from: clip(from), to: clip(to), type, range: clip(range) };
      edges.set(`${edge.from}\n${edge.to}\n${type}\n${edge.range}`, edge);
    },
    miss(from, name, type, range) {
      const row = { from: clip(from), name: clip(name), type, range: clip(range) };
      unresolved.set(`${row.from}\n${row.name}\n${type}\n${row.range}`, row);
    },
    finish({ complete = true, markReach = false } = {}) {
      const sorted = [...edges.values()].sort(
        (a, b) =>
          compareCodeUnits(a.from, b.from) ||
          compareCodeUnits(a.to, b.to) ||
          compareCodeUnits(a.type, b.type) ||
          compareCodeUnits(a.range, b.range),
      );
      const all = [...nodes.values()].sort((a, b) => compareCodeUnits(a.id, b.id));
      return {
        nodes: markReach ? markReachOf(all, sorted) : all,
        edges: sorted,
        unresolved: [...unresolved.values()].sort(
          (a, b) =>
            compareCodeUnits(a.from, b.from) || compareCodeUnits(a.name, b.name) || compareCodeUnits(a.type, b.type),
        ),
        complete,
      };
    },
  };
}

/** `dev` and `optional` for formats that do not record them, from how a node is reached from the repository's own packages. */
function markReachOf(nodes: readonly DepNode[], edges: readonly DepEdge[]): readonly DepNode[] {
  const edgesFrom = new Map<string, DepEdge[]>();
  for (const edge of edges) pushTo(edgesFrom, edge.from, edge);
  const roots = nodes.filter(({ kind }) => kind === 'workspace').map(({ id }) => id);
  const reach = (follows: (edge: DepEdge) => boolean): ReadonlySet<string> => {
    const reached = new Set(roots);
    const pending = [...roots];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      for (const edge of edgesFrom.get(id) ?? []) {
        if (!follows(edge) || reached.has(edge.to)) continue;
        reached.add(edge.to);
        pending.push(edge.to);
      }
    }
    return reached;
  };
  const anyhow = reach(() => true);
  const inProduction = reach(({ type }) => type !== 'dev');
  const surely = reach(({ type }) => type !== 'optional');
  return nodes.map((node) =>
    anyhow.has(node.id) ? { ...node, dev: !inProduction.has(node.id), optional: !surely.has(node.id) } : node,
  );
}

/** A node of a lock that does not say how it is reached: `finish` marks that. */
export function lockedNode(locked: {
  readonly name: string;
  readonly version: string;
  readonly kind: NodeKind;
  readonly path: string | undefined;
  readonly integrity: string | null;
}): DepNode {
  const { name, version, kind, path, integrity } = locked;
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

/** Adds to the list at a key, which is made where it is missing. */
export function pushTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** Names that the graph holds in several versions. */
export function listDuplicates({ nodes }: DepGraph): { name: string; versions: string[] }[] {
  const versions = new Map<string, string[]>();
  for (const { name, version, kind } of nodes) {
    if (kind !== 'workspace' && kind !== 'link') pushTo(versions, name, version);
  }
  return [...versions]
    .filter(([, each]) => each.length > 1)
    .map(([name, each]) => ({ name, versions: each.sort(compareCodeUnits) }))
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** The packages of a Node repository: the root first, then the members of its workspace. */
export type NodePackages = {
  readonly root: PackageMember;
  readonly members: readonly PackageMember[];
  /** The manifest in a directory of the repository, member or not. */
  manifestAt(directory: string): JsonObject | null;
};

export type StrategyInput = {
  readonly repo: ProbeRepo;
  readonly ctx: Pick<ProbeContext<never>, 'parsedManifest'>;
  readonly lockfile: string;
  readonly findings: Findings;
  readonly node: NodePackages;
};

type StrategyOutcome =
  | { readonly kind: 'graph'; readonly graph: DepGraph }
  | { readonly kind: 'reason'; readonly reason: DepGraphReason };

export type Strategy = (input: StrategyInput) => Promise<StrategyOutcome>;

export const lockLimits: ParseLimits = { maxBytes: limits.lockfileBytes, maxDepth: limits.parseDepth };
export const manifestLimits: ParseLimits = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

export const malformedLock: StrategyOutcome = { kind: 'reason', reason: 'lockfile_malformed' };
