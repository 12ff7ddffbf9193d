/** Traces of scenarios → the probe's answer: slice, artifacts, warnings, confidence. Pure; equal traces give equal bytes. */

import type { Confidence, Diagnostic, ProbeOutput, RawArtifact } from '../../gather/contract.ts';
import { volatileFields } from '../../gather/publish/envelope.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { artifactOf, type ScenarioTrace } from './run-scenarios.ts';
import { type Coverage, smokeTestName, type TraceMethod, type TraceSection } from './runtime-trace-section.ts';
import { classifyFile, type FileClass, noFacts, sortedSet, type TraceFacts, uniteFacts } from './trace-facts.ts';

const traceArtifact = 'runtime_trace.json';
const filesArtifact = 'runtime-files-read.txt';
const inlinedFiles = 50;
/** Of each list in the slice; the raw artifact has them all. A program can open as many names as it likes. */
const shownEntries = 5_000;

/** Enough scenarios to have seen a program start, work, be asked, be stopped and fail. */
const fullCoverage = 5;

export type TraceOutcome = {
  readonly traces: readonly ScenarioTrace[];
  /** Null where no container ran. */
  readonly method: TraceMethod | null;
  readonly readOnly: boolean | null;
  readonly builtDigest: string | null;
  readonly tracedDigest: string | null;
  readonly workdir: string | null;
  /** Why nothing ran, where that is so. */
  readonly warnings: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
};

export function buildTraceOutput(
  outcome: TraceOutcome,
  startedAt: string,
  uriOf: (artifact: string) => string,
): Extract<ProbeOutput, { kind: 'ran' }> {
  const { traces, method } = outcome;
  const results = traces.map(({ result }) => result);
  const names = (kind: string) => results.filter((one) => one.kind === kind).map((one) => one.scenario_name);
  const [completed, failed] = [names('completed'), names('failed')];
  const facts = printable(uniteFacts(traces.flatMap((trace) => trace.facts ?? [])));
  const wasTraced = traces.some((trace) => trace.facts !== null);
  const { coverage, confidence } = judgeCoverage({
    completed,
    failed: failed.length,
    isTamperable: method === 'in_container',
  });
  const shown = (list: readonly string[]) => list.slice(0, shownEntries);
  const slice: TraceSection = {
    artifact_uri: uriOf(traceArtifact),
    per_scenario_artifacts: Object.fromEntries(
      results.map((one) => [one.scenario_name, one.kind === 'skipped' ? null : one.artifact_uri]),
    ),
    scenarios_run: completed,
    scenarios_failed: failed,
    scenario_results: results,
    binaries_executed: [...shown(facts.binaries_executed)],
    shared_libs_loaded: [...shown(facts.shared_libs_loaded)],
    cert_paths_read: [...shown(facts.cert_paths_read)],
    files_read_at_runtime: {
      summary: summarise(facts.files_read, outcome.workdir),
      full_list_uri: wasTraced ? uriOf(filesArtifact) : null,
    },
    shell_invocations: facts.shell_invocations,
    network_endpoints_touched: { outbound: [...shown(facts.outbound)], inbound: [...shown(facts.inbound)] },
    trace_method: method,
    read_only: outcome.readOnly,
    built_image_digest: outcome.builtDigest,
    last_traced_image_digest: outcome.tracedDigest,
    last_traced_at: outcome.tracedDigest === null ? null : startedAt,
    trace_coverage_confidence: coverage,
  };
  const warnings = [
    ...outcome.warnings,
    ...(method === 'in_container' ? ['runtime_trace.log_tamperable'] : []),
    ...(failed.length > 0 ? ['runtime_trace.scenario_failed'] : []),
    ...(results.some((one) => one.kind === 'skipped' && one.reason.kind === 'not_configured')
      ? ['runtime_trace.not_configured']
      : []),
  ];
  return {
    kind: 'ran',
    slice: { runtime_trace: slice },
    rawArtifacts: listArtifacts(slice, facts, traces),
    confidence,
    warnings: [...new Set(warnings)],
    diagnostics: [...outcome.diagnostics, ...results.flatMap(diagnose)],
    evidence: [{ artifact: traceArtifact }],
  };
}

/** How far a trace can be trusted, by how many scenarios completed (probes.md, runtime_trace, last table). */
export function judgeCoverage(scenarios: {
  readonly completed: readonly string[];
  readonly failed: number;
  /** The workload could have altered its own trace. */
  readonly isTamperable: boolean;
}): { readonly coverage: Coverage; readonly confidence: Confidence } {
  const coverage = levelOf(scenarios.completed, scenarios.failed);
  const capped = scenarios.isTamperable && coverage === 'high' ? 'medium' : coverage;
  return { coverage: capped, confidence: capped === 'unavailable' ? 'low' : capped };
}

function levelOf(completed: readonly string[], failed: number): Coverage {
  if (completed.length === 0) return 'unavailable';
  if (completed.length >= fullCoverage) return failed === 0 ? 'high' : 'medium';
  return completed.length > 1 || completed[0] === smokeTestName ? 'medium' : 'low';
}

function diagnose(result: ScenarioTrace['result']): Diagnostic[] {
  if (result.kind !== 'failed') return [];
  return [{ id: 'runtime_trace.scenario_failed', detail: `${result.scenario_name}: ${result.reason.kind}` }];
}

/** Names that a program chose are shown on one line. */
function printable(facts: TraceFacts): TraceFacts {
  const lines = (list: readonly string[]) => sortedSet(list.map(singleLine));
  return {
    ...facts,
    binaries_executed: lines(facts.binaries_executed),
    shared_libs_loaded: lines(facts.shared_libs_loaded),
    cert_paths_read: lines(facts.cert_paths_read),
    files_read: lines(facts.files_read),
  };
}

function summarise(files: readonly string[], workdir: string | null): TraceSection['files_read_at_runtime']['summary'] {
  const counts: Record<FileClass, number> = { cert: 0, node_modules: 0, config: 0, app: 0, other: 0 };
  for (const path of files) counts[classifyFile(path, workdir)] += 1;
  return {
    count: files.length,
    app_files: counts.app,
    node_modules_files: counts.node_modules,
    config_files: counts.config,
    cert_files: counts.cert,
    inlined: files.slice(0, inlinedFiles),
  };
}

function listArtifacts(slice: TraceSection, facts: TraceFacts, traces: readonly ScenarioTrace[]): RawArtifact[] {
  const perScenario = traces.map(({ result, facts: own }) => ({
    scenario_name: result.scenario_name,
    ...printable(own ?? noFacts),
  }));
  const whole = { ...slice, union: facts, per_scenario: perScenario };
  // Without clocks: equal traces give equal artifact bytes.
  const stable = (key: string, value: unknown) => (volatileFields.includes(key) ? undefined : value);
  const text = (name: string, content: string): RawArtifact => ({
    name,
    kind: name.endsWith('.json') ? 'json' : 'text',
    from: new TextEncoder().encode(content),
  });
  const wasTraced = traces.some((trace) => trace.facts !== null);
  return [
    text(traceArtifact, `${JSON.stringify(whole, stable, 2)}\n`),
    ...(wasTraced ? [text(filesArtifact, facts.files_read.map((path) => `${path}\n`).join(''))] : []),
    ...traces.flatMap(({ result, lines }): RawArtifact[] =>
      lines === null ? [] : [{ name: artifactOf(result.scenario_name), kind: 'strace', from: lines }],
    ),
  ];
}
