import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { makeContext } from '../../../test/support/semantic-records.ts';
import { createScratchStore, makeRecord, type ScratchStore } from '../../../test/support/store-records.ts';
import { openFactsBeside, type WritableFacts } from './facts-file.ts';
import { checkInvariants } from './invariants.ts';
import { listContexts } from './stored-contexts.ts';
import {
  claimSql,
  coversScope,
  findJob,
  findLastCompleted,
  findQueuedJob,
  findRunningJob,
  findTerminalFailure,
  type Job,
  type JobFailure,
  type JobRequest,
  type JobWriter,
  listJobs,
  listQueuedJobs,
  listRunningJobs,
  listTerminalFailures,
  makeScope,
  type RefreshScope,
  unionScopes,
} from './stored-jobs.ts';

let store: ScratchStore;
let facts: WritableFacts;
/** Ids of two contexts without any job. */
let a: number;
let b: number;

beforeAll(() => {
  store = createScratchStore();
  facts = store.fill([makeRecord('src/a.ts')]);
});
afterAll(() => {
  facts.close();
  store.dispose();
});
beforeEach(() => {
  reset();
});

function reset(): void {
  facts.writer.transaction(() => {
    facts.semantic.putContexts([]);
    facts.semantic.putContexts([makeContext('a', []), makeContext('b', [])]);
  });
  [a, b] = facts.read(listContexts).map(({ id }) => id) as [number, number];
}

const change = <T>(step: (jobs: JobWriter) => T): T => facts.writer.remember(() => step(facts.jobs));
const request = (contextId: number, scope: RefreshScope, more: Partial<JobRequest> = {}): JobRequest => ({
  contextId,
  scope,
  trigger: 'edit',
  priority: 0,
  notBeforeMs: 0,
  nowMs: 0,
  head: null,
  ...more,
});
const files = (...paths: readonly string[]): RefreshScope => makeScope(paths);
const enqueue = (contextId: number, scope: RefreshScope, more: Partial<JobRequest> = {}): number =>
  change((jobs) => jobs.enqueue(request(contextId, scope, more)));
const claim = (owner = 'me', nowMs = 10, leaseUntilMs = 100): Job | undefined =>
  change((jobs) => jobs.claim({ owner, nowMs, leaseUntilMs }));
const job = (id: number): Job => facts.read((session) => findJob(session, id)) as Job;
const failing = (more: Partial<JobFailure> = {}): JobFailure => ({
  nowMs: 20,
  failure: 'tool_crashed',
  detail: 'it did',
  retryAtMs: null,
  ...more,
});
const done = { nowMs: 30, outputHash: 'o', accepted: 3, rejected: 1 };

test('R27 an id is given once, also by another connection that sees no row of it any more', () => {
  const given = enqueue(a, null);
  facts.writer.transaction(() => facts.semantic.putContexts([makeContext('c', [])]));
  const [{ id: c } = { id: 0 }] = facts.read(listContexts);
  const opened = openFactsBeside(store.place);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const beside = opened.facts;
  beside.jobs.catchUp(facts.jobs.nextId);
  const next = beside.writer.remember(() => beside.jobs.enqueue(request(c, null)));
  expect(next).toBeGreaterThan(given);
  beside.close();
  facts.catchUp();
  expect(facts.jobs.nextId).toBe(next + 1);
});

describe('enqueue', () => {
  test('R21, R23: a queued job is widened, a running one never', () => {
    const first = enqueue(a, files('x'), { priority: 1, notBeforeMs: 50, head: 'h1' });
    expect(enqueue(a, files('y', 'x'), { priority: 3, notBeforeMs: 70 })).toBe(first);
    expect(enqueue(a, files('z'), { priority: 2, notBeforeMs: 5, head: 'h2' })).toBe(first);
    expect(job(first)).toMatchObject({ scope: files('x', 'y', 'z'), priority: 3, notBeforeMs: 5, head: 'h2' });
    expect(claim()?.id).toBe(first);
    const second = enqueue(a, files('x'));
    expect(second).toBeGreaterThan(first);
    expect(job(first).scope).toEqual(files('x', 'y', 'z'));
    expect(enqueue(a, null)).toBe(second);
    expect(enqueue(a, files('q'))).toBe(second);
    expect(job(second).scope).toBe(null);
  });

  test('a request for nothing is a mistake', () => {
    expect(() => enqueue(a, files())).toThrow('a request for nothing');
  });

  test('jobs keep the generation, and are no facts', () => {
    const { generation } = facts.writer;
    enqueue(a, null);
    claim();
    expect(facts.writer.generation).toBe(generation);
    expect(facts.read((session) => session.generation)).toBe(generation);
    expect(() => facts.writer.remember(() => facts.semantic.putContexts([]))).toThrow('a fact is written');
    expect(() => facts.jobs.enqueue(request(a, null))).toThrow('outside of a transaction');
  });

  test('what a failed transaction queued was never there', () => {
    expect(() =>
      change((jobs) => {
        jobs.enqueue(request(a, null));
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(facts.read(listQueuedJobs)).toEqual([]);
  });
});

describe('claim', () => {
  test('takes the most urgent job that is due, then the oldest, and gives its scope as it is now', () => {
    const first = enqueue(a, files('x'));
    const second = enqueue(b, files('y'), { priority: 5, notBeforeMs: 15 });
    expect(claim('me', 10)?.id).toBe(first);
    expect(claim('me', 10)).toBe(undefined);
    enqueue(b, files('z'));
    const claimed = claim('me', 20, 99);
    expect(claimed).toMatchObject({
      id: second,
      status: 'running',
      scope: files('y', 'z'),
      attempt: 1,
      leaseOwner: 'me',
      leaseUntilMs: 99,
      startedMs: 20,
    });
    expect(facts.read(listRunningJobs).map(({ id }) => id)).toEqual([first, second]);
  });

  test('R21: passes over a context that has a job running, and one that is switched off', () => {
    enqueue(a, null, { priority: 9 });
    claim();
    enqueue(a, null, { priority: 9 });
    expect(claim()).toBe(undefined);
    const other = enqueue(b, null);
    facts.writer.transaction(() =>
      facts.semantic.putContexts([makeContext('a', []), makeContext('b', [], { enabled: false })]),
    );
    expect(claim()).toBe(undefined);
    facts.writer.transaction(() => facts.semantic.putContexts([makeContext('a', []), makeContext('b', [])]));
    expect(claim()?.id).toBe(other);
  });

  test('among some contexts only', () => {
    enqueue(a, null, { priority: 9 });
    const other = enqueue(b, null);
    const by = { owner: 'me', nowMs: 1, leaseUntilMs: 2 };
    expect(change((jobs) => jobs.claim({ ...by, contextIds: [] }))).toBe(undefined);
    expect(change((jobs) => jobs.claim({ ...by, contextIds: [b, 77] }))?.id).toBe(other);
  });

  test('S13: is answered from the queue, whatever the history', () => {
    const plan = facts.read((session) =>
      session
        .statement(`EXPLAIN QUERY PLAN ${claimSql}`)
        .all()
        .map((row) => String(row['detail'])),
    );
    expect(plan.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual(['SCAN q USING INDEX one_queued']);
    expect(plan.join('\n')).toContain('r USING COVERING INDEX one_running (context_id=?)');
  });
});

describe('a running job', () => {
  test('is renewed and described by its owner alone', () => {
    const id = enqueue(a, null);
    claim('me', 10, 100);
    expect(change((jobs) => jobs.renew(id, 'other', 500))).toBe(false);
    expect(change((jobs) => jobs.renew(id, 'me', 200))).toBe(true);
    expect(change((jobs) => jobs.setRun(id, 'other', { fingerprint: 'no' }))).toBe(false);
    expect(change((jobs) => jobs.setRun(id, 'me', { fingerprint: 'f', head: 'h' }))).toBe(true);
    expect(change((jobs) => jobs.setRun(id, 'me', { pgid: 42, pgStart: '7' }))).toBe(true);
    expect(job(id)).toMatchObject({ leaseUntilMs: 200, fingerprint: 'f', head: 'h', pgid: 42, pgStart: '7' });
    expect(change((jobs) => jobs.setRun(id, 'me', { pgid: null, pgStart: null }))).toBe(true);
    expect(job(id)).toMatchObject({ fingerprint: 'f', pgid: null, pgStart: null });
  });

  test('R28: can be completed only while it is running for its owner', () => {
    const id = enqueue(a, files('x'));
    expect(change((jobs) => jobs.complete(id, 'me', done))).toBe(false);
    claim('me');
    expect(change((jobs) => jobs.complete(id, 'other', done))).toBe(false);
    expect(change((jobs) => jobs.supersede(id, { nowMs: 5, detail: 'config' }))).toBeDefined();
    expect(change((jobs) => jobs.complete(id, 'me', done))).toBe(false);
    expect(change((jobs) => jobs.fail(id, 'me', failing()))).toBe(false);
    expect(change((jobs) => jobs.renew(id, 'me', 5000))).toBe(false);
    expect(job(id)).toMatchObject({ status: 'superseded', outputHash: null });
    const next = claim('me') as Job;
    expect(change((jobs) => jobs.complete(next.id, 'me', done))).toBe(true);
    expect(job(next.id)).toMatchObject({
      status: 'completed',
      accepted: 3,
      rejected: 1,
      outputHash: 'o',
      finishedMs: 30,
    });
  });

  test('R28: of a context that went cannot complete the job of the one that came', () => {
    const id = enqueue(b, null);
    claim();
    const inA = makeContext('a', []);
    facts.writer.transaction(() => facts.semantic.putContexts([inA]));
    facts.writer.transaction(() => facts.semantic.putContexts([inA, makeContext('c', [])]));
    const c = facts.read(listContexts).find(({ key }) => key === 'c')?.id as number;
    const other = enqueue(c, null);
    claim();
    expect(c).not.toBe(b);
    expect(other).not.toBe(id);
    expect(change((jobs) => jobs.complete(id, 'me', done))).toBe(false);
    expect(job(other).status).toBe('running');
  });

  test('that is superseded has a successor with its scope and that of the queued one', () => {
    const id = enqueue(a, files('x'), { priority: 4, trigger: 'branch' });
    claim();
    const alone = change((jobs) => jobs.supersede(id, { nowMs: 50, detail: 'branch switch' }));
    expect(job(id)).toMatchObject({
      status: 'superseded',
      successorId: alone,
      detail: 'branch switch',
      finishedMs: 50,
    });
    expect(job(alone as number)).toMatchObject({
      status: 'queued',
      scope: files('x'),
      priority: 4,
      attempt: 0,
      notBeforeMs: 50,
    });
    claim('me', 60);
    const queued = enqueue(a, files('y'), { notBeforeMs: 900 });
    expect(change((jobs) => jobs.supersede(alone as number, { nowMs: 70, detail: '' }))).toBe(queued);
    expect(job(queued)).toMatchObject({ scope: files('x', 'y'), priority: 4, notBeforeMs: 70 });
    expect(change((jobs) => jobs.supersede(queued, { nowMs: 80, detail: '' }))).toBe(undefined);
    expect(change((jobs) => jobs.supersede(12345, { nowMs: 80, detail: '' }))).toBe(undefined);
  });

  test('that fails is tried again with its attempts counted, or is over', () => {
    const id = enqueue(a, files('x', 'y'));
    claim();
    expect(change((jobs) => jobs.fail(id, 'me', failing({ retryAtMs: 5020 })))).toBe(true);
    const retry = job(id).successorId as number;
    expect(job(id)).toMatchObject({ status: 'failed', failure: 'tool_crashed', detail: 'it did' });
    expect(job(retry)).toMatchObject({ status: 'queued', scope: files('x', 'y'), attempt: 1, notBeforeMs: 5020 });
    expect(facts.read((session) => findTerminalFailure(session, a))).toBe(undefined);
    expect(claim('me', 5019)).toBe(undefined);
    expect(claim('me', 5020)).toMatchObject({ id: retry, attempt: 2 });
    const queued = enqueue(a, files('z'));
    const half = { retryAtMs: 9000, retryScope: files('x') };
    change((jobs) => jobs.fail(retry, 'me', failing(half)));
    expect(job(retry).successorId).toBe(queued);
    expect(job(queued)).toMatchObject({ scope: files('x', 'z'), attempt: 2, notBeforeMs: 0 });
    claim();
    change((jobs) => jobs.fail(queued, 'me', failing({ failure: 'out_of_memory' })));
    expect(job(queued).successorId).toBe(null);
    expect(facts.read((session) => findTerminalFailure(session, a))).toMatchObject({
      id: queued,
      failure: 'out_of_memory',
    });
  });
});

describe('cancel, recover, prune', () => {
  test('only a queued job is cancelled', () => {
    const id = enqueue(a, null);
    claim();
    expect(change((jobs) => jobs.cancel(id, 5))).toBe(false);
    const queued = enqueue(a, null);
    expect(change((jobs) => jobs.cancel(queued, 5))).toBe(true);
    expect(job(queued)).toMatchObject({ status: 'cancelled', finishedMs: 5 });
  });

  test('R27: what another owner left running is queued again, or handed to the queued job', () => {
    const first = enqueue(a, files('x'), { priority: 3 });
    const second = enqueue(b, files('y'), { priority: 2, notBeforeMs: 3 });
    claim('dead', 10, 1000);
    claim('dead', 10, 1000);
    change((jobs) => jobs.setRun(second, 'dead', { fingerprint: 'f', pgid: 7, pgStart: '9' }));
    const queued = enqueue(a, files('z'), { notBeforeMs: 600 });
    const lost = change((jobs) => jobs.recover({ owner: 'me', nowMs: 20 }));
    expect(lost.map(({ id, status, pgid }) => [id, status, pgid])).toEqual([
      [first, 'running', null],
      [second, 'running', 7],
    ]);
    expect(job(first)).toMatchObject({ status: 'superseded', successorId: queued });
    expect(job(queued)).toMatchObject({ scope: files('x', 'z'), priority: 3, notBeforeMs: 0, attempt: 1 });
    expect(job(second)).toMatchObject({
      status: 'queued',
      scope: files('y'),
      attempt: 1,
      leaseOwner: null,
      leaseUntilMs: null,
      pgid: null,
      pgStart: null,
      fingerprint: null,
      startedMs: null,
    });
    expect(claim('me', 20)).toMatchObject({ id: queued, attempt: 2 });
    expect(claim('me', 20)).toMatchObject({ id: second, attempt: 2 });
  });

  test('R27: so is what its own owner let expire; what is in its time stays', () => {
    const first = enqueue(a, null);
    const second = enqueue(b, null);
    claim('me', 10, 100);
    claim('me', 10, 200);
    expect(change((jobs) => jobs.recover({ owner: 'me', nowMs: 100 })).map(({ id }) => id)).toEqual([first]);
    expect(job(second).status).toBe('running');
    expect(change((jobs) => jobs.complete(first, 'me', done))).toBe(false);
  });

  test('of finished jobs the last ones stay, the queued and the running one always', () => {
    const ids: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      ids.push(enqueue(a, files(`f${round}`)));
      const { id } = claim() as Job;
      if (round % 2 === 0) change((jobs) => jobs.complete(id, 'me', done));
      else change((jobs) => jobs.fail(id, 'me', failing({ retryAtMs: 0 })));
    }
    const queued = job(ids.at(-1) as number).successorId as number;
    const other = enqueue(b, null);
    change((jobs) => jobs.cancel(other, 1));
    change((jobs) => jobs.prune(a, 2));
    const left = facts.read((session) => listJobs(session, a, 100));
    expect(left.map(({ id }) => id)).toEqual(
      [queued, ...ids.slice(-2).reverse()].filter((id, at, all) => all.indexOf(id) === at),
    );
    expect(left.filter(({ status }) => status !== 'queued')).toHaveLength(2);
    expect(facts.read((session) => listJobs(session, null, 100)).map(({ id }) => id)).toContain(other);
    change((jobs) => jobs.prune(a, 2));
    expect(facts.read((session) => listJobs(session, a, 100))).toHaveLength(left.length);
    expect(facts.read(checkInvariants)).toEqual([]);
  });
});

describe('questions about jobs', () => {
  test('the last completed one, with its fingerprint', () => {
    const id = enqueue(a, files('x'));
    claim();
    change((jobs) => jobs.setRun(id, 'me', { fingerprint: 'f1' }));
    change((jobs) => jobs.complete(id, 'me', done));
    const failed = enqueue(a, files('y'));
    claim();
    change((jobs) => jobs.fail(failed, 'me', failing()));
    facts.read((session) => {
      expect(findLastCompleted(session, a)?.id).toBe(id);
      expect(findLastCompleted(session, a, 'f1')?.id).toBe(id);
      expect(findLastCompleted(session, a, 'f2')).toBe(undefined);
      expect(findLastCompleted(session, b)).toBe(undefined);
      expect(findQueuedJob(session, a)).toBe(undefined);
      expect(findRunningJob(session, a)).toBe(undefined);
    });
  });

  test('R24: a failure stays named until a later job covers what it was asked', () => {
    const run = (scope: RefreshScope, ends: (jobs: JobWriter, id: number) => void): number => {
      const id = enqueue(a, scope);
      claim();
      change((jobs) => ends(jobs, id));
      return id;
    };
    const fail = (jobs: JobWriter, id: number) => jobs.fail(id, 'me', failing());
    const complete = (jobs: JobWriter, id: number) => jobs.complete(id, 'me', done);
    const named = (): readonly number[] =>
      facts.read((session) => listTerminalFailures(session, a)).map(({ id }) => id);
    const x = run(files('x'), fail);
    const y = run(files('y'), fail);
    expect(named()).toEqual([y, x]);
    run(files('x', 'z'), complete);
    expect(named()).toEqual([y]);
    run(null, complete);
    expect(named()).toEqual([]);
  });
});

type Step =
  | { readonly kind: 'enqueue'; readonly context: number; readonly scope: RefreshScope; readonly priority: number }
  | { readonly kind: 'claim'; readonly owner: string }
  | { readonly kind: 'complete' | 'fail' | 'retry' | 'supersede'; readonly context: number; readonly owner: string }
  | { readonly kind: 'cancel'; readonly context: number }
  | { readonly kind: 'recover'; readonly owner: string }
  | { readonly kind: 'wait'; readonly ms: number };

const context = fc.constantFrom(0, 1);
const owner = fc.constantFrom('one', 'two');
const scope = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.subarray(['p', 'q', 'r'], { minLength: 1 }).map((paths) => makeScope(paths)) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('enqueue' as const), context, scope, priority: fc.nat(2) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('claim' as const), owner }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('complete', 'fail', 'retry', 'supersede'), context, owner }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), context }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('recover' as const), owner }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(40, 200) }) },
);

/** What was asked for and when, on one time line of steps. */
type Asked = { readonly context: number; readonly scope: RefreshScope; readonly at: number };

test('R21, R23, R27, R28: whatever happens to jobs, no request is lost and nothing runs twice', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      reset();
      const contexts = [a, b];
      let nowMs = 1_000;
      let asked: Asked[] = [];
      /** By job: the step at which it was last claimed. */
      const claimedAt = new Map<number, number>();
      const scopes = new Map<number, RefreshScope>();
      for (const [at, one] of steps.entries()) {
        if (one.kind === 'wait') nowMs += one.ms;
        else asked = take(one, at);
        check(at);
      }

      function take(one: Exclude<Step, { kind: 'wait' }>, at: number): Asked[] {
        if (one.kind === 'enqueue') {
          const contextId = contexts[one.context] as number;
          const id = enqueue(contextId, one.scope, { priority: one.priority, nowMs, notBeforeMs: nowMs });
          // R23: the job it was answered with covers it, and has not begun.
          expect(coversScope(job(id).scope, one.scope)).toBe(true);
          expect(job(id).status).toBe('queued');
          return [...asked, { context: contextId, scope: one.scope, at }];
        }
        if (one.kind === 'claim') {
          const claimed = change((jobs) => jobs.claim({ owner: one.owner, nowMs, leaseUntilMs: nowMs + 100 }));
          if (claimed !== undefined) claimedAt.set(claimed.id, at);
          return asked;
        }
        if (one.kind === 'recover') {
          const lost = change((jobs) => jobs.recover({ owner: one.owner, nowMs }));
          // R27: none is running any more, and each has a job that will do its work.
          for (const { id, scope: was } of lost) {
            const now = job(id);
            const heir = now.status === 'queued' ? now : job(now.successorId as number);
            expect(heir.status).toBe('queued');
            expect(coversScope(heir.scope, was)).toBe(true);
          }
          expect(facts.read(listRunningJobs).every(({ leaseOwner }) => leaseOwner === one.owner)).toBe(true);
          return asked;
        }
        const contextId = contexts[one.context] as number;
        const running = facts.read((session) => findRunningJob(session, contextId));
        const queued = facts.read((session) => findQueuedJob(session, contextId));
        if (one.kind === 'cancel') {
          if (queued === undefined) return asked;
          expect(change((jobs) => jobs.cancel(queued.id, nowMs))).toBe(true);
          // Withdrawn by its owner's will: what it alone was to do is not asked any more.
          return asked.filter((request) => request.context !== contextId);
        }
        if (running === undefined) return asked;
        const { id } = running;
        const isOurs = running.leaseOwner === one.owner;
        if (one.kind === 'complete') {
          expect(change((jobs) => jobs.complete(id, one.owner, { ...done, nowMs }))).toBe(isOurs);
        } else if (one.kind === 'supersede') {
          const heir = change((jobs) => jobs.supersede(id, { nowMs, detail: 'x' })) as number;
          expect(coversScope(job(heir).scope, unionScopes(running.scope, queued?.scope ?? running.scope))).toBe(true);
          // R28: from here on it can import nothing.
          expect(change((jobs) => jobs.complete(id, running.leaseOwner as string, { ...done, nowMs }))).toBe(false);
        } else {
          const retryAtMs = one.kind === 'retry' ? nowMs + 50 : null;
          expect(change((jobs) => jobs.fail(id, one.owner, failing({ nowMs, retryAtMs })))).toBe(isOurs);
        }
        return asked;
      }

      function check(at: number): void {
        const jobs = facts.read((session) => listJobs(session, null, 1000));
        for (const contextId of contexts) {
          const of = jobs.filter((one) => one.contextId === contextId);
          // R21
          expect(of.filter(({ status }) => status === 'queued').length).toBeLessThanOrEqual(1);
          expect(of.filter(({ status }) => status === 'running').length).toBeLessThanOrEqual(1);
        }
        for (const one of jobs) {
          // R23
          const before = scopes.get(one.id);
          if (before !== undefined) expect(coversScope(one.scope, before)).toBe(true);
          scopes.set(one.id, one.scope);
          if (one.status === 'superseded') expect(one.successorId).toBeGreaterThan(one.id);
        }
        for (const { context: contextId, scope: wanted, at: since } of asked) {
          const settles = jobs.filter(
            (one) =>
              one.contextId === contextId &&
              coversScope(one.scope, wanted) &&
              (one.status === 'queued' ||
                ((one.status === 'running' ||
                  one.status === 'completed' ||
                  (one.status === 'failed' && one.successorId === null)) &&
                  (claimedAt.get(one.id) as number) > since)),
          );
          expect(settles, `asked at ${since}, looked at ${at}`).not.toEqual([]);
        }
      }
    }),
    { numRuns: 400 },
  );
});
