/**
 * The packages of a Node repository: manager, workspace members, declared build outputs. Which manager it uses and which lockfile
 * counts is one decision, made here for every probe (probes.md, node_build_system). The `packageManager` field names the manager; the lockfile that is there decides what is parsed.
 */

import { posix } from 'node:path';
import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import { shown } from './manifest-facts.ts';
import { type Findings, type ManifestContext, readOrReport } from './probe-reading.ts';

export const packageManagers = ['bun', 'pnpm', 'yarn-classic', 'yarn-berry', 'npm'] as const;
type PackageManager = (typeof packageManagers)[number];

type Family = 'pnpm' | 'yarn' | 'bun' | 'npm';
/** What reads a lockfile: a manager's parser, or nothing for bun's binary form. */
export type LockfileKind = PackageManager | 'bun-binary';

/** In order of precedence: of two families the first wins, within a family the manager's own preference. */
const lockfileFamilies = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['npm-shrinkwrap.json', 'npm'],
  ['package-lock.json', 'npm'],
] as const satisfies readonly (readonly [string, Family])[];

export const nodeLockfiles: readonly string[] = lockfileFamilies.map(([path]) => path);

/** What a probe must declare to call `readPackageManager`. */
export const packageManagerInputs: readonly string[] = ['package.json', ...nodeLockfiles, '.yarnrc.yml', '.pnp.cjs'];

type PackageManagerNote =
  | 'multi_lockfile'
  | 'declaration_lockfile_disagree'
  | 'yarn_variant_inferred'
  | 'field_unparseable';

export type PackageManagerDecision = {
  readonly manager: PackageManager | null;
  readonly version: string | null;
  readonly lockfile: string | null;
  readonly lockfileKind: LockfileKind | null;
  readonly additionalLockfiles: readonly string[];
  readonly notes: readonly PackageManagerNote[];
};

export type PackageManagerFacts = {
  /** `package.json#packageManager` as parsed; undefined when absent. */
  readonly field: Json | undefined;
  /** Root lockfiles that exist, in any order. */
  readonly lockfiles: readonly string[];
  /** What the text of yarn.lock says, null when it says nothing or is not there. */
  readonly yarnLockVariant: YarnVariant | null;
  readonly hasYarnrc: boolean;
  readonly hasPnp: boolean;
};

const headBytes = 4096;

type YarnVariant = 'yarn-classic' | 'yarn-berry';

/** Of the package in a directory; lock files are named relative to it. */
export async function readPackageManager(
  repo: ProbeRepo,
  field: Json | undefined,
  directory = '.',
): Promise<PackageManagerDecision> {
  const at = (name: string) => (directory === '.' ? name : `${directory}/${name}`);
  const outcome = repo.inputs.has(at('yarn.lock')) ? await repo.inputs.readHead(at('yarn.lock'), headBytes) : null;
  return decidePackageManager({
    field,
    lockfiles: nodeLockfiles.filter((name) => repo.inputs.has(at(name))),
    yarnLockVariant: outcome?.kind === 'read' ? yarnLockVariant(outcome.bytes) : null,
    hasYarnrc: repo.inputs.has(at('.yarnrc.yml')),
    hasPnp: repo.inputs.has(at('.pnp.cjs')),
  });
}

export function decidePackageManager(facts: PackageManagerFacts): PackageManagerDecision {
  const declared = parseField(facts.field);
  const present = lockfileFamilies.filter(([path]) => facts.lockfiles.includes(path));
  const chosen = present.find(([, family]) => family === declared.family) ?? present[0];
  const notes: PackageManagerNote[] = [];

  const family = declared.family ?? chosen?.[1] ?? null;
  const yarn = decideYarnVariant(declared.version, facts);
  const manager = family === 'yarn' ? yarn.variant : family;
  const lockfileKind = chosen === undefined ? null : kindOf(chosen, facts.yarnLockVariant ?? yarn.variant);

  if (declared.unparseable) notes.push('field_unparseable');
  if (new Set(present.map(([, each]) => each)).size > 1) notes.push('multi_lockfile');
  const lockManager = lockfileKind === 'bun-binary' ? 'bun' : lockfileKind;
  if (declared.family !== null && lockManager !== null && lockManager !== manager)
    notes.push('declaration_lockfile_disagree');
  if (family === 'yarn' && yarn.inferred) notes.push('yarn_variant_inferred');

  return {
    manager,
    version: declared.version,
    lockfile: chosen?.[0] ?? null,
    lockfileKind,
    additionalLockfiles: present.map(([path]) => path).filter((path) => path !== chosen?.[0]),
    notes,
  };
}

/** A v1 header or a `__metadata` block, both of which stand at the top of the file. */
export function yarnLockVariant(bytes: Uint8Array): YarnVariant | null {
  const head = decodeLenient(bytes.subarray(0, headBytes));
  if (/^__metadata:/m.test(head)) return 'yarn-berry';
  return /^# yarn lockfile v1\b/m.test(head) ? 'yarn-classic' : null;
}

function kindOf([path, family]: (typeof lockfileFamilies)[number], yarn: YarnVariant): LockfileKind {
  if (path === 'bun.lockb') return 'bun-binary';
  return family === 'yarn' ? yarn : family;
}

type DeclaredManager = {
  readonly family: Family | null;
  readonly version: string | null;
  readonly unparseable: boolean;
};

/** `pnpm@9.1.0+sha512.…`: the name counts even where the version is not exact, but then the field is reported. */
function parseField(field: Json | undefined): DeclaredManager {
  if (field === undefined) return { family: null, version: null, unparseable: false };
  const match = typeof field === 'string' ? /^(npm|pnpm|yarn|bun)(?:@(.*))?$/.exec(field) : null;
  if (match === null) return { family: null, version: null, unparseable: true };
  const version = /^(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?$/.exec(match[2] ?? '')?.[1] ?? null;
  return { family: match[1] as Family, version, unparseable: version === null };
}

/** The field's version, then the text of the lock; what merely lies beside them is an inference, and classic is the last guess. */
function decideYarnVariant(
  version: string | null,
  facts: PackageManagerFacts,
): { readonly variant: YarnVariant; readonly inferred: boolean } {
  if (version !== null) return { variant: version.startsWith('1.') ? 'yarn-classic' : 'yarn-berry', inferred: false };
  if (facts.yarnLockVariant !== null) return { variant: facts.yarnLockVariant, inferred: false };
  return { variant: facts.hasYarnrc || facts.hasPnp ? 'yarn-berry' : 'yarn-classic', inferred: true };
}

// The members of a Node workspace with their manifests, declared by pnpm, npm, yarn, bun or lerna.

/** What a probe must declare to call `readWorkspaceMembers`; unreadable files are reported as these families. */
export const workspaceInputs: readonly string[] = ['**/package.json', 'pnpm-workspace.yaml', 'lerna.json'];
export const workspaceFamilies: readonly string[] = ['package_json', 'pnpm_workspace', 'lerna_json'];

export type PackageMember = { readonly directory: string; readonly manifest: JsonObject };

/** In path order. pnpm reads its own file alone; the others read package.json, and old lerna repositories lerna.json. */
export async function readWorkspaceMembers(
  repo: ProbeRepo,
  ctx: ManifestContext,
  rootManifest: JsonObject | null,
  manager: string | null,
  findings: Findings,
  root = '.',
): Promise<readonly PackageMember[]> {
  const prefix = root === '.' ? '' : `${root}/`;
  const own = workspaceGlobsOf(rootManifest);
  const readPnpm = manager === 'pnpm' || own === null;
  const pnpm = readPnpm
    ? await readOrReport(repo, ctx, `${prefix}pnpm-workspace.yaml`, 'pnpm_workspace', findings)
    : null;
  const globs = packageGlobsOf(pnpm) ?? own;
  const lerna = globs === null ? await readOrReport(repo, ctx, `${prefix}lerna.json`, 'lerna_json', findings) : null;
  const below = listPackageJson(repo).flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []));
  const members: PackageMember[] = [];
  for (const relative of expandWorkspaces(globs ?? packageGlobsOf(lerna) ?? [], below)) {
    const directory = `${prefix}${relative}`;
    const manifest = await readOrReport(repo, ctx, `${directory}/package.json`, 'package_json', findings);
    members.push({ directory, manifest: manifest ?? {} });
  }
  return members;
}

/** Every package.json of the repository's own among a probe's inputs. */
export function listPackageJson(repo: ProbeRepo): readonly string[] {
  return repo.inputs.list(['**/package.json']).filter((id) => !isVendoredPath(id));
}

// Workspace members from the globs a repository declares: `packages/*`, `./apps/**`, `!packages/legacy`.
// Only directories with an in-scope package.json count; the root and anything below node_modules never do.

const maxGlobs = 256;
const maxGlobChars = 512;

/** `package.json#workspaces` in both of its forms; null when there is none. */
export function workspaceGlobsOf(manifest: JsonObject | null): readonly string[] | null {
  const field = manifest?.['workspaces'];
  return stringsOf(isJsonObject(field) ? field['packages'] : field);
}

/** `packages` of pnpm-workspace.yaml or lerna.json; null when there is none. */
export function packageGlobsOf(document: JsonObject | null): readonly string[] | null {
  return stringsOf(document?.['packages']);
}

/** Member directories, sorted. A negation removes wherever it stands in the list, as pnpm and yarn read it. */
export function expandWorkspaces(globs: readonly string[], packageJsonPaths: readonly string[]): readonly string[] {
  const usable = globs.slice(0, maxGlobs);
  const includes = compileGlobs(usable.filter((glob) => !glob.startsWith('!')).flatMap(directoryGlobs));
  const excludes = compileGlobs(
    usable.filter((glob) => glob.startsWith('!')).flatMap((glob) => directoryGlobs(glob.slice(1))),
  );
  return packageJsonPaths
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => path.slice(0, -'/package.json'.length))
    .filter((directory) => !`/${directory}/`.includes('/node_modules/'))
    .filter((directory) => includes(directory) && !excludes(directory))
    .sort(compareCodeUnits);
}

// A leading `./` and a trailing slash mean nothing; a trailing `/**` also means the directory itself.
function directoryGlobs(glob: string): readonly string[] {
  const clean = glob.replace(/^(\.?\/)+/, '').replace(/(\/package\.json)?\/*$/, '');
  if (clean === '' || clean === '.') return [];
  return clean.endsWith('/**') ? [clean, clean.slice(0, -'/**'.length)] : [clean];
}

function stringsOf(value: Json | undefined): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  return (value as readonly Json[]).filter(
    (item): item is string => typeof item === 'string' && item.length <= maxGlobChars,
  );
}

// What a build is declared to write: the compiler's output directories, and the entry points and published folders of a manifest
// that lie in an output directory. Directories end in `/`. Nothing is looked up on disk: outputs are usually not there.

const outputFolders: ReadonlySet<string> = new Set(['dist', 'build', 'out', '.next', '.nuxt', '.output']);
const maxArtifacts = 200;

export function listOutputArtifacts(
  packages: readonly { readonly directory: string; readonly manifest: JsonObject }[],
  compilerOptions: JsonObject,
): readonly string[] {
  const folders = ['outDir', 'declarationDir']
    .map((name) => compilerOptions[name])
    .flatMap((value) => (typeof value === 'string' ? (insideRoot(value) ?? []) : []))
    .map((folder) => folder.replace(/\/$/, ''));
  const outFile = typeof compilerOptions['outFile'] === 'string' ? insideRoot(compilerOptions['outFile']) : null;
  const found = new Set(folders.map((folder) => `${folder}/`));
  if (outFile !== null) found.add(outFile);
  for (const { directory, manifest } of packages) {
    for (const declared of declaredPaths(manifest)) {
      const path = insideRoot(posix.join(directory, declared));
      if (path !== null && isOutput(path, directory, folders)) found.add(path);
    }
  }
  return [...found].map(shown).sort(compareCodeUnits).slice(0, maxArtifacts);
}

function isOutput(path: string, directory: string, folders: readonly string[]): boolean {
  if (folders.some((folder) => path.startsWith(`${folder}/`))) return true;
  if (directory !== '.' && !path.startsWith(`${directory}/`)) return false;
  const below = directory === '.' ? path : path.slice(directory.length + 1);
  return outputFolders.has(below.split('/')[0] as string);
}

function declaredPaths(manifest: JsonObject): readonly string[] {
  const entries = ['main', 'module', 'browser', 'types', 'typings'].flatMap((key) => leaves(manifest[key]));
  const published = leaves(manifest['files'])
    .map(asPublished)
    .filter((path) => path !== null);
  return [...entries, ...leaves(manifest['bin']), ...leaves(manifest['exports']), ...published];
}

/** `dist`, `dist/` and `dist/**` publish the folder; other patterns are no paths. */
function asPublished(pattern: string): string | null {
  const clean = pattern.replace(/^\.?\//, '').replace(/(\/\*\*?(\/\*)?)?\/?$/, '');
  if (clean === '' || /[*?[\]{}!]/.test(clean)) return null;
  return /\.[A-Za-z0-9]+$/.test(clean) && !outputFolders.has(clean) ? clean : `${clean}/`;
}

/** The strings in a value of any shape; order does not matter, the caller sorts. */
function leaves(value: Json | undefined): readonly string[] {
  const found: string[] = [];
  const pending: (Json | undefined)[] = [value];
  while (pending.length > 0 && found.length < maxArtifacts) {
    const next = pending.pop();
    if (typeof next === 'string') found.push(next);
    const children = Array.isArray(next) ? (next as readonly Json[]) : isJsonObject(next) ? Object.values(next) : [];
    for (const child of children.slice(0, maxArtifacts)) pending.push(child);
  }
  return found.filter((text) => text !== '');
}

function insideRoot(path: string): string | null {
  const normal = posix.normalize(path.replaceAll('\\', '/'));
  return normal === '.' || normal === './' || normal.startsWith('..') || normal.startsWith('/') || normal.includes('*')
    ? null
    : normal;
}
