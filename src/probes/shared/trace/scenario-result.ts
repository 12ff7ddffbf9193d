/** How a scenario ended, as the slice has it (probes.md, runtime_trace). */

import { namedOnly } from '../../../gather/contract.ts';
import { z } from '../../../kernel/base/schema.ts';

const tail = z.string().max(4096);
const expected = z.union([z.int(), z.literal('any')]);

export const failureReason = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('strace_unavailable') }),
  z.strictObject({ kind: z.literal('docker_build_failed'), stderr_tail: tail }),
  z.strictObject({ kind: z.literal('scenario_timeout'), elapsed_ms: z.int() }),
  z.strictObject({ kind: z.literal('image_digest_unresolved'), ref: namedOnly(z.string()) }),
  z.strictObject({ kind: z.literal('unexpected_exit'), expected, actual: z.int() }),
  z.strictObject({ kind: z.literal('container_start_failed'), stderr_tail: tail }),
  z.strictObject({ kind: z.literal('trace_incomplete'), detail: z.string() }),
  z.strictObject({ kind: z.literal('scenarios_yaml_malformed'), detail: z.string() }),
]);
export type FailureReason = z.output<typeof failureReason>;

export const scenarioSkips = [
  'no_dockerfile',
  'image_build_unavailable',
  'not_configured',
  'aggregate_timeout',
] as const;
export type ScenarioSkip = (typeof scenarioSkips)[number];

export const endedBy = ['exit', 'harness', 'signal'] as const;
export type EndedBy = (typeof endedBy)[number];

export const scenarioResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('completed'),
    scenario_name: z.string(),
    artifact_uri: namedOnly(z.string()),
    wall_clock_ms: z.int(),
    exit_code: z.int().nullable(),
    ended_by: z.enum(endedBy),
    syscalls_observed: z.int(),
    shared_libs_count: z.int(),
  }),
  z.strictObject({
    kind: z.literal('failed'),
    scenario_name: z.string(),
    reason: failureReason,
    artifact_uri: namedOnly(z.string()).nullable(),
  }),
  z.strictObject({
    kind: z.literal('skipped'),
    scenario_name: z.string(),
    reason: z.strictObject({ kind: z.enum(scenarioSkips) }),
  }),
]);
export type ScenarioResult = z.output<typeof scenarioResult>;

export function failedScenario(name: string, reason: FailureReason, artifactUri: string | null = null): ScenarioResult {
  return { kind: 'failed', scenario_name: name, reason, artifact_uri: artifactUri };
}

export function skippedScenario(name: string, kind: ScenarioSkip): ScenarioResult {
  return { kind: 'skipped', scenario_name: name, reason: { kind } };
}
