/** Item 31: what a repository configures for a scanner changes none of its findings. Real tools; skipped by name without. */

import { afterEach, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/kernel/base/json.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { hasTool } from '../support/tools.ts';

let repos: FixtureRepo[] = [];
afterEach(() => {
  for (const repo of repos) repo.dispose();
  repos = [];
});

const key = ['AKIA', 'Q7ZX3MWLPD2NVB6K'].join('');
const sources = {
  'src/run.js': 'export const run = (code) => eval(code);\n',
  'src/quiet.js': 'try { go(); } catch {}\n',
  'tests/deep/start.js': "spawn('/bin/sh', ['-c', name]);\n",
  'src/settings.py': `key = "${key}"\n`,
  'dist/kept.js': 'eval(text);\n',
};

type Attempt = {
  readonly probe: string;
  readonly section: string;
  readonly files: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
};

const attempts: Readonly<Record<string, Attempt>> = {
  semgrep: {
    probe: 'semgrep',
    section: 'semgrep_findings',
    files: {
      '.semgrepignore': '*\n',
      'src/.semgrepignore': '*\n',
      '.semgrep.yml': 'rules: []\n',
      '.semgrep/settings.yml': 'has_shown_metrics_notification: true\n',
    },
    environment: { SEMGREP_RULES: '/nowhere', SEMGREP_TIMEOUT: '0.0001' },
  },
  'ast-grep': {
    probe: 'ast_grep',
    section: 'ast_grep_findings',
    files: {
      'sgconfig.yml': 'ruleDirs: [none]\n',
      'src/sgconfig.yml': 'ruleDirs: []\n',
      '.ignore': '*\n',
      'src/.ignore': '*\n',
    },
  },
  rg: {
    probe: 'ripgrep_curated',
    section: 'grep_findings',
    files: { '.ripgreprc': '--glob=!*\n', '.ignore': '*\n', '.rgignore': '*\n', 'tests/.rgignore': 'deep\n' },
    environment: { RIPGREP_CONFIG_PATH: '.ripgreprc' },
  },
  gitleaks: {
    probe: 'gitleaks',
    section: 'gitleaks_findings',
    files: {
      '.gitleaks.toml': '[allowlist]\npaths = [".*"]\n',
      '.gitleaksignore': 'src/settings.py:aws-access-token:1\n',
      'src/.gitleaksignore': 'src/settings.py:aws-access-token:1\n',
      '.npmrc': 'ignore-scripts=false\n',
    },
    environment: { GITLEAKS_CONFIG: '.gitleaks.toml', GITLEAKS_CONFIG_TOML: '[allowlist]\npaths = [".*"]\n' },
  },
};

for (const [tool, { probe, section, files, environment }] of Object.entries(attempts)) {
  test.skipIf(tool !== 'ast-grep' && !hasTool(tool))(
    `G31 ${tool} finds the same whatever the repository configures`,
    async () => {
      const plain = await findingsOf(probe, section, {}, {});
      const configured = await findingsOf(probe, section, files, environment ?? {});
      expect(plain.length).toBeGreaterThan(0);
      expect(configured).toEqual(plain);
    },
  );
}

test.skipIf(!hasTool('semgrep'))('G31 semgrep heeds no comment that excuses a line', async () => {
  const excused = { ...sources, 'src/run.js': sources['src/run.js'].replace(';\n', '; // nosemgrep: node-eval\n') };
  const found = await findingsOf('semgrep', 'semgrep_findings', excused, {});
  expect(found).toContainEqual(expect.objectContaining({ rule_id: 'node-eval', path: 'src/run.js' }));
});

async function findingsOf(
  probe: string,
  section: string,
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Promise<readonly Json[]> {
  const repo = createFixtureRepo({ ...sources, ...files });
  repos.push(repo);
  const PATH = process.env['PATH'];
  const { envelope } = await repo.publish(
    { only: [probe] },
    { environment: { PATH, HOME: repo.home, ...environment } },
  );
  expect(recordOf(envelope, probe).errors).toEqual([]);
  const { findings } = envelope[section] as { readonly findings: readonly JsonObject[] };
  // The configuration itself may hold something to be found.
  return findings.filter(({ path }) => Object.hasOwn(sources, path as string));
}
