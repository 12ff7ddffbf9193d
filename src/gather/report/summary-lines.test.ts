import { expect, test } from 'vitest';
import { sampleEnvelope, sampleProbes } from '../../../test/support/sample-envelope.ts';
import { summaryLines } from './summary-lines.ts';

test('a line per probe that asks for attention; ordinary skips are counted', () => {
  const lines = summaryLines({
    envelope: sampleEnvelope(),
    probes: sampleProbes(),
    reportPath: '.codegenie/context/CONTEXT_REPORT.md',
  });
  expect(lines).toEqual([
    'partial · 24 ok · 3 not ok · confidence low · 18.4 s',
    'confidence is low because index_health is low: scip, semgrep',
    'degraded scip_index · scip_index.index_failed · scip_index.project_failed',
    '  scip_index.project_failed packages/ledger/tsconfig.json:7: extends cannot be resolved',
    'skipped cve · db_unavailable · no grype database below ~/.cache/grype/db',
    'skipped semgrep · tool_missing · semgrep is not on PATH',
    'skipped, nothing wrong: not_configured 2',
    'secrets_redacted_count=2',
    'fingerprints=[1a2b3c4d, 5e6f7081]',
    'skill_shadowed=[distroless-node:repo]',
    'report .codegenie/context/CONTEXT_REPORT.md',
  ]);
});

test('the machine-readable lines are there when there is nothing to say', () => {
  const envelope = { gather_status: 'complete', probes: { index_health: { status: 'ok', confidence: 'high' } } };
  expect(summaryLines({ envelope, probes: [], reportPath: null })).toEqual([
    'complete · 1 ok · confidence high',
    'secrets_redacted_count=0',
    'fingerprints=[]',
    'skill_shadowed=[]',
  ]);
});

test('G28 a hostile name cannot add a line', () => {
  const envelope = { probes: { 'x\nsecrets_redacted_count=0\u001b[2J': { status: 'failed', errors: ['a\nb'] } } };
  const lines = summaryLines({ envelope, probes: [], reportPath: null });
  expect(lines.filter((line) => line.startsWith('secrets_redacted_count'))).toHaveLength(1);
  expect(lines.join('')).not.toMatch(/[\n\u001b]/);
});
