import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { buildTraceOutput, type TraceOutcome } from './build-trace-output.ts';
import { judgeRun, type ScenarioTrace } from './run-scenarios.ts';
import { describeCoverage, failedScenario, skippedScenario, traceSection } from './runtime-trace-section.ts';
import type { PlannedScenario } from './scenarios.ts';
import type { TraceRun } from './trace-container.ts';
import { noFacts, type TraceFacts } from './trace-facts.ts';
import { type RunEnd, supervise, type TraceWatch } from './watch-workload.ts';

const uriOf = (artifact: string) => `raw/${artifact}`;
const planned = (more: Partial<PlannedScenario> = {}): PlannedScenario => ({
  name: 'startup',
  entrypoint: null,
  command: [],
  environment: [],
  mode: 'until_ready',
  expectedExitCode: 0,
  signal: 'SIGTERM',
  readyAfterS: 10,
  ...more,
});
const traced = (end: RunEnd, exitCode: number | null, facts: TraceFacts = noFacts): TraceRun => ({
  kind: 'traced',
  end,
  elapsedMs: 12,
  exitCode,
  facts,
  calls: 3,
  lines: new Uint8Array(),
  metReadOnly: false,
  imageDigest: 'sha256:aa',
});

describe('what an end means', () => {
  test.each([
    ['exit', 0, 0, { kind: 'completed', ended_by: 'exit', exit_code: 0 }],
    ['exit', 4, 'any', { kind: 'completed', ended_by: 'exit', exit_code: 4 }],
    ['exit', 4, 0, { kind: 'failed', reason: { kind: 'unexpected_exit', expected: 0, actual: 4 } }],
    ['exit', null, 0, { kind: 'failed', reason: { kind: 'trace_incomplete' } }],
    ['ready', 137, 0, { kind: 'completed', ended_by: 'harness', exit_code: null }],
    ['signal', 143, 0, { kind: 'completed', ended_by: 'signal', exit_code: 143 }],
    ['unresponsive', 137, 0, { kind: 'completed', ended_by: 'harness', exit_code: null }],
    ['timeout', 137, 'any', { kind: 'failed', reason: { kind: 'scenario_timeout', elapsed_ms: 12 } }],
    ['log_too_large', 137, 'any', { kind: 'failed', reason: { kind: 'trace_incomplete' } }],
    ['wrote_too_much', 137, 'any', { kind: 'failed', reason: { kind: 'trace_incomplete' } }],
    ['unsignalled', null, 'any', { kind: 'failed', reason: { kind: 'trace_incomplete' } }],
    ['untraced', 0, 'any', { kind: 'failed', reason: { kind: 'trace_incomplete' } }],
  ] as const)('%s with code %s, expected %s', (end, exitCode, expectedExitCode, result) => {
    const judged = judgeRun(planned({ expectedExitCode }), traced(end, exitCode), uriOf);
    expect(judged.result).toMatchObject({ ...result, artifact_uri: 'raw/runtime-trace-startup.strace' });
  });
});

describe('supervision', () => {
  type World = Partial<TraceWatch> & { logBytes?: number };
  const watchOf = (world: World): TraceWatch =>
    ({
      poll: async () => {},
      size: async () => world.logBytes ?? 0,
      isListening: false,
      execs: 1,
      ...world,
    }) as unknown as TraceWatch;

  /** Runs until the supervisor ends it, or until `exitsOn` is sent. */
  const run = async (scenario: Partial<PlannedScenario>, world: World = {}, more: Record<string, unknown> = {}) => {
    const sent: string[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { exitsOn = 'KILL', ...rest } = more;
    const outcome = await supervise({
      scenario: planned({ readyAfterS: 3600, ...scenario }),
      watch: watchOf(world),
      ended,
      tracerEnded: new Promise(() => {}),
      timeoutMs: 3_600_000,
      shutdownMs: 3_600_000,
      maxLogBytes: 100,
      wroteTooMuch: async () => false,
      send: async (signal: string) => {
        sent.push(signal);
        if (signal === exitsOn || signal === 'KILL') end();
        return signal !== 'SIGNONE';
      },
      aborted: new AbortController().signal,
      ...rest,
    });
    return { end: outcome.end, sent };
  };

  test('a bound port and no new program: ready, and ended', async () => {
    expect(await run({}, { isListening: true })).toEqual({ end: 'ready', sent: ['KILL'] });
  });

  test('alive after its time is ready too', async () => {
    expect(await run({ readyAfterS: 0.01 })).toEqual({ end: 'ready', sent: ['KILL'] });
  });

  test('who is to run to its end is not ended for being ready', async () => {
    const outcome = await run({ mode: 'run_to_exit', readyAfterS: 0.01 }, { isListening: true }, { timeoutMs: 60 });
    expect(outcome).toEqual({ end: 'timeout', sent: ['KILL'] });
  });

  test('a signal that is heard, and one that is not', async () => {
    const scenario = { mode: 'signal', signal: 'SIGINT', readyAfterS: 0.01 } as const;
    expect(await run(scenario, {}, { exitsOn: 'SIGINT' })).toEqual({ end: 'signal', sent: ['SIGINT'] });
    expect(await run({ ...scenario, signal: 'SIGNONE' })).toEqual({ end: 'unsignalled', sent: ['SIGNONE', 'KILL'] });
    expect(await run(scenario, {}, { shutdownMs: 60 })).toEqual({ end: 'unresponsive', sent: ['SIGINT', 'KILL'] });
  });

  test('a log or a disk that fills up, and a gather that is over', async () => {
    expect((await run({}, { logBytes: 101 })).end).toBe('log_too_large');
    expect((await run({}, {}, { wroteTooMuch: async () => true })).end).toBe('wrote_too_much');
    expect((await run({}, {}, { aborted: AbortSignal.abort() })).end).toBe('cancelled');
  });

  test('an exit is the program’s own, also one that comes with the end of the tracer', async () => {
    const ended = delay(20);
    expect(await run({}, {}, { ended, tracerEnded: Promise.resolve() })).toEqual({ end: 'exit', sent: [] });
  });
});

describe('the answer', () => {
  const facts: TraceFacts = {
    ...noFacts,
    binaries_executed: ['/bin/sh', '/usr/bin/node'],
    files_read: [
      '/app/index.js',
      '/app/node_modules/a/package.json',
      '/app/package.json',
      '/etc/ssl/certs/ca.pem',
      '/lib/libc.so.6',
      '/tmp/a\nb',
    ],
    cert_paths_read: ['/etc/ssl/certs/ca.pem'],
    shell_invocations: 2,
    outbound: ['10.0.0.1:1'],
  };
  const trace = (name: string, run: TraceRun): ScenarioTrace => judgeRun(planned({ name }), run, uriOf);
  const outcome: TraceOutcome = {
    traces: [
      trace('startup', traced('ready', null, facts)),
      trace('migrate', traced('exit', 1, { ...noFacts, binaries_executed: ['/bin/dbmate'], shell_invocations: 1 })),
      { result: skippedScenario('healthcheck', 'not_configured'), facts: null, lines: null },
      { result: failedScenario('late', { kind: 'strace_unavailable' }), facts: null, lines: null },
    ],
    method: 'host_attach',
    readOnly: true,
    builtDigest: 'sha256:aa',
    tracedDigest: 'sha256:aa',
    workdir: '/app',
    warnings: [],
    diagnostics: [],
  };
  const output = buildTraceOutput(outcome, '2026-01-01T00:00:00Z', uriOf);
  const slice = traceSection.parse(output.slice['runtime_trace']);

  test('sets are the union, also of what failed; attribution is in the raw artifact', () => {
    expect(slice).toMatchObject({
      per_scenario_artifacts: {
        startup: 'raw/runtime-trace-startup.strace',
        migrate: 'raw/runtime-trace-migrate.strace',
        healthcheck: null,
        late: null,
      },
      scenarios_run: ['startup'],
      scenarios_failed: ['migrate', 'late'],
      binaries_executed: ['/bin/dbmate', '/bin/sh', '/usr/bin/node'],
      shell_invocations: 3,
      files_read_at_runtime: {
        summary: { count: 6, app_files: 1, node_modules_files: 1, config_files: 1, cert_files: 1 },
        full_list_uri: 'raw/runtime-files-read.txt',
      },
      last_traced_at: '2026-01-01T00:00:00Z',
      trace_coverage_confidence: 'low',
    });
    expect(slice.files_read_at_runtime.summary.inlined).toContain('/tmp/a b');
    expect(output.warnings).toEqual(['runtime_trace.scenario_failed', 'runtime_trace.not_configured']);
    const raw = JSON.parse(Buffer.from(output.rawArtifacts?.[0]?.from as Uint8Array).toString());
    expect(raw.per_scenario[1]).toMatchObject({ scenario_name: 'migrate', binaries_executed: ['/bin/dbmate'] });
    expect(JSON.stringify(raw)).not.toContain('wall_clock_ms');
    expect(output.rawArtifacts?.map(({ name }) => name)).toEqual([
      'runtime_trace.json',
      'runtime-files-read.txt',
      'runtime-trace-startup.strace',
      'runtime-trace-migrate.strace',
    ]);
  });

  test('the index names what it covers and what it lacks', () => {
    expect(describeCoverage(output.slice['runtime_trace'] as never)).toEqual({
      scenarios_covered: ['startup'],
      scenarios_missing: ['migrate', 'healthcheck', 'late'],
    });
    expect(describeCoverage({})).toEqual({ scenarios_covered: [], scenarios_missing: [] });
  });

  test('a trace the workload could reach is never more than medium, and says so', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((name) => trace(name, traced('exit', 0)));
    const inside = buildTraceOutput({ ...outcome, traces: five, method: 'in_container' }, 'now', uriOf);
    expect(inside).toMatchObject({ confidence: 'medium', warnings: ['runtime_trace.log_tamperable'] });
  });

  test('a program that opens ten thousand names shows as many as can be read', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `/tmp/${at}.pem`).sort();
    const traces = [trace('startup', traced('ready', null, { ...noFacts, cert_paths_read: many, files_read: many }))];
    const shown = traceSection.parse(buildTraceOutput({ ...outcome, traces }, 'now', uriOf).slice['runtime_trace']);
    expect(shown.cert_paths_read).toHaveLength(5_000);
    expect(shown.files_read_at_runtime.summary).toMatchObject({ count: 10_000, inlined: { length: 50 } });
  });
});
