/** `requires` (gather.md §1): a probe sees the projection it asked for, its key holds that and nothing else, absence has a rule. */

import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { ProbeOutput, Requirement } from '../../src/gather/contract.ts';
import { isJsonObject, type Json } from '../../src/kernel/base/json.ts';
import languageDetection from '../../src/probes/language-detection/language-detection.ts';
import { makeProbe } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { cacheStates } from '../support/hostile.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

const anything = z.json();
const ran = (section: string, value: Json): ProbeOutput => ({
  kind: 'ran',
  slice: { [section]: value },
  confidence: 'high',
});

/** Reads `source.json` and delivers it whole, with an artifact of its `artifact` member. */
const source = makeProbe(
  'source',
  async (inputs) => {
    const outcome = await inputs.inputs.read('source.json', 10_000);
    if (outcome.kind !== 'read') return { kind: 'skipped', reason: 'not_configured' };
    const value = JSON.parse(Buffer.from(outcome.bytes).toString()) as { artifact?: string; breaks?: boolean };
    if (value.breaks === true) throw new Error('asked to');
    return {
      ...ran('source', value),
      rawArtifacts: [{ name: 'source.txt', kind: 'text', from: Buffer.from(value.artifact ?? '') }],
    } as ProbeOutput;
  },
  { sections: { source: anything }, declaredInputs: ['source.json'], artifacts: ['source.txt'] },
);

/** Delivers what it was given of others. */
function sink(requirement: Requirement) {
  return makeProbe(
    'sink',
    async (_, ctx) => {
      const given = ctx.upstream['source'];
      const texts = Object.entries(given?.artifacts ?? {}).map(([name, bytes]) => ({
        name,
        text: Buffer.from(bytes).toString(),
      }));
      return ran('sink', { value: given?.value ?? null, isNull: given === null, texts });
    },
    { sections: { sink: anything }, requires: [requirement] },
  );
}

const wanted: Requirement = {
  probe: 'source',
  select: (slice) => (isJsonObject(slice['source']) ? (slice['source']['wanted'] ?? null) : null),
};

async function gatherBoth(requirement: Requirement, edits: readonly Json[]) {
  repo = createFixtureRepo({ 'a.ts': '1;\n' });
  const states: (string | undefined)[] = [];
  const values: unknown[] = [];
  for (const edit of edits) {
    repo.write('source.json', JSON.stringify(edit));
    const { envelope } = await repo.publish({}, { probes: [languageDetection, source, sink(requirement)] });
    states.push(cacheStates(envelope)['sink']);
    values.push(envelope['sink']);
  }
  return { states, values };
}

test('a change outside the projection neither changes the key nor reaches the probe', async () => {
  const { states, values } = await gatherBoth(wanted, [
    { wanted: 1, other: 'a' },
    { wanted: 1, other: 'b' },
    { wanted: 2, other: 'b' },
  ]);
  expect(states).toEqual(['miss', 'hit', 'miss']);
  expect(values).toMatchObject([{ value: 1 }, { value: 1 }, { value: 2 }]);
  expect(JSON.stringify(values)).not.toContain('other');
});

test('a whole slice counts whole, its volatile fields aside', async () => {
  const { states } = await gatherBoth('source', [
    { a: 1, scanned_at: '2026-01-01T00:00:00Z' },
    { a: 1, scanned_at: '2026-01-02T00:00:00Z' },
    { a: 2, scanned_at: '2026-01-02T00:00:00Z' },
  ]);
  expect(states).toEqual(['miss', 'hit', 'miss']);
});

test('artifacts that were asked for are given as bytes and are in the key; others are neither', async () => {
  const edits = [
    { wanted: 1, artifact: 'one' },
    { wanted: 1, artifact: 'two' },
  ];
  const asked = await gatherBoth(
    { ...(wanted as object), probe: 'source', artifacts: ['source.txt'] } as Requirement,
    edits,
  );
  expect(asked.states).toEqual(['miss', 'miss']);
  expect(asked.values).toMatchObject(['one', 'two'].map((text) => ({ texts: [{ name: 'source.txt', text }] })));
  repo.dispose();
  const unasked = await gatherBoth(wanted, edits);
  expect(unasked.states).toEqual(['miss', 'hit']);
  expect(unasked.values).toMatchObject([{ texts: [] }, { texts: [] }]);
});

test('without a required upstream a probe is skipped, and the gather is partial', async () => {
  repo = createFixtureRepo({ 'source.json': '{"breaks":true}' });
  const { envelope } = await repo.publish({}, { probes: [languageDetection, source, sink('source')] });
  expect(recordOf(envelope, 'source').errors).toEqual(['probe.threw']);
  expect(recordOf(envelope, 'sink')).toMatchObject({ status: 'skipped', skip: { reason: 'upstream_unavailable' } });
  expect(recordOf(envelope, 'sink').skip?.detail).toContain('source');
  expect(envelope.gather_status).toBe('partial');
  expect(envelope.probe_failures.map((failure) => failure.probe)).toEqual(['source']);
  expect(envelope.not_looked).toMatchObject([{ probe: 'sink', reason: 'upstream_unavailable', delivered: false }]);
});

test('an optional upstream without a slice is null, and its coming changes the key', async () => {
  repo = createFixtureRepo({ 'a.ts': '1;\n' });
  const probes = [languageDetection, source, sink({ probe: 'source', optional: true })];
  const gather = async () => (await repo.publish({}, { probes })).envelope;
  expect((await gather())['sink']).toMatchObject({ isNull: true });
  expect(cacheStates(await gather())['sink']).toBe('hit');
  repo.write('source.json', '{"a":null}');
  const there = await gather();
  expect(cacheStates(there)['sink']).toBe('miss');
  expect(there['sink']).toMatchObject({ isNull: false, value: { source: { a: null } } });
});

test('a circle of requirements that slipped through is a bug that is named, not a gather that hangs', async () => {
  const a = makeProbe('a', async () => ran('a', 1), { sections: { a: anything }, requires: ['b'] });
  const b = makeProbe('b', async () => ran('b', 1), { sections: { b: anything }, requires: ['a'] });
  repo = createFixtureRepo({ 'a.ts': '1;\n' });
  await expect(repo.gather({}, { probes: [languageDetection, a, b] })).rejects.toThrow('in a circle: a, b');
});
