/** Saves the image, has it read by syft or by ourselves, and says what is in it. */

import { relative } from 'node:path';
import type { Diagnostic, ProbeContext, ProbeOutput, ProbeRepo, RawArtifact } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import type { EngineKind } from '../../kernel/containers/engine.ts';
import { nativeModulesCatalog } from '../shared/native-modules.ts';
import { openEngine } from '../shared/open-engine.ts';
import { jsonBytes } from '../shared/probe-reading.ts';
import {
  failedWith,
  outcomeOfProcess,
  ran,
  type ScannerOutcome,
  type ScannerSkip,
  skippedFor,
} from '../shared/scanners.ts';
import { toCycloneDx } from './cyclonedx.ts';
import { packageRole, packageRoles, type TracedFiles, tracedFiles } from './image-packages.ts';
import { osPackageRolesCatalog } from './os-package-roles.ts';
import { readImage } from './read-image.ts';
import { countBy, type ImageOs, type ImagePackage, packageTypes } from './sbom-section.ts';
import { runSyft } from './syft.ts';

type SbomContext = ProbeContext<'containers.engine' | 'sbom.generator'>;

type Read = {
  readonly generator: 'syft' | 'builtin';
  readonly outcome: ScannerOutcome;
  readonly os: ImageOs | null;
  readonly packages: readonly ImagePackage[];
  readonly sizeBytes: number;
  readonly warnings: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly syftDocument?: JsonObject;
};

/** `timeoutS` is for all of it: saving and reading share it. */
export async function gatherSbom(repo: ProbeRepo, ctx: SbomContext, timeoutS: number): Promise<ProbeOutput> {
  const build = objectAt(ctx.upstream['image_build']?.value);
  const digest = textAt(build, 'built_image_digest');
  if (digest === null) return skip(ctx, 'upstream_unavailable', 'no image was built', null);
  const engine = await openEngine(ctx);
  if (engine.kind === 'none') return skip(ctx, engine.reason, engine.detail, digest);
  const wanted = ctx.config['sbom.generator'];
  const hasSyft = (await ctx.exec.toolVersion('syft')).path !== null;
  if (wanted === 'syft' && !hasSyft)
    return skip(ctx, 'tool_missing', 'sbom.generator is syft, and syft is not installed', digest);

  const file = `${ctx.workspace}/image.tar`;
  const saved = await engine.saveImage(digest, file, timeoutS * 0.4);
  const unsaved =
    outcomeOfProcess(saved) ??
    (saved.kind === 'exited' && saved.code !== 0 ? failedWith(saved.code, saved.stderr) : null);
  if (unsaved !== null) {
    const nothing = emptyRead(wanted === 'syft' ? 'syft' : 'builtin', unsaved);
    return publish(repo, ctx, digest, { ...nothing, warnings: ['sbom.image_save_failed'] });
  }
  const traced = readTrace(ctx.upstream['runtime_trace']?.value);
  const read = await readWith({ ctx, file, engine: engine.kind, wanted, hasSyft, traced, timeoutS: timeoutS * 0.35 });
  return publish(repo, ctx, digest, read);
}

type ReadRequest = {
  readonly ctx: SbomContext;
  readonly file: string;
  readonly engine: EngineKind;
  readonly wanted: 'auto' | 'syft' | 'builtin';
  readonly hasSyft: boolean;
  readonly traced: TracedFiles | null;
  readonly timeoutS: number;
};

async function readWith(request: ReadRequest): Promise<Read> {
  const { ctx, file, wanted, hasSyft, traced } = request;
  const warnings: string[] = [];
  if (wanted !== 'builtin' && hasSyft) {
    const syft = await runSyft(ctx, { file, engine: request.engine, traced, timeoutS: request.timeoutS });
    if (syft.kind === 'read') {
      const { os, packages, sizeBytes, document } = syft;
      return { ...emptyRead('syft', ran), os, packages, sizeBytes, syftDocument: document };
    }
    if (wanted === 'syft') return emptyRead('syft', syft.outcome);
    warnings.push('sbom.syft_failed');
  } else if (wanted === 'auto') warnings.push('sbom.tool_missing');

  const image = await readImage(file, { traced, signal: ctx.signal });
  if (image.kind === 'failed') {
    return { ...emptyRead('builtin', failedWith(1, `the image could not be read: ${image.reason}`)), warnings };
  }
  const { catalogue, sizeBytes } = image;
  return {
    ...emptyRead('builtin', ran),
    os: catalogue.os,
    packages: catalogue.packages,
    sizeBytes,
    warnings: [
      ...warnings,
      ...(catalogue.hasRpm ? ['sbom.rpm_unsupported'] : []),
      ...(catalogue.unread.length > 0 ? ['sbom.file_unread'] : []),
    ],
    diagnostics: catalogue.unread
      .slice(0, limits.diagnosticsPerProbe)
      .map((path) => ({ id: 'sbom.file_unread', path: `/${path}` })),
  };
}

function emptyRead(generator: Read['generator'], outcome: ScannerOutcome): Read {
  return { generator, outcome, os: null, packages: [], sizeBytes: 0, warnings: [], diagnostics: [] };
}

/** A trace in which nothing was executed is none. */
function readTrace(value: Json | undefined): TracedFiles | null {
  const trace = objectAt(value);
  const paths = [...textsOf(listAt(trace, 'binaries_executed')), ...textsOf(listAt(trace, 'shared_libs_loaded'))];
  return paths.length === 0 ? null : tracedFiles(paths);
}

function publish(repo: ProbeRepo, ctx: SbomContext, digest: string, read: Read): ProbeOutput {
  const { generator, outcome, os, packages } = read;
  const artifacts: RawArtifact[] = [];
  if (outcome.kind === 'ran') {
    const bill = toCycloneDx({
      digest,
      generator,
      os,
      packages,
      roleOf: (each) => packageRole(each, osPackageRolesCatalog),
    });
    artifacts.push({ name: 'sbom.json', kind: 'json', from: encode(bill) });
    if (read.syftDocument !== undefined)
      artifacts.push({ name: 'syft-sbom.json', kind: 'json', from: encode(read.syftDocument) });
  }
  const uri = outcome.kind === 'ran' ? relative(repo.root, `${ctx.outputDir}/raw/sbom.json`) : null;
  return {
    kind: 'ran',
    slice: { sbom: sliceOf(ctx, uri, digest, read) },
    rawArtifacts: artifacts,
    confidence: outcome.kind !== 'ran' ? 'low' : generator === 'syft' ? 'high' : 'medium',
    warnings: read.warnings,
    diagnostics: read.diagnostics,
    evidence: artifacts.map(({ name }) => ({ artifact: name })),
  };
}

function sliceOf(ctx: SbomContext, uri: string | null, digest: string | null, read: Read): JsonObject {
  const { generator, outcome, os, packages, sizeBytes } = read;
  return {
    artifact_uri: uri,
    generator,
    built_image_digest: digest,
    package_count: packages.length,
    packages_by_source: countBy(packages, packageTypes, (each) => each.type),
    os,
    os_packages_classification: {
      ...Object.fromEntries(packageRoles.map((role) => [role, 0])),
      ...countBy(packages, packageRoles, (each) => packageRole(each, osPackageRolesCatalog)),
    },
    npm_packages_native_module_count: countNative(ctx, packages),
    total_size_bytes: sizeBytes,
    outcome,
    scanned_at: ctx.startedAt,
  };
}

/** Names that the manifest's lock gives away, and those of the catalog: an image may hold more than the lock. */
function countNative(ctx: SbomContext, packages: readonly ImagePackage[]): number {
  const upstream = ctx.upstream['node_manifest']?.value;
  const names = new Set([
    ...nativeModulesCatalog.entries.map((entry) => entry.name),
    ...(Array.isArray(upstream) ? (upstream as readonly Json[]) : []).flatMap((each) =>
      isJsonObject(each) ? textsOf(each['name']) : [],
    ),
  ]);
  return packages.filter((each) => each.type === 'npm' && names.has(each.name)).length;
}

const encode = (value: Json) => jsonBytes(value, 1);

function skip(ctx: SbomContext, reason: ScannerSkip, detail: string, digest: string | null): ProbeOutput {
  const nothing = emptyRead(ctx.config['sbom.generator'] === 'syft' ? 'syft' : 'builtin', skippedFor(reason));
  return { kind: 'skipped', reason, detail, slice: { sbom: sliceOf(ctx, null, digest, nothing) } };
}
