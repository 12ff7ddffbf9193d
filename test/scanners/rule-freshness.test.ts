/** A scan is as fresh as the rules it was made with: another rule, another tool or other bytes are seen without a new scan. */

import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/kernel/base/json.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { hasTool } from '../support/tools.ts';
import { installPretendTool } from './pretend-tool.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

const report = `printf '{"results":[],"errors":[],"paths":{"scanned":["a.js"]}}'`;

async function gather(...probes: string[]): Promise<Record<string, { readonly freshness: JsonObject }>> {
  const { envelope } = await repo.publish({ only: [...probes, 'index_health'] });
  return envelope['index_health'] as Record<string, { readonly freshness: JsonObject }>;
}

async function askNow(): Promise<Record<string, JsonObject>> {
  const answer = await repo.workspace().report();
  if (answer.kind !== 'report') throw new Error(JSON.stringify(answer));
  return answer.freshnessNow as Record<string, JsonObject>;
}

test('a rule that is added makes the scan of before stale, and the next one fresh again', async () => {
  repo = createFixtureRepo({ 'a.js': '1;\n' });
  installPretendTool(repo, 'semgrep', report);
  expect((await gather('semgrep'))['semgrep']).toMatchObject({ freshness: { kind: 'fresh' } });
  repo.write('~/.codegenie/semgrep-rules/a.yml', 'rules: []\n');
  expect((await askNow())['semgrep']).toMatchObject({
    kind: 'stale',
    reason: {
      kind: 'digest_mismatch',
      expected: expect.stringMatching(/^1\.2\.3\+blake3:[0-9a-f]{16}$/),
      actual: expect.stringMatching(/^1\.2\.3\+blake3:[0-9a-f]{16}$/),
    },
  });
  expect((await gather('semgrep'))['semgrep']).toMatchObject({ freshness: { kind: 'fresh' } });
});

test('a file that is edited after the scan makes it stale by its name', async () => {
  repo = createFixtureRepo({ 'a.js': '1;\n' });
  installPretendTool(repo, 'semgrep', report);
  await gather('semgrep');
  repo.write('a.js', '2;\n');
  expect((await askNow())['semgrep']).toMatchObject({
    kind: 'stale',
    reason: { kind: 'dirty_worktree', files: ['a.js'], count: 1 },
  });
});

test('a scan that failed is no index, and is tried again', async () => {
  repo = createFixtureRepo({ 'a.js': '1;\n' });
  installPretendTool(repo, 'semgrep', 'exit 7');
  expect((await gather('semgrep'))['semgrep']).toMatchObject({
    freshness: { kind: 'stale', reason: { kind: 'indexer_error', message: 'semgrep_failed' } },
  });
  installPretendTool(repo, 'semgrep', report);
  expect((await gather('semgrep'))['semgrep']).toMatchObject({ freshness: { kind: 'fresh' } });
});

test.skipIf(!hasTool('ast-grep'))(
  'ast-grep: its own rules and those beside the configuration are one pack',
  async () => {
    repo = createFixtureRepo({ 'a.js': '1;\n' });
    expect((await gather('ast_grep'))['ast_grep']).toMatchObject({ freshness: { kind: 'fresh' } });
    const rule = 'id: a\nlanguage: JavaScript\nmessage: m\nrule: {pattern: x}\n';
    repo.write('~/.codegenie/ast-grep-rules/sgconfig.yml', 'ruleDirs: [rules]\n');
    repo.write('~/.codegenie/ast-grep-rules/rules/a.yml', rule);
    expect((await askNow())['ast_grep']).toMatchObject({ kind: 'stale', reason: { kind: 'digest_mismatch' } });
  },
);

test('what the built-in patterns found is stale once gitleaks is there', async () => {
  repo = createFixtureRepo({ 'a.py': 'x = 1\n', '~/.codegenie/config.yaml': 'tools.gitleaks.path: /nowhere\n' });
  expect((await gather('gitleaks'))['gitleaks']).toMatchObject({ freshness: { kind: 'fresh' } });
  installPretendTool(repo, 'gitleaks', 'exit 1');
  expect((await askNow())['gitleaks']).toMatchObject({
    kind: 'stale',
    reason: { kind: 'digest_mismatch', actual: expect.stringMatching(/^builtin-1\+blake3:/) },
  });
});
