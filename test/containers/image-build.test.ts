/** image_build with a real engine: what is built, when it is built again, and that nothing of a build outlives it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineProbe, type Probe } from '../../src/gather/contract.ts';
import { runtimeTraceFreshness } from '../../src/gather/freshness/index-checks.ts';
import { latestImageRef } from '../../src/kernel/containers/engine.ts';
import { openPrivateStorage } from '../../src/kernel/containers/private-storage.ts';
import { currentImageDigest } from '../../src/probes/image-build/built-image.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import { openContainers } from '../support/container-images.ts';
import { createFixtureRepo, type FixtureRepo, type Published, recordOf } from '../support/fixture-repo.ts';

const containers = openContainers();
afterAll(() => containers.dispose());
let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const { environment } = containers;
const only = ['image_build'];
const withPodman = containers.usable ? describe : describe.skip;

type ImageBuild = {
  readonly built_image_digest: string | null;
  readonly image_ref: string | null;
  readonly bases?: unknown;
  readonly outcome: { readonly kind: string; readonly stderr_tail?: string; readonly step?: string | null };
  readonly config: { readonly cmd: readonly string[] } | null;
};
const imageOf = (published: Published) => published.envelope['image_build'] as unknown as ImageBuild;
const build = async (of: FixtureRepo) => {
  const published = await of.publish({ only: [...only, 'index_health'] }, { environment });
  return { image: imageOf(published), record: recordOf(published.envelope, 'image_build') };
};
const busybox = (...lines: string[]) => `FROM ${containers.busyboxBase()}\n${lines.join('\n')}\n`;

withPodman('podman: images are built', () => {
  test('podman: G38 a static binary on nothing, and the same content has the same digest', async () => {
    const files = { Dockerfile: 'FROM scratch\nCOPY a.txt /\nCMD ["/a"]\n', 'a.txt': 'one\n' };
    repo = createFixtureRepo(files);
    const first = await build(repo);
    expect(first.record).toMatchObject({ status: 'ok', confidence: 'high', warnings: [] });
    expect(first.image.built_image_digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(first.image.image_ref).toBe(`codegenie-trace:${first.image.built_image_digest?.slice(7, 19)}`);
    expect(first.image.config?.cmd).toEqual(['/a']);

    const elsewhere = createFixtureRepo(files);
    try {
      expect((await build(elsewhere)).image.built_image_digest).toBe(first.image.built_image_digest);
    } finally {
      elsewhere.dispose();
    }
    repo.write('a.txt', 'two\n');
    expect((await build(repo)).image.built_image_digest).not.toBe(first.image.built_image_digest);
  });

  test('podman: the second gather is a hit; what .dockerignore leaves out does not matter; an image that is gone is built again', async () => {
    repo = createFixtureRepo({
      Dockerfile: 'FROM scratch\nCOPY . /\n',
      '.dockerignore': '**/*.md\nodd[1].txt\n',
      'a.txt': 'one\n',
      'docs/b.md': 'b\n',
      'odd{x}.txt': 'odd',
    });
    const first = await build(repo);
    expect(first.record.cache.state).toBe('miss');
    expect((await build(repo)).record.cache.state).toBe('hit');
    repo.write('docs/b.md', 'other\n');
    expect((await build(repo)).record.cache.state).toBe('hit');
    containers.podman('rmi', '-f', first.image.built_image_digest ?? '');
    const again = await build(repo);
    expect(again.record.cache.state).toBe('stale');
    expect(again.image.built_image_digest).toBe(first.image.built_image_digest);
    repo.write('odd{x}.txt', 'another');
    expect((await build(repo)).record.cache.state).toBe('miss');
  });

  test('podman: G44 a base that was built again is no hit, and what was built upon it is told as stale', async () => {
    repo = createFixtureRepo({ Dockerfile: 'FROM localhost/moving:1\nCOPY a.txt /\n', 'a.txt': 'one\n' });
    const base = createFixtureRepo({ Dockerfile: 'FROM scratch\nCOPY b.txt /\n', 'b.txt': 'one\n' });
    try {
      const rebuild = async (text: string) => {
        base.write('b.txt', text);
        const { image } = await build(base);
        containers.podman('tag', image.built_image_digest ?? '', 'localhost/moving:1');
        return image.built_image_digest;
      };
      const firstBase = await rebuild('one\n');
      const first = await build(repo);
      expect(first.image.bases).toEqual([{ ref: 'localhost/moving:1', digest: firstBase }]);
      expect((await build(repo)).record.cache.state).toBe('hit');
      const told = async () => {
        const report = await repo?.workspace({ environment }).report();
        return report?.kind === 'report' ? report.since : report;
      };
      expect(await told()).toBeNull();
      await rebuild('two\n');
      expect(await told()).toMatchObject({ files: ['image localhost/moving:1'], sections: ['image_build'] });
      const second = await build(repo);
      expect(second.record.cache.state).toBe('stale');
      expect(second.image.built_image_digest).not.toBe(first.image.built_image_digest);
    } finally {
      base.dispose();
    }
  });

  test('podman: our own data is in no image, whatever .dockerignore says of it', async () => {
    repo = createFixtureRepo({ Dockerfile: 'FROM scratch\nCOPY . /\n', '.dockerignore': '!.codegenie\n', a: 'a' });
    repo.write('.codegenie/config.yaml', '{}\n');
    const { image } = await build(repo);
    const names = containers.podman(
      'image',
      'inspect',
      '--format',
      '{{.GraphDriver.Data.UpperDir}}',
      image.image_ref ?? '',
    );
    expect(readdirSync(names.stdout.trim()).sort()).toEqual(['.dockerignore', '.git', 'Dockerfile', 'a']);
  });

  test('podman: a file that git ignores is an input when COPY names it, and a folder of such files is built each time', async () => {
    repo = createFixtureRepo({
      Dockerfile: 'FROM scratch\nCOPY out.bin /\nCOPY dist /dist\n',
      '.gitignore': 'out.bin\ndist\n',
    });
    repo.write('out.bin', 'one');
    repo.write('dist/a.js', 'one');
    const first = await build(repo);
    repo.write('out.bin', 'two');
    const second = await build(repo);
    expect(second.record.cache.state).toBe('miss');
    repo.write('dist/a.js', 'two');
    const third = await build(repo);
    expect(third.record.cache.state).toBe('stale');
    expect(new Set([first, second, third].map(({ image }) => image.built_image_digest)).size).toBe(3);
  });

  test('podman: a step that fails is told with its last words, and is not remembered', async () => {
    repo = createFixtureRepo({ Dockerfile: busybox('RUN echo before', 'RUN echo no such luck >&2; exit 3') });
    const { image, record } = await build(repo);
    expect(record).toMatchObject({ status: 'degraded', errors: ['image_build.failed'], confidence: 'low' });
    expect(record.warnings).toEqual(['image_build.network_disabled']);
    expect(image).toMatchObject({ built_image_digest: null, image_ref: null, config: null });
    expect(image.outcome.stderr_tail).toContain('no such luck');
    expect(image.outcome.step).toBe('3/4: RUN echo no such luck >&2; exit 3');
    expect(
      Object.entries(repo.written()).some(
        ([path, text]) => path.endsWith('image-build.log') && text.includes('before'),
      ),
    ).toBe(true);
    expect((await build(repo)).record.cache.state).toBe('miss');
    expect(containers.listContainers()).toEqual([]);
  });

  test('podman: a base that is not here is not fetched, and neither is what ADD names by its address', async () => {
    repo = createFixtureRepo({ Dockerfile: 'FROM localhost/never-built:1\n' });
    expect((await build(repo)).record).toMatchObject({
      status: 'skipped',
      skip: { reason: 'upstream_unavailable', detail: expect.stringContaining('localhost/never-built:1 is not here') },
    });
    repo.write('Dockerfile', 'FROM scratch\nADD http://127.0.0.1:9/x /\n');
    const refused = await build(repo);
    expect(refused.record).toMatchObject({
      errors: ['image_build.failed'],
      warnings: ['image_build.network_disabled'],
    });
    expect(refused.image.outcome.step).toBe('ADD http://127.0.0.1:9/x');
  });

  test('podman: G26 a Dockerfile leads neither into the machine nor writes into the repository', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'codegenie-outside-'));
    try {
      writeFileSync(join(outside, 'secret'), 'HOST-VALUE\n');
      const hostile = [
        [
          busybox('RUN busybox ln -s / /link').replace('\n', ' AS s0\n'),
          busybox(`RUN --mount=type=bind,from=s0,source=/link,target=/m,rw echo x > /m${outside}/x`),
        ].join(''),
        busybox(`RUN --mount=type=bind,source=link,target=/m,rw echo x > /m${outside}/x`),
        busybox(`RUN --mount=type=cache,id=../../../../../../../../../..${outside},target=/m echo x > /m/x`),
        busybox('RUN --mount=type=bind,target=/m,rw echo x > /m/x'),
        busybox('ARG M=mount', 'RUN --$M=type=bind,target=/m,rw echo x > /m/x'),
      ];
      for (const Dockerfile of hostile) {
        repo?.dispose();
        repo = createFixtureRepo({ Dockerfile });
        symlinkSync('/', join(repo.root, 'link'));
        const { image, record } = await build(repo);
        expect(record.warnings).toEqual([]);
        expect(image.outcome).toMatchObject({
          kind: 'failed',
          step: expect.stringMatching(/^RUN --(?:mount|\$M)=/),
        });
        expect(readdirSync(outside)).toEqual(['secret']);
        expect(existsSync(join(repo.root, 'x'))).toBe(false);
      }
      repo?.dispose();
      // A name that sends it through the C preprocessor of the machine.
      repo = createFixtureRepo({
        'Dockerfile.in': busybox(`#include "${outside}/secret"`),
        '.codegenie/config.yaml': 'image_build: {dockerfile: Dockerfile.in}\n',
      });
      expect(JSON.stringify((await build(repo)).image)).not.toMatch(/HOST-VALUE/i);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test('podman: G26 a build cannot reach the files that its limits are', async () => {
    repo = createFixtureRepo({ Dockerfile: busybox('RUN ! busybox mkdir /sys/fs/cgroup/memory/x /sys/fs/cgroup/x') });
    expect((await build(repo)).image.outcome).toEqual({ kind: 'built' });
  });

  test('podman: G26 what a build left in a cache is found by no other', async () => {
    repo = createFixtureRepo({ Dockerfile: busybox('RUN --mount=type=cache,id=c,target=/c echo one > /c/left') });
    expect((await build(repo)).image.outcome).toEqual({ kind: 'built' });
    repo.write('Dockerfile', busybox('RUN --mount=type=cache,id=c,target=/c ! cat /c/left'));
    expect((await build(repo)).image.outcome).toEqual({ kind: 'built' });
    expect(readdirSync(openPrivateStorage(containers.home).tmp)).toEqual([]);
  });

  test('podman: a build has no network', async () => {
    repo = createFixtureRepo({
      Dockerfile: busybox(
        'RUN /bin/busybox ip -o addr > /addresses; ! grep -v " lo " /addresses',
        'RUN ! /bin/busybox wget -T 2 http://127.0.0.1:1/',
      ),
    });
    expect((await build(repo)).image.outcome.kind).toBe('built');
  });

  test('podman: a stage by name, and build arguments with a value', async () => {
    repo = createFixtureRepo({
      Dockerfile: 'FROM scratch AS one\nARG WHO\nLABEL who=$WHO\nCMD ["/one"]\nFROM one\nCMD ["/two"]\n',
      '.codegenie/config.yaml': 'image_build: {target: one, args: ["WHO=me", "HOME"]}\n',
    });
    const { image } = await build(repo);
    expect(image.config?.cmd).toEqual(['/one']);
    const label = containers.podman('image', 'inspect', '--format', '{{.Labels.who}}', image.image_ref ?? '');
    expect(label.stdout.trim()).toBe('me');
  });
});

withPodman('podman: the digest binds what comes after', () => {
  /** Says what it was told of the image, and how often it ran. */
  const consumer = (ran: string[]): Probe =>
    defineProbe({
      name: 'consumer',
      version: '1.0.0',
      layer: 'C',
      says: 'A probe of a test.',
      heaviness: 'light',
      sections: {
        consumer: z.strictObject({
          built_image_digest: z.string().nullable(),
          last_traced_image_digest: z.string().nullable(),
          last_traced_at: z.string(),
          trace_coverage_confidence: z.string(),
        }),
      },
      requires: [{ probe: 'image_build', select: () => null, optional: true }],
      declaredInputs: ['Dockerfile', 'image-digest:<resolved>'],
      configKeys: ['containers.engine'],
      timeoutSeconds: 60,
      confidenceRule: 'Always high.',
      index: { name: 'runtime_trace', check: runtimeTraceFreshness, imageDigest: currentImageDigest },
      async run(of, ctx) {
        const digest = (await ctx.imageDigestResolver?.(of.root)) ?? null;
        ran.push(String(digest));
        const slice = { built_image_digest: digest, last_traced_image_digest: digest };
        const rest = { last_traced_at: ctx.startedAt, trace_coverage_confidence: 'high' };
        return { kind: 'ran', slice: { consumer: { ...slice, ...rest } }, confidence: 'high' };
      },
    });
  const withConsumer = (ran: string[]) => [
    ...probes.filter(({ name }) => ['language_detection', 'dockerfile', 'image_build', 'index_health'].includes(name)),
    consumer(ran),
  ];

  test('podman: G19 two digests are two keys; a change that leaves the digest alone is a hit; a clean run is fresh and drift is told', async () => {
    repo = createFixtureRepo({
      Dockerfile: 'FROM scratch\nCOPY a.txt /\n',
      'a.txt': 'one\n',
      'package.json': '{"name":"a"}',
    });
    const ran: string[] = [];
    const settings = { environment, probes: withConsumer(ran) };
    const gatherOnce = async (of: FixtureRepo) => {
      const published = await of.publish({}, settings);
      const health = published.envelope['index_health'] as unknown as Record<string, { freshness: unknown }>;
      const states = ['image_build', 'consumer'].map((name) => recordOf(published.envelope, name).cache.state);
      return { digest: imageOf(published).built_image_digest, states, freshness: health['runtime_trace']?.freshness };
    };
    const first = await gatherOnce(repo);
    expect(first.states).toEqual(['miss', 'miss']);
    expect(ran).toEqual([first.digest]);
    expect(first.freshness).toMatchObject({ kind: 'fresh' });
    expect((await gatherOnce(repo)).states).toEqual(['hit', 'hit']);

    repo.write('package.json', '{"name":"b"}');
    const same = await gatherOnce(repo);
    expect(same.digest).toBe(first.digest);
    expect(same.states).toEqual(['miss', 'hit']);

    repo.write('a.txt', 'two\n');
    const other = await gatherOnce(repo);
    expect(other.states).toEqual(['miss', 'miss']);
    expect(ran).toEqual([first.digest, other.digest]);

    // Back again: both are remembered, and the repository's image is the first one once more.
    repo.write('a.txt', 'one\n');
    const back = await gatherOnce(repo);
    expect(back).toMatchObject({ digest: first.digest, states: ['hit', 'hit'], freshness: { kind: 'fresh' } });

    // Another image is built and tagged after the gather: asked now, without one.
    containers.podman('tag', other.digest ?? '', latestImageRef(repo.root));
    const report = await repo.workspace(settings).report();
    expect(report).toMatchObject({ kind: 'report' });
    expect(JSON.stringify(report)).toContain(`"expected":"${other.digest}","actual":"${first.digest}"`);
  });
});

withPodman('podman: nothing outlives a build', () => {
  const sleeping = (seconds: number) => busybox(`RUN sleep ${seconds}`);
  const seen = async (mark: string, is: boolean): Promise<void> => {
    while (containers.listProcesses(mark).length > 0 !== is) await delay(20);
  };

  test('podman: G26 G33 a build that is cancelled leaves no process and no container', async () => {
    repo = createFixtureRepo({ Dockerfile: sleeping(98761) });
    const abort = new AbortController();
    const gathering = repo.gather({ only }, { environment, signal: abort.signal });
    await seen('sleep 98761', true);
    abort.abort();
    expect((await gathering).kind).toBe('cancelled');
    expect(containers.listProcesses('sleep 98761')).toEqual([]);
    expect(containers.listContainers()).toEqual([]);
  });

  test('podman: G26 a fork bomb in a build is stopped by the memory it may use', async () => {
    repo = createFixtureRepo({
      Dockerfile: busybox("RUN echo 'b() { b | b & }; b; sleep 98765' > /bomb98765.sh", 'RUN sh /bomb98765.sh'),
    });
    repo.write('~/.codegenie/config.yaml', 'containers: {memory_mb: 48}\nprobes: {timeouts: {image_build: 60}}\n');
    expect((await build(repo)).image.outcome.kind).toBe('failed');
    // The kernel has ended them all with the first of them; hundreds of processes without memory take a moment to be gone.
    await seen('bomb98765.sh', false);
    expect(containers.listProcesses('sleep 98765')).toEqual([]);
    expect(containers.listContainers()).toEqual([]);
  });

  test('podman: G26 G33 a build that takes too long is ended and told', async () => {
    repo = createFixtureRepo({
      Dockerfile: sleeping(98762),
      '.codegenie/config.yaml': 'probes: {timeouts: {image_build: 40}}\n',
    });
    const { record } = await build(repo);
    expect(record.errors).toEqual(['image_build.timeout']);
    expect(containers.listProcesses('sleep 98762')).toEqual([]);
    expect(containers.listContainers()).toEqual([]);
  });

  const startCli = (root: string) =>
    spawn(
      process.execPath,
      [`${import.meta.dirname}/../../bin/codegenie.mjs`, '--repo', root, 'gather', '--only', 'image_build'],
      { env: environment as NodeJS.ProcessEnv, stdio: 'ignore' },
    );

  test('podman: G26 G33 Ctrl-C at the command line leaves no process and no container', async () => {
    repo = createFixtureRepo({ Dockerfile: sleeping(98764) });
    const child = startCli(repo.root);
    await seen('sleep 98764', true);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(containers.listProcesses('sleep 98764')).toEqual([]);
    expect(containers.listContainers()).toEqual([]);
  });

  test('podman: G26 what a killed gather left behind is removed by the next', async () => {
    repo = createFixtureRepo({ Dockerfile: sleeping(98763) });
    const child = startCli(repo.root);
    await seen('sleep 98763', true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(containers.listProcesses('sleep 98763')).not.toEqual([]);
    repo.write('Dockerfile', busybox('RUN echo short'));
    expect((await build(repo)).image.outcome.kind).toBe('built');
    await seen('sleep 98763', false);
    expect(containers.listContainers()).toEqual([]);
  });
});

test('without an engine nothing is built, and it says what to install', async () => {
  repo = createFixtureRepo({ Dockerfile: 'FROM scratch\nCOPY a /\n', a: 'a' });
  const { envelope } = await repo.publish(
    { only: [...only, 'index_health'] },
    { environment: { PATH: '/nowhere', HOME: repo.home }, isGit: false },
  );
  expect(recordOf(envelope, 'image_build').skip).toMatchObject({ reason: 'tool_missing' });
  expect(recordOf(envelope, 'image_build').skip?.detail).toMatch(/podman.*docker\.io/);
});

test('the user can say that no image is built', async () => {
  repo = createFixtureRepo({ Dockerfile: 'FROM scratch\n' });
  repo.write('~/.codegenie/config.yaml', 'containers: {build: never}\n');
  const { envelope } = await repo.publish({ only: [...only, 'index_health'] });
  expect(recordOf(envelope, 'image_build').skip?.reason).toBe('not_configured');
});
