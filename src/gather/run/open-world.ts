/** Everything a gather, or a question about one, needs to know of the repository before the first probe runs. */

import { basename } from 'node:path';
import type { IndexPool } from '../../index/sync/index-pool.ts';
import type { SessionSettings } from '../../index/sync/index-session.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import type { Logger } from '../../kernel/base/log.ts';
import { decodeLenient, findNearest } from '../../kernel/base/text.ts';
import type { ExecHost, RememberedVersion, ToolVersion } from '../../kernel/exec/exec.ts';
import { type Listing, listScope } from '../../kernel/tree/file-scope.ts';
import { type HashMemo, noMemo, openHashMemo } from '../../kernel/tree/hash-memo.ts';
import { compileGlobs, isGlob } from '../../kernel/tree/path-patterns.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';
import { readExtraExtensions } from '../../languages/file-language.ts';
import { type CacheStore, cacheSealKey, openCacheStore } from '../cache/cache-store.ts';
import { type ExtractionMemo, noExtractions, openExtractionMemo } from '../cache/extraction-memo.ts';
import type { ConfigValues } from '../config.ts';
import type { Probe, RepoSnapshot, Task } from '../contract.ts';
import { isWithin } from '../facts/fact.ts';
import type { Published } from '../publish/publish.ts';
import type { CodeDocumentsSettings, LentIndexers } from './code-documents.ts';
import type { CodeFactsSettings } from './code-facts.ts';
import type { Execution } from './execution.ts';
import { createSnapshotTaker, type SnapshotTaker } from './input-snapshot.ts';
import { createManifestMemo, type ManifestMemo } from './probe-inputs.ts';
import { type Selection, selectedNames } from './select-probes.ts';
import type { TaskClass } from './task-class.ts';

export type CacheMode = 'default' | 'no_cache' | 'cache_only';

export type Progress =
  | { readonly kind: 'planned'; readonly probes: readonly string[] }
  | { readonly kind: 'started'; readonly probe: string }
  | { readonly kind: 'settled'; readonly execution: Execution }
  /** The first publication of a run that goes on. */
  | { readonly kind: 'first'; readonly outcome: Published };

/** Everything the probes of one gather share. */
export type GatherWorld = {
  readonly repo: RepoSnapshot;
  readonly probes: readonly Probe[];
  readonly catalogHashes: Readonly<Record<string, string>>;
  readonly task: Task;
  readonly taskClass: TaskClass | undefined;
  readonly selection: Selection;
  readonly config: ConfigValues;
  readonly mode: CacheMode;
  readonly concurrency: number;
  /** Below the root: what is published, and what people write. */
  readonly dataDir: string;
  readonly stateDir: string;
  readonly cacheDir: string;
  readonly home: string;
  readonly snapshots: SnapshotTaker;
  /** The same questions to the tree as it is by now: listed and hashed anew. */
  readonly snapshotsAgain: () => Promise<SnapshotTaker>;
  readonly manifests: ManifestMemo;
  readonly cache: CacheStore;
  readonly execHost: ExecHost;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly startedAt: string;
  /** Uncommitted files by git's account: the fallback where no per-file list was recorded. */
  readonly dirtyFiles: readonly string[];
  readonly isBuilderMade: (bytes: Uint8Array) => boolean;
  /** How the code plane of this root is opened, by a probe that asks for it. */
  readonly codeFacts: CodeFactsSettings;
  readonly codeDocuments: CodeDocumentsSettings;
  readonly extracted: ExtractionMemo;
  readonly onProgress: (progress: Progress) => void;
  readonly toolVersion: (name: string) => Promise<ToolVersion>;
};

/** The tree that is asked about, and the caller's surroundings. */
export type AskedRoot = {
  readonly root: string;
  readonly isGit: boolean;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
};

type WorldRequest = AskedRoot & {
  /** Only this directory is looked at, and what governs it from above. */
  readonly component?: string | undefined;
  /** Threads that are lent to the code plane. */
  readonly pool?: IndexPool | undefined;
  readonly recover?: SessionSettings['recover'];
  readonly lentIndexers?: LentIndexers | undefined;
  readonly probes: readonly Probe[];
  readonly catalogs: Readonly<Record<string, Json>>;
  readonly only: readonly string[] | null;
  readonly skip: readonly string[];
  readonly mode: CacheMode;
  readonly concurrency: number;
  readonly onProgress: (progress: Progress) => void;
  readonly isBuilderMade: (bytes: Uint8Array) => boolean;
  readonly config: ConfigValues;
  readonly task: Task;
  readonly taskClass: TaskClass | undefined;
  readonly dataDir: string;
  readonly stateDir: string;
  readonly cacheDir: string;
  readonly startedAt: string;
  readonly logger: Logger;
  readonly execHost: ExecHost;
  /** By tool, for a question about a past gather: a tool that is as it was then is not asked again. */
  readonly rememberedTools?: ReadonlyMap<string, RememberedVersion>;
};

type OpenedWorld = {
  readonly world: GatherWorld;
  readonly listing: Listing;
  readonly memo: HashMemo;
  /** The directory of the tree whose name is nearest to one that is not there. */
  readonly nearestTo: (directory: string) => Promise<string | undefined>;
};

export async function openWorld(request: WorldRequest): Promise<OpenedWorld> {
  const { config, dataDir, stateDir, cacheDir, logger, execHost } = request;
  const hostExec = execHost.bind({ name: 'gather', signal: request.signal, workspace: stateDir });
  const remembered = request.rememberedTools;
  const toolVersion = memoTool((name) => hostExec.toolVersion(name, remembered?.get(name)));
  // Asked now so that the tools answer while git lists; the probes ask again and find the answer waiting. Which probes apply is not known
  // yet: the tools of one that may have nothing to look at here (a container engine without a Dockerfile) are asked when it runs.
  const selected = remembered === undefined ? selectedNames(request.probes, request.only) : new Set<string>();
  for (const probe of request.probes) {
    const isSure = probe.applies === undefined && probe.appliesToLanguages.includes('*');
    if (isSure && selected.has(probe.name)) for (const tool of probe.tools) void toolVersion(tool);
  }

  const excluded = readExcludes(request.root);
  const { component } = request;
  const excludes =
    component === undefined ? excluded : (path: string) => excluded(path) || !concernsComponent(path, component);
  const git = request.isGit ? hostExec.git : undefined;
  const listing = await listScope({ root: request.root, git, excludes });
  const listAgain = () => listScope({ root: request.root, git, excludes, known: listing.index });
  request.signal.throwIfAborted();
  // Where git could not say what is in the tree, nothing is taken from the cache.
  const mode: CacheMode = listing.git.state === 'unreadable' ? 'no_cache' : request.mode;
  const memo = mode === 'no_cache' ? noMemo : openHashMemo(`${cacheDir}/cache/hashes`);
  const repo = snapshotOf(request, listing, config);
  const snapshotsOf = ({ scope }: Listing) => createSnapshotTaker({ ...request, scope, excludes, memo });
  const sealKey = cacheSealKey(request, mode === 'no_cache' ? 'find' : 'make');
  const codeFacts: CodeFactsSettings = {
    root: request.root,
    isGit: request.isGit,
    stateDir,
    cacheDir,
    environment: request.environment,
    extraExtensions: readExtraExtensions(config['languages.extra_extensions']),
    nowMs: request.nowMs,
    pool: request.pool,
    recover: request.recover,
  };
  const world: GatherWorld = {
    repo,
    probes: request.probes,
    catalogHashes: Object.fromEntries(
      Object.entries(request.catalogs).map(([name, data]) => [name, blake3Hex(canonicalJson(data))]),
    ),
    task: request.task,
    taskClass: request.taskClass,
    selection: { only: request.only, skip: request.skip, disabled: config['probes.disabled'] },
    config,
    mode,
    concurrency: Math.max(1, Math.min(request.concurrency, config.max_concurrent_probes)),
    dataDir,
    stateDir,
    cacheDir,
    home: request.home,
    snapshots: snapshotsOf(listing),
    snapshotsAgain: async () => snapshotsOf(await listAgain()),
    manifests: createManifestMemo(logger),
    cache: openCacheStore({
      cacheDir,
      sealKey,
      logger,
      nowMs: request.nowMs,
    }),
    execHost,
    logger,
    signal: request.signal,
    startedAt: request.startedAt,
    dirtyFiles: listing.git.dirtyFiles,
    isBuilderMade: request.isBuilderMade,
    extracted: mode === 'no_cache' ? noExtractions : openExtractionMemo(`${cacheDir}/cache/extracted`, sealKey),
    codeFacts,
    codeDocuments: { ...codeFacts, semantic: semanticOf(config), lent: request.lentIndexers },
    onProgress: request.onProgress,
    toolVersion,
  };
  const nearestTo = async (directory: string) => {
    const whole = await listScope({ root: request.root, git, excludes: excluded, known: listing.index });
    const directories = new Set(whole.scope.files.flatMap(({ path }) => directoriesOf(path)));
    return findNearest(directory, [...directories].sort());
  };
  return { world, listing, memo, nearestTo };
}

function semanticOf(config: ConfigValues): CodeDocumentsSettings['semantic'] {
  return {
    toolPaths: config['tools.paths'],
    maxFileMb: config['scip.max_file_mb'],
    typeScriptIndexer: config['scip.indexer'],
    extraProjects: config['scip.extra_projects'],
  };
}

function snapshotOf(request: WorldRequest, listing: Listing, config: ConfigValues): RepoSnapshot {
  return Object.freeze({
    root: request.root,
    id: repoId(listing.git.originUrl, request.root),
    gitCommit: listing.git.commit,
    branch: listing.git.branch,
    dirty: listing.git.dirtyFiles.length > 0,
    detectedLanguages: {},
    config,
    scope: listing.scope,
  });
}

/** `org/name` of the origin without host, credentials and `.git`; the base name of the root where there is no origin. */
function repoId(originUrl: string | null, root: string): string {
  const remote = originUrl === null ? null : /^(?:[a-z+]+:\/\/[^/]+\/|[^/:]+:)(.+)$/.exec(originUrl)?.[1];
  const path = remote
    ?.replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^\/+/, '');
  return path === undefined || path === '' ? basename(root) : path;
}

/** `.codegenie/exclude.txt`: one root-relative prefix or glob per line. */
function readExcludes(root: string): (path: string) => boolean {
  const outcome = readRegular(root, '.codegenie/exclude.txt', limits.textBytes, createDirectoryGuard(root));
  if (outcome.kind !== 'read') return () => false;
  const lines = decodeLenient(outcome.bytes)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) return () => false;
  const globs = lines.filter(isGlob);
  const prefixes = lines.filter((line) => !isGlob(line)).map((line) => line.replace(/^\.?\/+|\/+$/g, ''));
  const matches = compileGlobs(globs);
  return (path) =>
    prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) || (globs.length > 0 && matches(path));
}

function directoriesOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/**
 * What a gather of one component looks at: what lies in its directory, what lies directly in a directory around it (manifests, lock files, settings),
 * and what CI reads.
 */
function concernsComponent(path: string, component: string): boolean {
  if (isWithin(path, component)) return true;
  const slash = path.lastIndexOf('/');
  if (slash < 0 || isWithin(component, path.slice(0, slash))) return true;
  return /^\.(?:github|gitlab|circleci|buildkite|azure-pipelines|codegenie)\//.test(path);
}

function memoTool(ask: (name: string) => Promise<ToolVersion>): (name: string) => Promise<ToolVersion> {
  const asked = new Map<string, Promise<ToolVersion>>();
  return (name) => {
    const answer = asked.get(name) ?? ask(name);
    asked.set(name, answer);
    return answer;
  };
}
