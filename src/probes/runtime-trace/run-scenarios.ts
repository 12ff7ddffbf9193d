/** All scenarios, strictly one after the other, within one time for all of them. */

import type { Logger } from '../../kernel/base/log.ts';
import {
  type EndedBy,
  type FailureReason,
  failedScenario,
  type ScenarioResult,
  skippedScenario,
} from './runtime-trace-section.ts';
import type { PlannedScenario } from './scenarios.ts';
import { type TraceLimits, type TraceRun, type Tracing, traceContainer } from './trace-container.ts';
import type { TraceFacts } from './trace-facts.ts';

export type ScenarioLimits = Omit<TraceLimits, 'timeoutMs'> & {
  readonly scenarioTimeoutMs: number;
  readonly aggregateTimeoutMs: number;
};

/** What no setting changes: how long a shutdown may take, and how much of the disk a workload may fill, with its trace or by itself. */
export const fixedLimits = {
  shutdownMs: 10_000,
  maxLogBytes: 256 * 1024 ** 2,
  maxWrittenBytes: 4 * 1024 ** 3,
} as const;

export type ScenarioTrace = {
  readonly result: ScenarioResult;
  /** Null where there is no trace that could be read. */
  readonly facts: TraceFacts | null;
  readonly lines: Uint8Array | null;
};

export type ScenarioRuns = {
  readonly traces: readonly ScenarioTrace[];
  readonly readOnly: boolean;
  /** Of the image of the last container that ran. */
  readonly imageDigest: string | null;
};

type Listed = { readonly name: string; readonly planned: PlannedScenario | null };
type Traced = Extract<TraceRun, { kind: 'traced' }>;

export function artifactOf(name: string): string {
  return `runtime-trace-${name}.strace`;
}

export async function runScenarios(
  tracing: Tracing,
  scenarios: readonly Listed[],
  limits: ScenarioLimits,
  report: { readonly logger: Logger; readonly uriOf: (artifact: string) => string },
): Promise<ScenarioRuns> {
  const { logger, uriOf } = report;
  const startedMs = performance.now();
  const traces: ScenarioTrace[] = [];
  let readOnly = true;
  let imageDigest: string | null = null;
  for (const { name, planned } of scenarios) {
    const leftMs = limits.aggregateTimeoutMs - (performance.now() - startedMs);
    if (planned === null) traces.push(withoutTrace(skippedScenario(name, 'not_configured')));
    else if (leftMs <= 0) traces.push(withoutTrace(skippedScenario(name, 'aggregate_timeout')));
    else {
      logger.event('probe.runtime_trace.scenario_started', { scenario: name });
      const within = { ...limits, timeoutMs: Math.min(limits.scenarioTimeoutMs, leftMs) };
      let run = await traceContainer(tracing, planned, readOnly, within);
      // A program that cannot live with a read-only root is shown with one it can write, and so are those after it.
      if (readOnly && isRefusedWrite(run, planned)) {
        readOnly = false;
        run = await traceContainer(tracing, planned, readOnly, within);
      }
      imageDigest = (run.kind === 'traced' ? run.imageDigest : null) ?? imageDigest;
      const trace = judgeRun(planned, run, uriOf);
      traces.push(trace);
      logger.event('probe.runtime_trace.scenario_finished', { scenario: name, kind: trace.result.kind });
    }
  }
  return { traces, readOnly, imageDigest };
}

function isRefusedWrite(run: TraceRun, planned: PlannedScenario): boolean {
  return run.kind === 'traced' && run.metReadOnly && failureOf(planned, run) !== null;
}

/** What a run means for its scenario. Pure. */
export function judgeRun(scenario: PlannedScenario, run: TraceRun, uriOf: (artifact: string) => string): ScenarioTrace {
  if (run.kind === 'failed') return withoutTrace(failedScenario(scenario.name, run.reason));
  const artifact_uri = uriOf(artifactOf(scenario.name));
  const reason = failureOf(scenario, run);
  const seen = { facts: run.facts, lines: run.lines };
  if (reason !== null) return { result: failedScenario(scenario.name, reason, artifact_uri), ...seen };
  const ended_by: EndedBy = run.end === 'exit' || run.end === 'signal' ? run.end : 'harness';
  return {
    result: {
      kind: 'completed',
      scenario_name: scenario.name,
      artifact_uri,
      wall_clock_ms: run.elapsedMs,
      // The code of a program that was killed is the killer's.
      exit_code: ended_by === 'harness' ? null : run.exitCode,
      ended_by,
      syscalls_observed: run.calls,
      shared_libs_count: run.facts.shared_libs_loaded.length,
    },
    ...seen,
  };
}

function failureOf(scenario: PlannedScenario, run: Traced): FailureReason | null {
  const { expectedExitCode: expected } = scenario;
  switch (run.end) {
    case 'ready':
    case 'signal':
    case 'unresponsive':
      return null;
    case 'timeout':
      return { kind: 'scenario_timeout', elapsed_ms: run.elapsedMs };
    case 'log_too_large':
      return { kind: 'trace_incomplete', detail: 'the trace grew over its limit, and the container was ended' };
    case 'wrote_too_much':
      return { kind: 'trace_incomplete', detail: 'the disk was filling up, and the container was ended' };
    case 'untraced':
      return { kind: 'trace_incomplete', detail: 'the tracer or the client of the engine ended before the container' };
    case 'unsignalled':
      return { kind: 'trace_incomplete', detail: `the signal ${scenario.signal} could not be sent` };
    case 'cancelled':
      return { kind: 'trace_incomplete', detail: 'cancelled' };
    case 'exit':
      if (run.exitCode === null) return { kind: 'trace_incomplete', detail: 'the engine does not say how it ended' };
      return expected === 'any' || run.exitCode === expected
        ? null
        : { kind: 'unexpected_exit', expected, actual: run.exitCode };
  }
}

function withoutTrace(result: ScenarioResult): ScenarioTrace {
  return { result, facts: null, lines: null };
}
