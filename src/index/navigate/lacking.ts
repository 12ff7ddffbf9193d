/**
 * What compilers have not said yet and a question needs: files that hold its name and whose compiler facts are missing, or are of older
 * bytes. Whoever opened the view may have indexers bring it before the question is asked again; what stays missing is told, with how long it
 * takes and what to call (T14).
 */

import { plural } from '../../kernel/base/text.ts';
import type { Freshness } from '../freshness/file-states.ts';
import type { ReadSession } from '../store/read-session.ts';
import { isLive, listContextsOfFile, listMembers, type StoredContext } from '../store/stored-contexts.ts';
import { estimateJobMs, listQueuedJobs, listRunningJobs } from '../store/stored-jobs.ts';

export type Lacking = {
  /** Sorted; each is a member of a context whose indexer can run. */
  readonly paths: readonly string[];
  /** Of these contexts a job is queued or runs. */
  readonly contexts: readonly StoredContext[];
  /** What an indexer that reads all of it is reckoned to take. */
  readonly aboutMs: number;
  /** `under_way`: a process is at it, and nobody has to call anything. `settled`: no run would change it as things are (R24). */
  readonly standing: 'under_way' | 'queued' | 'settled';
};

/** States that a run of an indexer may settle. */
export const openStates: ReadonlySet<Freshness> = new Set(['dirty', 'stale', 'pending_check', 'unindexed']);

/** `isKept`: a daemon runs what is queued. */
export function describeLacking(session: ReadSession, paths: readonly string[], isKept: boolean): Lacking {
  const contexts = new Map<number, StoredContext>();
  const covered = paths.filter((path) => {
    const live = listContextsOfFile(session, path).filter(isLive);
    for (const context of live) contexts.set(context.id, context);
    return live.length > 0;
  });
  const isOf = ({ contextId }: { readonly contextId: number }) => contexts.has(contextId);
  const [running, queued] = [listRunningJobs(session).filter(isOf), listQueuedJobs(session).filter(isOf)];
  const busy = new Set([...running, ...queued].map(({ contextId }) => contextId));
  const waiting = [...contexts.values()].filter(({ id }) => busy.has(id));
  return {
    paths: [...covered].sort(),
    contexts: waiting,
    aboutMs: waiting.reduce((sum, context) => sum + estimateJobMs(session, context), 0),
    standing: busy.size === 0 ? 'settled' : running.length > 0 || isKept ? 'under_way' : 'queued',
  };
}

/** Which projects there are is not known yet. */
export function undiscovered(paths: readonly string[]): Lacking {
  return { paths: [...paths].sort(), contexts: [], aboutMs: 0, standing: 'under_way' };
}

/** What is queued or running in a process that keeps the index; undefined where nothing is. */
export function describeUnderWay(
  session: ReadSession,
  isKept: boolean,
): Pick<Lacking, 'paths' | 'aboutMs' | 'standing'> | undefined {
  const jobs = [...listRunningJobs(session), ...(isKept ? listQueuedJobs(session) : [])];
  if (jobs.length === 0) return undefined;
  const paths = new Set<string>();
  let aboutMs = 0;
  for (const { contextId, scope } of jobs) {
    for (const path of scope?.files ?? listMembers(session, contextId)) paths.add(path);
    aboutMs += estimateJobMs(session, { id: contextId });
  }
  return { paths: [...paths], aboutMs, standing: 'under_way' };
}

/** Why there may be more, for a person and for an agent alike. */
export function sayLacking({ paths, aboutMs, standing }: Lacking): string {
  const what = `compiler facts of ${plural(paths.length, 'file')} that could tell are missing or of older bytes`;
  const time = `about ${Math.max(1, Math.ceil(aboutMs / 1_000))} s`;
  if (standing === 'under_way') return `${what}: they are being made, ${time}; ask again then`;
  if (standing === 'queued') return `${what}: \`codegenie index --semantic\` makes them (${time}); then ask again`;
  return `${what}, and no run of the indexer settles them as they are; \`codegenie status\` says why`;
}
