/**
 * Known vulnerabilities of the packages in the image, by grype and by a local OSV export, whichever is there. Without vulnerability data it
 * says so and counts nothing: no findings is an answer only where something was looked up.
 */

import { defineProbe } from '../../gather/contract.ts';
import { cveFreshness } from '../../gather/freshness/index-checks.ts';
import { member, textAt } from '../../kernel/base/json-access.ts';
import { imageExpected } from '../image-build/image-build-section.ts';
import { cveInputs, cveSection } from './cve-section.ts';

const timeoutSeconds = 120;

export default defineProbe({
  name: 'cve',
  version: '0.1.0',
  layer: 'C',
  says: 'Known vulnerabilities of the packages in the built image, and whether the running program loads what they are in.',
  heaviness: 'medium',
  sections: { cve_scan: cveSection },
  requires: [
    {
      probe: 'sbom',
      select: (slice) => ({ built_image_digest: member(slice['sbom'], 'built_image_digest') ?? null }),
      artifacts: ['sbom.json'],
    },
  ],
  declaredInputs: ['image-digest:<resolved>', ...cveInputs],
  configKeys: ['cve.grype_db_dir', 'cve.osv_dir', 'cve.max_db_age_days', 'containers.engine'],
  tools: ['grype'],
  timeoutSeconds,
  budget: { rssMb: 500, rawArtifactMb: 64, truncateMb: 64 },
  artifacts: ['cve.json', 'grype-cves.json'],
  warningIds: [
    'cve.db_missing',
    'cve.db_old',
    'cve.tool_missing',
    'cve.grype_failed',
    'cve.no_packages',
    'cve.range_unjudged',
    'cve.packages_not_covered',
    'cve.file_unread',
  ],
  confidenceRule:
    'high when every package was looked up in fresh data; medium when the data is old, does not cover a kind of package, or has parts that cannot be read or judged; else low',
  index: {
    name: 'cve',
    check: cveFreshness,
    async expected(repo, ctx) {
      const { describeDatabases, findCveDatabases } = await import('./cve-databases.ts');
      const { grype, osv } = await findCveDatabases(repo, ctx.config);
      const hasGrype = grype !== null && (await ctx.exec.toolVersion('grype')).path !== null;
      const used = [hasGrype ? grype : null, osv].filter((each) => each !== null);
      const database = describeDatabases(used, ctx.startedAt);
      return {
        db_version: database?.version ?? null,
        db_age_days: database === null ? null : database.ageDays.toFixed(3),
        max_db_age_days: String(ctx.config['cve.max_db_age_days']),
      };
    },
    async imageDigest(repo, ctx) {
      const { currentImageDigest } = await import('../image-build/built-image.ts');
      return currentImageDigest(repo, ctx);
    },
    detail: (slice) => ({
      scanner: slice['scanner'] ?? null,
      db_version: slice['db_version'] ?? null,
      db_built_at: slice['db_built_at'] ?? null,
      total: slice['total'] ?? null,
    }),
  },
  applies: imageExpected,
  /** The data is part of the key; what it does not hold is how old the data has become since. */
  async revalidate(output, ctx) {
    const slice = output['cve_scan'];
    const builtAt = textAt(slice, 'db_built_at');
    const scannedAt = textAt(slice, 'scanned_at');
    if (member(slice, 'outcome', 'kind') !== 'ran' || builtAt === null || scannedAt === null) return false;
    const isOld = (now: string) =>
      Date.parse(now) - Date.parse(builtAt) > ctx.config['cve.max_db_age_days'] * 86_400_000;
    return isOld(scannedAt) === isOld(ctx.startedAt);
  },
  async run(repo, ctx) {
    const { gatherCve } = await import('./gather-cve.ts');
    return gatherCve(repo, ctx, (repo.config['probes.timeouts']['cve'] ?? timeoutSeconds) * 0.5);
  },
  examples: [
    {
      shows: 'an advisory of a local OSV export that speaks of a package in the image (needs an engine to build it)',
      needs: ['podman'],
      files: {
        '~/.codegenie/config.yaml': 'cve.osv_dir: ~/osv\ncve.grype_db_dir: ~/none\nsbom.generator: builtin\n',
        '~/osv/npm/GHSA-1.json': JSON.stringify({
          id: 'GHSA-1',
          modified: '2026-01-01T00:00:00Z',
          aliases: ['CVE-2024-0001'],
          severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
          affected: [
            {
              package: { ecosystem: 'npm', name: 'left' },
              ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.0' }] }],
            },
          ],
        }),
        '~/osv/npm/GHSA-2.json': JSON.stringify({
          id: 'GHSA-2',
          affected: [
            {
              package: { ecosystem: 'npm', name: 'left' },
              ranges: [{ type: 'SEMVER', events: [{ introduced: '2.0.0' }] }],
            },
          ],
        }),
        Dockerfile: 'FROM scratch\nCOPY app /app\nCMD ["/none"]\n',
        'app/node_modules/left/package.json': '{"name":"left","version":"1.1.9"}',
        'app/node_modules/right/package.json': '{"name":"right","version":"1.1.9"}',
      },
      gives: {
        cve_scan: {
          scanner: 'osv_local',
          total: 1,
          by_severity: { critical: 1, high: 0 },
          by_source: { npm: 1 },
          top_findings: [
            {
              cve_id: 'CVE-2024-0001',
              package_name: 'left',
              package_version: '1.1.9',
              severity: 'critical',
              fix_state: 'fixed',
              fixed_in: '1.2.0',
            },
          ],
          scanner_disagreements: null,
          outcome: { kind: 'ran' },
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'without an image there is nothing to scan',
      files: { 'a.txt': 'x' },
      gives: {},
      skipped: 'not_applicable',
    },
  ],
});
