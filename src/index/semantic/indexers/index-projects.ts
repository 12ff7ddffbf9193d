/**
 * Several TypeScript projects as one index, for a reader who wants one of the repository and not one per context. Each is given as the
 * adapter gives a single one, through a configuration of its own in the job dir: so references are not followed (every project is
 * given), a broken configuration costs its own project only, and symbols are spelled as the code plane's. scip-typescript takes all of
 * them in one run; `tsgo` takes one after another, and a file that several of them mean has the document of the first.
 */

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import type { JsonObject } from '../../../kernel/base/json.ts';
import { readScip } from '../../../kernel/formats/read-scip.ts';
import { addExternals } from '../../../kernel/formats/rewrite-scip.ts';
import type { ScipDocument } from '../../../kernel/formats/scip.ts';
import { createScipFile } from '../../../kernel/formats/write-scip.ts';
import type {
  IndexerAdapter,
  IndexerContext,
  Invocation,
  PlanWorld,
} from '../../../languages/indexers/indexer-adapter.ts';
import type { TypeScriptIndexer } from '../../../languages/projects/context-spec.ts';
import { listTypeRoots, scipTypescript, tsgo } from '../../../languages/typescript/typescript-indexer.ts';
import { type IndexerRun, type RunOptions, runIndexer } from './run-indexer.ts';

export type IndexedProject = {
  /** Null: there is none, and one is made for `files`. */
  readonly configPath: string | null;
  /** An effective option says `${configDir}`: the configuration is given as it is. */
  readonly usesConfigDir: boolean;
  /** It says itself where to look for types. */
  readonly hasTypeRoots: boolean;
  /** Its own, root-relative. */
  readonly files: readonly string[];
  /** Configurations that it references, root-relative. */
  readonly references?: readonly string[];
};

export async function indexProjects(
  indexer: TypeScriptIndexer,
  projects: readonly IndexedProject[],
  options: Omit<RunOptions, 'probe'>,
): Promise<IndexerRun> {
  const run = await (indexer === 'tsgo' ? indexInTurn(projects, options) : indexTogether(projects, options));
  // Other tools read it too. What cannot be read is reported by the next reader.
  if (run.kind === 'output') addExternals(run.path);
  return run;
}

/** Whether the tool is there is found out by starting it. */
const probe = { state: 'ok', detail: null, toolPath: null, toolId: null, envHash: '', environment: {} } as const;

function indexTogether(projects: readonly IndexedProject[], options: Omit<RunOptions, 'probe'>): Promise<IndexerRun> {
  const adapter: IndexerAdapter = { ...scipTypescript, plan: (_, world) => planProjects(projects, world) };
  const context: IndexerContext = { ...contextOf({ ...nothing, files: [] }), key: 'ts-all:.' };
  return runIndexer(adapter, context, { ...options, probe });
}

/** A project that fails is left out, as it is by the other one; if all do, the first failure is the answer. */
async function indexInTurn(
  projects: readonly IndexedProject[],
  options: Omit<RunOptions, 'probe'>,
): Promise<IndexerRun> {
  const { jobDir } = options;
  const output = join(jobDir, 'out.scip');
  mkdirSync(jobDir, { recursive: true, mode: 0o700 });
  const startedMs = performance.now();
  const written = new Set<string>();
  const runs: Extract<IndexerRun, { kind: 'output' }>[] = [];
  let failed: IndexerRun | undefined;
  const file = createScipFile(output);
  let isWhole = false;
  try {
    for (const [position, project] of projects.entries()) {
      const own = join(jobDir, 'projects', String(position));
      mkdirSync(own, { recursive: true, mode: 0o700 });
      const context = { ...contextOf(project), root: directoryOf(project) };
      const run = await runIndexer(tsgo, context, { ...options, jobDir: own, probe });
      if (run.kind === 'cancelled') return run;
      if (run.kind === 'failed') {
        failed ??= run;
        continue;
      }
      const isFirst = runs.length === 0;
      runs.push(run);
      const decoded = readScip(run.path, (part) => {
        if (part.kind === 'metadata' && !isFirst) return;
        if (part.kind === 'document' && written.has(part.document.relativePath)) return;
        if (part.kind === 'document') written.add(part.document.relativePath);
        file.write(part.kind === 'document' ? { ...part, document: withoutRepeats(part.document) } : part);
      });
      if (decoded.kind === 'failed') {
        return { kind: 'failed', failure: 'decode_error', detail: decoded.detail, ms: elapsed(startedMs) };
      }
    }
    isWhole = runs.length > 0;
  } finally {
    if (!isWhole) file.discard();
  }
  if (!isWhole) return failed ?? { kind: 'failed', failure: 'no_output', detail: 'no project', ms: elapsed(startedMs) };
  file.close();
  return {
    kind: 'output',
    path: output,
    documentBase: '',
    ms: elapsed(startedMs),
    globals: null,
    log: runs.map(({ log }) => log).join('\n'),
    peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)),
  };
}

/** scip-typescript says some things twice, and so does `tsgo`, which speaks like it. */
function withoutRepeats(document: ScipDocument): ScipDocument {
  const seen = new Set<string>();
  const occurrences = document.occurrences.filter(({ range, symbol, roles }) => {
    const said = `${range.join(' ')} ${roles} ${symbol}`;
    return !seen.has(said) && seen.add(said);
  });
  return { ...document, occurrences };
}

function elapsed(startedMs: number): number {
  return Math.round(performance.now() - startedMs);
}

function directoryOf({ configPath }: IndexedProject): string {
  const directory = dirname(configPath ?? '');
  return directory === '.' ? '' : directory;
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
 * that was made up reads no JavaScript, because no configuration says that it should.
 */
function adjust(project: IndexedProject, config: JsonObject, root: string): string {
  const said = config['compilerOptions'] as JsonObject;
  const compilerOptions = {
    ...said,
    ...(project.configPath === null ? { allowJs: false } : {}),
    ...(project.configPath === null || project.hasTypeRoots
      ? {}
      : { typeRoots: listTypeRoots({ root: directoryOf(project) }, root) }),
  };
  return JSON.stringify({ ...config, compilerOptions });
}

function contextOf({ configPath, usesConfigDir, files, references = [] }: IndexedProject): IndexerContext {
  const config = { usesConfigDir, isDocumented: true, ...(references.length === 0 ? {} : { references }) };
  return { key: '', family: 'typescript', root: '', configPath, config, members: files };
}
