/** The trace through the real coordinator: built, traced, cached by digest, judged for freshness. */

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { ProbeContext, ProbeRepo } from '../../src/gather/contract.ts';
import { recordingLogger } from '../../src/kernel/base/log.ts';
import { latestImageRef } from '../../src/kernel/containers/engine.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import { gatherRuntimeTrace } from '../../src/probes/runtime-trace/gather-runtime-trace.ts';
import { defaultScenarioNames } from '../../src/probes/runtime-trace/runtime-trace-section.ts';
import { openContainers } from '../support/container-images.ts';
import { createFixtureRepo, type FixtureRepo, type Published, recordOf } from '../support/fixture-repo.ts';
import { hasTool } from '../support/tools.ts';

const containers = openContainers();
afterAll(() => containers.dispose());
let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());
const traced = test.skipIf(!containers.usable || !hasTool('strace'));

const ask = { only: ['image_build', 'runtime_trace', 'index_health'] };
const settings = { environment: containers.environment };
type Trace = Readonly<Record<string, unknown>> & {
  readonly scenario_results: readonly {
    readonly kind: string;
    readonly scenario_name: string;
    readonly reason?: unknown;
  }[];
};
const traceOf = ({ envelope }: Published) => envelope['runtime_trace'] as unknown as Trace;
const healthOf = ({ envelope }: Published) => (envelope['index_health'] as Record<string, unknown>)['runtime_trace'];
const kindsOf = (published: Published) => traceOf(published).scenario_results.map(({ kind }) => kind);

const service = [
  "const { readFileSync } = require('node:fs');",
  "readFileSync('/app/ca.pem');",
  "const secret = 'AKIA' + 'ABCDEFGHIJKLMNOP';",
  "try { readFileSync('/app/' + secret); } catch {}",
  "require('node:child_process').execFileSync('/bin/sh', ['-c', ':']);",
  "require('node:net').createServer().listen(8080);",
  "process.on('SIGTERM', () => process.exit(0));",
].join('\n');
const makeRepo = (more: Readonly<Record<string, string>> = {}): FixtureRepo =>
  createFixtureRepo({
    Dockerfile: [
      `FROM ${containers.nodeBase()}`,
      'COPY index.js ca.pem /app/',
      'HEALTHCHECK CMD ["/bin/cat", "/app/ca.pem"]',
      '',
    ].join('\n'),
    'index.js': service,
    'ca.pem': 'no certificate\n',
    '~/.codegenie/config.yaml': 'runtime_trace: {ready_after_s: 30}\n',
    '.codegenie/config.yaml': 'runtime_trace: {smoke_test_command: "node --version"}\n',
    ...more,
  });

describe('G38 a Node service', () => {
  traced('podman, strace: five scenarios, each key of the slice, and a fresh index', async () => {
    repo = makeRepo();
    const first = await repo.publish(ask, settings);
    const trace = traceOf(first);
    expect(kindsOf(first)).toEqual(['completed', 'completed', 'completed', 'completed', 'completed']);
    expect(Object.keys(trace)).toEqual([
      ...['artifact_uri', 'per_scenario_artifacts', 'scenarios_run', 'scenarios_failed', 'scenario_results'],
      ...['binaries_executed', 'shared_libs_loaded', 'cert_paths_read', 'files_read_at_runtime', 'shell_invocations'],
      ...['network_endpoints_touched', 'trace_method', 'read_only', 'built_image_digest', 'last_traced_image_digest'],
      ...['last_traced_at', 'trace_coverage_confidence'],
    ]);
    expect(trace).toMatchObject({
      scenarios_run: defaultScenarioNames,
      scenarios_failed: [],
      binaries_executed: ['/bin/cat', '/bin/sh', '/usr/bin/node'],
      cert_paths_read: ['/app/ca.pem'],
      // Of startup, shutdown and error_path.
      shell_invocations: 3,
      network_endpoints_touched: { outbound: [], inbound: ['[::]:8080'] },
      files_read_at_runtime: { summary: { app_files: 1, cert_files: 1, node_modules_files: 0 } },
      trace_method: 'host_attach',
      read_only: true,
      trace_coverage_confidence: 'high',
    });
    expect(trace['last_traced_image_digest']).toBe(trace['built_image_digest']);
    const record = recordOf(first.envelope, 'runtime_trace');
    expect(record).toMatchObject({ status: 'ok', confidence: 'high', warnings: [], errors: [] });
    expect(healthOf(first)).toMatchObject({
      freshness: { kind: 'fresh' },
      detail: { scenarios_covered: [...defaultScenarioNames], scenarios_missing: [] },
    });

    const written = repo.written();
    const raw = Object.keys(written).filter((path) => path.startsWith('context/raw/'));
    expect(raw).toEqual(
      expect.arrayContaining(defaultScenarioNames.map((name) => `context/raw/runtime-trace-${name}.strace`)),
    );
    expect(written['context/raw/runtime-files-read.txt']).toContain('/app/index.js\n');
    // The attempt failed and is no fact, but its line is in the trace: redacted there as everywhere.
    expect(written['context/raw/runtime-trace-startup.strace']).toContain('<REDACTED:fingerprint=');
    expect(Object.entries(written).filter(([, text]) => text.includes('AKIAABCDEFGHIJKLMNOP'))).toEqual([]);

    // 19: warm, nothing is run.
    const warm = await repo.publish(ask, settings);
    expect(recordOf(warm.envelope, 'runtime_trace').cache.state).toBe('hit');
    expect(traceOf(warm)).toEqual(trace);
    expect(containers.listContainers()).toEqual([]);
  });
});

describe('G19 drift', () => {
  traced(
    'podman, strace: an image built after the gather is told apart from the one that was traced; each digest has its trace',
    async () => {
      repo = createFixtureRepo({
        Dockerfile: `FROM ${containers.busyboxBase()}\nCOPY a /app/\nCMD ["/bin/cat", "/app/a"]\n`,
        a: '1',
        '.codegenie/scenarios.yaml': 'scenarios: [{name: startup}]\n',
      });
      const first = await repo.publish(ask, settings);
      expect(kindsOf(first)).toEqual(['completed']);
      expect(recordOf(first.envelope, 'runtime_trace')).toMatchObject({ confidence: 'low', warnings: [] });
      const again = await repo.publish(ask, settings);
      expect(recordOf(again.envelope, 'runtime_trace').cache.state).toBe('hit');
      repo.write('a', '2');
      const second = await repo.publish(ask, settings);
      expect(recordOf(second.envelope, 'runtime_trace').cache.state).toBe('miss');
      expect(traceOf(second)['built_image_digest']).not.toBe(traceOf(first)['built_image_digest']);
      const actual = traceOf(second)['last_traced_image_digest'];
      const judged = async () => {
        const answer = await repo?.workspace(settings).report();
        if (answer?.kind !== 'report') throw new Error(`no report: ${JSON.stringify(answer)}`);
        return (answer.freshnessNow as Record<string, unknown>)['runtime_trace'];
      };
      expect(await judged()).toMatchObject({ kind: 'fresh' });
      containers.podman('tag', containers.busyboxBase(), latestImageRef(repo.root));
      const expected = `sha256:${containers.podman('image', 'inspect', '--format', '{{.Id}}', containers.busyboxBase()).stdout.trim()}`;
      expect(await judged()).toMatchObject({ kind: 'stale', reason: { kind: 'digest_mismatch', expected, actual } });
    },
  );
});

describe('in the way', () => {
  traced('podman: without strace every scenario says so, and nothing is run', async () => {
    repo = makeRepo();
    const bin = join(repo.base, 'bin');
    mkdirSync(bin);
    for (const tool of ['git', 'podman', 'runc', 'conmon', 'node'])
      for (const from of (process.env['PATH'] ?? '').split(':')) {
        try {
          readFileSync(join(from, tool));
          symlinkSync(join(from, tool), join(bin, tool));
        } catch {
          // Not there, or linked already.
        }
      }
    const published = await repo.publish(ask, { environment: { ...containers.environment, PATH: bin } });
    expect(traceOf(published).scenario_results).toEqual(
      defaultScenarioNames.map((scenario_name) => ({
        kind: 'failed',
        scenario_name,
        reason: { kind: 'strace_unavailable' },
        artifact_uri: null,
      })),
    );
    expect(recordOf(published.envelope, 'runtime_trace')).toMatchObject({
      confidence: 'low',
      warnings: ['runtime_trace.strace_missing', 'runtime_trace.scenario_failed'],
    });
    expect(containers.listContainers()).toEqual([]);
  });

  traced('G33 podman, strace: out of the probe’s own time, nothing is left running', async () => {
    repo = createFixtureRepo({
      Dockerfile: `FROM ${containers.busyboxBase()}\nCMD ["/bin/sleep", "98731"]\n`,
      '~/.codegenie/config.yaml': 'probes: {timeouts: {runtime_trace: 4}}\nruntime_trace: {ready_after_s: 600}\n',
    });
    const published = await repo.publish(ask, settings);
    expect(recordOf(published.envelope, 'runtime_trace').status).toBe('timed_out');
    expect(containers.listContainers()).toEqual([]);
    expect(containers.listProcesses('sleep 98731')).toEqual([]);
  });

  traced('podman, strace: a build that failed leaves nothing to trace', async () => {
    repo = createFixtureRepo({ Dockerfile: 'FROM scratch\nCOPY not-there /\n' });
    const published = await repo.publish(ask, settings);
    expect(traceOf(published).scenario_results.map(({ reason }) => reason)).toEqual(
      defaultScenarioNames.map(() => ({ kind: 'image_build_unavailable' })),
    );
    expect(recordOf(published.envelope, 'runtime_trace')).toMatchObject({
      confidence: 'low',
      warnings: ['runtime_trace.docker_build_failed_all'],
    });
  });

  const contextOf = (of: Partial<Record<keyof ProbeContext, unknown>>) => {
    const logger = recordingLogger();
    const ctx = {
      config: { 'runtime_trace.scenarios': defaultScenarioNames, 'runtime_trace.strace_static': null },
      outputDir: '/repo/.codegenie/context',
      logger,
      signal: new AbortController().signal,
      startedAt: '2026-01-01T00:00:00Z',
      upstream: {},
      exec: {
        toolVersion: () => {
          throw new Error('nothing may be looked for');
        },
      },
      ...of,
    };
    const inputs = { read: async () => ({ kind: 'absent' }) };
    return { ctx: ctx as unknown as ProbeContext, repo: { root: '/repo', inputs } as unknown as ProbeRepo, logger };
  };

  test('on another platform no tool is even looked for', async () => {
    const { ctx, repo: probeRepo, logger } = contextOf({});
    const output = await gatherRuntimeTrace(probeRepo, ctx, { platform: 'darwin' });
    expect(output).toMatchObject({
      kind: 'ran',
      confidence: 'low',
      warnings: ['runtime_trace.platform_not_linux', 'runtime_trace.scenario_failed'],
      slice: { runtime_trace: { scenarios_failed: defaultScenarioNames, trace_coverage_confidence: 'unavailable' } },
    });
    expect(logger.events.map(({ name }) => name)).toEqual([
      'probe.runtime_trace.dispatch',
      'probe.runtime_trace.finish',
    ]);
  });

  const resolvers: readonly (readonly [string, string, string | null, ProbeContext['imageDigestResolver']])[] = [
    ['is not there', 'resolver_unbound', null, null],
    ['gives none', 'resolver_returned_none', null, async () => null],
    ['throws', 'resolver_raised', 'RangeError', () => Promise.reject(new RangeError('boom'))],
  ];
  traced.each(resolvers)('podman, strace: a build without a digest, because the resolver %s', async (...given) => {
    const [, why, error, imageDigestResolver] = given;
    const host = createExecHost({
      root: containers.home,
      environment: containers.environment,
      toolPaths: {},
      logger: recordingLogger(),
    });
    const value = { outcome: 'built', image_ref: 'codegenie-trace:abc', built_image_digest: null, config: null };
    const {
      ctx,
      repo: probeRepo,
      logger,
    } = contextOf({
      config: {
        'runtime_trace.scenarios': ['startup'],
        'runtime_trace.strace_static': null,
        'containers.engine': 'podman',
      },
      upstream: { image_build: { value, artifacts: {} } },
      exec: host.bind({ name: 'test', signal: new AbortController().signal, workspace: containers.home }),
      imageDigestResolver,
    });
    const output = await gatherRuntimeTrace(probeRepo, ctx, { platform: 'linux' });
    expect(output).toMatchObject({
      slice: {
        runtime_trace: {
          scenario_results: [
            { kind: 'failed', reason: { kind: 'image_digest_unresolved', ref: 'codegenie-trace:abc', why, error } },
          ],
        },
      },
      warnings: ['runtime_trace.image_digest_unresolved', 'runtime_trace.scenario_failed'],
    });
    const told = logger.events.find(({ name }) => name === 'probe.runtime_trace.image_digest_unresolved');
    expect(told).toMatchObject({ fields: { reason: why, ...(error === null ? {} : { error }) } });
    expect(JSON.stringify([output, logger.events])).not.toContain('boom');
  });
});
