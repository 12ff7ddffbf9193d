/** Refresh jobs: what waits, what runs, how the last ones ended. */

import type { SQLOutputValue } from 'node:sqlite';
import { coversScope, parseScope } from '../../semantic/scope.ts';
import type { ReadSession } from '../facts-handle.ts';
import type { Job } from '../jobs.ts';

/** In the order of `Job`; also what a claim returns. */
export const jobColumns = `
  id, context_id AS contextId, status, scope, trigger, priority, fingerprint, head, not_before_ms AS notBeforeMs, attempt,
  lease_owner AS leaseOwner, lease_until_ms AS leaseUntilMs, pgid, pg_start AS pgStart, created_ms AS createdMs,
  started_ms AS startedMs, finished_ms AS finishedMs, output_hash AS outputHash, accepted, rejected, failure, detail,
  successor_id AS successorId
`;

export const jobByIdSql = `SELECT ${jobColumns} FROM jobs WHERE id = ?`;
export const queuedJobSql = `SELECT ${jobColumns} FROM jobs WHERE context_id = ? AND status = 'queued'`;
export const runningJobSql = `SELECT ${jobColumns} FROM jobs WHERE context_id = ? AND status = 'running'`;
export const queuedJobsSql = `SELECT ${jobColumns} FROM jobs WHERE status = 'queued' ORDER BY context_id`;
export const runningJobsSql = `SELECT ${jobColumns} FROM jobs WHERE status = 'running' ORDER BY context_id`;
export const jobsOfContextSql = `SELECT ${jobColumns} FROM jobs WHERE context_id = ? ORDER BY id DESC LIMIT ?`;
export const lastJobsSql = `SELECT ${jobColumns} FROM jobs ORDER BY id DESC LIMIT ?`;
export const jobHistorySql = `SELECT ${jobColumns} FROM jobs WHERE context_id = ? ORDER BY id DESC`;

export function findJob(session: ReadSession, id: number): Job | undefined {
  return first(session.statement(jobByIdSql).all(id));
}

export function findQueuedJob(session: ReadSession, contextId: number): Job | undefined {
  return first(session.statement(queuedJobSql).all(contextId));
}

export function findRunningJob(session: ReadSession, contextId: number): Job | undefined {
  return first(session.statement(runningJobSql).all(contextId));
}

/** At most one per context, by context. */
export function listQueuedJobs(session: ReadSession): readonly Job[] {
  return session.statement(queuedJobsSql).all().map(jobOfRow);
}

export function listRunningJobs(session: ReadSession): readonly Job[] {
  return session.statement(runningJobsSql).all().map(jobOfRow);
}

/** The newest first; of all contexts if none is named. */
export function listJobs(session: ReadSession, contextId: number | null, limit: number): readonly Job[] {
  const rows =
    contextId === null
      ? session.statement(lastJobsSql).all(limit)
      : session.statement(jobsOfContextSql).all(contextId, limit);
  return rows.map(jobOfRow);
}

/** The newest completed job of a context; with a fingerprint, if that is the one it had. */
export function findLastCompleted(session: ReadSession, contextId: number, fingerprint?: string): Job | undefined {
  for (const row of session.statement(jobHistorySql).iterate(contextId)) {
    if (row['status'] !== 'completed') continue;
    return fingerprint === undefined || row['fingerprint'] === fingerprint ? jobOfRow(row) : undefined;
  }
  return undefined;
}

/**
 * Failures that nothing follows: no successor was queued, and no job that completed later covers what they were asked. The newest
 * first. What is queued or running may yet settle them.
 */
export function listTerminalFailures(session: ReadSession, contextId: number): readonly Job[] {
  const completed: Job[] = [];
  const failures: Job[] = [];
  for (const row of session.statement(jobHistorySql).iterate(contextId)) {
    const job = jobOfRow(row);
    if (job.status === 'completed') completed.push(job);
    else if (job.status === 'failed' && job.successorId === null) {
      if (!completed.some((later) => coversScope(later.scope, job.scope))) failures.push(job);
    }
  }
  return failures;
}

export function findTerminalFailure(session: ReadSession, contextId: number): Job | undefined {
  return listTerminalFailures(session, contextId)[0];
}

export function jobOfRow(row: Record<string, SQLOutputValue>): Job {
  return { ...(row as unknown as Job), scope: parseScope(row['scope'] as string | null) };
}

function first(rows: readonly Record<string, SQLOutputValue>[]): Job | undefined {
  return rows[0] === undefined ? undefined : jobOfRow(rows[0]);
}
