/**
 * What is queued, when it may start, in which order, and what a dead process left behind.
 *
 * R24  A file that is dirty, stale, pending or unindexed in a live context has a queued or running job, or a named reason why none
 *      would help. Found by asking for the states of all files, so that no way of becoming so is forgotten.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { processStart } from '../../kernel/base/processes.ts';
import { isGroupAlive, signalGroup } from '../../kernel/exec/run-process.ts';
import type { Granularity } from '../../languages/projects/context-spec.ts';
import { createFileStates, type FileStates } from '../freshness/file-states.ts';
import type { WritableFacts } from '../store/facts-file.ts';
import type { ReadSession } from '../store/read-session.ts';
import { isLive, listContexts, type StoredContext } from '../store/stored-contexts.ts';
import { findRepoState } from '../store/stored-files.ts';
import { listSettledReferences } from '../store/stored-items.ts';
import { findLastCompleted, findQueuedJob, type Job, makeScope, type RefreshScope } from '../store/stored-jobs.ts';
import { noDifferences } from '../sync/find-differences.ts';
import { isWithin, type JobInputsReader } from './job-inputs.ts';
import { refreshLimits } from './refresh-limits.ts';
import type { JobControl } from './run-job.ts';

/** Files that no further job would settle, by context. */
export type Hopeless = {
  readonly context: string;
  /** Sorted. */
  readonly files: readonly string[];
  /** The job that says why: it failed for good, or it completed and these had no acceptable document or no known dependency. */
  readonly job: number;
  readonly why: 'failed' | 'not_settled';
};

/** By context id, paths sorted. */
type Doubts = {
  /** Members of live contexts that are dirty, stale, pending or unindexed. */
  readonly unsettled: ReadonlyMap<number, readonly string[]>;
  /** Files whose references led nowhere and would lead somewhere by now. */
  readonly outdated: ReadonlyMap<number, readonly string[]>;
};

/**
 * Works them out once per generation: the end of a job, a change and a question ask one after the other. The states of all files, from
 * which they come, are kept for a job that commits meanwhile, until no job is left.
 */
export function createDoubts(): { readonly of: UnsettledWorld['doubts']; readonly rest: () => void } {
  let known: { readonly generation: number; readonly doubts: Doubts } | undefined;
  let states: FileStates | undefined;
  return {
    of(session) {
      if (known?.generation !== session.generation) {
        states = statesOf(session);
        const doubts = { unsettled: groupUnsettled(states), outdated: listSettledReferences(session) };
        known = { generation: session.generation, doubts };
      }
      return known.doubts;
    },
    rest() {
      states = undefined;
    },
  };
}

type UnsettledWorld = {
  readonly facts: WritableFacts;
  readonly inputs: JobInputsReader;
  readonly doubts: (session: ReadSession) => Doubts;
  readonly findRun: (contextId: number) => JobControl | undefined;
  /** Not written to since that run began. */
  readonly isUntouched: (run: JobControl, path: string) => boolean;
  readonly nowMs: () => number;
};

export function enqueueUnsettled(
  world: UnsettledWorld,
  trigger: string,
): { readonly enqueued: readonly string[]; readonly hopeless: readonly Hopeless[] } {
  const { facts } = world;
  const { unsettled, outdated, contexts, head } = facts.read((session) => ({
    ...world.doubts(session),
    contexts: listContexts(session).filter(isLive),
    head: findRepoState(session)?.head ?? null,
  }));
  const enqueued: string[] = [];
  const hopeless: Hopeless[] = [];
  for (const context of contexts) {
    const doubtful = unsettled.get(context.id) ?? [];
    const all = makeScope([...doubtful, ...(outdated.get(context.id) ?? [])]).files;
    const isByFile = context.granularity === 'file';
    const files = isByFile ? world.inputs.listHopeful(context) : all;
    if (all.length + files.length === 0) continue;
    const first = world.inputs.listFirst(context, files);
    if (first.length > 0 && isUnderWay(world, context, first)) continue;
    const scope = scopeOf(context, first);
    const inputs = world.inputs.read(context, scope);
    const failure = world.inputs.findFailure(context, inputs);
    const done = failure ?? world.inputs.findDone(context, inputs);
    if (isByFile && doubtful.length > files.length && failure === undefined) {
      const hopeful = new Set(files);
      const last = facts.read((session) => findLastCompleted(session, context.id));
      const left = doubtful.filter((path) => !hopeful.has(path));
      hopeless.push({ context: context.key, files: left, job: last?.id ?? 0, why: 'not_settled' });
      if (files.length === 0) continue;
    }
    if (done !== undefined) {
      const why = failure === undefined ? 'not_settled' : 'failed';
      if (doubtful.length > 0) hopeless.push({ context: context.key, files: doubtful, job: done.id, why });
      continue;
    }
    const nowMs = world.nowMs();
    facts.writer.remember(() =>
      facts.jobs.enqueue({ contextId: context.id, scope, trigger, priority: 0, notBeforeMs: nowMs, nowMs, head }),
    );
    enqueued.push(context.key);
  }
  return { enqueued, hopeless };
}

/** A tool that can be asked for single files is asked for all that need it, however they are named: the names need not be all. */
function scopeOf({ granularity }: StoredContext, files: readonly string[]): RefreshScope {
  if (files.length <= refreshLimits.maxListedFiles) return makeScope(files);
  return granularity === 'file' ? makeScope(files.slice(0, refreshLimits.maxListedFiles)) : null;
}

/** By context id: members of live contexts that are dirty, stale, pending or unindexed, sorted. */
export function listUnsettled(session: ReadSession): ReadonlyMap<number, readonly string[]> {
  return groupUnsettled(statesOf(session));
}

/** The writer has reconciled: what the store says of bytes is what is on disk. */
function statesOf(session: ReadSession): FileStates {
  const { generation } = session;
  return createFileStates({ read: (ask) => ask(session), differences: noDifferences, generation });
}

function groupUnsettled(states: FileStates): ReadonlyMap<number, readonly string[]> {
  return new Map(states.unsettled().map(({ contextId, paths }) => [contextId, paths]));
}

/** Is everything asked for by what is queued, or in what runs and began with the present bytes? */
function isUnderWay(world: UnsettledWorld, context: StoredContext, files: readonly string[]): boolean {
  const { facts, inputs } = world;
  const asked = { granularity: context.granularity, scope: makeScope(files), members: files };
  const queued = facts.read((session) => findQueuedJob(session, context.id));
  if (queued !== undefined && isWithin(asked, inputs.widen(context, queued.scope))) return true;
  const run = world.findRun(context.id);
  if (run === undefined || run.stopped !== undefined) return false;
  // One that has only been claimed reads everything from here on.
  const widened = inputs.widen(context, run.job.scope, run.job.attempt > 1);
  const running = context.granularity === 'file' ? { ...widened, ...membersOf(run) } : widened;
  return isWithin(asked, running) && (run.members === undefined || files.every((path) => world.isUntouched(run, path)));
}

/** What it took on when it began, once it has: what needs it has changed since. */
function membersOf({ members }: JobControl): { readonly members?: readonly string[]; readonly scope?: RefreshScope } {
  return members === undefined ? {} : { members, scope: { files: members, packages: [] } };
}

// ---- churn guard: when may the next job of a context start (code-plane.md §7)? Not within two seconds of a change, an expensive context
// not back to back, and none later than a minute. A job about single files costs a second and has shorter limits: a saved file is to be
// clean again before the next question.

const churnLimits = { quietMs: 2_000, minGapMs: 5_000, maxWaitMs: 60_000 } as const;
const churnLimitsByFile = { quietMs: 300, minGapMs: 1_000, maxWaitMs: 10_000 } as const;

type ContextActivity = {
  readonly firstChangeMs: number;
  readonly lastChangeMs: number;
  /** Of the last run that started an indexer; null: there was none. */
  readonly lastStartMs: number | null;
  readonly lastDurationMs: number;
};

export function earliestStartMs(activity: ContextActivity, granularity: Granularity = 'project'): number {
  const { firstChangeMs, lastChangeMs, lastStartMs, lastDurationMs } = activity;
  const { quietMs, minGapMs, maxWaitMs } = granularity === 'file' ? churnLimitsByFile : churnLimits;
  const afterQuiet = lastChangeMs + quietMs;
  const afterLast = lastStartMs === null ? 0 : lastStartMs + Math.max(minGapMs, lastDurationMs / 2);
  return Math.min(Math.max(afterQuiet, afterLast), firstChangeMs + maxWaitMs);
}

// ---- order: a context that uses files of another is imported after it, because whether a reference leads somewhere is asked of what the
// store has then (code-plane.md §6.2). Contexts that use each other are left as they come.

export type ContextNeeds = ReadonlyMap<number, ReadonlySet<number>>;

/** Linear in members and imports. */
export function findNeeds(
  contexts: readonly { readonly id: number; readonly members: readonly string[] }[],
  targetsOf: (path: string) => readonly string[],
): ContextNeeds {
  const owners = new Map<string, number[]>();
  for (const { id, members } of contexts) {
    for (const path of members) {
      const known = owners.get(path);
      if (known === undefined) owners.set(path, [id]);
      else known.push(id);
    }
  }
  const needs = new Map<number, ReadonlySet<number>>();
  for (const { id, members } of contexts) {
    const found = new Set<number>();
    for (const path of members) {
      for (const target of targetsOf(path)) {
        const having = owners.get(target);
        if (having === undefined || having.includes(id)) continue;
        for (const other of having) found.add(other);
      }
    }
    needs.set(id, found);
  }
  return needs;
}

/** Those of `due` that need no busy context; never none of them unless one of `running` is needed. */
export function listUnblocked(due: readonly number[], running: readonly number[], needs: ContextNeeds): number[] {
  const busy = new Set([...due, ...running]);
  const reached = new Map<number, ReadonlySet<number>>();
  const reach = (id: number): ReadonlySet<number> => {
    let found = reached.get(id);
    if (found === undefined) {
      const all = new Set(needs.get(id));
      for (const next of all) for (const further of needs.get(next) ?? []) all.add(further);
      found = all;
      reached.set(id, found);
    }
    return found;
  };
  return due.filter((id) => {
    for (const other of reach(id)) if (other !== id && busy.has(other) && !reach(other).has(id)) return false;
    return true;
  });
}

// ---- recovery: jobs that a dead process left running go back to the queue (R27). Its indexers may have outlived it: a process group is
// ended if its leader still is the process that was written down, and never by its number alone.

const endWithinMs = 5_000;
const lookAgainMs = 20;

/** The jobs as they were. Only for the holder of the writer lock: every other owner is dead. */
export async function recoverJobs(
  facts: WritableFacts,
  by: { readonly owner: string; readonly nowMs: number },
): Promise<readonly Job[]> {
  const left = facts.writer.remember(() => facts.jobs.recover(by));
  for (const { pgid, pgStart } of left) if (pgid !== null && pgStart !== null) await endGroup(pgid, pgStart);
  return left;
}

/** Where the system does not tell start times, the number may be another process's by now. */
async function endGroup(pgid: number, startTime: string): Promise<void> {
  if (!/^\d+$/.test(startTime) || processStart(pgid) !== startTime) return;
  signalGroup(pgid, 'SIGKILL');
  for (let waited = 0; waited < endWithinMs && isGroupAlive(pgid); waited += lookAgainMs) await delay(lookAgainMs);
}
