/** What a probe may answer (gather.md §7.1): every violation has its id, costs its own probe, and is neither published nor cached. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ProbeDefinition, ProbeOutput } from '../../src/gather/contract.ts';
import { readScipBytes } from '../../src/kernel/formats/read-scip.ts';
import type { ScipPart } from '../../src/kernel/formats/scip.ts';
import { encodeScip } from '../../src/kernel/formats/write-scip.ts';
import languageDetection from '../../src/probes/language-detection/language-detection.ts';
import { makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { publishUnharmed, readContext, troubled } from '../support/hostile.ts';
import { runCli } from '../support/run-cli.ts';
import { secretSamples } from '../support/secret-samples.ts';

let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo({ 'a.ts': '1;\n', 'input.txt': 'one' });
});
afterEach(() => repo.dispose());

const bad = (run: ProbeDefinition['run'], more: Partial<ProbeDefinition> = {}) => [
  languageDetection,
  makeProbe('bad', run, { artifacts: ['bad.json', 'bad.txt'], warningIds: ['bad.known'], ...more }),
];
const answer = (output: unknown) => async () => output as ProbeOutput;
const good = rows('bad', []);
const circular: { self?: unknown } = {};
circular.self = circular;

describe('a refused output', () => {
  test.each<[string, unknown, string]>([
    ['an undeclared warning', { ...good, warnings: ['bad.unknown'] }, 'output.undeclared_id'],
    ['an undeclared error', { ...good, errors: ['bad.unknown'] }, 'output.undeclared_id'],
    ['a diagnostic under an unknown id', { ...good, diagnostics: [{ id: 'bad.unknown' }] }, 'output.undeclared_id'],
    ['an id that is the coordinator’s', { ...good, errors: ['probe.timeout'] }, 'output.undeclared_id'],
    ['a section of another probe', { ...good, slice: { language_stack: {} } }, 'output.section_not_owned'],
    [
      'a section called __proto__',
      { ...good, slice: JSON.parse('{"__proto__":{"rows":[]}}') },
      'output.section_not_owned',
    ],
    ['a slice that does not fit its schema', { ...good, slice: { bad: { rows: [{ path: 1 }] } } }, 'output.invalid'],
    ['a field the schema does not have', { ...good, slice: { bad: { rows: [], more: 1 } } }, 'output.invalid'],
    ['a date', { ...good, slice: { bad: { rows: [new Date(0)] } } }, 'output.not_json'],
    ['a number that is none', { ...good, slice: { bad: { rows: Number.NaN } } }, 'output.not_json'],
    ['a circle', { ...good, slice: { bad: circular } }, 'output.not_json'],
    [
      'an undeclared artifact',
      { ...good, rawArtifacts: [{ name: 'other.json', kind: 'json', from: Buffer.from('{}') }] },
      'artifact.undeclared',
    ],
    [
      'an artifact that climbs',
      { ...good, rawArtifacts: [{ name: '../bad.json', kind: 'json', from: Buffer.from('{}') }] },
      'artifact.undeclared',
    ],
    ['nothing', undefined, 'output.invalid'],
    ['null', null, 'output.invalid'],
    ['a string', 'done', 'output.invalid'],
    ['an answer of no kind', { slice: {} }, 'output.invalid'],
    ['artifacts that are no list', { ...good, rawArtifacts: 'x' }, 'output.invalid'],
    ['artifacts that are null', { ...good, rawArtifacts: [null] }, 'output.invalid'],
  ])('%s', async (_, output, id) => {
    const { envelope } = await publishUnharmed(repo, {}, { probes: bad(answer(output)) });
    expect(recordOf(envelope, 'bad')).toMatchObject({
      status: 'failed',
      confidence: 'low',
      errors: [id],
      sections: [],
    });
    expect(envelope['bad']).toBeUndefined();
    expect(troubled(envelope)).toEqual({ bad: [id] });
    expect(Object.keys(repo.written()).filter((path) => path.startsWith('context/raw/'))).toEqual([]);
    const again = (await repo.publish({}, { probes: bad(answer(output)) })).envelope;
    expect(recordOf(again, 'bad')).toMatchObject({ status: 'failed', cache: { state: 'miss' } });
  });

  test('a throw names its type and first line, without the paths of this machine', async () => {
    const probes = bad(async () => {
      throw new RangeError(`cannot open ${repo.root}/x and ${repo.home}/y\nsecond line`);
    });
    const { envelope } = await publishUnharmed(repo, {}, { probes });
    expect(recordOf(envelope, 'bad').diagnostics).toEqual([
      { id: 'probe.threw', detail: 'RangeError: cannot open ./x and ~/y' },
    ]);
    expect(troubled(envelope)).toEqual({ bad: ['probe.threw'] });
  });

  test.each([
    [
      'in applies',
      {
        applies: () => {
          throw new Error('no');
        },
      },
    ],
    [
      'in deriveInputs',
      {
        deriveInputs: async () => {
          throw new Error('no');
        },
      },
    ],
    ['by declaring a path outside', { declaredInputs: ['../x'] }],
    ['by declaring an unknown token', { declaredInputs: ['moon-phase:<resolved>'] }],
    ['with something that is no error', { run: () => Promise.reject('text') }],
    [
      'before it gave a promise',
      {
        run: () => {
          throw new Error('no');
        },
      },
    ],
  ] as [string, Partial<ProbeDefinition>][])('P7: a probe that throws %s fails alone', async (_, more) => {
    const { envelope } = await publishUnharmed(repo, {}, { probes: bad(answer(good), more) });
    expect(troubled(envelope)).toEqual({ bad: ['probe.threw'] });
    expect(recordOf(envelope, 'language_detection').status).toBe('ok');
  });
});

describe('artifacts over their budget', () => {
  const budget = { rawArtifactMb: 1, truncateMb: 1 };
  const over = Buffer.alloc(1024 * 1024 + 1, 'x');

  test('are dropped with `artifact.too_large`; the slice is published, nothing is cached', async () => {
    const output = { ...good, rawArtifacts: [{ name: 'bad.txt', kind: 'text', from: over }] };
    const probes = bad(answer(output), { budget });
    const { envelope } = await publishUnharmed(repo, {}, { probes });
    expect(recordOf(envelope, 'bad')).toMatchObject({ status: 'degraded', errors: ['artifact.too_large'] });
    expect(envelope['bad']).toEqual({ rows: [] });
    expect(envelope.raw_artifacts).toEqual([]);
    expect(recordOf((await repo.publish({}, { probes })).envelope, 'bad').cache.state).toBe('miss');
  });

  test('are dropped in the same way when a tool left them in the workspace, and those beside them are kept', async () => {
    const probes = bad(
      async (_, ctx) => {
        const paths = ['bad.txt', 'bad.json'].map((name) => join(ctx.workspace, name));
        writeFileSync(paths[0] as string, over);
        writeFileSync(paths[1] as string, '{"a":1}');
        return {
          ...good,
          rawArtifacts: [
            { name: 'bad.txt', kind: 'text', from: { file: paths[0] as string } },
            { name: 'bad.json', kind: 'json', from: { file: paths[1] as string } },
          ],
        };
      },
      { budget },
    );
    const { envelope } = await publishUnharmed(repo, {}, { probes });
    expect(recordOf(envelope, 'bad')).toMatchObject({ status: 'degraded', errors: ['artifact.too_large'] });
    expect(recordOf(envelope, 'bad').diagnostics).toEqual([
      { id: 'artifact.too_large', detail: 'bad.txt: 1048577 bytes, budget 1048576' },
    ]);
    expect(envelope.raw_artifacts.map((artifact) => artifact.name)).toEqual(['bad.json']);
  });

  test('exactly at the budget they are kept', async () => {
    const text = over.subarray(1);
    const output = { ...good, rawArtifacts: [{ name: 'bad.txt', kind: 'text', from: text }] };
    const { envelope } = await publishUnharmed(repo, {}, { probes: bad(answer(output), { budget }) });
    expect(recordOf(envelope, 'bad').status).toBe('ok');
    expect(envelope.raw_artifacts).toMatchObject([{ name: 'bad.txt', size: 1024 * 1024 }]);
  });

  test('a file outside the workspace is not read as an artifact', async () => {
    const output = { ...good, rawArtifacts: [{ name: 'bad.txt', kind: 'text', from: { file: '/etc/passwd' } }] };
    const { envelope } = await publishUnharmed(repo, {}, { probes: bad(answer(output)) });
    expect(troubled(envelope)).toEqual({ bad: ['probe.threw'] });
    expect(readContext(repo)).not.toContain('root:x:0');
  });
});

describe('cache modes', () => {
  const steady = makeProbe('steady', async () => rows('steady', []), { declaredInputs: ['input.txt'] });
  const never = makeProbe('never', async () => rows('never', []), { cacheStrategy: 'none' });
  const probes = [languageDetection, steady, never];

  test('`cacheStrategy: none` has no key and no traffic', async () => {
    await repo.publish({}, { probes });
    const { envelope } = await repo.publish({}, { probes });
    expect(recordOf(envelope, 'never').cache).toEqual({ state: 'none', key: null, produced_at: null });
    expect(recordOf(envelope, 'steady').cache.state).toBe('hit');
  });

  test('--cache-only runs nothing that is cacheable: a miss is skipped, `none` still runs', async () => {
    await repo.publish({}, { probes });
    repo.write('input.txt', 'two');
    const { envelope } = await repo.publish({ mode: 'cache_only' }, { probes });
    expect(recordOf(envelope, 'steady')).toMatchObject({ status: 'skipped', skip: { reason: 'cache_only_miss' } });
    expect(recordOf(envelope, 'never').status).toBe('ok');
    expect(envelope.gather_status).toBe('partial');
    expect(envelope.probe_failures).toMatchObject([{ probe: 'steady', reason: 'cache_only_miss' }]);
    repo.write('input.txt', 'one');
    const back = (await repo.publish({ mode: 'cache_only' }, { probes })).envelope;
    expect(recordOf(back, 'steady').cache.state).toBe('hit');
    expect(back.gather_status).toBe('complete');
  });

  test('--cache-only with a miss exits 4, without one 0', async () => {
    const where = { cwd: repo.base, home: repo.home };
    const only = ['gather', repo.root, '--cache-only', '--only', 'language_detection'];
    await repo.publish();
    expect((await runCli(only, where)).code).toBe(0);
    repo.write('b.ts', '2;\n');
    expect((await runCli(only, where)).code).toBe(4);
  });

  test('when no probe produced anything the last good context stays', async () => {
    await repo.publish({}, { probes });
    const context = readContext(repo);
    const failing = probes.map((probe) => ({
      ...probe,
      version: '9.9.9',
      run: async () => Promise.reject(new Error('no')),
    }));
    expect(await repo.gather({}, { probes: failing })).toMatchObject({ kind: 'nothing_produced' });
    expect(readContext(repo)).toBe(context);
  });

  test('an entry older than its time to live is stale and runs again', async () => {
    const at = (hours: number) => ({ probes, nowMs: () => Date.now() + hours * 3_600_000 });
    await repo.publish({}, at(0));
    expect(recordOf((await repo.publish({}, at(23))).envelope, 'steady').cache.state).toBe('hit');
    expect(recordOf((await repo.publish({}, at(25))).envelope, 'steady').cache.state).toBe('stale');
    expect(recordOf((await repo.publish({}, at(26))).envelope, 'steady').cache.state).toBe('hit');
  });

  test('`revalidate` that says no runs the probe again', async () => {
    let valid = true;
    const asked = { ...steady, revalidate: async () => valid };
    await repo.publish({}, { probes: [languageDetection, asked] });
    expect(
      recordOf((await repo.publish({}, { probes: [languageDetection, asked] })).envelope, 'steady').cache.state,
    ).toBe('hit');
    valid = false;
    expect(
      recordOf((await repo.publish({}, { probes: [languageDetection, asked] })).envelope, 'steady').cache.state,
    ).toBe('stale');
  });

  test('a stored output that the schema no longer admits is a miss', async () => {
    await repo.publish({}, { probes });
    const stricter = { ...steady, sections: { steady: z.strictObject({ rows: z.array(z.json()).min(1) }) } };
    const { envelope } = await repo.publish({}, { probes: [languageDetection, stricter, never] });
    expect(recordOf(envelope, 'steady')).toMatchObject({ errors: ['output.invalid'], cache: { state: 'miss' } });
  });
});

describe('G24 a SCIP index as an artifact', () => {
  const secret = secretSamples.github_token[0]?.secret ?? '';
  const symbol = `s npm n 1 \`${secret}\`/f().`;
  const info = {
    symbol,
    documentation: [`call it with ${secret}`],
    relationships: [],
    kind: 17,
    displayName: 'f',
    signature: `f(x = "${secret}")`,
    enclosingSymbol: '',
  };
  const parts = (root: string): readonly ScipPart[] => [
    { kind: 'metadata', metadata: { toolName: 't', toolVersion: '1', projectRoot: `file://${root}` } },
    {
      kind: 'document',
      document: {
        relativePath: 'a.ts',
        language: 'typescript',
        positionEncoding: 2,
        text: secret,
        occurrences: [{ range: [0, 0, 1], enclosingRange: [], symbol, roles: 1 }],
        symbols: [info],
        hadBadText: false,
      },
    },
  ];
  const publish = (bytes: Uint8Array) => {
    const output = { ...good, rawArtifacts: [{ name: 'bad.scip', kind: 'scip', from: bytes }] };
    return publishUnharmed(repo, {}, { probes: bad(answer(output), { artifacts: ['bad.scip'] }) });
  };

  test('is published without its secrets and without this machine', async () => {
    const { envelope } = await publish(encodeScip(parts(repo.root)));
    expect(recordOf(envelope, 'bad').status).toBe('ok');
    const [artifact] = envelope.raw_artifacts;
    const published = readFileSync(join(repo.root, '.codegenie', 'context', 'raw', 'bad.scip'));
    expect(artifact).toMatchObject({ name: 'bad.scip', size: published.length });
    expect(published.includes(secret)).toBe(false);
    expect(published.includes(repo.root)).toBe(false);
    const documents: unknown[] = [];
    expect(readScipBytes(published, (part) => documents.push(part))).toMatchObject({ kind: 'read', documents: 1 });
    expect(documents[1]).toMatchObject({
      document: { relativePath: 'a.ts', text: '', occurrences: [{ range: [0, 0, 1] }] },
    });
  });

  test('is refused when it is cut', async () => {
    const bytes = encodeScip(parts(repo.root));
    const { envelope } = await publish(bytes.subarray(0, bytes.length - 1));
    expect(troubled(envelope)).toEqual({ bad: ['output.invalid'] });
  });
});
