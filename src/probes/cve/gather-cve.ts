/** Looks up the packages of the image in the vulnerability data there is: grype's, a local OSV export, or both together. */

import { relative } from 'node:path';
import type { Diagnostic, ProbeOutput, ProbeRepo, RawArtifact } from '../../gather/contract.ts';
import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { objectAt, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { parseJson } from '../../kernel/formats/parse-json.ts';
import { fromCycloneDx } from '../sbom/cyclonedx.ts';
import { countBy, packageTypes } from '../sbom/sbom-section.ts';
import { jsonBytes } from '../shared/probe-reading.ts';
import { failedWith, ran, type ScannerOutcome, type ScannerSkip, skippedFor } from '../shared/scanners.ts';
import { type CveContext, type CveDatabase, describeDatabases, findCveDatabases } from './cve-databases.ts';
import { type CveFinding, sortCves, uniteCves } from './cve-findings.ts';
import { cveSeverities } from './cve-section.ts';
import { type GrypeRun, runGrype } from './grype.ts';
import { type OsvScan, scanOsv } from './osv.ts';

const topFindings = 20;
const billBytes = 128 * 1024 * 1024;

export async function gatherCve(repo: ProbeRepo, ctx: CveContext, timeoutS: number): Promise<ProbeOutput> {
  const upstream = ctx.upstream['sbom'];
  const bytes = upstream?.artifacts['sbom.json'];
  const digest = textAt(objectAt(upstream?.value), 'built_image_digest');
  const parsed = bytes === undefined ? null : parseJson(bytes, { maxBytes: billBytes, maxDepth: 32 });
  const bill = parsed?.ok === true ? fromCycloneDx(parsed.value) : null;
  if (bytes === undefined || bill === null || digest === null)
    return skip(ctx, 'upstream_unavailable', digest, 'there is no bill of materials');

  const databases = await findCveDatabases(repo, ctx.config);
  const hasGrype = (await ctx.exec.toolVersion('grype')).path !== null;
  const useGrype = hasGrype && databases.grype !== null;
  if (!useGrype && databases.osv === null) {
    if (!hasGrype && ctx.config['cve.osv_dir'] === null)
      return skip(
        ctx,
        'tool_missing',
        digest,
        'neither grype nor an OSV directory (cve.osv_dir) is there',
        'cve.tool_missing',
      );
    return skip(ctx, 'db_unavailable', digest, 'there is no vulnerability data to look in', 'cve.db_missing');
  }
  const grype = useGrype ? await runGrype(ctx, { bill: bytes, packages: bill.packages, timeoutS }) : null;
  const osv = databases.osv === null ? null : await scanOsv(repo, databases.osv.ids, bill);
  return publish(repo, ctx, digest, bill.packages.length, { grype, osv, databases });
}

type Scans = {
  readonly grype: GrypeRun | null;
  readonly osv: OsvScan | null;
  readonly databases: { readonly grype: CveDatabase | null; readonly osv: CveDatabase | null };
};

function publish(repo: ProbeRepo, ctx: CveContext, digest: string, packages: number, scans: Scans): ProbeOutput {
  const byGrype = scans.grype?.kind === 'read' ? scans.grype : null;
  // Files without a single advisory in them are no vulnerability data.
  const byOsv = scans.osv !== null && scans.osv.advisories > 0 ? scans.osv : null;
  const outcome = outcomeOf(scans, byGrype !== null || byOsv !== null);
  if (outcome.kind === 'skipped')
    return skip(ctx, outcome.reason, digest, 'the vulnerability data could not be used', 'cve.db_missing');

  const united = byGrype !== null && byOsv !== null ? uniteCves(byGrype.findings, byOsv.findings) : null;
  const findings = united?.findings ?? sortCves(byGrype?.findings ?? byOsv?.findings ?? []);
  const used = [byGrype === null ? null : scans.databases.grype, byOsv === null ? null : scans.databases.osv];
  const database = describeDatabases(
    used.filter((each) => each !== null),
    ctx.startedAt,
  );
  const isOld = database !== null && database.ageDays > ctx.config['cve.max_db_age_days'];
  const warnings = [
    ...(isOld ? ['cve.db_old'] : []),
    ...(scans.grype?.kind === 'failed' ? ['cve.grype_failed'] : []),
    ...(outcome.kind === 'ran' && packages === 0 ? ['cve.no_packages'] : []),
    ...(byOsv !== null && byOsv.unjudged.length > 0 ? ['cve.range_unjudged'] : []),
    ...(byOsv !== null && byOsv.unread.length > 0 ? ['cve.file_unread'] : []),
    ...(byGrype === null && byOsv !== null && byOsv.uncovered > 0 ? ['cve.packages_not_covered'] : []),
  ];
  const artifacts: RawArtifact[] = [];
  if (outcome.kind === 'ran') artifacts.push({ name: 'cve.json', kind: 'json', from: encode({ findings }) });
  if (byGrype !== null) artifacts.push({ name: 'grype-cves.json', kind: 'json', from: encode(byGrype.document) });
  return {
    kind: 'ran',
    slice: {
      cve_scan: sliceOf(ctx, digest, {
        uri: outcome.kind === 'ran' ? relative(repo.root, `${ctx.outputDir}/raw/cve.json`) : null,
        scanner: byGrype !== null ? 'grype' : byOsv !== null ? 'osv_local' : null,
        database,
        findings: outcome.kind === 'ran' ? findings : null,
        disagreements: united?.disagreements ?? null,
        outcome,
      }),
    },
    rawArtifacts: artifacts,
    confidence: outcome.kind !== 'ran' || packages === 0 ? 'low' : warnings.length > 0 ? 'medium' : 'high',
    warnings,
    diagnostics: diagnosticsOf(byOsv),
    evidence: artifacts.map(({ name }) => ({ artifact: name })),
  };
}

/** What one of two scanners found stands, also where the other failed. */
function outcomeOf({ grype, osv }: Scans, anyRan: boolean): ScannerOutcome {
  if (anyRan) return ran;
  if (grype?.kind === 'failed' && osv === null) return grype.outcome;
  return failedWith(1, 'no file of the OSV directory is an advisory', 'nothing_scanned');
}

function diagnosticsOf(osv: OsvScan | null): Diagnostic[] {
  if (osv === null) return [];
  return [
    ...(osv.uncovered === 0 ? [] : [{ id: 'cve.packages_not_covered', detail: `${osv.uncovered} packages` }]),
    ...osv.unjudged.map((id) => ({ id: 'cve.range_unjudged', path: id })),
    ...osv.unread.map((id) => ({ id: 'cve.file_unread', path: id })),
  ].slice(0, limits.diagnosticsPerProbe);
}

const noSeverities = Object.fromEntries(cveSeverities.map((severity) => [severity, 0]));
const encode = (value: Json) => jsonBytes(value, 1);

function skip(
  ctx: CveContext,
  reason: ScannerSkip,
  digest: string | null,
  detail: string,
  warning?: string,
): ProbeOutput {
  const nothing = { uri: null, scanner: null, database: null, findings: null, disagreements: null };
  return {
    kind: 'skipped',
    reason,
    detail,
    warnings: warning === undefined ? [] : [warning],
    slice: { cve_scan: sliceOf(ctx, digest, { ...nothing, outcome: skippedFor(reason) }) },
  };
}

type Told = {
  readonly uri: string | null;
  readonly scanner: 'grype' | 'osv_local' | null;
  readonly database: ReturnType<typeof describeDatabases>;
  /** Null: nothing was looked up, and nothing is counted. */
  readonly findings: readonly CveFinding[] | null;
  readonly disagreements: number | null;
  readonly outcome: ScannerOutcome;
};

function sliceOf(ctx: CveContext, digest: string | null, told: Told): JsonObject {
  const { findings, database } = told;
  return {
    artifact_uri: told.uri,
    scanner: told.scanner,
    db_version: database?.version ?? null,
    db_built_at: database?.builtAt ?? null,
    scanned_image_digest: digest,
    total: findings?.length ?? null,
    by_severity:
      findings === null ? null : { ...noSeverities, ...countBy(findings, cveSeverities, (each) => each.severity) },
    by_source: findings === null ? null : countBy(findings, packageTypes, (each) => each.package_type),
    top_findings: (findings ?? []).slice(0, topFindings).map(({ package_type: _type, ...shown }) => shown),
    scanner_disagreements: told.disagreements,
    outcome: told.outcome,
    scanned_at: ctx.startedAt,
  };
}
