/** The digest of the image that one probe built, as the probes after it and the indexes are told of it. No engine is needed for that. */

import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { defineProbe, type Probe, type ProbeDefinition } from '../../src/gather/contract.ts';
import { sbomFreshness } from '../../src/gather/freshness/index-checks.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const digestOf = (text: string) => `sha256:${text.repeat(64).slice(0, 64)}`;
const common = {
  version: '1.0.0',
  layer: 'C',
  says: 'A probe of a test.',
  heaviness: 'light',
  timeoutSeconds: 60,
  confidenceRule: 'Always high.',
} as const satisfies Partial<ProbeDefinition>;

/** Pretends to build: the digest is the text of a file. */
const builder = defineProbe({
  ...common,
  name: 'builder',
  sections: { builder: z.strictObject({ digest: z.string().nullable() }) },
  declaredInputs: ['Dockerfile', 'other.txt'],
  imageDigest: (slice) => (slice['builder'] as { digest: string | null }).digest,
  async run(of) {
    const read = await of.inputs.read('Dockerfile', 100);
    const text = read.kind === 'read' ? Buffer.from(read.bytes).toString() : '';
    return { kind: 'ran', slice: { builder: { digest: text === '' ? null : digestOf(text) } }, confidence: 'high' };
  },
});

function scanner(of: { ran: (string | null)[]; asked: number; now: string | null }): Probe {
  return defineProbe({
    ...common,
    name: 'scanner',
    sections: {
      scanner: z.strictObject({
        built_image_digest: z.string().nullable(),
        scanned_at: z.string(),
        outcome: z.strictObject({ kind: z.literal('ran') }),
      }),
    },
    requires: [{ probe: 'builder', select: () => null }],
    declaredInputs: ['image-digest:<resolved>'],
    index: {
      name: 'sbom',
      check: sbomFreshness,
      async imageDigest() {
        of.asked += 1;
        return of.now;
      },
    },
    async run(repository, ctx) {
      const digest = (await ctx.imageDigestResolver?.(repository.root)) ?? null;
      of.ran.push(digest);
      const slice = { built_image_digest: digest, scanned_at: ctx.startedAt, outcome: { kind: 'ran' } };
      return { kind: 'ran', slice: { scanner: slice }, confidence: 'high' };
    },
  });
}

function open(files: Record<string, string>) {
  const seen = { ran: [] as (string | null)[], asked: 0, now: null as string | null };
  const health = probes.filter(({ name }) => name === 'index_health');
  const settings = { probes: [builder, scanner(seen), ...health] };
  const fixture = createFixtureRepo(files);
  repo = fixture;
  const gather = async () => {
    const { envelope } = await fixture.publish({}, settings);
    const index = envelope['index_health'] as unknown as Record<string, { freshness: object }>;
    return {
      states: ['builder', 'scanner'].map((name) => recordOf(envelope, name).cache.state),
      freshness: index['sbom']?.freshness,
    };
  };
  return { fixture, seen, gather, report: () => fixture.workspace(settings).report() };
}

test('G19 two digests are two keys, and a replayed build binds as one that ran', async () => {
  const { fixture, seen, gather } = open({ Dockerfile: 'a', 'other.txt': '1' });
  expect((await gather()).states).toEqual(['miss', 'miss']);
  expect((await gather()).states).toEqual(['hit', 'hit']);
  fixture.write('other.txt', '2');
  expect((await gather()).states).toEqual(['miss', 'hit']);
  fixture.write('Dockerfile', 'b');
  expect((await gather()).states).toEqual(['miss', 'miss']);
  fixture.write('Dockerfile', 'a');
  expect((await gather()).states).toEqual(['hit', 'hit']);
  expect(seen.ran).toEqual([digestOf('a'), digestOf('b')]);
});

test('G19 an image that changed since shows as drift, in the gather and when asked later; a clean run is fresh', async () => {
  const { seen, gather, report } = open({ Dockerfile: 'a' });
  expect((await gather()).freshness).toMatchObject({ kind: 'fresh' });
  seen.now = digestOf('a');
  expect((await gather()).freshness).toMatchObject({ kind: 'fresh' });
  expect(seen.asked).toBe(2);
  seen.now = digestOf('b');
  const drift = { kind: 'digest_mismatch', expected: digestOf('b'), actual: digestOf('a') };
  expect(JSON.stringify((await gather()).freshness)).toContain(JSON.stringify(drift));
  seen.now = digestOf('c');
  expect(JSON.stringify(await report())).toContain(digestOf('c'));
});

test('G18 G19 what was read out of an image is compared with the tree when it is asked after a change, without a gather', async () => {
  const { fixture, gather, report } = open({ Dockerfile: 'a', 'other.txt': '1' });
  await gather();
  const asked = async () => {
    const answer = await report();
    if (answer.kind !== 'report') throw new Error(answer.kind);
    return (answer.freshnessNow as Record<string, unknown>)['sbom'];
  };
  expect(await asked()).toMatchObject({ kind: 'fresh' });
  // Neither is an input of the scan itself: what it was built from says that it is old.
  fixture.write('Dockerfile', 'b');
  fixture.write('other.txt', '2');
  const reason = { kind: 'dirty_worktree', files: ['Dockerfile', 'other.txt'], count: 2 };
  expect(await asked()).toEqual({ kind: 'stale', reason });
  fixture.write('Dockerfile', 'a');
  fixture.write('other.txt', '1');
  expect(await asked()).toMatchObject({ kind: 'fresh' });
});

test('an engine is not asked about what speaks of no image', async () => {
  const { seen, gather } = open({ Dockerfile: '' });
  expect((await gather()).freshness).toMatchObject({ kind: 'stale' });
  expect(seen.ran).toEqual([null]);
  expect(seen.asked).toBe(0);
});

/** Events of all gathers of a repository, by name. */
function eventsOf(fixture: FixtureRepo, name: string): readonly Record<string, unknown>[] {
  return Object.entries(fixture.written())
    .filter(([path]) => path.includes('logs/gather-'))
    .flatMap(([, text]) => text.trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((event) => event['event'] === name);
}

test('G19 a replay is told as an event of its probe', async () => {
  const { fixture, gather } = open({ Dockerfile: 'a' });
  await gather();
  expect(eventsOf(fixture, 'probe.scanner.cache_hit')).toEqual([]);
  await gather();
  expect(eventsOf(fixture, 'probe.scanner.cache_hit')).toMatchObject([{ key: expect.any(String) }]);
});

test('G19 where nothing builds an image there is no one to ask, and where asking fails the kind of the failure is told', async () => {
  const asked: unknown[] = [];
  const lonely = defineProbe({
    ...common,
    name: 'lonely',
    sections: { lonely: z.strictObject({ bound: z.boolean() }) },
    declaredInputs: ['image-digest:<resolved>'],
    async run(_, ctx) {
      asked.push(ctx.imageDigestResolver);
      return { kind: 'ran', slice: { lonely: { bound: ctx.imageDigestResolver !== null } }, confidence: 'high' };
    },
  });
  const fixture = createFixtureRepo({ Dockerfile: 'a' });
  repo = fixture;
  const { envelope } = await fixture.publish({}, { probes: [lonely] });
  expect(envelope['lonely']).toEqual({ bound: false });
  expect(asked).toEqual([null]);
  expect(eventsOf(fixture, 'cache.token_unresolved')).toMatchObject([{ reason: 'resolver_unbound' }]);

  const broken = defineProbe({
    ...builder,
    imageDigest: () => {
      throw new RangeError('boom');
    },
  } as ProbeDefinition);
  const after = defineProbe({ ...lonely, name: 'after', requires: ['builder'] } as unknown as ProbeDefinition);
  await fixture.publish({}, { probes: [broken, after] });
  const [, raised] = eventsOf(fixture, 'cache.token_unresolved');
  expect(raised).toMatchObject({ reason: 'resolver_raised', error: 'RangeError' });
  expect(JSON.stringify(fixture.written())).not.toContain('boom');
});
