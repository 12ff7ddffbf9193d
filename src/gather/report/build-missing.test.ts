import { expect, test } from 'vitest';
import { sampleEnvelope, sampleProbes } from '../../../test/support/sample-envelope.ts';
import { skipReasons } from '../contract.ts';
import { listMissing } from './build-missing.ts';
import { viewEnvelope } from './envelope-view.ts';

const adviceFor = (probe: string, record: object) =>
  listMissing(viewEnvelope({ ...sampleEnvelope(), probes: { [probe]: record } }, sampleProbes())).find(
    (part) => part.probe === probe,
  );
const skipped = (reason: string, more: object = {}) => ({ status: 'skipped', skip: { reason, detail: null }, ...more });

test('every skip reason has its advice', () => {
  for (const reason of skipReasons) expect(adviceFor('cve', skipped(reason))?.enable).toMatch(/\w/);
  expect(
    adviceFor('semgrep', skipped('tool_missing', { tool_versions: [{ name: 'semgrep', version: 'absent' }] }))?.enable,
  ).toBe('Install the PyPI package semgrep (pipx install semgrep).');
  expect(adviceFor('slo', skipped('not_configured'))?.enable).toBe('set slo.files in .codegenie/config.yaml');
  expect(adviceFor('external_docs', skipped('not_configured'))?.enable).toBe(
    'set external_docs in ~/.codegenie/config.yaml',
  );
  expect(adviceFor('ci', skipped('not_applicable'))).toMatchObject({
    enable: 'nothing to do: it reads .github/workflows/*.yml, .gitlab-ci.yml, and none is here',
    actionable: false,
  });
  expect(adviceFor('cve', { status: 'timed_out' })?.enable).toBe('raise probes.timeouts.cve, then gather again');
});

test('a probe that made do without its tool says what would give more', () => {
  const tools = { tool_versions: [{ name: 'gitleaks', version: 'absent' }] };
  expect(adviceFor('gitleaks', { status: 'ok', warnings: ['gitleaks.tool_missing'], ...tools })).toMatchObject({
    reason: 'tool_missing',
    detail: 'it made do without gitleaks',
    enable: expect.stringContaining('gitleaks'),
    actionable: true,
  });
  expect(adviceFor('gitleaks', { status: 'ok', warnings: [], ...tools })).toBeUndefined();
  expect(adviceFor('gitleaks', { status: 'ok', warnings: ['gitleaks.tool_missing'] })).toBeUndefined();
});

test('a trace that could not be made is told, also where a strace is installed that is of no use', () => {
  const traced = (id: string, detail: string) =>
    adviceFor('runtime_trace', {
      status: 'ok',
      warnings: [id, 'runtime_trace.scenario_failed'],
      tool_versions: [{ name: 'strace', version: '6.1' }],
      diagnostics: [{ id, detail }],
    });
  expect(
    traced('runtime_trace.strace_missing', 'Set runtime_trace.strace_static: docker needs a static strace.'),
  ).toMatchObject({
    reason: 'tool_missing',
    detail: 'it made do without its tool',
    enable: 'Set runtime_trace.strace_static: docker needs a static strace.',
  });
  expect(traced('runtime_trace.platform_not_linux', 'darwin')).toMatchObject({ enable: 'gather on Linux' });
});

test('an upstream without a slice is named', () => {
  const { containerization: _, ...without } = sampleEnvelope();
  const envelope = { ...without, probes: { shell_usage: skipped('upstream_unavailable') } };
  const part = listMissing(viewEnvelope(envelope, sampleProbes())).find((entry) => entry.probe === 'shell_usage');
  expect(part?.enable).toBe('first make dockerfile deliver');
});
