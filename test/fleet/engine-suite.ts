/** What every engine of a fleet must do, whatever it is made of. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Claim, FleetEngine, Publication, Worker } from '../../src/fleet/fleet-engine.ts';
import type { Source } from '../../src/fleet/source.ts';
import { describeHolder } from '../../src/kernel/base/processes.ts';
import { fact } from './fleet-rig.ts';

export type OpenEngine = () => Promise<{
  readonly engine: FleetEngine;
  again(): Promise<FleetEngine>;
  dispose(): Promise<void>;
}>;

const hour = 3_600_000;

export function engineSuite(name: string, open: OpenEngine): void {
  describe(name, () => {
    let opened: Awaited<ReturnType<OpenEngine>>;
    let engine: FleetEngine;
    beforeEach(async () => {
      opened = await open();
      engine = opened.engine;
    });
    afterEach(() => opened.dispose());

    const worker = (more: Partial<Worker> = {}): Worker => ({
      holder: describeHolder(),
      leaseMs: 60_000,
      perHost: 2,
      ...more,
    });
    const source = (name: string, host = 'h'): Source => ({
      name: `${host}/${name}`,
      url: `https://${host}/${name}`,
      host,
    });
    const found = (commit: string, more: Partial<Publication> = {}): Publication => ({
      commit,
      program: 'p',
      seenMs: 5,
      facts: [fact('runtime.pin', '18'), fact('owners', null, { state: 'none', evidence: [] })],
      document: null,
      ...more,
    });
    const claimed = async (nowMs: number, by = worker()): Promise<Claim> => {
      const claim = await engine.claim(by, nowMs);
      if (claim === undefined) throw new Error('nothing to claim');
      return claim;
    };
    const only = async () => {
      const [first] = await engine.list();
      if (first === undefined) throw new Error('no repository');
      return first;
    };

    test('N4 each repository has one job; a claim is held by one', async () => {
      expect(await engine.add([source('a'), source('b'), source('a')], 1)).toEqual(['h/a', 'h/b']);
      expect(await engine.add([source('a')], 2)).toEqual([]);
      const first = await claimed(10);
      const second = await claimed(10);
      expect([first.repository.name, second.repository.name].sort()).toEqual(['h/a', 'h/b']);
      expect(await engine.claim(worker({ perHost: 9 }), 10)).toBeUndefined();
      await engine.enqueue([first.repository.id], 'asked', 11);
      expect(await engine.claim(worker({ perHost: 9 }), 12)).toBeUndefined();
    });

    test('N4 a lease that ended is taken over, and the first claim publishes nothing', async () => {
      await engine.add([source('a')], 1);
      const first = await claimed(10);
      expect(await engine.claim(worker(), 10 + 59_000)).toBeUndefined();
      expect(await engine.renew(first, worker(), 50_000)).toBe(true);
      expect(await engine.claim(worker(), 10 + 61_000)).toBeUndefined();
      // A clock that is an hour ahead ends every lease.
      const second = await claimed(hour);
      expect(second.lostClaims).toBe(1);
      expect(await engine.renew(first, worker(), hour)).toBe(false);
      expect(await engine.publish(first, found('c1'), hour)).toBe('lost');
      expect(await engine.fail(first, { kind: 'git_failed', detail: '' }, null, hour)).toBe('lost');
      expect(await engine.facts(null)).toEqual([]);
      expect(await engine.publish(second, found('c1'), hour)).toBe('published');
      expect(await engine.claim(worker(), 2 * hour)).toBeUndefined();
    });

    test('N4 a claim of a process that is gone is taken over at once; after three the repository is unknown by name', async () => {
      await engine.add([source('a')], 1);
      const gone = worker({ holder: JSON.stringify({ pid: 1, boot: 'another', started: '0', nonce: 'x' }) });
      for (const lost of [0, 1, 2]) expect((await claimed(10, gone)).lostClaims).toBe(lost);
      expect(await engine.claim(worker(), 11)).toBeUndefined();
      expect(await only()).toMatchObject({ failure: { kind: 'worker_lost' }, job: null, commit: null });
      await engine.enqueue([(await only()).id], 'asked', 12);
      expect((await claimed(13)).lostClaims).toBe(0);
    });

    test('N5 a publication replaces the facts of the last one and clears a failure', async () => {
      await engine.add([source('a')], 1);
      await engine.publish(await claimed(10), found('c1'), 20);
      expect((await engine.facts(['runtime.pin'])).map(({ value, component }) => [value, component])).toEqual([
        ['18', '.'],
      ]);
      const { id } = await only();
      await engine.missedHead(id, { kind: 'unreachable', detail: 'x' }, 99, 30);
      expect(await only()).toMatchObject({
        failure: { kind: 'unreachable' },
        attempts: 1,
        lookAfterMs: 99,
        commit: 'c1',
      });
      await engine.enqueue([id], 'changed', 40);
      const list = ['22', { a: 1 }];
      await engine.publish(
        await claimed(41),
        found('c2', {
          facts: [
            fact('components', ['library .', 'app web']),
            fact('runtime.pin', list, { scope: 'web/package.json' }),
          ],
        }),
        42,
      );
      expect(await only()).toMatchObject({
        commit: 'c2',
        head: 'c2',
        failure: null,
        attempts: 0,
        job: null,
        publishedMs: 42,
        headSeenMs: 5,
      });
      expect(
        (await engine.facts(['runtime.pin', 'owners'])).map(({ value, scope, component }) => [value, scope, component]),
      ).toEqual([[list, 'web/package.json', 'web']]);
      expect(await engine.factIds()).toEqual(['components', 'runtime.pin']);
    });

    test('N6 the same commit with the same program is known; going back to it tells what was found then', async () => {
      await engine.add([source('a')], 1);
      await engine.publish(await claimed(10), found('c1'), 20);
      const { id } = await only();
      expect(await engine.isPublished(id, 'c1', 'p')).toBe(true);
      expect(await engine.isPublished(id, 'c1', 'q')).toBe(false);
      for (const [commit, said] of [
        ['c2', 'published'],
        ['c1', 'known'],
      ] as const) {
        await engine.enqueue([id], 'changed', 30);
        const facts = commit === 'c1' ? [] : [fact('runtime.pin', '22')];
        expect(await engine.publish(await claimed(31), found(commit, { facts }), 32)).toBe(said);
      }
      expect((await engine.facts(['runtime.pin'])).map(({ value }) => value)).toEqual(['18']);
    });

    test('N7 a failure keeps the facts, and waits as long as it is told', async () => {
      await engine.add([source('a')], 1);
      await engine.publish(await claimed(10), found('c1'), 20);
      await engine.enqueue([(await only()).id], 'changed', 30);
      expect(await engine.fail(await claimed(31), { kind: 'gather_failed', detail: 'why' }, 1_000, 32)).toBe(
        'recorded',
      );
      expect(await only()).toMatchObject({
        failure: { kind: 'gather_failed', detail: 'why' },
        attempts: 1,
        job: 'queued',
        notBeforeMs: 1_000,
        commit: 'c1',
      });
      expect((await engine.facts(['runtime.pin'])).length).toBe(1);
      expect(await engine.claim(worker(), 999)).toBeUndefined();
      expect((await claimed(1_000)).repository.attempts).toBe(1);
    });

    test('N7 a head that is seen again clears a failure only where it is the commit that was gathered', async () => {
      await engine.add([source('a')], 1);
      await engine.publish(await claimed(10), found('c1'), 20);
      const { id } = await only();
      await engine.missedHead(id, { kind: 'unreachable', detail: 'x' }, 99, 30);
      await engine.sawHead(id, { commit: 'c2', branch: 'main' }, 40);
      expect(await only()).toMatchObject({ failure: { kind: 'unreachable' }, head: 'c2', branch: 'main' });
      await engine.sawHead(id, { commit: 'c1', branch: 'main' }, 41);
      expect(await only()).toMatchObject({ failure: null, attempts: 0, head: 'c1', headSeenMs: 41 });
    });

    test('N10 hosts share fairly, hold their limit, and what is asked for comes first', async () => {
      await engine.add([source('a'), source('b'), source('c'), source('d', 'i')], 1);
      const by = worker({ perHost: 2 });
      const names = [(await claimed(10, by)).repository.host, (await claimed(10, by)).repository.host];
      expect(names.sort()).toEqual(['h', 'i']);
      const third = await claimed(10, by);
      expect(third.repository.host).toBe('h');
      expect(await engine.claim(by, 10)).toBeUndefined();
      await engine.giveBack(third, 11);
      await engine.holdHost('h', 500);
      expect(await engine.claim(by, 12)).toBeUndefined();
      const waiting = (await engine.list()).filter(({ job }) => job === 'queued');
      await engine.enqueue([waiting.at(-1)?.id ?? 0], 'asked', 13);
      expect((await claimed(500, by)).repository.id).toBe(waiting.at(-1)?.id);
    });

    test('N4 what was given back is as before; what was removed cannot be published', async () => {
      await engine.add([source('a')], 1);
      const claim = await claimed(10);
      await engine.giveBack(claim, 11);
      const again = await claimed(12);
      expect(again.lostClaims).toBe(0);
      await engine.remove([again.repository.id]);
      expect(await engine.publish(again, found('c1'), 20)).toBe('lost');
      expect(await engine.list()).toEqual([]);
    });

    test('N16 a query reads the views and nothing else', async () => {
      await engine.add([source('a'), source('b')], 1);
      await engine.publish(await claimed(10), found('c1'), 20);
      const ask = (sql: string, ids: readonly string[] | null = null, rows = 10, timeoutS = 60) =>
        engine.query(
          sql,
          ids,
          { nowMs: 30, program: 'p', freshForMs: hour },
          { rows, timeoutS, signal: new AbortController().signal },
        );
      expect(await ask('select name, state, reason from repositories order by name;')).toEqual({
        kind: 'rows',
        columns: ['name', 'state', 'reason'],
        rows: [
          ['h/a', 'fresh', 'fresh'],
          ['h/b', 'unknown', 'not_gathered'],
        ],
        truncated: false,
      });
      expect(await ask('select count(*) as n from facts')).toMatchObject({ rows: [[2]] });
      expect(await ask('select count(*) as n from facts', ['owners'])).toMatchObject({ rows: [[1]] });
      expect(await ask('select id from facts', null, 1)).toMatchObject({ rows: [['owners']], truncated: true });
      for (const sql of [
        'delete from repositories',
        'select * from fleet_jobs',
        'select * from "FLEET_jobs"',
        'attach ? as x',
        'pragma user_version',
        'select 1; delete from facts',
        'with x as (select 1) insert into facts select 1',
        'select * from nothing',
      ])
        expect((await ask(sql)).kind, sql).toMatch(/refused|failed/);
      expect((await engine.list()).length).toBe(2);
    });

    test('N16 a query that does not end is ended', async () => {
      const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
      const outcome = await engine.query(
        endless,
        null,
        { nowMs: 30, program: 'p', freshForMs: hour },
        { rows: 1, timeoutS: 2, signal: new AbortController().signal },
      );
      expect(outcome.kind).toBe('timed_out');
    });

    test('P10 another process finds all of it', async () => {
      await engine.add([source('a')], 1);
      await engine.publish(await claimed(10), found('c1'), 20);
      const other = await opened.again();
      expect(await other.list()).toEqual(await engine.list());
      expect(await other.facts(null)).toEqual(await engine.facts(null));
      await other.close();
    });

    test('what differs since a moment is the last publication before it and the last of all', async () => {
      await engine.add([source('a'), source('b')], 1);
      for (const at of [20, 21]) await engine.publish(await claimed(at), found('c1'), at);
      const [first] = await engine.list();
      await engine.enqueue([first?.id ?? 0], 'changed', 30);
      await engine.publish(await claimed(31), found('c2', { facts: [fact('runtime.pin', '22')] }), 32);
      const steps = await engine.stepsSince(25);
      expect(
        steps.map(({ before, after }) => [before.commit, after.commit, after.facts.map(({ value }) => value)]),
      ).toEqual([['c1', 'c2', ['22']]]);
      expect(await engine.stepsSince(40)).toEqual([]);
      expect((await engine.publishedBefore(20)).size).toBe(1);
    });
  });
}
