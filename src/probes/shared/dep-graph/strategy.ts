/** What a strategy is given and answers. One file per strategy; none of them executes anything. */

import type { ProbeContext, ProbeRepo } from '../../../gather/contract.ts';
import type { JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import type { ParseLimits } from '../../../kernel/formats/parse-outcome.ts';
import type { Findings } from '../findings.ts';
import type { PackageMember } from '../workspace-members.ts';
import type { DepGraph } from './dep-graph.ts';

export const depGraphReasons = [
  'no_manifest_detected',
  'unrecognized_package_manager',
  'no_strategy_for_ecosystem',
  'no_lockfile',
  'binary_lockfile_unsupported',
  'lockfile_malformed',
] as const;
export type DepGraphReason = (typeof depGraphReasons)[number];

export const strategyNames = [
  'npm',
  'pnpm',
  'yarn-classic',
  'yarn-berry',
  'bun',
  'cargo',
  'go',
  'uv',
  'poetry',
] as const;
export type StrategyName = (typeof strategyNames)[number];

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

export type StrategyOutcome =
  | { readonly kind: 'graph'; readonly graph: DepGraph }
  | { readonly kind: 'reason'; readonly reason: DepGraphReason };

export type Strategy = (input: StrategyInput) => Promise<StrategyOutcome>;

export const lockLimits: ParseLimits = { maxBytes: limits.lockfileBytes, maxDepth: limits.parseDepth };
export const manifestLimits: ParseLimits = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

export const malformedLock: StrategyOutcome = { kind: 'reason', reason: 'lockfile_malformed' };
