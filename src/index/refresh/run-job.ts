/**
 * One refresh job from claim to its last row (code-plane.md §6.3, §7).
 *
 *   reconcile ─▶ pre ─▶ fingerprint ─▶ done before? ───────────────────────────────────────────▶ completed
 *                                 └─▶ kept output ─┐
 *                                 └─▶ indexer ─────┴─▶ reconcile = post ─▶ prepare ─▶ commit ──▶ completed
 *   at every step: stopped ─▶ superseded · failed ─▶ failed, with a retry or terminal · row not ours ─▶ lost
 *
 * R12  Nothing is imported of a file that was written to between `pre` and the commit, not even if its bytes are the same again.
 * R26  The row says `superseded` after the process group is gone.
 * R28  A job that was stopped imports nothing: `stopped` is looked at right before the commit, which begins by taking the row and is one
 *      synchronous step; or, in a thread of its own, is undone if the signal is given before it ends.
 * A job that ends has a row that says why. What only a bug can throw is `internal_error`.
 */

import { singleLine, truncate } from '../../kernel/base/text.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import type { IndexerAdapter } from '../../languages/indexers/indexer-adapter.ts';
import type { Failure } from '../../languages/projects/context-spec.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import type { IndexerProbe } from '../semantic/indexers/run-indexer.ts';
import type { WritableFacts } from '../store/facts-file.ts';
import type { ReadSession } from '../store/read-session.ts';
import { StoreFailed } from '../store/store-failed.ts';
import type { StoredContext } from '../store/stored-contexts.ts';
import { type FileInterface, listAugmentingAmong, loadInterfaces } from '../store/stored-facts.ts';
import { findRepoState } from '../store/stored-files.ts';
import type { Job, RefreshScope } from '../store/stored-jobs.ts';
import type { FileState, FileTable } from '../sync/file-table.ts';
import type { StoreHold } from '../sync/store-turns.ts';
import type { CommitAsk, ReadyImport } from './import-thread.ts';
import { findRoots, type JobInputs, type JobInputsReader, keepGlobals, type WidenedScope } from './job-inputs.ts';
import type { KeptOutputs } from './kept-outputs.ts';
import { refreshLimits } from './refresh-limits.ts';
import type { IndexerPlace, RefreshParts } from './refresh-wiring.ts';

/** A running job as others see it. */
export type JobControl = {
  readonly job: Job;
  readonly context: StoredContext;
  readonly signal: AbortSignal;
  /** Why it must not import any more; the signal has been given. */
  readonly stopped: string | undefined;
  /** What it is about, once that is known. */
  members: readonly string[] | undefined;
  /** Its files were written to meanwhile, whether or not their bytes are the same again: what it left open says nothing about them. */
  isDisturbed: boolean;
  /** What nothing refers to any more went with its import. */
  isSwept: boolean;
};

export type JobReport = {
  readonly job: number;
  readonly context: string;
  readonly status: 'completed' | 'failed' | 'superseded' | 'lost';
  /** How it came by its result: by a run, from the kept output, or because nothing had changed. */
  readonly by: 'indexer' | 'kept_output' | 'nothing_changed' | null;
  readonly failure: Failure | null;
  readonly detail: string | null;
  readonly accepted: number;
  readonly rejected: number;
  /** When it is tried again; null: not by itself. */
  readonly retryAtMs: number | null;
  readonly ms: number;
};

export type JobWorld = {
  readonly parts: RefreshParts;
  readonly facts: WritableFacts;
  readonly hold: StoreHold;
  readonly owner: string;
  readonly nowMs: () => number;
  readonly kept: KeptOutputs;
  readonly inputs: JobInputsReader;
  /**
   * The same before a run, where that was not done a moment ago. What changes in between is found after the run, before anything is imported,
   * and is as if it had changed during it (R12, R22).
   */
  readonly lookBefore: () => Promise<void>;
  /** Looks at every file, tells the queue what changed, and has the contexts right again. */
  readonly reconcile: () => Promise<void>;
  readonly table: () => FileTable;
  readonly resolveWorld: () => ResolveWorld;
  readonly readText: (path: string) => string | undefined;
  readonly probe: (adapter: IndexerAdapter) => Promise<IndexerProbe>;
  /** The tool is not what the context says. */
  readonly refreshContexts: () => Promise<unknown>;
  /** Until the answer is called. */
  readonly every: (ms: number, tick: () => void) => () => void;
  /** For callbacks outside of the job's own course, where no caller catches: a failure is told and stops the job. */
  readonly guard: (act: () => void) => void;
  readonly onLine: (line: string) => void;
  readonly stop: (why: string) => void;
};

type Ended =
  | {
      readonly kind: 'completed';
      readonly by: NonNullable<JobReport['by']>;
      readonly accepted: number;
      readonly rejected: number;
    }
  | { readonly kind: 'stopped'; readonly why: string }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string }
  | { readonly kind: 'lost' };

const lost: Ended = { kind: 'lost' };
const maxDetail = 2_000;

export async function runJob(control: JobControl, world: JobWorld): Promise<JobReport> {
  const { job, context } = control;
  const startedMs = world.nowMs();
  const endHeartbeat = world.every(refreshLimits.heartbeatMs, () => beat(job, world));
  let ended: Ended;
  try {
    ended = await attempt(control, world);
  } catch (error) {
    // Without a store there is no row to write; the next writer finds the job and queues it.
    if (error instanceof StoreFailed) throw error;
    ended =
      control.stopped === undefined
        ? failed('internal_error', String((error as Error)?.stack ?? error))
        : stoppedBy(control);
  } finally {
    endHeartbeat();
  }
  const settled = await settle(ended, control, world);
  await remember(world, () => world.facts.jobs.prune(context.id, refreshLimits.keptJobs));
  return { job: job.id, context: context.key, ...settled, ms: world.nowMs() - startedMs };
}

/** What is no fact: rows of jobs. In turn, because the store may be lent. */
function remember<T>({ hold, facts }: JobWorld, change: () => T): Promise<T> {
  return hold.write(() => facts.writer.remember(change));
}

function beat(job: Job, world: JobWorld): void {
  const { facts, owner, nowMs } = world;
  // It is lent within this process, so no other can take the lease for an old one.
  if (world.hold.isLent) return;
  const isOurs = facts.writer.remember(() => facts.jobs.renew(job.id, owner, nowMs() + refreshLimits.leaseMs));
  if (!isOurs) world.stop('its lease was lost');
}

async function attempt(control: JobControl, world: JobWorld, mayUseKept = true): Promise<Ended> {
  const { job, context } = control;
  const { parts, facts, owner } = world;
  await world.lookBefore();
  if (control.stopped !== undefined) return stoppedBy(control);
  const adapter = parts.findAdapter(context.indexer);
  if (adapter === undefined) return failed('missing_tool', `there is no adapter for ${context.indexer}`);
  const before = takeMoment(world);
  const inputs = world.inputs.read(context, job.scope, job.attempt > 1);
  control.members = inputs.widened.members;
  const isOurs = await remember(world, () =>
    facts.jobs.setRun(job.id, owner, { fingerprint: inputs.fingerprint, head: before.head }),
  );
  if (!isOurs) return lost;
  const done = world.inputs.findDone(context, inputs);
  if (done !== undefined && job.priority < refreshLimits.againPriority) return complete(control, world, done);
  // Another job settled it meanwhile.
  if (inputs.widened.members.length === 0 && inputs.widened.scope !== null) return complete(control, world, noResult);
  world.inputs.begin(context);

  const probe = await world.probe(adapter);
  const isSameTool = probe.state === 'ok' && probe.toolId === context.toolId && probe.envHash === context.envHash;
  if (!isSameTool) {
    await world.refreshContexts();
    if (probe.state !== 'ok') return failed(probe.state, probe.detail ?? probe.state);
    return { kind: 'stopped', why: control.stopped ?? 'its indexer changed' };
  }
  /** What was kept is of no use, also if it cannot be dropped. */
  const attemptAnew = () => {
    world.kept.drop(context.key);
    return attempt(control, world, false);
  };
  const isPart = context.granularity === 'file' && inputs.widened.scope !== null;
  const output = await obtain(control, world, { adapter, probe, inputs, mayUseKept });
  if (!('path' in output)) return output;
  try {
    await world.reconcile();
    if (control.stopped !== undefined) return stoppedBy(control);
    const prepared = await parts.prepareImport({
      outputPath: output.path,
      documentBase: output.documentBase,
      context,
      // A tool of a coarser kind was asked for everything, and what it says of the others helps to understand those in scope.
      members: new Set(isPart ? inputs.widened.members : inputs.allMembers),
      isPart,
      adapter,
      resolve: world.resolveWorld(),
      pre: before.interfaces,
      canonicalOf: (path) => world.table().get(path)?.canonicalPath ?? path,
      facts,
      hold: world.hold,
      signal: control.signal,
    });
    if (prepared.kind === 'cancelled') return stoppedBy(control);
    if (prepared.kind === 'failed') {
      if (control.stopped !== undefined) return stoppedBy(control);
      return output.by === 'kept_output' ? attemptAnew() : failed(prepared.failure, prepared.detail);
    }
    const ended = await commit(control, world, { before, inputs, output, prepared }).finally(prepared.close);
    return ended.kind === 'failed' && output.by === 'kept_output' ? attemptAnew() : ended;
  } finally {
    if (output.jobDir !== null) parts.removeJobDir(output.jobDir);
  }
}

// --- output -------------------------------------------------------------------------------------------------------------------

type Output = {
  readonly by: 'indexer' | 'kept_output';
  readonly path: string;
  readonly documentBase: string;
  readonly globals: readonly string[] | null;
  /** The owner of the output removes it. */
  readonly jobDir: string | null;
};

async function obtain(
  control: JobControl,
  world: JobWorld,
  about: {
    readonly adapter: IndexerAdapter;
    readonly probe: IndexerProbe;
    readonly inputs: JobInputs;
    readonly mayUseKept: boolean;
  },
): Promise<Output | Ended> {
  const { adapter, probe, inputs, mayUseKept } = about;
  const { job, context, signal } = control;
  const { parts, facts, owner } = world;
  if (control.stopped !== undefined) return stoppedBy(control);
  const project = { ...context, members: inputs.allMembers };
  const kept = !mayUseKept ? undefined : world.kept.find(context.key, inputs.fingerprint);
  if (kept !== undefined) {
    return {
      by: 'kept_output',
      path: kept,
      documentBase: world.inputs.documentBase(adapter, project, probe),
      globals: null,
      jobDir: null,
    };
  }
  const jobDir = makeJobDir(control, world);
  if (typeof jobDir !== 'string') return jobDir;
  let isTaken = false;
  try {
    // Not while its process could not be written down.
    await world.hold.write(() => {});
    const running = parts.runIndexer(adapter, project, {
      jobDir,
      probe,
      ...findPart(context, inputs, world),
      signal,
      onLine: world.onLine,
      onStart(pgid, pgStart) {
        const note = () => facts.writer.remember(() => facts.jobs.setRun(job.id, owner, { pgid, pgStart }));
        void world.hold.write(() => world.guard(note));
      },
    });
    parts.expectImport?.(context, facts, signal);
    const run = await running;
    await remember(world, () => facts.jobs.setRun(job.id, owner, { pgid: null, pgStart: null }));
    if (control.stopped !== undefined) return stoppedBy(control);
    if (run.kind === 'cancelled') return { kind: 'stopped', why: 'its indexer was stopped' };
    if (run.kind === 'failed') return failed(run.failure, run.detail);
    isTaken = true;
    return { by: 'indexer', path: run.path, documentBase: run.documentBase, globals: run.globals, jobDir };
  } finally {
    if (!isTaken) parts.removeJobDir(jobDir);
  }
}

/** What a tool of single files is asked for. */
function findPart(
  context: StoredContext,
  { widened }: JobInputs,
  { facts, readText }: JobWorld,
): Pick<IndexerPlace, 'scope' | 'roots'> {
  if (context.granularity !== 'file' || widened.scope === null) return { scope: null, roots: null };
  return { scope: widened.members, roots: findRoots(facts, context, widened.members, readText) };
}

function makeJobDir({ job }: JobControl, world: JobWorld): string | Ended {
  try {
    return world.parts.makeJobDir(`${job.id}-${job.attempt}`);
  } catch (error) {
    if (!(error instanceof OutputRefused) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    return failed('io_error', (error as Error).message);
  }
}

// --- import -------------------------------------------------------------------------------------------------------------------

/** What the files are at one moment, and what shows that one was written to since. */
type Moment = {
  readonly interfaces: ReadonlyMap<string, FileInterface>;
  readonly states: ReadonlyMap<string, FileState>;
  readonly head: string | null;
};

function takeMoment(world: JobWorld): Moment {
  return world.facts.read((session) => ({
    interfaces: world.facts.ofFiles('interfaces', loadInterfaces),
    states: new Map(world.table()),
    head: findRepoState(session)?.head ?? null,
  }));
}

/** Written to in between, or gone: an indexer may have read something else, even where the bytes are the same again. */
function isDisturbed(before: FileState | undefined, now: FileState | undefined): boolean {
  if (before === undefined || now === undefined) return before !== now;
  return (
    before.contentHash !== now.contentHash ||
    before.size !== now.size ||
    before.mtimeUs !== now.mtimeUs ||
    before.ctimeUs !== now.ctimeUs ||
    before.ino !== now.ino
  );
}

async function commit(
  control: JobControl,
  world: JobWorld,
  made: {
    readonly before: Moment;
    readonly inputs: JobInputs;
    readonly output: Output;
    readonly prepared: ReadyImport;
  },
): Promise<Ended> {
  const { context } = control;
  const { facts } = world;
  const { before, inputs, output, prepared } = made;
  let last: LastLook | undefined;
  const result = await prepared.commit(() => {
    last = control.stopped === undefined ? lookAgain(control, world, before, inputs) : undefined;
    return last === 'lost' ? undefined : last?.ask;
  });
  if (result.kind === 'lost' || last === 'lost') return lost;
  if (result.kind === 'stopped' || last === undefined) return stoppedBy(control);
  const { isStill } = last;
  if (result.kind === 'failed') {
    // Not the tool's doing: the files went on while it read them.
    if (!isStill) return { kind: 'stopped', why: 'its files changed while it ran' };
    return failed(result.failure, result.detail);
  }
  control.isSwept = result.isSwept === true;
  const { globals } = output;
  const isOther = isStill && globals !== null && (await world.hold.write(() => keepGlobals(facts, context, globals)));
  if (isOther && inputs.widened.scope !== null) await enqueueAll(control, world);
  // A part cannot stand for the whole.
  if (isStill && output.by === 'indexer' && inputs.widened.scope === null) {
    await world.kept.keep(context.key, inputs.fingerprint, (path) => prepared.redactOutput(path));
  }
  return { kind: 'completed', by: output.by, accepted: result.accepted, rejected: result.rejected };
}

/** `isStill`: nothing that it is about was written to. */
type LastLook = { readonly isStill: boolean; readonly ask: CommitAsk } | 'lost';

/** Synchronous from the last look at `stopped` to the moment from which no other thread writes. */
function lookAgain(control: JobControl, world: JobWorld, before: Moment, inputs: JobInputs): LastLook {
  const { job, context } = control;
  const { facts, owner } = world;
  const now = world.table();
  const disturbed = new Set<string>();
  for (const [path, state] of before.states) if (isDisturbed(state, now.get(path))) disturbed.add(path);
  for (const path of now.keys()) if (!before.states.has(path)) disturbed.add(path);
  const isStill = !inputs.paths.some((path) => disturbed.has(path));
  control.isDisturbed = !isStill;
  // What used a file that is gone now was read with it, and there is no interface left that could be written down (R13).
  const gone = new Set(isStill ? [] : inputs.paths.filter((path) => before.states.has(path) && !now.has(path)));
  if (gone.size > 0) {
    for (const [path, targets] of inputs.targets) if (targets.some((target) => gone.has(target))) disturbed.add(path);
  }
  if (!isStill) {
    // A fingerprint names inputs that stood still: a later job with the same ones must not take this result for its own.
    const moved = `moved-${inputs.fingerprint}`;
    if (!facts.writer.remember(() => facts.jobs.setRun(job.id, owner, { fingerprint: moved }))) return 'lost';
  }
  const { scope } = inputs.widened;
  return { isStill, ask: { job, owner, context, scope, disturbed, nowMs: world.nowMs() } };
}

async function enqueueAll({ job, context }: JobControl, world: JobWorld): Promise<void> {
  const { facts, nowMs } = world;
  const { priority, head } = job;
  const at = nowMs();
  const ask = { contextId: context.id, scope: null, trigger: 'globals', priority, notBeforeMs: at, nowMs: at, head };
  await remember(world, () => facts.jobs.enqueue(ask));
}

// --- the row ------------------------------------------------------------------------------------------------------------------

type Result = Pick<Job, 'outputHash' | 'accepted' | 'rejected' | 'detail'>;

const noResult: Result = { outputHash: null, accepted: 0, rejected: 0, detail: null };

/** The row repeats the result of `done`, because the last row tells how much was taken over. */
async function complete(control: JobControl, world: JobWorld, done: Result): Promise<Ended> {
  const { facts, owner, nowMs } = world;
  const { outputHash, accepted, rejected, detail } = done;
  const result = { nowMs: nowMs(), outputHash, accepted: accepted ?? 0, rejected: rejected ?? 0, detail };
  const isOurs = await remember(world, () => facts.jobs.complete(control.job.id, owner, result));
  return isOurs ? { kind: 'completed', by: 'nothing_changed', accepted: 0, rejected: 0 } : lost;
}

type Settled = Omit<JobReport, 'job' | 'context' | 'ms'>;

const nothing = { by: null, failure: null, detail: null, accepted: 0, rejected: 0, retryAtMs: null } as const;

async function settle(ended: Ended, control: JobControl, world: JobWorld): Promise<Settled> {
  const { facts, owner, nowMs } = world;
  const { job } = control;
  switch (ended.kind) {
    case 'completed':
      return { ...nothing, ...ended, status: 'completed' } satisfies Settled & { kind: string };
    case 'lost':
      return { ...nothing, status: 'lost', detail: control.stopped ?? 'the job is no longer ours' };
    case 'stopped': {
      const detail = truncate(singleLine(ended.why), maxDetail);
      const successor = await remember(world, () => facts.jobs.supersede(job.id, { nowMs: nowMs(), detail }));
      return { ...nothing, status: successor === undefined ? 'lost' : 'superseded', detail };
    }
    case 'failed': {
      // What tools say goes into the store (S12).
      const detail = truncate(redactString(ended.detail, { entropy: true }).text, maxDetail);
      const asked = world.inputs.widen(control.context, job.scope, job.attempt > 1);
      const members = facts.read((moment) => putAugmentingLast(moment, control.members ?? asked.members));
      const widened = { ...asked, members };
      const retry = planRetry(ended.failure, job.attempt, widened);
      const retryAtMs = retry.kind === 'terminal' ? null : nowMs() + retry.afterMs;
      const scope = retry.kind === 'terminal' ? undefined : retry.scope;
      const isOurs = await remember(world, () =>
        facts.jobs.fail(job.id, owner, {
          nowMs: nowMs(),
          failure: ended.failure,
          detail,
          retryAtMs,
          ...(scope === undefined ? {} : { retryScope: scope }),
        }),
      );
      const status = isOurs ? 'failed' : 'lost';
      return { ...nothing, status, failure: ended.failure, detail, retryAtMs: isOurs ? retryAtMs : null };
    }
  }
}

/** A job with less to do leaves out the last: what adds to the declarations of others must not be settled before them. */
function putAugmentingLast(session: ReadSession, members: readonly string[]): readonly string[] {
  const last = new Set(listAugmentingAmong(session, members));
  return [...members.filter((path) => !last.has(path)), ...last];
}

function stoppedBy(control: JobControl): Ended {
  return { kind: 'stopped', why: control.stopped ?? 'stopped' };
}

function failed(failure: Failure, detail: string): Ended {
  return { kind: 'failed', failure, detail };
}

// ---- retry: what follows a failed job (code-plane.md §7): another try after a pause, one more try with less to do, or nothing until
// the inputs or the tool change. A table, because every failure must have an answer.

type Retry =
  | { readonly kind: 'again'; readonly afterMs: number; readonly scope: RefreshScope | undefined }
  /** No successor until the fingerprint or the probe changes. */
  | { readonly kind: 'terminal' };

/** Pauses before the second, third, fourth and fifth try. */
const backOffMs = [5_000, 30_000, 120_000, 600_000] as const;

type Policy = 'back_off' | 'once_smaller' | 'never';

const policies: Readonly<Record<Failure, Policy>> = {
  tool_crashed: 'back_off',
  io_error: 'back_off',
  decode_error: 'back_off',
  no_output: 'back_off',
  too_few_documents: 'back_off',
  internal_error: 'back_off',
  tool_timeout: 'once_smaller',
  out_of_memory: 'once_smaller',
  missing_tool: 'never',
  bad_version: 'never',
  sandbox_missing: 'never',
  config_error: 'never',
};

/** `attempt`: which try has just failed, from 1. `widened`: what it was about. */
export function planRetry(failure: Failure, attempt: number, widened: WidenedScope): Retry {
  switch (policies[failure]) {
    case 'never':
      return { kind: 'terminal' };
    case 'back_off': {
      const afterMs = backOffMs[attempt - 1];
      return afterMs === undefined ? { kind: 'terminal' } : { kind: 'again', afterMs, scope: undefined };
    }
    case 'once_smaller':
      if (attempt > 1) return { kind: 'terminal' };
      return { kind: 'again', afterMs: backOffMs[0], scope: halve(widened) };
  }
}

/** The first half of the members; what is left out has facts that are no better than before and is asked for again by that. */
function halve({ granularity, members }: WidenedScope): RefreshScope | undefined {
  // A project is run as a whole or not at all, and a package may well be the half of itself.
  if (granularity !== 'file' || members.length < 2) return undefined;
  return { files: members.slice(0, Math.ceil(members.length / 2)), packages: [] };
}
