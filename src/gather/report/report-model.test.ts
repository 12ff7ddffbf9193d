import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { sampleEnvelope, sampleProbes } from '../../../test/support/sample-envelope.ts';
import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { volatileFields } from '../publish/envelope.ts';
import { explainField, renderExplanation } from './explain.ts';
import { renderHtml } from './html-page.ts';
import { renderMarkdown } from './render-markdown.ts';
import { buildReport } from './report-model.ts';
import { summaryLines } from './summary-lines.ts';

function everything(envelope: unknown): string[] {
  const probes = sampleProbes();
  const model = buildReport(envelope, probes, { freshnessNow: { scip: envelope } });
  const paths = ['language_stack.primary', 'index_health.scip', 'organizational.skills.skills[0]', 'probes.ci', 'x'];
  return [
    renderMarkdown(model),
    renderHtml(model),
    ...paths.map((fieldPath) =>
      renderExplanation(explainField({ envelope, probes, fieldPath, recordedInputs: envelope as Json })),
    ),
    ...summaryLines({ envelope, probes, reportPath: null, width: 80 }),
  ];
}

test('G40 reports are total over any value', () => {
  fc.assert(
    fc.property(
      fc.anything({ withObjectString: true, withNullPrototype: true }),
      (envelope) => void everything(envelope),
    ),
  );
});

test('G40 reports are total over an envelope with any part replaced by anything', () => {
  const paths = listPaths(sampleEnvelope());
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 3 }), (path, value) => {
      void everything(replaceAt(sampleEnvelope(), path, value as Json));
    }),
    { numRuns: 300 },
  );
});

test('G11 a document nested 10 000 deep, and keys that name prototypes', () => {
  let deep: Json = 'bottom';
  for (let level = 0; level < 10_000; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
  const names = JSON.parse('{"__proto__": {"status": "ok"}, "constructor": 1, "toString": 2}') as Json;
  const envelope = { ...sampleEnvelope(), language_stack: deep, manifests: deep, index_health: names, probes: names };
  for (const text of everything(envelope)) expect(text).toBeTypeOf('string');
});

test('P1 an index that was not judged is shown as stale', () => {
  const { index_health: _, ...without } = sampleEnvelope();
  const rows = buildReport(without, sampleProbes()).indexes;
  expect(rows.map((row) => row.name)).toEqual([
    'dep_graph',
    'gitleaks',
    'import_graph',
    'runtime_trace',
    'sbom',
    'scip',
    'semgrep',
  ]);
  for (const row of rows) expect(row.line).toBe(`- [STALE] ${row.name} · never_ran · index_health_unavailable`);
});

test('P1 freshness recomputed now stands above the stored verdict where it differs', () => {
  const now = {
    dep_graph: { kind: 'stale', reason: { kind: 'dirty_worktree', files: ['pnpm-lock.yaml'], count: 1 } },
    semgrep: { kind: 'stale', reason: { kind: 'never_ran', reason: 'tool_missing' } },
  };
  const model = buildReport(sampleEnvelope(), sampleProbes(), { freshnessNow: now });
  expect(model.indexesNow.map((row) => row.line)).toEqual([
    '- [STALE] dep_graph · dirty_worktree · files=1 · pnpm-lock.yaml',
  ]);
  const text = renderMarkdown(model);
  expect(text.indexOf('[STALE] dep_graph')).toBeLessThan(text.indexOf('[OK] dep_graph'));
});

test('P2 overall confidence is the minimum of index_health and what the task requires', () => {
  const overall = (required_probes: string[], health: string) => {
    const envelope = sampleEnvelope();
    const records = envelope['probes'] as JsonObject;
    const record = { ...(records['index_health'] as JsonObject), confidence: health };
    const task = { required_probes, required_skills: [], confidence_floor: 'medium' as const };
    return buildReport({ ...envelope, probes: { ...records, index_health: record } }, sampleProbes(), { task }).overall;
  };
  expect(overall(['ci'], 'high')).toMatchObject({ confidence: 'high', because: [], belowFloor: false });
  expect(overall(['sbom', 'ci'], 'high')).toMatchObject({
    confidence: 'medium',
    because: ['sbom is medium'],
    belowFloor: false,
  });
  expect(overall(['cve'], 'high')).toMatchObject({
    confidence: 'low',
    because: ['cve skipped: db_unavailable'],
    belowFloor: true,
  });
  // What lacks its tool (semgrep) has a verdict and no say.
  expect(overall([], 'low').because).toEqual(['index_health is low: scip']);
  expect(buildReport({}, []).overall.confidence).toBe('low');
});

test('P2 a list that cannot be read is not an empty list', () => {
  const organizational = { adrs: { adrs: 'many' }, exceptions: { active: [] } };
  const model = buildReport({ ...sampleEnvelope(), organizational }, sampleProbes());
  expect(model.adrs.because).toBe('organizational.adrs does not have the expected shape');
  expect(model.exceptions.because).toBe('organizational.exceptions does not have the expected shape');
  expect(model.conventions.because).toBe('conventions delivered no such section');
});

test('P6 reports of the same facts differ only where times are shown', () => {
  const [first, second] = [sampleEnvelope(), shiftTimes(sampleEnvelope()) as JsonObject];
  const [a, b] = [first, second].map((envelope) => buildReport(envelope, sampleProbes()));
  if (a === undefined || b === undefined) throw new Error('unreachable');
  const stable = (text: string) => text.split('## This run')[0]?.replace(/indexed_at=\S+/g, '');
  expect(renderMarkdown(a)).not.toBe(renderMarkdown(b));
  expect(stable(renderMarkdown(a))).toBe(stable(renderMarkdown(b)));
  const stableHtml = (text: string) =>
    text.split('<section class="card" id="run"')[0]?.replace(/indexed at [^<]+/g, '');
  expect(stableHtml(renderHtml(a))).toBe(stableHtml(renderHtml(b)));
});

function shiftTimes(value: Json, key = ''): Json {
  if (volatileFields.includes(key) && key !== 'cache') {
    return typeof value === 'number' ? value * 3 + 1 : key === 'run_id' ? 'fedcba9876543210' : '2027-01-02T03:04:05Z';
  }
  if (key === 'cache') return { state: 'hit', key: 'sha256:cc', produced_at: '2027-01-02T03:04:05Z' };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => shiftTimes(item));
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, item]) => [name, shiftTimes(item, name)]));
}

function listPaths(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const below = Object.entries(value).flatMap(([key, item]) => listPaths(item as Json, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

function replaceAt(value: Json, path: readonly string[], replacement: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, i) =>
      String(i) === step ? replaceAt(item, rest, replacement) : item,
    );
  const object = value as JsonObject;
  return { ...object, [step]: replaceAt(object[step] ?? null, rest, replacement) };
}

test('a report names the one directory that was looked at, and the probes that are none of ours', () => {
  const sample = sampleEnvelope();
  const whole = [renderMarkdown, renderHtml].map((render) => render(buildReport(sample, sampleProbes())));
  for (const text of whole) expect(text).not.toMatch(/ alone|Only .* was looked at|of your own|your own</);

  const probes = sample['probes'] as JsonObject;
  const envelope = {
    ...sample,
    repo: { ...(sample['repo'] as JsonObject), component: 'services/a_<b>' },
    probes: { ...probes, ci: { ...(probes['ci'] as JsonObject), foreign: '~/probes' } },
  };
  const model = buildReport(envelope, sampleProbes());
  const text = renderMarkdown(model);
  expect(text).toMatch(/^# .*, <code>services\/a&#95;&lt;b&gt;<\/code> alone\n/);
  expect(text).toContain('> Only <code>services/a&#95;&lt;b&gt;</code> was looked at');
  expect(text).toContain("Probes of your own, none of codegenie's: `ci` from `~/probes`.");
  const page = renderHtml(model);
  expect(page).toMatch(/<title>[^<]*, services\/a_&lt;b&gt; alone · /);
  expect(page).toMatch(/<h1>[^<]*, <code>services\/a_&lt;b&gt;<\/code> alone<\/h1>/);
  expect(page).toContain('Only services/a_&lt;b&gt; was looked at');
  expect(page).toContain('<li><code>ci</code> from <code>~/probes</code></li>');
  expect(page).toMatch(/<b>ci<\/b><span class="paths">[^<]*<\/span><span class="pill calm">your own<\/span>/);
});

test('P2 imports that no grammar read are not told as none; what has nothing to look at is not told as unknown', () => {
  const sample = sampleEnvelope();
  const graph = { top_fan_in: [], grammar_versions: [{ name: 'javascript', version: '1' }] };
  const told = (primary: string) =>
    buildReport(
      { ...sample, import_graph: graph, language_stack: { primary, counts: { [primary]: 3 } } },
      sampleProbes(),
    ).blast;
  expect(told('javascript')).toMatchObject({ files: [] });
  expect(told('ruby').files).toBeNull();
  expect(told('ruby').missing).toContainEqual({ part: 'import fan-in', because: 'imports of ruby are not read' });

  const skipped = (reason: string) => {
    const probes = { ...(sample['probes'] as JsonObject), service_topology: { status: 'skipped', skip: { reason } } };
    return buildReport({ ...sample, build_graph: null, service_topology: undefined, probes }, sampleProbes()).blast
      .missing;
  };
  expect(skipped('not_configured').map(({ part }) => part)).not.toContain('service consumers');
  expect(skipped('not_configured').map(({ part }) => part)).not.toContain('workspace dependents');
  expect(skipped('disabled').map(({ part }) => part)).toContain('service consumers');
});
