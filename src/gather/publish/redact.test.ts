import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { secretSamples } from '../../../test/support/secret-samples.ts';
import { z } from '../../kernel/base/schema.ts';
import { secretClasses } from '../../kernel/secrets/patterns.ts';
import { defineProbe, namedOnly, type Probe } from '../contract.ts';
import {
  assertRedactedArtifact,
  assertRedactedSlice,
  isRedactedArtifact,
  isRedactedSlice,
  type RedactedArtifact,
  type RedactedSlice,
  type RedactionInput,
  rebrandStored,
  redactJson,
  redactOutput,
  redactText,
} from './redact.ts';
import { createSanitiser } from './sanitise.ts';

const probe: Probe = defineProbe({
  name: 'sample',
  version: '0.1.0',
  layer: 'A',
  says: 'nothing',
  heaviness: 'light',
  sections: { sample: z.strictObject({ text: z.json(), hash: namedOnly(z.string()).optional() }) },
  declaredInputs: [],
  timeoutSeconds: 1,
  artifacts: ['a.json', 'a.txt', 'b.txt'],
  budget: { rawArtifactMb: 2, truncateMb: 1 },
  confidenceRule: 'always high',
  run: async () => ({ kind: 'ran', slice: {}, confidence: 'high' }),
});
const sanitiser = createSanitiser({ root: '/work/main', home: '/home/ann', workspace: '/dev/shm/ws' });
const nothing = { probe, slice: {}, diagnostics: [], evidence: [], artifacts: [], sanitiser } satisfies RedactionInput;

async function redact(input: Partial<RedactionInput>) {
  const output = await redactOutput({ ...nothing, ...input });
  if (!output.ok) throw new Error(output.detail);
  return output;
}
const utf8 = (text: string) => new TextEncoder().encode(text);
const decode = (artifact: RedactedArtifact | undefined) => new TextDecoder().decode(artifact?.bytes);
const allSamples = secretClasses.flatMap((name) => secretSamples[name]);
const random = secretSamples.entropy[0]?.secret ?? '';
const token = secretSamples.github_token[0]?.secret ?? '';

test('G22 a secret of every class is gone from slice, diagnostics, evidence and every kind of text artifact', async () => {
  for (const { secret, text } of allSamples) {
    const output = await redact({
      slice: { sample: { text: { deep: [text, { more: text }] } } },
      diagnostics: [{ id: 'sample.x', path: text, detail: text }],
      evidence: [{ path: text }],
      artifacts: [
        { name: 'a.json', kind: 'json', bytes: utf8(JSON.stringify({ list: [text] })) },
        { name: 'a.txt', kind: 'strace', bytes: utf8(text) },
        { name: 'b.txt', kind: 'markdown', bytes: utf8(text) },
      ],
    });
    const written =
      JSON.stringify([output.slice, output.diagnostics, output.evidence]) + output.artifacts.map(decode).join('');
    expect(written).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(written).not.toContain(secret);
    expect(output.findingsCount).toBeGreaterThanOrEqual(8);
  }
});

test('R2: findings are counted, fingerprints unique and sorted', async () => {
  const { slice, findings, findingsCount } = await redact({
    slice: { sample: { text: allSamples.flatMap(({ text }) => [text, text]) } },
  });
  expect(slice.findingsCount).toBe(findingsCount);
  expect(findings).toHaveLength(findingsCount);
  expect(findings.every((finding) => finding.probe === 'sample')).toBe(true);
  expect(slice.findingsCount).toBeGreaterThan(slice.fingerprints.length);
  expect(slice.fingerprints).toEqual([...new Set(slice.fingerprints)].sort());
  for (const print of slice.fingerprints) expect(print).toMatch(/^[0-9a-f]{8}$/);
});

test('a field marked named-only keeps what looks random, and no named secret', async () => {
  const { slice } = await redact({ slice: { sample: { text: random, hash: `${random} ${token}` } } });
  const section = slice.slice['sample'] as { text: string; hash: string };
  expect(section.text).toMatch(/^<REDACTED:/);
  expect(section.hash).toMatch(new RegExp(`^${random} <REDACTED:fingerprint=[0-9a-f]{8}>$`));
});

test('paths of this machine are rewritten before anything is redacted, in keys of artifacts too', async () => {
  const { slice, artifacts } = await redact({
    slice: { sample: { text: '/work/main/src/a.ts' } },
    artifacts: [{ name: 'a.json', kind: 'json', bytes: utf8('{"/home/ann/x":"/dev/shm/ws/y"}') }],
  });
  expect(slice.slice).toEqual({ sample: { text: './src/a.ts' } });
  expect(decode(artifacts[0])).toBe('{\n  "~/x": "<workspace>/y"\n}\n');
});

test('the order of keys stays, and `__proto__` is a key like any other', async () => {
  const text = '{"z":1,"__proto__":{"x":1},"a":2}';
  const { slice, artifacts } = await redact({
    slice: { sample: { text: JSON.parse(text) } },
    artifacts: [{ name: 'a.json', kind: 'json', bytes: utf8(text) }],
  });
  expect(JSON.stringify((slice.slice['sample'] as { text: unknown }).text)).toBe(text);
  expect(JSON.stringify(JSON.parse(decode(artifacts[0])))).toBe(text);
});

test('a value parsed apart from its name is still an assignment', async () => {
  const [name, value] = [['DB_PASS', 'WORD'].join(''), ['hunt', 'er2', 'hunter'].join('')];
  const placeholder = '<REDACTED:fingerprint=00000000>';
  const { slice } = await redact({
    slice: {
      sample: {
        text: [
          { name, value },
          { name: 'PORT', value },
          { name, value: `\${X}` },
        ],
      },
    },
  });
  expect(slice.slice).toEqual({
    sample: {
      text: [
        { name, value: placeholder },
        { name: 'PORT', value },
        { name, value: `\${X}` },
      ],
    },
  });
  expect(redactJson({ [name]: value, other: value })).toEqual({ [name]: placeholder, other: value });
});

test('a key that is a secret makes the output invalid, in a slice and in an artifact', async () => {
  const refusals = [
    await redactOutput({ ...nothing, slice: { sample: { text: [{ [token]: 1 }] } } }),
    await redactOutput({
      ...nothing,
      artifacts: [{ name: 'a.json', kind: 'json', bytes: utf8(JSON.stringify({ [token]: 1 })) }],
    }),
  ];
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      ok: false,
      errorId: 'output.invalid',
      detail: expect.stringContaining('a key is a secret'),
    });
    expect(JSON.stringify(refusal)).not.toContain(token);
  }
  expect(JSON.stringify(redactJson({ [token]: 1 }))).toMatch(/^\{"<REDACTED:fingerprint=[0-9a-f]{8}>":1\}$/);
});

test('a diagnostic is cut after redaction, so that no half of a secret is left', async () => {
  const detail = `${'x '.repeat(90)}${token}`;
  const { diagnostics } = await redact({ diagnostics: [{ id: 'sample.x', detail }] });
  expect(diagnostics[0]?.detail).toHaveLength(200);
  expect(diagnostics[0]?.detail).not.toContain(token.slice(0, 10));
});

test('JSON is redacted on its parsed strings, anything else under that kind as text', async () => {
  const escaped = [...token].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const json = async (text: string) =>
    decode((await redact({ artifacts: [{ name: 'a.json', kind: 'json', bytes: utf8(text) }] })).artifacts[0]);
  expect(await json(`{"a":"${escaped}","n":1.50}`)).toMatch(
    /^\{\n {2}"a": "<REDACTED:fingerprint=[0-9a-f]{8}>",\n {2}"n": 1.5\n\}\n$/,
  );
  expect(await json(`{"a":"${token}"`)).toMatch(/^\{"a":"<REDACTED:fingerprint=[0-9a-f]{8}>"$/);
  const deep = `${'['.repeat(10_000)}"${token}"${']'.repeat(10_000)}`;
  expect(await json(deep)).not.toContain(token);
});

test('G24 a SCIP index is refused while nothing can decode it, and goes through the decoder once there is one', async () => {
  const artifacts = [{ name: 'a.scip', kind: 'scip' as const, bytes: utf8(token) }];
  expect(await redactOutput({ ...nothing, artifacts })).toMatchObject({
    ok: false,
    detail: expect.stringContaining('no decoder'),
  });
  const output = await redact({
    artifacts,
    redactScip: async (bytes, redactOne) => ({
      ok: true,
      bytes: utf8(redactOne(new TextDecoder().decode(bytes)).text),
      droppedDocuments: 2,
    }),
  });
  expect(decode(output.artifacts[0])).toMatch(/^<REDACTED:/);
  expect(output).toMatchObject({ findingsCount: 1, droppedDocuments: 2 });
});

test('a binary is published only if our own builder made those very bytes', async () => {
  const bytes = utf8('SQLite format 3\0');
  const artifacts = [{ name: 'x.sqlite', kind: 'sqlite' as const, bytes }];
  expect((await redactOutput({ ...nothing, artifacts })).ok).toBe(false);
  expect((await redactOutput({ ...nothing, artifacts, isBuilderMade: (given) => given !== bytes })).ok).toBe(false);
  expect((await redact({ artifacts, isBuilderMade: (given) => given === bytes })).artifacts[0]?.bytes).toBe(bytes);
  const disguised = await redactOutput({ ...nothing, artifacts: [{ name: 'a.txt', kind: 'text', bytes }] });
  expect(disguised).toMatchObject({ ok: false, detail: expect.stringContaining('binary content') });
});

test('over the hard budget an artifact is dropped and named, the rest of the output stays', async () => {
  const { artifacts, errors, diagnostics, slice } = await redact({
    slice: { sample: { text: 'x' } },
    artifacts: [
      { name: 'a.txt', kind: 'text', bytes: new Uint8Array(2 * 1024 * 1024 + 1).fill(65) },
      { name: 'b.txt', kind: 'text', bytes: utf8('small') },
    ],
  });
  expect(artifacts.map((artifact) => artifact.name)).toEqual(['b.txt']);
  expect(errors).toEqual(['artifact.too_large']);
  expect(diagnostics).toEqual([{ id: 'artifact.too_large', detail: 'a.txt: 2097153 bytes, budget 2097152' }]);
  expect(slice.slice).toEqual({ sample: { text: 'x' } });
});

test('budgets are inclusive: exactly the truncation budget is published whole, one byte more is cut', async () => {
  const megabyte = 1024 * 1024;
  const of = async (length: number) => {
    const bytes = new Uint8Array(length).fill(97);
    return (await redact({ artifacts: [{ name: 'a.txt', kind: 'text', bytes }] })).artifacts[0];
  };
  expect(decode(await of(megabyte))).toBe('a'.repeat(megabyte));
  const cut = await of(2 * megabyte);
  expect(cut?.bytes).toHaveLength(megabyte);
  const { data, ...notice } = JSON.parse(decode(cut)) as { data: string };
  expect(notice).toEqual({ __truncated_at_budget__: true, original_bytes: 2 * megabyte, budget_bytes: megabyte });
  expect(data).toMatch(/^a+$/);
});

test('truncation comes after redaction', async () => {
  const text = `${token}\n${'line of text\n'.repeat(120_000)}`;
  const { artifacts, findingsCount } = await redact({
    artifacts: [{ name: 'a.txt', kind: 'text', bytes: utf8(text) }],
  });
  expect(decode(artifacts[0])).toMatch(/^\{"__truncated_at_budget__":true,.*"data":"<REDACTED:/);
  expect(findingsCount).toBe(1);
});

test('G25 a brand cannot be forged, and what carries it cannot be changed', async () => {
  const { slice, artifacts } = await redact({
    slice: { sample: { text: ['x'] } },
    artifacts: [{ name: 'a.txt', kind: 'text', bytes: utf8('x') }],
  });
  expect(() => assertRedactedSlice(slice)).not.toThrow();
  expect(() => assertRedactedArtifact(artifacts[0])).not.toThrow();
  expect(isRedactedArtifact(slice)).toBe(false);
  expect(isRedactedSlice(artifacts[0])).toBe(false);
  expect(() => assertRedactedSlice({ ...slice })).toThrow('passed the redactor');
  expect(() =>
    assertRedactedSlice({ slice: {}, findingsCount: 0, fingerprints: [] } as unknown as RedactedSlice),
  ).toThrow();
  expect(() =>
    assertRedactedArtifact({ name: 'a', kind: 'text', bytes: utf8('x') } as unknown as RedactedArtifact),
  ).toThrow();
  const list = (slice.slice['sample'] as unknown as { text: string[] }).text;
  expect(() => list.push('late')).toThrow(TypeError);
});

test('G25 construction sites of the branded types are a closed list', async () => {
  const casts: string[] = [];
  const revivers: string[] = [];
  const source = join(import.meta.dirname, '../..');
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) continue;
    const file = join(entry.parentPath, entry.name);
    const name = file.slice(source.length + 1);
    const text = readFileSync(file, 'utf8');
    for (const match of text.matchAll(/\bas (?:unknown as )?(?:readonly )?Redacted(?:Slice|Artifact)\b|made\.add\(/g))
      casts.push(`${name}: ${match[0]}`);
    if (/\brebrandStored\b/.test(text)) revivers.push(name);
  }
  expect(casts.sort()).toEqual([
    'gather/publish/redact.ts: as unknown as RedactedArtifact',
    'gather/publish/redact.ts: as unknown as RedactedSlice',
    'gather/publish/redact.ts: made.add(',
    'gather/publish/redact.ts: made.add(',
  ]);
  expect(revivers.sort()).toEqual(['gather/cache/cache-store.ts', 'gather/publish/redact.ts']);
});

test('R2: what was stored is branded again under the same invariants', async () => {
  const stored = rebrandStored({
    slice: { sample: { text: 'x' } },
    findingsCount: 3,
    fingerprints: ['bbbbbbbb', 'aaaaaaaa', 'bbbbbbbb'],
    artifacts: [{ name: 'a.txt', kind: 'text', bytes: utf8('x') }],
  });
  expect(stored.slice.fingerprints).toEqual(['aaaaaaaa', 'bbbbbbbb']);
  expect(isRedactedSlice(stored.slice) && stored.artifacts.every(isRedactedArtifact)).toBe(true);
  const broken = { slice: {}, findingsCount: 0, fingerprints: ['aaaaaaaa'], artifacts: [] };
  expect(() => rebrandStored(broken)).toThrow('R2');
  expect(() => rebrandStored({ ...broken, findingsCount: 1, fingerprints: ['no hex'] })).toThrow('R2');
});

const planted = fc.oneof(fc.constantFrom(...allSamples.flatMap(({ text, secret }) => [text, secret])), fc.string());
const json = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    planted,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom('name', 'value', 'password'), fc.string()), tie('any'), { maxKeys: 4 }),
  ),
})).any;

test('G40 redacting JSON twice is redacting it once', async () => {
  fc.assert(
    fc.property(json, (value) => {
      const once = redactJson(JSON.parse(JSON.stringify(value)));
      expect(redactJson(once)).toEqual(once);
      expect(redactText(redactText(JSON.stringify(once)))).toBe(redactText(JSON.stringify(once)));
    }),
    { numRuns: 500 },
  );
});
