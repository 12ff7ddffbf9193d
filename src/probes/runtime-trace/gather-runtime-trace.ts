/**
 * The trace of the image that was built in this gather. What stands in its way is looked for in a fixed order, and each obstacle
 * is a result of every scenario: nothing is left out in silence (probes.md, runtime_trace, order of checks).
 */

import { relative } from 'node:path';
import {
  askImageDigest,
  type Diagnostic,
  type ProbeContext,
  type ProbeOutput,
  type ProbeRepo,
  type ResolvedDigest,
} from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import { makeRunId } from '../../kernel/containers/cli-engine.ts';
import { type Engine, imageRefForDigest } from '../../kernel/containers/engine.ts';
import { tools } from '../../kernel/exec/tools.ts';
import { lstatOf } from '../../kernel/tree/safe-read.ts';
import { openEngine } from '../shared/open-engine.ts';
import { tailOf } from '../shared/scanners.ts';
import { buildTraceOutput, type TraceOutcome } from './build-trace-output.ts';
import { fixedLimits, runScenarios } from './run-scenarios.ts';
import {
  defaultScenarioNames,
  type FailureReason,
  failedScenario,
  readBuild,
  type ScenarioResult,
  skippedScenario,
  type TraceConfigKey,
} from './runtime-trace-section.ts';
import {
  listScenarios,
  malformedScenarios,
  parseScenarios,
  planScenario,
  type Scenario,
  scenariosFile,
} from './scenarios.ts';
import { methodOf } from './trace-container.ts';

const dockerStorage = '/var/lib/docker';

type Context = ProbeContext<TraceConfigKey>;
type Blocked = Partial<TraceOutcome> & { readonly result: (name: string) => ScenarioResult };

export async function gatherRuntimeTrace(
  repo: ProbeRepo,
  ctx: Context,
  machine: { readonly platform: string },
): Promise<ProbeOutput> {
  const uriOf = (artifact: string) => relative(repo.root, `${ctx.outputDir}/raw/${artifact}`);
  const { scenarios, outcome } = await trace(repo, ctx, machine, uriOf);
  // A trace that was cut short by us says nothing about the program.
  ctx.signal.throwIfAborted();
  const output = buildTraceOutput(outcome, ctx.startedAt, uriOf);
  const count = (kind: string) => outcome.traces.filter(({ result }) => result.kind === kind).length;
  ctx.logger.event('probe.runtime_trace.finish', {
    scenarios: scenarios.length,
    completed: count('completed'),
    failed: count('failed'),
    skipped: count('skipped'),
  });
  return output;
}

async function trace(
  repo: ProbeRepo,
  ctx: Context,
  machine: { readonly platform: string },
  uriOf: (artifact: string) => string,
): Promise<{ readonly scenarios: readonly string[]; readonly outcome: TraceOutcome }> {
  const written = await readScenarios(repo);
  const list =
    written.kind === 'malformed' ? null : listScenarios(written.scenarios, ctx.config['runtime_trace.scenarios']);
  const scenarios = list === null ? defaultScenarioNames : list.map(({ name }) => name);
  ctx.logger.event('probe.runtime_trace.dispatch', { scenarios: [...scenarios] });
  const blocked = (by: Blocked) => ({ scenarios, outcome: blockedOutcome(scenarios, by) });

  if (list === null || written.kind === 'malformed') {
    const detail = written.kind === 'malformed' ? written.detail : '';
    return blocked(
      failing({ kind: 'scenarios_yaml_malformed', detail }, 'runtime_trace.scenarios_yaml_malformed', detail),
    );
  }
  if (machine.platform !== 'linux') {
    return blocked(failing({ kind: 'strace_unavailable' }, 'runtime_trace.platform_not_linux', machine.platform));
  }
  const tracers = await findTracers(ctx);
  if (tracers.host === null && tracers.bound === null) return blocked(withoutStrace(tools.strace.install));

  const built = readBuild(ctx.upstream['image_build']?.value);
  if (built === null) return blocked({ result: (name) => skippedScenario(name, 'image_build_unavailable') });
  if (built.kind !== 'built') {
    const result = (name: string) => skippedScenario(name, 'image_build_unavailable');
    return blocked({ result, warnings: ['runtime_trace.docker_build_failed_all'] });
  }
  const engine = await openEngine(ctx);
  if (engine.kind === 'none') return blocked({ result: (name) => skippedScenario(name, 'image_build_unavailable') });
  const isOutside = methodOf(engine) === 'host_attach';
  if ((isOutside ? tracers.host : tracers.bound) === null) {
    const install = isOutside ? tools.strace.install : 'Set runtime_trace.strace_static: docker needs a static strace.';
    return blocked({ ...withoutStrace(install), builtDigest: built.digest });
  }
  const resolved = await resolveDigest(repo, ctx);
  if (resolved.kind === 'unresolved') {
    const { reason: why, error } = resolved;
    const reason = { kind: 'image_digest_unresolved', ref: built.ref ?? '', why, error } as const;
    return blocked(failing(reason, 'runtime_trace.image_digest_unresolved', reason.ref));
  }
  const { digest } = resolved;
  return { scenarios, outcome: await run(ctx, engine, list, { ...built, digest, bound: tracers.bound, uriOf }) };
}

async function run(
  ctx: Context,
  engine: Engine,
  list: readonly Scenario[],
  of: {
    readonly digest: string;
    readonly healthcheck: readonly string[] | null;
    readonly bound: string | null;
    readonly uriOf: (artifact: string) => string;
  },
): Promise<TraceOutcome> {
  const names = list.map(({ name }) => name);
  const ref = imageRefForDigest(of.digest);
  const image = ref.kind === 'ref' ? await engine.inspectImage(of.digest) : null;
  if (ref.kind === 'refused' || image === null || image.digest !== of.digest) {
    const stderr_tail = tailOf(ref.kind === 'refused' ? ref.reason : `the engine has no image ${ref.ref} any more`);
    const by = failing(
      { kind: 'docker_build_failed', stderr_tail },
      'runtime_trace.docker_build_failed_all',
      stderr_tail,
    );
    return blockedOutcome(names, { ...by, builtDigest: of.digest });
  }
  if (engine.unenforced.length > 0) {
    ctx.logger.event('probe.runtime_trace.limits_unenforced', { limits: [...engine.unenforced] });
  }
  const { config } = ctx;
  const imageConfig = { ...image.config, healthcheck: image.config.healthcheck ?? of.healthcheck };
  const settings = {
    smokeTestCommand: config['runtime_trace.smoke_test_command'],
    readyAfterS: config['runtime_trace.ready_after_s'],
  };
  const runs = await runScenarios(
    {
      engine,
      method: methodOf(engine),
      exec: ctx.exec,
      workspace: ctx.workspace,
      storage: engine.kind === 'podman' ? ctx.exec.home : dockerStorage,
      aborted: ctx.signal,
      staticStrace: of.bound,
      image: imageConfig,
      container: {
        image: ref.ref,
        runId: makeRunId(),
        memoryMb: config['containers.memory_mb'],
        pids: config['containers.pids'],
        cpus: config['containers.cpus'],
      },
    },
    list.map((scenario) => ({ name: scenario.name, planned: planScenario(scenario, imageConfig, settings) })),
    {
      scenarioTimeoutMs: config['runtime_trace.scenario_timeout_s'] * 1000,
      aggregateTimeoutMs: config['runtime_trace.aggregate_timeout_s'] * 1000,
      ...fixedLimits,
    },
    { logger: ctx.logger, uriOf: of.uriOf },
  );
  const ran = runs.imageDigest !== null;
  return {
    traces: runs.traces,
    method: ran ? methodOf(engine) : null,
    readOnly: ran ? runs.readOnly : null,
    builtDigest: of.digest,
    tracedDigest: runs.imageDigest,
    workdir: image.config.workdir,
    warnings: [],
    diagnostics: [],
  };
}

function blockedOutcome(names: readonly string[], { result, ...more }: Blocked): TraceOutcome {
  return {
    traces: names.map((name) => ({ result: result(name), facts: null, lines: null })),
    method: null,
    readOnly: null,
    builtDigest: null,
    tracedDigest: null,
    workdir: null,
    warnings: [],
    diagnostics: [],
    ...more,
  };
}

function failing(reason: FailureReason, warning: string, detail: string): Blocked {
  const diagnostics: Diagnostic[] = [{ id: warning, ...(detail === '' ? {} : { detail }) }];
  return { result: (name) => failedScenario(name, reason), warnings: [warning], diagnostics };
}

function withoutStrace(install: string): Blocked {
  return failing({ kind: 'strace_unavailable' }, 'runtime_trace.strace_missing', install);
}

/** Absent, read, or in the way: a file that cannot be read is never taken for one that is not there. */
async function readScenarios(
  repo: ProbeRepo,
): Promise<
  | { readonly kind: 'written'; readonly scenarios: readonly Scenario[] | null }
  | { readonly kind: 'malformed'; readonly detail: string }
> {
  const read = await repo.inputs.read(scenariosFile, limits.yamlCatalogBytes);
  if (read.kind === 'absent') return { kind: 'written', scenarios: null };
  const parsed = read.kind === 'failed' ? malformedScenarios(read.failure.kind) : parseScenarios(read.bytes);
  return parsed.kind === 'malformed' ? parsed : { kind: 'written', scenarios: parsed.scenarios };
}

/** The strace of this machine, and the one that can be bound into a container. */
async function findTracers(ctx: Context): Promise<{ readonly host: string | null; readonly bound: string | null }> {
  const { path } = await ctx.exec.toolVersion('strace');
  const configured = ctx.config['runtime_trace.strace_static'];
  return { host: path, bound: configured !== null && lstatOf(configured)?.kind === 'file' ? configured : null };
}

async function resolveDigest(repo: ProbeRepo, ctx: Context): Promise<ResolvedDigest> {
  const resolved = await askImageDigest(ctx.imageDigestResolver, repo.root);
  if (resolved.kind === 'digest')
    ctx.logger.event('probe.runtime_trace.image_digest_resolved', { digest: resolved.digest });
  else {
    const { reason, error } = resolved;
    ctx.logger.event('probe.runtime_trace.image_digest_unresolved', { reason, ...(error === null ? {} : { error }) });
  }
  return resolved;
}
