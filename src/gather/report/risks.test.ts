import { expect, test } from 'vitest';
import { sampleEnvelope, sampleProbes } from '../../../test/support/sample-envelope.ts';
import { viewEnvelope } from './envelope-view.ts';
import { judgeRisks, riskRules } from './risks.ts';

const judge = (change: Readonly<Record<string, unknown>>, probes: Readonly<Record<string, unknown>> = {}) => {
  const envelope = sampleEnvelope();
  const records = { ...(envelope['probes'] as object), ...probes };
  return judgeRisks(viewEnvelope({ ...envelope, ...change, probes: records }, sampleProbes()));
};
const ids = (list: readonly { readonly id: string }[]) => list.map((entry) => entry.id);

test('every rule can be raised', () => {
  const cve = {
    outcome: { kind: 'ran' },
    by_severity: { critical: 1, high: 0 },
    top_findings: [
      {
        cve_id: 'CVE-1',
        severity: 'critical',
        package_name: 'openssl',
        package_version: '3',
        fixed_in: '3.1',
        reachable: 'loaded',
      },
    ],
  };
  const risks = judge({ cve_scan: cve });
  expect(ids(risks.raised)).toEqual(riskRules.map((rule) => rule.id));
  expect(risks.raised.find((risk) => risk.id === 'severe_cves')?.items).toEqual([
    'critical CVE-1 in openssl 3, fixed in 3.1, loaded at run time',
  ]);
});

const skippedFor = (reason: string) => ({ status: 'skipped', skip: { reason, detail: null } });

test('P2 a risk that was not looked for is not ruled out', () => {
  const { unjudged, clear } = judge({ gitleaks_findings: undefined }, { gitleaks: skippedFor('disabled') });
  expect(ids(unjudged)).toContain('leaked_secrets');
  expect(ids(clear)).not.toContain('leaked_secrets');
});

test('P2 "does not apply" is said only where a probe looked for what could carry the risk, and there is none', () => {
  const unbuilt = { cve_scan: undefined, sbom: undefined };
  const nothing = { cve: skippedFor('not_applicable'), sbom: skippedFor('not_applicable') };
  // There is a Dockerfile, and its image was not built: nothing looked into it.
  const images = judge(unbuilt, nothing);
  expect(ids(images.notApplicable)).not.toContain('severe_cves');
  expect(ids(images.unjudged)).toEqual(expect.arrayContaining(['severe_cves', 'convenience_packages']));
  const none = judge(
    { ...unbuilt, containerization: undefined },
    { ...nothing, dockerfile: skippedFor('not_applicable') },
  );
  expect(ids(none.notApplicable)).toEqual(expect.arrayContaining(['severe_cves', 'convenience_packages']));
  const blind = judge({ ...unbuilt, containerization: undefined }, { ...nothing, dockerfile: skippedFor('disabled') });
  expect(ids(blind.notApplicable)).not.toContain('severe_cves');
  expect(ids(judge({ manifests: { primary: null, all: [] } }).notApplicable)).toContain('native_modules');
  const unlooked = { build_system: undefined, custom_certificates: undefined };
  const bare = (reason: string) =>
    judge(unlooked, { node_build_system: skippedFor(reason), certificate: skippedFor(reason) });
  const both = ['several_lockfiles', 'custom_certificates'];
  expect(ids(bare('language_mismatch').notApplicable)).toEqual(expect.arrayContaining(both));
  expect(ids(bare('disabled').unjudged)).toEqual(expect.arrayContaining(both));
});

test('P2 code from strings is ruled out only where it is looked for', () => {
  const of = (language: string, state: string) => {
    const blank = { scope: '.', confidence: 'high', evidence: [], how: 'x' };
    const facts = [
      { ...blank, id: 'dynamic_code', state, value: null },
      { ...blank, id: 'language.primary', state: 'known', value: language },
    ];
    return judge({ facts });
  };
  expect(ids(of('Python', 'none').clear)).toContain('eval');
  expect(ids(of('Java', 'none').unjudged)).toContain('eval');
  expect(ids(of('Python', 'unknown').unjudged)).toContain('eval');
});

test('P2 a script in a language that is looked at rules nothing out for the language of the product', () => {
  const blank = { scope: '.', confidence: 'high', evidence: [], how: 'x' };
  const { unjudged } = judge({
    facts: [
      { ...blank, id: 'dynamic_code', state: 'none', value: null },
      { ...blank, id: 'language.primary', state: 'known', value: 'Elixir' },
      { ...blank, id: 'language.secondary', state: 'known', value: ['JavaScript'] },
    ],
  });
  expect(ids(unjudged)).toContain('eval');
});

test('an image for development is none of the product: nothing is asked of it', () => {
  const of = (place: string) =>
    judge({
      containerization: { dockerfiles: [{ path: 'Dockerfile', place }] },
      custom_certificates: { detected: null, paths: [], programmatic_ca_overrides: [], node_extra_ca_certs_set: false },
    });
  const about = ['severe_cves', 'shell_at_runtime', 'convenience_packages'];
  expect(ids(of('development').notApplicable)).toEqual(expect.arrayContaining(about));
  expect(ids(of('development').clear)).toContain('custom_certificates');
  expect(ids(of('product').notApplicable)).toEqual([]);
  expect(ids(of('product').unjudged)).toContain('custom_certificates');
});

test('a certificate that nothing installs is no custom authority', () => {
  const section = {
    ...{ detected: true, certificate_source: 'vendored', node_extra_ca_certs_set: false },
    programmatic_ca_overrides: [],
  };
  const kept = judge({ custom_certificates: { ...section, paths: [{ path: 'a.crt', via: 'repo_file' }] } });
  expect(ids(kept.unjudged)).toContain('custom_certificates');
  const used = judge({ custom_certificates: { ...section, paths: [{ path: '/etc/a.crt', via: 'run' }] } });
  expect(used.raised.find(({ id }) => id === 'custom_certificates')?.items).toEqual(['/etc/a.crt']);
});

test('code that checks no certificate names no authority', () => {
  const off = { path: 'a.js', line: 1, kind: 'reject_unauthorized_false' };
  const of = (...programmatic_ca_overrides: readonly object[]) =>
    judge({
      custom_certificates: { detected: true, paths: [], node_extra_ca_certs_set: false, programmatic_ca_overrides },
    });
  expect(of(off).unjudged.find(({ id }) => id === 'custom_certificates')?.because).toContain('switches the checking');
  const both = of(off, { path: 'b.js', line: 2, kind: 'ca_option' });
  expect(both.raised.find(({ id }) => id === 'custom_certificates')?.items).toEqual(['b.js:2']);
});

test('P2 packages of Node below the root are not looked at: nothing is said not to apply to them', () => {
  const blank = { id: 'manifest.dependencies', state: 'known', value: {}, confidence: 'high', evidence: [], how: '' };
  const of = (kind: string) =>
    judge({
      manifests: { primary: null, all: [] },
      build_system: { lockfile: null, additional_lockfiles: [] },
      components: {
        components: [
          { dir: '.', kind: 'repository' },
          { dir: 'src/pay', kind },
        ],
      },
      facts: [{ ...blank, scope: 'src/pay/package.json' }],
    });
  const both = ['native_modules', 'several_lockfiles'];
  expect(ids(of('service').unjudged)).toEqual(expect.arrayContaining(both));
  expect(ids(of('example').notApplicable)).toEqual(expect.arrayContaining(both));
});

test('without an image there is nothing to trace, and a low confidence for want of a trace is no doubt', () => {
  const section = { detected: null, paths: [], programmatic_ca_overrides: [], node_extra_ca_certs_set: false };
  const record = (sampleEnvelope()['probes'] as Record<string, object>)['certificate'];
  const of = (status: string) =>
    judge(
      {
        containerization: { dockerfiles: [{ path: 'Dockerfile', place: 'development' }] },
        custom_certificates: section,
      },
      { certificate: { ...record, status, confidence: 'low' } },
    );
  expect(ids(of('ok').clear)).toContain('custom_certificates');
  expect(ids(of('degraded').unjudged)).toContain('custom_certificates');
});

test('an image whose base is not here was not built: that is said of it, not which probe was skipped', () => {
  const skipped = { cve: skippedFor('upstream_unavailable'), sbom: skippedFor('upstream_unavailable') };
  const { unjudged } = judge({ cve_scan: undefined, sbom: undefined }, skipped);
  const because = unjudged.filter(({ id }) => /cves|convenience/.test(id)).map((one) => one.because);
  expect(because).toEqual(['no image was built to look into', 'no image was built to look into']);
});

test('leaked secrets: only alarms are listed, with all their places', () => {
  const one = (path: string, standing: string) => ({ path, line: 2, rule_id: 'key', standing });
  const findings = [one('docs/a.md', 'documentation'), one('src/b.ts', 'probable'), one('test/c.ts', 'test')];
  const section = { outcome: { kind: 'ran' }, findings_count: 3, alarms_count: 1, findings };
  const raised = judge({ gitleaks_findings: section }).raised.find(({ id }) => id === 'leaked_secrets');
  expect(raised).toMatchObject({
    detail: '1 finding',
    items: ['key: src/b.ts:2'],
    places: [{ path: 'src/b.ts', line: 2, what: 'key' }],
  });
});

test('P2 a scan that failed, a low confidence or a degraded probe clears nothing', () => {
  const none = { outcome: { kind: 'ran' }, findings_count: 0, findings: [] };
  expect(ids(judge({ gitleaks_findings: none }).clear)).toContain('leaked_secrets');
  const record = (sampleEnvelope()['probes'] as Record<string, object>)['gitleaks'];
  expect(
    ids(judge({ gitleaks_findings: { ...none, outcome: { kind: 'failed', reason: 'timeout' } } }).unjudged),
  ).toContain('leaked_secrets');
  expect(ids(judge({ gitleaks_findings: none }, { gitleaks: { ...record, confidence: 'low' } }).unjudged)).toContain(
    'leaked_secrets',
  );
  expect(ids(judge({ gitleaks_findings: none }, { gitleaks: { ...record, status: 'degraded' } }).unjudged)).toContain(
    'leaked_secrets',
  );
  expect(ids(judge({ gitleaks_findings: 'nonsense' }).unjudged)).toContain('leaked_secrets');
});

test('P2 no shell in the Dockerfile is not yet no shell at run time', () => {
  const untraced = { runtime_trace: null, touchpoints: [] };
  expect(ids(judge({ shell_usage: untraced }).unjudged)).toContain('shell_at_runtime');
  expect(ids(judge({ shell_usage: { ...untraced, runtime_trace: { total: 0 } } }).clear)).toContain('shell_at_runtime');
});

test('P2 code from strings: one part in a language that nothing looks at keeps it open', () => {
  const blank = { confidence: 'high', evidence: [], how: '' };
  const of = (...languages: readonly (readonly [dir: string, kind: string, language: string])[]) => {
    const facts = [
      { ...blank, id: 'dynamic_code', scope: '.', state: 'none', value: null },
      ...languages.map(([scope, , value]) => ({ ...blank, id: 'language.primary', scope, state: 'known', value })),
    ];
    const components = languages.map(([dir, kind]) => ({ dir, kind }));
    const { clear, unjudged } = judge({ facts, components: { components } });
    return ids(clear).includes('eval') || (unjudged.find(({ id }) => id === 'eval')?.because ?? null);
  };
  const looked = 'looked for in JavaScript, TypeScript, Python, PHP, Ruby, Go alone';
  expect(of(['.', 'package', 'Python'], ['ad', 'service', 'Go'])).toBe(true);
  expect(of(['.', 'package', 'Python'], ['ad', 'service', 'Java'])).toBe(`${looked}, not in Java`);
  expect(of(['.', 'package', 'Python'], ['demo', 'example', 'Java'])).toBe(true);
  expect(of(['.', 'package', 'Java'])).toBe(looked);
});
