/** Which files describe the dependencies of a repository, why a graph may be empty, and the two sections. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { nodeLockfiles, packageManagerInputs, workspaceInputs } from '../shared/node-packages.ts';

export const depGraphReasons = [
  'no_manifest_detected',
  'unrecognized_package_manager',
  'no_strategy_for_ecosystem',
  'no_lockfile',
  'binary_lockfile_unsupported',
  'lockfile_malformed',
] as const;
export type DepGraphReason = (typeof depGraphReasons)[number];

const strategyNames = ['npm', 'pnpm', 'yarn-classic', 'yarn-berry', 'bun', 'cargo', 'go', 'uv', 'poetry'] as const;
export type StrategyName = (typeof strategyNames)[number];

/** Lockfiles of the other ecosystems, in order of precedence. */
export const otherLocks = [
  ['Cargo.lock', 'cargo', 'cargo'],
  ['go.mod', 'go', 'go'],
  ['uv.lock', 'uv', 'pypi'],
  ['poetry.lock', 'poetry', 'pypi'],
] as const satisfies readonly (readonly [string, StrategyName, string])[];

/** Manifests whose dependencies no strategy follows; `no_lockfile` where one would, were there a lock. */
export const unlockedManifests = [
  ['Cargo.toml', 'cargo', 'no_lockfile'],
  ['pyproject.toml', 'pypi', 'no_strategy_for_ecosystem'],
  ['requirements.txt', 'pypi', 'no_strategy_for_ecosystem'],
  ['Pipfile', 'pypi', 'no_strategy_for_ecosystem'],
  ['pom.xml', 'maven', 'no_strategy_for_ecosystem'],
  ['build.gradle', 'maven', 'no_strategy_for_ecosystem'],
  ['build.gradle.kts', 'maven', 'no_strategy_for_ecosystem'],
  ['composer.json', 'composer', 'no_strategy_for_ecosystem'],
  ['Gemfile', 'rubygems', 'no_strategy_for_ecosystem'],
] as const satisfies readonly (readonly [string, string, DepGraphReason])[];

export const depGraphInputs: readonly string[] = [
  ...packageManagerInputs,
  ...workspaceInputs,
  '**/{Cargo.toml,Cargo.lock,go.mod,go.sum,uv.lock,poetry.lock,pyproject.toml}',
  'go.work',
  ...unlockedManifests.map(([name]) => `names:${name}`),
];

/** What the probe applies to. */
export const depGraphManifests: readonly string[] = [
  'package.json',
  ...nodeLockfiles,
  ...otherLocks.map(([name]) => `**/${name}`),
  ...unlockedManifests.map(([name]) => name),
];

const name = namedOnly(z.string());

export const depGraphSection = z.strictObject({
  /** Root-relative. */
  graph_path: name,
  ecosystem: z.string().nullable(),
  strategy: z.enum(strategyNames).nullable(),
  /** Why the graph is empty or less than a lockfile would give. */
  reason: z.enum(depGraphReasons).nullable(),
  nodes_count: z.int(),
  edges_count: z.int(),
  /** Members of the workspace, the root not counted. */
  workspaces_count: z.int(),
  duplicates: z.array(z.strictObject({ name, versions: z.array(name) })),
  /** Dependencies that lead nowhere; `gte` where the files do not say all of them. */
  unresolved: z.strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) }),
  indexed_inputs: name,
  indexed_at: z.string(),
});

const buildModule = z.strictObject({
  name,
  path: name,
  depends_on: z.array(name),
  depended_on_by: z.array(name),
  build_outputs: z.array(name),
});
export type BuildModule = Readonly<z.output<typeof buildModule>>;

const buildGraph = z.strictObject({
  build_system: z.string(),
  modules: z.array(buildModule),
  cycles: z.array(z.array(name)),
});
export type BuildGraph = Readonly<z.output<typeof buildGraph>>;

export const buildGraphSection = buildGraph.nullable();
