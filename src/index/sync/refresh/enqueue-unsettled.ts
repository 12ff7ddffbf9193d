/**
 * R24: a file that is dirty, stale, pending or unindexed in a live context has a queued or running job, or a named reason why none
 * would help. Found by asking for the states of all files, so that no way of becoming so is forgotten.
 */

import { makeScope, type RefreshScope } from '../../semantic/scope.ts';
import { createFileStates, type FileStates } from '../../state/file-states.ts';
import type { ReadSession } from '../../store/facts-handle.ts';
import type { WritableFacts } from '../../store/open-facts.ts';
import { findRepoState } from '../../store/queries/find-repo-state.ts';
import { listContexts, type StoredContext } from '../../store/queries/list-contexts.ts';
import { findLastCompleted, findQueuedJob } from '../../store/queries/list-jobs.ts';
import { listSettledReferences } from '../../store/queries/list-settled-references.ts';
import { isLive } from '../../store/queries/load-state-columns.ts';
import { noDifferences } from '../find-differences.ts';
import type { JobInputsReader } from './job-inputs.ts';
import { refreshLimits } from './refresh-limits.ts';
import type { JobControl } from './run-job.ts';
import { isWithin } from './widen-scope.ts';

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
export type Doubts = {
  /** Members of live contexts that are dirty, stale, pending or unindexed. */
  readonly unsettled: ReadonlyMap<number, readonly string[]>;
  /** Files whose references led nowhere and would lead somewhere by now. */
  readonly outdated: ReadonlyMap<number, readonly string[]>;
};

/**
 * Works them out once per generation: the end of a job, a change and a question ask one after the other. The states of all files, from
 * which they come, are kept for a job that commits meanwhile, until nobody works.
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

export type UnsettledWorld = {
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
