/**
 * TypeScript and JavaScript projects: one per configuration that has files of its own, and one per package for the files that no
 * configuration means. Members are the files the compiler would list, plus what their imports bring into the program and no project
 * lists: a file that another project lists is that project's to describe, here it is a dependency. So a repository of many projects
 * that import each other has as many members as files, not as many as pairs of them, and a file's state is not the worst of strangers'.
 */

import { type ContextSpec, type TypeScriptIndexer, typeScriptIndexers } from '../../../languages/context-spec.ts';
import { type ConfigFile, createReadConfigFile } from '../../resolve/javascript/config-file.ts';
import { type ConfigInputs, compileConfigInputs, readFlag } from '../../resolve/javascript/config-inputs.ts';
import { packageFolders } from '../../resolve/javascript/config-patterns.ts';
import { createPackages } from '../../resolve/javascript/package-info.ts';
import { createFindPackagedConfig } from '../../resolve/javascript/packaged-config.ts';
import { createFindRepositoryPackage } from '../../resolve/javascript/repository-packages.ts';
import { nameOf } from './build-files.ts';
import { describeConfigProblem, findEndless, findEndlessReference, isEndless } from './config-problem.ts';
import type { DiscoveryWorld } from './discover-contexts.ts';
import { createProgramInputs, type ProgramInputs } from './program-inputs.ts';
import { buildSourceTree, type SourceFile, type SourceTree } from './source-tree.ts';
import { listRootFiles } from './tsconfig-files.ts';
import { listProjects } from './tsconfig-projects.ts';
import { usesConfigDir } from './uses-config-dir.ts';

export function discover(world: DiscoveryWorld): readonly ContextSpec[] {
  const { resolve, typeScriptIndexer: indexer = typeScriptIndexers[0] } = world;
  const packages = createPackages(resolve);
  const findPackaged = createFindPackagedConfig(resolve, packages, createFindRepositoryPackage(resolve, packages));
  const tree = buildSourceTree(resolve.allFiles(), (path) => sourceLanguages.has(world.languageOf(path) ?? ''));
  const programInputs = createProgramInputs(resolve, packages);
  const projects = listProjects(resolve.allFiles(), createReadConfigFile(resolve, findPackaged), (config) => {
    const inputs = compileConfigInputs(config);
    return { config, inputs, roots: listRootFiles(inputs, tree) };
  });
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

/** Solution configurations, and those that mean nothing, are no project. One that cannot be read is: somebody has to be told. */
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
    // What is minified or installed is nobody's source, and the compiler's own patterns pass over it too.
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
