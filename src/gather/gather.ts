/**
 * A gather from question to published bytes, top to bottom:
 *   root → config → data dir → scope and git facts → coordinate (probes) → assemble → validate → publish
 * Where heavy probes have to work, what the others found is published first, and everything by a second publication of the same run.
 * A run that fails leaves the last good context in place.
 */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { IndexPool } from '../index/sync/index-pool.ts';
import type { SessionSettings } from '../index/sync/index-session.ts';
import { blake3Hex } from '../kernel/base/hash.ts';
import type { Json, JsonObject } from '../kernel/base/json.ts';
import type { Logger } from '../kernel/base/log.ts';
import { type OwnDirs, openOwnDirs } from '../kernel/base/own-dirs.ts';
import { releaseMemory } from '../kernel/base/processes.ts';
import { singleLine } from '../kernel/base/text.ts';
import { OutputRefused } from '../kernel/base/write-file.ts';
import type { ExecHost } from '../kernel/exec/exec.ts';
import { createExecHost } from '../kernel/exec/exec-host.ts';
import type { Listing } from '../kernel/tree/file-scope.ts';
import type { GitFacts } from '../kernel/tree/git-facts.ts';
import type { HashMemo } from '../kernel/tree/hash-memo.ts';
import { prepareCacheDirectory } from './cache/cache-store.ts';
import { type ConfigProblem, type ConfigValues, loadConfig, probeNamesIn } from './config.ts';
import type { Probe, RepoSnapshot, Task } from './contract.ts';
import { isDerivedPath, openDataDir } from './data-dir.ts';
import { isWithin } from './facts/fact.ts';
import { stateFacts } from './facts/state-facts.ts';
import { assembleEnvelope, checkEnvelope } from './publish/assemble-envelope.ts';
import type { Envelope } from './publish/envelope.ts';
import { type Published, type PublishedFiles, publish } from './publish/publish.ts';
import { redactText } from './publish/redact.ts';
import { listNotLooked } from './report/build-missing.ts';
import { viewEnvelope } from './report/envelope-view.ts';
import type { LentIndexers } from './run/code-documents.ts';
import { coordinate } from './run/coordinate.ts';
import { openEventLog } from './run/event-log.ts';
import type { Execution } from './run/execution.ts';
import { type AskedRoot, type CacheMode, type GatherWorld, openWorld, type Progress } from './run/open-world.ts';
import { findUnknownProbe } from './run/select-probes.ts';
import { loadTaskClass, type TaskClass } from './run/task-class.ts';

type GatherRequest = AskedRoot & {
  readonly probes: readonly Probe[];
  readonly catalogs: Readonly<Record<string, Json>>;
  readonly task: string | null;
  readonly taskOptions: JsonObject;
  readonly only: readonly string[] | null;
  readonly skip: readonly string[];
  readonly component?: string | undefined;
  readonly mode: CacheMode;
  readonly overrides: Partial<ConfigValues>;
  readonly concurrency: number;
  readonly cliVersion: string;
  readonly onProgress: (progress: Progress) => void;
  readonly renderReports: (
    envelope: Envelope,
    taskClass: TaskClass | undefined,
    probes: readonly Probe[],
  ) => { readonly markdown: string; readonly html: string };
  readonly isBuilderMade: (bytes: Uint8Array) => boolean;
  /** Threads that are lent to the code plane; without them a probe that asks for it has its own. */
  readonly pool?: IndexPool | undefined;
  /** As in a session's settings, for the sessions that probes open. */
  readonly recover?: SessionSettings['recover'];
  /** Where indexers run in this process already. */
  readonly lentIndexers?: LentIndexers | undefined;
};

export type GatherOutcome =
  | Published
  | { readonly kind: 'nothing_produced'; readonly executions: readonly Execution[] }
  | { readonly kind: 'config_invalid'; readonly problems: readonly ConfigProblem[] }
  | { readonly kind: 'task_invalid'; readonly detail: string }
  | {
      readonly kind: 'unknown_probe';
      readonly name: string;
      readonly nearest: string | undefined;
      /** Probes of the user that were not taken: the name may be one of theirs. */
      readonly refused: readonly string[];
    }
  | { readonly kind: 'unknown_component'; readonly given: string; readonly nearest: string | undefined }
  | { readonly kind: 'refused'; readonly path: string; readonly why: string }
  | { readonly kind: 'schema_invalid'; readonly file: string; readonly problems: readonly string[] }
  | { readonly kind: 'busy'; readonly owner: string; readonly executions: readonly Execution[] }
  /** `first`: what was published before the heavy probes had answered, and stays. */
  | { readonly kind: 'cancelled'; readonly first: PublishedFiles | undefined };

export async function gather(asked: GatherRequest): Promise<GatherOutcome> {
  const started = performance.now();
  const loaded = await loadConfig(asked);
  if (loaded.kind === 'invalid') return { kind: 'config_invalid', problems: loaded.problems };
  const { probes, warnings } = await withForeign(asked, loaded.values['probes.paths']);
  const request = { ...asked, probes, component: componentOf(asked.component) };
  const config = { ...loaded, warnings: [...loaded.warnings, ...warnings] };
  const named = [...(request.only ?? []), ...request.skip, ...probeNamesIn(config.values)];
  const unknown = findUnknownProbe(named, request.probes);
  if (unknown !== undefined)
    return { kind: 'unknown_probe', ...unknown, refused: warnings.map(({ detail }) => detail) };
  const task: Task = { type: request.task ?? config.values.default_task, options: request.taskOptions };
  const taskClass = await loadTaskClass(task.type, {
    ...request,
    probeNames: request.probes.map((probe) => probe.name),
  });
  if (taskClass.kind === 'invalid') {
    return { kind: 'task_invalid', detail: `${taskClass.source}: ${taskClass.reason}: ${taskClass.detail}` };
  }
  const first: Stage['first'] = { published: undefined };
  try {
    const dataDir = openDataDir(request.root);
    const own = openOwnDirs(request);
    const runId = randomBytes(8).toString('hex');
    const startedAt = new Date(request.nowMs()).toISOString();
    const log = openEventLog(own.stateDir, runId, startedAt, config.values['logs.keep'], request.nowMs);
    const execHost = createExecHost({ ...request, toolPaths: config.values['tools.paths'], logger: log });
    try {
      return await gatherInto({
        request,
        started,
        config,
        task,
        dataDir,
        ...own,
        runId,
        startedAt,
        log,
        execHost,
        first,
        taskClass: taskClass.kind === 'found' ? taskClass.taskClass : undefined,
      });
    } finally {
      await execHost.killAll();
      log.close();
    }
  } catch (error) {
    if (request.signal.aborted) return { kind: 'cancelled', first: first.published };
    if (error instanceof OutputRefused) return { kind: 'refused', path: error.path, why: error.why };
    throw error;
  }
}

/** The loader hands the whole of zod to what it loads: 400 kB that a gather without probes of the user's own does not read. */
async function withForeign(asked: GatherRequest, folders: readonly string[]) {
  if (folders.length === 0) return { probes: asked.probes, warnings: [] };
  return (await import('./run/foreign-probes.ts')).addForeignProbes(asked, folders);
}

/** As the tree writes it: `./services/a/` is `services/a`; the root is no part of itself. */
function componentOf(given: string | undefined): string | undefined {
  const bare = given?.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return bare === '' || bare === '.' ? undefined : bare;
}

type Stage = OwnDirs & {
  readonly request: GatherRequest;
  readonly started: number;
  readonly config: {
    readonly values: ConfigValues;
    readonly warnings: readonly { readonly id: string; readonly detail: string }[];
  };
  readonly task: Task;
  readonly taskClass: TaskClass | undefined;
  readonly dataDir: string;
  readonly runId: string;
  readonly startedAt: string;
  readonly log: Logger;
  readonly execHost: ExecHost;
  /** Filled when the first publication of this run is in place. */
  readonly first: { published: PublishedFiles | undefined };
};

async function gatherInto(stage: Stage): Promise<GatherOutcome> {
  const { request, config, dataDir, cacheDir, stateDir, log, execHost } = stage;
  const sandbox = execHost.sandbox();
  const { world, listing, memo, nearestTo } = await openWorld({
    ...request,
    ...stage,
    config: config.values,
    logger: log,
  });
  const { component } = request;
  // A file or a link of that name holds nothing, and "complete" would be said of nothing.
  if (component !== undefined && !listing.scope.files.some(({ path }) => path.startsWith(`${component}/`)))
    return { kind: 'unknown_component', given: component, nearest: await nearestTo(component) };
  if (world.mode !== 'no_cache') prepareCacheDirectory(cacheDir);
  const publishWhat = async (delivered: ReadonlyMap<string, Execution>, waitS: number) => {
    const { facts: stated, executions: settled } = stateFacts(delivered, world.repo);
    // Of the rest of the tree only the rim was seen: what would be said of it is not known.
    const facts =
      request.component === undefined ? stated : stated.filter(({ scope }) => isWithin(scope, request.component ?? ''));
    const executions = request.probes.flatMap((probe) => settled.get(probe.name) ?? []);
    // A probe that reported errors does not count as produced, though its slice is published beside others that do.
    if (!executions.some((execution) => execution.status === 'ok'))
      return { kind: 'nothing_produced', executions } as const;
    const bare = assembleEnvelope(request.probes, settled, {
      repo: {
        ...repoFacts(world.repo, listing.git),
        ...(request.component === undefined ? {} : { component: request.component }),
      },
      gatheredAt: stage.startedAt,
      durationMs: Math.round(performance.now() - stage.started),
      runId: stage.runId,
      taskContext: {
        task_type: stage.task.type,
        options: stage.task.options,
        cli_version: request.cliVersion,
        sandbox: (await sandbox).kind,
        container_engine: engineUsed(executions),
      },
      warnings: [...config.warnings, ...scopeWarnings(listing)].map(({ id, detail }) => ({
        id,
        detail: redactText(detail),
      })),
      facts,
      requiredProbes: stage.taskClass?.required_probes ?? [],
    });
    const assembled = { ...bare, not_looked: listNotLooked(viewEnvelope(bare, request.probes)) };
    const checked = checkEnvelope(request.probes, assembled);
    const envelope = checked.ok ? checked.envelope : assembled;
    const problems = checked.ok ? [] : checked.problems;
    const outcome = await publish({
      dataDir,
      stateDir,
      envelope,
      problems,
      executions,
      artifacts: executions.flatMap((execution) => execution.artifacts),
      reports: () => request.renderReports(envelope, stage.taskClass, request.probes),
      run: {
        runId: stage.runId,
        startedAt: stage.startedAt,
        cliVersion: request.cliVersion,
        gitCommit: listing.git.commit,
        dirtyDigest: blake3Hex(listing.git.dirtyFiles.join('\0')),
        task: stage.task,
        config: JSON.parse(JSON.stringify(config.values)) as Json,
      },
      replaces: stage.first.published?.record,
      waitS,
      signal: request.signal,
      logger: log,
    });
    switch (outcome.kind) {
      case 'published':
        return { ...outcome, envelope, executions, taskClass: stage.taskClass };
      case 'invalid':
        return { kind: 'schema_invalid', file: outcome.file, problems } as const;
      case 'busy':
        return { ...outcome, executions };
      case 'refused':
        return outcome;
    }
  };
  // What is wrong with the first publication is wrong with the second, which tells it; the first waits for no lock.
  const delivered = await coordinate(world, async (known) => {
    if (request.signal.aborted) return;
    const outcome = await publishWhat(known, 0);
    log.event('publication.first', { outcome: outcome.kind });
    if (outcome.kind !== 'published') return;
    stage.first.published = outcome.files;
    request.onProgress({ kind: 'first', outcome });
    // Who is interrupted while a compiler works has that left to do, and nothing else.
    saveExtractions(world);
    // The compiler needs the memory.
    releaseMemory();
  });
  if (request.signal.aborted) return { kind: 'cancelled', first: stage.first.published };
  const outcome = await publishWhat(delivered, config.values.publish_wait_s);
  if (outcome.kind !== 'nothing_produced') keepCacheSmall(world, memo);
  return outcome;
}

/** By the account of the probe that builds the image; none where nothing was to be built. */
function engineUsed(executions: readonly Execution[]): 'podman' | 'docker' | 'none' {
  const builder = executions.find(({ probe }) => probe.imageDigest !== undefined);
  const said = builder?.slice?.slice[Object.keys(builder.probe.sections)[0] ?? ''] as { engine?: unknown } | undefined;
  return said?.engine === 'podman' || said?.engine === 'docker' ? said.engine : 'none';
}

function saveExtractions(world: GatherWorld): void {
  try {
    world.extracted.save();
  } catch (error) {
    world.logger.event('cache.write_failed', { message: (error as Error).message });
  }
}

/** The cache may lag behind without harm; it is tended after the context is in place. */
function keepCacheSmall(world: GatherWorld, memo: HashMemo): void {
  try {
    memo.save(
      (path) => path.startsWith('/') || path.startsWith('.codegenie/') || world.repo.scope.find(path) !== undefined,
    );
    world.extracted.save();
    const { 'cache.max_age_days': maxAgeDays, 'cache.max_mb': maxMb } = world.config;
    if (world.mode === 'default') world.cache.collectGarbage({ maxAgeDays, maxMb });
  } catch (error) {
    world.logger.event('cache.write_failed', { message: (error as Error).message });
  }
}

function repoFacts(repo: RepoSnapshot, git: GitFacts) {
  return {
    id: redactText(singleLine(repo.id)),
    root: redactText(singleLine(basename(repo.root))),
    git_commit: git.commit,
    branch: git.branch === null ? null : redactText(singleLine(git.branch)),
    // Where git could not tell, neither do we: unknown is not clean.
    dirty: git.state === 'unreadable' ? null : repo.dirty,
    dirty_files: git.state === 'unreadable' ? null : git.dirtyFiles.length,
  };
}

function scopeWarnings(listing: Listing): { id: string; detail: string }[] {
  const warnings: { id: string; detail: string }[] = [];
  if (listing.git.state === 'unreadable') {
    const detail =
      'git could not read this work tree: branch and uncommitted files are unknown, the tree was walked, the cache was not used';
    warnings.push({ id: 'repo.git_unreadable', detail });
  }
  const tracked = listing.trackedDataFiles.filter(isDerivedPath).length;
  if (tracked > 0) {
    const detail = `the repository tracks derived files below .codegenie/ (${tracked}); they are not read. Remove them from git.`;
    warnings.push({ id: 'repo.data_dir_tracked', detail });
  }
  if (listing.scope.gaps.length > 0) {
    const first = listing.scope.gaps.slice(0, 3).map((gap) => `${gap.path || '.'} (${gap.reason})`);
    warnings.push({
      id: 'repo.scope_gaps',
      detail: `${listing.scope.gaps.length} places could not be listed: ${first.join(', ')}`,
    });
  }
  return warnings;
}
