/**
 * Which TypeScript projects one index of the repository is made of: every `tsconfig.json` that means files, those of other names
 * that mean files no such one does (a `tsconfig.build.json` that repeats its neighbour would be indexed twice for nothing), and what
 * the configuration adds. A repository without any has one that is made up of all its files.
 */

import { posix } from 'node:path';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { configPathOf } from '../../languages/projects/context-spec.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import {
  createFindPackagedConfig,
  createFindRepositoryPackage,
  createPackages,
} from '../../languages/typescript/js-packages.ts';
import { type ConfigFile, createReadConfigFile, usesConfigDir } from '../../languages/typescript/read-tsconfig.ts';
import { buildSourceTree, compileConfigInputs, listRootFiles } from '../../languages/typescript/tsconfig-files.ts';
import {
  describeConfigProblem,
  findEndless,
  findEndlessReference,
  isEndless,
  listProjects,
} from '../../languages/typescript/typescript-projects.ts';

export type ScipProject = {
  /** Null: there is none, and what has none is taken together. */
  readonly configPath: string | null;
  /** Its own, root-relative. */
  readonly files: readonly string[];
  /** The directory of a `tsconfig.json`, `.` for the root; any other configuration by its path. */
  readonly path: string;
  readonly synthesised: boolean;
  /** What stands in its way, as far as that can be read from it. */
  readonly problem: string | null;
  /**
   * It is not given to the compiler: what it says cannot be read, and an index by a guess would be one of something else; or its bases are
   * beyond our bounds, and the compiler has none and may never come back from it.
   */
  readonly isUnusable: boolean;
};

type ScipProjects = {
  readonly projects: readonly ScipProject[];
  /** Of `scip.extra_projects`: what is not there, or not in the repository. */
  readonly missing: readonly string[];
};

export function listScipProjects(
  world: ResolveWorld,
  sources: readonly string[],
  extraProjects: readonly string[],
): ScipProjects {
  const packages = createPackages(world);
  const readConfig = createReadConfigFile(
    world,
    createFindPackagedConfig(world, packages, createFindRepositoryPackage(world, packages)),
  );
  const inScope = new Set(sources);
  const tree = buildSourceTree(world.allFiles(), (path) => inScope.has(path));
  const describe = (config: ConfigFile) => ({ config, roots: listRootFiles(compileConfigInputs(config), tree) });
  const all = listProjects(world.allFiles(), readConfig, describe);
  const found = all.filter(({ config, roots }) => roots.length > 0 || config.problems.length > 0);
  const endless = findEndless(all.map(({ config }) => config));
  const extra = extraProjects.map((text) => {
    const path = configPathOf(text);
    return { text, config: path === undefined ? undefined : readConfig(path) };
  });
  const covered = new Set<string>();
  const projects = new Map<string, ScipProject>();
  const take = ({ config, roots }: (typeof found)[number]): void => {
    const project = projectOf(
      config,
      roots.map(({ path }) => path),
      endless,
    );
    projects.set(config.path, project);
    for (const path of project.files) covered.add(path);
  };
  for (const each of found) if (isPlain(each.config.path)) take(each);
  for (const { config } of extra) if (config !== undefined && !projects.has(config.path)) take(describe(config));
  // Those that mean most first, so that one that repeats part of it need not be given.
  const others = found
    .filter(({ config }) => !projects.has(config.path))
    .sort((a, b) => b.roots.length - a.roots.length);
  for (const each of others)
    if (each.roots.length === 0 || each.roots.some(({ path }) => !covered.has(path))) take(each);
  const missing = extra.filter(({ config }) => config === undefined).map(({ text }) => text);
  if (projects.size === 0 && sources.length > 0) return { projects: [synthesise(sources)], missing };
  return { projects: [...projects.values()].sort((a, b) => compareCodeUnits(a.path, b.path)), missing };
}

function isPlain(path: string): boolean {
  return posix.basename(path) === 'tsconfig.json';
}

function projectOf(config: ConfigFile, files: readonly string[], endless: ReadonlySet<string>): ScipProject {
  const isGivenAsItIs = usesConfigDir(config);
  const endlessReference = isGivenAsItIs ? findEndlessReference(config, endless) : undefined;
  const problem = describeConfigProblem(config) ?? endlessReference ?? null;
  return {
    path: isPlain(config.path) ? posix.dirname(config.path) : config.path,
    synthesised: false,
    configPath: config.path,
    files,
    problem,
    isUnusable:
      isEndless(problem) || endlessReference !== undefined || config.problems.some(({ kind }) => kind === 'malformed'),
  };
}

function synthesise(sources: readonly string[]): ScipProject {
  return {
    path: '.',
    synthesised: true,
    configPath: null,
    files: sources,
    problem: null,
    isUnusable: false,
  };
}
