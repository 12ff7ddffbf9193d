import { expect, test } from 'vitest';
import { z } from '../../kernel/base/schema.ts';
import { defineProbe } from '../contract.ts';
import { validateOutput } from './validate-output.ts';

const probe = defineProbe({
  name: 'sample',
  version: '0.1.0',
  layer: 'A',
  says: 'nothing',
  heaviness: 'light',
  sections: {
    sample: z.strictObject({
      b: z.string().optional(),
      a: z.json().optional(),
      references_secrets: z.array(z.string()).optional(),
    }),
    'organizational.open': z.object({ list: z.array(z.object({ known: z.number() })) }),
  },
  declaredInputs: [],
  timeoutSeconds: 1,
  artifacts: ['sample.json', 'trace-*.txt'],
  warningIds: ['sample.absent'],
  errorIds: ['sample.broken'],
  confidenceRule: 'always high',
  run: async () => ({ kind: 'ran', slice: {}, confidence: 'high' }),
});

const ran = (slice: unknown, more: object = {}) => ({ kind: 'ran', confidence: 'high', slice, ...more });
const refusal = (output: unknown) => {
  const result = validateOutput(probe, output);
  return result.ok ? 'accepted' : `${result.errorId}: ${result.detail}`;
};

test('a full output passes, with every list filled and keys in the order of the schema', () => {
  const result = validateOutput(
    probe,
    ran(
      { sample: { a: [1, null, { x: 'y' }], b: 'text', references_secrets: ['NPM_TOKEN'] } },
      {
        warnings: ['sample.absent', 'sample.absent'],
        diagnostics: [{ id: 'sample.broken', path: 'a\u202e.ts', line: 3, detail: 'first\nsecond\u0007' }],
        evidence: [{ path: 'a.ts', lines: [1, 2] }, { artifact: 'sample.json' }],
        rawArtifacts: [{ name: 'trace-1.txt', kind: 'text', from: new Uint8Array([65]) }],
      },
    ),
  );
  expect(result).toEqual({
    ok: true,
    output: {
      kind: 'ran',
      confidence: 'high',
      slice: { sample: { b: 'text', a: [1, null, { x: 'y' }], references_secrets: ['NPM_TOKEN'] } },
      warnings: ['sample.absent'],
      errors: [],
      diagnostics: [{ id: 'sample.broken', path: 'a.ts', line: 3, detail: 'first second' }],
      evidence: [{ path: 'a.ts', lines: [1, 2] }, { artifact: 'sample.json' }],
      rawArtifacts: [{ name: 'trace-1.txt', kind: 'text', from: new Uint8Array([65]) }],
    },
  });
  if (result.ok && result.output.kind === 'ran') {
    expect(Object.keys(result.output.slice['sample'] as object)).toEqual(['b', 'a', 'references_secrets']);
  }
});

test('a skip passes with its reason, and only a known reason', () => {
  expect(validateOutput(probe, { kind: 'skipped', reason: 'tool_missing', detail: 'x' })).toEqual({
    ok: true,
    output: { kind: 'skipped', reason: 'tool_missing', detail: 'x', warnings: [] },
  });
  expect(refusal({ kind: 'skipped', reason: 'bored' })).toMatch(/^output\.invalid: reason/);
});

test('the bytes of an artifact are handed on, not copied', () => {
  const bytes = new Uint8Array([1]);
  const result = validateOutput(
    probe,
    ran({}, { rawArtifacts: [{ name: 'sample.json', kind: 'sqlite', from: bytes }] }),
  );
  expect(result.ok && result.output.kind === 'ran' && result.output.rawArtifacts[0]?.from).toBe(bytes);
});

const cycle: Record<string, unknown> = {};
cycle['self'] = [cycle];
let deep: unknown = 1;
for (let level = 0; level < 10_000; level += 1) deep = [deep];
const sparse: unknown[] = [];
sparse[2] = 1;

test.each([
  ['undefined at sample.a', undefined],
  ['NaN at sample.a', Number.NaN],
  ['Infinity at sample.a', Number.POSITIVE_INFINITY],
  ['bigint at sample.a', 1n],
  ['function at sample.a', () => 1],
  ['symbol at sample.a', Symbol('x')],
  ['Date at sample.a', new Date(0)],
  ['Uint8Array at sample.a', new Uint8Array(1)],
  ['Map at sample.a', new Map()],
  ['symbol key at sample.a', { [Symbol('x')]: 1 }],
  ['array with holes at sample.a', sparse],
  ['cycle at sample.a.self[0]', cycle],
])('G11 %s is not JSON', (detail, value) => {
  expect(refusal(ran({ sample: { a: value } }))).toBe(`output.not_json: ${detail}`);
});

test('G11 ten thousand levels are refused without recursion; the same object twice is no cycle', () => {
  expect(refusal(ran({ sample: { a: deep } }))).toMatch(/^output\.not_json: more than 128 levels at sample\.a\[0\]/);
  const shared = { x: 1 };
  expect(refusal(ran({ sample: { a: [shared, shared] } }))).toBe('accepted');
});

test.each([
  ['api_token at api_token', { api_token: 1 }],
  ['dbPassword at sample.a.x.dbPassword', { sample: { a: { x: { dbPassword: 'x' } } } }],
  ['Secret at sample.a[1][0].Secret', { sample: { a: [1, [{ Secret: null }]] } }],
  ['API-KEY at sample.a.API-KEY', { sample: { a: { 'API-KEY': 1 } } }],
  ['bearer at sample.a.bearer', { sample: { a: { bearer: 1 } } }],
  ['credentials at sample.a.credentials', { sample: { a: { credentials: 1 } } }],
  ['access_key at sample.a.access_key', { sample: { a: { access_key: 1 } } }],
  ['privateKey at sample.a.privateKey', { sample: { a: { privateKey: 1 } } }],
  ['References_Secrets at sample.a.References_Secrets', { sample: { a: { References_Secrets: 1 } } }],
])('G3 the secret-shaped key %s is refused', (detail, slice) => {
  expect(refusal(ran(slice))).toBe(`output.secret_field_name: ${detail}`);
});

test('sections belong to their probe and match their schema', () => {
  expect(refusal(ran({ other: 1 }))).toBe('output.section_not_owned: other is not a section of sample');
  expect(refusal(ran({ constructor: 1 }))).toBe('output.section_not_owned: constructor is not a section of sample');
  expect(refusal(ran({ sample: { b: 1 } }))).toMatch(/^output\.invalid: sample: b: /);
  expect(refusal(ran({ sample: { c: 1 } }))).toMatch(/^output\.invalid: sample: Unrecognized key/);
  expect(refusal(ran([]))).toBe('output.invalid: the slice is not an object of sections');
});

test('an open schema does not swallow what it does not know', () => {
  const slice = { 'organizational.open': { list: [{ known: 1 }, { known: 2, extra: 3 }] } };
  expect(refusal(ran(slice))).toBe('output.invalid: organizational.open.list[1].extra is not in the schema');
});

test('ids are declared, and never those of the coordinator', () => {
  expect(refusal(ran({}, { warnings: ['sample.broken'] }))).toMatch(/^output\.undeclared_id: warning sample\.broken/);
  expect(refusal(ran({}, { errors: ['sample.absent'] }))).toMatch(/^output\.undeclared_id: error sample\.absent/);
  expect(refusal(ran({}, { errors: ['probe.timeout'] }))).toMatch(/coordinator/);
  expect(refusal(ran({}, { diagnostics: [{ id: 'x.y' }] }))).toMatch(/^output\.undeclared_id: diagnostic x\.y/);
  expect(refusal(ran({}, { diagnostics: [{ id: 'sample.absent' }, { id: 'sample.broken' }] }))).toBe('accepted');
  expect(refusal({ kind: 'skipped', reason: 'tool_missing', warnings: ['x.y'] })).toMatch(/^output\.undeclared_id/);
});

test('artifacts are declared, safe to join to a path, and named once', () => {
  const give = (...names: string[]) =>
    refusal(ran({}, { rawArtifacts: names.map((name) => ({ name, kind: 'text', from: new Uint8Array() })) }));
  expect(give('sample.json', 'trace-a.txt')).toBe('accepted');
  expect(give('other.json')).toBe('artifact.undeclared: other.json is not declared by sample');
  expect(give('trace-../../etc/x.txt')).toMatch(/^artifact\.undeclared: .* is not a safe name$/);
  expect(give('sample.json', 'sample.json')).toBe('output.invalid: artifact sample.json is given twice');
});

test('diagnostics and evidence are cut to their number', () => {
  const diagnostics = Array.from({ length: 60 }, () => ({ id: 'sample.absent' }));
  const evidence = Array.from({ length: 1_100 }, () => ({ path: 'a' }));
  const result = validateOutput(probe, ran({}, { diagnostics, evidence }));
  expect(
    result.ok && result.output.kind === 'ran' && [result.output.diagnostics.length, result.output.evidence.length],
  ).toEqual([50, 1000]);
});

test('what is said about an output is redacted and short', () => {
  const planted = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
  expect(refusal(ran({ [planted]: 1 }))).toMatch(
    /^output\.section_not_owned: <REDACTED:fingerprint=[0-9a-f]{8}> is not/,
  );
  const result = validateOutput(probe, ran({ ['x '.repeat(500)]: 1 }));
  expect(!result.ok && result.detail.length).toBe(200);
});

test.each([
  [null],
  [1],
  [{}],
  [{ kind: 'ran' }],
  [ran({}, { confidence: 'unavailable' })],
  [ran({}, { duration_ms: 1 })],
])('an output of another shape is invalid (%#)', (output) => {
  expect(refusal(output)).toMatch(/^output\.invalid: /);
});
