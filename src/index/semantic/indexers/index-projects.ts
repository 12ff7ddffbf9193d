/**
 * Several TypeScript projects in one run of the indexer, for a reader who wants one index of the repository and not one per context.
 * Each is given as the adapter gives a single one, through a configuration of its own in the job dir: so references are not followed
 * (every project is given), a broken configuration costs its own project only, and symbols are spelled as the code plane's.
 */

import { dirname, join } from 'node:path/posix';
import type { JsonObject } from '../../../kernel/base/json.ts';
import type { IndexerAdapter, IndexerContext, IndexerRun, Invocation, PlanWorld } from './adapter.ts';
import { type RunOptions, runIndexer } from './run-indexer.ts';
import { scipTypescript } from './scip-typescript.ts';

export type IndexedProject = {
  /** Null: there is none, and one is made for `files`. */
  readonly configPath: string | null;
  /** An effective option says `${configDir}`: the configuration is given as it is. */
  readonly usesConfigDir: boolean;
  /** It says itself where to look for types. */
  readonly hasTypeRoots: boolean;
  /** Its own, root-relative. */
  readonly files: readonly string[];
};

export function indexProjects(
  projects: readonly IndexedProject[],
  options: Omit<RunOptions, 'probe'>,
): Promise<IndexerRun> {
  const adapter: IndexerAdapter = { ...scipTypescript, plan: (_, world) => planProjects(projects, world) };
  const context: IndexerContext = { ...contextOf({ ...nothing, files: [] }), key: 'ts-all:.' };
  // Whether the tool is there is found out by starting it.
  const probe = { state: 'ok', detail: null, toolPath: null, toolId: null, envHash: '', environment: {} } as const;
  return runIndexer(adapter, context, { ...options, probe });
}

const nothing: IndexedProject = { configPath: null, usesConfigDir: false, hasTypeRoots: false, files: [] };

export function planProjects(projects: readonly IndexedProject[], world: PlanWorld): Invocation {
  const base = scipTypescript.plan(contextOf(nothing), world);
  const cwd = base.args[base.args.indexOf('--cwd') + 1] as string;
  const files: Record<string, string> = {};
  const named = projects.map((project, position) => {
    const planned = scipTypescript.plan(contextOf(project), world);
    const [written] = Object.values(planned.files);
    if (written === undefined) return planned.args.at(-1) as string;
    const name = `projects/${position}/tsconfig.json`;
    files[name] = adjust(project, JSON.parse(written) as JsonObject, cwd);
    return join(world.jobDir, name);
  });
  const args = base.args.slice(0, base.args.indexOf('--') + 1);
  return { ...base, args: [...args, ...named], cwd: world.repoRoot, files };
}

/**
 * The tool looks for `@types` from its working directory, which is the root here: a project is told to look from its own. A project
 * that was made up reads no JavaScript, because nobody said that it should.
 */
function adjust(project: IndexedProject, config: JsonObject, root: string): string {
  const said = config['compilerOptions'] as JsonObject;
  const compilerOptions = {
    ...said,
    ...(project.configPath === null ? { allowJs: false } : {}),
    ...(project.configPath === null || project.hasTypeRoots ? {} : { typeRoots: listTypeRoots(project, root) }),
  };
  return JSON.stringify({ ...config, compilerOptions });
}

function listTypeRoots({ configPath }: IndexedProject, root: string): string[] {
  const roots: string[] = [];
  for (let directory = dirname(configPath ?? ''); ; directory = dirname(directory)) {
    roots.push(join(root, directory, 'node_modules/@types'));
    if (directory === '.') return roots;
  }
}

function contextOf({ configPath, usesConfigDir, files }: IndexedProject): IndexerContext {
  return { key: '', family: 'typescript', root: '', configPath, config: { usesConfigDir }, members: files };
}
