/**
 * scip-python 0.6 (measured). Left alone it searches for configuration in every directory above the project, also outside the
 * repository, starts `python`, `pip` and `git`, and indexes what the project's own settings leave over. Here it starts nothing:
 * - it runs *in the job dir*, where it finds its configuration first; the project is reached through the link `tree`, the members
 *   are named one by one, and `--target-only` makes document paths relative to the project;
 * - the project's directory, its `src` and what its configuration adds are search paths, so a module has one name wherever it is imported;
 * - version and platform are given, the environment file is written by us, PATH is empty, and the project has a name and a version.
 */

import { join } from 'node:path/posix';
import type { IndexerAdapter, IndexerContext, Invocation, PlanWorld } from './adapter.ts';
import { classifyExit } from './classify-exit.ts';
import { textIn, textsIn } from './config-values.ts';
import { describePythonPackages } from './python-packages.ts';

/** Reads of `config`: `name` (of the distribution), `extraPaths` (root-relative directories). */
export const scipPython: IndexerAdapter = {
  id: 'scip-python',
  family: 'python',
  tool: 'scip-python',
  granularity: 'project',
  executesRepoCode: false,
  minVersion: '0.6.0',
  timeoutMs: 30 * 60_000,
  memoryMb: 6144,
  positionEncoding: 2,
  gaps: ['relative_import_module_reference'],
  passes: [],
  argumentsKey:
    'index --cwd --target-only --project-name --project-version 0 --environment --output; members by include',
  plan: planRun,
  describe: (world) => ({ [packagesName]: describePythonPackages(listSitePackages(world), world.repoRoot) }),
  classifyExit: (outcome) => classifyExit(outcome),
};

const configName = 'scip-pyrightconfig.json';
const packagesName = 'environment.json';
const link = 'tree';

function planRun(context: IndexerContext, world: PlanWorld): Invocation {
  const { jobDir } = world;
  const output = join(jobDir, 'out.scip');
  return {
    args: [
      ...['index', '--cwd', jobDir, '--target-only', join(jobDir, link)],
      ...['--project-name', nameProject(context), '--project-version', '0'],
      ...['--environment', join(jobDir, packagesName), '--output', output, '--quiet'],
    ],
    cwd: jobDir,
    env: { PATH: join(jobDir, 'bin') },
    output,
    files: { [configName]: renderConfig(context, world) },
    links: { [link]: join(world.repoRoot, context.root) },
    readable: listSitePackages(world),
    documentBase: context.root,
  };
}

/** What the symbols of a context are named after; without a name the tool would go looking for one. */
function nameProject(context: IndexerContext): string {
  return textIn(context.config, 'name') ?? (context.root === '' ? '.' : context.root);
}

function renderConfig(context: IndexerContext, world: PlanWorld): string {
  const below = (path: string) => join(link, context.root === '' ? path : path.slice(context.root.length + 1));
  const inside = (path: string) => context.root === '' || path.startsWith(`${context.root}/`);
  const members = context.members.filter(inside);
  const hasSources = members.some((member) => below(member).startsWith(`${link}/src/`));
  const added = textsIn(context.config, 'extraPaths').map((path) =>
    inside(path) ? below(path) : join(world.repoRoot, path),
  );
  return JSON.stringify({
    include: members.map(below),
    // Without an exclusion of its own the tool leaves out hidden files and everything below a virtual environment.
    exclude: ['**/.codegenie-excludes-nothing'],
    pythonVersion: world.environment['PYTHON_VERSION'] ?? '3.13',
    pythonPlatform: 'Linux',
    extraPaths: [...new Set([link, ...(hasSources ? [`${link}/src`] : []), ...added, ...listSitePackages(world)])],
    useLibraryCodeForTypes: true,
    typeCheckingMode: 'off',
  });
}

function listSitePackages(world: PlanWorld): readonly string[] {
  return (world.environment['PYTHON_SITE_PACKAGES'] ?? '').split(':').filter((path) => path !== '');
}
