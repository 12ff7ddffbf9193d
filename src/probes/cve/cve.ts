/**
 * Known vulnerabilities of the packages in the image, by grype and by a local OSV export, whichever is there. Without vulnerability data it
 * says so and counts nothing: no findings is an answer only where somebody looked.
 */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { cveFreshness } from '../../gather/freshness/image-scan.ts';
import { z } from '../../kernel/base/schema.ts';
import { fixStates } from '../shared/cve/cve-finding.ts';
import { cveInputs } from '../shared/cve/cve-inputs.ts';
import { cveSeverities } from '../shared/cve/cvss-severity.ts';
import { member, textAt } from '../shared/json-access.ts';
import { imageExpected } from '../shared/sbom/image-expected.ts';
import { packageTypes } from '../shared/sbom/package-types.ts';
import { scannerOutcome } from '../shared/scanner.ts';

const text = namedOnly(z.string());

const section = z.strictObject({
  /** Root-relative; null where nothing was scanned. */
  artifact_uri: text.nullable(),
  /** The one whose words are used where both found the same. */
  scanner: z.enum(['grype', 'osv_local']).nullable(),
  /** Of all data that was used. */
  db_version: text.nullable(),
  /** Of the oldest of it; a directory is as old as its newest file. */
  db_built_at: z.string().nullable(),
  scanned_image_digest: text.nullable(),
  /** Null where nobody looked. */
  total: z.int().nullable(),
  by_severity: z
    .strictObject({
      critical: z.int(),
      high: z.int(),
      medium: z.int(),
      low: z.int(),
      negligible: z.int(),
      unknown: z.int(),
    })
    .nullable(),
  by_source: z.partialRecord(z.enum(packageTypes), z.int()).nullable(),
  /** The worst 20; all of them are in `cve.json`. */
  top_findings: z.array(
    z.strictObject({
      cve_id: text,
      package_name: text,
      package_version: text,
      severity: z.enum(cveSeverities),
      fix_state: z.enum(fixStates),
      fixed_in: text.nullable(),
      /** `loaded`: the package owns a file that the trace saw mapped or executed. */
      reachable: z.enum(['loaded', 'present', 'unknown']),
    }),
  ),
  /** Findings of one scanner alone; null where only one ran. */
  scanner_disagreements: z.int().nullable(),
  outcome: scannerOutcome,
  scanned_at: z.string(),
});

const timeoutSeconds = 120;

export default defineProbe({
  name: 'cve',
  version: '0.1.0',
  layer: 'C',
  says: 'Known vulnerabilities of the packages in the built image, and whether the running program loads what they are in.',
  heaviness: 'medium',
  sections: { cve_scan: section },
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
      const { describeDatabases, findCveDatabases } = await import('../shared/cve/cve-databases.ts');
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
      const { currentImageDigest } = await import('../shared/image-build/current-image-digest.ts');
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
    const { gatherCve } = await import('../shared/cve/gather-cve.ts');
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
