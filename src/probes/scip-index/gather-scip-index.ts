/**
 * The run of scip_index: projects → documents of the code plane's store, brought up to date → one index of them, and what it covers. Every
 * path ends with a slice. That an indexer ended well proves nothing: files that have no document are named, and an index that says nothing
 * about files that are there is a failure.
 */

import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo, RawArtifact } from '../../gather/contract.ts';
import { readHead } from '../../gather/freshness/judge-indexes.ts';
import { volatileFields } from '../../gather/publish/envelope.ts';
import { limits } from '../../kernel/base/limits.ts';
import { mapBounded } from '../../kernel/base/turns.ts';
import { roleBits, type ScipDocument } from '../../kernel/formats/scip.ts';
import { readGitStatus } from '../../kernel/tree/git-facts.ts';
import { checkGrammars } from '../../languages/parsing/grammar-pins.ts';
import type { Failure, TypeScriptIndexer } from '../../languages/projects/context-spec.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { openParsePool, parseLimits } from '../shared/parse-pool.ts';
import { createFindings, type Findings } from '../shared/probe-reading.ts';
import { createInputsWorld, grammarsOf, listSources, type Source } from '../shared/sources.ts';
import { scipConfigGlobs, scipSourceGlobs } from './scip-index-section.ts';
import { listScipProjects, type ScipProject } from './scip-projects.ts';

const scipArtifact = 'scip-index.scip';
const scipSliceArtifact = 'scip.json';

type ScipContext = ProbeContext<'scip.indexer' | 'scip.max_file_mb' | 'scip.extra_projects'>;

const missingShown = 100;
const MiB = 1024 * 1024;

export async function gatherScipIndex(repo: ProbeRepo, ctx: ScipContext, leftS: () => number): Promise<ProbeOutput> {
  const findings = createFindings();
  const head = await readHead(ctx.exec);
  if (head === null) findings.warn('scip_index.head_unresolvable');
  const status = head === null ? undefined : await readGitStatus(ctx.exec.git);
  const indexer = ctx.config['scip.indexer'];
  const { version } = await ctx.exec.toolVersion(indexer);
  const sources = listSources(repo, scipSourceGlobs).filter(({ path }) => !isInstalled(path));
  const paths = sources.map(({ path }) => path);
  const world = await createScipWorld(repo);
  const { projects, missing } = listScipProjects(world, paths, ctx.config['scip.extra_projects']);
  for (const path of missing) findings.warn('scip_index.project_failed', { detail: `${path}: not in the repository` });

  const made = await makeIndex(repo, ctx, { sources, projects, leftS, version }, findings);
  const { documents, counts } = made;
  const notIndexed = paths.filter((path) => documents?.has(path) !== true);
  const failed = findings.hasErrors();
  if (!failed) explainMissing(repo, ctx, notIndexed, findings);
  const rows = projects.map((project) => countDocuments(project, documents));
  if (!failed) reportProjects(projects, rows, findings);
  const indexed = paths.length - notIndexed.length;
  const slice = {
    scip_index_uri: made.file === undefined ? null : relative(repo.root, `${ctx.outputDir}/raw/${scipArtifact}`),
    indexer,
    indexer_version: version,
    files_indexed: indexed,
    files_in_repo: paths.length,
    // Cut, not rounded: 100 is said of all files and of nothing else.
    coverage_pct: paths.length === 0 ? 0 : Math.floor((indexed / paths.length) * 1000) / 10,
    last_indexed_commit: head ?? 'unknown',
    last_indexed_at: ctx.startedAt,
    indexer_errors: failed ? 1 : 0,
    indexer_warnings: made.file === undefined ? 0 : countLacking(projects, notIndexed),
    indexed_inputs: ctx.inputsDigest,
    dirty_at_index: (status?.facts.dirtyFiles ?? []).filter((path) => repo.inputs.has(path)),
    projects: rows,
    files_missing: notIndexed.slice(0, missingShown),
    ...describeCode(documents, counts),
  };
  return {
    kind: 'ran',
    slice: { semantic_index: slice },
    rawArtifacts: [sliceArtifact(slice), ...(made.file === undefined ? [] : [indexArtifact(made.file)])],
    confidence: judge(failed || head === null, paths.length, slice.coverage_pct),
    ...findings.report(),
    evidence: made.file === undefined ? [] : [{ artifact: scipArtifact }],
  };
}

/** Bases of configurations may have any name: whatever JSON is among the inputs may be read as one. */
async function createScipWorld(repo: ProbeRepo): Promise<ResolveWorld> {
  const world = await createInputsWorld(repo, scipConfigGlobs, () => []);
  const bases = new Map<string, Uint8Array>();
  for (const path of repo.inputs.list(['**/*.json'])) {
    if (world.readConfig(path) !== undefined) continue;
    const read = await repo.inputs.read(path, limits.manifestBytes);
    if (read.kind === 'read') bases.set(path, read.bytes);
  }
  return {
    ...world,
    hasFile: (path) => bases.has(path) || world.hasFile(path),
    readConfig: (path) => world.readConfig(path) ?? bases.get(path),
  };
}

type Made = {
  /** The index, if one was made that says anything. */
  readonly file: string | undefined;
  readonly documents: Documents | undefined;
  readonly counts: SourceCounts | undefined;
};

type Ask = {
  readonly sources: readonly Source[];
  readonly projects: readonly ScipProject[];
  readonly leftS: () => number;
  /** Of the indexer. */
  readonly version: string;
};

async function makeIndex(repo: ProbeRepo, ctx: ScipContext, ask: Ask, findings: Findings): Promise<Made> {
  const nothing = { file: undefined, documents: undefined, counts: undefined };
  if (ask.sources.length === 0) return nothing;
  const workspace = findWorkspace(ctx);
  if (workspace === undefined) {
    findings.fail('scip_index.raw_artifact_dir_unwritable');
    findings.fail('scip_index.index_failed');
    return nothing;
  }
  const runnable = ask.projects.filter(({ files, isUnusable }) => files.length > 0 && !isUnusable);
  // Without a project the tool would choose one itself.
  if (runnable.length === 0) {
    findings.warn('scip_index.no_documents');
    findings.fail('scip_index.index_failed', { detail: 'no project that can be given to the indexer' });
    return nothing;
  }
  const over = new AbortController();
  const signal = AbortSignal.any([ctx.signal, over.signal]);
  const counting = countSources(repo, ask.sources, signal);
  // Awaited below; what it throws before that must not end the process.
  counting.catch(() => {});
  const asked = new Set(ask.sources.map(({ path }) => path));
  const indexer = ctx.config['scip.indexer'];
  const to = `${workspace}/${scipArtifact}`;
  const documents = createDocuments();
  const made = await ctx.codeDocuments({
    configs: runnable.map(({ configPath }) => configPath),
    isWanted: (path) => asked.has(path),
    metadata: { toolName: toolNames[indexer], toolVersion: ask.version, projectRoot: pathToFileURL(repo.root).href },
    to,
    scratch: `${workspace}/store`,
    // What comes after it has to fit in, too.
    budgetMs: ask.leftS() * 1000 * 0.9,
    onDocument: documents.note,
  });
  ctx.signal.throwIfAborted();
  const failures = made.kind === 'failed' ? [made] : made.failures;
  for (const { configPath, failure, detail } of failures) {
    // What a tool says when it fails may hold anything of the repository: it goes to the log, which redacts.
    ctx.logger.event('scip_index.indexer_failed', { failure, detail, project: configPath ?? '.' });
  }
  const [first] = failures;
  if (made.kind === 'failed' || (made.documents === 0 && first !== undefined)) {
    over.abort();
    await counting;
    reportFailure(first?.failure ?? 'internal_error', made.kind === 'failed', findings);
    return nothing;
  }
  const counts = await counting;
  if (made.documents > 0) return { file: to, documents, counts };
  findings.warn('scip_index.no_documents');
  findings.fail('scip_index.index_failed');
  return nothing;
}

/** As an index says what it was made by. */
const toolNames: Readonly<Record<TypeScriptIndexer, string>> = {
  tsgo: 'codegenie-tsgo',
  'scip-typescript': 'scip-typescript',
};

/** Undefined: no directory could be made that the indexer may write to. */
function findWorkspace(ctx: ScipContext): string | undefined {
  try {
    return ctx.workspace;
  } catch (error) {
    ctx.signal.throwIfAborted();
    ctx.logger.event('scip_index.workspace_failed', { type: (error as Error).name });
    return undefined;
  }
}

function reportFailure(failure: Failure, atStart: boolean, findings: Findings): void {
  findings.fail('scip_index.index_failed', { detail: failure });
  if (failure === 'missing_tool') findings.warn('scip_index.tool_missing');
  else if (failure === 'tool_timeout') findings.warn('scip_index.timeout');
  else if (failure === 'decode_error') findings.fail('scip_index.output_undecodable');
  else if (failure === 'no_output') findings.warn('scip_index.no_documents');
  else if (failure === 'io_error' && atStart) findings.fail('scip_index.raw_artifact_dir_unwritable');
  else findings.warn('scip_index.exit_nonzero');
}

function explainMissing(repo: ProbeRepo, ctx: ScipContext, paths: readonly string[], findings: Findings): void {
  const capBytes = ctx.config['scip.max_file_mb'] * MiB;
  for (const path of paths) {
    if ((repo.inputs.fingerprint(path)?.size ?? 0) > capBytes) {
      findings.warn('scip_index.files_skipped', { path, detail: `over ${ctx.config['scip.max_file_mb']} MB` });
    }
  }
}

function reportProjects(projects: readonly ScipProject[], rows: readonly ProjectRow[], findings: Findings): void {
  projects.forEach(({ problem, configPath }, position) => {
    if (rows[position]?.documents !== 0) return;
    const detail = problem ?? 'no file of it was indexed';
    findings.warn('scip_index.project_failed', configPath === null ? { detail } : { path: configPath, detail });
  });
}

type ProjectRow = { readonly path: string; readonly synthesised: boolean; readonly documents: number };

function countDocuments({ path, synthesised, files }: ScipProject, documents: Documents | undefined): ProjectRow {
  return { path, synthesised, documents: files.filter((file) => documents?.has(file) === true).length };
}

function describeCode(documents: Documents | undefined, counts: SourceCounts | undefined): Record<string, number> {
  return {
    ...(documents === undefined ? {} : { symbol_count: documents.symbols() }),
    ...(documents === undefined || counts === undefined
      ? {}
      : { exported_symbols: documents.exportedAt(counts.exportedNames) }),
    ...(counts === undefined
      ? {}
      : {
          any_type_density: counts.anyDensity,
          unresolved_dynamic_imports: counts.dynamicImports,
          unresolved_computed_access: counts.computedAccesses,
        }),
  };
}

function judge(failed: boolean, files: number, coverage: number): Confidence {
  if (failed || files === 0) return 'low';
  return coverage < 95 ? 'medium' : 'high';
}

/** Declarations of installed packages, committed or not, are no sources of the repository. */
function isInstalled(path: string): boolean {
  return path.startsWith('node_modules/') || path.includes('/node_modules/');
}

function countLacking(projects: readonly ScipProject[], notIndexed: readonly string[]): number {
  const lacking = new Set(notIndexed);
  return new Set(projects.flatMap(({ files }) => files.filter((path) => lacking.has(path)))).size;
}

/** Without the time: an artifact that held it would have another hash at every gather of the same bytes (P6). */
function sliceArtifact(slice: object): RawArtifact {
  const stable = (key: string, value: unknown) => (volatileFields.includes(key) ? undefined : value);
  const text = `${JSON.stringify(slice, stable, 2)}\n`;
  return { name: scipSliceArtifact, kind: 'json', from: new TextEncoder().encode(text) };
}

function indexArtifact(file: string): RawArtifact {
  return { name: scipArtifact, kind: 'scip', from: { file } };
}

// What the documents say, counted.

type Documents = {
  has(path: string): boolean;
  /** Symbols with a description, locals aside. */
  symbols(): number;
  /** Symbols that are defined at places given by file, each once a file: overloads and merged declarations are one symbol. */
  exportedAt(places: ReadonlyMap<string, readonly number[]>): number;
};

function createDocuments() {
  const definitions = new Map<string, readonly string[]>();
  let symbols = 0;
  return {
    note({ relativePath, occurrences, symbols: described }: ScipDocument): void {
      symbols += described.filter(({ symbol }) => isGlobal(symbol)).length;
      const defined = occurrences.filter(
        ({ roles, symbol }) => (roles & roleBits.definition) !== 0 && isGlobal(symbol),
      );
      definitions.set(
        relativePath,
        defined.map(({ range, symbol }) => `${range[0]}:${range[1]} ${symbol}`),
      );
    },
    has: (path: string) => definitions.has(path),
    symbols: () => symbols,
    exportedAt(places: ReadonlyMap<string, readonly number[]>): number {
      let exported = 0;
      for (const [path, own] of places) {
        const wanted = new Set<string>();
        for (let at = 0; at < own.length; at += 2) wanted.add(`${own[at]}:${own[at + 1]}`);
        const found = (definitions.get(path) ?? []).flatMap((said) => {
          const space = said.indexOf(' ');
          return wanted.has(said.slice(0, space)) ? said.slice(space) : [];
        });
        exported += new Set(found).size;
      }
      return exported;
    },
  };
}

function isGlobal(symbol: string): boolean {
  return !symbol.startsWith('local ');
}

// What syntax trees say about the sources beside the index. A file that could not be parsed leaves everything unsaid: nothing is guessed.

type SourceCounts = {
  readonly dynamicImports: number;
  readonly computedAccesses: number;
  /** Share of the type names written that are `any`; 0 where none is. */
  readonly anyDensity: number;
  /** By file: line and column of each exported top-level name, flat. */
  readonly exportedNames: ReadonlyMap<string, readonly number[]>;
};

const atOnce = 32;

/** Undefined where some file could not be read as code, or there was no time. */
async function countSources(
  repo: ProbeRepo,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<SourceCounts | undefined> {
  if (checkGrammars(grammarsOf(sources)).some(({ state }) => state !== 'pinned')) return undefined;
  // One thread is enough: the indexer takes longer, and has the other processor.
  const pool = openParsePool({ signal, workers: 1, memo: repo.inputs.extracted });
  try {
    let [dynamicImports, computedAccesses, typeNames, anyTypes] = [0, 0, 0, 0];
    const exportedNames = new Map<string, readonly number[]>();
    await mapBounded(sources, atOnce, async ({ path, grammar }) => {
      const read = await repo.inputs.read(path, parseLimits.parseBytes);
      if (read.kind !== 'read') throw notCode;
      const outcome = await pool.run({ grammar, bytes: read.bytes, extract: ['reflection', 'typing'] });
      if (outcome.kind === 'failed') throw notCode;
      const { reflection, typing } = outcome.facts;
      dynamicImports += reflection.dynamicImports + reflection.dynamicRequires;
      computedAccesses += reflection.dynamicAccesses;
      typeNames += typing.typeNames;
      anyTypes += typing.anyTypes;
      exportedNames.set(path, typing.exportedNames);
    });
    const anyDensity = typeNames === 0 ? 0 : Math.round((anyTypes / typeNames) * 10_000) / 10_000;
    return { dynamicImports, computedAccesses, anyDensity, exportedNames };
  } catch (error) {
    if (error === notCode || signal.aborted) return undefined;
    throw error;
  } finally {
    await pool.close();
  }
}

/** Ends the counting at the first file that cannot be counted. */
const notCode = new Error('not readable as code');
