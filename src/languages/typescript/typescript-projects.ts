/**
 * TypeScript and JavaScript projects: one per configuration that has files of its own, and one per package for the files that no
 * configuration means. Members are the files the compiler would list, plus what their imports bring into the program and no project
 * lists: a file that another project lists is that project's to describe, here it is a dependency. So a repository of many projects
 * that import each other has as many members as files, not as many as pairs of them, and a file's state is not the worst of strangers'.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, compareCodeUnits, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import type { ParseFailure } from '../../kernel/formats/parse-outcome.ts';
import {
  type ContextSpec,
  configPathOf,
  type TypeScriptIndexer,
  typeScriptIndexers,
} from '../projects/context-spec.ts';
import { type DiscoveryWorld, nameOf } from '../projects/project-files.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { baseNameOf, below, directoryOf } from '../resolving/root-paths.ts';
import { createFindPackagedConfig, createFindRepositoryPackage, createPackages, type Packages } from './js-packages.ts';
import {
  type ConfigFile,
  type ConfigProblem,
  createReadConfigFile,
  type ReadConfigFile,
  usesConfigDir,
} from './read-tsconfig.ts';
import {
  buildSourceTree,
  type ConfigInputs,
  compileConfigInputs,
  listRootFiles,
  packageFolders,
  readFlag,
  type SourceFile,
  type SourceTree,
} from './tsconfig-files.ts';

export default function discoverTypeScript(world: DiscoveryWorld): readonly ContextSpec[] {
  const { resolve, typeScriptIndexer: indexer = typeScriptIndexers[0] } = world;
  const packages = createPackages(resolve);
  const findPackaged = createFindPackagedConfig(resolve, packages, createFindRepositoryPackage(resolve, packages));
  const tree = buildSourceTree(resolve.allFiles(), (path) => sourceLanguages.has(world.languageOf(path) ?? ''));
  const programInputs = createProgramInputs(resolve, packages);
  const describe = (config: ConfigFile) => {
    const inputs = compileConfigInputs(config);
    return { config, inputs, roots: listRootFiles(inputs, tree) };
  };
  const extra = (world.extraProjects ?? []).flatMap((text) => configPathOf(text) ?? []);
  const read = createReadConfigFile(resolve, findPackaged);
  const projects = listProjects(resolve.allFiles(), read, describe, extra);
  const isListed = new Uint8Array(tree.files.length);
  for (const { roots } of projects) for (const { rank } of roots) isListed[rank] = 1;
  const isCovered = Uint8Array.from(isListed);
  const listUnlistedTargets = createUnlistedTargets(world, tree, isListed);
  const endless = findEndless(projects.map(({ config }) => config));
  const contexts = projects.flatMap((project) => {
    const reached = listReached(project, listUnlistedTargets);
    for (const { rank } of reached) isCovered[rank] = 1;
    return describeProject(tree, project, endless, reached, programInputs, indexer) ?? [];
  });
  return [...contexts, ...listLoose(tree, isCovered, packages.scopeOf, programInputs, indexer)];
}

const sourceLanguages: ReadonlySet<string> = new Set(['typescript', 'javascript']);

type Project = {
  readonly config: ConfigFile;
  readonly inputs: ConfigInputs;
  readonly roots: readonly SourceFile[];
};

/** Solution configurations, and those that mean nothing, are no project. One that cannot be read is, so that the user is told. */
function describeProject(
  tree: SourceTree,
  { config, roots }: Project,
  endless: ReadonlySet<string>,
  reached: readonly SourceFile[],
  programInputs: ProgramInputs,
  indexer: TypeScriptIndexer,
): ContextSpec | undefined {
  const references = config.references.filter((path) => !endless.has(path));
  const own = describeConfigProblem(config);
  const asItIs = (isEndless(own) ? own : undefined) ?? findEndlessReference(config, endless);
  const problem = own ?? (usesConfigDir(config) ? (asItIs ?? null) : null);
  if (roots.length === 0 && problem === null) return undefined;
  const files = [...roots, ...reached];
  return {
    key: `ts:${config.path}`,
    family: 'typescript',
    root: config.directory,
    configPath: config.path,
    indexer,
    members: listPaths(tree, files),
    config: {
      project: config.path,
      ...(usesConfigDir(config) ? { usesConfigDir: true } : {}),
      ...(references.length > 0 ? { references } : {}),
    },
    configInputs: {
      layers: config.layers.map(({ path, hash }) => [path, hash]),
      unseen: config.unseen,
      ...(references.length < config.references.length ? { references } : {}),
      ...programInputs(config.directory, files),
    },
    problem,
    ...(asItIs === undefined ? {} : { endless: asItIs }),
    enabled: true,
  };
}

/** Per file, and only once for all projects: the targets that no project lists. */
function createUnlistedTargets(
  world: DiscoveryWorld,
  tree: SourceTree,
  isListed: Uint8Array,
): (file: SourceFile) => readonly SourceFile[] {
  const known: (readonly SourceFile[] | undefined)[] = [];
  return (file) => {
    known[file.rank] ??= world.targetsOf(file.path).flatMap((path) => {
      const target = tree.find(path);
      return target === undefined || isListed[target.rank] === 1 ? [] : target;
    });
    return known[file.rank] ?? [];
  };
}

function listReached(
  { config, inputs, roots }: Project,
  listTargets: (file: SourceFile) => readonly SourceFile[],
): readonly SourceFile[] {
  // Where the configuration has to be given to the indexer as it is, nothing but what it lists gets described.
  if (readFlag(config, 'noResolve') === true || usesConfigDir(config)) return [];
  const reached = new Set<SourceFile>();
  const visit = (file: SourceFile) => {
    for (const target of listTargets(file)) {
      if ((inputs.readsJavaScript || !target.isJavaScript) && !isInPackageFolder(target.path)) reached.add(target);
    }
  };
  for (const root of roots) visit(root);
  // A set may grow while it is walked: every file is visited once.
  for (const file of reached) visit(file);
  return [...reached];
}

function listLoose(
  tree: SourceTree,
  isCovered: Uint8Array,
  scopeOf: (directory: string) => { readonly directory: string },
  programInputs: ProgramInputs,
  indexer: TypeScriptIndexer,
): readonly ContextSpec[] {
  const byFence = new Map<string, SourceFile[]>();
  for (const file of tree.files) {
    // What is minified or installed is no source, and the compiler's own patterns pass over it too.
    if (isCovered[file.rank] === 1 || file.name.endsWith('.min.js') || isInPackageFolder(file.path)) continue;
    const fence = scopeOf(file.directory.path).directory;
    const group = byFence.get(fence);
    if (group === undefined) byFence.set(fence, [file]);
    else group.push(file);
  }
  return [...byFence].map(([fence, files]) => ({
    key: `ts-loose:${nameOf(fence)}`,
    family: 'typescript',
    root: fence,
    configPath: null,
    indexer,
    members: listPaths(tree, files),
    config: { allowJs: true },
    configInputs: { loose: true, ...programInputs(fence, files) },
    problem: null,
    enabled: true,
  }));
}

function isInPackageFolder(path: string): boolean {
  return path.includes('_') && path.split('/').some((segment) => packageFolders.has(segment));
}

/** Sorted. */
function listPaths(tree: SourceTree, files: readonly SourceFile[]): readonly string[] {
  const ranks = Int32Array.from(files, ({ rank }) => rank).sort();
  return Array.from(ranks, (rank) => tree.files[rank]?.path ?? '');
}

type WithRoots = { readonly config: ConfigFile; readonly roots: readonly SourceFile[] };

/**
 * Which configuration files are projects: those named `tsconfig*.json` or `jsconfig.json`, and those a project references. A
 * configuration that exists to be extended is none, because by the compiler's rule it would mean all files around it: it has a
 * name of its own (not `tsconfig.json`), others extend it, none references it, and it either does not say what it consists of or
 * says nothing that those who extend it do not mean as well. What is asked for by its path is one. Sorted by path; `describe` is called for
 * each candidate once.
 */
export function listProjects<T extends WithRoots>(
  paths: readonly string[],
  read: ReadConfigFile,
  describe: (config: ConfigFile) => T,
  asked: readonly string[] = [],
): readonly T[] {
  const configs = new Map<string, ConfigFile>();
  const referenced = new Set<string>();
  const pending = [...paths.filter(isNamedLikeProject), ...asked];
  const isAsked = new Set(asked);
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const config = configs.has(path) ? undefined : read(path);
    if (config === undefined) continue;
    configs.set(path, config);
    for (const reference of config.references) {
      referenced.add(reference);
      pending.push(reference);
    }
  }
  const extending = listExtending(configs.values());
  const mayBeBase = ({ path }: ConfigFile) =>
    extending.has(path) && !referenced.has(path) && !isAsked.has(path) && !/^[jt]sconfig\.json$/.test(baseNameOf(path));
  const candidates = [...configs.values()].filter((config) => config.hasOwnInputs || !mayBeBase(config));
  const projects = new Map(candidates.map((config) => [config.path, describe(config)]));
  const rootSets = new Map<string, ReadonlySet<SourceFile>>();
  const rootsOf = (path: string): ReadonlySet<SourceFile> => {
    const roots = rootSets.get(path) ?? new Set(projects.get(path)?.roots);
    rootSets.set(path, roots);
    return roots;
  };
  return [...projects.values()]
    .filter(({ config, roots }) => {
      if (!mayBeBase(config)) return true;
      const others = extending.get(config.path) ?? [];
      return roots.some((file) => !others.some((path) => rootsOf(path).has(file)));
    })
    .sort((a, b) => compareCodeUnits(a.config.path, b.config.path));
}

function isNamedLikeProject(path: string): boolean {
  const name = baseNameOf(path);
  if (name !== 'jsconfig.json' && !(name.startsWith('tsconfig') && name.endsWith('.json'))) return false;
  return !path.split('/').some((segment) => packageFolders.has(segment));
}

/** Of every base, the configurations that extend it, however many steps lie between. */
function listExtending(configs: Iterable<ConfigFile>): ReadonlyMap<string, readonly string[]> {
  const extending = new Map<string, string[]>();
  for (const { path, layers } of configs) {
    for (const layer of layers) {
      if (layer.path === path) continue;
      const known = extending.get(layer.path);
      if (known === undefined) extending.set(layer.path, [path]);
      else known.push(path);
    }
  }
  return extending;
}

/**
 * What decides the meaning of a program besides its configuration and its files: the nearest lockfile, and those fields of the
 * members' `package.json` files that steer resolution or name symbols. Versions and scripts do not; ranges of dependencies only
 * where no lockfile says what they come to.
 */
type ProgramInputs = (directory: string, files: readonly SourceFile[]) => JsonObject;

const lockfileNames = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
];
const steeringFields = [
  'name',
  'type',
  'exports',
  'imports',
  'main',
  'module',
  'types',
  'typings',
  'typesVersions',
] as const;
const dependencyFields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

function createProgramInputs(world: ResolveWorld, packages: Packages): ProgramInputs {
  const locks = new Map<string, readonly Json[]>();
  const none: readonly Json[] = [];
  const manifests = new Map<string, JsonObject>();
  const summaries = new Map<string, string>();

  /** Lockfiles of the nearest directory that has one. A file too large to be read counts by its presence. */
  const lockfilesAt = (directory: string): readonly Json[] => {
    const known = locks.get(directory);
    if (known !== undefined) return known;
    const own = lockfileNames.map((name) => below(directory, name)).filter((path) => world.hasFile(path));
    const above = directory === '' ? none : lockfilesAt(directoryOf(directory));
    const nearest = own.length === 0 ? above : own.map((path) => [path, hashOf(world.readConfig(path))]);
    locks.set(directory, nearest);
    return nearest;
  };

  const summarise = (path: string, isLocked: boolean): string => {
    const key = `${isLocked} ${path}`;
    const known = summaries.get(key);
    if (known !== undefined) return known;
    const manifest = manifests.get(path) ?? readManifest(world.readConfig(path));
    manifests.set(path, manifest);
    const fields = isLocked ? steeringFields : [...steeringFields, ...dependencyFields];
    const said = fields.flatMap((field) => (manifest[field] === undefined ? [] : [[field, manifest[field]] as const]));
    const summary = blake3Hex(canonicalJson(Object.fromEntries(said)));
    summaries.set(key, summary);
    return summary;
  };

  return (directory, files) => {
    const lockfiles = lockfilesAt(directory);
    const found = new Set<string>();
    const places = new Set(files.map((file) => file.directory));
    for (const place of [directory, ...[...places].map(({ path }) => path)]) {
      const scope = packages.scopeOf(place);
      if (scope.package !== undefined) found.add(below(scope.package.directory, 'package.json'));
    }
    const paths = [...found].sort(compareCodeUnits);
    return { lockfiles, packages: paths.map((path) => [path, summarise(path, lockfiles.length > 0)]) };
  };
}

function hashOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : blake3Hex(bytes);
}

function readManifest(bytes: Uint8Array | undefined): JsonObject {
  const parsed = bytes && parseJsonObject(bytes, { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth });
  return parsed?.ok === true ? parsed.value : {};
}

const shownMax = 3;
const nameLengthMax = 120;

/** Why a `tsconfig.json` cannot be used, as a sentence that names the file to mend; `null` if it can. */
export function describeConfigProblem(config: ConfigFile): string | null {
  if (config.problems.length === 0) return null;
  const sentences = [...new Set(config.problems.map(describe))];
  const more = sentences.length - shownMax;
  return [...sentences.slice(0, shownMax), ...(more > 0 ? [`${more} more of this kind`] : [])].join('; ');
}

/** A compiler that follows the bases of such a configuration does not come to an end. */
export function isEndless(problem: string | null): boolean {
  return problem !== null && (problem.includes(ends.extends_cycle) || problem.includes(ends.extends_too_many));
}

/** As a sentence, that it would not for a reference. A configuration that is written in its place leaves those out. */
export function findEndlessReference(
  { path, references }: Pick<ConfigFile, 'path' | 'references'>,
  endless: ReadonlySet<string>,
): string | undefined {
  const found = references.find((reference) => endless.has(reference));
  if (found === undefined) return undefined;
  return `${show(path)} references "${show(found)}", which leads to bases without an end`;
}

/** Paths of such, and of those that lead to them: a compiler follows references too. */
export function findEndless(configs: readonly ConfigFile[]): ReadonlySet<string> {
  const endless = new Set(configs.filter((config) => isEndless(describeConfigProblem(config))).map(({ path }) => path));
  if (endless.size === 0) return endless;
  const referring = new Map<string, string[]>();
  for (const { path: from, references } of configs)
    for (const path of references) referring.set(path, [...(referring.get(path) ?? []), from]);
  // A set may grow while it is walked.
  for (const path of endless) for (const from of referring.get(path) ?? []) endless.add(from);
  return endless;
}

const ends = {
  extends_missing: 'which does not exist',
  extends_outside: 'which is outside of the repository',
  extends_cycle: 'which extends it in turn',
  extends_too_many: 'and that is one base too many to follow',
} as const;

function describe(problem: ConfigProblem): string {
  const path = show(problem.path);
  if (problem.kind === 'malformed') return `${path} ${describeFailure(problem.failure)}`;
  const base = `"${show(problem.base)}"`;
  return `${path} extends ${base}, ${ends[problem.kind]}`;
}

function describeFailure(failure: ParseFailure): string {
  switch (failure.kind) {
    case 'malformed':
      return `is not valid JSON${failure.line === undefined ? '' : ` in line ${failure.line}`}: ${failure.detail}`;
    case 'size_cap_exceeded':
      return `is too large to be read (${failure.bytes} bytes)`;
    case 'depth_cap_exceeded':
      return `nests deeper than ${failure.cap} levels`;
    default:
      return 'cannot be read';
  }
}

function show(text: string): string {
  return truncate(singleLine(text), nameLengthMax);
}
