/**
 * The two indexers of TypeScript and JavaScript, and what both need: a context as a project that an indexer can open from
 * anywhere, and what is installed beside it.
 *
 * `tsgo` is a script of this package on the native compiler (code-plane.md §6.1). It is told what to do in a file of the job dir,
 * and writes documents only of the files that were asked for; the others are read. What it knows is in `tsgo/`.
 *
 * scip-typescript 0.4 (measured):
 * - a project may be a directory or a config file of any name; the real config is reached through one in the job dir that
 *   `extends` it and names the members. So `references` are not followed (they are other contexts, and would be indexed again with
 *   each of them), and files that the program holds through imports get their document too: the tool writes documents only for a
 *   config's own files;
 * - it parses configs without telling the compiler their name: `@types` are looked for from the *working directory*, which is
 *   therefore the context's directory;
 * - `--cwd` goes unescaped into a regular expression: a root that is no valid one is reached through a link in the job dir;
 * - it writes nothing but the output, and starts no program without the workspace flags.
 */

import { basename, dirname, join } from 'node:path/posix';
import { packageDirectory } from '../../kernel/base/package-files.ts';
import { compilerVersion, findCompilerPackages } from '../../kernel/exec/compiler-packages.ts';
import { createDirectoryGuard, type Entry, lstatOf } from '../../kernel/tree/safe-read.ts';
import {
  classifyExit,
  type EnvironmentPlace,
  type FoundEnvironment,
  type IndexerAdapter,
  type IndexerContext,
  type Invocation,
  type PlanWorld,
  type ProgramRoots,
} from '../indexers/indexer-adapter.ts';

export const tsgo: IndexerAdapter = {
  id: 'tsgo',
  family: 'typescript',
  tool: 'tsgo',
  granularity: 'file',
  executesRepoCode: false,
  minVersion: compilerVersion,
  timeoutMs: 30 * 60_000,
  memoryMb: 4096,
  positionEncoding: 2,
  gaps: [],
  passes: [],
  argumentsKey: 'tsgo 4; members by files, references',
  canBeCareful: true,
  findEnvironment,
  plan: planTsgo,
  classifyExit(outcome) {
    const judged = classifyExit(outcome, /^config_error:/m);
    if (judged !== 'tool_crashed' || outcome.kind !== 'exited') return judged;
    // A compiler that fails by itself says so, whatever befell others at the same time.
    const hasSaid = /^(?:panic|fatal error|SIG[A-Z]+):/m.test(outcome.stderr.toString('utf8'));
    const said = /^(missing_tool|bad_version|out_of_memory):/m.exec(outcome.stdout.toString('utf8'))?.[1];
    return said === undefined || hasSaid ? judged : (said as 'missing_tool' | 'bad_version' | 'out_of_memory');
  },
};

const projectName = 'tsconfig.json';
const jobName = 'job.json';

function planTsgo(context: IndexerContext, world: PlanWorld): Invocation {
  const { repoRoot, jobDir } = world;
  const output = join(jobDir, 'out.scip');
  const direct = context.configPath !== null && context.config['usesConfigDir'] === true;
  const references = (context.config['references'] ?? []) as readonly string[];
  // A part of the program does not know what concerns all of it, and a configuration that is opened as it is cannot be made smaller.
  const globals = direct || world.roots !== null ? null : join(jobDir, 'globals.json');
  const job: TsgoJob = {
    root: repoRoot,
    project: direct ? join(repoRoot, context.configPath) : join(jobDir, projectName),
    isRendered: !direct,
    typeRoots: listTypeRoots(context, repoRoot),
    members: context.members,
    scope: world.scope,
    globals,
    output,
    maxFileBytes: world.maxFileMb * 1024 ** 2,
    isThrifty: world.thrifty === true,
    isCareful: world.careful === true,
  };
  return {
    args: [join(jobDir, jobName)],
    cwd: join(repoRoot, context.root),
    env: { PATH: join(jobDir, 'bin'), ...collectorSettings, ...(isBrief(world) ? hastySettings : {}) },
    output,
    ...(globals === null ? {} : { globals }),
    files: {
      [jobName]: JSON.stringify(job),
      ...(direct ? {} : { [projectName]: renderProject(context, repoRoot, { roots: world.roots, references }) }),
    },
    readable: [packageDirectory, ...(findCompilerPackages() ?? [])],
    documentBase: '',
  };
}

/**
 * The compiler collects its garbage more eagerly as it nears the limit. Our own part makes much garbage of small size and many buffers:
 * with these it holds half of what it would otherwise (200 MB instead of 400 on 172,000 lines), in the same time.
 */
const collectorSettings = {
  GOMEMLIMIT: '3000MiB',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '1000000',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

/** From how many files on a run is one that lasts. */
const manyFiles = 100;

function isBrief({ scope, thrifty }: PlanWorld): boolean {
  return scope !== null && scope.length < manyFiles && thrifty !== true;
}

/**
 * A run about few files makes little garbage, and loading a program makes none: collecting while the heap grows is work for nothing. On
 * 172,000 lines one file takes 0.6 s of processor time instead of 0.8, in the same memory; 24 files take a quarter more memory.
 */
const hastySettings = { GOGC: '800' };

export type TsgoJob = {
  /** Realpath of the repository, without a trailing slash. */
  readonly root: string;
  /** The configuration to open, absolute. */
  readonly project: string;
  /** It was written for this job, and may be written again. */
  readonly isRendered: boolean;
  /** Where `@types` are looked for unless the configuration says so itself, absolute. */
  readonly typeRoots: readonly string[];
  /** Root-relative, sorted. */
  readonly members: readonly string[];
  /** Of the members those that a document is wanted of, sorted; null: all. */
  readonly scope: readonly string[] | null;
  /** Where to list the files besides the members that concern all of them; null: nowhere. */
  readonly globals: string | null;
  readonly output: string;
  readonly maxFileBytes: number;
  /** Memory matters more than time: one thread. */
  readonly isThrifty: boolean;
  /** Names may lead to pipes: each is looked at before it is read, which costs a quarter of the time that loading takes. */
  readonly isCareful: boolean;
  /** Whether a second thread takes part, where it is not for the job to decide. */
  readonly isShared?: boolean;
};

/** Reads of `config`: `usesConfigDir` (a `${configDir}` in an effective option would mean the job dir: the config is named directly). */
export const scipTypescript: IndexerAdapter = {
  id: 'scip-typescript',
  family: 'typescript',
  tool: 'scip-typescript',
  granularity: 'project',
  executesRepoCode: false,
  minVersion: '0.3.14',
  timeoutMs: 30 * 60_000,
  memoryMb: 8192,
  positionEncoding: 2,
  gaps: ['shorthand_local_reference'],
  passes: [],
  argumentsKey: 'index --cwd --output --no-progress-bar --max-file-byte-size; members by files',
  findEnvironment,
  plan: planScipTypescript,
  classifyExit: (outcome) => {
    const judged = classifyExit(outcome, /\berror TS\d+:/);
    const nothing = judged === 'tool_crashed' && outcome.kind === 'exited';
    return nothing && outcome.stdout.includes('error: no files got indexed') ? 'no_output' : judged;
  },
};

function planScipTypescript(context: IndexerContext, world: PlanWorld): Invocation {
  const root = findSpeakableRoot(world);
  const output = join(world.jobDir, 'out.scip');
  const direct = context.configPath !== null && context.config['usesConfigDir'] === true;
  const project = direct ? join(root, context.configPath) : join(world.jobDir, projectName);
  return {
    args: [
      ...['index', '--cwd', root, '--output', output, '--no-progress-bar'],
      ...['--max-file-byte-size', `${megabytes(world.maxFileMb)}mb`],
      ...(world.thrifty === true ? ['--no-global-caches'] : []),
      ...['--', project],
    ],
    cwd: join(world.repoRoot, context.root),
    env: { PATH: join(world.jobDir, 'bin') },
    output,
    files: direct ? {} : { [projectName]: renderProject(context, root) },
    ...(root === world.repoRoot ? {} : { links: { [basename(root)]: world.repoRoot } }),
    readable: [],
    documentBase: '',
  };
}

/** The tool counts a megabyte as 1,000,000 bytes, everything else here as 1,048,576. */
function megabytes(mebibytes: number): string {
  return ((mebibytes * 1024 ** 2) / 1_000_000).toFixed(6).replace(/\.?0+$/, '');
}

function findSpeakableRoot(world: PlanWorld): string {
  try {
    new RegExp(world.repoRoot);
    return world.repoRoot;
  } catch {
    return join(world.jobDir, 'tree');
  }
}

type ProjectShape = {
  /** Files that are enough for what is asked; null: all members. */
  readonly roots?: ProgramRoots | null;
  /** Projects that are other contexts, root-relative: what is imported of them means their sources, whether or not they were built. */
  readonly references?: readonly string[];
};

/**
 * The configuration in the job dir: it `extends` the real one and names the members, so that files the program holds through imports are
 * its own.
 */
export function renderProject(context: IndexerContext, root: string, shape: ProjectShape = {}): string {
  const { roots = null, references = [] } = shape;
  const files = [...(roots?.members ?? context.members).map((member) => join(root, member)), ...(roots?.others ?? [])];
  const named = context.configPath;
  if (named === null) {
    return JSON.stringify({ compilerOptions: { ...looseOptions, typeRoots: listTypeRoots(context, root) }, files });
  }
  // A jsconfig.json is a tsconfig.json with these on; the tool goes by the file's name, which is another one here.
  const compilerOptions = basename(named) === 'jsconfig.json' ? { ...scriptOptions, maxNodeModuleJsDepth: 2 } : {};
  // `include` and `exclude` are inherited where the config states them, so files that it means and git ignores stay in the program.
  // Of a part of the program they are named where they matter.
  const include = roots === null ? {} : { include: [] };
  return JSON.stringify({
    extends: join(root, named),
    compilerOptions,
    files,
    ...include,
    references: references.map((path) => ({ path: join(root, path) })),
  });
}

const scriptOptions = { allowJs: true, allowSyntheticDefaultImports: true, skipLibCheck: true, noEmit: true };

/** What a program of files without any configuration most likely means. */
const looseOptions = {
  ...scriptOptions,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'preserve',
  esModuleInterop: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  experimentalDecorators: true,
};

/** Where the compiler would look from the directory, within the repository. */
export function listTypeRoots(context: Pick<IndexerContext, 'root'>, root: string): string[] {
  const roots: string[] = [];
  for (let directory = context.root; ; directory = dirname(directory)) {
    const at = directory === '.' ? '' : directory;
    roots.push(join(root, at, 'node_modules/@types'));
    if (at === '') return roots;
  }
}

/** npm, pnpm, Yarn. */
const stateFiles = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'];

/**
 * Which packages are installed, told without reading them: package managers write a state file into `node_modules` with every
 * installation. The types of dependencies come from there, and a lockfile that stays the same does not say whether they are
 * installed, or which of them. Empty where nothing is installed. `directories`: root-relative.
 */
function findInstalledPackages(repoRoot: string, directories: readonly string[]): Record<string, string> {
  const guard = createDirectoryGuard(repoRoot);
  const seen = [...new Set([...directories, ''])].flatMap((directory) => {
    const modules = directory === '' ? 'node_modules' : `${directory}/node_modules`;
    if (!guard.holds(modules)) return [];
    const found = lstatOf(`${repoRoot}/${modules}`);
    // What lies behind a link is not looked at: leading it elsewhere makes another link.
    if (found?.kind === 'link') return describe(modules, found);
    if (found?.kind !== 'directory') return [];
    return stateFiles.flatMap((name) => describe(`${modules}/${name}`, lstatOf(`${repoRoot}/${modules}/${name}`)));
  });
  return seen.length === 0 ? {} : { INSTALLED_PACKAGES: seen.join(' ') };
}

function describe(path: string, found: Entry | undefined): readonly string[] {
  return found === undefined ? [] : [`${path}:${found.stat.size}:${found.stat.mtimeNs}`];
}

function findEnvironment({ repoRoot, contextRoot }: EnvironmentPlace): FoundEnvironment {
  return { environment: findInstalledPackages(repoRoot, [contextRoot?.slice(repoRoot.length + 1) ?? '']) };
}
