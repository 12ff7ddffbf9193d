/** The run of dep_graph: choose a strategy, let it read, describe what came of it. */

import { relative } from 'node:path';
import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { findCycles } from '../../kernel/base/find-cycles.ts';
import { canonicalJson, compareCodeUnits, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import {
  listOutputArtifacts,
  nodeLockfiles,
  readPackageManager,
  readWorkspaceMembers,
} from '../shared/node-packages.ts';
import { createFindings, evidenceOf, type Findings, readManifest } from '../shared/probe-reading.ts';
import {
  type BuildGraph,
  type BuildModule,
  type DepGraphReason,
  otherLocks,
  type StrategyName,
  unlockedManifests,
} from './dep-graph-section.ts';
import { type DepGraph, emptyGraph, listDuplicates, type NodePackages, type Strategy } from './graph-builder.ts';

const depGraphArtifact = 'dep-graph.json';

type Context = Pick<ProbeContext<never>, 'parsedManifest' | 'upstream' | 'outputDir' | 'inputsDigest' | 'startedAt'>;

const strategies: Record<StrategyName, () => Promise<Strategy>> = {
  npm: async () => (await import('./node-graph.ts')).readNpmGraph,
  pnpm: async () => (await import('./node-graph.ts')).readPnpmGraph,
  'yarn-classic': async () => (await import('./node-graph.ts')).readYarnClassicGraph,
  'yarn-berry': async () => (await import('./node-graph.ts')).readYarnBerryGraph,
  bun: async () => (await import('./node-graph.ts')).readBunGraph,
  cargo: async () => (await import('./cargo-graph.ts')).readCargoGraph,
  go: async () => (await import('./go-graph.ts')).readGoGraph,
  uv: async () => (await import('./python-graph.ts')).readUvGraph,
  poetry: async () => (await import('./python-graph.ts')).readPoetryGraph,
};

export async function gatherDepGraph(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const root = await readManifest(repo, ctx, 'package.json');
  const rootManifest = root.kind === 'read' ? root.value : null;
  const choice = await chooseStrategy(repo, rootManifest);
  const node = await readNodePackages(repo, ctx, rootManifest, choice);
  const { graph, reason } = await readGraph(repo, ctx, choice, node, findings);

  if (reason !== null)
    findings.warn(`dep_graph.${reason}`, choice.lockfile === null ? undefined : { path: choice.lockfile });
  if (graph.unresolved.length > 0 && reason !== 'no_lockfile') {
    for (const { from, name, type, range } of graph.unresolved.slice(0, 10))
      findings.warn('dep_graph.edge_unresolved', { detail: `${type}: ${from} → ${name}@${range}` });
  }
  const workspaces = graph.nodes.filter(({ kind, path }) => kind === 'workspace' && path !== '.');
  const raw = {
    schema_version: 2,
    ecosystem: choice.ecosystem,
    reason,
    nodes: graph.nodes,
    edges: graph.edges,
    unresolved: graph.unresolved,
  };
  return {
    kind: 'ran',
    slice: {
      // In the order that a stored answer has.
      build_graph: buildGraphOf(
        graph,
        choice.strategy ?? choice.ecosystem ?? 'none',
        node.manifestAt,
      ) as unknown as Json,
      dep_graph: {
        graph_path: relative(repo.root, `${ctx.outputDir}/raw/${depGraphArtifact}`),
        ecosystem: choice.ecosystem,
        strategy: choice.strategy,
        reason,
        nodes_count: graph.nodes.length,
        edges_count: graph.edges.length,
        workspaces_count: workspaces.length,
        duplicates: listDuplicates(graph),
        unresolved: { value: graph.unresolved.length, relation: graph.complete && reason === null ? 'eq' : 'gte' },
        indexed_inputs: ctx.inputsDigest,
        indexed_at: ctx.startedAt,
      },
    },
    rawArtifacts: [
      { name: depGraphArtifact, kind: 'json', from: new TextEncoder().encode(canonicalJson(raw as unknown as Json)) },
    ],
    confidence: judge(graph, reason),
    ...findings.report(),
    evidence: evidenceOf(repo, [choice.lockfile, repo.inputs.has('package.json') ? 'package.json' : null]),
  };
}

function judge(graph: DepGraph, reason: DepGraphReason | null): Confidence {
  if (reason !== null) return reason === 'no_lockfile' ? 'medium' : 'low';
  return graph.unresolved.length > 0 || !graph.complete ? 'medium' : 'high';
}

async function readGraph(
  repo: ProbeRepo,
  ctx: Context,
  { strategy, lockfile, reason, ecosystem }: Choice,
  node: NodePackages,
  findings: Findings,
): Promise<{ readonly graph: DepGraph; readonly reason: DepGraphReason | null }> {
  if (strategy === null || lockfile === null) {
    if (reason !== 'no_lockfile' || ecosystem !== 'npm') return { graph: emptyGraph, reason };
    const { graphOfManifests } = await import('./node-graph.ts');
    return { graph: graphOfManifests(node, findings), reason };
  }
  const read = await strategies[strategy]();
  const outcome = await read({ repo, ctx, lockfile, findings, node });
  return outcome.kind === 'graph'
    ? { graph: outcome.graph, reason: null }
    : { graph: emptyGraph, reason: outcome.reason };
}

/** Manifests that cannot be read are node_build_system's to report; here they are packages without a name. */
async function readNodePackages(
  repo: ProbeRepo,
  ctx: Context,
  rootManifest: JsonObject | null,
  { ecosystem, strategy }: Choice,
): Promise<NodePackages> {
  const root = { directory: '.', manifest: rootManifest ?? {} };
  if (ecosystem !== 'npm') return { root, members: [], manifestAt: () => null };
  const manifests = new Map<string, JsonObject>();
  // A lock may link any folder of the repository, one called `vendor` too.
  for (const path of repo.inputs.list(['**/package.json'])) {
    if (`/${path}`.includes('/node_modules/')) continue;
    const manifest = await readManifest(repo, ctx, path);
    if (manifest.kind === 'read')
      manifests.set(path === 'package.json' ? '.' : path.slice(0, -'/package.json'.length), manifest.value);
  }
  const manifestAt = (directory: string) => manifests.get(directory) ?? null;
  const build = ctx.upstream['node_build_system']?.value ?? null;
  const members =
    build === null
      ? await readWorkspaceMembers(repo, ctx, rootManifest, strategy, createFindings())
      : listAt(build, 'workspaces')
          .flatMap((each) => textAt(each, 'path') ?? [])
          .map((directory) => ({ directory, manifest: manifestAt(directory) ?? {} }));
  return { root, members, manifestAt };
}

// The repository's own packages and how they depend on each other; null where there is but one.

function buildGraphOf(
  { nodes, edges }: DepGraph,
  buildSystem: string,
  manifestAt: (directory: string) => JsonObject | null,
): BuildGraph | null {
  const own = nodes.filter(({ kind }) => kind === 'workspace');
  if (own.length < 2) return null;
  const timesNamed = new Map<string, number>();
  for (const { name } of own) timesNamed.set(name, (timesNamed.get(name) ?? 0) + 1);
  const names = new Map(own.map(({ id, name, path }) => [id, timesNamed.get(name) === 1 ? name : (path ?? id)]));

  const targets = new Map<string, Set<string>>([...names.values()].map((name) => [name, new Set()]));
  const sources = new Map<string, Set<string>>([...names.values()].map((name) => [name, new Set()]));
  for (const { from, to } of edges) {
    const source = names.get(from);
    const target = names.get(to);
    if (source === undefined || target === undefined) continue;
    targets.get(source)?.add(target);
    sources.get(target)?.add(source);
  }
  const sorted = (set: ReadonlySet<string> | undefined) => [...(set ?? [])].sort(compareCodeUnits);
  const modules = own.map(({ id, path = '.' }): BuildModule => {
    const name = names.get(id) as string;
    const manifest = manifestAt(path);
    return {
      name,
      path,
      depends_on: sorted(targets.get(name)),
      depended_on_by: sorted(sources.get(name)),
      build_outputs: manifest === null ? [] : [...listOutputArtifacts([{ directory: path, manifest }], {})],
    };
  });
  return {
    build_system: buildSystem,
    modules: modules.sort((a, b) => compareCodeUnits(a.name, b.name)),
    cycles: findCycles(sorted(new Set(names.values())), (name) => targets.get(name) ?? []).map((cycle) => [...cycle]),
  };
}

type Choice = {
  readonly ecosystem: string | null;
  readonly strategy: StrategyName | null;
  readonly lockfile: string | null;
  /** Why there is no strategy. */
  readonly reason: DepGraphReason | null;
};

async function chooseStrategy(repo: ProbeRepo, rootManifest: JsonObject | null): Promise<Choice> {
  const nodeLock = nodeLockfiles.some((path) => repo.inputs.has(path));
  if (nodeLock) return chooseNode(repo, rootManifest);
  for (const [name, strategy, ecosystem] of otherLocks) {
    const lockfile = nearest(repo, name);
    if (lockfile !== undefined) return { ecosystem, strategy, lockfile, reason: null };
  }
  if (repo.inputs.has('package.json')) return chooseNode(repo, rootManifest);
  const found = unlockedManifests.find(([name]) => repo.inputs.has(name));
  if (found === undefined) return { ecosystem: null, strategy: null, lockfile: null, reason: 'no_manifest_detected' };
  const [, ecosystem, reason] = found;
  return { ecosystem, strategy: null, lockfile: null, reason };
}

async function chooseNode(repo: ProbeRepo, rootManifest: JsonObject | null): Promise<Choice> {
  const none = { ecosystem: 'npm', strategy: null, lockfile: null };
  if (!repo.inputs.has('package.json')) return { ...none, reason: 'no_manifest_detected' };
  const field = rootManifest?.['packageManager'];
  const { lockfile, lockfileKind, manager } = await readPackageManager(repo, field);
  if (lockfile === null || lockfileKind === null)
    return {
      ...none,
      reason: field !== undefined && manager === null ? 'unrecognized_package_manager' : 'no_lockfile',
    };
  if (lockfileKind === 'bun-binary') return { ...none, lockfile, reason: 'binary_lockfile_unsupported' };
  return { ecosystem: 'npm', strategy: lockfileKind, lockfile, reason: null };
}

function nearest(repo: ProbeRepo, name: string): string | undefined {
  const depth = (path: string) => path.split('/').length;
  return repo.inputs
    .list([`**/${name}`])
    .filter((path) => !isForeignManifest(path) && repo.inputs.fingerprint(path)?.kind === 'file')
    .sort((a, b) => depth(a) - depth(b) || compareCodeUnits(a, b))[0];
}
