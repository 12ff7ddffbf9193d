/**
 * What a repository depends on, as its lockfile says: nodes and edges in `dep-graph.json`, their numbers, versions that stand beside
 * each other, and how the repository's own packages depend on each other. No package manager is executed.
 */

import { defineProbe, type Slice } from '../../gather/contract.ts';
import { byteIndexFreshness } from '../../gather/freshness/index-checks.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import {
  buildGraphSection,
  depGraphInputs,
  depGraphManifests,
  depGraphReasons,
  depGraphSection,
} from './dep-graph-section.ts';

const npmLock = JSON.stringify({
  name: 'shop',
  lockfileVersion: 3,
  packages: {
    '': {
      name: 'shop',
      workspaces: ['packages/*'],
      dependencies: { left: '^1.0.0' },
      devDependencies: { tool: '^2.0.0' },
    },
    'node_modules/@shop/app': { resolved: 'packages/app', link: true },
    'node_modules/@shop/lib': { resolved: 'packages/lib', link: true },
    'node_modules/left': { version: '1.2.0', integrity: 'sha512-AAAA' },
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      dependencies: { left: '^2.0.0' },
      peerDependencies: { gone: '*' },
    },
    'node_modules/tool/node_modules/left': { version: '2.0.1', dev: true },
    'packages/app': { name: '@shop/app', version: '0.1.0', dependencies: { '@shop/lib': '*' } },
    'packages/lib': { name: '@shop/lib', version: '0.2.0', dependencies: { '@shop/app': '*' } },
  },
});

export default defineProbe({
  name: 'dep_graph',
  version: '0.1.0',
  layer: 'B',
  says: 'The graph of dependencies from npm, pnpm, yarn, bun, cargo, go, uv and poetry lockfiles, and of the own packages.',
  heaviness: 'medium',
  // The first section is the index.
  sections: { dep_graph: depGraphSection, build_graph: buildGraphSection },
  requires: [{ probe: 'node_build_system', select: selectBuild, optional: true }],
  declaredInputs: depGraphInputs,
  timeoutSeconds: 60,
  budget: { rssMb: 500, rawArtifactMb: 256, truncateMb: 256 },
  artifacts: ['dep-graph.json'],
  warningIds: [
    ...depGraphReasons.map((reason) => `dep_graph.${reason}`),
    'dep_graph.edge_unresolved',
    'dep_graph.workspace_outside_repo',
  ],
  confidenceRule:
    'high when every edge resolves; medium with unresolved ones, with edges the files do not say, or without a lockfile; low with another reason',
  index: {
    name: 'dep_graph',
    check: byteIndexFreshness('dep_graph'),
    detail: (slice) => ({
      strategy: slice['strategy'] ?? null,
      nodes_count: slice['nodes_count'] ?? 0,
      edges_count: slice['edges_count'] ?? 0,
    }),
  },
  applies: (repo) => repo.scope.match(depGraphManifests).length > 0 || 'not_applicable',
  async run(repo, ctx) {
    const { gatherDepGraph } = await import('./gather-dep-graph.ts');
    return gatherDepGraph(repo, ctx);
  },
  examples: [
    {
      shows: 'npm: a workspace with a circle, two versions of a package, a peer that no package provides',
      files: {
        'package.json':
          '{"name":"shop","private":true,"workspaces":["packages/*"],"dependencies":{"left":"^1.0.0"},"devDependencies":{"tool":"^2.0.0"}}',
        'package-lock.json': npmLock,
        'packages/app/package.json':
          '{"name":"@shop/app","version":"0.1.0","files":["dist"],"dependencies":{"@shop/lib":"*"}}',
        'packages/lib/package.json': '{"name":"@shop/lib","version":"0.2.0","dependencies":{"@shop/app":"*"}}',
      },
      gives: {
        dep_graph: {
          graph_path: '.codegenie/context/raw/dep-graph.json',
          ecosystem: 'npm',
          strategy: 'npm',
          reason: null,
          nodes_count: 6,
          edges_count: 5,
          workspaces_count: 2,
          duplicates: [{ name: 'left', versions: ['1.2.0', '2.0.1'] }],
          unresolved: { value: 1, relation: 'eq' },
        },
        build_graph: {
          build_system: 'npm',
          modules: [
            {
              name: '@shop/app',
              path: 'packages/app',
              depends_on: ['@shop/lib'],
              depended_on_by: ['@shop/lib'],
              build_outputs: ['packages/app/dist/'],
            },
            {
              name: '@shop/lib',
              path: 'packages/lib',
              depends_on: ['@shop/app'],
              depended_on_by: ['@shop/app'],
              build_outputs: [],
            },
            { name: 'shop', path: '.', depends_on: [], depended_on_by: [], build_outputs: [] },
          ],
          cycles: [['@shop/app', '@shop/lib']],
        },
      },
      warnings: ['dep_graph.edge_unresolved'],
      confidence: 'medium',
    },
    {
      shows: 'without a lockfile: the own packages, and what they ask for',
      files: {
        'package.json': '{"name":"root","workspaces":["a","b"],"devDependencies":{"typescript":"^7.0.0"}}',
        'a/package.json': '{"name":"a","dependencies":{"b":"workspace:*","react":"^19.0.0"}}',
        'b/package.json': '{"name":"b","version":"1.0.0"}',
      },
      gives: {
        dep_graph: {
          ecosystem: 'npm',
          strategy: null,
          reason: 'no_lockfile',
          nodes_count: 5,
          edges_count: 3,
          workspaces_count: 2,
          unresolved: { value: 2, relation: 'gte' },
        },
        build_graph: { build_system: 'npm', cycles: [] },
      },
      warnings: ['dep_graph.no_lockfile'],
      confidence: 'medium',
    },
    {
      shows: 'a workspace that lies outside the repository is said',
      files: {
        'package.json': '{"name":"x","dependencies":{"near":"file:../near"}}',
        'package-lock.json':
          '{"lockfileVersion":3,"packages":{"":{"dependencies":{"near":"file:../near"}},"../near":{"version":"1.0.0"},"node_modules/near":{"resolved":"../near","link":true}}}',
      },
      gives: { dep_graph: { strategy: 'npm', nodes_count: 2, edges_count: 1 } },
      warnings: ['dep_graph.workspace_outside_repo'],
      confidence: 'high',
    },
    {
      shows: 'a binary lockfile cannot be read',
      files: { 'package.json': '{}', 'bun.lockb': new Uint8Array([0, 1, 2]) },
      gives: {
        dep_graph: { strategy: null, reason: 'binary_lockfile_unsupported', nodes_count: 0, edges_count: 0 },
      },
      warnings: ['dep_graph.binary_lockfile_unsupported'],
      confidence: 'low',
    },
    {
      shows: 'a lockfile that does not parse',
      files: { 'package.json': '{"name":"x"}', 'package-lock.json': '{"lockfileVersion":' },
      gives: { dep_graph: { strategy: 'npm', reason: 'lockfile_malformed', nodes_count: 0 } },
      warnings: ['dep_graph.lockfile_malformed'],
      confidence: 'low',
    },
    {
      shows: 'an unknown manager, and no lockfile of one that is known',
      files: { 'package.json': '{"packageManager":"vlt@1.0.0"}' },
      gives: { dep_graph: { ecosystem: 'npm', reason: 'unrecognized_package_manager' } },
      warnings: ['dep_graph.unrecognized_package_manager'],
      confidence: 'low',
    },
    {
      shows: 'a lockfile without a manifest begins nowhere',
      files: { 'yarn.lock': '# yarn lockfile v1\n\na@^1.0.0:\n  version "1.0.0"\n' },
      gives: { dep_graph: { ecosystem: 'npm', reason: 'no_manifest_detected', nodes_count: 0 } },
      warnings: ['dep_graph.no_manifest_detected'],
      confidence: 'low',
    },
    {
      shows: 'an ecosystem without a strategy',
      files: { 'pom.xml': '<project/>' },
      gives: { dep_graph: { ecosystem: 'maven', strategy: null, reason: 'no_strategy_for_ecosystem' } },
      warnings: ['dep_graph.no_strategy_for_ecosystem'],
      confidence: 'low',
    },
    {
      shows: 'go: what go.mod requires, with replacements; edges between other modules are not known',
      files: {
        'go.mod':
          'module example.com/shop\n\ngo 1.22\n\nrequire (\n\texample.com/near v0.0.0\n\texample.com/far v1.2.0\n\texample.com/old v1.0.0 // indirect\n)\n\nreplace example.com/near => ./near\n\nreplace example.com/old => example.com/new v2.0.0\n',
        'near/go.mod': 'module example.com/near\n\nrequire example.com/far v1.1.0\n',
        'go.sum': 'example.com/far v1.2.0 h1:AAAA=\nexample.com/far v1.2.0/go.mod h1:BBBB=\n',
      },
      gives: {
        dep_graph: {
          ecosystem: 'go',
          strategy: 'go',
          nodes_count: 5,
          edges_count: 4,
          workspaces_count: 1,
          duplicates: [{ name: 'example.com/far', versions: ['v1.1.0', 'v1.2.0'] }],
          unresolved: { value: 0, relation: 'gte' },
        },
        build_graph: { build_system: 'go' },
      },
      warnings: [],
      confidence: 'medium',
    },
    { shows: 'nothing that declares dependencies', files: { 'a.md': '# x\n' }, gives: {}, skipped: 'not_applicable' },
  ],
});

function selectBuild(slice: Slice): Json {
  const build = slice['build_system'];
  if (!isJsonObject(build)) return null;
  const { package_manager = null, lockfile = null, workspaces = [] } = build;
  return { package_manager, lockfile, workspaces };
}
