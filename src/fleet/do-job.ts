/**
 * One job: the head of one repository, from fetch to publication. Promises (fleet.md section 3):
 * - it ends by one of the outcomes below, whatever the repository holds, and leaves nothing in the work directory;
 * - the gather sees a work tree of its own, state and cache directories of its own, and an environment without any credential;
 * - no container is built or run unless the operator said so;
 * - what is told of a failure went through redaction.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { redactText } from '../gather/publish/redact.ts';
import { sha256Hex } from '../kernel/base/hash.ts';
import { readOwnTextIfThere } from '../kernel/base/if-there.ts';
import { shortLine } from '../kernel/base/text.ts';
import { ensureOwnDirectory, freeBytes, OutputRefused, writeAtomically } from '../kernel/base/write-file.ts';
import type { Environment } from '../kernel/exec/environment.ts';
import { admitRemote, type Remote, type RemoteFailure, type RemoteGit } from '../kernel/exec/remote-git.ts';
import type { GatherAsk, Workspace } from '../serve/workspace/workspace.ts';
import type { Claim, Failure } from './fleet-engine.ts';
import type { Fleet } from './open-fleet.ts';

export type JobEnd =
  | { readonly kind: 'published' | 'known' | 'lost'; readonly commit: string; readonly facts: number }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The work was ended from outside: the job goes back as it was. */
  | { readonly kind: 'given_back' };

/** As `codegenie gather` on one tree; an argument, so that the engine can be tried without probes. */
export type GatherTree = (of: {
  readonly root: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}) => ReturnType<Workspace['gather']>;

export type JobWorld = {
  readonly fleet: Fleet;
  readonly program: string;
  readonly git: RemoteGit;
  readonly gatherTree: GatherTree;
  readonly environment: Environment;
  /** Of this worker alone. */
  readonly workDir: string;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
};

/** Below that a job is not begun: a disk that is full spoils more than this job. */
const leastFreeBytes = 256 * 1024 * 1024;
const maxFiles = 1_000_000;
const fetchTimeoutS = 1_800;

export async function doJob(claim: Claim, world: JobWorld): Promise<JobEnd> {
  const { fleet, program, git, signal, nowMs } = world;
  const { repository } = claim;
  const remote = admitRemote(repository.url);
  if ('refused' in remote) return failed('git_failed', `its address ${remote.refused}`);
  if (((await freeBytes(fleet.cacheDir)) ?? leastFreeBytes) < leastFreeBytes)
    return failed('disk_full', 'less than 256 MB are free where repositories are fetched to');
  const maxBytes = fleet.settings.max_mb * 1e6;
  const mirror = mirrorOf(fleet.cacheDir, repository.url);
  const seenMs = nowMs();
  const fetched = await git.fetch(remote, mirror, { timeoutS: fetchTimeoutS, maxBytes, signal });
  if (fetched.kind === 'failed') return ofGit(fetched);
  const { commit } = fetched;
  if (await fleet.engine.isPublished(repository.id, commit, program)) {
    const end = await fleet.engine.publish(claim, { commit, program, seenMs, facts: [], document: null }, nowMs());
    return { kind: end, commit, facts: 0 };
  }
  const own = `${world.workDir}/${claim.token}`;
  const root = `${own}/tree/${treeName(remote)}`;
  try {
    mkdirSync(`${own}/tree`, { recursive: true, mode: 0o700 });
    mkdirSync(`${own}/own`, { mode: 0o700 });
    const branch = repository.head === commit ? repository.branch : null;
    const checkedOut = await git.checkOut(
      { mirror, commit, place: root, origin: remote, branch },
      { timeoutS: fetchTimeoutS, maxBytes, maxFiles, signal },
    );
    if (checkedOut.kind === 'failed') return ofGit(checkedOut);
    const outcome = await world.gatherTree({
      root,
      environment: environmentOf(world.environment, `${own}/own`),
      signal,
    });
    if (signal.aborted || outcome.kind === 'cancelled') return { kind: 'given_back' };
    if (outcome.kind !== 'published') return ofGather(outcome);
    const facts = outcome.envelope.facts;
    const document = keepDocument(fleet.stateDir, outcome.files.yaml);
    const end = await fleet.engine.publish(claim, { commit, program, seenMs, facts, document }, nowMs());
    return { kind: end, commit, facts: facts.length };
  } catch (error) {
    if (signal.aborted) return { kind: 'given_back' };
    return ofThrown(error);
  } finally {
    rmSync(own, { recursive: true, force: true, maxRetries: 2 });
  }
}

export function mirrorOf(cacheDir: string, url: string): string {
  return `${cacheDir}/mirrors/${sha256Hex(url).slice(0, 32)}.git`;
}

/** The name that a clone would have: a gather takes it for the name of the repository where no remote has one. */
function treeName(remote: Remote): string {
  const name = basename(remote.path)
    .replace(/\.git$/, '')
    .replace(/[^\w.-]/g, '_')
    .slice(0, 100);
  return /^\.*$/.test(name) ? 'repository' : name;
}

/** By inclusion. No variable that could carry a credential is passed on. */
function environmentOf(environment: Environment, ownDirectory: string): Environment {
  const passed = ['PATH', 'HOME', 'LANG', 'CODEGENIE_FORCE_CPU_COUNT', 'XDG_RUNTIME_DIR'];
  return {
    ...Object.fromEntries(
      passed.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
    ),
    CODEGENIE_STATE_DIR: ownDirectory,
  };
}

/** Probes that build or run containers. */
export const containerProbes: readonly string[] = ['image_build', 'runtime_trace'];

export function gatherAsk(containers: boolean): GatherAsk {
  return {
    task: null,
    only: null,
    skip: containers ? [] : containerProbes,
    mode: 'no_cache',
    maxConcurrency: null,
    onProgress: () => {},
  };
}

/** By content, so that the same document is kept once. */
function keepDocument(stateDir: string, path: string): string | null {
  const text = readOwnTextIfThere(path);
  if (text === undefined) return null;
  const name = sha256Hex(text);
  ensureOwnDirectory(`${stateDir}/documents`);
  ensureOwnDirectory(`${stateDir}/documents/${name.slice(0, 2)}`);
  writeAtomically(documentPath(stateDir, name), gzipSync(text, { level: 1 }), { durable: false });
  return name;
}

function documentPath(stateDir: string, name: string): string {
  return `${stateDir}/documents/${name.slice(0, 2)}/${name}.yaml.gz`;
}

function failed(kind: Failure['kind'], detail: string): JobEnd {
  return { kind: 'failed', failure: { kind, detail: redactText(shortLine(detail, 300)) } };
}

function ofGit({ why, detail }: RemoteFailure): JobEnd {
  return why === 'cancelled' ? { kind: 'given_back' } : failed(why, detail);
}

function ofGather(outcome: Exclude<Awaited<ReturnType<GatherTree>>, { kind: 'published' | 'cancelled' }>): JobEnd {
  switch (outcome.kind) {
    case 'nothing_produced':
      return failed('gather_failed', 'no probe produced anything');
    case 'config_invalid':
      return failed('gather_failed', outcome.problems.map(({ message }) => message).join('; '));
    case 'refused':
      return failed(
        /ENOSPC|EDQUOT|full/.test(outcome.why) ? 'disk_full' : 'gather_failed',
        `${basename(outcome.path)} ${outcome.why}`,
      );
    case 'schema_invalid':
      return failed('gather_failed', `the context did not fit its schema: ${outcome.problems.slice(0, 2).join('; ')}`);
    case 'task_invalid':
      return failed('gather_failed', outcome.detail);
    case 'busy':
    case 'unknown_probe':
    case 'unknown_component':
      return failed('gather_failed', outcome.kind);
  }
}

function ofThrown(error: unknown): JobEnd {
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull =
    code === 'ENOSPC' || code === 'EDQUOT' || (error instanceof OutputRefused && /ENOSPC|EDQUOT/.test(error.why));
  return failed(isFull ? 'disk_full' : 'gather_failed', message);
}
