/**
 * Runs syft on a saved image, in the sandbox, with the archive and nothing else of this machine in sight, and says what it found in the
 * words of the section: total over any JSON, and free of where and when it ran.
 */

import type { ProbeContext } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { shortLine } from '../../kernel/base/text.ts';
import type { EngineKind } from '../../kernel/containers/engine.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { failedWith, outcomeOfProcess, type ScannerOutcome } from '../shared/scanners.ts';
import { reachOf, sortPackages, type TracedFiles } from './image-packages.ts';
import type { ImageOs, ImagePackage, PackageType, Reach } from './sbom-section.ts';

type SyftCatalogue = {
  readonly os: ImageOs | null;
  readonly packages: readonly ImagePackage[];
  readonly sizeBytes: number;
};

type SyftRun =
  | (SyftCatalogue & { readonly kind: 'read'; readonly document: JsonObject })
  | { readonly kind: 'failed'; readonly outcome: ScannerOutcome };

/** As much as may be published. */
const outputBytes = 128 * 1024 * 1024;

export async function runSyft(
  ctx: Pick<ProbeContext<never>, 'exec' | 'workspace'>,
  request: {
    readonly file: string;
    readonly engine: EngineKind;
    readonly traced: TracedFiles | null;
    readonly timeoutS: number;
  },
): Promise<SyftRun> {
  const scheme = request.engine === 'podman' ? 'oci-archive' : 'docker-archive';
  // Not `--quiet`: with it a failure has no words.
  const outcome = await ctx.exec.runExternalCli(['syft', 'scan', `${scheme}:${request.file}`, '-o', 'syft-json'], {
    cwd: ctx.workspace,
    timeoutS: request.timeoutS,
    maxStdoutBytes: outputBytes,
    readable: [request.file],
  });
  const unusual = outcomeOfProcess(outcome);
  if (unusual !== null) return { kind: 'failed', outcome: unusual };
  if (outcome.kind !== 'exited' || outcome.code !== 0) {
    const [code, stderr] = outcome.kind === 'exited' ? [outcome.code, outcome.stderr] : [-1, ''];
    return { kind: 'failed', outcome: failedWith(code, stderr) };
  }
  const parsed = parseJsonObject(outcome.stdout, { maxBytes: outputBytes, maxDepth: 64 });
  const catalogue = parsed.ok ? convertSyft(parsed.value, request.traced) : null;
  if (!parsed.ok || catalogue === null)
    return { kind: 'failed', outcome: failedWith(0, outcome.stderr, 'invalid_json') };
  return { kind: 'read', ...catalogue, document: withoutSyftRun(parsed.value) };
}

/** Null for a document that is not syft's. */
export function convertSyft(document: Json, traced: TracedFiles | null): SyftCatalogue | null {
  if (!isJsonObject(document) || !Array.isArray(document['artifacts'])) return null;
  const size = member(document, 'source', 'metadata', 'imageSize');
  return {
    os: osOf(objectAt(document, 'distro')),
    packages: sortPackages(listAt(document, 'artifacts').flatMap((artifact) => packageOf(artifact, traced))),
    sizeBytes: typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : 0,
  };
}

/** The same document without the paths, times and settings of the machine it was made on. */
export function withoutSyftRun(document: JsonObject): JsonObject {
  const { configuration: _configuration, timestamp: _timestamp, ...descriptor } = objectAt(document, 'descriptor');
  const { id: _id, name: _name, version: _version, ...source } = objectAt(document, 'source');
  const { userInput: _userInput, ...metadata } = objectAt(source, 'metadata');
  return { ...document, descriptor, source: { ...source, metadata } };
}

const types: Readonly<Record<string, PackageType>> = {
  deb: 'deb',
  apk: 'apk',
  rpm: 'rpm',
  npm: 'npm',
  python: 'python',
  'go-module': 'go',
  'java-archive': 'java',
  'jenkins-plugin': 'java',
  'rust-crate': 'rust',
  gem: 'ruby',
  'php-composer': 'php',
  'php-pecl': 'php',
  'php-pear': 'php',
  dotnet: 'dotnet',
};

function packageOf(artifact: Json, traced: TracedFiles | null): ImagePackage[] {
  const name = textAt(artifact, 'name');
  if (name === null || name === '') return [];
  const syftType = textAt(artifact, 'type') ?? '';
  const type = Object.hasOwn(types, syftType) ? (types[syftType] ?? 'other') : 'other';
  const version = textAt(artifact, 'version') ?? '';
  const location = locationOf(artifact);
  return [
    {
      type,
      name: shortLine(name),
      version: shortLine(type === 'go' && name === 'stdlib' ? version.replace(/^go/, '') : version),
      purl: shortLine(textAt(artifact, 'purl') ?? '', 1000),
      source: sourceOf(artifact, version),
      location: shortLine(location, 1000),
      reach: reachOfArtifact(artifact, type, location, traced),
    },
  ];
}

/** What told of the package, before what else speaks of it. */
function locationOf(artifact: Json): string {
  const locations = listAt(artifact, 'locations');
  const primary = locations.find((each) => textAt(each, 'annotations', 'evidence') === 'primary');
  return textAt(primary ?? locations[0], 'path') ?? '';
}

function sourceOf(artifact: Json, version: string): ImagePackage['source'] {
  const metadata = objectAt(artifact, 'metadata');
  const [, rpmName, rpmVersion] =
    /^(.{1,200})-([^-]{1,100}-[^-]{1,100})\.src\.rpm$/.exec(textAt(metadata, 'sourceRpm') ?? '') ?? [];
  if (rpmName !== undefined && rpmVersion !== undefined)
    return { name: shortLine(rpmName), version: shortLine(rpmVersion) };
  const name = textAt(metadata, 'source') ?? textAt(metadata, 'originPackage');
  const stated = textAt(metadata, 'sourceVersion');
  if (name === null || name === '' || (name === textAt(artifact, 'name') && (stated ?? '') === '')) return null;
  return { name: shortLine(name), version: shortLine(stated === null || stated === '' ? version : stated) };
}

function reachOfArtifact(artifact: Json, type: PackageType, location: string, traced: TracedFiles | null): Reach {
  if (traced === null) return 'unknown';
  if (type === 'npm' && location.endsWith('/package.json')) {
    return traced.hasInPackage(location.slice(0, -'/package.json'.length)) ? 'loaded' : 'present';
  }
  if (type === 'go') return reachOf(traced, location === '' ? null : [location]);
  const files = member(artifact, 'metadata', 'files');
  // Without the list it reads from, syft gives an empty one.
  if (!Array.isArray(files) || files.length === 0) return 'unknown';
  // Python's are relative to the folder of the packages, all others absolute.
  const base = textAt(artifact, 'metadata', 'sitePackagesRootPath') ?? '';
  return reachOf(
    traced,
    (files as readonly Json[]).flatMap((file) => {
      const path = textAt(file, 'path');
      return path === null ? [] : [path.startsWith('/') ? path : `${base}/${path}`];
    }),
  );
}

function osOf(distro: JsonObject): ImageOs | null {
  const id = textAt(distro, 'id');
  return id === null || id === ''
    ? null
    : { id: shortLine(id, 64), version: shortLine(textAt(distro, 'versionID') ?? '', 64) };
}
