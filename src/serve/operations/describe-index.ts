/**
 * What `status` and `index` say of the index: contexts with their indexers and jobs, files by freshness with why some are
 * not clean, what a run of the indexers did, and why files were skipped.
 */

import { freshnesses } from '../../index/freshness/compute-states.ts';
import { createFileStates, type FileState, type FileStates, neverIndexed } from '../../index/freshness/file-states.ts';
import type { RunSummary } from '../../index/refresh/refresher.ts';
import { aliasReasons } from '../../index/store/file-rows.ts';
import type { ReadSession } from '../../index/store/read-session.ts';
import { countSemantic } from '../../index/store/store-counts.ts';
import { listContexts, type StoredContext } from '../../index/store/stored-contexts.ts';
import { describeFailure, findQueuedJob, findRunningJob, type Job, listJobs } from '../../index/store/stored-jobs.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { formatDuration } from '../../kernel/base/quantities.ts';
import { z } from '../../kernel/base/schema.ts';
import { failures, probeStates } from '../../languages/projects/context-spec.ts';
import { columns, plural, quotedPath, shown } from './answer-words.ts';

const whole = z.number().int();
const byFreshness = z.object(
  Object.fromEntries(freshnesses.map((word) => [word, whole])) as Record<(typeof freshnesses)[number], typeof whole>,
);

const LastJob = z.object({
  status: z.enum(['completed', 'failed', 'superseded', 'cancelled']),
  finished_at: z.string(),
  seconds: z.number().nullable(),
  /** Documents that were taken over, and those that were not. */
  accepted: whole.nullable(),
  rejected: whole.nullable(),
  failure: z.enum(failures).nullable(),
  detail: z.string().nullable(),
});

const ContextAnswer = z.object({
  key: z.string(),
  indexer: z.string(),
  /** Name, version and hash of the tool; null where there is none. */
  tool: z.string().nullable(),
  probe: z.enum(probeStates),
  /** What is missing and how to install it. */
  detail: z.string().nullable(),
  files: whole,
  by_freshness: byFreshness,
  /** Of the unindexed, those that were indexed with another configuration or tool. */
  outdated: whole,
  job: z.enum(['none', 'queued', 'running']),
  last_job: LastJob.nullable(),
});

export const Semantics = z.object({
  /** `none`: no context. `partial`: some file that an indexer could cover is not clean. `clean`: none is. */
  state: z.enum(['none', 'partial', 'clean']),
  files: z.object({
    by_freshness: byFreshness,
    /** Of the unindexed, those that were indexed with another configuration or tool. */
    outdated: whole,
  }),
  /** What is wrong with `.codegenie/contexts.json`; nothing where another process keeps the index. */
  problems: z.array(z.string()),
  contexts: z.array(ContextAnswer),
  jobs: z.object({ queued: whole, running: whole, failed: whole }),
  symbols: whole,
  occurrences: whole,
  /** Files that are dirty, stale, pending or unindexed, with why; the first ones. */
  unsettled: z.array(z.object({ path: z.string(), freshness: z.enum(freshnesses), why: z.string().nullable() })),
  unsettled_count: whole,
});
export type Semantics = z.infer<typeof Semantics>;

const settledWords: readonly string[] = ['clean', 'unsupported'];

export function describeSemantics(view: CodeView, limit: number): Semantics {
  const states = createFileStates(view);
  const counts = states.counts();
  const open = freshnesses.filter((word) => !settledWords.includes(word));
  const unsettled = open.flatMap((word) => states.list(word, limit)).slice(0, limit);
  const unsettledCount = open.reduce((sum, word) => sum + counts[word], 0);
  return view.read((session) => {
    const contexts = listContexts(session);
    const sizes = countSemantic(session);
    const described = contexts.map((context) =>
      describeContext(session, context, states, sizes.contexts.get(context.id)?.members ?? 0),
    );
    const jobs = { queued: 0, running: 0, failed: 0 };
    for (const { job, last_job } of described) {
      if (job !== 'none') jobs[job] += 1;
      else if (last_job?.status === 'failed') jobs.failed += 1;
    }
    return {
      state: contexts.length === 0 ? ('none' as const) : unsettledCount > 0 ? ('partial' as const) : ('clean' as const),
      files: {
        by_freshness: counts,
        outdated: states.countOutdated(),
      },
      problems: [...view.contextProblems],
      contexts: described,
      jobs,
      symbols: sizes.symbols,
      occurrences: sizes.occurrences,
      unsettled: unsettled.map(({ path, freshness, ...state }) => ({
        path,
        freshness,
        why: whyOf({ path, freshness, ...state }, view, described),
      })),
      unsettled_count: unsettledCount,
    };
  });
}

/** The first context that is not clean says it. */
function whyOf(
  { path, freshness, reason, contexts }: FileState,
  view: CodeView,
  described: Semantics['contexts'],
): string | null {
  const first = contexts.find((context) => context.freshness === freshness);
  if (first === undefined) return reason;
  const isAsked = first.why === neverIndexed && !view.differences.changed.has(path);
  const context = isAsked ? described.find(({ key }) => key === first.key) : undefined;
  return (context === undefined ? undefined : whyNotGiven(path, context)) ?? first.why;
}

/**
 * R24: where no job waits for a file that was never indexed, none would help: the last one had the present inputs. What it said of the
 * file, if it said something, is in its detail as `path: why`, with others between semicolons.
 */
function whyNotGiven(path: string, { job, last_job: last }: Semantics['contexts'][number]): string | undefined {
  if (last?.status === 'failed')
    return `${neverIndexed}: ${failureOf(last)}${job === 'none' ? '' : ', and is tried again'}`;
  if (job !== 'none' || last?.status !== 'completed') return undefined;
  const said = last.detail?.split('; ').find((part) => part.startsWith(`${path}: `));
  if (said !== undefined)
    return `${neverIndexed}: what the last run gave for it did not fit (${said.slice(path.length + 2)})`;
  return `${neverIndexed}: the last run gave no document for it that fits`;
}

function failureOf({ failure, detail }: z.infer<typeof LastJob>): string {
  const said = describeFailure({ failure, detail: detail === null ? null : shown(detail, 200) });
  return `the indexer failed (${said})`;
}

function describeContext(
  session: ReadSession,
  context: StoredContext,
  states: FileStates,
  members: number,
): z.infer<typeof ContextAnswer> {
  const queued = findQueuedJob(session, context.id);
  const running = findRunningJob(session, context.id);
  const last = listJobs(session, context.id, 20).find(({ status }) => status !== 'queued' && status !== 'running');
  return {
    key: context.key,
    indexer: context.indexer,
    tool: context.toolId,
    probe: context.probe,
    detail: context.probeDetail,
    files: members,
    by_freshness: states.countsIn(context.id),
    outdated: states.countOutdated(context.id),
    job: running !== undefined ? 'running' : queued !== undefined ? 'queued' : 'none',
    last_job: last === undefined ? null : describeJob(last),
  };
}

function describeJob(job: Job): z.infer<typeof LastJob> {
  const { status, startedMs, finishedMs } = job;
  return {
    status: status === 'queued' || status === 'running' ? 'cancelled' : status,
    finished_at: new Date(finishedMs ?? 0).toISOString(),
    seconds: startedMs === null || finishedMs === null ? null : Math.max(0, finishedMs - startedMs) / 1000,
    accepted: job.accepted,
    rejected: job.rejected,
    failure: job.failure,
    detail: job.detail,
  };
}

/** One line for the table at the top. `isKept`: a daemon keeps the index, and runs what is queued without being told. */
export function semanticsLine({ state, contexts, files, jobs }: Semantics, isKept: boolean): string {
  if (state === 'none') return 'no project that an indexer could read was found; every fact is syntactic';
  const failed = contexts.filter(isFailed).length;
  const open = talliesOf(files, failed > 0);
  const advice = isKept ? '' : `; \`codegenie index --semantic\` runs ${jobs.queued === 1 ? 'it' : 'them'}`;
  const waiting = jobs.queued === 0 ? [] : [`${plural(jobs.queued, 'job')} queued${advice}`];
  const unusable = new Set(contexts.filter(({ probe }) => probe !== 'ok').map(({ indexer }) => indexer)).size;
  const running = jobs.running === 0 ? [] : [`${plural(jobs.running, 'job')} running`];
  return [
    `${plural(contexts.length, 'context')}: ${open.length === 0 ? 'no file indexed' : `${open.join(', ')}`}`,
    ...(unusable === 0 ? [] : [`${plural(unusable, 'indexer')} missing or not working`]),
    ...(failed === 0 ? [] : [`${plural(failed, 'indexer')} failed`]),
    ...running,
    ...waiting,
  ].join(' · ');
}

export function renderProblems({ problems }: Semantics): readonly string[] {
  return problems.length === 0 ? [] : ['', ...problems.map((problem) => shown(problem, 300))];
}

export function renderContexts({ contexts }: Semantics): readonly string[] {
  if (contexts.length === 0) return [];
  const rows = contexts.map((context) => [
    shown(context.key, 80),
    nameOf(context),
    plural(context.files, 'file'),
    standing(context),
  ]);
  return ['', 'contexts', ...columns(rows)];
}

/** What a job has not come to yet is counted above, and says nothing file by file. */
export function renderUnsettled({ unsettled, unsettled_count, files, jobs }: Semantics): readonly string[] {
  const isUnderWay = jobs.queued + jobs.running > 0;
  const named = unsettled.filter(({ freshness }) => freshness !== 'unindexed' || !isUnderWay);
  if (named.length === 0) return [];
  const rows = named.map(({ path, freshness, why }) => [
    quotedPath(path),
    `${freshnessWords[freshness] ?? freshness}${why === null ? '' : `: ${shown(why)}`}`,
  ]);
  const more = unsettled_count - named.length - (isUnderWay ? files.by_freshness.unindexed : 0);
  return ['', 'not clean', ...columns(rows), ...(more > 0 ? [`  and ${more} more`] : [])];
}

const freshnessWords: Readonly<Record<string, string>> = {
  pending_check: 'pending check',
  unindexed: 'not indexed yet',
};

/** The last run ended so: what waits for it may wait for ever. */
function isFailed({ last_job: last }: z.infer<typeof ContextAnswer>): boolean {
  return last?.status === 'failed';
}

/** A user who changed the indexer or the configuration is told why nothing is clean. */
function talliesOf(
  { by_freshness, outdated }: Pick<z.infer<typeof ContextAnswer>, 'by_freshness' | 'outdated'>,
  hasFailed: boolean,
) {
  const counts = { ...by_freshness, unindexed: by_freshness.unindexed - outdated };
  const tallies = freshnesses.flatMap((word) =>
    counts[word] > 0 && word !== 'unsupported'
      ? [`${counts[word]} ${(hasFailed && word === 'unindexed' ? 'not indexed' : freshnessWords[word]) ?? word}`]
      : [],
  );
  return outdated === 0 ? tallies : [...tallies, `${outdated} indexed with another configuration or tool`];
}

/** `tsgo@7.0.2+1234…` without the hash. */
function nameOf({ tool, indexer }: z.infer<typeof ContextAnswer>): string {
  return shown((tool ?? indexer).replace(/\+[0-9a-f]+$/, '').replace('@', ' '), 60);
}

function standing(context: z.infer<typeof ContextAnswer>): string {
  if (context.probe !== 'ok')
    return `${context.probe.replaceAll('_', ' ')}${context.detail === null ? '' : `: ${shown(context.detail, 300)}`}`;
  const counts = talliesOf(context, isFailed(context));
  const { last_job: last } = context;
  const repair =
    context.job === 'none' ? '; repair it, then run `codegenie index --semantic --again`' : ', and is tried again';
  const failed = last !== null && isFailed(context) ? [`${failureOf(last)}${repair}`] : [];
  const refused =
    last?.status === 'completed' && (last.rejected ?? 0) > 0
      ? [`${last.rejected} not taken over${last.detail === null ? '' : ` (${shown(last.detail, 300)})`}`]
      : [];
  const job = context.job === 'none' ? [] : [`job ${context.job}`];
  return [counts.join(', ') || 'nothing to index', ...job, ...failed, ...refused].join(' · ');
}

/** What a run of the indexers did: every job with how it ended, and what is still to come. */
export const Refreshed = z.object({
  jobs: z.array(
    z.object({
      context: z.string(),
      status: z.enum(['completed', 'failed', 'superseded', 'lost']),
      /** By a run, from an output that was kept, or because nothing had changed. */
      by: z.enum(['indexer', 'kept_output', 'nothing_changed']).nullable(),
      seconds: z.number(),
      /** Documents that were taken over, and those that were not. */
      accepted: whole,
      rejected: whole,
      failure: z.enum(failures).nullable(),
      detail: z.string().nullable(),
    }),
  ),
  /** Contexts whose job is tried again later, or was still running when the time was up. */
  waiting: z.array(z.string()),
  running: z.array(z.string()),
});
export type Refreshed = z.infer<typeof Refreshed>;

export function describeRefresh(summary: RunSummary | null): Refreshed | null {
  if (summary === null) return null;
  return {
    jobs: summary.ran.map((report) => ({
      context: report.context,
      status: report.status,
      by: report.by,
      seconds: report.ms / 1000,
      accepted: report.accepted,
      rejected: report.rejected,
      failure: report.failure,
      detail: report.detail,
    })),
    waiting: summary.waiting.map(({ context }) => context),
    running: [...summary.running],
  };
}

export function renderRefresh({ jobs, waiting, running }: Refreshed): readonly string[] {
  const lines = jobs.map((job) => {
    const took = formatDuration(job.seconds * 1000);
    const documents =
      job.status !== 'completed' || job.by === 'nothing_changed' ? '' : ` · ${plural(job.accepted, 'file')}`;
    const refused = job.rejected === 0 ? '' : `, ${job.rejected} not taken over`;
    const why =
      job.failure === null
        ? ''
        : `: ${job.failure.replaceAll('_', ' ')}${job.detail === null ? '' : ` (${shown(job.detail, 300)})`}`;
    return `  ${shown(job.context, 80)}  ${job.status}${why}${documents}${refused} · ${took}`;
  });
  return [
    ...lines,
    ...waiting.map((context) => `  ${shown(context, 80)}  is tried again later`),
    ...running.map(
      (context) => `  ${shown(context, 80)}  was still running and goes on with the next \`index --semantic\``,
    ),
  ];
}

type Reasons = Readonly<Record<string, number>>;

/** One column of the store holds why a file has no facts and where a link leads; answers show them apart. */
export function splitReasons(reasons: Reasons): {
  readonly skipped: Record<string, number>;
  readonly astray: Record<string, number>;
} {
  const isAstray = (reason: string) => (aliasReasons as readonly string[]).includes(reason);
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(reasons).filter(([reason]) => isAstray(reason) === wanted));
  return { skipped: pick(false), astray: pick(true) };
}
