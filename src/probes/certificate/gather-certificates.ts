/**
 * The run of certificate. Static evidence says yes; only a trace that covered enough can say no. The text of a certificate is looked
 * at to tell it from a key and goes nowhere.
 */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { member, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { dockerfileLimits } from '../../kernel/formats/dockerfile-instructions.ts';
import { isTestFile } from '../../kernel/tree/file-roles.ts';
import { checkGrammars } from '../../languages/parsing/grammar-pins.ts';
import {
  type DockerfileRow,
  dockerfileGlobs,
  isDockerfile,
  upstreamDockerfiles,
} from '../dockerfile/dockerfile-section.ts';
import { parseDockerfile } from '../dockerfile/dockerfile-stages.ts';
import { isDeclarationFile } from '../node-reflection/gather-node-reflection.ts';
import { createFindings } from '../shared/probe-reading.ts';
import { grammarsOf, listSources, parseSources } from '../shared/sources.ts';
import { certificateFileGlobs, certificateSourceGlobs, settingGlobs } from './certificate-section.ts';
import {
  type CertificatePath,
  type DockerfileCertificates,
  isCertificatePath,
  readDockerfileCertificates,
} from './dockerfile-certificates.ts';

type Context = Pick<ProbeContext<never>, 'upstream' | 'signal'>;
type Source = 'ca-certificates' | 'vendored' | 'bundled' | 'absent' | 'unknown';
type Override = { readonly path: string; readonly line: number; readonly kind: string };

export async function gatherCertificates(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const dockerfile = readDockerfileCertificates(await listDockerfiles(repo, ctx));
  const settings = await readSettings(repo);
  const files = await listRepoCertificates(repo);
  const overrides = await listOverrides(repo, ctx, (detail) =>
    findings.fail('certificate.grammar_unavailable', { detail }),
  );
  const trace = traceOf(ctx);
  if (trace === null) findings.warn('certificate.upstream_runtime_trace_unavailable');

  const extraCaCerts = dockerfile.extraCaCerts || settings.extraCaCerts;
  const opensslCa = dockerfile.opensslCa || settings.opensslCa;
  const ownFiles = files.filter(({ path }) => !isForTests(path));
  const ownOverrides = overrides.filter(({ path }) => !isForTests(path));
  const isStatic =
    dockerfile.paths.length > 0 ||
    dockerfile.installers.size > 0 ||
    extraCaCerts ||
    opensslCa ||
    ownFiles.length > 0 ||
    ownOverrides.length > 0;
  const read = (trace?.paths ?? []).filter((path) => !path.endsWith('.cnf'));
  const isRuledOut = !isStatic && trace !== null && trace.isTrusted && read.length === 0;
  const detected = isStatic || read.length > 0 ? true : isRuledOut ? false : null;
  const source = isRuledOut
    ? 'absent'
    : sourceOf(dockerfile, { ownFiles: ownFiles.length > 0 || extraCaCerts, ownOverrides, opensslCa, read });
  const confidence: Confidence =
    findings.hasErrors() || detected === null ? 'low' : trace?.isTrusted === true ? 'high' : 'medium';
  return {
    kind: 'ran',
    slice: {
      custom_certificates: {
        detected,
        cert_paths_read: trace === null ? null : trace.paths,
        certificate_source: source,
        paths: uniquePaths([...dockerfile.paths, ...files]),
        install_method: installMethod(dockerfile, extraCaCerts),
        node_extra_ca_certs_set: extraCaCerts,
        node_use_openssl_ca: opensslCa,
        programmatic_ca_overrides: overrides,
      } as unknown as Json,
    },
    confidence,
    ...findings.report(),
  };
}

/** The probe may be asked for alone; then it reads the Dockerfiles itself. */
async function listDockerfiles(repo: ProbeRepo, ctx: Context): Promise<readonly DockerfileRow[]> {
  if ((ctx.upstream['dockerfile'] ?? null) !== null) return upstreamDockerfiles(ctx);
  const rows: DockerfileRow[] = [];
  for (const path of repo.inputs.list(dockerfileGlobs).filter(isDockerfile)) {
    const outcome = await repo.inputs.read(path, dockerfileLimits.bytes);
    if (outcome.kind === 'read') rows.push({ path, ...parseDockerfile(decodeLenient(outcome.bytes)).facts });
  }
  return rows;
}

/** What is particular before what every image has. */
function sourceOf(
  dockerfile: DockerfileCertificates,
  of: {
    readonly ownFiles: boolean;
    readonly ownOverrides: readonly Override[];
    readonly opensslCa: boolean;
    readonly read: readonly string[];
  },
): Source {
  if (dockerfile.bringsOwn || of.ownFiles) return 'vendored';
  if (of.ownOverrides.some(({ kind }) => kind === 'ca_option' || kind === 'create_secure_context')) return 'bundled';
  if (dockerfile.usesSystemBundle || of.opensslCa) return 'ca-certificates';
  if (of.read.length === 0) return 'unknown';
  const isSystem = of.read.every((path) =>
    /^\/(?:etc\/(?:ssl|pki)|usr\/(?:share|lib)\/(?:ca-certificates|ssl))\//.test(path),
  );
  return isSystem ? 'ca-certificates' : 'vendored';
}

function installMethod(dockerfile: DockerfileCertificates, extraCaCerts: boolean): string | null {
  if (dockerfile.installers.size > 0) return [...dockerfile.installers].sort(compareCodeUnits).join(', ');
  if (extraCaCerts) return 'NODE_EXTRA_CA_CERTS';
  return dockerfile.paths.some(({ via }) => via === 'copy') ? 'copy' : null;
}

/** CI, compose and package scripts: only whether they say so. */
async function readSettings(repo: ProbeRepo): Promise<{ readonly extraCaCerts: boolean; readonly opensslCa: boolean }> {
  let extraCaCerts = false;
  let opensslCa = false;
  for (const path of repo.inputs.list(settingGlobs)) {
    const outcome = await repo.inputs.readHead(path, 1024 * 1024);
    if (outcome.kind !== 'read') continue;
    const text = Buffer.from(outcome.bytes.buffer, outcome.bytes.byteOffset, outcome.bytes.byteLength);
    if (text.includes('NODE_EXTRA_CA_CERTS')) extraCaCerts = true;
    if (text.includes('--use-openssl-ca')) opensslCa = true;
  }
  return { extraCaCerts, opensslCa };
}

/** Files that hold a certificate; a key alone is none. */
async function listRepoCertificates(repo: ProbeRepo): Promise<readonly CertificatePath[]> {
  const found: CertificatePath[] = [];
  for (const path of repo.inputs.list(certificateFileGlobs).slice(0, 1_000)) {
    const outcome = await repo.inputs.readHead(path, 64 * 1024);
    if (outcome.kind !== 'read') continue;
    const text = Buffer.from(outcome.bytes.buffer, outcome.bytes.byteOffset, outcome.bytes.byteLength).toString(
      'latin1',
    );
    const isPem = text.includes('-----BEGIN CERTIFICATE') || text.includes('-----BEGIN TRUSTED CERTIFICATE');
    // DER begins with a long SEQUENCE.
    const isDer = isCertificatePath(path) && outcome.bytes[0] === 0x30 && outcome.bytes[1] === 0x82;
    if (isPem || isDer) found.push({ path, via: 'repo_file' });
  }
  return found;
}

const hints = /rejectUnauthorized|createSecureContext|NODE_TLS_REJECT_UNAUTHORIZED|\boptions\.ca\b|\bca['"]?\s*[:,}]/;

async function listOverrides(
  repo: ProbeRepo,
  ctx: Context,
  onMissing: (detail: string) => void,
): Promise<readonly Override[]> {
  const sources = listSources(repo, certificateSourceGlobs).filter(({ path }) => !isDeclarationFile(path));
  const grammars = checkGrammars(grammarsOf(sources));
  for (const { name, state } of grammars) if (state !== 'pinned') onMissing(`${name}: ${state}`);
  const parsed = await parseSources(repo, sources, 'tls-options', {
    grammars,
    signal: ctx.signal,
    mayHold: (bytes) => hints.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')),
  });
  return parsed
    .flatMap((file) =>
      file.kind === 'parsed' ? file.facts.map(({ line, kind }) => ({ path: file.path, line, kind })) : [],
    )
    .sort((a, b) => compareCodeUnits(a.path, b.path) || a.line - b.line || compareCodeUnits(a.kind, b.kind));
}

/** Null: nothing was traced. Trusted to say no from medium coverage on. */
function traceOf(ctx: Context): { readonly paths: readonly string[]; readonly isTrusted: boolean } | null {
  const value = ctx.upstream['runtime_trace']?.value;
  const coverage = textAt(value, 'trace_coverage_confidence');
  if (coverage === null || coverage === 'unavailable') return null;
  return { paths: textsOf(member(value, 'cert_paths_read')), isTrusted: coverage === 'high' || coverage === 'medium' };
}

function isForTests(path: string): boolean {
  return (
    isTestFile(path) || /(?:^|\/)(?:tests?|__tests__|__fixtures__|fixtures|testdata|spec|e2e|examples?)\//.test(path)
  );
}

function uniquePaths(paths: readonly CertificatePath[]): readonly CertificatePath[] {
  const byKey = new Map(paths.map((each) => [`${each.path}\0${each.via}`, each]));
  return [...byKey.values()].sort((a, b) => compareCodeUnits(a.path, b.path) || compareCodeUnits(a.via, b.via));
}
