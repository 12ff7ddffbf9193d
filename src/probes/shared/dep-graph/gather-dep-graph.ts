/** The run of dep_graph: choose a strategy, let it read, describe what came of it. */

import { relative } from 'node:path';
import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../../gather/contract.ts';
import { canonicalJson, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { createFindings, evidenceOf, type Findings } from '../findings.ts';
import { listAt, textAt } from '../json-access.ts';
import { readManifest } from '../manifests.ts';
import { readWorkspaceMembers } from '../workspace-members.ts';
import { buildGraphOf } from './build-graph.ts';
import { type Choice, chooseStrategy } from './choose-strategy.ts';
import { type DepGraph, emptyGraph, listDuplicates } from './dep-graph.ts';
import type { DepGraphReason, NodePackages, Strategy, StrategyName } from './strategy.ts';

export const depGraphArtifact = 'dep-graph.json';

type Context = Pick<ProbeContext<never>, 'parsedManifest' | 'upstream' | 'outputDir' | 'inputsDigest' | 'startedAt'>;

const strategies: Record<StrategyName, () => Promise<{ readonly readGraph: Strategy }>> = {
  npm: () => import('./npm.ts'),
  pnpm: () => import('./pnpm.ts'),
  'yarn-classic': () => import('./yarn-classic.ts'),
  'yarn-berry': () => import('./yarn-berry.ts'),
  bun: () => import('./bun.ts'),
  cargo: () => import('./cargo.ts'),
  go: () => import('./go.ts'),
  uv: () => import('./uv.ts'),
  poetry: () => import('./poetry.ts'),
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
  const { readGraph: read } = await strategies[strategy]();
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
