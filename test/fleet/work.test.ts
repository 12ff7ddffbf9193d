/** Jobs from fetch to publication, with real repositories and git, and a gather that reads one file. */

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerFactsQuestion } from '../../src/fleet/fleet-answer.ts';
import type { Fleet } from '../../src/fleet/open-fleet.ts';
import { readSources } from '../../src/fleet/source.ts';
import { judgeStanding } from '../../src/fleet/standing.ts';
import { backOffMs, runOnce } from '../../src/fleet/work.ts';
import { describeHolder } from '../../src/kernel/base/processes.ts';
import { createFleetRig, type FleetRig, gatherText, workSettings } from './fleet-rig.ts';

let rig: FleetRig;
let fleet: Fleet;
beforeEach(() => {
  rig = createFleetRig();
  fleet = rig.open({ look_every_minutes: 0 });
});
afterEach(async () => {
  await fleet.engine.close();
  rig.dispose();
});

const add = (...given: string[]) => fleet.engine.add(readSources(given, rig.place).sources, Date.now());
const standings = async () => {
  const all = await fleet.engine.list();
  return Object.fromEntries(
    all.map((one) => [one.name.split('/').at(-1), judgeStanding(one, fleet.now(Date.now())).reason]),
  );
};
const pins = async () => {
  const rows = await fleet.engine.facts(['runtime.pin']);
  return answerFactsQuestion(
    { id: 'runtime.pin', where: null },
    await fleet.engine.list(),
    rows,
    fleet.now(Date.now()),
  );
};

describe('a run', () => {
  test('N5 N6 gathers each head once, and again when it moved', async () => {
    rig.repository('a', 'runtime.pin 18');
    rig.repository('b', 'runtime.pin 22');
    await add('sources');
    let gathers = 0;
    const gatherTree: typeof gatherText = (of) => {
      gathers += 1;
      return gatherText(of);
    };
    const settings = workSettings(rig, fleet, { gatherTree });
    expect(await runOnce(settings)).toEqual({ published: 2, known: 0, failed: 0, lost: 0, stopped: 'nothing_due' });
    expect(await standings()).toEqual({ a: 'fresh', b: 'fresh' });
    expect(await runOnce(settings)).toMatchObject({ published: 0 });
    rig.change('a', 'runtime.pin 20');
    expect(await runOnce(settings)).toMatchObject({ published: 1 });
    expect(gathers).toBe(3);
    expect(await pins()).toMatchObject({ value: 2, relation: 'eq', values: [{ value: '20' }, { value: '22' }] });
    expect(readdirSync(`${fleet.cacheDir}/work`)).toEqual([]);
    // Asked for again, it is fetched and known.
    await fleet.engine.enqueue(
      (await fleet.engine.list()).map(({ id }) => id),
      'asked',
      Date.now(),
    );
    expect(await runOnce(settings)).toMatchObject({ published: 0, known: 2 });
    expect(gathers).toBe(3);
  });

  test('N7 each trouble is a named state, and keeps what was known', async () => {
    const paths = ['gone', 'broken', 'rewritten', 'empty', 'fine'].map((name) =>
      rig.repository(name, 'runtime.pin 18'),
    );
    await add(...paths);
    await runOnce(workSettings(rig, fleet));
    rmSync(join(rig.place, 'sources/gone'), { recursive: true });
    rig.change('broken', 'throw reading ghp_0123456789abcdefghijklmnopqrstuvwxyz');
    rmSync(join(rig.place, 'sources/rewritten'), { recursive: true });
    rig.repository('rewritten', 'runtime.pin 24');
    writeFileSync(join(rig.place, 'sources/empty/.git/HEAD'), 'ref: refs/heads/unborn\n');
    const outcome = await runOnce(workSettings(rig, fleet));
    expect(outcome).toMatchObject({ published: 1, failed: 1, stopped: 'nothing_due' });
    expect(await standings()).toEqual({
      gone: 'not_found',
      broken: 'gather_failed',
      rewritten: 'fresh',
      empty: 'empty',
      fine: 'fresh',
    });
    const answer = await pins();
    expect([answer.value, answer.relation, answer.coverage.unknown.length, answer.before.length]).toEqual([
      2,
      'gte',
      3,
      3,
    ]);
    const failures = (await fleet.engine.list()).flatMap(({ failure }) => failure?.detail ?? []);
    expect(failures.join()).not.toContain('ghp_0123456789abcdefghijklmnopqrstuvwxyz');
  });

  test('N2 a repository that is too large is fetched no further, and nothing of it is kept', async () => {
    const random = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 7919 + ((at * at) % 251)) % 256));
    rig.repository('large', random.toString('base64') + Math.PI);
    await add('sources/large');
    const small = { ...fleet, settings: { ...fleet.settings, max_mb: 1 } };
    await runOnce(workSettings(rig, small));
    expect(await standings()).toEqual({ large: 'too_large' });
    expect(readdirSync(`${fleet.cacheDir}/work`)).toEqual([]);
  });

  test('N8 a job that hangs is ended by its time, one that is interrupted goes back', async () => {
    rig.repository('slow', 'runtime.pin 18');
    await add('sources/slow');
    const gatherTree: typeof gatherText = ({ signal }) =>
      new Promise((resolve) => {
        const end = () => resolve({ kind: 'cancelled', first: undefined });
        if (signal.aborted) end();
        else signal.addEventListener('abort', end);
      });
    const short = { ...fleet, settings: { ...fleet.settings, job_minutes: 0.0005 } };
    await runOnce(workSettings(rig, short, { gatherTree }));
    expect(await standings()).toEqual({ slow: 'timed_out' });
    await fleet.engine.enqueue(
      (await fleet.engine.list()).map(({ id }) => id),
      'asked',
      Date.now(),
    );
    const stop = new AbortController();
    const settings = workSettings(rig, fleet, {
      signal: stop.signal,
      gatherTree: (of) => {
        stop.abort();
        return gatherTree(of);
      },
    });
    expect(await runOnce(settings)).toMatchObject({ stopped: 'interrupted', failed: 0 });
    expect((await fleet.engine.list())[0]).toMatchObject({ job: 'queued' });
  });

  test('N4 a claim that is taken over in the middle publishes nothing', async () => {
    rig.repository('a', 'runtime.pin 18');
    await add('sources/a');
    const gatherTree: typeof gatherText = async (of) => {
      // The clock of another worker is an hour ahead.
      await fleet.engine.claim({ holder: describeHolder(), leaseMs: 1e9, perHost: 1 }, Date.now() + 3_600_000);
      return gatherText(of);
    };
    expect(await runOnce(workSettings(rig, fleet, { gatherTree }))).toMatchObject({ published: 0, lost: 1 });
    expect(await fleet.engine.facts(null)).toEqual([]);
  });

  test('N11 a full disk ends the worker', async () => {
    for (const name of ['a', 'b', 'c']) rig.repository(name, 'runtime.pin 18');
    await add('sources');
    const gatherTree: typeof gatherText = () =>
      Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    expect(await runOnce(workSettings(rig, fleet, { gatherTree }))).toMatchObject({ failed: 1, stopped: 'disk_full' });
    expect(Object.values(await standings()).sort()).toEqual(['disk_full', 'not_gathered', 'not_gathered']);
  });

  test('N1 N8 a hostile name is a name', async () => {
    const name = 'a b;$(touch x)"\n‮é%41';
    rig.repository(name, 'runtime.pin 18');
    await add('sources');
    expect(await runOnce(workSettings(rig, fleet))).toMatchObject({ published: 1 });
    expect((await fleet.engine.list())[0]?.name).toBe(join(rig.place, 'sources', name));
    expect(existsSync(join(rig.place, 'x'))).toBe(false);
  });

  test('N3 N9 the gather has its own directories and no credential', async () => {
    rig.repository('a', 'runtime.pin 18');
    await add('sources/a');
    let seen: Readonly<Record<string, string | undefined>> = {};
    const secret = {
      CODEGENIE_TOKEN_GITHUB_COM: 'ghp_x',
      SSH_AUTH_SOCK: '/agent',
      AWS_SECRET_ACCESS_KEY: 'y',
      GITHUB_TOKEN: 'z',
    };
    await runOnce(
      workSettings(rig, fleet, {
        environment: { ...rig.environment, ...secret },
        gatherTree: (of) => {
          seen = of.environment;
          return gatherText(of);
        },
      }),
    );
    expect(Object.keys(seen).sort()).toEqual(['CODEGENIE_STATE_DIR', 'HOME', 'PATH']);
    expect(seen['CODEGENIE_STATE_DIR']).toMatch(/\/work\/.*\/own$/);
  });
});

test('N10 each failure waits about twice as long, by chance, and six hours at most', () => {
  expect([0, 1, 2, 30].map((attempts) => backOffMs(attempts, () => 1) / 60_000)).toEqual([1, 2, 4, 360]);
  expect(backOffMs(3, () => 0)).toBe(backOffMs(3, () => 1) / 2);
});
