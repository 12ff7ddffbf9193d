/** cve with a real image: what is found in local advisories, what is reachable, and that nothing is counted where nothing was looked at. */

import { mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openContainers } from '../support/container-images.ts';
import { putFakeTool } from '../support/fake-tool.ts';
import { createFixtureRepo, type FixtureRepo, type FixtureSettings, recordOf } from '../support/fixture-repo.ts';
import { hasGrypeOfFifthForm, writeGrypeDatabase } from '../support/grype-database.ts';
import { imageRepo, packageFiles } from '../support/package-image.ts';
import { probesWithTrace } from '../support/stub-trace.ts';
import { hasTool } from '../support/tools.ts';

const containers = openContainers();
afterAll(() => containers.dispose());
let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const withPodman = containers.usable ? describe : describe.skip;
const timeoutMs = 180_000;
const settings: FixtureSettings = {
  environment: containers.environment,
  probes: probesWithTrace({
    binaries: ['/usr/bin/node'],
    libraries: ['/usr/lib/x86_64-linux-gnu/libc.so.6', '/app/node_modules/bcrypt/lib/bcrypt.node'],
  }),
};
const builtin = { '.codegenie/config.yaml': 'sbom.generator: builtin\n' };

const advisory = (id: string, ecosystem: string, name: string, fixed: string, type = 'ECOSYSTEM') =>
  JSON.stringify({
    id,
    affected: [{ package: { ecosystem, name }, ranges: [{ type, events: [{ introduced: '0' }, { fixed }] }] }],
  });
const advisories = {
  '~/osv/a.json': advisory('CVE-2024-1001', 'Debian:12', 'glibc', '2.36-9+deb12u10'),
  '~/osv/b.json': advisory('CVE-2024-1002', 'Debian:12', 'curl', '7.88.1-10+deb12u5'),
  '~/osv/c.json': advisory('CVE-2024-1003', 'Debian:11', 'curl', '9'),
  '~/osv/d.json': advisory('CVE-2024-1004', 'npm', 'bcrypt', '5.1.1', 'SEMVER'),
  '~/osv/e.json': JSON.stringify({
    ...JSON.parse(advisory('CVE-2024-1005', 'npm', 'bcrypt', '9.0.0', 'SEMVER')),
    withdrawn: '2024-01-01T00:00:00Z',
  }),
  '~/osv/f.json': JSON.stringify({
    id: 'PYSEC-1',
    aliases: ['CVE-2024-1006'],
    affected: [{ package: { ecosystem: 'PyPI', name: 'Six' }, versions: ['1.15.0', '1.16.0'] }],
    database_specific: { severity: 'HIGH' },
  }),
  '~/osv/broken.json': '{',
};
const withOsv = { '~/.codegenie/config.yaml': 'cve.osv_dir: ~/osv\ncve.grype_db_dir: ~/none\n' };

async function gather(of: FixtureRepo, how: FixtureSettings = settings) {
  const { envelope } = await of.publish({ only: ['cve', 'runtime_trace', 'index_health'] }, how);
  const index = (envelope['index_health'] as Record<string, { readonly freshness: unknown }>)['cve'];
  return {
    record: recordOf(envelope, 'cve'),
    slice: envelope['cve_scan'] as unknown as Record<string, unknown>,
    freshness: index?.freshness,
  };
}

withPodman('podman: vulnerabilities of an image', () => {
  test(
    'podman: G38 advisories of a directory, sorted by severity, with what the trace has loaded',
    async () => {
      repo = createFixtureRepo({ ...builtin, ...withOsv, ...advisories, ...imageRepo(packageFiles) });
      const { record, slice, freshness } = await gather(repo);
      expect(slice).toMatchObject({
        artifact_uri: '.codegenie/context/raw/cve.json',
        scanner: 'osv_local',
        total: 3,
        by_severity: { critical: 0, high: 1, medium: 0, low: 0, negligible: 0, unknown: 2 },
        by_source: { deb: 1, npm: 1, python: 1 },
        scanner_disagreements: null,
        outcome: { kind: 'ran' },
      });
      const short = (slice['top_findings'] as Record<string, unknown>[]).map((each) =>
        [each['cve_id'], each['package_name'], each['fix_state'], each['fixed_in'], each['reachable']].join(' '),
      );
      expect(short).toEqual([
        'CVE-2024-1006 six unknown  present',
        'CVE-2024-1004 bcrypt fixed 5.1.1 loaded',
        'CVE-2024-1001 libc6 fixed 2.36-9+deb12u10 loaded',
      ]);
      expect(record).toMatchObject({
        status: 'ok',
        confidence: 'medium',
        warnings: ['cve.file_unread', 'cve.packages_not_covered'],
      });
      expect(record.diagnostics).toContainEqual(expect.objectContaining({ id: 'cve.file_unread' }));
      expect(freshness).toMatchObject({ kind: 'fresh' });
      const raw = JSON.parse(readFileSync(join(repo.root, '.codegenie/context/raw/cve.json'), 'utf8')) as {
        findings: unknown[];
      };
      expect(raw.findings).toHaveLength(3);

      expect((await gather(repo)).record.cache.state).toBe('hit');
      repo.write('~/osv/g.json', advisory('CVE-2024-1007', 'npm', '@acme/core', '2.0.0', 'SEMVER'));
      const more = await gather(repo);
      expect([more.record.cache.state, more.slice['total']]).toEqual(['miss', 4]);
      expect(more.slice['db_version']).not.toBe(slice['db_version']);
    },
    timeoutMs,
  );

  test(
    'podman: old data is used, said to be old, and stale; data that grows old is noticed on a hit',
    async () => {
      repo = createFixtureRepo({
        ...builtin,
        ...withOsv,
        ...imageRepo({
          'app/node_modules/bcrypt/package.json': packageFiles['app/node_modules/bcrypt/package.json'] ?? '',
        }),
      });
      repo.write('~/osv/d.json', advisories['~/osv/d.json']);
      const day = 86_400_000;
      const at = Date.parse('2026-05-01T00:00:00Z');
      utimesSync(join(repo.home, 'osv/d.json'), at / 1000, at / 1000);
      const on = (days: number) => ({ ...settings, nowMs: () => at + days * day });
      const young = await gather(repo, on(1));
      expect(young.record).toMatchObject({ confidence: 'high', warnings: [] });
      expect(young.slice).toMatchObject({ db_built_at: '2026-05-01T00:00:00.000Z', total: 1 });
      expect(young.freshness).toMatchObject({ kind: 'fresh' });
      const old = await gather(repo, { ...on(8), nowMs: () => at + 8 * day });
      expect(old.record).toMatchObject({ confidence: 'medium', warnings: ['cve.db_old'] });
      expect(old.slice['total']).toBe(1);
      expect(old.freshness).toMatchObject({
        kind: 'stale',
        reason: { kind: 'indexer_error', message: 'cve_db_expired' },
      });
    },
    timeoutMs,
  );

  test(
    'podman: files without an advisory in them are no data',
    async () => {
      repo = createFixtureRepo({
        ...builtin,
        ...withOsv,
        '~/osv/x.json': '{}',
        ...imageRepo({ 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' }),
      });
      const { record, slice } = await gather(repo);
      expect(slice).toMatchObject({
        total: null,
        by_severity: null,
        outcome: { kind: 'failed', reason: 'nothing_scanned' },
      });
      expect(record.confidence).toBe('low');
      expect((await gather(repo)).record.cache.state).toBe('stale');
    },
    timeoutMs,
  );

  test.skipIf(hasTool('grype'))(
    'podman: without grype and without advisories nothing is counted',
    async () => {
      repo = createFixtureRepo({
        ...builtin,
        ...imageRepo({ 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' }),
      });
      const { record } = await gather(repo);
      expect(record).toMatchObject({
        status: 'skipped',
        skip: { reason: 'tool_missing' },
        warnings: ['cve.tool_missing'],
      });
    },
    timeoutMs,
  );

  test(
    'podman: an OSV directory that is empty is no data',
    async () => {
      repo = createFixtureRepo({
        ...builtin,
        ...withOsv,
        ...imageRepo({ 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' }),
      });
      mkdirSync(join(repo.home, 'osv'));
      const { record, freshness } = await gather(repo);
      expect(record).toMatchObject({
        status: 'skipped',
        skip: { reason: 'db_unavailable' },
        warnings: ['cve.db_missing'],
      });
      expect(freshness).toMatchObject({ kind: 'stale' });
    },
    timeoutMs,
  );

  test.skipIf(!hasTool('grype'))(
    'podman, grype: without its data it is not run, and with data it cannot read nothing is counted either',
    async () => {
      repo = createFixtureRepo({
        ...builtin,
        '~/.codegenie/config.yaml': 'cve.grype_db_dir: ~/grype\n',
        ...imageRepo({ 'app/node_modules/a/package.json': '{"name":"a","version":"1.0.0"}' }),
      });
      const none = await gather(repo);
      expect(none.record).toMatchObject({
        status: 'skipped',
        skip: { reason: 'db_unavailable' },
        warnings: ['cve.db_missing'],
      });
      repo.write('~/grype/6/import.json', '{"digest":"xxh64:0","source":"x"}');
      const unusable = await gather(repo);
      expect(unusable.record).toMatchObject({ status: 'skipped', skip: { reason: 'db_unavailable' } });
    },
    timeoutMs,
  );

  test.skipIf(!hasGrypeOfFifthForm())(
    'podman, grype: it finds what its data says of source packages and of npm, and agrees with the same advisories',
    async () => {
      repo = createFixtureRepo({
        ...builtin,
        '~/.codegenie/config.yaml': 'cve.osv_dir: ~/osv\ncve.grype_db_dir: ~/grype\n',
        '~/osv/a.json': advisories['~/osv/a.json'],
        '~/osv/b.json': advisories['~/osv/b.json'],
        '~/osv/d.json': advisories['~/osv/d.json'],
        ...imageRepo(packageFiles),
      });
      const debian = { namespace: 'debian:distro:debian:12', format: 'deb' };
      writeGrypeDatabase(join(repo.home, 'grype'), '2026-05-01T00:00:00Z', [
        {
          id: 'CVE-2024-1001',
          name: 'glibc',
          ...debian,
          constraint: '< 2.36-9+deb12u10',
          fixedIn: '2.36-9+deb12u10',
          severity: 'Medium',
        },
        {
          id: 'CVE-2024-1002',
          name: 'curl',
          ...debian,
          constraint: '< 7.88.1-10+deb12u5',
          fixedIn: '7.88.1-10+deb12u5',
          severity: 'Low',
        },
        {
          id: 'CVE-2024-1004',
          name: 'bcrypt',
          namespace: 'github:language:javascript',
          format: 'unknown',
          constraint: '< 5.1.1',
          fixedIn: '5.1.1',
          severity: 'High',
        },
      ]);
      const { slice, record, freshness } = await gather(repo, {
        ...settings,
        nowMs: () => Date.parse('2026-05-02T00:00:00Z'),
      });
      const short = (slice['top_findings'] as Record<string, unknown>[]).map((each) =>
        [each['cve_id'], each['package_name'], each['severity'], each['fixed_in'], each['reachable']].join(' '),
      );
      expect(short).toEqual([
        'CVE-2024-1004 bcrypt high 5.1.1 loaded',
        'CVE-2024-1001 libc6 medium 2.36-9+deb12u10 loaded',
      ]);
      expect(slice).toMatchObject({
        scanner: 'grype',
        total: 2,
        by_source: { deb: 1, npm: 1 },
        scanner_disagreements: 0,
      });
      expect(record).toMatchObject({ status: 'ok', confidence: 'high', warnings: [] });
      expect(freshness).toMatchObject({ kind: 'fresh' });
    },
    timeoutMs,
  );

  describe('podman: a grype that answers what it is told to', () => {
    const files = {
      ...builtin,
      '~/.codegenie/config.yaml': 'cve.osv_dir: ~/osv\ncve.grype_db_dir: ~/grype\n',
      '~/grype/6/import.json': JSON.stringify({
        source: 'https://x/vulnerability-db_v6.0.2_2026-05-01T00:00:00Z_1.tar.zst',
      }),
      ...imageRepo({ 'app/node_modules/bcrypt/package.json': '{"name":"bcrypt","version":"5.1.0"}' }),
    };
    const match = (id: string) => ({
      vulnerability: { id, severity: 'High', fix: { versions: ['5.1.1'], state: 'fixed' } },
      artifact: { name: 'bcrypt', version: '5.1.0' },
    });
    const answer = (text: string): FixtureSettings => ({
      ...settings,
      nowMs: () => Date.parse('2026-05-02T00:00:00Z'),
      environment: { ...containers.environment, PATH: putFakeTool(join(containers.home, 'fake'), 'grype', text) },
    });
    const says = (document: unknown) => answer(`cat <<'END'\n${JSON.stringify(document)}\nEND`);

    test(
      'podman: both together: what either found, and how often they disagree',
      async () => {
        repo = createFixtureRepo({
          ...files,
          '~/osv/d.json': advisories['~/osv/d.json'],
          '~/osv/h.json': advisory('CVE-2024-1008', 'npm', 'bcrypt', '6.0.0', 'SEMVER'),
        });
        const { slice, record } = await gather(repo, says({ matches: [match('CVE-2024-1004'), match('CVE-2024-9')] }));
        expect(slice).toMatchObject({
          scanner: 'grype',
          total: 3,
          scanner_disagreements: 2,
          by_severity: { high: 2, unknown: 1 },
        });
        expect(slice['db_version']).toMatch(/^grype\+\S+ osv\+\S+$/);
        expect(record).toMatchObject({ confidence: 'high', warnings: [] });
      },
      timeoutMs,
    );

    test(
      'podman: the age is that of the archive the data came from',
      async () => {
        repo = createFixtureRepo({ ...files, '~/.codegenie/config.yaml': 'cve.grype_db_dir: ~/grype\n' });
        const { slice, freshness } = await gather(repo, says({ matches: [] }));
        expect(slice).toMatchObject({ total: 0, db_built_at: '2026-05-01T00:00:00.000Z', scanner_disagreements: null });
        expect(freshness).toMatchObject({ kind: 'fresh' });
      },
      timeoutMs,
    );

    test.each([
      [
        'data it cannot open',
        'echo "failed to load vulnerability db: database does not exist" >&2; exit 1',
        { status: 'skipped', skip: { reason: 'db_unavailable' } },
      ],
      ['garbage', 'echo "<html>"', { status: 'ok', confidence: 'low', warnings: ['cve.grype_failed'] }],
      ['a crash', 'exit 2', { status: 'ok', confidence: 'low', warnings: ['cve.grype_failed'] }],
    ])(
      'podman: G32 %s counts nothing',
      async (_what, text, record) => {
        repo = createFixtureRepo({ ...files, '~/.codegenie/config.yaml': 'cve.grype_db_dir: ~/grype\n' });
        const given = await gather(repo, answer(text));
        expect(given.record).toMatchObject(record);
        expect(given.slice?.['total'] ?? null).toBe(null);
        expect(given.freshness).toMatchObject({ kind: 'stale' });
      },
      timeoutMs,
    );

    test(
      'podman: what the advisories say stands where grype failed',
      async () => {
        repo = createFixtureRepo({ ...files, '~/osv/d.json': advisories['~/osv/d.json'] });
        const { slice, record } = await gather(repo, answer('exit 2'));
        expect(slice).toMatchObject({ scanner: 'osv_local', total: 1, outcome: { kind: 'ran' } });
        expect(record).toMatchObject({ confidence: 'medium', warnings: expect.arrayContaining(['cve.grype_failed']) });
      },
      timeoutMs,
    );
  });
});
