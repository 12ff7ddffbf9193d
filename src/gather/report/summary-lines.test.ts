import { expect, test } from 'vitest';
import { sampleEnvelope, sampleProbes } from '../../../test/support/sample-envelope.ts';
import { accountLines, screenLines, summaryLines } from './summary-lines.ts';

const screen = (envelope: unknown, width = 100) =>
  summaryLines({ envelope, probes: sampleProbes(), reportPath: 'CONTEXT_REPORT.md', width });

function known(id: string, scope: string, value: unknown, more: object = {}) {
  return { id, scope, state: 'known', value, confidence: 'high', evidence: ['a:1'], how: 'declared: x', ...more };
}

test('the screen speaks of the repository, and of the program only where it failed', () => {
  const lines = screen(sampleEnvelope());
  expect(lines[0]).toBe('acme/payments-api (9f1c2ab4 on main with 2 uncommitted)');
  expect(lines).toContain('CI        github-actions');
  expect(lines.join('\n')).toContain('scip_index degraded (scip_index.index_failed)');
  expect(lines.at(-1)).toBe('more      codegenie facts [id] [scope] · report CONTEXT_REPORT.md · gathered in 18.4 s');
  expect(lines.join('\n')).not.toMatch(/\bpartial\b|confidence|not_configured|fingerprint/);
});

test('a missing tool is one line, the last of the screen before how to ask on', () => {
  const envelope = {
    ...sampleEnvelope(),
    probe_failures: [],
    not_looked: ['semgrep', 'gitleaks'].map((probe) => ({
      probe,
      reason: 'tool_missing',
      tools: [probe],
      enable: 'x',
    })),
  };
  const lines = screen(envelope).filter((line) => /semgrep|gitleaks/.test(line));
  expect(lines).toEqual([
    'not seen  optional tools that are not installed: semgrep, gitleaks (codegenie doctor says how)',
  ]);
});

test('at most thirty lines, none wider than the terminal, and every row keeps its place', () => {
  const names = Array.from({ length: 400 }, (_, at) => `services/some-service-${at}`);
  const facts = [
    known(
      'components',
      '.',
      names.map((name) => `service ${name}`),
    ),
    known('language.primary', '.', 'Go'),
    known('deploy.kind', '.', ['helm']),
    known(
      'docker.images',
      '.',
      names.map((name) => `${name}/Dockerfile`),
    ),
    known('services', '.', names),
    ...['install', 'build', 'test.unit', 'lint', 'start'].flatMap((role) =>
      names.map((cwd, at) => known(`${role}.command`, cwd, { cmd: `make ${role} part=${at}`, cwd })),
    ),
  ];
  for (const width of [40, 80, 200]) {
    const lines = screen({ ...sampleEnvelope(), commands: { left_out: [] }, facts }, width);
    expect(lines.length).toBeLessThanOrEqual(screenLines);
    // The last line has a path that is not broken.
    for (const line of lines.slice(2, -1)) expect(line.length).toBeLessThanOrEqual(width);
    for (const label of ['what', 'parts', 'install', 'build', 'test', 'check', 'run', 'deploy', 'risky', 'not seen'])
      expect(
        lines.some((line) => line.startsWith(`${label.padEnd(10)}`)),
        label,
      ).toBe(true);
    expect(lines.filter((line) => /…|\+\d+ more|and \d+ more/.test(line)).length).toBeGreaterThan(3);
  }
});

test('G28 a hostile name cannot add a line', () => {
  const envelope = {
    repo: { id: 'x\nmore evil\u001b[2J' },
    probe_failures: [{ probe: 'x\ny\u001b[2J', status: 'failed', errors: ['a\nb'] }],
    facts: [known('language.primary', '.', 'Go\nrisky none\u001b[2J')],
  };
  const text = screen(envelope).join('');
  expect(text).not.toMatch(/[\n\u001b]/);
});

test('--verbose accounts for every probe that is not ok, and for what was redacted', () => {
  const lines = accountLines(sampleEnvelope(), sampleProbes());
  expect(lines).toEqual([
    'partial · 25 probes ok',
    'degraded scip_index · scip_index.index_failed · scip_index.project_failed',
    '  scip_index.project_failed packages/ledger/tsconfig.json:7: extends cannot be resolved',
    'skipped cve · db_unavailable · no grype database below ~/.cache/grype/db',
    'skipped semgrep · tool_missing · semgrep is not on PATH',
    expect.stringMatching(/^skipped external_docs · not_configured/),
    expect.stringMatching(/^skipped slo · not_configured/),
    'secrets_redacted_count=2',
    'fingerprints=[1a2b3c4d, 5e6f7081]',
    'skill_shadowed=[distroless-node:repo]',
  ]);
});
