/**
 * The section `runtime_trace`: its schema, the words it is made of (scenarios, how they end, how far they can be trusted), the settings
 * it depends on, and what it takes from the probes before it. Light: every start loads it.
 */

import { namedOnly, type Slice, unresolvedDigests } from '../../gather/contract.ts';
import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, textAt } from '../../kernel/base/json-access.ts';
import { z } from '../../kernel/base/schema.ts';

export const traceConfigKeys = [
  'runtime_trace.scenarios',
  'runtime_trace.scenario_timeout_s',
  'runtime_trace.aggregate_timeout_s',
  'runtime_trace.ready_after_s',
  'runtime_trace.smoke_test_command',
  'runtime_trace.strace_static',
  'containers.engine',
  'containers.memory_mb',
  'containers.pids',
  'containers.cpus',
] as const;
export type TraceConfigKey = (typeof traceConfigKeys)[number];

export const scenarioModes = ['run_to_exit', 'until_ready', 'signal'] as const;
export type ScenarioMode = (typeof scenarioModes)[number];

/** What a scenario runs when it names no command of its own. */
export type ScenarioProgram = 'image' | 'image_with_unknown_flag' | 'smoke_test_command' | 'healthcheck';

type DefaultScenario = {
  readonly name: string;
  readonly runs: ScenarioProgram;
  readonly mode: ScenarioMode;
  readonly expectedExitCode: number | 'any';
};

export const smokeTestName = 'smoke_test';
/** No program knows it: what it does then is its error path. */
export const errorPathFlag = '--codegenie-error-path';

/** They use the image's own configuration, so they mean something on an image without a shell too. */
export const defaultScenarios: readonly DefaultScenario[] = [
  { name: 'startup', runs: 'image', mode: 'until_ready', expectedExitCode: 0 },
  { name: smokeTestName, runs: 'smoke_test_command', mode: 'run_to_exit', expectedExitCode: 0 },
  { name: 'healthcheck', runs: 'healthcheck', mode: 'run_to_exit', expectedExitCode: 'any' },
  { name: 'shutdown', runs: 'image', mode: 'signal', expectedExitCode: 0 },
  { name: 'error_path', runs: 'image_with_unknown_flag', mode: 'until_ready', expectedExitCode: 'any' },
];
export const defaultScenarioNames: readonly string[] = defaultScenarios.map(({ name }) => name);

export function findDefaultScenario(name: string): DefaultScenario | undefined {
  return defaultScenarios.find((scenario) => scenario.name === name);
}

const tail = z.string().max(4096);
const expected = z.union([z.int(), z.literal('any')]);

const failureReason = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('strace_unavailable') }),
  z.strictObject({ kind: z.literal('docker_build_failed'), stderr_tail: tail }),
  z.strictObject({ kind: z.literal('scenario_timeout'), elapsed_ms: z.int() }),
  z.strictObject({
    kind: z.literal('image_digest_unresolved'),
    ref: namedOnly(z.string()),
    why: z.enum(unresolvedDigests),
    /** Of what the resolver threw, its kind and not its words. */
    error: namedOnly(z.string()).nullable(),
  }),
  z.strictObject({ kind: z.literal('unexpected_exit'), expected, actual: z.int() }),
  z.strictObject({ kind: z.literal('container_start_failed'), stderr_tail: tail }),
  z.strictObject({ kind: z.literal('trace_incomplete'), detail: z.string() }),
  z.strictObject({ kind: z.literal('scenarios_yaml_malformed'), detail: z.string() }),
]);
export type FailureReason = z.output<typeof failureReason>;

const scenarioSkips = ['no_dockerfile', 'image_build_unavailable', 'not_configured', 'aggregate_timeout'] as const;
type ScenarioSkip = (typeof scenarioSkips)[number];

const endedBy = ['exit', 'harness', 'signal'] as const;
export type EndedBy = (typeof endedBy)[number];

const scenarioResult = z.discriminatedUnion('kind', [
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

/** Where the tracer stands: outside the container, or in it, where the workload could reach its log. */
const traceMethods = ['host_attach', 'in_container'] as const;
export type TraceMethod = (typeof traceMethods)[number];

const coverageLevels = ['high', 'medium', 'low', 'unavailable'] as const;
export type Coverage = (typeof coverageLevels)[number];

const paths = z.array(namedOnly(z.string()));
const uri = namedOnly(z.string());

export const traceSection = z.strictObject({
  artifact_uri: uri,
  /** Every scenario, null where it left no trace. */
  per_scenario_artifacts: z.record(z.string(), uri.nullable()),
  /** Completed, in the order they were run. */
  scenarios_run: z.array(z.string()),
  /** Skipped ones are in neither list. */
  scenarios_failed: z.array(z.string()),
  scenario_results: z.array(scenarioResult),
  binaries_executed: paths,
  shared_libs_loaded: paths,
  cert_paths_read: paths,
  files_read_at_runtime: z.strictObject({
    summary: z.strictObject({
      count: z.int(),
      /** Below the working directory or outside the system's directories; each file is of one class. */
      app_files: z.int(),
      node_modules_files: z.int(),
      config_files: z.int(),
      cert_files: z.int(),
      /** The first 50. */
      inlined: paths.max(50),
    }),
    full_list_uri: uri.nullable(),
  }),
  shell_invocations: z.int(),
  network_endpoints_touched: z.strictObject({ outbound: paths, inbound: paths }),
  /** Null where no container ran, as the three below. */
  trace_method: z.enum(traceMethods).nullable(),
  read_only: z.boolean().nullable(),
  built_image_digest: namedOnly(z.string()).nullable(),
  last_traced_image_digest: namedOnly(z.string()).nullable(),
  last_traced_at: z.string().nullable(),
  trace_coverage_confidence: z.enum(coverageLevels),
});
export type TraceSection = z.output<typeof traceSection>;

/** What the index says of itself: the scenarios its evidence rests on, and those missing from it. */
export function describeCoverage(slice: JsonObject): JsonObject {
  const results = listAt(slice, 'scenario_results');
  const namesOf = (completed: boolean) =>
    results
      .filter((one) => (textAt(one, 'kind') === 'completed') === completed)
      .map((one) => textAt(one, 'scenario_name') ?? '');
  return { scenarios_covered: namesOf(true), scenarios_missing: namesOf(false) };
}

/** Of `image_build`: the image that was built. */
export function selectBuild(slice: Slice): Json {
  const build = slice['image_build'];
  return {
    built_image_digest: member(build, 'built_image_digest') ?? null,
    image_ref: member(build, 'image_ref') ?? null,
    config: member(build, 'config') ?? null,
    outcome: member(build, 'outcome', 'kind') ?? null,
  };
}

/** Of `dockerfile`: the final stage of every file, by path. */
export function selectFinalStages(slice: Slice): Json {
  return listAt(slice['containerization'], 'dockerfiles').map((file) => ({
    path: member(file, 'path') ?? '',
    final_stage: listAt(file, 'stages').find((stage) => member(stage, 'index') === member(file, 'final_stage')) ?? null,
  }));
}

type BuiltImage = {
  readonly kind: string;
  readonly digest: string | null;
  readonly ref: string | null;
  /** As the build knows it: an image has no place for it in every format. */
  readonly healthcheck: readonly string[] | null;
};

/** The projection of `selectBuild` as a value; null where there is none. */
export function readBuild(projected: Json | undefined): BuiltImage | null {
  if (projected === undefined || projected === null) return null;
  const healthcheck = member(projected, 'config', 'healthcheck');
  return {
    kind: textAt(projected, 'outcome') ?? 'failed',
    digest: textAt(projected, 'built_image_digest'),
    ref: textAt(projected, 'image_ref'),
    healthcheck: Array.isArray(healthcheck) ? healthcheck.filter((word) => typeof word === 'string') : null,
  };
}
