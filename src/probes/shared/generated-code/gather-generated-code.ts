/**
 * The run of generated_code. What a file says of itself comes first, then what the repository says of it, then where it lies and how
 * it is called.
 */

import { posix } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../../gather/contract.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { isForeignManifest } from '../../../kernel/tree/file-roles.ts';
import { createLinguistAttributes } from '../../../kernel/tree/linguist-attributes.ts';
import { createFindings, evidenceOf, type Findings } from '../findings.ts';
import { listAt, objectAt, shortLine, textAt } from '../json-access.ts';
import { readManifest } from '../manifests.ts';
import { listOutputArtifacts } from '../output-artifacts.ts';
import { decidePackageManager, nodeLockfiles } from '../package-manager.ts';
import { generatedSourceGlobs } from './generated-inputs.ts';
import { findGenerationNote, headBytes } from './generation-notes.ts';
import { findRegenerateCommand, type Scripts } from './regenerate-command.ts';

type Context = Pick<ProbeContext<never>, 'parsedManifest' | 'upstream'>;
type Found = { readonly generator: string; readonly sourceSpec: string | null };

const directoryConvention: Found = { generator: 'directory_convention', sourceSpec: null };
const conventionalFolder = /(?:^|\/)(?:generated|__generated__|gen)\//;
const conventionalNames: readonly (readonly [RegExp, Found])[] = [
  [/(?:\.pb\.(?:go|ts|js)|_pb2\.py)$/, { generator: 'protoc', sourceSpec: null }],
  [/\.g\.dart$/, { generator: 'build_runner', sourceSpec: null }],
];

export async function gatherGeneratedCode(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const scripts = await readScripts(repo, ctx);
  const attributesOf = createLinguistAttributes(await readAttributeFiles(repo));
  const files = [];
  const linguistGenerated: string[] = [];
  for (const path of repo.inputs.list(generatedSourceGlobs)) {
    if (repo.inputs.fingerprint(path)?.kind === 'link') continue;
    const { generated } = attributesOf(path);
    if (generated === true) linguistGenerated.push(path);
    const head = await repo.inputs.readHead(path, headBytes);
    const said = head.kind === 'read' ? findGenerationNote(head.bytes) : undefined;
    // A repository that says `-linguist-generated` knows better than a folder's name.
    const found = said ?? (generated === undefined ? findByPlace(path) : generated ? attributed : undefined);
    if (found === undefined) continue;
    files.push({
      path,
      generator: shortLine(found.generator, 100),
      source_spec: found.sourceSpec === null ? null : shortLine(found.sourceSpec, 300),
      regenerate_command: findRegenerateCommand(found.generator, scripts),
    });
  }
  if (files.length === 0) findings.warn('generated_code.no_markers_detected');
  const byDirectoryAlone =
    files.length > 0 && files.every(({ generator }) => generator === directoryConvention.generator);
  return {
    kind: 'ran',
    slice: {
      generated_code: {
        files,
        build_outputs: await listBuildOutputs(repo, ctx, findings),
        linguist_generated: linguistGenerated,
      },
    },
    confidence: byDirectoryAlone ? 'medium' : 'high',
    ...findings.report(),
    evidence: evidenceOf(
      repo,
      files.map(({ path }) => path),
    ),
  };
}

const attributed: Found = { generator: 'linguist_generated', sourceSpec: null };

function findByPlace(path: string): Found | undefined {
  if (conventionalFolder.test(path)) return directoryConvention;
  return conventionalNames.find(([pattern]) => pattern.test(path))?.[1];
}

/** As node_build_system found them; where it has not run, as the root says. */
async function readScripts(repo: ProbeRepo, ctx: Context): Promise<Scripts> {
  const build = ctx.upstream['node_build_system']?.value ?? null;
  if (build !== null) {
    const names = listAt(build, 'commands').flatMap((command) => textAt(command, 'name') ?? []);
    return { manager: textAt(build, 'package_manager'), names: new Set(names) };
  }
  const manifest = await readManifest(repo, ctx, 'package.json');
  const root = manifest.kind === 'read' ? manifest.value : {};
  const { manager } = decidePackageManager({
    field: root['packageManager'],
    lockfiles: nodeLockfiles.filter((path) => repo.inputs.has(path)),
    // Both yarns run scripts alike.
    yarnLockVariant: null,
    hasYarnrc: false,
    hasPnp: false,
  });
  return { manager, names: new Set(Object.keys(objectAt(root, 'scripts'))) };
}

async function readAttributeFiles(repo: ProbeRepo): Promise<{ directory: string; text: string }[]> {
  const files = [];
  for (const path of repo.inputs.list(['**/.gitattributes'])) {
    const read = await repo.inputs.read(path, limits.textBytes);
    if (read.kind !== 'read') continue;
    const slash = path.lastIndexOf('/');
    files.push({ directory: slash < 0 ? '' : path.slice(0, slash), text: decodeLenient(read.bytes) });
  }
  return files;
}

/** Folders that a build writes, as `package.json#files` and the compiler's `outDir` name them. */
async function listBuildOutputs(repo: ProbeRepo, ctx: Context, findings: Findings): Promise<readonly string[]> {
  const outputs = new Set<string>();
  for (const path of repo.inputs.list(['**/package.json'])) {
    if (isForeignManifest(path)) continue;
    const manifest = await readManifest(repo, ctx, path);
    if (manifest.kind === 'failed') findings.warn('generated_code.package_json_unparseable', { path });
    if (manifest.kind !== 'read') continue;
    const published = { directory: posix.dirname(path), manifest: { files: listAt(manifest.value, 'files') } };
    for (const output of listOutputArtifacts([published], {})) outputs.add(output);
  }
  for (const path of repo.inputs.list(['**/tsconfig*.json'])) {
    if (isForeignManifest(path)) continue;
    const config = await readManifest(repo, ctx, path);
    const outDir = config.kind === 'read' ? textAt(objectAt(config.value, 'compilerOptions'), 'outDir') : null;
    if (outDir === null) continue;
    const own = posix.dirname(path);
    const directory = posix.join(own, outDir.replace(/^\$\{configDir\}/, '.')).replace(/\/$/, '');
    // Written beside their sources, the outputs have no folder of their own.
    if (directory === own) continue;
    for (const output of listOutputArtifacts([], { outDir: directory })) outputs.add(output);
  }
  return [...outputs].sort(compareCodeUnits);
}
