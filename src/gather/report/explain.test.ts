import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { sampleEnvelope, sampleProbes } from '../../../test/support/sample-envelope.ts';
import { envelopeHeadSchema } from '../publish/envelope.ts';
import {
  explainField,
  headFields,
  listFieldPaths,
  parseFieldPath,
  probeBehind,
  readFieldPath,
  renderExplanation,
  renderFieldPath,
} from './explain.ts';

const explain = (fieldPath: string, more: { recordedInputs?: (string | null)[][] } = {}) =>
  explainField({ envelope: sampleEnvelope(), probes: sampleProbes(), fieldPath, ...more });

test('a field of a section has all of its provenance', () => {
  const inputs = Array.from({ length: 25 }, (_, i) => [`src/f${i}.ts`, 'file', `blake3:${i}`]);
  const found = explainField({
    envelope: sampleEnvelope(),
    probes: sampleProbes(),
    fieldPath: 'semantic_index.files_indexed',
    recordedInputs: inputs,
    keyParts: { probe: 'scip_index', inputs: 'ab12', task: '' },
  });
  expect(renderExplanation(found)).toBe(
    [
      'semantic_index.files_indexed',
      '',
      'value         380',
      'produced by   scip_index, section semantic_index',
      '              Semantic index of the TypeScript sources.',
      'version       0.1.0+scip-typescript-0.4.0',
      '              scip-typescript 0.4.0 at ~/.npm/bin/scip-typescript',
      'status        degraded: scip_index.index_failed',
      'confidence    low',
      '              rule: low on any failure; medium if coverage is below 95 %; else high',
      'said          scip_index.index_failed',
      '              scip_index.project_failed',
      '              scip_index.project_failed packages/ledger/tsconfig.json:7: extends cannot be resolved',
      'inputs        **/*.ts, **/tsconfig*.json',
      '              12 files, digest blake3:5b1d',
      ...inputs.slice(0, 20).map(([id, , hash]) => `              ${id} ${hash}`),
      '              … and 5 more',
      'evidence      none named',
      'upstream      language_detection (ok): its whole slice',
      'cache         miss, produced at 2026-05-17T08:30:00Z',
      '              key sha256:aa11',
      '              probe = scip_index',
      '              inputs = ab12',
      'freshness     [STALE] scip · indexer_error · indexer_reported_1_errors',
    ].join('\n'),
  );
});

test('an upstream projection shows what the probe saw; one that cannot be computed is said to be a selection', () => {
  const found = explain('manifests.all[0].path');
  expect(found).toMatchObject({ value: 'package.json', provenance: { evidence: ['pnpm-lock.yaml:812'] } });
  expect(renderExplanation(found)).toContain('node_build_system (ok, optional): selects "pnpm"');
  const throwing = { ...probeNamed('node_manifest'), requires: [{ probe: 'ci', select: () => JSON.parse('{') }] };
  const broken = explainField({
    envelope: sampleEnvelope(),
    probes: [throwing, probeNamed('ci')],
    fieldPath: 'manifests',
  });
  expect(renderExplanation(broken)).toContain('ci (ok): a selection');
});

test('P2 a field that a skipped probe owes is absent, with the reason and what to do', () => {
  const found = explain('cve_scan.total');
  expect(found).toMatchObject({
    value: undefined,
    probe: 'cve',
    provenance: { status: 'skipped', reason: 'db_unavailable' },
  });
  expect(renderExplanation(found)).toContain('provide the database where cve.grype_db_dir points');
});

test('every head field is explained as the coordinator’s', () => {
  expect([...headFields.keys()].sort()).toEqual(Object.keys(envelopeHeadSchema.shape).sort());
  for (const field of headFields.keys())
    expect(explain(field)).toMatchObject({ kind: 'explained', producedBy: 'the coordinator', section: null });
  expect(explain('schema_versions["organizational.skills"]')).toMatchObject({ value: '1.0.0' });
  expect(explain('probes.scip_index.status')).toMatchObject({ value: 'degraded', provenance: { confidence: 'low' } });
  expect(explain('organizational')).toMatchObject({
    probe: null,
    producedBy: expect.stringContaining('organizational.skills'),
  });
});

test('an unknown path answers with the nearest ones', () => {
  const nearest = (path: string) => {
    const found = explain(path);
    return found.kind === 'unknown' ? found.nearest[0] : found;
  };
  expect(nearest('native_modules')).toBe('manifests.primary.native_modules');
  expect(nearest('langauge_stack.primary')).toBe('language_stack.primary');
  expect(nearest('import_graph.top_fan_in[9]')).toBe('import_graph.top_fan_in[0]');
  expect(nearest('cve_scam')).toBe('cve_scan');
  expect(renderExplanation(explain('repo..id'))).toContain('  repo.id');
});

test('G42 the id of a fact, and a field that may be there by now, are no wrong names', () => {
  const probes = sampleProbes().map((probe) => ({ ...probe, facts: [{ id: 'docker.user' }] }));
  const since = { says: 'Dockerfile changed', files: [], count: 1, sections: ['language_stack'], perhaps: [] };
  const say = (fieldPath: string) =>
    renderExplanation(explainField({ envelope: sampleEnvelope(), probes, fieldPath, since }));
  expect(say('docker.user')).toBe('docker.user is a fact: codegenie facts docker.user --explain');
  expect(say('language_stack.final')).toContain('It may be there now, gather again: Dockerfile changed');
  expect(say('semantic_index.final')).not.toContain('gather again');
});

test('G28 nothing in an explanation can steer a terminal', () => {
  const hostile = { a: '\u001b[2Jx\u202e\u0007\r\ny', language_stack: { '\u001b[31m\nkey': '\u009b0m' } };
  for (const fieldPath of ['a', 'language_stack', '\u001b[2J']) {
    const text = renderExplanation(explainField({ envelope: hostile, probes: sampleProbes(), fieldPath }));
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});

test('the probe behind a field is the one whose cache entry holds its inputs', () => {
  const behind = (path: string) => probeBehind(sampleEnvelope(), sampleProbes(), path);
  expect(behind('organizational.skills.skills[0].id')).toBe('skills_index');
  expect(behind('probes.ci.status')).toBe('ci');
  expect(behind('repo.id')).toBeNull();
});

function probeNamed(name: string) {
  const found = sampleProbes().find((probe) => probe.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

test('paths as people type them', () => {
  expect(parseFieldPath('a.b[3].c')).toEqual(['a', 'b', 3, 'c']);
  expect(parseFieldPath('a["x.y"]["q\\"uote"].z')).toEqual(['a', 'x.y', 'q"uote', 'z']);
  for (const bad of ['', '.a', 'a.', 'a..b', 'a[b]', 'a[1', 'a["x]', 'a[1]b'])
    expect(parseFieldPath(bad)).toBeUndefined();
});

test('what is rendered parses back to the same steps', () => {
  const step = fc.oneof(
    fc.nat(1000),
    fc.string({ minLength: 1 }).filter((text) => !text.includes('\n')),
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(step), (first, rest) => {
      const steps = [first, ...rest];
      expect(parseFieldPath(renderFieldPath(steps))).toEqual(steps);
    }),
  );
});

test('a list is read by number and a member by name; nothing inherited is a field', () => {
  const document = { list: [{ x: 1 }], '3': 'member' };
  expect(readFieldPath(document, ['list', 0, 'x'])).toEqual({ found: true, value: 1 });
  expect(readFieldPath(document, ['list', 'length']).found).toBe(false);
  expect(readFieldPath(document, [3]).found).toBe(false);
  expect(readFieldPath(document, ['constructor']).found).toBe(false);
  expect(readFieldPath(document, ['__proto__', 'toString']).found).toBe(false);
});

test('every listed path exists, and a bound holds', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (document) => {
      for (const path of listFieldPaths(document, 200)) {
        expect(readFieldPath(document, parseFieldPath(path) ?? []).found).toBe(true);
      }
    }),
  );
  expect(
    listFieldPaths(
      Array.from({ length: 9 }, () => ({ a: [1, 2, 3] })),
      5,
    ),
  ).toHaveLength(5);
});
