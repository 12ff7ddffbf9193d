/** sbom with a real engine: what is found in an image, what is hidden in it, and that syft says the same. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { latestImageRef } from '../../src/kernel/containers/engine.ts';
import { openContainers } from '../support/container-images.ts';
import { putFakeTool } from '../support/fake-tool.ts';
import { createFixtureRepo, type FixtureRepo, type FixtureSettings, recordOf } from '../support/fixture-repo.ts';
import { imageRepo, makeGoProgram, packageFiles, packageLines } from '../support/package-image.ts';
import { probesWithTrace } from '../support/stub-trace.ts';
import { hasTool } from '../support/tools.ts';

const containers = openContainers();
afterAll(() => containers.dispose());
let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const withPodman = containers.usable ? describe : describe.skip;
const timeoutMs = 180_000;
const trace = {
  binaries: ['/usr/bin/node'],
  libraries: ['/usr/lib/x86_64-linux-gnu/libc.so.6', '/app/node_modules/bcrypt/lib/bcrypt.node'],
};
const settings: FixtureSettings = { environment: containers.environment, probes: probesWithTrace(trace) };
const untraced: FixtureSettings = {
  environment: containers.environment,
  probes: probesWithTrace({ binaries: [], libraries: [] }),
};
const builtin = { '.codegenie/config.yaml': 'sbom.generator: builtin\n' };

type Component = {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
};
const property = (component: Component, name: string) =>
  component.properties.find((each) => each.name === `codegenie:${name}`)?.value;

async function gather(of: FixtureRepo, how: FixtureSettings = settings) {
  const { envelope } = await of.publish({ only: ['sbom', 'runtime_trace', 'index_health'] }, how);
  const record = recordOf(envelope, 'sbom');
  const slice = envelope['sbom'] as unknown as Record<string, unknown>;
  const read = (name: string) =>
    JSON.parse(readFileSync(join(of.root, '.codegenie/context/raw', name), 'utf8')) as { components: Component[] };
  const components =
    slice['artifact_uri'] === null ? [] : read('sbom.json').components.filter((each) => each.type === 'library');
  const lines = components.map((each) => `${property(each, 'type')} ${each.name} ${each.version}`);
  return { record, slice, components, lines, freshness: (envelope['index_health'] as Record<string, unknown>)['sbom'] };
}

withPodman('podman: what is in an image', () => {
  test(
    'podman: G38 every kind of package, each with what the trace has seen of it',
    async () => {
      const program = makeGoProgram();
      repo = createFixtureRepo({
        ...builtin,
        ...imageRepo({ ...packageFiles, ...(program === null ? {} : { 'usr/local/bin/app': program.bytes }) }),
      });
      const first = await gather(repo);
      const goLines = program === null ? [] : [`go stdlib ${program.goVersion}`];
      expect(first.lines.filter((line) => !line.startsWith('go example.com/app'))).toEqual(
        [...packageLines, ...goLines].sort(),
      );
      expect(first.slice).toMatchObject({
        generator: 'builtin',
        package_count: first.lines.length,
        packages_by_source: { apk: 1, deb: 3, npm: 2, python: 1, ...(program === null ? {} : { go: 2 }) },
        os: { id: 'debian', version: '12' },
        os_packages_classification: { runtime_required: 1, build_only: 1, convenience: 1, unknown: 1 },
        npm_packages_native_module_count: 1,
        outcome: { kind: 'ran' },
      });
      expect(first.record).toMatchObject({ status: 'ok', confidence: 'medium', warnings: [] });
      const reach = Object.fromEntries(first.components.map((each) => [each.name, property(each, 'reach')]));
      expect(reach).toMatchObject({ libc6: 'loaded', curl: 'present', bcrypt: 'loaded', '@acme/core': 'present' });
      expect(first.components.find((each) => each.name === 'gcc-12')).toMatchObject({
        properties: expect.arrayContaining([{ name: 'codegenie:role', value: 'build_only' }]),
      });
      expect(first.freshness).toMatchObject({ freshness: { kind: 'fresh' } });

      const again = await gather(repo);
      expect(again.record.cache.state).toBe('hit');
      expect({ ...again.slice, scanned_at: '' }).toEqual({ ...first.slice, scanned_at: '' });
    },
    timeoutMs,
  );

  test(
    'podman: without a trace nothing is required, and what is loaded is unknown',
    async () => {
      repo = createFixtureRepo({ ...builtin, ...imageRepo(packageFiles) });
      const { slice, components } = await gather(repo, untraced);
      expect(slice).toMatchObject({ os_packages_classification: { runtime_required: 0, unknown: 2 } });
      expect(new Set(components.map((each) => property(each, 'reach')))).toEqual(new Set(['unknown']));
    },
    timeoutMs,
  );

  test(
    'podman: what a later layer removes is hidden, what it changes is changed',
    async () => {
      const npm = (name: string, version: string) => JSON.stringify({ name, version });
      repo = createFixtureRepo({
        ...builtin,
        Dockerfile: [
          `FROM ${containers.busyboxBase()}`,
          'COPY first /srv',
          'COPY second /srv',
          'RUN ["/bin/busybox", "rm", "-r", "/srv/node_modules/gone"]',
          'RUN ["/bin/sh", "-c", "/bin/busybox rm -r /srv/lib && /bin/busybox mkdir -p /srv/lib/node_modules/new && /bin/busybox cp /srv/node_modules/kept/package.json /srv/lib/node_modules/new/"]',
        ].join('\n'),
        'first/node_modules/kept/package.json': npm('kept', '1.0.0'),
        'first/node_modules/gone/package.json': npm('gone', '1.0.0'),
        'first/lib/node_modules/old/package.json': npm('old', '1.0.0'),
        'second/node_modules/kept/package.json': npm('kept', '2.0.0'),
      });
      const { lines, components } = await gather(repo);
      expect(lines).toEqual(['npm kept 2.0.0', 'npm kept 2.0.0']);
      expect(components.map((each) => property(each, 'location'))).toEqual([
        '/srv/lib/node_modules/new/package.json',
        '/srv/node_modules/kept/package.json',
      ]);
    },
    timeoutMs,
  );

  test(
    'podman: G19 an image that was built again is another bill, and the old one is stale until it is made',
    async () => {
      repo = createFixtureRepo({
        ...builtin,
        ...imageRepo({ 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' }),
      });
      const first = await gather(repo);
      repo.write('rootfs/app/node_modules/a/package.json', '{"name":"a","version":"2.0.0"}');
      const second = await gather(repo);
      expect([first.lines, second.lines]).toEqual([['npm a 1.0.0'], ['npm a 2.0.0']]);
      expect(second.record.cache.state).toBe('miss');
      expect(second.slice['built_image_digest']).not.toBe(first.slice['built_image_digest']);
      expect(second.freshness).toMatchObject({ freshness: { kind: 'fresh' } });
      // The older image is tagged as the repository's own after the gather: asked now, without one.
      containers.podman('tag', String(first.slice['built_image_digest']), latestImageRef(repo.root));
      const report = JSON.stringify(await repo.workspace(settings).report());
      expect(report).toContain(
        `"expected":"${first.slice['built_image_digest']}","actual":"${second.slice['built_image_digest']}"`,
      );
    },
    timeoutMs,
  );

  test.skipIf(!hasTool('strace'))(
    'podman, strace: a package whose program a real trace has seen is required',
    async () => {
      repo = createFixtureRepo({
        ...builtin,
        Dockerfile: `FROM ${containers.busyboxBase()}\nCOPY rootfs /\nCMD ["/bin/busybox", "echo", "hello"]\n`,
        'rootfs/var/lib/dpkg/status': [
          'Package: busybox-static\nStatus: install ok installed\nVersion: 1:1.35.0-4\n',
          'Package: libc6\nStatus: install ok installed\nVersion: 2.36-9\n',
        ].join('\n'),
        'rootfs/var/lib/dpkg/info/busybox-static.list': '/bin/busybox\n',
        'rootfs/var/lib/dpkg/info/libc6.list': '/lib/x86_64-linux-gnu/libc.so.6\n',
      });
      const { slice, components } = await gather(repo, { environment: containers.environment });
      expect(slice).toMatchObject({ os_packages_classification: { runtime_required: 1, unknown: 1 } });
      expect(components.map((each) => [each.name, property(each, 'reach')])).toEqual([
        ['busybox-static', 'loaded'],
        ['libc6', 'present'],
      ]);
    },
    timeoutMs,
  );

  test.skipIf(hasTool('syft'))(
    'podman: without syft the layers are read by ourselves, and that is said',
    async () => {
      repo = createFixtureRepo(imageRepo({ 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' }));
      const { record, slice } = await gather(repo);
      expect(record).toMatchObject({ status: 'ok', confidence: 'medium', warnings: ['sbom.tool_missing'] });
      expect(slice).toMatchObject({ generator: 'builtin', package_count: 1 });
      repo.write('.codegenie/config.yaml', 'sbom.generator: syft\n');
      const { record: refused } = await gather(repo);
      expect(refused).toMatchObject({ status: 'skipped', skip: { reason: 'tool_missing' } });
    },
    timeoutMs,
  );

  test.skipIf(!hasTool('syft'))(
    'podman, syft: both say the same of the same image',
    async () => {
      repo = createFixtureRepo(imageRepo(packageFiles));
      const bySyft = await gather(repo);
      expect(bySyft.record).toMatchObject({ status: 'ok', confidence: 'high', warnings: [] });
      expect(bySyft.slice).toMatchObject({ generator: 'syft' });
      repo.write('.codegenie/config.yaml', 'sbom.generator: builtin\n');
      const byUs = await gather(repo);
      expect(byUs.slice).toMatchObject({ generator: 'builtin' });
      expect(bySyft.lines).toEqual(byUs.lines);
      for (const key of ['packages_by_source', 'os', 'os_packages_classification', 'npm_packages_native_module_count'])
        expect([key, bySyft.slice[key]]).toEqual([key, byUs.slice[key]]);
      const reach = (of: typeof byUs) =>
        Object.fromEntries(of.components.map((each) => [each.name, property(each, 'reach')]));
      expect(reach(bySyft)).toEqual(reach(byUs));
    },
    timeoutMs,
  );
});

test('where no image is meant to be built it does not apply, and the gather is complete without it', async () => {
  repo = createFixtureRepo({ Dockerfile: 'FROM scratch\n', '~/.codegenie/config.yaml': 'containers.engine: none\n' });
  const { envelope } = await repo.publish({ only: ['sbom', 'cve', 'index_health'] });
  for (const name of ['sbom', 'cve'])
    expect(recordOf(envelope, name)).toMatchObject({
      status: 'skipped',
      skip: { reason: 'not_configured' },
      confidence: null,
    });
});

withPodman('podman: a syft that misbehaves', () => {
  const answers = [
    ['garbage with exit code 0', 'echo "{not json"', { kind: 'failed', exit_code: 0, reason: 'invalid_json' }],
    ['JSON of another shape', 'echo "[1]"', { kind: 'failed', exit_code: 0, reason: 'invalid_json' }],
    ['a crash', 'echo "boom" >&2; exit 3', { kind: 'failed', exit_code: 3, reason: null }],
  ] as const;
  test.each(answers)(
    'podman: G32 %s',
    async (_what, answer, outcome) => {
      repo = createFixtureRepo(imageRepo({ 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' }));
      const path = putFakeTool(join(containers.home, 'fake'), 'syft', answer);
      const how = { ...settings, environment: { ...containers.environment, PATH: path } };
      // Left to itself the program reads the image in another way; asked for syft it says what became of it.
      const first = await gather(repo, how);
      expect(first.record).toMatchObject({ confidence: 'medium', warnings: ['sbom.syft_failed'] });
      expect([first.slice['generator'], first.lines]).toEqual(['builtin', ['npm a 1.0.0']]);
      repo.write('.codegenie/config.yaml', 'sbom.generator: syft\n');
      const second = await gather(repo, how);
      expect(second.slice).toMatchObject({ generator: 'syft', artifact_uri: null, package_count: 0, outcome });
      expect(second.record.confidence).toBe('low');
      expect((await gather(repo, how)).record.cache.state).toBe('stale');
    },
    timeoutMs,
  );
});

withPodman('podman: an image that cannot be built', () => {
  test(
    'podman: there is nothing to read, and that is said',
    async () => {
      repo = createFixtureRepo({ Dockerfile: 'FROM localhost/never-there:1\n' });
      const { envelope } = await repo.publish({ only: ['sbom', 'cve', 'index_health'] }, untraced);
      expect(recordOf(envelope, 'sbom')).toMatchObject({ status: 'skipped', skip: { reason: 'upstream_unavailable' } });
      expect(recordOf(envelope, 'cve')).toMatchObject({ status: 'skipped', skip: { reason: 'upstream_unavailable' } });
      const health = envelope['index_health'] as Record<string, { readonly freshness: { readonly kind: string } }>;
      expect([health['sbom']?.freshness.kind, health['cve']?.freshness.kind]).toEqual(['stale', 'stale']);
    },
    timeoutMs,
  );
});
