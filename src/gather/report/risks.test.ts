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

test('P2 a risk that was not looked for is not ruled out', () => {
  const { unjudged, clear, notApplicable } = judge(
    { gitleaks_findings: undefined, cve_scan: undefined },
    {
      gitleaks: { status: 'skipped', skip: { reason: 'disabled', detail: null } },
      cve: { status: 'skipped', skip: { reason: 'not_applicable', detail: null } },
    },
  );
  expect(ids(unjudged)).toContain('leaked_secrets');
  expect(ids(notApplicable)).toContain('severe_cves');
  expect(ids(clear)).not.toContain('leaked_secrets');
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
