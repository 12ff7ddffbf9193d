/** The engine adapter with a real podman: which settings it found, what it leaves alone, and that no container outlives its probe. */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/kernel/base/log.ts';
import { makeRunId, stateOfRun } from '../../src/kernel/containers/cli-engine.ts';
import { withoutSyntaxLine } from '../../src/kernel/containers/docker.ts';
import {
  type ContainerRequest,
  type Engine,
  hardeningFlags,
  imageRefForDigest,
  latestImageRef,
} from '../../src/kernel/containers/engine.ts';
import { normaliseDigest, readImageFacts } from '../../src/kernel/containers/engine-output.ts';
import { createPodman, imagesKept, noteUse, unfinishedKept } from '../../src/kernel/containers/podman.ts';
import { findPodmanSettings, judgeLimits } from '../../src/kernel/containers/podman-settings.ts';
import { openPrivateStorage } from '../../src/kernel/containers/private-storage.ts';
import type { ExecHost } from '../../src/kernel/exec/exec.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import { openEngine } from '../../src/probes/shared/open-engine.ts';
import { openContainers } from '../support/container-images.ts';
import { makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { hasTool } from '../support/tools.ts';

const containers = openContainers();
afterAll(() => containers.dispose());
const withPodman = containers.usable ? describe : describe.skip;
let repo: FixtureRepo | undefined;
let host: ExecHost | undefined;
afterEach(async () => {
  await host?.killAll();
  host = undefined;
  repo?.dispose();
  repo = undefined;
});

const config = { 'containers.engine': 'auto' } as const;
function bind(environment: Readonly<Record<string, string | undefined>>, signal = new AbortController().signal) {
  host = createExecHost({ root: containers.home, environment, toolPaths: {}, logger: silentLogger });
  return host.bind({ name: 'test', signal, workspace: containers.home });
}
async function open(
  environment: Readonly<Record<string, string | undefined>> = containers.environment,
): Promise<Engine> {
  const engine = await openEngine({ exec: bind(environment), config });
  if (engine.kind === 'none') throw new Error(engine.detail);
  return engine;
}
const request = (command: readonly string[], more: Partial<ContainerRequest> = {}): ContainerRequest => {
  const runId = makeRunId();
  return {
    image: containers.busyboxBase(),
    name: `codegenie-${runId}-test`,
    runId,
    entrypoint: null,
    command,
    environment: [],
    readOnly: true,
    memoryMb: 64,
    pids: 32,
    cpus: 1,
    ...more,
  };
};
const buildRequest = {
  dockerfile: 'Dockerfile',
  text: '',
  target: null,
  args: [],
  network: 'none',
  pull: 'never',
  memoryMb: 256,
  ignore: '.codegenie\n',
  timeoutS: 100,
} as const;
const seen = async (mark: string, is: boolean): Promise<void> => {
  while (containers.listProcesses(mark).length > 0 !== is) await delay(20);
};

withPodman('podman: the adapter', () => {
  test('podman: G26 a container is hardened, told from inside', async () => {
    const engine = await open();
    const script =
      'cat /proc/self/status; ls /sys/class/net; echo x > /etc/x; echo y > /tmp/y && echo tmp ok; echo $WHO';
    const created = await engine.create(
      request(['sh', '-c', script], { environment: [{ name: 'WHO', value: 'me=you' }] }),
    );
    if (created.kind === 'failed') throw new Error(created.stderrTail);
    const lines: string[] = [];
    const complaints: string[] = [];
    const outcome = await engine.startAndWait(created.id, {
      timeoutS: 60,
      onLine: (line, stream) => void (stream === 'stdout' ? lines : complaints).push(line),
    });
    expect(outcome.kind).toBe('exited');
    const said = lines.join('\n');
    expect(said).toMatch(/CapEff:\s+0000000000000000/);
    expect(said).toMatch(/NoNewPrivs:\s+1/);
    expect(said).toMatch(/Seccomp:\s+2/);
    expect(complaints.join()).toMatch(/Read-only file system/);
    expect(lines.slice(-2)).toEqual(['tmp ok', 'me=you']);
    expect(lines.filter((line) => /^(?:lo|eth\d*|tap\d*)$/.test(line))).toEqual(['lo']);
    expect(await engine.exitCode(created.id)).toBe(0);
    await engine.remove(created.id);
    expect(await engine.exitCode(created.id)).toBeNull();
    expect(containers.listContainers()).toEqual([]);
  });

  test('podman: an entrypoint of several words replaces that of the image', async () => {
    const engine = await open();
    const created = await engine.create(request(['two'], { entrypoint: ['/bin/echo', 'one'] }));
    if (created.kind === 'failed') throw new Error(created.stderrTail);
    const outcome = await engine.startAndWait(created.id, { timeoutS: 60 });
    expect(outcome.kind === 'exited' ? outcome.stdout.toString() : outcome.kind).toBe('one two\n');
    await engine.remove(created.id);
  });

  test('podman: a container can be parked, ended and asked of its image', async () => {
    const engine = await open();
    const facts = await engine.inspectImage(containers.busyboxBase());
    const created = await engine.create(request(['sleep', '98701']));
    if (created.kind === 'failed') throw new Error(created.stderrTail);
    const parked = await engine.init(created.id);
    expect(parked.kind).toBe('parked');
    expect(containers.listProcesses('sleep 98701').length).toBe(0);
    expect(await engine.imageOfContainer(created.id)).toBe(facts?.digest);
    const running = engine.startAndWait(created.id, { timeoutS: 60 });
    await seen('sleep 98701', true);
    await engine.signal(created.id, 'SIGKILL');
    await running;
    expect(await engine.exitCode(created.id)).toBe(137);
    await engine.remove(created.id);
    expect(await engine.inspectImage('codegenie-trace:nothing')).toBeNull();
  });

  test('podman: G26 past its time a container is ended, not only its client', async () => {
    const engine = await open();
    const created = await engine.create(request(['sleep', '98702']));
    if (created.kind === 'failed') throw new Error(created.stderrTail);
    const outcome = await engine.startAndWait(created.id, { timeoutS: 2 });
    expect(outcome.kind).toBe('timed_out');
    await seen('sleep 98702', false);
    await engine.remove(created.id);
    expect(containers.listContainers()).toEqual([]);
  });

  test('podman: what could not be created says why, and leaves nothing', async () => {
    const engine = await open();
    const created = await engine.create(request([], { image: 'codegenie-trace:nothing' }));
    expect(created.kind).toBe('failed');
    expect(await engine.listContainers()).toEqual([]);
  });

  test('podman: plain settings that do not work are replaced by ours, and it is said', async () => {
    const home = mkdtempSync(join(tmpdir(), 'codegenie-fallback-'));
    const path = containers.environment['PATH'] ?? '';
    const refusing = `#!/bin/sh\ncase "$CONTAINERS_CONF" in */plain.conf) exit 125;; esac\nPATH=${path} exec podman "$@"\n`;
    writeFileSync(join(home, 'podman'), refusing, { mode: 0o755 });
    try {
      const engine = await open({ PATH: `${home}:${path}`, HOME: home });
      expect(engine.configuration).toBe('fallback');
      expect(existsSync(join(home, '.cache/codegenie/containers/containers.conf'))).toBe(true);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test("podman: G26 what the user's configuration gives to every container is not given to ours", async () => {
    const conf = join(containers.home, 'generous.conf');
    const secret = join(containers.home, 'secret');
    mkdirSync(secret);
    writeFileSync(conf, `[containers]\nvolumes = ["${secret}:/given"]\nenv = ["GIVEN=1"]\n`);
    const engine = await open({ ...containers.environment, CONTAINERS_CONF: conf });
    const created = await engine.create(request(['/bin/sh', '-c', 'ls -d /given; env']));
    if (created.kind === 'failed') throw new Error(created.stderrTail);
    const lines: string[] = [];
    await engine.startAndWait(created.id, { timeoutS: 60, onLine: (line) => lines.push(line) });
    await engine.remove(created.id);
    expect(lines).toContain('PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin');
    expect(lines).not.toContain('/given');
    expect(lines).not.toContain('GIVEN=1');
    const text = `FROM ${containers.busyboxBase()}\nRUN ! ls -d /given\n`;
    const root = mkdtempSync(join(containers.home, 'context-'));
    expect(await engine.build({ ...buildRequest, text, root, workspace: root })).toMatchObject({ kind: 'built' });
  });

  test('podman: an engine that cannot start anything is no engine, and its complaint is told', async () => {
    const bin = join(containers.home, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(
      join(bin, 'podman'),
      '#!/bin/sh\n[ "$1" = --version ] && echo podman version 9.9.9 && exit 0\necho broken >&2\nexit 125\n',
      { mode: 0o755 },
    );
    const exec = createExecHost({
      root: '/nowhere',
      environment: { PATH: bin, HOME: containers.home },
      toolPaths: {},
      logger: silentLogger,
    }).bind({ name: 'test', signal: new AbortController().signal, workspace: containers.home });
    const engine = await openEngine({ exec, config });
    expect(engine).toMatchObject({ kind: 'none', reason: 'tool_unhealthy' });
    expect((engine as { detail: string }).detail).toContain('broken');
  });
});

withPodman('podman: no container outlives its probe', () => {
  const sleeper = (seconds: number, ends: 'waits' | 'never') =>
    makeProbe(
      'sleeper',
      async (_repo, ctx) => {
        const engine = await openEngine(ctx);
        if (engine.kind === 'none') throw new Error(engine.detail);
        const created = await engine.create(request(['sleep', String(seconds)]));
        if (created.kind === 'failed') throw new Error(created.stderrTail);
        try {
          const running = engine.startAndWait(created.id, { timeoutS: 600 });
          await (ends === 'waits' ? running : new Promise(() => {}));
        } finally {
          await engine.remove(created.id);
        }
        return rows('sleeper', []);
      },
      { configKeys: ['containers.engine'], tools: ['podman'] },
    );

  test('podman: G26 G33 cancelled', async () => {
    repo = createFixtureRepo({ a: 'a' });
    const abort = new AbortController();
    const settings = { probes: [sleeper(98711, 'waits')], environment: containers.environment, signal: abort.signal };
    const gathering = repo.gather({}, settings);
    await seen('sleep 98711', true);
    abort.abort();
    expect((await gathering).kind).toBe('cancelled');
    expect(containers.listProcesses('sleep 98711')).toEqual([]);
    expect(containers.listContainers()).toEqual([]);
  });

  test('podman: G26 G33 timed out, by a probe that is deaf', async () => {
    repo = createFixtureRepo({ a: 'a', '.codegenie/config.yaml': 'probes: {timeouts: {sleeper: 6}}\n' });
    const other = makeProbe('other', async () => rows('other', []));
    const settings = { probes: [sleeper(98712, 'never'), other], environment: containers.environment };
    const { envelope } = await repo.publish({}, settings);
    expect(recordOf(envelope, 'sleeper').status).toBe('timed_out');
    expect(containers.listProcesses('sleep 98712')).toEqual([]);
    expect(containers.listContainers()).toEqual([]);
  });

  test('podman: G26 containers of dead runs are swept by the next that creates one, those of living runs are not', async () => {
    const engine = await open();
    const own = await engine.create(request(['sleep', '98713']));
    const dead = containers.podman(
      'create',
      '--label',
      `codegenie.run=${makeRunId().replace(/-\d+\./, '-999999999.')}`,
      '--network=none',
      containers.busyboxBase(),
      'sleep',
      '98714',
    );
    expect(dead.code).toBe(0);
    expect(await engine.sweep()).toBe(1);
    expect(await engine.listContainers()).toEqual([own.kind === 'created' ? own.id : '']);
    if (own.kind === 'created') await engine.remove(own.id);
    expect(containers.listContainers()).toEqual([]);
  });
});

withPodman('podman: images are not kept for ever', () => {
  test('podman: those used longest ago go, but not the latest of a repository', async () => {
    const engine = await open();
    const storage = openPrivateStorage(containers.home);
    const root = mkdtempSync(join(tmpdir(), 'codegenie-many-'));
    try {
      const digests: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const text = `FROM scratch\nLABEL round=${round}\n`;
        const built = await engine.build({ ...buildRequest, text, root, workspace: root });
        if (built.kind !== 'built') throw new Error(JSON.stringify(built));
        const ref = imageRefForDigest(built.digest);
        if (ref.kind === 'ref') await engine.tagImage(built.digest, ref.ref);
        if (round === 0) await engine.tagImage(built.digest, latestImageRef(root));
        utimesSync(join(storage.images, built.digest.slice(7)), round + 1, round + 1);
        digests.push(built.digest);
      }
      // As many others as are kept, used since.
      for (let other = 0; other < imagesKept; other += 1)
        noteUse(storage, `sha256:${other.toString(16).padStart(64, '0')}`);
      await engine.build({ ...buildRequest, text: 'FROM scratch\nLABEL round=last\n', root, workspace: root });
      const left = await Promise.all(digests.map(async (digest) => (await engine.inspectImage(digest)) !== null));
      expect(left).toEqual([true, false, false]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

withPodman('podman: builds that fail', () => {
  test('podman: leave no more than the next attempts can use', async () => {
    const engine = await open();
    const root = mkdtempSync(join(containers.home, 'failing-'));
    const untagged = () => containers.podman('images', '-q', '--filter', 'dangling=true').stdout.split('\n').length - 1;
    containers.podman('image', 'prune', '-f');
    for (let left = 0; left <= unfinishedKept; left += 1)
      containers.podman('commit', '-q', '--change', `LABEL left=${left}`, made());
    expect(untagged()).toBe(unfinishedKept + 1);
    const text = 'FROM scratch\nCOPY nothing /\n';
    expect(await engine.build({ ...buildRequest, text, root, workspace: root })).toMatchObject({ kind: 'failed' });
    expect(untagged()).toBe(0);
    containers.podman('rm', '-f', '-a');
  });

  let container: string | undefined;
  function made(): string {
    container ??= containers
      .podman('create', '--network=none', '--ulimit', 'nofile=1024:1024', containers.busyboxBase())
      .stdout.trim();
    return container;
  }
});

withPodman("podman: the user's own images", () => {
  test('podman: can be built upon, and are not written to', async () => {
    const user = openContainers();
    const home = mkdtempSync(join(tmpdir(), 'codegenie-own-'));
    try {
      const base = user.busyboxBase();
      const theirs = openPrivateStorage(user.home).root;
      const before = listTree(theirs);
      const exec = bind({ ...containers.environment, HOME: home });
      const storage = openPrivateStorage(home);
      const { version } = await exec.toolVersion('podman');
      const settings = await findPodmanSettings(exec, storage, version, theirs);
      if ('kind' in settings) throw new Error(settings.detail);
      expect(settings.storageOptions).toContain(`additionalimagestore=${theirs}`);
      const engine = createPodman(exec, storage, settings);
      mkdirSync(join(home, 'context'));
      mkdirSync(join(home, 'scratch'));
      const built = await engine.build({
        root: join(home, 'context'),
        ...buildRequest,
        text: `FROM ${base}\nRUN echo built > /built\n`,
        workspace: join(home, 'scratch'),
      });
      expect(built.kind).toBe('built');
      expect(user.podman('images', '-q').stdout.trim().split('\n')).toHaveLength(1);
      expect(listTree(theirs)).toEqual(before);
    } finally {
      rmSync(home, { recursive: true, force: true });
      user.dispose();
    }
  });

  /** Every file with its size; the locks that readers take are files too. */
  function listTree(directory: string): readonly string[] {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.endsWith('.lock'))
      .map((path) => `${path} ${lstatSync(path).size}`)
      .sort();
  }
});

const dockerAnswers =
  hasTool('docker') &&
  spawnSync('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 20_000 }).status === 0;

describe.skipIf(!dockerAnswers)('docker: the adapter', () => {
  test('docker: G26 what was built runs hardened and is removed; digests are those of the configuration', async () => {
    const { PATH, DOCKER_HOST, HOME } = process.env;
    const engine = await openEngine({
      exec: bind({ PATH, HOME, ...(DOCKER_HOST === undefined ? {} : { DOCKER_HOST }) }),
      config: { 'containers.engine': 'docker' },
    });
    if (engine.kind === 'none') throw new Error(engine.detail);
    const root = mkdtempSync(join(tmpdir(), 'codegenie-docker-'));
    try {
      for (const folder of ['context', 'scratch']) mkdirSync(join(root, folder));
      copyFileSync('/bin/busybox', join(root, 'context/busybox'));
      const text = 'FROM scratch\nCOPY busybox /bin/sh\nHEALTHCHECK CMD ["/bin/sh"]\n';
      const build = () =>
        engine.build({
          root: join(root, 'context'),
          ...buildRequest,
          text,
          workspace: join(root, 'scratch'),
        });
      const built = await build();
      if (built.kind !== 'built') throw new Error(JSON.stringify(built));
      const facts = await engine.inspectImage(built.digest);
      expect(facts?.digest).toBe(built.digest);
      expect(facts?.config.healthcheck).toEqual(['CMD', '/bin/sh']);
      const container = request(['cat /proc/self/status; exit 3'], {
        image: built.digest,
        entrypoint: ['/bin/sh', '-c'],
      });
      const created = await engine.create(container);
      if (created.kind === 'failed') throw new Error(created.stderrTail);
      const outcome = await engine.startAndWait(created.id, { timeoutS: 60 });
      const said = outcome.kind === 'exited' ? outcome.stdout.toString() : outcome.kind;
      expect(said).toMatch(/CapEff:\s+0000000000000000[\s\S]*NoNewPrivs:\s+1[\s\S]*Seccomp:\s+2/);
      expect(await engine.exitCode(created.id)).toBe(3);
      expect(await engine.imageOfContainer(created.id)).toBe(built.digest);
      expect(await engine.listContainers(container.runId)).toEqual([created.id]);
      await engine.remove(created.id);
      expect(await engine.listContainers(container.runId)).toEqual([]);
      spawnSync('docker', ['rmi', '-f', built.digest]);
      expect(await engine.inspectImage(built.digest)).toBeNull();
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

describe('facts without an engine', () => {
  test('a digest always has its algorithm', () => {
    const hex = 'a'.repeat(64);
    expect(normaliseDigest(hex)).toBe(`sha256:${hex}`);
    expect(normaliseDigest(`sha256:${hex}\n`)).toBe(`sha256:${hex}`);
    expect(normaliseDigest('sha256:abc')).toBeNull();
    expect(readImageFacts({ Id: 'nothing' })).toBeNull();
  });

  test('an image is named by its digest', () => {
    expect(imageRefForDigest(`sha256:${'0123456789abcdef'.repeat(4)}`)).toEqual({
      kind: 'ref',
      ref: 'codegenie-trace:0123456789ab',
    });
    expect(imageRefForDigest('sha256:')).toEqual({ kind: 'refused', reason: 'empty digest' });
    expect(imageRefForDigest('latest')).toEqual({ kind: 'refused', reason: 'non-hex digest' });
  });

  test("docker's and podman's accounts of an image are the same facts", () => {
    const base = { Id: 'b'.repeat(64), Size: 5 };
    const Config = { Env: ['B=1', 'A=x=y'], Cmd: ['a'], User: '', WorkingDir: '/w', ExposedPorts: { '80/tcp': {} } };
    const check = { Test: ['CMD', 'x'] };
    const podman = readImageFacts({ ...base, Config, Healthcheck: check });
    const docker = readImageFacts({
      ...base,
      Id: `sha256:${base.Id}`,
      Config: { ...Config, Entrypoint: null, Healthcheck: check },
    });
    expect(docker).toEqual(podman);
    expect(podman?.config).toEqual({
      entrypoint: [],
      cmd: ['a'],
      env_names: ['A', 'B'],
      user: null,
      workdir: '/w',
      exposed_ports: ['80/tcp'],
      healthcheck: ['CMD', 'x'],
      stop_signal: null,
    });
  });

  test('limits that rootless podman does not keep are named', () => {
    expect(judgeLimits({ security: { rootless: false }, cgroupVersion: 'v1' }).unenforced).toEqual([]);
    const v1 = judgeLimits({ security: { rootless: true }, cgroupVersion: 'v1' });
    expect(v1.unenforced).toHaveLength(3);
    expect(v1.refusedControllers).toEqual([]);
    const v2 = judgeLimits({
      security: { rootless: true },
      cgroupVersion: 'v2',
      cgroupControllers: ['memory', 'pids'],
    });
    expect(v2.refusedControllers).toEqual(['cpu']);
    expect(v2.unenforced).toHaveLength(1);
  });

  test('a run is alive as long as its process is, and what is not ours is foreign', () => {
    const runId = makeRunId();
    expect(stateOfRun(runId)).toBe('alive');
    expect(stateOfRun(runId.replace(/-\d+\./, '-999999999.'))).toBe('dead');
    expect(stateOfRun(runId.replace(/^.{8}/, '00000000'))).toBe('foreign');
    expect(stateOfRun('something else')).toBe('foreign');
    expect(`codegenie-${runId}-startup`).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/);
  });

  test('a syntax line would fetch a program; the other directives stay directives', () => {
    expect(withoutSyntaxLine('# syntax=docker/dockerfile:1\n# escape=`\nFROM a\n')).toBe('# escape=`\n#\nFROM a\n');
    expect(withoutSyntaxLine('FROM a\n# syntax=x\n')).toBe('FROM a\n# syntax=x\n');
  });

  test('an engine that the user does not want is not looked for', async () => {
    const exec = bind({ PATH: '/nowhere', HOME: containers.home });
    expect(await openEngine({ exec, config: { 'containers.engine': 'none' } })).toMatchObject({
      reason: 'not_configured',
    });
    expect(await openEngine({ exec, config: { 'containers.engine': 'docker' } })).toMatchObject({
      reason: 'tool_missing',
    });
    expect(hardeningFlags).toEqual(['--network=none', '--cap-drop=ALL', '--security-opt=no-new-privileges']);
  });
});
