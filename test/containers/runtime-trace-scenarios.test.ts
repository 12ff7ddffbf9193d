/** Scenarios in real containers, traced for real: what they show, and how they end. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { runScenarios } from '../../src/probes/runtime-trace/run-scenarios.ts';
import { methodOf } from '../../src/probes/runtime-trace/trace-container.ts';
import { soaked } from '../support/properties.ts';
import { openTraceRig, type TraceRig } from '../support/trace-rig.ts';

const rig = openTraceRig();
afterAll(() => rig.dispose());
const traced = test.skipIf(!rig.usable);
const runsOfOne = soaked(2);

/** The libraries that the dynamic linker loads for Node, as the trace names them. */
const nodeLibraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' })
  .split('\n')
  .flatMap((line) => / => (\/\S+) \(0x/.exec(line)?.[1] ?? [])
  .sort();

const service = `
const { readFileSync, readFile, existsSync } = require('node:fs');
const net = require('node:net');
readFileSync('config.json');
existsSync('/app/never-there.json');
readFile('/etc/ssl/certs/ca.pem', () => {});
try { process.dlopen({ exports: {} }, '/app/native.node'); } catch {}
require('node:child_process').execFileSync('/bin/sh', ['-c', 'exit 0']);
net.connect(443, '192.0.2.7').on('error', () => {});
net.createServer().listen(8080, '0.0.0.0');
process.on('SIGTERM', () => process.exit(0));
`;
let serviceImage: string | undefined;
const makeService = (): string => {
  serviceImage ??= rig.image({
    base: 'node',
    files: {
      'app/index.js': service,
      'app/config.json': '{}',
      'app/native.node': readFileSync(nodeLibraries[0] ?? ''),
      'etc/ssl/certs/ca.pem': 'no certificate',
    },
    lines: ['STOPSIGNAL SIGTERM'],
  });
  return serviceImage;
};

const serviceFacts = {
  binaries_executed: ['/bin/sh', '/usr/bin/node'],
  shared_libs_loaded: ['/app/native.node', ...nodeLibraries].sort(),
  cert_paths_read: ['/etc/ssl/certs/ca.pem'],
  files_read: [
    ...['/app/config.json', '/app/index.js', '/app/native.node', '/etc/ssl/certs/ca.pem'],
    ...nodeLibraries,
  ].sort(),
  shell_invocations: 1,
  outbound: ['192.0.2.7:443'],
  inbound: ['0.0.0.0:8080'],
};

describe('a Node service', () => {
  traced('podman, strace: its trace is exactly what it did, and nothing of the engine’s', async () => {
    const { traces, readOnly, imageDigest } = await rig.trace(makeService(), [
      { name: 'startup' },
      { name: 'shutdown' },
    ]);
    expect(traces.map(({ result }) => result)).toMatchObject([
      { kind: 'completed', scenario_name: 'startup', ended_by: 'harness', exit_code: null },
      { kind: 'completed', scenario_name: 'shutdown', ended_by: 'signal', exit_code: 0 },
    ]);
    expect(traces[0]?.facts).toEqual(serviceFacts);
    expect(traces[1]?.facts).toEqual(serviceFacts);
    expect(readOnly).toBe(true);
    expect(imageDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const lines = Buffer.from(traces[0]?.lines ?? []).toString();
    expect(lines).toMatch(/^\d+ execve\("\/usr\/bin\/node"/);
    expect(lines).not.toMatch(/runc|conmon|crun|exec\.fifo|\/proc\/self\/exe|unfinished|resumed/);
    expect(rig.containers.listContainers()).toEqual([]);
  });

  traced(`podman, strace: ${runsOfOne} runs give the same sets`, async () => {
    for (let run = 0; run < runsOfOne; run += 1) {
      const { traces } = await rig.trace(makeService(), [{ name: 'startup' }]);
      expect(traces[0]?.facts).toEqual(serviceFacts);
    }
  });

  traced('podman, strace: one container at a time', async () => {
    const engine = await rig.engine();
    let over = false;
    const running = rig.trace(makeService(), [{ name: 'startup' }, { name: 'error_path' }]).finally(() => {
      over = true;
    });
    const samples: number[] = [];
    while (!over) samples.push((await engine.listContainers()).length);
    await running;
    expect(samples.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...samples)).toBe(1);
  });
});

describe('an image without a shell', () => {
  const data = Array.from({ length: 10 }, (_, at) => `/data/${at}`);
  traced('podman, strace: a static program’s ten files, and that alone', async () => {
    const image = rig.image({
      base: 'scratch',
      files: {
        cat: readFileSync('/bin/busybox'),
        ...Object.fromEntries(data.map((path) => [path.slice(1), 'x'])),
      },
      lines: [`ENTRYPOINT ${JSON.stringify(['/cat'])}`, `CMD ${JSON.stringify(data)}`],
    });
    const { traces } = await rig.trace(image, [{ name: 'startup' }, { name: 'healthcheck' }, { name: 'error_path' }]);
    expect(traces.map(({ result }) => result)).toMatchObject([
      { kind: 'completed', ended_by: 'exit', exit_code: 0 },
      { kind: 'skipped', reason: { kind: 'not_configured' } },
      // It does not know the flag, and says so with its exit code.
      { kind: 'completed', ended_by: 'exit', exit_code: 1 },
    ]);
    expect(traces[0]?.facts).toEqual({
      binaries_executed: ['/cat'],
      shared_libs_loaded: [],
      cert_paths_read: [],
      files_read: data,
      shell_invocations: 0,
      outbound: [],
      inbound: [],
    });
    expect(traces[2]?.facts?.files_read).toEqual([]);
  });
});

describe('ends', () => {
  let plainImage: string | undefined;
  const plain = (): string => {
    plainImage ??= rig.image({ base: 'busybox', files: { 'app/a.txt': 'a' }, lines: ['WORKDIR /app'] });
    return plainImage;
  };
  const sh = (text: string) => ({ entrypoint: ['/bin/sh', '-c', text] });

  traced('podman, strace: exit codes, programs that cannot start, and their order', async () => {
    const { traces } = await rig.trace(plain(), [
      { name: 'wrong_code', ...sh('cat a.txt; exit 3') },
      { name: 'right_code', ...sh('exit 3'), expected_exit_code: 3 },
      { name: 'any_code', ...sh('kill -ABRT $$'), expected_exit_code: 'any' },
      { name: 'not_there', entrypoint: ['/nope'] },
    ]);
    expect(traces.map(({ result }) => result)).toMatchObject([
      { kind: 'failed', reason: { kind: 'unexpected_exit', expected: 0, actual: 3 } },
      { kind: 'completed', exit_code: 3 },
      { kind: 'completed', ended_by: 'exit' },
      { kind: 'failed', reason: { kind: 'container_start_failed', stderr_tail: expect.stringContaining('nope') } },
    ]);
    // What was loaded was loaded, however it ended.
    expect(traces[0]?.facts).toMatchObject({ files_read: ['/app/a.txt'], shell_invocations: 1 });
    expect(rig.containers.listContainers()).toEqual([]);
  });

  traced('podman, strace: a program that needs to write gets another chance, once, and is told of', async () => {
    const writes = 'echo x > state || exit 9; cat state';
    const { traces, readOnly } = await rig.trace(plain(), [
      { name: 'reads', ...sh('cat a.txt') },
      { name: 'writes', ...sh(writes) },
      { name: 'after', ...sh('echo y > other') },
    ]);
    expect(traces.map(({ result }) => result.kind)).toEqual(['completed', 'completed', 'completed']);
    expect(traces[1]?.facts?.files_read).toEqual(['/app/state']);
    expect(readOnly).toBe(false);
  });

  traced('podman, strace: out of time, and so is everything after it', async () => {
    const loop = sh('while :; do sleep 98711; done');
    const { traces } = await rig.trace(
      plain(),
      [
        { name: 'first', ...loop },
        { name: 'second', ...loop },
        { name: 'third', ...loop },
      ],
      { scenarioTimeoutMs: 60_000, aggregateTimeoutMs: 1500 },
    );
    expect(traces.map(({ result }) => result)).toMatchObject([
      { kind: 'failed', reason: { kind: 'scenario_timeout' } },
      { kind: 'skipped', reason: { kind: 'aggregate_timeout' } },
      { kind: 'skipped', reason: { kind: 'aggregate_timeout' } },
    ]);
    expect(rig.containers.listProcesses('sleep 98711')).toEqual([]);
  });

  traced('podman, strace: cancelled in the middle, nothing is left', async () => {
    const other = openTraceRig();
    try {
      const image = other.image({ base: 'busybox', lines: [] });
      const running = other.trace(image, [{ name: 'endless', ...sh('exec sleep 98712') }]);
      while (other.containers.listProcesses('sleep 98712').length === 0) await new Promise(setImmediate);
      other.abort();
      await running;
      expect(other.containers.listContainers()).toEqual([]);
      expect(other.containers.listProcesses('sleep 98712')).toEqual([]);
    } finally {
      await other.dispose();
    }
  });
});

describe('traced from inside, as docker must be', () => {
  /** A strace with its libraries in the image stands for a static one. */
  const strace = '/usr/bin/strace';
  const checkInside = async (inside: TraceRig): Promise<void> => {
    const libraries = execFileSync('ldd', [strace], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
    const busybox = readFileSync('/bin/busybox');
    const image = inside.image({
      base: 'scratch',
      files: {
        ...Object.fromEntries(libraries.map((path) => [path.slice(1), readFileSync(path)])),
        'bin/sh': busybox,
        'bin/nc': busybox,
        'app/a.txt': 'a',
      },
      lines: ['WORKDIR /app', 'ENTRYPOINT ["/bin/sh", "-c"]', 'CMD ["read x < a.txt; exec /bin/nc -l -p 8080"]'],
    });
    const { traces, imageDigest } = await inside.trace(
      image,
      [
        { name: 'startup' },
        { name: 'shutdown', entrypoint: ['/bin/sh', '-c', "trap 'exit 7' TERM; nc -l -p 8081 & wait"] },
        { name: 'exits', entrypoint: ['/bin/sh', '-c', 'exit 3'], expected_exit_code: 3 },
      ],
      { strace },
    );
    expect(traces.map(({ result }) => result)).toMatchObject([
      { kind: 'completed', ended_by: 'harness' },
      { kind: 'completed', ended_by: 'signal', exit_code: 7 },
      { kind: 'completed', ended_by: 'exit', exit_code: 3 },
    ]);
    expect(traces[0]?.facts).toEqual({
      binaries_executed: ['/bin/nc', '/bin/sh'],
      shared_libs_loaded: [],
      cert_paths_read: [],
      files_read: ['/app/a.txt'],
      shell_invocations: 1,
      outbound: [],
      inbound: [expect.stringMatching(/:8080$/)],
    });
    expect(imageDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await (await inside.engine()).listContainers()).toEqual([]);
  };

  traced('podman, strace: the same facts, and signals reach the program', () => checkInside(rig));

  const docker = openTraceRig('docker');
  afterAll(() => docker.dispose());
  test.skipIf(!docker.usable)('docker, strace: the same with docker itself', () => checkInside(docker));
});

traced('podman, strace: a signal that cannot be sent is no shutdown that was seen', async () => {
  const image = rig.image({ base: 'busybox', lines: ['CMD ["sleep", "60"]'] });
  const { traces } = await rig.trace(image, [{ name: 'shutdown', signal: 'SIGNONE', ready_after_s: 0.5 }]);
  expect(traces[0]?.result).toMatchObject({ kind: 'failed', reason: { kind: 'trace_incomplete' } });
});

describe('podman, strace: G26 a trace whose tracer was killed is not complete, however the program ended', () => {
  const isNamed = (name: string) => (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8') === `${name}\n`;
    } catch {
      return false; // It ended between the list and the look.
    }
  };
  const tracers = () => rig.containers.listProcesses(`${rig.containers.home}/rig-`).filter(isNamed('strace'));
  const hasBegun = () => rig.containers.listProcesses('sleep 2.7').some(isNamed('sleep'));
  const cases = [
    { name: 'while the program ran', mayKill: hasBegun },
    { name: 'before the program began', mayKill: () => true },
  ];
  for (const { name, mayKill } of cases) {
    traced(`podman, strace: ${name}`, async () => {
      const image = rig.image({ base: 'busybox', lines: ['CMD ["sleep", "2.7"]'] });
      const running = rig.trace(image, [{ name: 'startup' }]);
      for (let killed = false; !killed; await delay(20))
        if (mayKill()) for (const pid of tracers()) killed = process.kill(pid, 'SIGKILL');
      const { traces } = await running;
      expect(traces[0]?.result).toMatchObject({ kind: 'failed', reason: { kind: 'trace_incomplete' } });
    });
  }
});

test('docker: an engine that cannot park a container needs a static strace', async () => {
  const engine = { kind: 'docker' } as Parameters<typeof runScenarios>[0]['engine'];
  const planned = {
    name: 'startup',
    entrypoint: null,
    command: [],
    environment: [],
    mode: 'until_ready' as const,
    expectedExitCode: 0,
    signal: 'SIGTERM',
    readyAfterS: 1,
  };
  const tracing = { engine, method: methodOf(engine), staticStrace: null } as unknown as Parameters<
    typeof runScenarios
  >[0];
  const limits = {
    scenarioTimeoutMs: 1000,
    aggregateTimeoutMs: 1000,
    shutdownMs: 1000,
    maxLogBytes: 1000,
    maxWrittenBytes: 1000,
  };
  const { traces } = await runScenarios(tracing, [{ name: 'startup', planned }], limits, {
    logger: { event: () => {} },
    uriOf: (artifact) => artifact,
  });
  expect(traces[0]?.result).toMatchObject({ kind: 'failed', reason: { kind: 'strace_unavailable' } });
});
