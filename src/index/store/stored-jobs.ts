/**
 * Refresh jobs (code-plane.md §7): their rows, what waits, what runs, how the last ones ended, and the transitions between these. What to
 * run, when, and what a failure means is the caller's to decide.
 *
 * R21  Two partial unique indexes allow one queued and one running job per context; every transition keeps to that by widening the
 *      queued one.
 * R23  Scopes only widen. A running job is never merged into: it may have read older text than a request means.
 * R27  What ran for an owner that is gone is queued again. Where another one is queued already, that one takes its scope over.
 * R28  A job that is not running for its owner any more cannot be completed, and its import begins with completing it.
 *
 * Jobs of one context are claimed in the order of their ids, so a successor's id is always higher.
 */

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { assert } from '../../kernel/base/assert.ts';
import { canonicalJson, compareCodeUnits, isJsonObject } from '../../kernel/base/json.ts';
import type { Failure } from '../../languages/projects/context-spec.ts';
import type { ReadSession } from './read-session.ts';
import { guardSqlite } from './store-failed.ts';
import { listMembers, type StoredContext } from './stored-contexts.ts';
import type { WriteSession } from './write-files.ts';

export type Job = {
  readonly id: number;
  readonly contextId: number;
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'superseded' | 'cancelled';
  readonly scope: RefreshScope;
  readonly trigger: string;
  readonly priority: number;
  readonly fingerprint: string | null;
  readonly head: string | null;
  readonly notBeforeMs: number;
  readonly attempt: number;
  readonly leaseOwner: string | null;
  readonly leaseUntilMs: number | null;
  readonly pgid: number | null;
  readonly pgStart: string | null;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly outputHash: string | null;
  readonly accepted: number | null;
  readonly rejected: number | null;
  readonly failure: Failure | null;
  readonly detail: string | null;
  readonly successorId: number | null;
};

// ---- questions

/** In the order of `Job`; also what a claim returns. */
const jobColumns = `
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
  return firstJob(session.statement(jobByIdSql).all(id));
}

export function findQueuedJob(session: ReadSession, contextId: number): Job | undefined {
  return firstJob(session.statement(queuedJobSql).all(contextId));
}

export function findRunningJob(session: ReadSession, contextId: number): Job | undefined {
  return firstJob(session.statement(runningJobSql).all(contextId));
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

/** What a file that is not clean in a context waits for. */
export type JobStanding = {
  readonly status: 'running' | 'queued' | 'failed' | 'idle';
  /** The last run ended so, and none has made it good since. */
  readonly failure: Pick<Job, 'failure' | 'detail'> | null;
  /** When asking again is worth it; null where nothing is under way. An estimate by the last run. */
  readonly readyInMs: number | null;
};

/** Of a run that no earlier one tells about. */
const unknownRunMs = 5_000;

export function findStanding(session: ReadSession, contextId: number, nowMs: number): JobStanding {
  const ended = listJobs(session, contextId, 20).filter(({ status }) => status === 'completed' || status === 'failed');
  const failure = ended[0]?.status === 'failed' ? ended[0] : null;
  const told = ended.find(({ status, startedMs }) => status === 'completed' && startedMs !== null);
  const tookMs = Math.max(0, (told?.finishedMs ?? 0) - (told?.startedMs ?? 0)) || unknownRunMs;
  const running = findRunningJob(session, contextId);
  const queued = findQueuedJob(session, contextId);
  const leftMs = (fromMs: number) => Math.max(1_000, Math.round(fromMs + tookMs - nowMs));
  if (running !== undefined) return { status: 'running', failure, readyInMs: leftMs(running.startedMs ?? nowMs) };
  if (queued !== undefined)
    return { status: 'queued', failure, readyInMs: leftMs(Math.max(nowMs, queued.notBeforeMs)) };
  return { status: failure === null ? 'idle' : 'failed', failure, readyInMs: null };
}

/** Of a context that no indexer has read yet: what one is reckoned to take for a file, and to begin with. */
const firstRunMs = { file: 12, start: 1_000 } as const;

/** What bringing its facts up to date is reckoned to take: as long as the last time, or by its files. */
export function estimateJobMs(session: ReadSession, { id }: Pick<StoredContext, 'id'>): number {
  const told = listJobs(session, id, 20).find(({ status, startedMs }) => status === 'completed' && startedMs !== null);
  if (told !== undefined) return Math.max(0, (told.finishedMs ?? 0) - (told.startedMs ?? 0));
  return firstRunMs.start + listMembers(session, id).length * firstRunMs.file;
}

/** `tool crashed: it said so`. */
export function describeFailure({ failure, detail }: NonNullable<JobStanding['failure']>): string {
  return `${(failure ?? 'failed').replaceAll('_', ' ')}${detail === null || detail === '' ? '' : `: ${detail}`}`;
}

function jobOfRow(row: Record<string, SQLOutputValue>): Job {
  return { ...(row as unknown as Job), scope: parseScope(row['scope'] as string | null) };
}

function firstJob(rows: readonly Record<string, SQLOutputValue>[]): Job | undefined {
  return rows[0] === undefined ? undefined : jobOfRow(rows[0]);
}

// ---- transitions

export type JobRequest = {
  readonly contextId: number;
  /** Not the empty one. */
  readonly scope: RefreshScope;
  readonly trigger: string;
  readonly priority: number;
  readonly notBeforeMs: number;
  readonly nowMs: number;
  readonly head: string | null;
};

/**
 * Inside `writer.transaction`, or inside `writer.remember` where nothing but jobs changes: jobs are no facts, so claiming, renewing
 * or queueing keeps the generation and with it every answer that carries it.
 */
export type JobWriter = {
  /** Widens the queued job of the context (union of scopes, higher priority, earlier start) or adds one; its id. */
  enqueue(request: JobRequest): number;
  /** The most urgent queued job that is due, of an enabled context that has none running; now it is running and `owner`'s. */
  claim(by: {
    readonly owner: string;
    readonly nowMs: number;
    readonly leaseUntilMs: number;
    /** Only of these contexts. */
    readonly contextIds?: readonly number[];
  }): Job | undefined;
  /** False, here and below: the job is not running, or not for this owner any more. */
  renew(id: number, owner: string, leaseUntilMs: number): boolean;
  setRun(id: number, owner: string, run: JobRun): boolean;
  /** First statement of the import's transaction; false: write nothing (R28). */
  complete(id: number, owner: string, result: JobResult): boolean;
  /** With `retryAtMs` a successor is queued in the same step, or the queued one is widened; without, the failure is terminal. */
  fail(id: number, owner: string, failed: JobFailure): boolean;
  /** The running job is over and imports nothing; the id of its successor. Undefined: it was not running. */
  supersede(id: number, why: { readonly nowMs: number; readonly detail: string }): number | undefined;
  /** Only what is queued: what runs is superseded. */
  cancel(id: number, nowMs: number): boolean;
  /** Running jobs of other owners and those whose lease has ended go back to the queue (R27). They are given as they were before. */
  recover(by: { readonly owner: string; readonly nowMs: number }): readonly Job[];
  /** Of the finished jobs of a context the last `keep` stay. */
  prune(contextId: number, keep: number): void;
  /** Of the next job that is added: no other connection may give a lower one. */
  readonly nextId: number;
  /** See `FactsWriter`. `nextId` of the other connection, where there may be jobs that it gave an id and whose rows are gone. */
  catchUp(nextId?: number): void;
};

type JobRun = {
  readonly fingerprint?: string;
  readonly pgid?: number | null;
  readonly pgStart?: string | null;
  readonly head?: string | null;
};

type JobResult = {
  readonly nowMs: number;
  readonly outputHash: string | null;
  readonly accepted: number;
  readonly rejected: number;
  /** Whose documents were not taken over, and why. */
  readonly detail?: string | null;
};

export type JobFailure = {
  readonly nowMs: number;
  readonly failure: Failure;
  readonly detail: string;
  readonly retryAtMs: number | null;
  /** Instead of the job's own scope. */
  readonly retryScope?: RefreshScope;
};

/** The form of code-plane.md §7. A context runs one job at a time, and none while it is switched off. */
export const claimSql = `
  UPDATE jobs SET status = 'running', lease_owner = ?, lease_until_ms = ?, started_ms = ?, attempt = attempt + 1
  WHERE id = (
    SELECT q.id FROM jobs q JOIN contexts c ON c.id = q.context_id
    WHERE q.status = 'queued' AND q.not_before_ms <= ? AND c.enabled = 1
      AND NOT EXISTS(SELECT 1 FROM jobs r WHERE r.context_id = q.context_id AND r.status = 'running')
      AND (? IS NULL OR q.context_id IN (SELECT value FROM json_each(?)))
    ORDER BY q.priority DESC, q.id LIMIT 1)
  RETURNING ${jobColumns}
`;

const ours = "WHERE id = ? AND status = 'running' AND lease_owner = ?";

function prepareJobStatements(db: DatabaseSync) {
  return {
    findQueued: db.prepare("SELECT id, scope FROM jobs WHERE context_id = ? AND status = 'queued'"),
    widen: db.prepare(
      `UPDATE jobs SET scope = ?, priority = max(priority, ?), not_before_ms = min(not_before_ms, ?),
         attempt = max(attempt, ?), head = coalesce(?, head) WHERE id = ?`,
    ),
    insert: db.prepare(
      `INSERT INTO jobs(id, context_id, status, scope, trigger, priority, not_before_ms, attempt, head, created_ms)
       VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)`,
    ),
    claim: db.prepare(claimSql),
    renew: db.prepare(`UPDATE jobs SET lease_until_ms = ? ${ours}`),
    setRun: db.prepare(
      `UPDATE jobs SET fingerprint = coalesce(?, fingerprint), pgid = CASE WHEN ? THEN ? ELSE pgid END,
         pg_start = CASE WHEN ? THEN ? ELSE pg_start END, head = coalesce(?, head) ${ours}`,
    ),
    complete: db.prepare(
      `UPDATE jobs SET status = 'completed', finished_ms = ?, output_hash = ?, accepted = ?, rejected = ?, detail = ? ${ours}`,
    ),
    fail: db.prepare(
      `UPDATE jobs SET status = 'failed', finished_ms = ?, failure = ?, detail = ? ${ours} RETURNING ${jobColumns}`,
    ),
    supersede: db.prepare(
      `UPDATE jobs SET status = 'superseded', finished_ms = ?, detail = ? WHERE id = ? AND status = 'running'
       RETURNING ${jobColumns}`,
    ),
    setSuccessor: db.prepare('UPDATE jobs SET successor_id = ? WHERE id = ?'),
    cancel: db.prepare("UPDATE jobs SET status = 'cancelled', finished_ms = ? WHERE id = ? AND status = 'queued'"),
    listLost: db.prepare(
      `SELECT ${jobColumns} FROM jobs WHERE status = 'running' AND (lease_owner IS NOT ? OR lease_until_ms <= ?)
       ORDER BY context_id`,
    ),
    requeue: db.prepare(
      `UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_until_ms = NULL, started_ms = NULL, pgid = NULL,
         pg_start = NULL, fingerprint = NULL WHERE id = ?`,
    ),
    prune: db.prepare(
      `DELETE FROM jobs WHERE context_id = ? AND status NOT IN ('queued', 'running') AND id <= (
         SELECT id FROM jobs WHERE context_id = ? AND status NOT IN ('queued', 'running') ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    ),
  };
}

export function createJobWriter(db: DatabaseSync, { mustBeInside }: WriteSession): JobWriter {
  const statements = prepareJobStatements(db);
  // Counted here: the highest id of the table would come again when its row goes, while the job it named still runs somewhere.
  let nextId = 1;
  catchUp();

  function catchUp(given = 1): void {
    const highest = guardSqlite(() => db.prepare('SELECT max(id) AS id FROM jobs').get()?.['id']);
    nextId = Math.max(nextId, given, Number(highest ?? 0) + 1);
  }

  /** `attempt`: runs that failed already. */
  function queue(request: JobRequest, attempt: number): number {
    const { contextId, scope, trigger, priority, notBeforeMs, nowMs, head } = request;
    assert(!isEmptyScope(scope), 'a request for nothing is not queued');
    const queued = statements.findQueued.get(contextId);
    if (queued === undefined) {
      const text = renderScope(scope);
      const added = nextId;
      nextId += 1;
      statements.insert.run(added, contextId, text, trigger, priority, notBeforeMs, attempt, head, nowMs);
      return added;
    }
    const id = Number(queued['id']);
    const union = renderScope(unionScopes(parseScope(queued['scope'] as string | null), scope));
    statements.widen.run(union, priority, notBeforeMs, attempt, head, id);
    return id;
  }

  /** Queues what is to be done again after `job`, which is over, and says so in its row. */
  function follow(
    job: Job,
    after: {
      readonly scope: RefreshScope;
      readonly attempt: number;
      readonly notBeforeMs: number;
      readonly nowMs: number;
    },
  ): number {
    const { contextId, trigger, priority, head } = job;
    const { scope, attempt, notBeforeMs, nowMs } = after;
    const successor = queue({ contextId, scope, trigger, priority, notBeforeMs, nowMs, head }, attempt);
    statements.setSuccessor.run(successor, job.id);
    return successor;
  }

  return {
    get nextId() {
      return nextId;
    },
    catchUp,
    enqueue(request) {
      mustBeInside('any');
      return queue(request, 0);
    },
    claim({ owner, nowMs, leaseUntilMs, contextIds }) {
      mustBeInside('any');
      const among = contextIds === undefined ? null : JSON.stringify(contextIds);
      const row = statements.claim.get(owner, leaseUntilMs, nowMs, nowMs, among, among);
      return row === undefined ? undefined : jobOfRow(row);
    },
    renew(id, owner, leaseUntilMs) {
      mustBeInside('any');
      return statements.renew.run(leaseUntilMs, id, owner).changes === 1;
    },
    setRun(id, owner, { fingerprint = null, pgid, pgStart, head = null }) {
      mustBeInside('any');
      const group = [Number(pgid !== undefined), pgid ?? null, Number(pgStart !== undefined), pgStart ?? null];
      return statements.setRun.run(fingerprint, ...group, head, id, owner).changes === 1;
    },
    complete(id, owner, { nowMs, outputHash, accepted, rejected, detail }) {
      mustBeInside('any');
      return statements.complete.run(nowMs, outputHash, accepted, rejected, detail ?? null, id, owner).changes === 1;
    },
    fail(id, owner, { nowMs, failure, detail, retryAtMs, retryScope }) {
      mustBeInside('any');
      const row = statements.fail.get(nowMs, failure, detail, id, owner);
      if (row === undefined) return false;
      const job = jobOfRow(row);
      if (retryAtMs !== null) {
        const scope = retryScope === undefined ? job.scope : retryScope;
        follow(job, { scope, attempt: job.attempt, notBeforeMs: retryAtMs, nowMs });
      }
      return true;
    },
    supersede(id, { nowMs, detail }) {
      mustBeInside('any');
      const row = statements.supersede.get(nowMs, detail, id);
      if (row === undefined) return undefined;
      const job = jobOfRow(row);
      // What it is asked has changed, so what failed before says nothing about the next run.
      return follow(job, { scope: job.scope, attempt: 0, notBeforeMs: nowMs, nowMs });
    },
    cancel(id, nowMs) {
      mustBeInside('any');
      return statements.cancel.run(nowMs, id).changes === 1;
    },
    recover({ owner, nowMs }) {
      mustBeInside('any');
      const lost = statements.listLost.all(owner, nowMs).map(jobOfRow);
      for (const job of lost) {
        if (statements.findQueued.get(job.contextId) === undefined) {
          statements.requeue.run(job.id);
          continue;
        }
        statements.supersede.get(nowMs, 'its lease ended', job.id);
        follow(job, { scope: job.scope, attempt: job.attempt, notBeforeMs: job.notBeforeMs, nowMs });
      }
      return lost;
    },
    prune(contextId, keep) {
      mustBeInside('any');
      assert(keep >= 1, 'the last finished job stays');
      statements.prune.run(contextId, contextId, keep);
    },
  };
}

// ---- scopes

/**
 * What a job is asked to look at, as a lattice: `null` is the whole context and absorbs everything, the union of two lists is their sorted
 * union. Lists are distinct; both empty means nothing and is never stored. Which files a package holds is the adapter's business, so a
 * package does not cover its files here.
 */
export type RefreshScope = { readonly files: readonly string[]; readonly packages: readonly string[] } | null;

/** Sorted and distinct, as scopes are stored. */
export function makeScope(files: Iterable<string>, packages: Iterable<string> = []): NonNullable<RefreshScope> {
  return { files: sortDistinct(files), packages: sortDistinct(packages) };
}

/** Asks for nothing; never stored. */
export function isEmptyScope(scope: RefreshScope): boolean {
  return scope !== null && scope.files.length === 0 && scope.packages.length === 0;
}

export function unionScopes(a: RefreshScope, b: RefreshScope): RefreshScope {
  if (a === null || b === null) return null;
  return makeScope([...a.files, ...b.files], [...a.packages, ...b.packages]);
}

/** Whether a job with scope `wide` looks at everything that `narrow` asks for. */
export function coversScope(wide: RefreshScope, narrow: RefreshScope): boolean {
  if (wide === null) return true;
  if (narrow === null) return false;
  return holdsAll(wide.files, narrow.files) && holdsAll(wide.packages, narrow.packages);
}

/** Canonical JSON: two scopes are equal iff their texts are. `null` stays null, as in the column. */
export function renderScope(scope: RefreshScope): string | null {
  return scope === null ? null : canonicalJson(makeScope(scope.files, scope.packages));
}

/** What `renderScope` wrote. A text that is not a scope is read as the whole context: more is done, nothing is missed. */
export function parseScope(text: string | null): RefreshScope {
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const { files, packages } = value;
  return isTextList(files) && isTextList(packages) ? makeScope(files, packages) : null;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function holdsAll(wide: readonly string[], narrow: readonly string[]): boolean {
  if (narrow.length > wide.length) return false;
  const known = new Set(wide);
  return narrow.every((item) => known.has(item));
}

function sortDistinct(items: Iterable<string>): string[] {
  return [...new Set(items)].sort(compareCodeUnits);
}
