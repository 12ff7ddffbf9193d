/**
 * Keeps compiler facts in step with the disk (code-plane.md §7): says which contexts there are, queues what has become doubtful, runs
 * the queue within the machine's means, and stops what has been overtaken. One for each writer of a root; a command uses it once, a
 * daemon for its life. A heart: the queue, the runs and the pauses share one state.
 *
 *   reconciled ─▶ what changed ─▶ queue: contexts with it as member or dependency ─▶ contexts anew, if due ─▶ queue: the others that
 *                            └─▶ stop: whose configuration, tool or half of the files changed                 are not clean (R24)
 *
 * R21  At most one job of a context runs, at most one waits: the store's indexes, and one entry per context in `runs`.
 * R22  What changes during a run is queued for after it.
 * R25  HEAD is written down and decides nothing.
 * R27  A store that could not be used for a moment costs that moment: what ran is queued again, and what was missed is looked at again.
 *      In a daemon nothing that a timer calls throws.
 */

import { randomBytes } from 'node:crypto';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { processStart } from '../../kernel/base/processes.ts';
import { shareNext } from '../../kernel/base/turns.ts';
import { createDirectoryGuard, readSource } from '../../kernel/tree/safe-read.ts';
import type { Failure, ProbeState, TypeScriptIndexer } from '../../languages/projects/context-spec.ts';
import type { ReadSession } from '../store/read-session.ts';
import { StoreFailed } from '../store/store-failed.ts';
import {
  findContext,
  findContextById,
  isLive,
  listContexts,
  listContextsOfFile,
  listMembers,
  type StoredContext,
} from '../store/stored-contexts.ts';
import { listDependents } from '../store/stored-facts.ts';
import { findRepoState } from '../store/stored-files.ts';
import {
  findQueuedJob,
  findTerminalFailure,
  isEmptyScope,
  type Job,
  listJobs,
  listQueuedJobs,
  listRunningJobs,
  makeScope,
  type RefreshScope,
} from '../store/stored-jobs.ts';
import type { IndexSession, SessionSettings } from '../sync/index-session.ts';
import { createChangeLog, createDiscoverySource } from './discovery-source.ts';
import type { ImportThreads } from './import-thread.ts';
import { createJobInputs } from './job-inputs.ts';
import {
  type ContextNeeds,
  createDoubts,
  earliestStartMs,
  enqueueUnsettled,
  findNeeds,
  type Hopeless,
  listUnblocked,
  recoverJobs,
} from './job-queue.ts';
import { createKeptOutputs } from './kept-outputs.ts';
import { type ContextsOutcome, createProbeCache, refreshContexts } from './refresh-contexts.ts';
import { refreshLimits } from './refresh-limits.ts';
import { connectParts, type RefreshParts } from './refresh-wiring.ts';
import { type JobControl, type JobReport, type JobWorld, runJob } from './run-job.ts';

export type RefreshEvent =
  | { readonly kind: 'recovered'; readonly jobs: number }
  | ({ readonly kind: 'contexts' } & Pick<ContextsOutcome, 'added' | 'changed' | 'removed'>)
  /** Of `.codegenie/contexts.json`, when they are others than before. */
  | { readonly kind: 'context_problems'; readonly problems: readonly string[] }
  | { readonly kind: 'job_started'; readonly context: string; readonly job: number; readonly scope: RefreshScope }
  | { readonly kind: 'job_output'; readonly context: string; readonly job: number; readonly line: string }
  | { readonly kind: 'job_finished'; readonly context: string; readonly report: JobReport }
  | { readonly kind: 'failed'; readonly why: string; readonly error: unknown };

export type RefresherSettings = {
  readonly session: IndexSession;
  readonly root: string;
  readonly stateDir: string;
  readonly cacheDir: string;
  /** Names this process among all that ever write here. */
  readonly owner: string;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RefreshEvent) => void;
  /** The user's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `tools.<name>.path` of the user's configuration. */
  readonly toolPaths: Readonly<Record<string, string>>;
  /** `scip.max_file_mb`. */
  readonly maxFileMb: number;
  /** `scip.indexer`; see `DiscoveryWorld`. */
  readonly typeScriptIndexer?: TypeScriptIndexer | undefined;
  /** `scip.extra_projects`; see `DiscoveryWorld`. */
  readonly extraProjects?: readonly string[] | undefined;
  /** Instead of the real ones. */
  readonly parts?: Partial<RefreshParts> | undefined;
  readonly availableMemory?: (() => number) | undefined;
  readonly schedule?: Schedule | undefined;
  /** See `PartsSettings`. */
  readonly importThreads?: ImportThreads | undefined;
  /** The session was opened a moment ago for what is asked now: the first job need not compare every file again before it begins. */
  readonly isFresh?: boolean | undefined;
};

/** Calls once, later; the answer takes it back. */
export type Schedule = (ms: number, call: () => void) => () => void;

export type RunOptions = {
  /** A caller waits for it: no pause after a change. */
  readonly skipGuard: boolean;
  /** null: as long as it takes. */
  readonly waitMs: number | null;
  /** Keys; without it all. */
  readonly contexts?: readonly string[] | undefined;
};

export type RunSummary = {
  /** In the order in which they ended. */
  readonly ran: readonly JobReport[];
  /** Queued and not due yet, with the failure after which they are tried again. */
  readonly waiting: readonly {
    readonly context: string;
    readonly job: number;
    readonly notBeforeMs: number;
    readonly failure: Failure | null;
  }[];
  /** What will not be tried again by itself. */
  readonly failed: readonly {
    readonly context: string;
    readonly job: number;
    readonly failure: Failure;
    readonly detail: string;
  }[];
  /** Files that no further job would settle as things are. */
  readonly hopeless: readonly Hopeless[];
  /** Still under way when the time was up. */
  readonly running: readonly string[];
};

export type Requested =
  | { readonly kind: 'queued'; readonly job: number }
  | { readonly kind: 'unknown_context' }
  | { readonly kind: 'not_live'; readonly probe: ProbeState; readonly detail: string | null }
  | { readonly kind: 'nothing_asked' };

export interface Refresher {
  /** Step 4 of the start-up order, once; every other call does it first if it is not done. */
  recover(): Promise<void>;
  refreshContexts(): Promise<ContextsOutcome>;
  /** The session has reconciled: queues and stops what follows from it. */
  noteReconciled(): Promise<void>;
  /** Whether nothing would follow from `noteReconciled`: contexts and the queue are those of what has been reconciled. */
  isCaughtUp(): boolean;
  /** R24 for all files; how many contexts got a job. */
  enqueueUnsettled(trigger: string): Promise<number>;
  /** Files that are not clean and that no further job would settle as things are; as the last look found it. */
  readonly hopeless: readonly Hopeless[];
  request(
    contextKey: string,
    scope: RefreshScope,
    about: { readonly trigger: string; readonly priority: number },
  ): Promise<Requested>;
  /** Every live context, whole, by its indexer, whatever is known: what it reads outside of the repository may be different. How many. */
  requestAgain(): Promise<number>;
  /** These contexts and all that they use files of, by key. */
  withUsed(contextKeys: readonly string[]): readonly string[];
  /** Neither queued nor running afterwards. */
  cancel(contextKey: string): Promise<void>;
  runUntilIdle(options: RunOptions): Promise<RunSummary>;
  /** From now on jobs start by themselves. */
  start(): Promise<void>;
  /** What runs is stopped and queued again for the next process. */
  close(): Promise<void>;
}

type Run = {
  readonly control: { -readonly [K in keyof JobControl]: JobControl[K] };
  readonly abort: AbortController;
  /** Nothing is to follow it. */
  isCancelled: boolean;
  /** Paths that changed since it was claimed. */
  readonly touched: Set<string>;
  readonly ended: Promise<void>;
};

export function createRefresher(settings: RefresherSettings): Refresher {
  const { session, owner, nowMs, onEvent } = settings;
  const parts: RefreshParts = { ...connectParts(settings), ...settings.parts };
  const schedule = settings.schedule ?? scheduleReally;
  const availableMemory = settings.availableMemory ?? (() => process.availableMemory());
  const { facts, hold } = session;
  const table = () => session.reconciler.table;
  const log = createChangeLog(table());
  const discovery = createDiscoverySource(session, settings.root);
  const probes = createProbeCache((adapter, directory) => parts.probe(adapter, directory), nowMs);
  const kept = createKeptOutputs(settings);
  const inputs = createJobInputs({
    read: facts.read,
    ofFiles: facts.ofFiles,
    table,
    targetsOf: discovery.targetsOf,
    unsettledOf(session, contextId) {
      const { unsettled, outdated } = doubts.of(session);
      const [found, more] = [unsettled.get(contextId) ?? [], outdated.get(contextId) ?? []];
      return more.length === 0 ? found : makeScope([...found, ...more]).files;
    },
    root: settings.root,
    maxFileMb: settings.maxFileMb,
  });

  const runs = new Map<number, Run>();
  const lastChangeMs = new Map<number, number>();
  const listeners = new Set<(report: JobReport) => void>();
  const doubts = createDoubts();
  let hopeless: readonly Hopeless[] = [];
  let problems: readonly string[] = [];
  let needs: ContextNeeds | undefined;
  let recovered: Promise<void> | undefined;
  let isFresh = settings.isFresh === true;
  /** When the last comparison of every file with the disk began that a job has waited for. */
  let sweptMs = Number.NEGATIVE_INFINITY;
  let isStarted = false;
  let isClosed = false;
  /** Nothing starts while it is there; it goes after a pause if waiting can help. */
  let broken: { readonly error: unknown } | undefined;
  let probedMs = nowMs();
  let cancelWake = () => {};
  let cancelMend = () => {};
  let cancelLook = () => {};

  settings.signal.addEventListener('abort', () => stopAll('the program is ending'), { once: true });

  // --- waiting --------------------------------------------------------------------------------------------------------------

  let waiters: (() => void)[] = [];
  const ring = () => {
    const all = waiters;
    waiters = [];
    for (const wake of all) wake();
  };
  const nextEvent = (): Promise<void> => new Promise((resolve) => waiters.push(resolve));

  // --- contexts -------------------------------------------------------------------------------------------------------------

  const refreshing = shareNext(refreshNow);
  /** Contexts may be others than those that are stored, and no refresh of them has begun. */
  let isBehind = true;

  async function refreshNow(): Promise<ContextsOutcome> {
    const { maxFileMb } = settings;
    const { write } = hold;
    isBehind = false;
    const world = { parts, probes, facts, write, onOvertaken: stop, discovery: discovery.take(), maxFileMb, nowMs };
    const outcome = await refreshContexts(world).catch((error: unknown) => {
      isBehind = true;
      discovery.forget();
      throw error;
    });
    needs = undefined;
    const { added, changed, removed } = outcome;
    if (added.length + changed.length + removed.length > 0) {
      if (removed.length > 0) kept.prune(outcome.contexts.map(({ key }) => key));
      onEvent({ kind: 'contexts', added, changed, removed });
    }
    if (outcome.problems.join('\0') !== problems.join('\0')) {
      problems = outcome.problems;
      onEvent({ kind: 'context_problems', problems });
    }
    arrange();
    return outcome;
  }

  // --- what changed ---------------------------------------------------------------------------------------------------------

  async function note(): Promise<void> {
    try {
      const { isDue, isOther } = await hold.write(absorb);
      const isAnew = isDue || (await haveToolsChanged());
      if (isAnew) refreshing.ask();
      // Also if another call found it due: until then the contexts are not those of the tree.
      await refreshing.pending;
      if (isAnew || isOther) await hold.write(() => settleStates('change'));
      arrange();
    } catch (error) {
      // The changes have been taken and nothing may have come of them: with the next look everything is looked at.
      discovery.forget();
      if (isStarted && isPassing(error)) pauseAfter(error);
      throw error;
    } finally {
      ring();
    }
  }

  /** Looks at tools at most once a minute; a tool can be installed or replaced without a change of any file here. */
  async function haveToolsChanged(): Promise<boolean> {
    if (nowMs() - probedMs < refreshLimits.probeEveryMs) return false;
    probedMs = nowMs();
    return await probes.mayDiffer();
  }

  /** In a daemon: also when no file changes. */
  function lookRegularly(): void {
    cancelLook();
    if (isClosed) return;
    cancelLook = schedule(refreshLimits.probeEveryMs, () => {
      lookRegularly();
      if (broken === undefined) note().catch((error: unknown) => tell('the regular look', error));
    });
  }

  // --- when the store cannot be used ----------------------------------------------------------------------------------------

  function tell(why: string, error: unknown): void {
    if (!isClosed) onEvent({ kind: 'failed', why, error });
  }

  /** A store that is damaged is not mended by waiting, and a bug neither. */
  function isPassing(error: unknown): boolean {
    return error instanceof StoreFailed && !error.damaged;
  }

  function pauseAfter(error: unknown): void {
    broken ??= { error };
    if (isClosed || !isPassing(broken.error)) return;
    cancelMend();
    cancelMend = schedule(refreshLimits.mendAfterMs, () => void hold.write(mend));
  }

  /** What ran when the store failed has a row that says so and no run; what changed meanwhile may not be in the queue. */
  function mend(): void {
    if (isClosed) return;
    try {
      facts.writer.remember(() => {
        const left = facts.read(listRunningJobs).filter((job) => job.leaseOwner === owner && !runs.has(job.contextId));
        const detail = 'the store could not be used while it ran';
        for (const job of left) facts.jobs.supersede(job.id, { nowMs: nowMs(), detail });
      });
    } catch (error) {
      tell('the queue', error);
      broken = undefined;
      pauseAfter(error);
      return;
    }
    broken = undefined;
    discovery.forget();
    note().catch((error: unknown) => tell('the queue', error));
  }

  /** Everything that follows at once from what the reconciler found since the last time. */
  function absorb(): { readonly isDue: boolean; readonly isOther: boolean } {
    const changes = log.take(table());
    const paths = [...changes.came, ...changes.went, ...changes.edited];
    if (paths.length > 0) {
      for (const run of runs.values()) for (const path of paths) run.touched.add(path);
      enqueueChanged(paths);
      stopHalfChanged();
    }
    const isDue = discovery.isDue(changes);
    isBehind ||= isDue;
    return { isDue, isOther: paths.length > 0 };
  }

  /** Contexts that have a changed path as a member, or had it as a dependency when they were indexed. */
  function enqueueChanged(paths: readonly string[]): void {
    const byContext = facts.read((moment) => {
      const live = new Set(
        listContexts(moment)
          .filter(isLive)
          .map(({ id }) => id),
      );
      const found = new Map<number, string[]>();
      for (const path of paths) {
        const concerned = new Set(listContextsOfFile(moment, path).map(({ id }) => id));
        for (const { contextId } of listDependents(moment, path)) concerned.add(contextId);
        for (const id of concerned) {
          if (!live.has(id) || isAboutToRead(id)) continue;
          const files = found.get(id);
          if (files === undefined) found.set(id, [path]);
          else files.push(path);
        }
      }
      return found;
    });
    if (byContext.size === 0) return;
    facts.writer.remember(() => {
      for (const [contextId, files] of byContext) {
        lastChangeMs.set(contextId, nowMs());
        enqueue(contextId, scopeOfChange(contextId, files), 'change', 0);
      }
    });
  }

  /** Of single files whatever needs it is taken along, so not all need be named. */
  function scopeOfChange(contextId: number, files: readonly string[]): RefreshScope {
    if (files.length <= refreshLimits.maxListedFiles) return makeScope(files);
    const isByFile = facts.read((moment) => findContextById(moment, contextId))?.granularity === 'file';
    return isByFile ? makeScope(files.slice(0, refreshLimits.maxListedFiles)) : null;
  }

  /** Its job has been claimed, has not looked at a file yet, and takes on whatever has changed when it does: it will see the change. */
  function isAboutToRead(contextId: number): boolean {
    const control = runs.get(contextId)?.control;
    if (control === undefined || control.stopped !== undefined || control.members !== undefined) return false;
    return control.context.granularity !== 'package' || control.job.scope === null;
  }

  /** Inside a transaction. */
  function enqueue(contextId: number, scope: RefreshScope, trigger: string, priority: number): number {
    const head = facts.read((moment) => findRepoState(moment)?.head ?? null);
    const at = nowMs();
    return facts.jobs.enqueue({ contextId, scope, trigger, priority, notBeforeMs: at, nowMs: at, head });
  }

  /** As after a switch of branches: what such a run would say is hardly about these files any more. */
  function stopHalfChanged(): void {
    for (const [contextId, { control, touched }] of runs) {
      const { members } = control;
      if (members === undefined) continue;
      const changed = members.reduce((count, path) => count + Number(touched.has(path)), 0);
      if (changed * 2 > members.length) stop(contextId, 'more than half of its files changed');
    }
  }

  function settleStates(trigger: string): number {
    const outcome = enqueueUnsettled(
      {
        facts,
        inputs,
        doubts: doubts.of,
        nowMs,
        findRun: (contextId) => runs.get(contextId)?.control,
        isUntouched: (run, path) => runs.get(run.context.id)?.touched.has(path) !== true,
      },
      trigger,
    );
    hopeless = outcome.hopeless;
    return outcome.enqueued.length;
  }

  // --- running --------------------------------------------------------------------------------------------------------------

  function stop(contextId: number, why: string): void {
    const run = runs.get(contextId);
    if (run === undefined || run.control.stopped !== undefined) return;
    run.control.stopped = why;
    run.abort.abort();
  }

  function stopAll(why: string): void {
    for (const contextId of runs.keys()) stop(contextId, why);
  }

  type Queued = { readonly job: Job; readonly context: StoredContext; readonly startMs: number };

  /** What waits in live contexts, with the moment from which it may start. */
  function listQueued(skipGuard: boolean, only: ReadonlySet<string> | undefined): readonly Queued[] {
    return facts.read((moment) => {
      const contexts = new Map(listContexts(moment).map((context) => [context.id, context]));
      return listQueuedJobs(moment).flatMap((job) => {
        const context = contexts.get(job.contextId);
        if (context === undefined || !isLive(context) || only?.has(context.key) === false) return [];
        const guardMs = skipGuard ? 0 : guardedStartMs(moment, job, context.granularity);
        return [{ job, context, startMs: Math.max(job.notBeforeMs, guardMs) }];
      });
    });
  }

  function guardedStartMs(moment: ReadSession, job: Job, granularity: StoredContext['granularity']): number {
    const last = listJobs(moment, job.contextId, 10).find(({ startedMs }) => startedMs !== null);
    const startMs = last?.startedMs ?? null;
    const activity = {
      firstChangeMs: job.createdMs,
      lastChangeMs: Math.max(job.createdMs, lastChangeMs.get(job.contextId) ?? 0),
      lastStartMs: startMs,
      lastDurationMs: startMs === null ? 0 : Math.max(0, (last?.finishedMs ?? nowMs()) - startMs),
    };
    return earliestStartMs(activity, granularity);
  }

  function parallelJobs(): number {
    const byMemory = Math.floor(availableMemory() / refreshLimits.bytesPerContext);
    return Math.max(1, Math.min(refreshLimits.maxParallel, byMemory));
  }

  /** Starts what may start now. */
  function pump(skipGuard: boolean, only: ReadonlySet<string> | undefined): void {
    if (isClosed || settings.signal.aborted || broken !== undefined) return;
    const due = listQueued(skipGuard, only).filter(
      ({ job, startMs }) => startMs <= nowMs() && !runs.has(job.contextId),
    );
    const contexts = new Map(due.map(({ context }) => [context.id, context]));
    while (contexts.size > 0 && runs.size < parallelJobs()) {
      const at = nowMs();
      const contextIds = listUnblocked([...contexts.keys()], [...runs.keys()], needsNow());
      if (contextIds.length === 0) return;
      const job = facts.writer.remember(() =>
        facts.jobs.claim({ owner, nowMs: at, leaseUntilMs: at + refreshLimits.leaseMs, contextIds }),
      );
      if (job === undefined) return;
      launch(job, contexts.get(job.contextId) as StoredContext);
      contexts.delete(job.contextId);
    }
  }

  /** Worked out when it is needed: with every file that comes or goes it may be another. */
  function needsNow(): ContextNeeds {
    needs ??= facts.read((moment) =>
      findNeeds(
        listContexts(moment).map(({ id }) => ({ id, members: listMembers(moment, id) })),
        discovery.targetsOf,
      ),
    );
    return needs;
  }

  function withUsed(contextKeys: readonly string[]): readonly string[] {
    const known = facts.read(listContexts);
    const reached = new Set(known.flatMap(({ id, key }) => (contextKeys.includes(key) ? [id] : [])));
    // What is added on the way is visited too.
    for (const id of reached) for (const used of needsNow().get(id) ?? []) reached.add(used);
    return known.flatMap(({ id, key }) => (reached.has(id) ? [key] : []));
  }

  function launch(job: Job, context: StoredContext): void {
    const abort = new AbortController();
    const control = {
      job,
      context,
      signal: abort.signal,
      stopped: undefined,
      members: undefined,
      isDisturbed: false,
      isSwept: false,
    };
    onEvent({ kind: 'job_started', context: context.key, job: job.id, scope: job.scope });
    const ended = runJob(control, worldOf(job, context))
      .then((report) => hold.write(() => finish(context, report)))
      .catch((error: unknown) => {
        runs.delete(context.id);
        pauseAfter(error);
        onEvent({ kind: 'failed', why: `job of ${context.key}`, error });
        ring();
      });
    runs.set(context.id, { control, abort, isCancelled: false, touched: new Set(), ended });
  }

  async function sweep(): Promise<void> {
    const beganMs = nowMs();
    await session.reconcile('all');
    sweptMs = Math.max(sweptMs, beganMs);
    await note();
  }

  function readText(path: string): string | undefined {
    const read = readSource(settings.root, path, textLimits.textBytes, createDirectoryGuard(settings.root));
    return read.kind === 'read' ? Buffer.from(read.bytes).toString('utf8') : undefined;
  }

  function worldOf(job: Job, context: StoredContext): JobWorld {
    return {
      parts,
      facts,
      hold,
      owner,
      nowMs,
      kept,
      inputs,
      table,
      resolveWorld: discovery.resolveWorld,
      readText,
      probe: (adapter) => probes.get(adapter, context.root),
      refreshContexts: refreshing.ask,
      async lookBefore() {
        const isRecent = isFresh || nowMs() - sweptMs < refreshLimits.recentMs;
        isFresh = false;
        if (isRecent) await note();
        else await sweep();
      },
      reconcile: sweep,
      every(ms, tick) {
        let cancel = () => {};
        const again = () => {
          cancel = schedule(ms, () => {
            again();
            guard(tick);
          });
        };
        again();
        return () => cancel();
      },
      guard,
      onLine: (line) => onEvent({ kind: 'job_output', context: context.key, job: job.id, line }),
      stop: (why) => stop(context.id, why),
    };

    function guard(act: () => void): void {
      try {
        act();
      } catch (error) {
        tell(`job of ${context.key}`, error);
        stop(context.id, isPassing(error) ? 'the store could not be used' : 'an internal error');
      }
    }
  }

  /** What a run by single files left as it was: the next one is spared it, until something that it reads is different. */
  function noteStuck({ control, touched }: Run): void {
    const { context, members, isDisturbed } = control;
    if (context.granularity !== 'file' || members === undefined || isDisturbed) return;
    if (members.some((path) => touched.has(path))) return;
    const stuck = inputs.findStuck(context, members);
    if (stuck.size > 0) facts.writer.remember(() => facts.semantic.noteTried(context.id, stuck));
  }

  function finish(context: StoredContext, report: JobReport): void {
    const run = runs.get(context.id);
    const isCancelled = run?.isCancelled === true;
    // Files are being written to: another run from what was seen a moment ago would most likely be for nothing, too.
    if (run?.control.isDisturbed === true || report.status !== 'completed') sweptMs = Number.NEGATIVE_INFINITY;
    if (run !== undefined && report.status === 'completed' && report.by === 'indexer') noteStuck(run);
    runs.delete(context.id);
    if (report.status === 'superseded') cancelSuccessor(context.id, isCancelled);
    onEvent({ kind: 'job_finished', context: context.key, report });
    for (const listen of listeners) listen(report);
    // Its interfaces may be others now, and some of its files may have gone without a document.
    if (!isClosed && !isCancelled) settleStates('settle');
    if (report.status === 'completed' && report.accepted > 0 && run?.control.isSwept !== true) sweepWhenIdle(context);
    arrange();
    ring();
  }

  /** Identities that no file speaks of any more pile up with every import; no answer has them, so they stay until the last job is done. */
  function sweepWhenIdle({ id, granularity }: StoredContext): void {
    if (isClosed || runs.size > 0 || facts.read(listQueuedJobs).length > 0) return;
    doubts.rest();
    // After a run about everything: also what went with files that are gone.
    const isPart = granularity === 'file' && facts.read((moment) => listJobs(moment, id, 1))[0]?.scope !== null;
    facts.writer.remember(() => facts.semantic.removeUnusedIdentities(isPart ? 'replaced' : 'all'));
  }

  /** It was cancelled, or it waits for a context that cannot run any more. */
  function cancelSuccessor(contextId: number, isCancelled: boolean): void {
    const queued = facts.read((moment) => {
      const isNeeded = !isCancelled && isLive(findContextById(moment, contextId));
      return isNeeded ? undefined : findQueuedJob(moment, contextId);
    });
    if (queued !== undefined) facts.writer.remember(() => facts.jobs.cancel(queued.id, nowMs()));
  }

  /** In a daemon: starts what is due and sets the clock for what is not. */
  function arrange(): void {
    cancelWake();
    cancelWake = () => {};
    // A lent store is with one of these jobs, and that arranges what comes next when it has finished.
    if (!isStarted || isClosed || broken !== undefined || hold.isLent) return;
    pump(false, undefined);
    const next = listQueued(false, undefined)
      .filter(({ job }) => !runs.has(job.contextId))
      .reduce((soonest, { startMs }) => Math.min(soonest, startMs), Number.POSITIVE_INFINITY);
    // What is due and does not run waits for room, and comes when a job ends.
    if (next > nowMs() && next !== Number.POSITIVE_INFINITY) cancelWake = schedule(next - nowMs(), arrangeLater);
  }

  function arrangeLater(): void {
    try {
      arrange();
    } catch (error) {
      tell('the queue', error);
      pauseAfter(error);
    }
  }

  function recover(): Promise<void> {
    recovered ??= (async () => {
      const left = await recoverJobs(facts, { owner, nowMs: nowMs() });
      parts.sweepJobDirs();
      if (left.length > 0) onEvent({ kind: 'recovered', jobs: left.length });
    })().catch((error: unknown) => {
      recovered = undefined;
      throw error;
    });
    return recovered;
  }

  async function runUntilIdle(options: RunOptions): Promise<RunSummary> {
    const only = options.contexts === undefined ? undefined : new Set(options.contexts);
    const isAsked = (key: string) => only?.has(key) !== false;
    const ran: JobReport[] = [];
    const listen = (report: JobReport) => void (isAsked(report.context) && ran.push(report));
    let isOver = false;
    const cancelEnd =
      options.waitMs === null
        ? () => {}
        : schedule(options.waitMs, () => {
            isOver = true;
            ring();
          });
    listeners.add(listen);
    try {
      await recover();
      while (!isOver) {
        if (isClosed || settings.signal.aborted) break;
        if (broken !== undefined) {
          // A command ends with it, and the next one finds what is left; a daemon goes on by itself.
          if (!isStarted || !isPassing(broken.error)) throw broken.error;
          await nextEvent();
          continue;
        }
        // Listens before it looks: a job that ends during the look may queue another, and rings only once.
        const change = nextEvent();
        await hold.write(() => pump(options.skipGuard, only));
        const isRunning = [...runs.values()].some(({ control }) => isAsked(control.context.key));
        const next = soonestStart(options.skipGuard, only);
        if (!isRunning && next === undefined) break;
        const cancelPause = next === undefined || next <= nowMs() ? () => {} : schedule(next - nowMs(), ring);
        await change;
        cancelPause();
      }
    } finally {
      cancelEnd();
      listeners.delete(listen);
    }
    return summarise(ran, isAsked);
  }

  /** Of what waits for the guard or for room; what waits after a failure is not waited for. */
  function soonestStart(skipGuard: boolean, only: ReadonlySet<string> | undefined): number | undefined {
    const waiting = listQueued(skipGuard, only).filter(
      ({ job }) => job.notBeforeMs <= nowMs() && !runs.has(job.contextId),
    );
    return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ startMs }) => startMs));
  }

  function summarise(ran: readonly JobReport[], isAsked: (key: string) => boolean): RunSummary {
    return facts.read((moment) => {
      const contexts = listContexts(moment).filter(({ key }) => isAsked(key));
      return {
        ran,
        waiting: contexts.flatMap(({ id, key }) => {
          const queued = findQueuedJob(moment, id);
          if (queued === undefined) return [];
          const before = listJobs(moment, id, 10).find(({ successorId }) => successorId === queued.id);
          return [{ context: key, job: queued.id, notBeforeMs: queued.notBeforeMs, failure: before?.failure ?? null }];
        }),
        failed: contexts.flatMap(({ id, key }) => {
          const found = findTerminalFailure(moment, id);
          if (found === undefined || found.failure === null) return [];
          return [{ context: key, job: found.id, failure: found.failure, detail: found.detail ?? '' }];
        }),
        hopeless: hopeless.filter(({ context }) => isAsked(context)),
        running: [...runs.values()]
          .map(({ control }) => control.context.key)
          .filter(isAsked)
          .sort(compareCodeUnits),
      };
    });
  }

  return {
    recover,
    async refreshContexts() {
      await recover();
      await hold.write(absorb);
      return refreshing.ask();
    },
    noteReconciled: note,
    isCaughtUp() {
      if (isBehind || refreshing.pending !== undefined) return false;
      return discovery.isAsTaken() && !log.hasNews(table());
    },
    get hopeless() {
      return hopeless;
    },
    async enqueueUnsettled(trigger) {
      const count = await hold.write(() => settleStates(trigger));
      arrange();
      ring();
      return count;
    },
    async request(contextKey, scope, about) {
      const context = facts.read((moment) => findContext(moment, contextKey));
      if (context === undefined) return { kind: 'unknown_context' };
      if (!isLive(context)) return { kind: 'not_live', probe: context.probe, detail: context.probeDetail };
      if (isEmptyScope(scope)) return { kind: 'nothing_asked' };
      const job = await hold.write(() =>
        facts.writer.remember(() => enqueue(context.id, scope, about.trigger, about.priority)),
      );
      arrange();
      ring();
      return { kind: 'queued', job };
    },
    async requestAgain() {
      const count = await hold.write(() => {
        const contexts = facts.read(listContexts).filter(isLive);
        // First: after a crash in between nothing is kept, and the indexer runs.
        for (const { key } of contexts) kept.drop(key);
        facts.writer.remember(() => {
          for (const { id } of contexts) enqueue(id, null, 'again', refreshLimits.againPriority);
        });
        return contexts.length;
      });
      arrange();
      ring();
      return count;
    },
    async cancel(contextKey) {
      const context = facts.read((moment) => findContext(moment, contextKey));
      if (context === undefined) return;
      const run = runs.get(context.id);
      if (run !== undefined) run.isCancelled = true;
      stop(context.id, 'cancelled');
      await run?.ended;
      await hold.write(() => {
        const queued = facts.read((moment) => findQueuedJob(moment, context.id));
        if (queued !== undefined) facts.writer.remember(() => facts.jobs.cancel(queued.id, nowMs()));
      });
    },
    runUntilIdle,
    withUsed,
    async start() {
      await recover();
      await hold.write(absorb);
      await refreshing.ask();
      await hold.write(() => settleStates('start'));
      isStarted = true;
      arrange();
      lookRegularly();
    },
    async close() {
      isClosed = true;
      for (const cancel of [cancelWake, cancelMend, cancelLook]) cancel();
      stopAll('the program is ending');
      ring();
      await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
}

const scheduleReally: Schedule = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

export type SemanticSettings = {
  /** See `RefresherSettings`. */
  readonly isFresh?: boolean | undefined;
  /** `tools.<name>.path` of the user's configuration. */
  readonly toolPaths: Readonly<Record<string, string>>;
  /** `scip.max_file_mb`. */
  readonly maxFileMb: number;
  /** `scip.indexer`; see `DiscoveryWorld`. */
  readonly typeScriptIndexer?: TypeScriptIndexer | undefined;
  /** `scip.extra_projects`; see `DiscoveryWorld`. */
  readonly extraProjects?: readonly string[] | undefined;
  /** See `PartsSettings`. */
  readonly importThreads?: ImportThreads | undefined;
  readonly onEvent: (event: RefreshEvent) => void;
};

type Settings = Pick<SessionSettings, 'root' | 'stateDir' | 'cacheDir' | 'environment' | 'nowMs' | 'signal'> &
  SemanticSettings;

/** The refresher of a session, under a name that no other process has or had. */
export function openRefresher(session: IndexSession, settings: Settings): Refresher {
  // Another process may once have this one's number.
  const owner = `${process.pid}:${processStart(process.pid)}:${randomBytes(4).toString('hex')}`;
  return createRefresher({ ...settings, session, owner });
}
