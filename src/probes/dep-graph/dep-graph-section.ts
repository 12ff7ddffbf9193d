/**
 * Which files describe the dependencies of a repository. One answer: a Node lockfile in the root first, because Node repositories
 * with a crate or a module beside them are common and the reverse is not; then the others, the file nearest to the root.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { nodeLockfiles, packageManagerInputs, readPackageManager, workspaceInputs } from '../shared/node-packages.ts';
import type { DepGraphReason, StrategyName } from './graph-builder.ts';

/** Lockfiles of the other ecosystems, in order of precedence. */
const locks = [
  ['Cargo.lock', 'cargo', 'cargo'],
  ['go.mod', 'go', 'go'],
  ['uv.lock', 'uv', 'pypi'],
  ['poetry.lock', 'poetry', 'pypi'],
] as const satisfies readonly (readonly [string, StrategyName, string])[];

/** Manifests whose dependencies no strategy follows; `no_lockfile` where one would, were there a lock. */
const manifests = [
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
  ...manifests.map(([name]) => `names:${name}`),
];

/** What the probe applies to. */
export const depGraphManifests: readonly string[] = [
  'package.json',
  ...nodeLockfiles,
  ...locks.map(([name]) => `**/${name}`),
  ...manifests.map(([name]) => name),
];

export type Choice = {
  readonly ecosystem: string | null;
  readonly strategy: StrategyName | null;
  readonly lockfile: string | null;
  /** Why there is no strategy. */
  readonly reason: DepGraphReason | null;
};

export async function chooseStrategy(repo: ProbeRepo, rootManifest: JsonObject | null): Promise<Choice> {
  const nodeLock = nodeLockfiles.some((path) => repo.inputs.has(path));
  if (nodeLock) return chooseNode(repo, rootManifest);
  for (const [name, strategy, ecosystem] of locks) {
    const lockfile = nearest(repo, name);
    if (lockfile !== undefined) return { ecosystem, strategy, lockfile, reason: null };
  }
  if (repo.inputs.has('package.json')) return chooseNode(repo, rootManifest);
  const found = manifests.find(([name]) => repo.inputs.has(name));
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
