/**
 * What a worker does: it looks at heads, claims jobs, does them and ends them, until nothing is due or for ever. Promises (fleet.md section 3):
 * - while a job runs its claim is renewed; a claim that was lost ends the job, and publishes nothing;
 * - a job that takes longer than it may is ended with a name; a failure waits longer each time, by chance, so that many do not come back at once;
 * - a full disk ends the worker, not one repository after the other.
 */

import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { redactText } from '../gather/publish/redact.ts';
import { readOwnTextIfThere } from '../kernel/base/if-there.ts';
import { describeHolder, isHolderGone } from '../kernel/base/processes.ts';
import { ensureOwnDirectory, writeAtomically } from '../kernel/base/write-file.ts';
import type { Environment } from '../kernel/exec/environment.ts';
import { admitRemote, createRemoteGit, type RemoteGit } from '../kernel/exec/remote-git.ts';
import { doJob, type GatherTree, type JobEnd } from './do-job.ts';
import type { Claim, Failure, Repository, Worker } from './fleet-engine.ts';
import type { Fleet } from './open-fleet.ts';

export type WorkEvent =
  | { readonly kind: 'looked'; readonly heads: number; readonly changed: number; readonly missed: number }
  | { readonly kind: 'began'; readonly name: string }
  | { readonly kind: 'ended'; readonly name: string; readonly end: JobEnd; readonly ms: number };

export type WorkSettings = {
  readonly fleet: Fleet;
  readonly environment: Environment;
  readonly gatherTree: GatherTree;
  /** Jobs of this process at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly onEvent: (event: WorkEvent) => void;
  readonly leaseMs?: number;
};

export type WorkOutcome = {
  readonly published: number;
  readonly known: number;
  readonly failed: number;
  readonly lost: number;
  readonly stopped: 'nothing_due' | 'interrupted' | 'disk_full';
};

const defaultLeaseMs = 60_000;
const firstWaitMs = 60_000;
const longestWaitMs = 6 * 3_600_000;
/** A host that asks for patience, or cannot be reached, is left alone so long. */
const hostPauseMs = { rate_limited: 15 * 60_000, unreachable: 2 * 60_000 } as const;
const headTimeoutS = 60;
const watchPauseMs = 5_000;
const idlePauseMs = 1_000;

/** Twice as long for every failure in a row, and between half and all of it by chance. */
export function backOffMs(attempts: number, random: () => number): number {
  return Math.round(Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempts, 20)) * (0.5 + random() / 2));
}

/** Looks at the heads that are due, then works until nothing is due any more. */
export async function runOnce(settings: WorkSettings): Promise<WorkOutcome> {
  const stage = openStage(settings);
  try {
    await lookAtHeads(settings, stage.git, 'due');
    return await work(settings, stage);
  } finally {
    stage.close();
  }
}

/** Until it is ended: works, and looks at heads again and again unless other processes do that. */
export async function runForever(settings: WorkSettings, looks: boolean): Promise<WorkOutcome> {
  const stage = openStage(settings);
  const done = { published: 0, known: 0, failed: 0, lost: 0 };
  try {
    for (;;) {
      if (looks) await lookAtHeads(settings, stage.git, 'due');
      const round = await work(settings, stage);
      for (const key of ['published', 'known', 'failed', 'lost'] as const) done[key] += round[key];
      if (round.stopped !== 'nothing_due') return { ...done, stopped: round.stopped };
      await delay(looks ? watchPauseMs : idlePauseMs, undefined, { signal: settings.signal }).catch(() => {});
    }
  } finally {
    stage.close();
  }
}

type Stage = { readonly git: RemoteGit; readonly workDir: string; readonly worker: Worker; readonly close: () => void };

function openStage({ fleet, environment, leaseMs = defaultLeaseMs }: WorkSettings): Stage {
  const works = `${fleet.cacheDir}/work`;
  for (const directory of [works, `${fleet.cacheDir}/mirrors`]) ensureOwnDirectory(directory);
  sweepWorks(works);
  const holder = describeHolder();
  const workDir = `${works}/${(JSON.parse(holder) as { nonce: string }).nonce}`;
  ensureOwnDirectory(workDir);
  writeAtomically(`${workDir}/holder.json`, holder, { durable: false });
  return {
    git: createRemoteGit(`${workDir}/git`, environment),
    workDir,
    worker: { holder, leaseMs, perHost: fleet.settings.per_host },
    close: () => rmSync(workDir, { recursive: true, force: true, maxRetries: 2 }),
  };
}

/** What workers that were killed have left. */
function sweepWorks(works: string): void {
  for (const name of readdirSync(works)) {
    const holder = readOwnTextIfThere(`${works}/${name}/holder.json`);
    if (holder !== undefined && isHolderGone(holder)) rmSync(`${works}/${name}`, { recursive: true, force: true });
  }
}

/** `all`: also those that were seen a moment ago. Gives how many heads moved. */
async function lookAtHeads(settings: WorkSettings, git: RemoteGit, which: 'due' | 'all'): Promise<void> {
  const { fleet, nowMs, signal } = settings;
  const { program } = fleet.now(nowMs());
  const everyMs = which === 'all' ? 0 : fleet.settings.look_every_minutes * 60_000;
  const isDue = (of: Repository): boolean =>
    of.job === null &&
    of.lookAfterMs <= nowMs() &&
    (of.headSeenMs === null || of.failure !== null || nowMs() - of.headSeenMs >= everyMs);
  const due = (await fleet.engine.list()).filter(isDue);
  const told = { heads: due.length, changed: 0, missed: 0 };
  const lookAtOne = async (repository: Repository): Promise<void> => {
    const remote = admitRemote(repository.url);
    if (signal.aborted || 'refused' in remote) return;
    const head = await git.head(remote, { timeoutS: headTimeoutS, signal });
    if (head.kind === 'head') {
      await fleet.engine.sawHead(repository.id, head, nowMs());
      if (head.commit === repository.commit && repository.program === program) return;
      told.changed += 1;
      await fleet.engine.enqueue([repository.id], head.commit === repository.commit ? 'routine' : 'changed', nowMs());
    } else if (head.why !== 'cancelled') {
      told.missed += 1;
      await holdHost(settings, repository, head.why);
      const failure = { kind: head.why, detail: redactText(head.detail) };
      await fleet.engine.missedHead(
        repository.id,
        failure,
        nowMs() + backOffMs(repository.attempts, settings.random),
        nowMs(),
      );
    }
  };
  // One queue a host, so that a slow one keeps no other waiting.
  const byHost = Map.groupBy(due, ({ host }) => host);
  await Promise.all(
    [...byHost.values()].flatMap((queue) => {
      const rest = [...queue];
      return Array.from({ length: fleet.settings.per_host }, async () => {
        for (let next = rest.shift(); next !== undefined; next = rest.shift()) await lookAtOne(next);
      });
    }),
  );
  settings.onEvent({ kind: 'looked', ...told });
}

async function holdHost(
  { fleet, random, nowMs }: WorkSettings,
  { host }: Repository,
  why: Failure['kind'],
): Promise<void> {
  if (host === '' || (why !== 'rate_limited' && why !== 'unreachable')) return;
  await fleet.engine.holdHost(host, nowMs() + Math.round(hostPauseMs[why] * (0.5 + random() / 2)));
}

async function work(settings: WorkSettings, stage: Stage): Promise<WorkOutcome> {
  const { fleet, signal, nowMs } = settings;
  const done = { published: 0, known: 0, failed: 0, lost: 0 };
  let isFull = false;
  const lane = async (): Promise<void> => {
    while (!signal.aborted && !isFull) {
      const claim = await fleet.engine.claim(stage.worker, nowMs());
      if (claim === undefined) return;
      const started = performance.now();
      settings.onEvent({ kind: 'began', name: claim.repository.name });
      const end = await doClaimed(settings, stage, claim);
      if (end.kind === 'failed') {
        isFull ||= end.failure.kind === 'disk_full';
        await holdHost(settings, claim.repository, end.failure.kind);
        const after = nowMs() + backOffMs(claim.repository.attempts, settings.random);
        await fleet.engine.fail(claim, end.failure, after, nowMs());
        done.failed += 1;
      } else if (end.kind === 'given_back') await fleet.engine.giveBack(claim, nowMs());
      else done[end.kind] += 1;
      settings.onEvent({ kind: 'ended', name: claim.repository.name, end, ms: performance.now() - started });
    }
  };
  await Promise.all(Array.from({ length: settings.jobs }, lane));
  return { ...done, stopped: signal.aborted ? 'interrupted' : isFull ? 'disk_full' : 'nothing_due' };
}

/** The job under its claim: renewed while it runs, ended when the claim is lost or the time is up. */
async function doClaimed(settings: WorkSettings, stage: Stage, claim: Claim): Promise<JobEnd> {
  const { fleet, nowMs } = settings;
  const ended = new AbortController();
  let why: 'lost' | 'timed_out' | undefined;
  const end = (because: 'lost' | 'timed_out') => {
    why ??= because;
    ended.abort();
  };
  const renewal = setInterval(() => {
    fleet.engine.renew(claim, stage.worker, nowMs()).then(
      (isHeld) => isHeld || end('lost'),
      // The database is busy or away: the next renewal or the publication finds out.
      () => {},
    );
  }, stage.worker.leaseMs / 4);
  const limit = setTimeout(() => end('timed_out'), Math.min(2 ** 31 - 1, fleet.settings.job_minutes * 60_000));
  try {
    const outcome = await doJob(claim, {
      ...settings,
      program: fleet.now(nowMs()).program,
      git: stage.git,
      workDir: stage.workDir,
      signal: AbortSignal.any([settings.signal, ended.signal]),
    });
    if (outcome.kind !== 'given_back' || settings.signal.aborted) return outcome;
    if (why === 'lost') return { kind: 'lost', commit: '', facts: 0 };
    return {
      kind: 'failed',
      failure: { kind: 'timed_out', detail: `the job took longer than ${fleet.settings.job_minutes} minutes` },
    };
  } finally {
    clearInterval(renewal);
    clearTimeout(limit);
  }
}
