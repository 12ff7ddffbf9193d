/**
 * What a fleet is kept on: which repositories there are, who works on which, and what was found. Two engines keep one suite
 * (`test/fleet/engine-suite.ts`): SQLite in this user's own directory, and PostgreSQL. Promises of each (fleet.md sections 2 and 3):
 * - a repository has at most one job; a job that is claimed belongs to one claim, which ends by publishing, failing, giving back or running out;
 * - what a claim publishes appears whole or not at all, and only while the claim is held: what was taken over publishes nothing;
 * - the same commit is not published twice with the same program;
 * - a failure leaves the last facts in place.
 */

import type { Fact } from '../gather/facts/fact.ts';
import type { Source } from './source.ts';

/** Why a repository is unknown; a closed list, with what each means and what to do. */
export const failureWords = {
  not_found: [
    'the host or the disk has no such repository',
    'look at its address; `codegenie fleet remove` takes it out',
  ],
  denied: [
    'the host did not let us in',
    'give a token or a key for the host (docs/fleet.md), then `codegenie fleet retry`',
  ],
  unreachable: ['the host could not be reached', 'it is tried again later; `codegenie fleet retry` does so at once'],
  rate_limited: ['the host asked for patience', 'its repositories wait and are tried again'],
  empty: ['the repository has no commit at its head', 'it is tried again later'],
  timed_out: ['the fetch or the job took longer than it may', '`codegenie fleet init --job-minutes <n>` allows more'],
  too_large: ['it is larger than what is fetched', '`codegenie fleet init --max-mb <n>` allows more'],
  disk_full: ['there was no room for it', 'make room where the cache directory is, then `codegenie fleet run`'],
  git_missing: ['git could not be started', 'install git'],
  git_failed: ['git failed for another reason, which `codegenie fleet status` quotes', ''],
  gather_failed: ['the gather was not published', 'gather a clone of it: `codegenie gather` says why'],
  worker_lost: [
    'three workers ended or hung while they worked on it',
    'look for memory; `codegenie fleet retry` tries again',
  ],
} as const satisfies Readonly<Record<string, readonly [means: string, remedy: string]>>;
type FailureKind = keyof typeof failureWords;
export type Failure = { readonly kind: FailureKind; readonly detail: string };

/** Asked for by somebody, changed, or due. */
export const priorities = { routine: 0, changed: 1, asked: 2 } as const;
type Priority = keyof typeof priorities;

export type Repository = {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly host: string;
  readonly addedMs: number;
  /** What its head was when it was last seen; a publication sees it too. */
  readonly head: string | null;
  readonly branch: string | null;
  readonly headSeenMs: number | null;
  /** Of the last publication; null: it was never gathered. */
  readonly commit: string | null;
  readonly program: string | null;
  readonly publishedMs: number | null;
  /** Since then, or before any: why nothing newer is known. */
  readonly failure: Failure | null;
  readonly failedMs: number | null;
  /** Failures in a row. */
  readonly attempts: number;
  readonly job: 'queued' | 'running' | null;
  /** A queued job waits until then. */
  readonly notBeforeMs: number | null;
  /** Its head is not looked at before that. */
  readonly lookAfterMs: number;
};

export type Claim = {
  readonly repository: Repository;
  /** Of this claim and no other. */
  readonly token: string;
  /** How often the job was claimed and neither ended nor given back. */
  readonly lostClaims: number;
};

export type Worker = {
  /** What tells this process from others for good (`describeHolder`). */
  readonly holder: string;
  readonly leaseMs: number;
  /** Jobs of one host at once, over all workers; those of this machine have no such limit. */
  readonly perHost: number;
};

export type Publication = {
  readonly commit: string;
  readonly program: string;
  /** When this commit was the head. */
  readonly seenMs: number;
  readonly facts: readonly Fact[];
  /** SHA-256 of the document, which lies beside the engine; null: none is kept. */
  readonly document: string | null;
};

export type FactRow = Pick<Fact, 'id' | 'scope' | 'state' | 'value' | 'confidence' | 'evidence'> & {
  readonly repository: number;
  readonly component: string;
};

/** Two publications of a repository whose facts differ: the last one up to a moment, and the last one of all. */
export type Step = {
  readonly repository: number;
  readonly before: { readonly commit: string; readonly facts: readonly Fact[] };
  readonly after: { readonly commit: string; readonly facts: readonly Fact[] };
};

/** From which a standing is computed (`standing.ts`). */
export type Now = { readonly nowMs: number; readonly program: string; readonly freshForMs: number };

export type QueryLimits = { readonly rows: number; readonly timeoutS: number; readonly signal: AbortSignal };
export type QueryOutcome =
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly unknown[])[];
      readonly truncated: boolean;
    }
  | { readonly kind: 'refused' | 'failed' | 'timed_out'; readonly message: string };

export interface FleetEngine {
  readonly kind: 'embedded' | 'postgres';
  /** Those that were not there before; each gets a job. */
  add(sources: readonly Source[], nowMs: number): Promise<readonly string[]>;
  /** With their facts and their past. */
  remove(ids: readonly number[]): Promise<void>;
  list(): Promise<readonly Repository[]>;
  sawHead(id: number, head: { readonly commit: string; readonly branch: string | null }, nowMs: number): Promise<void>;
  /** Its head could not be seen: it is unknown now. */
  missedHead(id: number, failure: Failure, lookAfterMs: number, nowMs: number): Promise<void>;
  /** A job each, or the one that is queued again: now, and at least as urgent as this. */
  enqueue(ids: readonly number[], priority: Priority, nowMs: number): Promise<void>;
  /** The most urgent job that is due, of the host with the fewest at work; undefined: nothing to do now. */
  claim(worker: Worker, nowMs: number): Promise<Claim | undefined>;
  /** False: the claim is no longer held. */
  renew(claim: Claim, worker: Worker, nowMs: number): Promise<boolean>;
  /** `known`: this commit was published with this program; nothing was written but that the repository is up to date. */
  publish(claim: Claim, publication: Publication, nowMs: number): Promise<'published' | 'known' | 'lost'>;
  fail(claim: Claim, failure: Failure, notBeforeMs: number | null, nowMs: number): Promise<'recorded' | 'lost'>;
  /** Back into the queue, as if it had not been claimed. */
  giveBack(claim: Claim, nowMs: number): Promise<void>;
  /** No job of the host before that. */
  holdHost(host: string, untilMs: number): Promise<void>;
  isPublished(id: number, commit: string, program: string): Promise<boolean>;
  /** Rows of these ids; of all where there are none. */
  facts(ids: readonly string[] | null): Promise<readonly FactRow[]>;
  /** Of each repository and id that is not known of it somewhere, one row; of these ids, of all where there are none. */
  dark(ids: readonly string[] | null): Promise<readonly Pick<FactRow, 'repository' | 'id' | 'state'>[]>;
  /** Ids that any repository states. */
  factIds(): Promise<readonly string[]>;
  stepsSince(ms: number): Promise<readonly Step[]>;
  /** Repositories that were published before that moment. */
  publishedBefore(ms: number): Promise<ReadonlySet<number>>;
  /** One SELECT over the views, which hold facts of these ids alone; of all where there are none. */
  query(sql: string, ids: readonly string[] | null, now: Now, limits: QueryLimits): Promise<QueryOutcome>;
  sizeBytes(): Promise<number>;
  close(): Promise<void>;
}
