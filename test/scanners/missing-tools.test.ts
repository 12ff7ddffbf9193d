/** Without its tool a scanner says so, and never that there is nothing to find. */

import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const nowhere = (tool: string) => `tools.${tool}.path: /nowhere/${tool}\n`;

test.each([
  ['semgrep', 'semgrep', 'semgrep_findings'],
  ['rg', 'ripgrep_curated', 'grep_findings'],
])('%s missing: skipped by name, with how to get it', async (tool, probe, section) => {
  repo = createFixtureRepo({ 'a.js': 'eval(x);\n', '~/.codegenie/config.yaml': nowhere(tool) });
  const { envelope } = await repo.publish({ only: [probe, 'index_health'] });
  expect(recordOf(envelope, probe)).toMatchObject({
    status: 'skipped',
    skip: { reason: 'tool_missing', detail: expect.stringContaining('Install') },
    warnings: [`${probe}.tool_missing`],
    confidence: null,
  });
  expect(envelope[section]).toMatchObject({ outcome: { kind: 'skipped', reason: 'tool_missing' }, findings: [] });
  // The repository is not the worse for it: the gather is complete, and says what it did not look at.
  expect(envelope).toMatchObject({ gather_status: 'complete', probe_failures: [] });
  expect(envelope.not_looked).toEqual([
    { probe, reason: 'tool_missing', tools: [tool], delivered: false, enable: expect.stringContaining('Install') },
  ]);
  expect(recordOf(envelope, 'index_health').confidence).toBe('high');
});

test('ast-grep missing: the built-in rules look, and the rules of the user are named as not run', async () => {
  const files = { 'a.js': 'try { go(); } catch {}\n', '~/.codegenie/config.yaml': nowhere('ast-grep') };
  const rule = 'id: a\nlanguage: JavaScript\nmessage: m\nrule: {pattern: go()}\n';
  const findings = [{ rule_id: 'script-swallowed-error', path: 'a.js', line: 1 }];
  repo = createFixtureRepo(files);
  const without = (await repo.publish({ only: ['ast_grep'] })).envelope;
  expect(recordOf(without, 'ast_grep')).toMatchObject({ status: 'ok', warnings: [], confidence: 'high' });
  expect(without).toMatchObject({ not_looked: [], ast_grep_findings: { outcome: { kind: 'ran' }, findings } });
  repo.write('~/.codegenie/ast-grep-rules/sgconfig.yml', 'ruleDirs: [rules]\n');
  repo.write('~/.codegenie/ast-grep-rules/rules/a.yml', rule);
  const { envelope } = await repo.publish({ only: ['ast_grep'] });
  expect(recordOf(envelope, 'ast_grep')).toMatchObject({ warnings: ['ast_grep.tool_missing'], confidence: 'medium' });
  expect(envelope).toMatchObject({
    ast_grep_findings: { outcome: { kind: 'ran' }, findings, findings_total: 1 },
    not_looked: [{ probe: 'ast_grep', reason: 'tool_missing', tools: ['ast-grep'], delivered: true }],
  });
});

test('gitleaks missing: the built-in patterns look, and say that it was they', async () => {
  const key = ['AKIA', 'Q7ZX3MWLPD2NVB6K'].join('');
  const password = ['Tr0ub4dor', '3', 'horse'].join('-');
  repo = createFixtureRepo({
    'a.py': `key = "${key}"\ndb_password = "${password}"\ntoken_kind = "identifier"\n`,
    'picture.bin': new Uint8Array([0, 1, 2, ...new TextEncoder().encode(key)]),
    '~/.codegenie/config.yaml': nowhere('gitleaks'),
  });
  const { envelope } = await repo.publish({ only: ['gitleaks'] });
  expect(recordOf(envelope, 'gitleaks')).toMatchObject({
    status: 'ok',
    confidence: 'medium',
    warnings: ['gitleaks.findings_present', 'gitleaks.tool_missing'],
  });
  expect(envelope).toMatchObject({
    gather_status: 'complete',
    not_looked: [{ probe: 'gitleaks', reason: 'tool_missing', tools: ['gitleaks'], delivered: true }],
  });
  expect(envelope['gitleaks_findings']).toMatchObject({
    scanner: 'builtin',
    findings_count: 2,
    findings: [
      { rule_id: 'aws_access_key', path: 'a.py', line: 1, match_fingerprint: '11b9e73f' },
      // A short hash of a password could be guessed back.
      { rule_id: 'assignment', path: 'a.py', line: 2, match_fingerprint: '00000000' },
    ],
  });
  const written = JSON.stringify(repo.written());
  expect(written).not.toContain(key);
  expect(written).not.toContain(password);
});

test('a history that cannot be read is said', async () => {
  repo = createFixtureRepo({
    'a.py': 'x = 1\n',
    '~/.codegenie/config.yaml': `gitleaks.history: true\n${nowhere('gitleaks')}`,
  });
  const { envelope } = await repo.publish({ only: ['gitleaks'] });
  expect(recordOf(envelope, 'gitleaks').warnings).toContain('gitleaks.history_not_scanned');
  expect(envelope['gitleaks_findings']).toMatchObject({ history_scanned: false });
});
