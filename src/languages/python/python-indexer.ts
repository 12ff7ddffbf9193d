/**
 * scip-python 0.6 (measured). Left alone it searches for configuration in every directory above the project, also outside the
 * repository, starts `python`, `pip` and `git`, and indexes what the project's own settings leave over. Here it starts nothing:
 * - it runs *in the job dir*, where it finds its configuration first; the project is reached through the link `tree`, the members
 *   are named one by one, and `--target-only` makes document paths relative to the project;
 * - the project's directory, its `src` and what its configuration adds are search paths, so a module has one name wherever it is imported;
 * - version and platform are given, the environment file is written by us, PATH is empty, and the project has a name and a version.
 */

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import {
  classifyExit,
  type IndexerAdapter,
  type IndexerContext,
  type Invocation,
  type PlanWorld,
  textIn,
  textsIn,
} from '../indexers/indexer-adapter.ts';
import { findOnPath, isPlainDirectory, type Machine, readBounded } from '../indexers/machine.ts';

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
  findEnvironment: (place) => ({
    environment: findPython(place, [...(place.contextRoot === undefined ? [] : [place.contextRoot]), place.repoRoot]),
  }),
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

const environmentNames = ['.venv', 'venv', 'env'];
const maxSettingsBytes = 65_536;

/**
 * Which Python a project is meant for, and where its libraries lie, found by looking: no interpreter is started. In order: a
 * virtual environment beside the project, the active one, the `python3` of PATH. An environment inside the repository is not read
 * through links: its libraries are shown to the indexer, and a link could lead to a directory that must not be shown.
 */
export function findPython(machine: Machine, directories: readonly string[]): Record<string, string> {
  const beside = directories.flatMap((directory) => environmentNames.map((name) => join(directory, name)));
  const active = [machine.environment['VIRTUAL_ENV'], machine.environment['CONDA_PREFIX']];
  const isVirtual = (prefix: string) => readSettings(prefix, machine) !== undefined;
  const prefixes = [...beside.filter(isVirtual), ...active, findOfPath(machine)].filter((path) => path !== undefined);
  for (const prefix of prefixes) {
    const version = findVersion(prefix, machine);
    if (version === undefined) continue;
    const found = [join(prefix, `lib/python${version}/site-packages`), join(prefix, 'lib/python3/dist-packages')];
    // A colon separates them: one in the name of a directory would make others of it.
    const isUsable = (path: string) => !path.includes(':') && isPlainDirectory(path, machine.repoRoot);
    return {
      PYTHON_PREFIX: prefix,
      PYTHON_VERSION: version,
      PYTHON_SITE_PACKAGES: found.filter(isUsable).join(':'),
    };
  }
  return {};
}

function readSettings(prefix: string, machine: Machine): string | undefined {
  return readBounded(join(prefix, 'pyvenv.cfg'), maxSettingsBytes, machine.repoRoot);
}

function findOfPath(machine: Machine): string | undefined {
  const found = findOnPath('python3', machine) ?? findOnPath('python', machine);
  if (found === undefined) return undefined;
  const real = basename(dirname(found)) === 'shims' ? findDefaultPyenv(found) : realpathSync(found);
  return real === undefined ? undefined : dirname(dirname(real));
}

/** `3.11`: what its `pyvenv.cfg` says, else the name of its library directory. */
function findVersion(prefix: string, machine: Machine): string | undefined {
  const said = /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(readSettings(prefix, machine) ?? '')?.[1];
  if (said !== undefined) return said;
  const libraries = join(prefix, 'lib');
  if (!isPlainDirectory(libraries, machine.repoRoot)) return undefined;
  try {
    const named = readdirSync(libraries).flatMap((name) => /^python(3\.\d+)$/.exec(name)?.[1] ?? []);
    // Several versions share /usr: the interpreter's own name says which is meant.
    const linked = /^python(3\.\d+)$/.exec(basename(realpathSync(join(prefix, 'bin/python3'))))?.[1];
    return linked ?? named.sort(compareCodeUnits).at(-1);
  } catch {
    return undefined;
  }
}

/**
 * A shim of pyenv is a script that looks up the chosen version, which a file states: `~/.pyenv/shims/python3` →
 * `~/.pyenv/versions/<global version>/bin/python3`.
 */
function findDefaultPyenv(shim: string): string | undefined {
  const home = dirname(dirname(shim));
  try {
    const name = readFileSync(join(home, 'version'), 'utf8').split('\n', 1)[0]?.trim() ?? '';
    const program = join(home, 'versions', name, 'bin', basename(shim));
    return /^[A-Za-z0-9._-]+$/.test(name) && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

type Distribution = { readonly name: string; readonly version: string; readonly files: readonly string[] };

const maxDistributions = 2_000;
const maxFiles = 50_000;
const maxRecordBytes = 4 * 1024 ** 2;

/**
 * The installed distributions as scip-python's environment file names them, read from their records: no interpreter and no package
 * manager is started. What cannot be read, or is beyond the limits, is left out: references to it lose their package, not their
 * place.
 */
export function describePythonPackages(sitePackages: readonly string[], repoRoot: string): string {
  // The tool takes the first entry for "not found": it must not be a real one.
  const found: Distribution[] = [{ name: '', version: '', files: [] }];
  let files = 0;
  for (const directory of sitePackages) {
    for (const name of isPlainDirectory(directory, repoRoot) ? listDistributions(directory) : []) {
      const isOver = found.length > maxDistributions;
      const distribution = isOver ? undefined : readDistribution(join(directory, name), repoRoot);
      if (distribution === undefined || files + distribution.files.length > maxFiles) continue;
      files += distribution.files.length;
      found.push(distribution);
    }
  }
  return JSON.stringify(found);
}

function listDistributions(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.dist-info'))
      .sort(compareCodeUnits);
  } catch {
    return [];
  }
}

function readDistribution(directory: string, repoRoot: string): Distribution | undefined {
  const read = (name: string) => readBounded(join(directory, name), maxRecordBytes, repoRoot) ?? '';
  const metadata = read('METADATA');
  const name = /^Name:[ \t]*(\S+)/m.exec(metadata)?.[1];
  const version = /^Version:[ \t]*(\S+)/m.exec(metadata)?.[1];
  if (name === undefined || version === undefined) return undefined;
  const files = read('RECORD')
    .split('\n')
    .map((line) => line.slice(0, Math.max(0, line.indexOf(','))))
    .filter((path) => /\.pyi?$/.test(path) && !path.startsWith('..') && !path.startsWith('/'));
  return { name, version, files };
}
