/** The probes that read Dockerfiles, through the real coordinator: what is secret stays so, and what a trace or an image adds counts. */

import { afterEach, expect, test } from 'vitest';
import { defineProbe, type Probe } from '../../src/gather/contract.ts';
import type { Json, JsonObject } from '../../src/kernel/base/json.ts';
import { z } from '../../src/kernel/base/schema.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const names = ['dockerfile', 'entrypoint', 'shell_usage', 'certificate'];

/** A probe of that name that always says this. */
function saying(name: string, section: JsonObject): Probe {
  return defineProbe({
    name,
    version: '0.0.1',
    layer: 'C',
    says: 'what the test says',
    heaviness: 'light',
    sections: { [name]: z.json() },
    declaredInputs: [],
    timeoutSeconds: 5,
    confidenceRule: 'high',
    run: async () => ({ kind: 'ran', slice: { [name]: section }, confidence: 'high' }),
  });
}

async function gatherWith(files: Readonly<Record<string, string>>, ...said: readonly Probe[]) {
  repo = createFixtureRepo(files);
  const others = probes.filter(({ name }) => names.includes(name));
  const { envelope } = await repo.publish(
    { only: [...names, ...said.map(({ name }) => name)] },
    { probes: [...others, ...said] },
  );
  return { envelope, section: (name: string) => (envelope as unknown as Record<string, Json>)[name] };
}

const trace = (section: JsonObject) =>
  saying('runtime_trace', {
    scenario_results: [],
    binaries_executed: [],
    cert_paths_read: [],
    shell_invocations: 0,
    trace_coverage_confidence: 'high',
    ...section,
  });

test('G22 secrets of ENV, ARG, LABEL and of commands are nowhere in what is written', async () => {
  const secret = ['ghp', 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j'].join('_');
  const password = 'tr0ub4dor-and-3';
  await gatherWith({
    Dockerfile: [
      `ARG GITHUB_TOKEN=${secret}`,
      'FROM node:24',
      `ENV DB_PASSWORD="${password}" TOKEN ${secret}`,
      `ENV API_TOKEN ${secret}`,
      `LABEL deploy.token=${secret} note="password=${password}"`,
      `ARG NPM_TOKEN=${secret}`,
      'ENV COPIED=$NPM_TOKEN',
      `RUN echo //registry.example.com/:_authToken=${secret} > .npmrc`,
      'COPY <<EOF /etc/app.env',
      `SECRET_KEY=${secret}`,
      'EOF',
      `HEALTHCHECK CMD curl -H "Authorization: Bearer ${secret}" http://localhost`,
      `CMD DB_PASSWORD=${password} node a.js`,
    ].join('\n'),
  });
  const written = JSON.stringify(repo?.written());
  expect(written).toContain('<REDACTED:');
  expect(written).not.toContain(secret);
  expect(written).not.toContain(password);
});

test('the built image says what its base declares; a shutdown that was seen is seen', async () => {
  const { section } = await gatherWith(
    { Dockerfile: 'FROM nginx:1.27\n', 'other/Dockerfile': 'FROM a\nCMD ["b"]\n' },
    saying('image_build', {
      dockerfile: 'Dockerfile',
      outcome: { kind: 'built' },
      config: { entrypoint: ['/docker-entrypoint.sh'], cmd: ['nginx', '-g', 'daemon off;'] },
    }),
    trace({
      scenario_results: [{ kind: 'completed', scenario_name: 'shutdown', ended_by: 'exit', exit_code: 0 }],
    }),
  );
  expect(section('entrypoint')).toMatchObject({
    entrypoints: [
      {
        dockerfile: 'Dockerfile',
        form: 'exec',
        argv: ['/docker-entrypoint.sh', 'nginx', '-g', 'daemon off;'],
        pid_1_program: '/docker-entrypoint.sh',
        effective_from: 'image',
      },
      { dockerfile: 'other/Dockerfile', argv: ['b'], effective_from: 'dockerfile' },
    ],
    graceful_shutdown_observed: true,
  });
});

test.each([
  [{ kind: 'completed', scenario_name: 'shutdown', ended_by: 'harness', exit_code: null }, false],
  [{ kind: 'failed', scenario_name: 'shutdown', reason: { kind: 'strace_unavailable' } }, null],
  [{ kind: 'completed', scenario_name: 'startup', ended_by: 'exit', exit_code: 0 }, null],
])('a shutdown is observed only by its own completed scenario: %j', async (result, observed) => {
  const { section } = await gatherWith({ Dockerfile: 'FROM a\nCMD ["b"]\n' }, trace({ scenario_results: [result] }));
  expect(section('entrypoint')).toMatchObject({ graceful_shutdown_observed: observed });
});

test('shells that the trace counted', async () => {
  const { envelope, section } = await gatherWith(
    { Dockerfile: 'FROM a\nCMD ["b"]\n' },
    trace({ shell_invocations: 4, binaries_executed: ['/bin/bash', '/bin/sh', '/usr/bin/node'] }),
  );
  expect(section('shell_usage')).toMatchObject({ runtime_trace: { sh_executions: 3, bash_executions: 1, total: 4 } });
  expect(recordOf(envelope, 'shell_usage')).toMatchObject({ warnings: [], confidence: 'high' });
});

test.each([
  ['high', [], false, 'absent', 'high'],
  ['medium', ['/etc/ssl/openssl.cnf'], false, 'absent', 'high'],
  ['low', [], null, 'unknown', 'low'],
  ['unavailable', [], null, 'unknown', 'low'],
  ['low', ['/etc/ssl/certs/ca-certificates.crt'], true, 'ca-certificates', 'medium'],
  ['high', ['/app/corp.pem'], true, 'vendored', 'high'],
])(
  'absence of certificates is said by a trace alone: %s coverage, read %j',
  async (coverage, read, detected, source, confidence) => {
    const { envelope, section } = await gatherWith(
      { Dockerfile: 'FROM a\nCMD ["b"]\n' },
      trace({ trace_coverage_confidence: coverage, cert_paths_read: read }),
    );
    expect(section('custom_certificates')).toMatchObject({ detected, certificate_source: source });
    expect(recordOf(envelope, 'certificate').confidence).toBe(confidence);
  },
);

test('G12 a Dockerfile over its cap is an error of its own, and the others are read', async () => {
  repo = createFixtureRepo({ 'big/Dockerfile': `FROM a\n#${'x'.repeat(1024 * 1024)}\n`, Dockerfile: 'FROM b\n' });
  const { envelope } = await repo.publish({ only: ['dockerfile', 'index_health'] });
  expect(recordOf(envelope, 'dockerfile')).toMatchObject({
    status: 'degraded',
    confidence: 'low',
    errors: ['dockerfile.size_cap_exceeded'],
  });
  const section = envelope['containerization' as keyof typeof envelope] as unknown as {
    dockerfiles: { path: string }[];
  };
  expect(section.dockerfiles.map(({ path }) => path)).toEqual(['Dockerfile']);
});

test('a script that a Dockerfile names outside the repository or the declared inputs is not read', async () => {
  const { section } = await gatherWith({
    Dockerfile:
      'FROM a\nCOPY ../../etc/passwd /one.sh\nCOPY user:notes/x.sh /two.sh\nCOPY config:policy.path:x.sh /three.sh\nCMD /one.sh && /two.sh && /three.sh\n',
  });
  expect(section('shell_usage')).toMatchObject({ static_analysis: [{ startup_script_invoked: '/one.sh' }] });
});
