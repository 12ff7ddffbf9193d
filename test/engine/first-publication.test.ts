/**
 * A run with heavy probes publishes twice (gather.md §8.5): first what the others found, with the rest `pending`, then everything. Whatever
 * ends the run in between leaves the first publication, whole and marked as what it is, and the next gather goes on from the cache.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Probe } from '../../src/gather/contract.ts';
import type { Envelope } from '../../src/gather/publish/envelope.ts';
import type { Progress } from '../../src/gather/run/open-world.ts';
import indexHealth from '../../src/probes/index-health/index-health.ts';
import { echoProbe, makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';

let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo({ 'a/one.txt': 'one' });
});
afterEach(() => repo.dispose());

/** A heavy probe that works until `released`, one that rests on it, and one that does not. */
function probesUntil(released: Promise<void>): readonly Probe[] {
  const slow = makeProbe(
    'slow',
    async (_, ctx) => {
      await Promise.race([released, new Promise((_resolve, reject) => ctx.signal.addEventListener('abort', reject))]);
      return {
        ...rows('slow', [{ path: 'a', text: 'slow' }]),
        rawArtifacts: [{ name: 'slow.json', kind: 'json', from: Buffer.from('{}') }],
      };
    },
    { heaviness: 'heavy', artifacts: ['slow.json'] },
  );
  const resting = makeProbe('resting', async () => rows('resting', []), {
    requires: [{ probe: 'slow', optional: true }],
  });
  return [slow, resting, echoProbe('alpha', ['a/**']), indexHealth];
}

/** Gathers; `atFirst` happens when the first publication is there. */
function gatherAnd(
  atFirst: (release: () => void, fail: (error: Error) => void) => void,
  settings: { signal?: AbortSignal } = {},
) {
  const { promise: released, resolve: release, reject: fail } = Promise.withResolvers<void>();
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => {
    seen.push(progress);
    if (progress.kind === 'first') atFirst(release, fail);
  };
  return { seen, outcome: repo.gather({ onProgress }, { probes: probesUntil(released), ...settings }) };
}

const contextNow = (): Envelope =>
  parse(readFileSync(join(repo.root, '.codegenie/context/repo-context.yaml'), 'utf8')) as Envelope;
const records = () => readdirSync(join(repo.root, '.codegenie/context/runs'));
const rawNames = () => readdirSync(join(repo.root, '.codegenie/context/raw'));

test('G46 the first publication has everything that waits for no heavy probe, and says that the rest is pending', async () => {
  let first: Envelope | undefined;
  const lay: (readonly string[])[] = [];
  const { seen, outcome } = gatherAnd((release) => {
    first = contextNow();
    lay.push(rawNames(), records());
    release();
  });
  const last = await outcome;
  expect(lay[0]).toEqual(['alpha', 'alpha.json', 'index_health.json']);
  expect(lay[1]).toHaveLength(1);
  expect(first).toMatchObject({ gather_status: 'pending', probe_failures: [], alpha: { rows: [{ text: 'one' }] } });
  expect(recordOf(first as Envelope, 'alpha').status).toBe('ok');
  expect(recordOf(first as Envelope, 'slow')).toMatchObject({ status: 'pending', confidence: null, sections: [] });
  expect(recordOf(first as Envelope, 'resting').status).toBe('pending');
  expect(recordOf(first as Envelope, 'index_health').status).toBe('ok');
  expect(first).not.toHaveProperty('slow');

  expect(last).toMatchObject({ kind: 'published', envelope: { gather_status: 'complete', run_id: first?.run_id } });
  expect(contextNow()).toMatchObject({ gather_status: 'complete', slow: { rows: [{ text: 'slow' }] } });
  expect(rawNames()).toEqual(['alpha', 'alpha.json', 'index_health.json', 'slow.json']);
  expect(records()).toHaveLength(1);
  expect((await repo.workspace().audit()).kind).toBe('audited');
  expect(seen.filter(({ kind }) => kind === 'first')).toHaveLength(1);
});

test('G46 both publications of a run say the same of what the first one knew', async () => {
  let first: Envelope | undefined;
  const { outcome } = gatherAnd((release) => {
    first = contextNow();
    release();
  });
  await outcome;
  const last = contextNow();
  for (const key of ['alpha', 'repo', 'task_context', 'warnings']) expect(last[key]).toEqual(first?.[key]);
  expect(recordOf(last, 'alpha')).toEqual(recordOf(first as Envelope, 'alpha'));
});

test('G46 what lies in the cache is published once', async () => {
  await gatherAnd((release) => release()).outcome;
  const { seen, outcome } = gatherAnd(() => {});
  expect(await outcome).toMatchObject({ kind: 'published', envelope: { gather_status: 'complete' } });
  expect(seen.map(({ kind }) => kind)).not.toContain('first');
});

test('G46 an interrupt leaves the first publication, and the next gather goes on from the cache', async () => {
  const stop = new AbortController();
  const outcome = await gatherAnd(() => stop.abort(), { signal: stop.signal }).outcome;
  expect(outcome).toMatchObject({ kind: 'cancelled', first: { yaml: expect.stringContaining('repo-context.yaml') } });
  expect(contextNow().gather_status).toBe('pending');
  expect((await repo.workspace().audit()) as object).toMatchObject({ findings: [] });

  const { envelope } = await repo.publish({}, { probes: probesUntil(Promise.resolve()) });
  expect(envelope.gather_status).toBe('complete');
  expect(recordOf(envelope, 'alpha').cache.state).toBe('hit');
  expect(recordOf(envelope, 'slow')).toMatchObject({ status: 'ok', cache: { state: 'miss' } });
});

test('G46 an interrupt before the first publication leaves what was there', async () => {
  const stop = new AbortController();
  const probes = [
    ...probesUntil(new Promise(() => {})),
    makeProbe('stopping', async () => {
      stop.abort();
      return rows('stopping', []);
    }),
  ];
  expect(await repo.gather({}, { probes, signal: stop.signal })).toEqual({ kind: 'cancelled', first: undefined });
  expect(() => contextNow()).toThrow();
});

test('G46 a second publication that is refused leaves the first', async () => {
  const inTheWay = join(repo.root, '.codegenie/context/raw/slow.json');
  const { outcome } = gatherAnd((release) => {
    mkdirSync(inTheWay);
    release();
  });
  expect(await outcome).toMatchObject({ kind: 'refused', path: inTheWay });
  expect(contextNow().gather_status).toBe('pending');
  rmSync(inTheWay, { recursive: true });
  expect((await repo.workspace().audit()) as object).toMatchObject({ findings: [] });
});

test('G46 a heavy probe that fails after the first publication costs its own slice', async () => {
  await gatherAnd((_, fail) => fail(new Error('late'))).outcome;
  const envelope = contextNow();
  expect(envelope.gather_status).toBe('partial');
  expect(recordOf(envelope, 'slow')).toMatchObject({ status: 'failed', errors: ['probe.threw'] });
  expect(recordOf(envelope, 'alpha').status).toBe('ok');
});

test('G46 a process that is killed between the two leaves the first, whole', () => {
  const child = fileURLToPath(new URL('../support/first-publication-child.ts', import.meta.url));
  expect(spawnSync(process.execPath, [child, repo.root, repo.home]).signal).toBe('SIGKILL');
  const context = contextNow();
  expect(context.gather_status).toBe('pending');
  expect(recordOf(context, 'slow').status).toBe('pending');
  expect(context['alpha']).toMatchObject({ rows: [{ text: 'one' }] });
});
