/**
 * The run of generated_code. What a file says of itself comes first, then what the repository says of it, then where it lies and how
 * it is called.
 */

import { posix } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { listAt, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, shortLine } from '../../kernel/base/text.ts';
import { isForeignManifest, isTestFile } from '../../kernel/tree/file-roles.ts';
import { createLinguistAttributes } from '../../kernel/tree/linguist-attributes.ts';
import { decidePackageManager, listOutputArtifacts, nodeLockfiles } from '../shared/node-packages.ts';
import { createFindings, evidenceOf, type Findings, readManifest } from '../shared/probe-reading.ts';
import { generatedSourceGlobs, generatedTextGlobs, generatorTaskGlobs } from './generated-code-section.ts';

type Context = Pick<ProbeContext<never>, 'parsedManifest' | 'upstream'>;
type Found = { readonly generator: string; readonly sourceSpec: string | null };

const directoryConvention: Found = { generator: 'directory_convention', sourceSpec: null };
const conventionalFolder = /(?:^|\/)(?:generated|__generated__|gen)\//;
const conventionalNames: readonly (readonly [RegExp, Found])[] = [
  [/(?:\.pb\.(?:go|ts|js)|_pb2(?:_grpc)?\.pyi?)$/, { generator: 'protoc', sourceSpec: null }],
  [/\.g\.dart$/, { generator: 'build_runner', sourceSpec: null }],
];

export async function gatherGeneratedCode(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const scripts = await readScripts(repo, ctx);
  const attributesOf = createLinguistAttributes(await readAttributeFiles(repo));
  const files = [];
  const linguistGenerated: string[] = [];
  const sources = repo.inputs.list(generatedSourceGlobs);
  const sourceOf = createSourceFinder(sources);
  for (const path of sources) {
    if (repo.inputs.fingerprint(path)?.kind === 'link') continue;
    const { generated } = attributesOf(path);
    if (generated === true) linguistGenerated.push(path);
    const head = await repo.inputs.readHead(path, headBytes);
    const said = head.kind === 'read' ? (findGenerationNote(head.bytes) ?? findBundler(path, head.bytes)) : undefined;
    // A repository that says `-linguist-generated` knows better than a folder's name.
    const compiled = head.kind === 'read' && generated === undefined ? sourceOf(path, head.bytes) : undefined;
    const found =
      said ?? compiled ?? (generated === undefined ? findByPlace(path) : generated ? attributed : undefined);
    if (found === undefined) continue;
    files.push({
      path,
      generator: shortLine(found.generator, 100),
      source_spec: found.sourceSpec === null ? null : shortLine(found.sourceSpec, 300),
      regenerate_command: findRegenerateCommand(found.generator, scripts),
    });
  }
  const beside = [...(await findGeneratedTexts(repo)), ...(await findWritten(repo))];
  const known = new Set(files.map(({ path }) => path));
  for (const { path, generator, sourceSpec } of beside) {
    if (known.has(path)) continue;
    known.add(path);
    const regenerate = findRegenerateCommand(generator, scripts);
    files.push({ path, generator: shortLine(generator, 100), source_spec: sourceSpec, regenerate_command: regenerate });
  }
  files.sort((a, b) => compareCodeUnits(a.path, b.path));
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

/** Definitions that controller-gen makes of Go types carry its version. */
const controllerGen = /^\s{4}controller-gen\.kubebuilder\.io\/version:/m;

/** Documents whose first comment says that a tool wrote them, and manifests with the mark of their generator. */
async function findGeneratedTexts(repo: ProbeRepo): Promise<(Found & { readonly path: string })[]> {
  const found = [];
  for (const path of repo.inputs.list(generatedTextGlobs)) {
    if (isForeignManifest(path) || isTestFile(path) || repo.inputs.fingerprint(path)?.kind === 'link') continue;
    const head = await repo.inputs.readHead(path, headBytes);
    if (head.kind !== 'read') continue;
    const note = findGenerationNote(head.bytes);
    if (note !== undefined) found.push({ path, ...note });
    else if (/\.ya?ml$/.test(path) && controllerGen.test(Buffer.from(head.bytes).toString('latin1')))
      found.push({ path, generator: 'controller-gen', sourceSpec: null });
  }
  return found;
}

/** `swagger generate spec -o docs/spec.json` in a Makefile: a tool that generates, and the file in the tree that it writes. */
const writes =
  /^\t[@-]*(?:\$\([A-Z_]+\)\/)?([\w./-]*\b(?:swagger|swag|openapi[\w-]*|redocly|oapi-codegen|helm-docs|controller-gen|jsonschema|schemagen|typescript-json-schema|kustomize|helm template)\b|\$\((?:KUSTOMIZE|CONTROLLER_GEN|HELM|SWAG(?:GER)?)\)(?= (?:build|template|generate|init)\b))[^\n]{0,300}?\s(?:-o|--out|--output|>)[ =]?\s?([\w./-]+\.(?:json|ya?ml|md))\b/gm;

/** `$(CONTROLLER_GEN)`, `bin/swagger` and `helm template` are called by their tools. */
const nameOf = (tool: string): string =>
  tool.startsWith('$(')
    ? tool.slice(2, -1).toLowerCase().replaceAll('_', '-')
    : (posix.basename(tool).split(' ')[0] ?? tool);

async function findWritten(repo: ProbeRepo): Promise<(Found & { readonly path: string })[]> {
  const found = [];
  for (const file of repo.inputs.list(generatorTaskGlobs)) {
    const read = isForeignManifest(file) ? undefined : await repo.inputs.read(file, limits.textBytes);
    if (read?.kind !== 'read') continue;
    for (const [, tool = '', written = ''] of decodeLenient(read.bytes).matchAll(writes)) {
      const path = posix.join(posix.dirname(file), written);
      if (repo.scope.exists(path)) found.push({ path, generator: nameOf(tool), sourceSpec: null });
    }
  }
  return found;
}

/** What a compiler wrote beside its source, or from a style sheet of the same name: the source is in the tree, too. */
function createSourceFinder(paths: readonly string[]): (path: string, head: Uint8Array) => Found | undefined {
  const known = new Set(paths);
  const sheets = new Map<string, string[]>();
  for (const path of paths) {
    const name = /([^/]+)\.(?:scss|sass|less)$/.exec(path)?.[1];
    if (name !== undefined) sheets.set(name, [...(sheets.get(name) ?? []), path]);
  }
  return (path, head) => {
    if (/\.[cm]?js$/.test(path)) {
      const twin = [path.replace(/js$/, 'ts'), path.replace(/\.js$/, '.tsx')].find((one) => known.has(one));
      const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
      return twin !== undefined && compilerMark.test(text) ? { generator: 'tsc', sourceSpec: twin } : undefined;
    }
    const [sheet, ...more] = sheets.get(/([^/]+)\.css$/.exec(path)?.[1] ?? '') ?? [];
    return sheet !== undefined && more.length === 0 ? { generator: 'stylesheet', sourceSpec: sheet } : undefined;
  };
}

/** How the output of bundlers begins, and who writes it so. */
const bundlers: readonly (readonly [RegExp, string])[] = [
  [/^(?:"use strict";\s*)?\/\/#region \S+\.[cm]?[jt]sx?\s*$/m, 'rolldown'],
  [
    /^(?:\/\*{6}\/ |(?:\/\*!?[^*]{0,200}\*\/\s*)?\(\(\) => \{ ?\/\/ webpackBootstrap|!function\([^)]{0,40}\)\{"object"==typeof exports)/,
    'webpack',
  ],
  [/^require\(['"]\.\/sourcemap-register\.[cm]?js['"]\)/, 'ncc'],
  [/^(?:#!.*\n)?(?:"use strict";\s*)?var __(?:create|defProp|getOwnPropNames|commonJS) = Object\./, 'esbuild'],
  [/^(?:require=)?\(function\(\)\{function r\(e,n,t\)|^require=\(function e\(t,n,r\)/, 'browserify'],
];

/** What a bundler wrote and people keep in the tree; copies of others, and inputs of tests, are not the repository's own output. */
function findBundler(path: string, head: Uint8Array): Found | undefined {
  if (!/\.[cm]?js$/.test(path) || isForeignManifest(path) || isTestFile(path)) return undefined;
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
    .toString('latin1')
    .replace(/^\ufeff/, '');
  const generator = bundlers.find(([mark]) => mark.test(text.slice(0, mark.multiline ? 400 : undefined)))?.[1];
  return generator === undefined ? undefined : { generator, sourceSpec: null };
}

/** How the compiler's output begins; people who write `.js` beside `.ts` by hand do not. */
const compilerMark = /^\ufeff?"use strict";|\(exports, "__esModule"/;

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

// Who wrote a file, by what its opening comment says. Only the comment at the top counts: code that looks for such notes, or writes
// them into other files, was written by a person.

export type GenerationNote = {
  /** `unknown` where the note does not say. */
  readonly generator: string;
  /** The description it was made from, if the note names one. */
  readonly sourceSpec: string | null;
};

const headBytes = 4_096;

const generated =
  /\b(?:auto[- ]?)?generated\b|do not (?:edit|modify|make direct changes)|<auto-generated|(?<![`'"\w])@generated\b/i;

/** A tool that signs its work; the first that is named counts. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/graphql-code-?gen(?:erator)?|@graphql-codegen/i, 'graphql-codegen'],
  [/openapi-typescript/i, 'openapi-typescript'],
  [/openapi[- ]generator/i, 'openapi-generator'],
  [/swagger[- ]codegen/i, 'swagger-codegen'],
  [/@hey-api\/openapi-ts/i, 'openapi-ts'],
  [/\boapi-codegen\b/i, 'oapi-codegen'],
  [/\bprotobuf-ts\b/i, 'protobuf-ts'],
  [/\bts-proto\b/i, 'ts-proto'],
  [/\bprotoc\b(?!-gen)|protocol buffer compiler/i, 'protoc'],
  [/\bprisma\b/i, 'prisma'],
];
const plugin = /\bprotoc-gen-[a-z0-9_-]{1,40}/i;

/** Sentences that say the file as a whole is generated, rather than speak of generation. */
const sentences: readonly RegExp[] = [
  /\bCode generated\b.{0,300}\bDO NOT EDIT\b/s,
  /(?<![`'"\w])@generated\b(?![`'"])/,
  /\bthis (?:file|code|module|class) (?:was|is|has been) (?:automatically |auto[- ]?)?generated\b/i,
  /<auto-generated\b/i,
  /^\W{0,8}(?:automatically |auto[- ]?)generated(?:[,.;:]|\s+(?:by|from|with|using|file)\b)/i,
  /\b(?:auto[- ]?)?generated\b.{0,200}\bdo not (?:edit|modify|make direct changes)\b/is,
  /\bdo not (?:edit|modify)\b.{0,200}\b(?:auto[- ]?)?generated\b/is,
];

const generatorName =
  /(?:generated|generated file|code generated)[^\n]{0,40}? (?:by|with|using|via)\s+(?:running\s+)?[`'"]?(?!the\b|a\b|an\b|this\b|running\b)([@\w][\w@./+-]{0,80})/i;
/** A command in quotes is a name with blanks. */
const quotedCommand = /generated[^\n]{0,40}? (?:by|with|using|via)\s+(?:running\s+)?[`'"]([^`'"\n]{1,80})[`'"]/i;
const sourceName =
  /(?:source|from|spec|schema|input)\b[ :=]{1,3}[`'"]?((?:[\w@.-]+\/)*[\w@.-]+\.(?:proto|graphqls?|gql|ya?ml|json|prisma|thrift|avsc|fbs|tsp|wsdl|xsd|g4))\b/i;

export function findGenerationNote(head: Uint8Array): GenerationNote | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, headBytes)).toString('utf8');
  const comment = openingComment(text);
  if (!generated.test(comment)) return undefined;
  const signed = plugin.exec(comment)?.[0] ?? signatures.find(([mark]) => mark.test(comment))?.[1];
  if (signed === undefined && !sentences.some((sentence) => sentence.test(comment))) return undefined;
  const named = (quotedCommand.exec(comment) ?? generatorName.exec(comment))?.[1]?.replace(/[.,:;]+$/, '');
  return { generator: signed ?? named ?? 'unknown', sourceSpec: sourceName.exec(comment)?.[1] ?? null };
}

const lineComment = /^(?:\/\/|#(?!include|define|if|pragma)|--|;|%|'''|""")/;
const prologue = /^(?:$|['"]use |<\?php\b|<\?xml\b|@charset\b|package [\w.]+;?$)/;

/** The comment lines a file opens with, and nothing else of it. */
function openingComment(text: string): string {
  const kept: string[] = [];
  let closing: string | undefined;
  for (const raw of text.replace(/^\ufeff/, '').split('\n')) {
    const line = raw.trim();
    if (closing !== undefined) {
      kept.push(line);
      if (line.includes(closing)) closing = undefined;
      continue;
    }
    const opening = blockComments.find(([start]) => line.startsWith(start));
    if (opening !== undefined) {
      kept.push(line);
      if (!line.slice(opening[0].length).includes(opening[1])) closing = opening[1];
    } else if (lineComment.test(line)) kept.push(line);
    else if (!prologue.test(line)) break;
  }
  return kept.join('\n');
}

const blockComments: readonly (readonly [string, string])[] = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['"""', '"""'],
  ["'''", "'''"],
  ['{-', '-}'],
  ['(*', '*)'],
];

// How a generated file is made again: a script of the package, run by the manager the repository uses.

type Scripts = { readonly manager: string | null; readonly names: ReadonlySet<string> };

/** Script names by kind of generator; the first that exists. */
const families: readonly { readonly generators: RegExp; readonly scripts: readonly string[] }[] = [
  { generators: /^graphql-codegen$/, scripts: ['codegen', 'build:gql', 'graphql:codegen'] },
  {
    generators: /^(?:openapi-.*|swagger-codegen|oapi-codegen)$/,
    scripts: ['generate:api', 'codegen:api', 'generate'],
  },
  { generators: /^(?:protoc.*|protobuf-ts|ts-proto)$/, scripts: ['generate:proto', 'codegen:proto'] },
];

function findRegenerateCommand(generator: string, { manager, names }: Scripts): string | null {
  const family = families.find(({ generators }) => generators.test(generator));
  const script = family?.scripts.find((name) => names.has(name));
  if (script === undefined || manager === null) return null;
  return `${manager.replace(/^yarn-.*$/, 'yarn')} run ${script}`;
}
