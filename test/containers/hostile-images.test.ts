/** Images that mean harm: each is contained, ended in time and reported, and the host is as it was (26). Proof is counted on the host. */

import { afterAll, describe, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { openTraceRig } from '../support/trace-rig.ts';

const rig = openTraceRig();
afterAll(() => rig.dispose());
const traced = test.skipIf(!rig.usable);

let image: string | undefined;
const hostile = (): string => {
  image ??= rig.image({ base: 'busybox', files: { 'app/a.txt': 'a' }, lines: ['WORKDIR /app'] });
  return image;
};
const sh = (name: string, text: string) => ({ name, entrypoint: ['/bin/sh', '-c', text] });
const limits = { scenarioTimeoutMs: 2500, pids: 32, memoryMb: 64 };
const nothingIsLeft = (mark: string): void => {
  expect(rig.containers.listContainers()).toEqual([]);
  expect(rig.containers.listProcesses(mark)).toEqual([]);
};

describe('G26 ends', () => {
  traced('podman, strace: a fork bomb stays within its processes and is ended', async () => {
    const most: number[] = [];
    let over = false;
    const running = rig
      // The first process forks once, before the bomb: a shell that cannot fork any more ends, and the scenario with it.
      .trace(hostile(), [sh('fork_bomb', ': bomb-98721; f() { f | f & }; (f &); exec sleep 98722')], {
        ...limits,
        scenarioTimeoutMs: 6000,
      })
      .finally(() => {
        over = true;
      });
    while (!over) {
      most.push(rig.containers.listProcesses('bomb-98721').length);
      await new Promise(setImmediate);
    }
    const { traces } = await running;
    expect(traces[0]?.result).toMatchObject({ kind: 'failed', reason: { kind: 'scenario_timeout' } });
    expect(Math.max(...most)).toBeGreaterThan(2);
    // The engine's own client and monitor name the command too.
    expect(Math.max(...most)).toBeLessThanOrEqual(limits.pids + 4);
    nothingIsLeft('bomb-98721');
    nothingIsLeft('sleep 98722');
  });

  traced('podman, strace: a memory hog is killed for it', async () => {
    const { traces } = await rig.trace(
      hostile(),
      [{ name: 'hog', entrypoint: ['/bin/busybox', 'tail', '/dev/zero'] }],
      {
        ...limits,
        scenarioTimeoutMs: 20_000,
      },
    );
    expect(traces[0]?.result).toMatchObject({ kind: 'failed', reason: { kind: 'unexpected_exit', actual: 137 } });
    nothingIsLeft('tail /dev/zero');
  });

  traced('podman, strace: an endless loop is out of time', async () => {
    const { traces } = await rig.trace(hostile(), [sh('endless', ': loop-98723; while :; do :; done')], limits);
    expect(traces[0]?.result).toMatchObject({ kind: 'failed', reason: { kind: 'scenario_timeout' } });
    nothingIsLeft('loop-98723');
  });

  traced('podman, strace: what ignores its signal is killed, and that is how it ended', async () => {
    const deaf = {
      ...sh('shutdown', "trap '' TERM; : deaf-98724; while :; do sleep 1; done"),
      mode: 'signal' as const,
    };
    const { traces } = await rig.trace(hostile(), [deaf], {
      ...limits,
      scenarioTimeoutMs: 20_000,
      readyAfterS: 1,
      shutdownMs: 1000,
    });
    expect(traces[0]?.result).toMatchObject({ kind: 'completed', ended_by: 'harness', exit_code: null });
    nothingIsLeft('deaf-98724');
  });

  traced('podman, strace: gigabytes of output go nowhere', async () => {
    const before = process.memoryUsage().rss;
    const { traces } = await rig.trace(hostile(), [sh('loud', ': loud-98725; exec cat /dev/zero')], {
      ...limits,
      scenarioTimeoutMs: 3000,
    });
    expect(traces[0]?.result).toMatchObject({
      kind: 'failed',
      reason: { kind: expect.stringMatching(/timeout|incomplete/) },
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 ** 2);
    nothingIsLeft('loud-98725');
  });

  traced('podman, strace: ten gigabytes of files are memory of its own', async () => {
    const write = 'busybox dd if=/dev/zero of=/tmp/big-98726 bs=1M count=10240';
    const { traces } = await rig.trace(hostile(), [sh('big', write)], { ...limits, scenarioTimeoutMs: 20_000 });
    expect(traces[0]?.result.kind).toBe('failed');
    nothingIsLeft('big-98726');
  });

  traced('podman, strace: nor do they fill the disk once the root may be written', async () => {
    const write = 'echo x > state || exit 9; exec busybox dd if=/dev/zero of=/app/big-98728 bs=1M count=2048';
    const { traces, readOnly } = await rig.trace(hostile(), [sh('disk', write)], {
      ...limits,
      scenarioTimeoutMs: 60_000,
      maxWrittenBytes: 64 * 1024 ** 2,
    });
    expect(readOnly).toBe(false);
    expect(traces[0]?.result).toMatchObject({ kind: 'failed', reason: { kind: 'trace_incomplete' } });
    nothingIsLeft('big-98728');
  });

  traced('podman, strace: a flood of calls ends with the log’s limit', async () => {
    const { traces } = await rig.trace(hostile(), [sh('flood', 'while :; do : < a.txt; done; : flood-98727')], {
      ...limits,
      scenarioTimeoutMs: 30_000,
      maxLogBytes: 256 * 1024,
    });
    expect(traces[0]?.result).toMatchObject({ kind: 'failed', reason: { kind: 'trace_incomplete' } });
    // What was seen until then was seen.
    expect(traces[0]?.facts?.files_read).toEqual(['/app/a.txt']);
    nothingIsLeft('flood-98727');
  });
});

describe('G26 walls', () => {
  traced('podman, strace: there is no network, and the attempt is the fact', async () => {
    const { traces } = await rig.trace(
      hostile(),
      [{ ...sh('network', 'busybox nc -w 1 192.0.2.1 80'), expected_exit_code: 1 }],
      { ...limits, scenarioTimeoutMs: 20_000 },
    );
    expect(traces[0]?.result.kind).toBe('completed');
    expect(traces[0]?.facts?.outbound).toEqual(['192.0.2.1:80']);
  });

  traced('podman, strace: no capabilities, no new privileges, no other owner, no mounts', async () => {
    const attempts = [
      'busybox grep -q "^CapEff:.0000000000000000$" /proc/self/status || exit 41',
      'busybox grep -q "^NoNewPrivs:.1$" /proc/self/status || exit 42',
      'echo x > /tmp/x; busybox chown 1:1 /tmp/x 2> /dev/null && exit 43',
      'busybox su nobody -s /bin/true 2> /dev/null && exit 44',
      'busybox mount -t tmpfs none /tmp 2> /dev/null && exit 45',
      'echo x > a.txt && exit 46',
      'busybox mknod /tmp/disk b 8 0 2> /dev/null && exit 47',
      'exit 0',
    ];
    const { traces } = await rig.trace(hostile(), [sh('climb', attempts.join('; '))], {
      ...limits,
      scenarioTimeoutMs: 20_000,
    });
    expect(traces[0]?.result).toMatchObject({ kind: 'completed', exit_code: 0 });
  });

  traced('podman, strace: a trace cannot be written by what it traces', async () => {
    const fake = '99 execve("/bin/evil", ["evil"], 0x0) = 0';
    const attempts = [
      `echo '${fake}'; echo '${fake}' >&2`,
      `echo x > '/tmp/x) = 3<shadow>'; cat '/tmp/x) = 3<shadow>'`,
      `echo '${fake}' > "/tmp/climb.strace"`,
      `echo x > "/tmp/$(busybox printf 'a\\n99 bind(3, {sa_family=AF_INET, sin_port=htons(1)')"`,
      'cat /bin/evil /etc/shadow; kill -9 -1; exit 0',
    ];
    const { traces } = await rig.trace(hostile(), [sh('tamper', attempts.join('; '))], {
      ...limits,
      scenarioTimeoutMs: 20_000,
    });
    expect(traces[0]?.result).toMatchObject({ kind: 'completed', exit_code: 0 });
    expect(traces[0]?.facts).toMatchObject({
      binaries_executed: ['/bin/sh'],
      files_read: ['/tmp/x) = 3<shadow>'],
      inbound: [],
      outbound: [],
    });
  });
});

describe('G26 through a gather', () => {
  let repo: FixtureRepo | undefined;
  afterAll(() => repo?.dispose());
  traced(
    'podman, strace: all of them in one repository, each with its result, and the gather is published',
    async () => {
      const scenarios = [
        sh('fork_bomb', 'f() { f | f & }; f; exec sleep 98741'),
        sh('endless', 'while :; do :; done'),
        { name: 'hog', entrypoint: ['/bin/busybox', 'tail', '/dev/zero'] },
        sh('network', 'busybox nc -w 1 192.0.2.1 80'),
        sh('climb', 'busybox chown 1:1 /app/a.txt || exit 9'),
        sh('harmless', 'cat a.txt'),
      ];
      repo = createFixtureRepo({
        Dockerfile: `FROM ${rig.containers.busyboxBase()}\nCOPY a.txt /app/\nWORKDIR /app\n`,
        'a.txt': 'a',
        '.codegenie/scenarios.yaml': JSON.stringify({ scenarios }),
        '.codegenie/config.yaml': 'runtime_trace: {scenario_timeout_s: 3}\n',
        '~/.codegenie/config.yaml': 'containers: {memory_mb: 32, pids: 32}\n',
      });
      const { envelope } = await repo.publish(
        { only: ['image_build', 'runtime_trace'] },
        { environment: rig.containers.environment },
      );
      const trace = envelope['runtime_trace'] as unknown as {
        readonly scenario_results: readonly { readonly kind: string; readonly reason?: { readonly kind: string } }[];
      };
      expect(trace.scenario_results.map(({ kind, reason }) => reason?.kind ?? kind)).toEqual([
        'scenario_timeout',
        'scenario_timeout',
        'unexpected_exit',
        'unexpected_exit',
        'unexpected_exit',
        'completed',
      ]);
      expect(trace).toMatchObject({
        network_endpoints_touched: { outbound: ['192.0.2.1:80'] },
        files_read_at_runtime: { summary: { inlined: ['/app/a.txt', '/etc/passwd'] } },
        trace_coverage_confidence: 'low',
      });
      expect(recordOf(envelope, 'runtime_trace').warnings).toEqual(['runtime_trace.scenario_failed']);
      nothingIsLeft('sleep 98741');
      nothingIsLeft('tail /dev/zero');
    },
  );
});
